#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Partitions and modularities of NetworkX 2.8.8 and igraph for Zachary's club and 200 TU graphs.

Usage: substructure_modularity.py DATA_FOLDER > substructure_modularity.json

A partition is a string: one character per node, blocks numbered by their first node. Modularities are
of that partition; `networkx` and `igraph` are independent implementations.
"""
import gzip
import json
import os
import sys

import igraph
import networkx as nx
from networkx.algorithms.community import greedy_modularity_communities, modularity

LETTERS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def lines(path):
    if os.path.exists(path):
        with open(path) as file:
            return file.read().split("\n")
    with gzip.open(path + ".gz", "rt") as file:
        return file.read().split("\n")


def read_tu(folder, name):
    base = os.path.join(folder, name, name)
    graph_of = [int(line) - 1 for line in lines(base + "_graph_indicator.txt") if line.strip()]
    first = {}
    graphs = []
    for v, g in enumerate(graph_of):
        if g not in first:
            first[g] = v
            graphs.append(nx.Graph())
        graphs[g].add_node(v - first[g])
    for line in lines(base + "_A.txt"):
        if line.strip():
            u, v = (int(x) - 1 for x in line.split(","))
            g = graph_of[u]
            if u != v:
                graphs[g].add_edge(u - first[g], v - first[g])
    return graphs


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
    club = nx.karate_club_graph()
    plain = nx.Graph()
    plain.add_nodes_from(range(34))
    plain.add_edges_from(club.edges())
    result = {
        "networkx_version": nx.__version__,
        "zachary": {"edges": [list(e) for e in sorted(plain.edges())], **golden(plain)},
        "graphs": [],
    }
    for name, count in [("ENZYMES", 60), ("IMDB-MULTI", 60), ("IMDB-BINARY", 40), ("PROTEINS", 40)]:
        graphs = read_tu(sys.argv[1], name)
        step = len(graphs) // count
        for i in range(count):
            result["graphs"].append({"set": name, "row": i * step, **golden(graphs[i * step])})
    print(json.dumps(result, separators=(",", ":")).replace('{"set"', '\n{"set"'))


main()
