# SPDX-License-Identifier: MIT
"""Small data sets for the tests of the command-line tool."""


def molecules():
    """60 molecules as (id, SMILES, class): acids and amines of growing chains."""
    rows = []
    for n in range(1, 16):
        chain = "C" * n
        rows += [
            (f"acid{n}", f"{chain}C(=O)O", "acid"),
            (f"amine{n}", f"{chain}N", "amine"),
            (f"ring_acid{n}", f"c1ccccc1{chain}C(=O)O", "acid"),
            (f"ring_amine{n}", f"C1CCCC1{chain}N", "amine"),
        ]
    return rows


def csv_text(rows):
    return "id,smiles,kind\n" + "".join(f"{','.join(row)}\n" for row in rows)


def smi_text(rows):
    return "".join(f"{smiles} {name}\n" for name, smiles, _ in rows)


def _ring(size):
    return [(v, (v + 1) % size) for v in range(size)]


def ring_graphs():
    """40 graphs as (edges, class): bare rings, and rings with a tail of two nodes."""
    graphs = []
    for i in range(20):
        size = 4 + i % 7
        graphs.append((_ring(size), "1"))
        graphs.append((_ring(size) + [(0, size), (size, size + 1)], "2"))
    return graphs


def star_graphs():
    """10 stars: unlike anything among the rings."""
    return [([(0, leaf) for leaf in range(1, 8 + i)], "1") for i in range(10)]


def write_tu(folder, graphs, label_columns=1):
    """A TU folder whose node labels are the degree, `label_columns` times."""
    folder.mkdir()
    edges, owners, labels = [], [], []
    first = 1
    for number, (graph, _) in enumerate(graphs, 1):
        nodes = 1 + max(max(edge) for edge in graph)
        for u, v in graph:
            edges += [f"{first + u}, {first + v}", f"{first + v}, {first + u}"]
        owners += [str(number)] * nodes
        for node in range(nodes):
            degree = str(sum(node in edge for edge in graph))
            labels.append(", ".join([degree] * label_columns))
        first += nodes
    files = {
        "A": edges,
        "graph_indicator": owners,
        "graph_labels": [label for _, label in graphs],
        "node_labels": labels,
    }
    for name, lines in files.items():
        (folder / f"{folder.name}_{name}.txt").write_text("\n".join(lines) + "\n")
