#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Scores of the untrained detectors for two training sets of 30 graphs and 20 other graphs each.

Usage: detectors_untrained.py DATA_FOLDER > detectors_untrained.json

The first 30 graphs of a case are for training, the next 10 are from the same data set and the last 10
from another one, whose node labels are partly unknown. `edges` is a flat list of pairs. Pieces are
NetworkX's greedy modularity; distances and scaling are scikit-learn's, ranks SciPy's, colours NetworkX's.
"""
import json
import sys

import networkx as nx
import numpy as np
from networkx.algorithms.community import greedy_modularity_communities
from scipy.stats import percentileofscore
from sklearn.feature_extraction import DictVectorizer
from sklearn.neighbors import NearestNeighbors
from sklearn.preprocessing import StandardScaler

from tu_graphs import lines, read_tu

TRAIN = 30


def labelled(folder, name):
    graphs = read_tu(folder, name)
    labels = iter([int(x) for x in lines(f"{folder}/{name}/{name}_node_labels.txt") if x.strip()])
    for graph in graphs:
        nx.set_node_attributes(graph, {v: next(labels) for v in sorted(graph)}, "label")
    return graphs


def spread(graphs, count):
    small = [g for g in graphs if 1 <= g.number_of_edges() <= 80]
    return [small[k * len(small) // count] for k in range(count)]


def statistics(graph):
    n, m = graph.number_of_nodes(), graph.number_of_edges()
    degrees = np.array([d for _, d in graph.degree()])
    pieces = greedy_modularity_communities(graph)
    components = nx.number_connected_components(graph)
    return [np.log(n), np.log(1 + m), degrees.mean(), degrees.max(), degrees.std(),
            np.log(1 + m - n + components), np.log(1 + sum(nx.triangles(graph).values()) / 3),
            nx.density(graph), np.log(len(pieces)), np.log(np.mean([len(p) for p in pieces])), components]


def label_shares(graphs):
    known = sorted({x for g in graphs[:TRAIN] for x in nx.get_node_attributes(g, "label").values()})
    rows = []
    for graph in graphs:
        values = list(nx.get_node_attributes(graph, "label").values())
        unknown = sum(x not in known for x in values)
        rows.append([c / len(values) for c in [values.count(x) for x in known] + [unknown]] if known else [])
    return np.array(rows)


def subtrees(graph, iterations):
    # Labels of equal length, because NetworkX joins them without a separator.
    start = {v: f"{x:08d}" for v, x in graph.nodes(data="label", default=0)}
    nx.set_node_attributes(graph, start, "start")
    hashes = nx.weisfeiler_lehman_subgraph_hashes(graph, node_attr="start", iterations=iterations)
    counts = {}
    for v in graph:
        assert len(hashes[v]) == iterations
        for depth, colour in enumerate([start[v]] + hashes[v]):
            counts[depth, colour] = counts.get((depth, colour), 0) + 1
    return {f"{depth} {colour}": count for (depth, colour), count in counts.items()}


def nearest(features, k, metric):
    # A tree, because brute force takes Euclidean distances from products, which cancel.
    algorithm = "kd_tree" if metric == "euclidean" else "brute"
    search = NearestNeighbors(n_neighbors=k, metric=metric, algorithm=algorithm).fit(features[:TRAIN])
    return search.kneighbors(features[TRAIN:])[0].mean(axis=1).tolist()


def unusual(values):
    return [abs(2 * percentileofscore(values[:TRAIN], x, kind="mean") / 100 - 1) for x in values[TRAIN:]]


def case(name, graphs):
    shape = np.array([statistics(g) for g in graphs])
    features = np.hstack([shape, label_shares(graphs)])
    scaled = StandardScaler().fit(features[:TRAIN]).transform(features)
    trees = {h: DictVectorizer().fit_transform([subtrees(g, h) for g in graphs]) for h in (1, 3)}
    return {
        "name": name,
        "graphs": [{"nodes": g.number_of_nodes(), "edges": [v for e in g.edges() for v in e],
                    "labels": [x for _, x in g.nodes(data="label") if x is not None]} for g in graphs],
        "statistics": shape.tolist(),
        "size": {s: unusual(v) for s, v in [("nodes", [len(g) for g in graphs]),
                                            ("edges", [g.number_of_edges() for g in graphs]),
                                            ("density", [nx.density(g) for g in graphs])]},
        "stats-knn": {str(k): nearest(scaled, k, "euclidean") for k in (1, 5)},
        "wl-knn": {str(h): nearest(trees[h], 5, "cosine") for h in (1, 3)},
    }


def main():
    folder = sys.argv[1]
    enzymes, proteins = labelled(folder, "ENZYMES"), labelled(folder, "PROTEINS")
    multi, binary = read_tu(folder, "IMDB-MULTI"), read_tu(folder, "IMDB-BINARY")
    cases = [case("enzymes", spread(enzymes, TRAIN + 10) + spread(proteins, 10)),
             case("imdb-m", spread(multi, TRAIN + 10) + spread(binary, 10))]
    print(json.dumps({"networkx_version": nx.__version__, "cases": cases}, separators=(",", ":"))
          .replace('{"nodes"', '\n{"nodes"'))


main()
