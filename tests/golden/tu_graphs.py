# SPDX-License-Identifier: MIT
"""The graphs of a TU folder for NetworkX."""
import gzip
import os

import networkx as nx


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


def zachary():
    """The karate club without its edge weights."""
    graph = nx.Graph()
    graph.add_nodes_from(range(34))
    graph.add_edges_from(nx.karate_club_graph().edges())
    return graph
