# SPDX-License-Identifier: MIT
"""Losses and encodings of the two-level network on four tiny graphs, with dense NumPy algebra.

Writes torch_forward.json: graphs, and for each backbone (two-level and flat) the parameters, the
batch statistics, the frozen encodings and the losses of one fine-tuning step.
"""
import json
import pathlib

import numpy as np

WIDTH, NODE_LAYERS, SUPER_LAYERS, CLASSES = 2, 2, 1, 2
VOCABULARY, DENSE = 2, 1
TEMPERATURE, WEIGHT, EPSILON = 0.5, 0.3, 1e-5
LABELS = [1, 0]

GRAPHS = {
    "path": dict(nodes=3, edges=[[0, 1], [1, 2]], blocks=[0, 0, 1], codes=[0, 1, 0],
                 dense=[0.5, -1.0, 2.0]),
    "edge": dict(nodes=2, edges=[[0, 1]], blocks=[0, 0], codes=[1, 1], dense=[0.25, 1.5]),
    "triangle": dict(nodes=3, edges=[[0, 1], [1, 2], [0, 2]], blocks=[0, 1, 2], codes=[0, 0, 1],
                     dense=[-0.5, 0.75, 1.0]),
    "point": dict(nodes=1, edges=[], blocks=[0], codes=[1], dense=[-2.0]),
}
ORIGINAL, VIEW0, VIEW1 = ["path", "edge"], ["edge", "triangle"], ["triangle", "point"]


def layout(backbone, two_level):
    """(name, rows, columns) of every parameter in the order of the flat buffer."""
    slots = []

    def layer(prefix, inputs):
        if backbone == "sage":
            slots.extend([(prefix + ".self", inputs, WIDTH), (prefix + ".neighbor", inputs, WIDTH)])
        else:
            slots.append((prefix + ".linear1", inputs, WIDTH))
        slots.extend([(prefix + ".bn1.weight", 1, WIDTH), (prefix + ".bn1.bias", 1, WIDTH)])
        if backbone == "gin":
            slots.append((prefix + ".linear2", WIDTH, WIDTH))
            slots.extend([(prefix + ".bn2.weight", 1, WIDTH), (prefix + ".bn2.bias", 1, WIDTH)])

    for l in range(NODE_LAYERS):
        layer(f"node.{l}", VOCABULARY + DENSE if l == 0 else WIDTH)
    readout = NODE_LAYERS * WIDTH
    if two_level:
        slots.extend([("phi.weight", readout, WIDTH), ("phi.bias", 1, WIDTH),
                      ("rho.weight", WIDTH, WIDTH), ("rho.bias", 1, WIDTH)])
        for l in range(SUPER_LAYERS):
            layer(f"super.{l}", WIDTH)
        readout = (SUPER_LAYERS + 1) * WIDTH
    slots.extend([("classifier.weight", readout, CLASSES), ("classifier.bias", 1, CLASSES),
                  ("psi1.weight", readout, readout), ("psi1.bias", 1, readout),
                  ("psi2.weight", readout, readout), ("psi2.bias", 1, readout)])
    return slots


def adjacency(names):
    """Block-diagonal dense matrices of a batch: A, node -> block, super A (no loops), memberships."""
    graphs = [GRAPHS[n] for n in names]
    n = sum(g["nodes"] for g in graphs)
    k = sum(max(g["blocks"]) + 1 for g in graphs)
    a, member = np.zeros((n, n)), np.zeros((k, n))
    node_graph, block_graph = np.zeros((len(graphs), n)), np.zeros((len(graphs), k))
    node, block = 0, 0
    for i, g in enumerate(graphs):
        for u, v in g["edges"]:
            a[node + u, node + v] = a[node + v, node + u] = 1
        for v, b in enumerate(g["blocks"]):
            member[block + b, node + v] = 1
        node_graph[i, node:node + g["nodes"]] = 1
        blocks = max(g["blocks"]) + 1
        block_graph[i, block:block + blocks] = 1
        node, block = node + g["nodes"], block + blocks
    quotient = ((member @ a @ member.T) > 0).astype(float)
    np.fill_diagonal(quotient, 0)
    x = np.concatenate([np.eye(VOCABULARY)[sum((g["codes"] for g in graphs), [])],
                        np.array(sum((g["dense"] for g in graphs), []))[:, None]], axis=1)
    return x, a, member, quotient, node_graph, block_graph


def relu(x):
    return np.maximum(x, 0)


class Network:
    def __init__(self, backbone, two_level, values, statistics=None):
        self.backbone, self.two_level, self.fixed = backbone, two_level, statistics
        self.p, at = {}, 0
        for name, rows, cols in layout(backbone, two_level):
            self.p[name] = np.array(values[at:at + rows * cols]).reshape(rows, cols)
            at += rows * cols
        assert at == len(values)

    def batch_norm(self, name, x):
        if self.fixed is None:
            mean, var = x.mean(0), x.var(0)
            self.seen += [*mean, *var]
        else:
            mean, var = (np.array(self.fixed[self.at + i * WIDTH:self.at + (i + 1) * WIDTH])
                         for i in range(2))
            self.at += 2 * WIDTH
        return ((x - mean) / np.sqrt(var + EPSILON) * self.p[name + ".weight"]
                + self.p[name + ".bias"])

    def layer(self, name, h, a, loops):
        listed = a + np.eye(len(a)) if loops else a
        if self.backbone == "gin":
            x = (h + listed @ h) @ self.p[name + ".linear1"]
            x = relu(self.batch_norm(name + ".bn1", x)) @ self.p[name + ".linear2"]
            return relu(self.batch_norm(name + ".bn2", x))
        if self.backbone == "gcn":
            tilde = a + np.eye(len(a))
            root = np.diag(tilde.sum(1) ** -0.5)
            x = root @ tilde @ root @ h @ self.p[name + ".linear1"]
        else:
            mean = listed @ h / np.maximum(listed.sum(1, keepdims=True), 1)
            x = h @ self.p[name + ".self"] + mean @ self.p[name + ".neighbor"]
        return relu(self.batch_norm(name + ".bn1", x))

    def encode(self, names):
        self.seen, self.at = [], 0
        h, a, member, quotient, node_graph, block_graph = adjacency(names)
        states = []
        for l in range(NODE_LAYERS):
            h = self.layer(f"node.{l}", h, a, False)
            states.append(h)
        h = np.concatenate(states, 1)
        node_sum = node_graph @ h
        if not self.two_level:
            return node_sum, np.zeros((len(names), 0)), node_sum
        h = relu(member @ relu(h @ self.p["phi.weight"] + self.p["phi.bias"])
                 @ self.p["rho.weight"] + self.p["rho.bias"])
        states = [h]
        for l in range(SUPER_LAYERS):
            h = self.layer(f"super.{l}", h, quotient, True)
            states.append(h)
        super_sum = block_graph @ np.concatenate(states, 1)
        return node_sum, super_sum, super_sum

    def logits(self, readout):
        return readout @ self.p["classifier.weight"] + self.p["classifier.bias"]

    def project(self, readout):
        x = relu(readout @ self.p["psi1.weight"] + self.p["psi1.bias"])
        x = x @ self.p["psi2.weight"] + self.p["psi2.bias"]
        return x / np.linalg.norm(x, axis=1, keepdims=True)


def contrast(u):
    """u[a][i]: unit vector of view a of graph i."""
    graphs, total = len(u[0]), 0.0
    for i in range(graphs):
        for a in range(2):
            others = sum(np.exp(u[a][i] @ u[k][j] / TEMPERATURE)
                         for j in range(graphs) if j != i for k in range(2))
            total -= np.log(np.exp(u[a][i] @ u[1 - a][i] / TEMPERATURE) / others)
    return total / (2 * graphs)


def case(backbone, two_level):
    size = sum(rows * cols for _, rows, cols in layout(backbone, two_level))
    values = [round(float(0.8 * np.sin(0.7 * i + 0.3) + 0.2), 3) for i in range(size)]
    values = [float(np.float32(v)) for v in values]
    network = Network(backbone, two_level, values)
    logits = network.logits(network.encode(ORIGINAL)[2])
    statistics = network.seen
    log_probability = logits - np.log(np.exp(logits).sum(1, keepdims=True))
    cross_entropy = -np.mean([log_probability[i, y] for i, y in enumerate(LABELS)])
    contrastive = contrast([network.project(network.encode(v)[2]) for v in (VIEW0, VIEW1)])
    frozen = Network(backbone, two_level, values, statistics)
    node_sum, super_sum, readout = frozen.encode(VIEW1)
    return dict(backbone=backbone, super_graph=two_level, parameters=values,
                statistics=statistics, cross_entropy=cross_entropy, contrastive=contrastive,
                total=cross_entropy + WEIGHT * contrastive,
                frozen=dict(node_sum=node_sum.ravel().tolist(),
                            super_sum=super_sum.ravel().tolist(),
                            logits=frozen.logits(readout).ravel().tolist()))


if __name__ == "__main__":
    result = dict(graphs=GRAPHS, original=ORIGINAL, labels=LABELS, view0=VIEW0, view1=VIEW1,
                  temperature=TEMPERATURE, contrastive_weight=WEIGHT,
                  cases=[case(b, t) for b in ("gin", "gcn", "sage") for t in (True, False)])
    path = pathlib.Path(__file__).with_suffix(".json")
    path.write_text(json.dumps(result, indent=1) + "\n")
