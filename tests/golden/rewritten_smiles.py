# SPDX-License-Identifier: MIT
"""The same molecules written anew: one random SMILES, by RDKit, for 250 rows of each set.

Usage: rewritten_smiles.py DATA_FOLDER > rewritten_smiles.json
"""

import csv
import gzip
import json
import os
import sys

from rdkit import Chem, RDLogger

RDLogger.DisableLog("rdApp.*")
COUNT = 250


def molecules(folder):
    """Row number and molecule of COUNT rows, evenly spread."""
    with gzip.open(os.path.join(folder, "mol.csv.gz"), "rt", newline="") as file:
        smiles = [row["smiles"] for row in csv.DictReader(file)]
    for k in range(COUNT):
        row = k * len(smiles) // COUNT
        yield row, Chem.MolFromSmiles(smiles[row])


result = {}
for name in ("BACE", "BBBP", "HIV", "DrugOOD"):
    result[name] = [
        [row, Chem.MolToRandomSmilesVect(mol, 1, randomSeed=row + 1)[0]]
        for row, mol in molecules(os.path.join(sys.argv[1], name))
        if mol is not None
    ]
json.dump(result, sys.stdout, indent=0, separators=(",", ":"))
print()
