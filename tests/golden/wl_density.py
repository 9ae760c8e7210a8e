#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What wl-density computes for a training set of 30 graphs and 20 other graphs, three times.

Usage: wl_density.py DATA_FOLDER > wl_density.json

The first 30 graphs of a case are for training, the next 10 are from the same data set and the last 10
from another one (bace: from the molecules of the scaffold split's test part). `edges` is a flat list of
pairs, `labels` of node labels by node, `bonds` of one label per edge. Colours are tuples, not hashes;
2-cores are NetworkX's, soft-minima and ranks SciPy's. The 20 other graphs are also scored as a batch.
"""
import csv
import gzip
import json
import sys
from collections import Counter

import networkx as nx
import numpy as np
from rdkit import Chem, RDLogger
from scipy.special import logsumexp
from scipy.stats import rankdata

from tu_graphs import lines, read_tu

RDLogger.DisableLog("rdApp.*")
TRAIN, TAU, BATCH_TAU = 30, 0.01, 0.2
VARIANTS = {
    "default": {},
    "combine=fisher": {"combine": "fisher"},
    "idf=false": {"idf": False},
    "depth=1 views=core": {"depth": 1, "views": ["core"]},
    "tau=0.1 views=size+whole": {"tau": 0.1, "views": ["size", "whole"]},
    "columns=first edge_labels=false": {"columns": [0], "bonds": False},
}


def tu_graphs(folder, name):
    graphs = read_tu(folder, name)
    try:
        labels = iter([int(x) for x in lines(f"{folder}/{name}/{name}_node_labels.txt") if x.strip()])
    except FileNotFoundError:
        return graphs
    for graph in graphs:
        nx.set_node_attributes(graph, {v: (next(labels),) for v in sorted(graph)}, "label")
    return graphs


def molecules(folder, part):
    with gzip.open(f"{folder}/BACE/mol.csv.gz", "rt") as file:
        smiles = [row["smiles"] for row in csv.DictReader(file)]
    with gzip.open(f"{folder}/BACE/split/scaffold/{part}.csv.gz", "rt") as file:
        rows = [int(line) for line in file if line.strip()]
    graphs = []
    for row in rows:
        molecule = Chem.MolFromSmiles(smiles[row])
        graph = nx.Graph()
        for atom in molecule.GetAtoms():
            graph.add_node(atom.GetIdx(), label=(atom.GetAtomicNum(), atom.GetTotalNumHs(),
                                                 atom.GetFormalCharge(), int(atom.GetIsAromatic())))
        for bond in molecule.GetBonds():
            graph.add_edge(bond.GetBeginAtomIdx(), bond.GetEndAtomIdx(), bond=int(bond.GetBondType()))
        graphs.append(graph)
    return graphs


def spread(graphs, count):
    small = [g for g in graphs if 1 <= g.number_of_edges() <= 80]
    return [small[k * len(small) // count] for k in range(count)]


def colours(graph, depth, columns, bonds):
    """Counters by depth."""
    def label(v):
        values = graph.nodes[v].get("label", ())
        return values if columns is None else tuple(values[c] for c in columns if c < len(values))
    now = {v: label(v) for v in graph}
    found = [Counter(now.values())]
    for _ in range(depth):
        now = {v: (now[v], tuple(sorted((now[u], graph.edges[u, v].get("bond", 0) if bonds else 0)
                                        for u in graph[v]))) for v in graph}
        found.append(Counter(now.values()))
    return found


def block_distances(counters, idf):
    """[graphs, graphs] for one multiset per graph; weights are those of the training graphs."""
    df = Counter((x, j) for c in counters[:TRAIN] for x, k in c.items() for j in range(1, k + 1))

    def weight(features):
        if not idf:
            return float(len(features))
        return sum(np.log((TRAIN + 1) / (df[f] + 0.5)) + 0.1 for f in sorted(features))
    unary = [{(x, j) for x, k in c.items() for j in range(1, k + 1)} for c in counters]
    return np.array([[1 - weight(a & b) / weight(a | b) if a | b else 0.0 for b in unary] for a in unary])


def view_distances(graphs, depth=2, columns=None, bonds=True, idf=True):
    cores = [nx.k_core(g, 2) for g in graphs]
    n = np.array([len(g) for g in graphs])
    size = 1 - np.minimum.outer(n, n) / np.maximum.outer(n, n)

    def blocks(graphs, columns, bonds):
        by_graph = [colours(g, depth, columns, bonds) for g in graphs]
        return [block_distances([c[h] for c in by_graph], idf) for h in range(depth + 1)]
    core = blocks(cores, columns, bonds)
    if (bonds and any(nx.get_edge_attributes(g, "bond") for g in graphs)) or \
            len(next(iter(graphs[0].nodes(data="label", default=())))[1] if columns is None else columns) > 1:
        core += blocks(cores, [0], False)
    return {"size": size, "whole": np.mean([size] + blocks(graphs, columns, bonds), axis=0),
            "core": np.mean(core, axis=0)}


def soft_minimum(distances, tau):
    return -tau * (logsumexp(-distances / tau) - np.log(len(distances)))


def evaluate(graphs, combine="clip", tau=TAU, views=("size", "whole", "core"), **what):
    result = {"distances": {}, "mean": {}, "deviation": {}, "training": 0, "scores": 0}
    for name, between in view_distances(graphs, **what).items():
        if name not in views:
            continue
        d = between[:, :TRAIN]
        if name == "whole":
            batch = between[TRAIN:, TRAIN:]
            ratios = [(soft_minimum(d[TRAIN + i], BATCH_TAU) - soft_minimum(np.delete(row, i), BATCH_TAU)) / BATCH_TAU
                      for i, row in enumerate(batch)]
        left_out = np.array([soft_minimum(np.delete(d[i], i), tau) for i in range(TRAIN)])
        mean, deviation = left_out.mean(), left_out.std()
        s = np.concatenate([left_out, [soft_minimum(row, tau) for row in d[TRAIN:]]])
        if combine == "clip":
            t = np.maximum((s - mean) / deviation, -1)
        else:
            # Mid-ranks, where a difference of 1e-12 is a tie.
            rank = np.array([(np.sum(left_out < x - 1e-12) + np.sum(left_out <= x + 1e-12)) / 2 for x in s])
            t = -np.log((TRAIN - rank + 0.5) / (TRAIN + 1)) + np.maximum(s - left_out.max(), 0) / deviation
        result["distances"][name] = np.round(d[TRAIN:], 12).tolist()
        result["mean"][name], result["deviation"][name] = mean, deviation
        result["training"] += t[:TRAIN]
        result["scores"] += t[TRAIN:]
    if "whole" in views:
        # Ranks of numbers without the rounding that would part equal ones.
        ranks = [rankdata(np.round(x, 11)) - 0.5 for x in (result["scores"], ratios)]
        result["log_ratios"] = [float(r) for r in ratios]
        # The ratios count for the estimated share of OOD graphs: twice what p-values above 1/2 lack of a half.
        p_values = [(1 + np.sum(result["training"] >= x - 1e-12)) / (TRAIN + 1) for x in result["scores"]]
        share = min(max(1 - 2 * np.mean(np.array(p_values) > 0.5), 0), 0.5)
        result["batch_scores"] = (((1 - share) * ranks[0] + share * ranks[1]) / len(ratios)).tolist()
    result["training"], result["scores"] = result["training"].tolist(), result["scores"].tolist()
    return result


def case(name, graphs):
    variants = {key: evaluate(graphs, **what) for key, what in VARIANTS.items()}
    for key, value in variants.items():
        if key != "default":
            del value["distances"]
    return {"name": name,
            "graphs": [{"nodes": len(g), "edges": [v for e in g.edges() for v in e],
                        "labels": [x for v in range(len(g)) for x in g.nodes[v].get("label", ())],
                        "bonds": [b for _, _, b in g.edges(data="bond") if b is not None]} for g in graphs],
            "variants": variants}


def main():
    folder = sys.argv[1]
    cases = [case("enzymes", spread(tu_graphs(folder, "ENZYMES"), TRAIN + 10)
                  + spread(tu_graphs(folder, "PROTEINS"), 10)),
             case("imdb-m", spread(tu_graphs(folder, "IMDB-MULTI"), TRAIN + 10)
                  + spread(tu_graphs(folder, "IMDB-BINARY"), 10)),
             case("bace", spread(molecules(folder, "train"), TRAIN + 10) + spread(molecules(folder, "test"), 10))]
    print(json.dumps({"networkx_version": nx.__version__, "cases": cases}, separators=(",", ":"))
          .replace('{"nodes"', '\n{"nodes"'))


main()
