# SPDX-License-Identifier: MIT
"""Writes mahalanobis.json: class distances by SciPy and scikit-learn, one case for each difficulty."""
import json
import pathlib

import numpy as np
from scipy.linalg import pinvh
from sklearn.covariance import EmpiricalCovariance, ledoit_wolf


def precision(centred, estimate):
    p = centred.shape[1]
    covariance = EmpiricalCovariance(assume_centered=True).fit(centred).covariance_
    if estimate == "ledoit_wolf":
        return np.linalg.inv(ledoit_wolf(centred, assume_centered=True)[0])
    if estimate == "fixed":
        return np.linalg.inv((1 - 1e-3) * covariance + 1e-3 * np.trace(covariance) / p * np.eye(p))
    return pinvh(covariance, atol=0, rtol=10 * p * np.finfo(float).eps)


def distances(z, queries, groups, estimate):
    means = {g: z[groups == g].mean(axis=0) for g in np.unique(groups)}
    inverse = precision(np.stack([row - means[g] for row, g in zip(z, groups)]), estimate)
    return np.stack([np.einsum("ni,ij,nj->n", queries - m, inverse, queries - m) for m in means.values()], axis=1)


def case(name, z, classes, num_classes, estimates=("ledoit_wolf", "fixed", "pseudo_inverse")):
    queries = np.concatenate([z[:3], z[:3] + rng.normal(0, z.std(), (3, z.shape[1]))])
    return {
        "name": name, "z": z.tolist(), "classes": classes.tolist(), "num_classes": num_classes,
        "queries": queries.tolist(),
        "expected": {e: {"classes": distances(z, queries, classes, e).tolist(),
                         "background": distances(z, queries, np.zeros(len(z)), e)[:, 0].tolist()}
                     for e in estimates},
    }


rng = np.random.default_rng(7)


def blobs(num_rows, width, num_classes):
    classes = np.arange(num_rows) % num_classes
    mixing = rng.normal(0, 1, (width, width)) + 2 * np.eye(width)
    return rng.normal(0, 1, (num_rows, width)) @ mixing + rng.normal(0, 3, (num_classes, width))[classes], classes


cases = []
cases.append(case("well", *blobs(60, 5, 3), 3))
cases.append(case("one class", *blobs(40, 3, 1), 1))
cases.append(case("width one", *blobs(12, 1, 2), 2))
z, classes = blobs(40, 4, 3)
classes[classes == 1] = 4
classes[5] = 1
cases.append(case("classes 3 empty and 1 with one row", z, classes, 5))
z, classes = blobs(60, 6, 3)
z[:, 5] = z[:, :5].sum(axis=1) + rng.normal(0, 1e-3, 60)
cases.append(case("nearly singular", z, classes, 3))
z, classes = blobs(30, 5, 2)
z[:, 2] = 0.0
z /= np.linalg.norm(z, axis=1, keepdims=True)
cases.append(case("unit sphere with a zero column", z, classes, 2))
cases.append(case("more columns than rows", *blobs(10, 16, 2), 2))
target = pathlib.Path(__file__).with_suffix(".json")
target.write_text("[\n" + ",\n".join(json.dumps(c) for c in cases) + "\n]\n")
