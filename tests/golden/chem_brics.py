#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""BRICS fragments of 200 molecules of BACE, BBBP and HIV and of some odd ones, by RDKit's Python code.

Usage: chem_brics.py DATA_FOLDER > chem_brics.json

`fragments` has the fragment of each atom, numbered by first atoms: what hangs together when the bonds
of FindBRICSBonds() are gone.
"""
import csv
import gzip
import json
import sys

from rdkit import Chem, RDLogger, rdBase
from rdkit.Chem.BRICS import FindBRICSBonds

RDLogger.DisableLog("rdApp.*")

ODD = ["C", "[Na+].[Cl-]", "CC=CC", "CCCOCC", "CC1(C)CCCCC1", "O=C1NCCC1", "*CC(=O)NC*",
       "C1CC1N2CCC2C(=O)Oc1ccccc1-c1ccncc1", "CS(=O)(=O)N(C)c1nccs1", "[2H]OC", "c1ccccc1/C=C/c1ccccc1"]


def fragments(molecule):
    editable = Chem.RWMol(molecule)
    for (a, b), _ in FindBRICSBonds(molecule):
        editable.RemoveBond(a, b)
    block = [0] * molecule.GetNumAtoms()
    for number, atoms in enumerate(sorted(Chem.GetMolFrags(editable), key=min)):
        for atom in atoms:
            block[atom] = number
    return block


def main():
    molecules = [{"set": "odd", "smiles": smiles} for smiles in ODD]
    for name, count in [("BACE", 67), ("BBBP", 67), ("HIV", 66)]:
        with gzip.open(f"{sys.argv[1]}/{name}/mol.csv.gz", "rt") as file:
            rows = [row["smiles"] for row in csv.DictReader(file)]
        rows = [smiles for smiles in rows[:: len(rows) // (2 * count)] if Chem.MolFromSmiles(smiles)]
        molecules += [{"set": name, "smiles": smiles} for smiles in rows[:count]]
    for row in molecules:
        row["fragments"] = fragments(Chem.MolFromSmiles(row["smiles"]))
    result = {"rdkit_version": rdBase.rdkitVersion, "molecules": molecules}
    print(json.dumps(result, separators=(",", ":")).replace('{"set"', '\n{"set"'))


main()
