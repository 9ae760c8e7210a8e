# SPDX-License-Identifier: MIT
"""Scores and losses of the graph-level baselines on graphs of a few nodes, with dense NumPy algebra.

Writes graph_models.json: graphs, and for each case the model, its options, the shapes of tensors that
training would size, the score of every graph alone and the loss of all graphs as one batch. No
tensor is stored: parameter() below makes each from its name.
"""
import json
import pathlib

import numpy as np

VOCABULARY, DENSE, CLASSES = 2, 1, 2
INPUT = VOCABULARY + DENSE
GRAPHS = [
    dict(nodes=3, edges=[[0, 1], [1, 2]], codes=[0, 1, 0], dense=[0.5, -1.0, 2.0], label=0),
    dict(nodes=4, edges=[[0, 1], [0, 2], [1, 2], [1, 3], [2, 3]], codes=[1, 1, 0, 0],
         dense=[0.25, 1.5, -0.75, 1.0], label=1),
    dict(nodes=3, edges=[[0, 1], [1, 2], [0, 2]], codes=[0, 0, 1], dense=[-0.5, 0.75, 1.0], label=1),
    dict(nodes=1, edges=[], codes=[1], dense=[-2.0], label=0),
]
POSITIVE = ("running_var", "density", "deviation")


def parameter(name, *shape):
    """Numbers in [-0.5, 0.5) made from the bytes of the name and the position; around 1 for some."""
    i = np.arange(int(np.prod(shape)), dtype=np.uint64)
    key = np.uint64(sum(name.encode()) * 3266489917)
    h = (i * i * np.uint64(2246822519) + i * np.uint64(2654435761) + key) % np.uint64(2**32)
    values = h.astype(float) / 2.0**32 - 0.5
    return (values + (1.0 if name.endswith(POSITIVE) else 0.0)).reshape(shape)


def linear(x, name, outputs, bias=True):
    y = x @ parameter(name + ".weight", outputs, x.shape[1]).T
    return y + parameter(name + ".bias", outputs) if bias else y


def perceptron(x, name, hidden, outputs, bias=True):
    return linear(np.maximum(linear(x, name + ".first", hidden, bias), 0), name + ".second", outputs,
                  bias)


def features(graph):
    return np.hstack([np.eye(VOCABULARY)[graph["codes"]], np.array(graph["dense"])[:, None]])


def adjacency(graph):
    a = np.zeros((graph["nodes"], graph["nodes"]))
    for u, v in graph["edges"]:
        a[u, v] = a[v, u] = 1
    return a


def block_diagonal(graphs):
    """Features, adjacency and the graph of each node of a batch."""
    sizes = [g["nodes"] for g in graphs]
    a = np.zeros((sum(sizes), sum(sizes)))
    ends = np.cumsum(sizes)
    for g, end in zip(graphs, ends):
        a[end - g["nodes"]:end, end - g["nodes"]:end] = adjacency(g)
    return np.vstack([features(g) for g in graphs]), a, np.repeat(np.arange(len(graphs)), sizes)


def by_graph(h, graph, count, how):
    return np.array([how(h[graph == g], axis=0) for g in range(count)])


def batch_norm(x, name, training, learned):
    mean = x.mean(0) if training else parameter(name + ".running_mean", x.shape[1])
    var = x.var(0) if training else parameter(name + ".running_var", x.shape[1])
    y = (x - mean) / np.sqrt(var + 1e-5)
    if learned:
        y = y * parameter(name + ".weight", x.shape[1]) + parameter(name + ".bias", x.shape[1])
    return y


def convolution(a, h, name, width, backbone, bias=True):
    if backbone == "gin":
        return perceptron(h + a @ h, name + ".perceptron", width, width, bias)
    own = linear(h, name + ".own", width, False)
    if backbone == "gcn":
        d = np.diag(1 / np.sqrt(a.sum(1) + 1))
        y = d @ (a + np.eye(len(a))) @ d @ own
    elif backbone == "sage":
        y = own + (a @ linear(h, name + ".neighbors", width, False)
                   / np.maximum(a.sum(1), 1)[:, None])
    else:  # gat
        source, target = own @ parameter(name + ".attention", 2, width).T @ np.eye(2)[:, :1], \
            own @ parameter(name + ".attention", 2, width)[1]
        e = source.ravel()[None, :] + target[:, None]
        e = np.exp(np.where(e > 0, e, 0.2 * e)) * (a + np.eye(len(a)))
        y = e / e.sum(1, keepdims=True) @ own
    return y + parameter(name + ".bias", width) if bias else y


def stack(a, h, name, width, layers, backbone, bias, norm, training):
    outputs = []
    for l in range(layers):
        h = np.maximum(convolution(a, h, f"{name}.layer{l}", width, backbone, bias), 0)
        if norm:
            h = batch_norm(h, f"{name}.norm{l}", training, norm == "learned")
        outputs.append(h)
    return np.hstack(outputs)


def ocgin(o, graphs, training):
    x, a, graph = block_diagonal(graphs)
    h = batch_norm(linear(x, "input", o["width"], False), "input_norm", training, False)
    h = stack(a, h, "stack", o["width"], o["layers"], o["backbone"], False, "plain", training)
    z = by_graph(h, graph, len(graphs), np.mean).reshape(len(graphs), o["layers"], o["width"]).sum(1)
    return ((z - parameter("centre", o["width"])) ** 2).sum(1)


def ocgtl_one(o, graph):
    copies, width, a = o["transformations"] + 1, o["width"], adjacency(graph)
    z = []
    for k in range(copies):
        part = slice(k * width, (k + 1) * width)
        square = lambda name: parameter(name + ".weight", copies, width, width)[k]
        h, readouts = features(graph), []
        for l in range(o["layers"]):
            summed = h + a @ h
            h = summed @ (parameter("input.weight", copies * width, INPUT)[part].T if l == 0
                          else square(f"first{l}"))
            h = np.maximum(h, 0) @ square(f"second{l}")
            share = parameter(f"norm{l}.share", copies * width)[part]
            centred = h - share * h.mean(0)
            h = centred / np.sqrt((centred ** 2).mean(0) + 1e-8)
            h = np.maximum(h * parameter(f"norm{l}.weight", copies * width)[part], 0)
            nodes = np.maximum(h @ square(f"readout1_{l}"), 0) @ square(f"readout2_{l}")
            readouts.append(nodes.sum(0))
        z.append(np.concatenate(readouts))
    centre = parameter("centre", o["layers"] * width)
    z[0] = z[0] + centre
    cos = lambda p, q: p @ q / max(np.linalg.norm(p) * np.linalg.norm(q), 1e-12) / o["tau"]
    return sum(np.linalg.norm(z[k] - centre) - cos(z[k], z[0])
               + np.log(sum(np.exp(cos(z[k], z[l])) for l in range(copies) if l != k))
               for k in range(1, copies))


def ocgtl(o, graphs, training):
    return np.array([ocgtl_one(o, g) for g in graphs])


def glocalkd_network(o, name, a, x, by_position):
    h = x
    for l, width in enumerate([o["width"], o["width"], o["outputs"]]):
        h = linear((a + np.eye(a.shape[-1])) @ h if a.ndim == 2 else np.einsum(
            "gvu,guc->gvc", a + np.eye(a.shape[-1]), h).reshape(-1, h.shape[-1]),
                   f"{name}.layer{l}", width)
        h = h / np.linalg.norm(h, axis=1, keepdims=True)
        if a.ndim == 3:
            h = h.reshape(a.shape[0], a.shape[1], width)
        if l == 2:
            return h
        h = np.maximum(h, 0)
        axes = (0, 2) if by_position else -1
        centred = h - h.mean(axes, keepdims=True)
        h = centred / np.sqrt((centred ** 2).mean(axes, keepdims=True) + 1e-5)


def glocalkd(o, graphs, training):
    def errors(group, count):
        a = np.zeros((len(group), count, count))
        x = np.zeros((len(group), count, INPUT))
        for i, g in enumerate(group):
            a[i, :g["nodes"], :g["nodes"]], x[i, :g["nodes"]] = adjacency(g), features(g)
        s, t = (glocalkd_network(o, n, a, x, o["published"]) for n in ("student", "teacher"))
        return (((s - t) ** 2).mean((1, 2)) + ((s.max(1) - t.max(1)) ** 2).mean(1)).tolist()

    if not o["published"]:
        return np.array([errors([g], g["nodes"])[0] for g in graphs])
    largest = max(g["nodes"] for g in GRAPHS)
    return np.array(errors(graphs, largest))


def unit(x):
    return x / np.linalg.norm(x, axis=-1, keepdims=True)


def contrast(similarity):
    n, s = len(similarity), np.exp(similarity)
    loss = []
    for i in range(n):
        others = [j for j in range(n) if j != i]
        loss.append(-0.5 * (np.log(s[i, i] / (s[others, i].sum() + 1e-12))
                            + np.log(s[i, i] / (s[i, others].sum() + 1e-12))))
    return np.array(loss)


def structure(graph):
    a, n = adjacency(graph), graph["nodes"]
    degree = a.sum(1)
    m = a / np.where(degree > 0, degree, 1)[None, :]
    power, walks = np.eye(n), []
    for _ in range(16):
        power = m @ power
        walks.append(np.diag(power))
    walks = np.array(walks).T.astype(np.float32).astype(float)  # features are floats
    return np.hstack([walks, np.eye(16)[np.minimum(degree.astype(int), 15)]])


def good_d_embed(o, graphs):
    width = o["layers"] * o["width"]
    result = dict(f=[], s=[], node_f=[], node_s=[], group=[])
    for g in graphs:
        a = adjacency(g)
        nodes = [stack(a, x, name, o["width"], o["layers"], o["backbone"], True, None, False)
                 for x, name in ((features(g), "encoder_f"), (structure(g), "encoder_s"))]
        sums = [h.sum(0, keepdims=True) for h in nodes]
        for view, h, total in zip("fs", nodes, sums):
            result[view].append(unit(perceptron(total, "graph_" + view, width, width))[0])
            result["node_" + view].append(unit(perceptron(h, "node_" + view, width, width)))
        result["group"].append(perceptron(np.hstack(sums), "group", width, width)[0])
    return result


def good_d_node(o, e, i):
    return contrast(e["node_f"][i] @ e["node_s"][i].T / o["tau"]).mean()


def good_d(o, graphs, training):
    e, tau, width = good_d_embed(o, graphs), o["tau"], o["layers"] * o["width"]
    f, s, b = np.array(e["f"]), np.array(e["s"]), unit(np.array(e["group"]))
    with_nodes = [i for i, g in enumerate(graphs) if g["nodes"] > 1]
    if training:
        # As many clusters as graphs: every graph is its own prototype, of density 0.5.
        sim = np.exp(b @ b.T / (tau * 0.5))
        group = [-np.log(sim[i, i] / (np.delete(sim[i], i).sum() + 1e-12) + 1e-12)
                 for i in range(len(graphs))]
        return [contrast(f @ s.T / tau).mean(), np.mean([good_d_node(o, e, i) for i in with_nodes]),
                np.mean(group)]
    mean, deviation = parameter("mean", 3), parameter("deviation", 3)
    prototype, density = parameter("prototype", 3, width), parameter("density", 3)
    bank_f, bank_s = parameter("bank_f", 4, width), parameter("bank_s", 4, width)
    scores = []
    for i in range(len(graphs)):
        score = -(2 * f[i] @ s[i] / tau - np.log(np.exp(bank_f @ s[i] / tau).sum())
                  - np.log(np.exp(bank_s @ f[i] / tau).sum())) / 2
        total = (score - mean[0]) / deviation[0]
        if i in with_nodes:
            total += (good_d_node(o, e, i) - mean[1]) / deviation[1]
        sim = np.sort(np.exp(prototype @ b[i] / (tau * density)))
        total += (-np.log(sim[-1] / sim[:-1].sum() + 1e-12) - mean[2]) / deviation[2]
        scores.append(total)
    return np.array(scores)


def good_d_loss(o, graphs):
    """All weights 1: parameter() around 1 gives the deviations of the epoch before."""
    strength = parameter("deviation", 3) ** o["alpha"]
    return float(np.sum(strength / strength.mean() * good_d(o, graphs, True)))


def graphde_parts(o, graphs):
    """Structure loss, and class logits."""
    losses, logits = [], []
    for g in graphs:
        a, n = adjacency(g), g["nodes"]
        q = np.maximum(linear(features(g), "structure", 2 * o["width"]), 0).reshape(n, 2, -1)
        q = q / np.maximum(np.linalg.norm(q, axis=2, keepdims=True), 1e-12)
        p = ((1 + np.einsum("uhc,vhc->uvh", q, q)) / 2).mean(2)
        pairs = [(u, v) for u in range(n) for v in range(u)]
        present = [-np.log(p[u, v] + 1e-4) for u, v in pairs if a[u, v]]
        missing = [-np.log(1 - p[u, v] + 1e-4) for u, v in pairs if not a[u, v]]
        losses.append(sum(np.mean(part) for part in (present, missing) if part) / 2)
        h = features(g)
        for l in range(o["layers"]):
            h = convolution(a, h, f"layer{l}", o["width"], o["backbone"])
            h = h if l + 1 == o["layers"] else np.maximum(h, 0)
        logits.append(perceptron(h.max(0, keepdims=True), "classifier", 2 * o["width"], CLASSES)[0])
    return np.array(losses), np.array(logits)


def graphde(o, graphs, training):
    return graphde_parts(o, graphs)[0]


def graphde_loss(o, graphs):
    structure_loss, logits = graphde_parts(o, graphs)
    label = [g["label"] for g in graphs]
    cost = structure_loss + np.log(np.exp(logits).sum(1)) - logits[np.arange(len(graphs)), label]
    rho = o["outlier_share"]
    if o["variant"] == "amortised":
        inside = np.exp(-cost) / (np.exp(-cost) + 1 / (2 * CLASSES))
    else:
        inside = np.full(len(graphs), 0.5)
    kl = ((1 - rho) * np.log((1 - rho) / inside) + rho * np.log(rho / (1 - inside)))
    return float(np.mean(inside * cost + (1 - inside) * np.log(2 * CLASSES) + kl))


def aagod_represent(graphs, weight):
    """`weight` takes the node states of a graph and gives a matrix of edge weights."""
    z = []
    for g in graphs:
        a, h = adjacency(g), features(g)
        states = stack(a, h, "encoder", 32, 5, "gin", True, "learned", False)
        total = stack(a * weight(states), h, "encoder", 32, 5, "gin", True, "learned", False).sum(0)
        z.append(perceptron(total[None], "projection", 160, 160)[0])
    return np.array(z)


def amplifier_logits(states):
    n = len(states)  # entry [v, u]: the edge from u to v
    return np.array([[perceptron(np.concatenate([states[u], states[v]])[None], "amplifier", 64,
                                 1)[0, 0] for u in range(n)] for v in range(n)])


def aagod(o, graphs, training):
    z = aagod_represent(graphs, lambda states: 1 / (1 + np.exp(-amplifier_logits(states))))
    d = z - parameter("mean", 160)
    return np.einsum("gi,ij,gj->g", d, parameter("precision", 160, 160), d)


def aagod_loss(o, graphs):
    """With the amplifier's last bias at -60 every weight is 0 whatever the noise."""
    inside = aagod_represent(graphs, lambda states: 0.0)
    outside = aagod_represent(graphs, lambda states: -1.0)
    inverse = np.linalg.pinv(np.cov(inside.T), rcond=1e-8, hermitian=True)
    ssd = lambda z: np.einsum("gi,ij,gj->g", z - inside.mean(0), inverse, z - inside.mean(0)).mean()
    edges = 2 * sum(len(g["edges"]) for g in graphs)
    return float(ssd(inside) + o["lambda1"] / ssd(outside) + o["lambda2"] * np.sqrt(edges))


def case(model, options, scores, loss, stage=0, shapes=None):
    return dict(model=model, options=options, stage=stage, shapes=shapes or {},
                scores=np.asarray(scores(options, GRAPHS, False)).tolist(), loss=loss)


if __name__ == "__main__":
    cases = []
    for backbone in ("gin", "gcn", "sage"):
        o = dict(backbone=backbone, layers=2, width=3)
        cases.append(case("ocgin", o, ocgin, float(ocgin(o, GRAPHS, True).mean())))
    o = dict(transformations=2, layers=2, width=3, tau=0.5)
    cases.append(case("ocgtl", o, ocgtl, float(ocgtl(o, GRAPHS, True).mean())))
    for published in (False, True):
        o = dict(width=4, outputs=3, published=published)
        alone = lambda options, graphs, _: [glocalkd(options, [g], False)[0] for g in graphs]
        cases.append(case("glocalkd", o, alone, float(glocalkd(o, GRAPHS, True).mean() ** 2 / 2)))
    for backbone in ("gin", "sage"):
        o = dict(backbone=backbone, layers=2, width=2, clusters=4, alpha=0.7, tau=0.5)
        shapes = dict(prototype=[3, 4], density=[3], bank_f=[4, 4], bank_s=[4, 4])
        cases.append(case("good-d", o, good_d, good_d_loss(o, GRAPHS), shapes=shapes))
    for backbone, variant in (("gat", "variational"), ("gcn", "amortised"), ("gin", "variational")):
        o = dict(backbone=backbone, variant=variant, layers=2, width=3, outlier_share=0.2)
        cases.append(case("graphde", o, graphde, graphde_loss(o, GRAPHS)))
    o = dict(lambda1=7.0, lambda2=0.3)
    cases.append(case("aagod", o, aagod, aagod_loss(o, GRAPHS), stage=1))
    result = dict(vocabulary=VOCABULARY, dense=DENSE, classes=CLASSES, graphs=GRAPHS, cases=cases)
    path = pathlib.Path(__file__).with_suffix(".json")
    path.write_text(json.dumps(result, indent=1) + "\n")
