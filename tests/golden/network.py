#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Losses and gradients of small networks by dense PyTorch in double: network.json.

Written from the formulas in sgood/nn/network.h; shares no code with the library. Run with a Python
that has torch:  python3 tests/golden/network.py > tests/golden/network.json
"""
import json

import torch

torch.set_default_dtype(torch.float64)
EPS, WIDTH, LAYERS, SUPERS, CLASSES, VOCABULARY, DENSE = 1e-5, 3, 2, 1, 2, 3, 1
TAU, ALPHA = 0.4, 0.6
generator = torch.Generator().manual_seed(5)

# Graphs as (edges, block of each node): nodes of a block stand together.
GRAPHS = [
    ([(0, 1), (1, 2), (2, 3), (3, 4), (2, 4)], [0, 0, 0, 1, 1]),
    ([], [0]),
    ([(0, 1), (0, 2), (0, 3), (3, 4), (4, 5), (1, 5)], [0, 0, 1, 1, 2, 2]),
    ([(0, 1), (2, 3)], [0, 0, 1, 1]),
]


def graph_json(edges, blocks):
    n = len(blocks)
    return {
        "edges": edges,
        "blocks": blocks,
        "codes": torch.randint(VOCABULARY, (n,), generator=generator).tolist(),
        "dense": [round(x, 3) for x in torch.randn(n, generator=generator).tolist()],
    }


def dense_batch(graphs):
    """Adjacency, features, node-to-block and block-to-graph matrices, super adjacency."""
    n = sum(len(g["blocks"]) for g in graphs)
    k = sum(max(g["blocks"]) + 1 for g in graphs)
    a, s = torch.zeros(n, n), torch.zeros(k, k)
    x = torch.zeros(n, VOCABULARY + DENSE)
    node_block, block_graph = torch.zeros(k, n), torch.zeros(len(graphs), k)
    node0 = block0 = 0
    for i, g in enumerate(graphs):
        for v, block in enumerate(g["blocks"]):
            x[node0 + v, g["codes"][v]] = 1
            x[node0 + v, VOCABULARY] = g["dense"][v]
            node_block[block0 + block, node0 + v] = 1
            block_graph[i, block0 + block] = 1
        for u, v in g["edges"]:
            a[node0 + u, node0 + v] = a[node0 + v, node0 + u] = 1
            p, q = block0 + g["blocks"][u], block0 + g["blocks"][v]
            if p != q:
                s[p, q] = s[q, p] = 1
        node0 += len(g["blocks"])
        block0 += max(g["blocks"]) + 1
    return a, x, node_block, block_graph, s


def bn(z, p, name):
    mean = z.mean(0)
    variance = ((z - mean) ** 2).mean(0)
    return (z - mean) / torch.sqrt(variance + EPS) * p[name + ".weight"] + p[name + ".bias"]


def layer(h, a, p, name, backbone):
    """`a` is the 0/1 matrix of the neighbour lists; a list may hold the row itself."""
    eye = torch.eye(len(a))
    if backbone == "gin":
        z = ((eye + a) @ h) @ p[name + ".linear1.weight"]
        z = torch.relu(bn(z, p, name + ".bn1")) @ p[name + ".linear2.weight"]
        return torch.relu(bn(z, p, name + ".bn2"))
    if backbone == "gcn":
        looped = torch.maximum(a, eye)
        root = torch.diag(looped.sum(1) ** -0.5)
        return torch.relu(bn(root @ looped @ root @ h @ p[name + ".linear1.weight"], p, name + ".bn1"))
    mean = a @ h / a.sum(1, keepdim=True).clamp(min=1)
    z = h @ p[name + ".self.weight"] + mean @ p[name + ".neighbor.weight"]
    return torch.relu(bn(z, p, name + ".bn1"))


def encode(graphs, p, backbone, two_level, loops):
    a, h, node_block, block_graph, s = dense_batch(graphs)
    outputs = []
    for l in range(LAYERS):
        h = layer(h, a, p, f"node.{l}", backbone)
        outputs.append(h)
    h = torch.cat(outputs, 1)
    if not two_level:
        return block_graph @ node_block @ h
    phi = torch.relu(h @ p["pool.phi.weight"] + p["pool.phi.bias"])
    g = torch.relu(node_block @ phi @ p["pool.rho.weight"] + p["pool.rho.bias"])
    outputs = [g]
    lists = s + torch.eye(len(s)) if loops else s
    for l in range(SUPERS):
        g = layer(g, lists, p, f"super.{l}", backbone)
        outputs.append(g)
    return block_graph @ torch.cat(outputs, 1)


def losses(data, p, backbone, two_level, loops):
    def read(name):
        return encode(data[name], p, backbone, two_level, loops)

    logits = read("original") @ p["classifier.weight"] + p["classifier.bias"]
    ce = torch.nn.functional.cross_entropy(logits, torch.tensor(data["labels"]))

    def project(r):
        r = torch.relu(r @ p["projection.linear1.weight"] + p["projection.linear1.bias"])
        r = r @ p["projection.linear2.weight"] + p["projection.linear2.bias"]
        return r / r.norm(dim=1, keepdim=True)

    u = [project(read("view0")), project(read("view1"))]
    count = len(u[0])
    cl = 0
    for i in range(count):
        for t in (0, 1):
            positive = torch.exp(u[t][i] @ u[1 - t][i] / TAU)
            others = sum(
                torch.exp(u[t][i] @ u[k][j] / TAU) for j in range(count) if j != i for k in (0, 1)
            )
            cl = cl - torch.log(positive / others)
    return ce, cl / (2 * count)


def shapes(backbone, two_level):
    out = {}

    def add_layer(name, inputs):
        tensors = [("self", inputs), ("neighbor", inputs)] if backbone == "sage" else [("linear1", inputs)]
        for tensor, rows in tensors:
            out[f"{name}.{tensor}.weight"] = (rows, WIDTH)
        out[f"{name}.bn1.weight"] = out[f"{name}.bn1.bias"] = (WIDTH,)
        if backbone == "gin":
            out[f"{name}.linear2.weight"] = (WIDTH, WIDTH)
            out[f"{name}.bn2.weight"] = out[f"{name}.bn2.bias"] = (WIDTH,)

    for l in range(LAYERS):
        add_layer(f"node.{l}", WIDTH if l else VOCABULARY + DENSE)
    readout = LAYERS * WIDTH
    if two_level:
        out["pool.phi.weight"], out["pool.phi.bias"] = (LAYERS * WIDTH, WIDTH), (WIDTH,)
        out["pool.rho.weight"], out["pool.rho.bias"] = (WIDTH, WIDTH), (WIDTH,)
        for l in range(SUPERS):
            add_layer(f"super.{l}", WIDTH)
        readout = (SUPERS + 1) * WIDTH
    out["classifier.weight"], out["classifier.bias"] = (readout, CLASSES), (CLASSES,)
    for linear in ("linear1", "linear2"):
        out[f"projection.{linear}.weight"] = (readout, readout)
        out[f"projection.{linear}.bias"] = (readout,)
    return out


def main():
    data = {
        "original": [graph_json(*g) for g in GRAPHS],
        "view0": [graph_json(*g) for g in GRAPHS[::-1]],
        "view1": [graph_json(*g) for g in GRAPHS],
        "labels": [0, 1, 1, 0],
    }
    cases = []
    for backbone in ("gin", "gcn", "sage"):
        for two_level, loops in ((True, True), (True, False), (False, True)):
            p = {}
            for name, shape in shapes(backbone, two_level).items():
                value = torch.round(torch.randn(shape, generator=generator) * 500) / 1000
                p[name] = (value + 1 if name.endswith(("bn1.weight", "bn2.weight")) else value).requires_grad_()
            ce, cl = losses(data, p, backbone, two_level, loops)
            (ce + ALPHA * cl).backward()
            cases.append({
                "backbone": backbone, "two_level": two_level, "self_loops": loops,
                "cross_entropy": ce.item(), "contrastive": cl.item(),
                "parameters": {n: [round(v, 6) for v in t.detach().flatten().tolist()] for n, t in p.items()},
                "gradient": {n: [float(f"{v:.10g}") for v in t.grad.flatten().tolist()] for n, t in p.items()},
            })
    print(json.dumps({"tau": TAU, "alpha": ALPHA, "width": WIDTH, "node_layers": LAYERS,
                      "super_layers": SUPERS, "classes": CLASSES, "vocabulary": VOCABULARY,
                      "dense": DENSE, "data": data, "cases": cases}))


main()
