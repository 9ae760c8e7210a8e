#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Partitions and modularities of NetworkX 2.8.8 and igraph for Zachary's club and 200 TU graphs.

Usage: substructure_modularity.py DATA_FOLDER > substructure_modularity.json

A partition is a string: one character per node, blocks numbered by their first node. Modularities are
of that partition; `networkx` and `igraph` are independent implementations.
"""
import json
import sys

import igraph
import networkx as nx
from networkx.algorithms.community import greedy_modularity_communities, modularity

from tu_graphs import read_tu, zachary

LETTERS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def golden(graph):
    if graph.number_of_edges() == 0:
        communities = [{v} for v in graph]
    else:
        communities = greedy_modularity_communities(graph)
    communities = sorted(communities, key=min)
    block = [0] * graph.number_of_nodes()
    for b, members in enumerate(communities):
        for v in members:
            block[v] = b
    if graph.number_of_edges() == 0:
        return {"partition": "".join(LETTERS[b] for b in block), "networkx": 0, "igraph": 0}
    other = igraph.Graph(n=len(block), edges=list(graph.edges()))
    return {
        "partition": "".join(LETTERS[b] for b in block),
        "networkx": round(modularity(graph, communities), 14),
        "igraph": round(other.modularity(block), 14),
    }


def main():
    club = zachary()
    result = {
        "networkx_version": nx.__version__,
        "zachary": {"edges": [list(e) for e in sorted(club.edges())], **golden(club)},
        "graphs": [],
    }
    for name, count in [("ENZYMES", 60), ("IMDB-MULTI", 60), ("IMDB-BINARY", 40), ("PROTEINS", 40)]:
        graphs = read_tu(sys.argv[1], name)
        step = len(graphs) // count
        for i in range(count):
            result["graphs"].append({"set": name, "row": i * step, **golden(graphs[i * step])})
    print(json.dumps(result, separators=(",", ":")).replace('{"set"', '\n{"set"'))


main()
