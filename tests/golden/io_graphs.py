# SPDX-License-Identifier: MIT
"""Graphs as other programs write them: NetworkX's node-link form, RDKit's SDF, a zipped TU folder.

Writes io_graphs.jsonl, io_graphs.sdf (with the same molecules in io_graphs.smi) and io_graphs.zip.
"""

import json
import zipfile
from pathlib import Path

import networkx as nx
from rdkit import Chem

HERE = Path(__file__).parent

SMILES = [
    ("aspirin", "CC(=O)Oc1ccccc1C(=O)O", 1),
    ("alanine", "C[C@H](N)C(=O)O", 0),
    ("sodium acetate", "CC(=O)[O-].[Na+]", 0),
    ("butene", "C/C=C/C", 1),
    ("pyridine oxide", "[O-][n+]1ccccc1", 1),
]


def node_link_lines():
    karate = nx.karate_club_graph()
    for u, v in karate.edges:
        karate.edges[u, v].clear()
    karate.graph.update(y="club", id="karate")
    for v in karate.nodes:
        karate.nodes[v]["half"] = v / 2 + 0.25
    path = nx.path_graph(["a", "b", "c"])
    path.graph.update(y="path", id="path")
    for position, v in enumerate(path.nodes):
        path.nodes[v].update(club="Officer", half=position + 0.5)
    return [json.dumps(nx.node_link_data(graph)) for graph in (karate, path)]


def main():
    (HERE / "io_graphs.jsonl").write_text("\n".join(node_link_lines()) + "\n")
    writer = Chem.SDWriter(str(HERE / "io_graphs.sdf"))
    for name, smiles, active in SMILES:
        molecule = Chem.MolFromSmiles(smiles)
        Chem.AllChem.Compute2DCoords(molecule)
        molecule.SetProp("_Name", name)
        molecule.SetProp("active", str(active))
        molecule.SetProp("comment", "two\nlines")
        writer.write(molecule)
    writer.close()
    (HERE / "io_graphs.smi").write_text("".join(f"{s} {n}\n" for n, s, _ in SMILES))
    with zipfile.ZipFile(HERE / "io_graphs.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in {
            "TOY/TOY_A.txt": "1, 2\n2, 1\n3, 4\n4, 3\n4, 5\n5, 4\n",
            "TOY/TOY_graph_indicator.txt": "1\n1\n2\n2\n2\n",
            "TOY/TOY_graph_labels.txt": "0\n1\n",
            "TOY/README.txt": "a toy\n",
        }.items():
            archive.writestr(zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0)), text)


if __name__ == "__main__":
    from rdkit.Chem import AllChem  # noqa: F401  (Chem.AllChem)

    main()
