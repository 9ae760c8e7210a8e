#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Other partitions than modularity's of Zachary's club and of 200 TU graphs with at most 100 edges.

Usage: substructure_partitions.py DATA_FOLDER > substructure_partitions.json

A partition is the list of the nodes' blocks, numbered by their first nodes. `label_propagation` is
NetworkX's, its groups split into connected parts; `graclus` has one partition for 1, 2 and 3 levels,
computed here from the rule with exact fractions. `edges` is a flat list of pairs.
"""
import json
import sys
from fractions import Fraction

import networkx as nx
from networkx.algorithms.community import label_propagation_communities

from tu_graphs import read_tu, zachary


def numbered(graph, groups):
    block = [0] * graph.number_of_nodes()
    for b, members in enumerate(sorted(groups, key=min)):
        for v in members:
            block[v] = b
    return block


def label_propagation(graph):
    groups = label_propagation_communities(graph)
    return [part for group in groups for part in nx.connected_components(graph.subgraph(group))]


def graclus(graph, levels):
    blocks = [{v} for v in sorted(graph)]
    for _ in range(levels):
        merged, taken = [], set()

        def weight(a, b):
            edges = sum(graph.has_edge(u, v) for u in blocks[a] for v in blocks[b])
            if edges == 0:
                return Fraction(0)
            degree = [sum(graph.degree(v) for v in blocks[c]) for c in (a, b)]
            return edges * (Fraction(1, degree[0]) + Fraction(1, degree[1]))

        for a in range(len(blocks)):
            if a in taken:
                continue
            taken.add(a)
            free = [b for b in range(len(blocks)) if b not in taken and weight(a, b) > 0]
            best = max(free, key=lambda b: (weight(a, b), -b), default=None)
            taken.add(best)
            merged.append(blocks[a] | blocks[best] if best is not None else blocks[a])
        blocks = sorted(merged, key=min)
    return blocks


def golden(graph):
    return {
        "nodes": graph.number_of_nodes(),
        "edges": [v for edge in graph.edges() for v in edge],
        "label_propagation": numbered(graph, label_propagation(graph)),
        "graclus": [numbered(graph, graclus(graph, levels)) for levels in (1, 2, 3)],
    }


def main():
    result = {"networkx_version": nx.__version__, "zachary": golden(zachary()), "graphs": []}
    for name, count in [("ENZYMES", 60), ("IMDB-MULTI", 60), ("IMDB-BINARY", 40), ("PROTEINS", 40)]:
        graphs = read_tu(sys.argv[1], name)
        small = [i for i, graph in enumerate(graphs) if graph.number_of_edges() <= 100]
        for k in range(count):
            row = small[k * len(small) // count]
            result["graphs"].append({"set": name, "row": row, **golden(graphs[row])})
    print(json.dumps(result, separators=(",", ":")).replace('{"set"', '\n{"set"'))


main()
