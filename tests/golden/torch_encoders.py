#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Representations and logits of the five subgraph-aware encoders on tiny graphs, node by node.

Writes torch_encoders.json: graphs, and for each encoder its options, its parameters by name and what it
makes of each graph in evaluation mode.
"""
import json
import math
import pathlib

import numpy as np

VOCABULARY, DENSE, CLASSES, MAX_NODES = 2, 1, 2, 8
INPUT = VOCABULARY + DENSE
EPSILON = 1e-5
GRAPHS = {
    "path": dict(nodes=3, edges=[[0, 1], [1, 2]], codes=[0, 1, 0], dense=[0.5, -1.0, 2.0]),
    "tailed triangle": dict(nodes=4, edges=[[0, 1], [1, 2], [0, 2], [2, 3]], codes=[0, 0, 1, 1],
                            dense=[-0.5, 0.75, 1.0, 0.25]),
    "two squares": dict(nodes=7, edges=[[0, 1], [1, 2], [2, 3], [0, 3], [3, 4], [4, 5], [5, 6],
                                        [3, 6]],
                        codes=[0, 1, 0, 0, 1, 0, 1],
                        dense=[0.5, 0.5, -0.25, 1.0, 1.5, -1.0, 0.75]),
    "edgeless pair": dict(nodes=2, edges=[], codes=[0, 1], dense=[0.5, -0.5]),
    "point": dict(nodes=1, edges=[], codes=[1], dense=[-2.0]),
    "nothing": dict(nodes=0, edges=[], codes=[], dense=[]),
}


def relu(x):
    return np.maximum(x, 0)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def softmax(x):
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def inputs(graph):
    x = np.zeros((graph["nodes"], INPUT))
    for v in range(graph["nodes"]):
        x[v, graph["codes"][v]] = 1
        x[v, VOCABULARY] = graph["dense"][v]
    a = np.zeros((graph["nodes"], graph["nodes"]))
    for u, v in graph["edges"]:
        a[u, v] = a[v, u] = 1
    return x, a


def largest(h, width):
    return h.max(axis=0) if len(h) else np.zeros(width)


def average(h, width):
    return h.mean(axis=0) if len(h) else np.zeros(width)


class Parameters:
    """Random tensors, drawn when first asked for."""

    def __init__(self, seed):
        self.rng, self.values = np.random.default_rng(seed), {}

    def get(self, name, *shape, low=-1.0, high=1.0):
        if name not in self.values:
            self.values[name] = self.rng.uniform(low, high, shape).round(3)
        assert self.values[name].shape == shape, name
        return self.values[name]

    def linear(self, name, x, outputs, bias=True):
        y = x @ self.get(name + ".weight", outputs, x.shape[-1]).T
        return y + self.get(name + ".bias", outputs) if bias else y

    def norm(self, name, x):
        width = x.shape[-1]
        mean = self.get(name + ".running_mean", width)
        variance = self.get(name + ".running_var", width, low=0.2, high=2.0)
        self.values[name + ".num_batches_tracked"] = np.array(5.0)
        return ((x - mean) / np.sqrt(variance + EPSILON) * self.get(name + ".weight", width)
                + self.get(name + ".bias", width))


def head(p, z, hidden):
    for i, width in enumerate(hidden + [CLASSES]):
        z = p.linear(f"head{i}", z, width)
        if i < len(hidden):
            z = relu(z)
    return z


def gcn(p, name, a, h, outputs):
    tilde = a + np.eye(len(a))
    root = np.diag(tilde.sum(axis=1) ** -0.5)
    return (root @ tilde @ root @ h @ p.get(name + ".own.weight", outputs, h.shape[1]).T
            + p.get(name + ".bias", outputs))


def kept(score, ratio):
    """The nodes of the largest scores, in their order."""
    count = math.ceil(len(score) * ratio)
    return sorted(sorted(range(len(score)), key=lambda v: (-score[v], v))[:count])


def max_and_mean(h, width):
    return np.concatenate([largest(h, width), average(h, width)])


def sagpool(p, o, x, a):
    width, h = o["width"], x
    if o["variant"] == "global":
        layers = []
        for l in range(o["layers"]):
            h = relu(gcn(p, f"convolution{l}", a, h, width))
            layers.append(h)
        h = np.concatenate(layers, axis=1)
        score = gcn(p, "score", a, h, 1)[:, 0]
        nodes = kept(score, o["ratio"])
        z = max_and_mean((h * np.tanh(score)[:, None])[nodes], len(layers) * width)
    else:
        z = np.zeros(2 * width)
        for l in range(o["layers"]):
            h = relu(gcn(p, f"convolution{l}", a, h, width))
            score = gcn(p, f"score{l}", a, h, 1)[:, 0]
            nodes = kept(score, o["ratio"])
            h, a = (h * np.tanh(score)[:, None])[nodes], a[np.ix_(nodes, nodes)]
            z = z + max_and_mean(h, width)
    return z, head(p, z, [width, (width + 1) // 2])


def topkpool(p, o, x, a):
    width, h, readouts = o["width"], x, []
    for l in range(o["layers"]):
        mean = a @ h / np.maximum(a.sum(axis=1, keepdims=True), 1)
        name = f"convolution{l}"
        h = relu(p.linear(name + ".own", h, width, False)
                 + p.linear(name + ".neighbors", mean, width, False) + p.get(name + ".bias", width))
        readouts.append(average(h, width))
        if l % 2 == 1 and l + 1 < o["layers"]:
            direction = p.get(f"projection{l}", width, 1)[:, 0]
            score = np.tanh(h @ direction / np.linalg.norm(direction))
            nodes = kept(score, o["ratio"])
            h, a = (h * score[:, None])[nodes], a[np.ix_(nodes, nodes)]
    z = np.concatenate(readouts)
    return z, head(p, z, [width])


def block(p, name, a, x, width, outputs):
    layers = []
    for l, w in enumerate([width, width, outputs]):
        x = (p.linear(f"{name}.map{l}", a @ x, w, bias=False) + p.get(f"{name}.bias{l}", w))
        x = x / np.maximum(np.linalg.norm(x, axis=1, keepdims=True), 1e-12)
        if l < 2:
            x = p.norm(f"{name}.norm{l}", relu(x))
        layers.append(x)
    return np.concatenate(layers, axis=1)


def diffpool(p, o, x, a):
    width = o["width"]
    clusters = math.ceil(o["assign_ratio"] * MAX_NODES)
    z = block(p, "embed", a, x, width, width)
    s = softmax(p.linear("assign_map", block(p, "assign", a, x, width, clusters), clusters))
    coarse = block(p, "coarse", s.T @ a @ s, s.T @ z, width, width)
    r = np.concatenate([largest(z, 3 * width), largest(coarse, 3 * width)])
    return r, head(p, r, [o["head_width"]])


def ego_net(a, root, hops, limit):
    """Nodes of a neighbourhood in order, their distances, and how many edges led to each."""
    distance, hop = {root: 0}, [root]
    edges, seen = {root: 0}, {root}
    for d in range(1, hops + 1):
        candidates = [v for v in range(len(a)) if v not in seen and any(a[v, u] for u in hop)]
        seen.update(candidates)
        count = min(limit, len(candidates))
        chosen = [candidates[i * len(candidates) // count] for i in range(count)]
        for v in chosen:
            distance[v], edges[v] = d, sum(a[v, u] for u in hop)
        hop = chosen
    nodes = list(distance)
    return nodes, [distance[v] for v in nodes], [edges[v] for v in nodes]


def ngnn(p, o, x, a):
    width, layers = o["width"], o["hops"] + 1
    table = p.get("distance", o["hops"] + 2, 8)
    of_nodes = []
    for root in range(len(a)):
        nodes, distance, edges = ego_net(a, root, o["hops"], o["max_per_hop"])
        inner = a[np.ix_(nodes, nodes)]
        h = np.array([np.concatenate([table[d + 1] + table[d + 1 if e >= 2 else 0], x[v]])
                      for v, d, e in zip(nodes, distance, edges)])
        outputs = []
        for l in range(layers):
            weight = p.get(f"first{l}.weight", width, INPUT if l == 0 else width)
            if l == 0:
                weight = np.concatenate([p.get("label0.weight", width, 8), weight], axis=1)
            h = ((1 + p.get(f"epsilon{l}", 1)) * h + inner @ h) @ weight.T
            h = relu(p.norm(f"norm1_{l}", h))
            h = relu(p.norm(f"norm2_{l}", p.linear(f"second{l}", h, width, False)))
            outputs.append(h)
        of_nodes.append(np.concatenate(outputs, axis=1).mean(axis=0))
    z = average(np.array(of_nodes), layers * width)
    return z, head(p, z, [width])


def gnn_ak(p, o, x, a):
    width, n = o["width"], len(a)
    x = p.linear("input", x, width)
    for l in range(o["layers"]):
        name = f"layer{l}."
        hop = p.get(name + "hop", o["hops"] + 1, 16)
        gates = sigmoid(p.linear(name + "gate", hop, 3 * width))
        edge = p.get(name + "edge", width + 16)
        centroid, subgraph, context = np.zeros((3, n, width))
        for root in range(n):
            nodes, distance, _ = ego_net(a, root, o["hops"], o["max_per_hop"])
            rows = np.array([np.concatenate([x[v], hop[d]]) for v, d in zip(nodes, distance)])
            h = ((1 + p.get(name + "epsilon", 1)) * rows
                 + a[np.ix_(nodes, nodes)] @ relu(rows + edge))
            h = relu(p.norm(name + "norm1", p.linear(name + "first", h, width + 16, False)))
            h = relu(p.norm(name + "norm2", p.linear(name + "second", h, width + 16, False)))
            h = p.linear(name + "project", h + rows, width)
            parts = relu(p.norm(name + "norm3", p.linear(name + "parts", h, 2 * width, False)))
            centroid[root] = h[0] * gates[0, 2 * width:]
            for v, d, row in zip(nodes, distance, parts):
                subgraph[root] += row[:width] * gates[d, :width]
                context[v] += row[width:] * gates[d, width:2 * width]
        joint = p.linear(name + "output",
                         np.concatenate([centroid, subgraph, context], axis=1), width)
        x = relu(p.norm(name + "norm4", joint)) + x
    z = x.sum(axis=0)
    return z, head(p, z, [width])


CASES = [
    ("sagpool", sagpool, dict(variant="hierarchical", layers=3, width=3, ratio=0.5)),
    ("sagpool", sagpool, dict(variant="global", layers=2, width=2, ratio=0.5)),
    ("topkpool", topkpool, dict(layers=5, width=3, ratio=0.8)),
    ("diffpool", diffpool, dict(width=2, head_width=3, assign_ratio=0.3, max_clusters=50,
                                link_weight=0, entropy_weight=0)),
    ("ngnn", ngnn, dict(hops=2, max_per_hop=10, width=3)),
    ("ngnn", ngnn, dict(hops=3, max_per_hop=1, width=2)),
    ("gnn-ak+", gnn_ak, dict(hops=2, max_per_hop=2, layers=2, width=2)),
]


def main():
    result = {"vocabulary": VOCABULARY, "num_dense": DENSE, "num_classes": CLASSES,
              "max_nodes": MAX_NODES, "graphs": list(GRAPHS.values()), "cases": []}
    for seed, (model, function, options) in enumerate(CASES):
        parameters, outputs = Parameters(seed), []
        # The graph with most nodes comes first, so that all parameters are drawn there.
        for graph in sorted(GRAPHS.values(), key=lambda g: -g["nodes"]):
            representation, logits = function(parameters, options, *inputs(graph))
            outputs.append((graph, representation.tolist(), logits.tolist()))
        outputs.sort(key=lambda entry: list(GRAPHS.values()).index(entry[0]))
        result["cases"].append({
            "model": model, "options": options,
            "parameters": {name: {"shape": list(value.shape), "values": value.ravel().tolist()}
                           for name, value in parameters.values.items()},
            "representation": [r for _, r, _ in outputs], "logits": [l for _, _, l in outputs]})
    path = pathlib.Path(__file__).with_name("torch_encoders.json")
    path.write_text(json.dumps(result) + "\n")


if __name__ == "__main__":
    main()
