# SPDX-License-Identifier: MIT
"""Writes chem_molecules.json: odd molecules with OGB features, scaffolds and other SMILES of the same.

Run: python3 chem_molecules.py > chem_molecules.json   (needs RDKit's Python package)
"""
import json

from rdkit import Chem, RDLogger
from rdkit.Chem.Scaffolds.MurckoScaffold import MurckoScaffoldSmiles

RDLogger.DisableLog("rdApp.*")

ATOM_LISTS = {
    "atomic_number": list(range(1, 119)) + ["misc"],
    "chirality": ["CHI_UNSPECIFIED", "CHI_TETRAHEDRAL_CW", "CHI_TETRAHEDRAL_CCW", "CHI_OTHER", "misc"],
    "degree": list(range(11)) + ["misc"],
    "formal_charge": list(range(-5, 6)) + ["misc"],
    "hydrogens": list(range(9)) + ["misc"],
    "radical_electrons": list(range(5)) + ["misc"],
    "hybridization": ["SP", "SP2", "SP3", "SP3D", "SP3D2", "misc"],
    "aromatic": [False, True],
    "ring": [False, True],
}
BOND_LISTS = {
    "bond_type": ["SINGLE", "DOUBLE", "TRIPLE", "AROMATIC", "misc"],
    "bond_stereo": ["STEREONONE", "STEREOZ", "STEREOE", "STEREOCIS", "STEREOTRANS", "STEREOANY"],
    "conjugated": [False, True],
}

SMILES = {
    "salt": "[Na+].[Cl-]",
    "drug salt": "Cl.CC(C)NCC(O)COc1cccc2ccccc12",
    "copper complex": "CCC1=[O+][Cu-3]2([O+]=C(CC)C1)[O+]=C(CC)CC(CC)=[O+]2",
    "dative bonds": "N->[Pt](Cl)(Cl)<-N",
    "ferrocene": "[Fe+2].[cH-]1cccc1.[cH-]1cccc1",
    "single atom": "[Xe]",
    "methane": "C",
    "hydrogen molecule": "[H][H]",
    "proton": "[H+]",
    "deuterated": "[2H]C([2H])([2H])S(=O)C([2H])([2H])[2H]",
    "isotope": "[13CH3][14C](=O)O",
    "explicit hydrogens": "[H]C([H])([H])O[H]",
    "r-groups": "[*:1]c1ccc([*:2])cc1",
    "star alone": "*",
    "radicals": "[CH2].[O]N=O.C[C]",
    "charges outside the list": "[Th+6].[C-4]",
    "hypervalent": "FS(F)(F)(F)(F)F.FP(F)(F)(F)F.O=Cl(=O)(=O)O",
    "ring of stereo": "C[C@H]1CC[C@@H](C(C)C)C[C@@H]1O",
    "double bond stereo": "C/C=C\\C/C=C/C(=O)/C=C/N",
    "sulfoxide stereo": "C[S@](=O)c1ccccc1",
    "square planar": "F[Pt@SP1](Cl)(Br)I",
    "trigonal bipyramid": "S[As@TB1](F)(Cl)(Br)N",
    "unknown bond": "C~C",
    "quadruple bond": "C$C",
    "triple and nitrile": "N#CC#CC#N",
    "zwitterion": "[NH3+][C@@H](Cc1c[nH]c2ccccc12)C(=O)[O-]",
    "borohydride": "[Li+].[BH4-]",
    "cubane": "C12C3C4C1C5C2C3C45",
    "spiro and bridge": "C1CC2(C1)CC1CCC2O1",
    "aromatic heteros": "c1ccc2c(c1)[se]c1ccccc12",
    "cx extension": "CC |$_R1;$|",
    "superheavy": "[Og].[Ts]",
}


def position(values, value):
    return values.index(value) if value in values else len(values) - 1


def atom_row(atom):
    values = [atom.GetAtomicNum(), str(atom.GetChiralTag()), atom.GetTotalDegree(),
              atom.GetFormalCharge(), atom.GetTotalNumHs(), atom.GetNumRadicalElectrons(),
              str(atom.GetHybridization()), atom.GetIsAromatic(), atom.IsInRing()]
    return [position(known, value) for known, value in zip(ATOM_LISTS.values(), values)]


def bond_row(bond):
    values = [str(bond.GetBondType()), str(bond.GetStereo()), bond.GetIsConjugated()]
    ends = [bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()]
    return ends + [position(known, value) for known, value in zip(BOND_LISTS.values(), values)]


def rewritings(molecule):
    """Up to three other SMILES; order[k] is the atom of `molecule` that became atom k."""
    Chem.rdBase.SeedRandomNumberGenerator(7)
    found = {}
    for _ in range(12):
        smiles = Chem.MolToSmiles(molecule, doRandom=True)
        order = [int(i) for i in molecule.GetProp("_smilesAtomOutputOrder").strip("[],").split(",")]
        found.setdefault(smiles, order)
    return [{"smiles": s, "order": o} for s, o in list(found.items())[:3]]


def main():
    rows = []
    for name, smiles in SMILES.items():
        molecule = Chem.MolFromSmiles(smiles)
        rows.append({
            "name": name,
            "smiles": smiles,
            "atoms": [atom_row(a) for a in molecule.GetAtoms()],
            "bonds": [bond_row(b) for b in molecule.GetBonds()],
            "scaffold": MurckoScaffoldSmiles(smiles, includeChirality=True),
            "rewritings": rewritings(molecule),
        })
    print(json.dumps({
        "atom_columns": list(ATOM_LISTS), "bond_columns": list(BOND_LISTS), "molecules": rows,
    }, separators=(",", ":")).replace('{"name"', '\n{"name"'))


main()
