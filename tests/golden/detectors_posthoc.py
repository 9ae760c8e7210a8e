#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Post-hoc scores of small networks and of small arrays: detectors_posthoc.json.

Written from the formulas in sgood/detectors/posthoc.h, classifier_detectors.h and mahalanobis.h.
NumPy, and PyTorch for ODIN's gradient, in double; distances by scikit-learn's covariance.
/usr/bin/python3 tests/golden/detectors_posthoc.py > tests/golden/detectors_posthoc.json
"""
import json

import numpy as np
import torch
from sklearn.covariance import EmpiricalCovariance

torch.set_default_dtype(torch.float64)
EPS, WIDTH, LAYERS, CLASSES, LABELS = 1e-5, 3, 2, 3, 3
VOCABULARY = LABELS + 1  # and one code for labels that training never showed
TEMPERATURE, EPSILON, ALPHA, STEPS = 2.0, 0.25, 0.3, 2
random = np.random.default_rng(11)

# A triangle with a tail; an edge beside a node without neighbours; one node.
GRAPHS = [
    {"edges": [[0, 1], [1, 2], [0, 2], [2, 3]], "labels": [0, 1, 2, 1]},
    {"edges": [[0, 1]], "labels": [2, 0, 1]},
    {"edges": [], "labels": [1]},
]


def adjacency(graph):
    a = np.zeros((len(graph["labels"]),) * 2)
    for u, v in graph["edges"]:
        a[u, v] = a[v, u] = 1
    return a


def one_hot(graph):
    return np.eye(VOCABULARY)[graph["labels"]]


def forward(x, a, p, backbone):
    """h_v of every node, all layers side by side."""
    a, h, outputs = torch.tensor(a), x, []

    def bn(z, name):
        scale = p[name + ".weight"] / torch.sqrt(p[name + ".var"] + EPS)
        return torch.relu((z - p[name + ".mean"]) * scale + p[name + ".bias"])

    for l in range(LAYERS):
        name = f"node.{l}"
        if backbone == "gin":
            z = bn((h + a @ h) @ p[name + ".linear1.weight"], name + ".bn1")
            h = bn(z @ p[name + ".linear2.weight"], name + ".bn2")
        elif backbone == "gcn":
            looped = a + torch.eye(len(a))
            root = torch.diag(looped.sum(1) ** -0.5)
            h = bn(root @ looped @ root @ h @ p[name + ".linear1.weight"], name + ".bn1")
        else:
            mean = a @ h / a.sum(1, keepdim=True).clamp(min=1)
            h = bn(h @ p[name + ".self.weight"] + mean @ p[name + ".neighbor.weight"], name + ".bn1")
        outputs.append(h)
    return torch.cat(outputs, 1)


def make_parameters(backbone):
    p = {}

    def add(name, *shape):
        p[name] = torch.tensor(np.round(random.normal(0, 0.7, shape), 3))

    def add_bn(name):
        add(name + ".weight", WIDTH)
        add(name + ".bias", WIDTH)
        p[name + ".weight"] += 1
        p[name + ".bias"] += 0.5
        p[name + ".mean"] = torch.tensor(np.round(random.normal(0, 0.3, WIDTH), 3))
        p[name + ".var"] = torch.tensor(np.round(random.uniform(0.3, 1.5, WIDTH), 3))

    for l in range(LAYERS):
        name, inputs = f"node.{l}", WIDTH if l else VOCABULARY
        for tensor in ("self", "neighbor") if backbone == "sage" else ("linear1",):
            add(f"{name}.{tensor}.weight", inputs, WIDTH)
        add_bn(name + ".bn1")
        if backbone == "gin":
            add(name + ".linear2.weight", WIDTH, WIDTH)
            add_bn(name + ".bn2")
    add("classifier.weight", LAYERS * WIDTH, CLASSES)
    add("classifier.bias", CLASSES)
    return p


def log_sum_exp(f):
    return np.log(np.exp(f).sum(-1))


def msp(f, t=1.0):
    return -np.log(np.exp(f / t).max() / np.exp(f / t).sum())


def energy(f, t=1.0):
    return -t * log_sum_exp(f / t)


def logits(x, a, p, backbone):
    return forward(x, a, p, backbone).sum(0) @ p["classifier.weight"] + p["classifier.bias"]


def odin(graph, p, backbone):
    x, a = torch.tensor(one_hot(graph), requires_grad=True), adjacency(graph)
    f = logits(x, a, p, backbone) / TEMPERATURE
    torch.nn.functional.cross_entropy(f[None], f.argmax()[None]).backward()
    moved = x.detach() - EPSILON * torch.sign(x.grad)
    return msp(logits(moved, a, p, backbone).numpy(), TEMPERATURE), x.grad.numpy()


def gnnsafe(h, a, w, b):
    e = energy(h @ w + b, TEMPERATURE)
    for _ in range(STEPS):
        spread = [a[v] @ e / a[v].sum() if a[v].any() else e[v] for v in range(len(e))]
        e = ALPHA * e + (1 - ALPHA) * np.array(spread)
    return e.mean()


def network_case(backbone):
    p = make_parameters(backbone)
    w, b = p["classifier.weight"].numpy(), p["classifier.bias"].numpy()
    whitening = np.round(random.normal(size=(LAYERS * WIDTH, 4)), 3)
    centre, means = np.round(random.normal(size=LAYERS * WIDTH), 3), np.round(random.normal(size=(3, 4)), 3)
    scores = {name: [] for name in ("msp", "energy", "odin", "gnnsafe", "mahalanobis")}
    all_logits = []
    for graph in GRAPHS:
        a = adjacency(graph)
        h = forward(torch.tensor(one_hot(graph)), a, p, backbone).numpy()
        f = h.sum(0) @ w + b
        all_logits.append(f.tolist())
        odin_score, gradient = odin(graph, p, backbone)
        # A sign must not hang on rounding.
        assert (np.abs(gradient[gradient != 0]) > 1e-6).all()
        z = h.sum(0) / np.linalg.norm(h.sum(0))
        scores["msp"].append(msp(f))
        scores["energy"].append(energy(f, TEMPERATURE))
        scores["odin"].append(odin_score)
        scores["gnnsafe"].append(gnnsafe(h, a, w, b))
        scores["mahalanobis"].append(((((z - centre) @ whitening) - means) ** 2).sum(1).min())
    assert abs(np.array(all_logits)).max() < 300
    return {
        "backbone": backbone,
        "parameters": {name: value.flatten().tolist() for name, value in p.items()},
        "mahalanobis": {"centre": centre.tolist(), "whitening": whitening.tolist(), "means": means.tolist()},
        "logits": all_logits, "scores": {k: [float(v) for v in s] for k, s in scores.items()},
    }


def mahalanobis(train, classes, test, shrinkage, relative):
    """Squared distances to the closest class mean under the shrunk tied covariance."""
    def precision(centred):
        s = EmpiricalCovariance(assume_centered=True).fit(centred).covariance_
        p = len(s)
        return np.linalg.inv((1 - shrinkage) * s + shrinkage * np.trace(s) / p * np.eye(p))

    def distances(points, mean, inverse):
        return np.einsum("ij,jk,ik->i", points - mean, inverse, points - mean)

    means = {c: train[classes == c].mean(0) for c in np.unique(classes)}
    inverse = precision(np.stack([x - means[c] for x, c in zip(train, classes)]))
    closest = np.min([distances(test, m, inverse) for m in means.values()], 0)
    if not relative:
        return closest
    return closest - distances(test, train.mean(0), precision(train - train.mean(0)))


def knn(train, test, k):
    def unit(x):
        return x / np.linalg.norm(x, axis=1, keepdims=True)

    d = np.linalg.norm(unit(test)[:, None] - unit(train)[None], axis=2)
    return np.sort(d, 1)[:, :k].mean(1)


def arrays_case():
    classes = np.array([7, -2, 40] * 6)
    centres = {7: [3, 0, 0, 1], -2: [0, 3, 0, 1], 40: [0, 0, 3, 1]}

    def near(cs):
        return np.round(np.array([centres[c] for c in cs]) + random.normal(0, 0.6, (len(cs), 4)), 3)

    train, calibration = near(classes), near(classes[:9])
    test = np.concatenate([near([7, -2, 40]), np.round(random.normal(0, 3, (3, 4)), 3)])
    methods = {
        "msp": lambda x: np.array([msp(f, 2.0) for f in x]),
        "energy": lambda x: energy(x, 2.0),
        "mahalanobis": lambda x: mahalanobis(train, classes, x, 0.1, False),
        "relative-mahalanobis": lambda x: mahalanobis(train, classes, x, 0.1, True),
        "knn": lambda x: knn(train, x, 3),
    }
    expected = {}
    for name, method in methods.items():
        scores, held_out = method(test), method(calibration)
        p = [(1 + (held_out >= s).sum()) / (1 + len(held_out)) for s in scores]
        expected[name] = {"scores": scores.tolist(), "p_values": [float(v) for v in p]}
    return {"train": train.tolist(), "classes": classes.tolist(), "calibration": calibration.tolist(),
            "test": test.tolist(), "temperature": 2.0, "shrinkage": 0.1, "k": 3, "expected": expected}


print(json.dumps({
    "width": WIDTH, "node_layers": LAYERS, "classes": CLASSES, "labels": LABELS,
    "temperature": TEMPERATURE, "epsilon": EPSILON, "alpha": ALPHA, "propagation_steps": STEPS,
    "graphs": GRAPHS, "networks": [network_case(b) for b in ("gin", "gcn", "sage")],
    "arrays": arrays_case()}))
