# SPDX-License-Identifier: MIT
"""Facts about the TU sets, from their text files with the standard library alone.

python3 io_tu.py DATA_FOLDER > io_tu.json
"""
import collections
import gzip
import json
import os
import sys

NAMES = ["ENZYMES", "PROTEINS", "IMDB-BINARY", "IMDB-MULTI", "MUTAG", "NCI1", "DD", "REDDIT-BINARY"]


def lines(root, name, part):
    path = os.path.join(root, name, f"{name}_{part}.txt")
    if os.path.exists(path):
        stream = open(path)
    elif os.path.exists(path + ".gz"):
        stream = gzip.open(path + ".gz", "rt")
    else:
        return None
    with stream:
        return [line.strip() for line in stream if line.strip()]


def counts(values):
    counted = collections.Counter(values)
    return {str(key): counted[key] for key in sorted(counted)}


def facts(root, name):
    graph_of = [int(x) for x in lines(root, name, "graph_indicator")]
    pairs = [tuple(int(x) for x in line.split(",")) for line in lines(root, name, "A")]
    edges = {(min(a, b), max(a, b)) for a, b in pairs if a != b}
    degree = collections.Counter()
    edges_of = collections.Counter()
    for a, b in edges:
        degree[a] += 1
        degree[b] += 1
        edges_of[graph_of[a - 1]] += 1
    sizes = collections.Counter(graph_of)
    result = {
        "graphs": len(sizes),
        "nodes": len(graph_of),
        "edges": len(edges),
        "isolated": sum(1 for v in range(1, len(graph_of) + 1) if degree[v] == 0),
        "degree_squares": sum(d * d for d in degree.values()),
        # Ties sizes to rows: sum over rows of (row + 1) * nodes, and the same with edges.
        "row_nodes": sum(g * n for g, n in sizes.items()),
        "row_edges": sum(g * n for g, n in edges_of.items()),
        "classes": counts(int(x) for x in lines(root, name, "graph_labels")),
    }
    node_labels = lines(root, name, "node_labels")
    if node_labels:
        result["node_labels"] = counts(int(x) for x in node_labels)
        # Ties labels to nodes: sum of label * degree.
        result["label_degrees"] = sum(int(x) * degree[v + 1] for v, x in enumerate(node_labels))
    edge_labels = lines(root, name, "edge_labels")
    if edge_labels:
        label_of = {}
        for (a, b), label in zip(pairs, edge_labels):
            label_of.setdefault((min(a, b), max(a, b)), int(label))
        result["edge_labels"] = counts(label_of.values())
    attributes = lines(root, name, "node_attributes")
    if attributes:
        rows = [[float(x) for x in line.split(",")] for line in attributes]
        result["attribute_sums"] = [sum(column) for column in zip(*rows)]
    return result


print(json.dumps({name: facts(sys.argv[1], name) for name in NAMES}, indent=1))
