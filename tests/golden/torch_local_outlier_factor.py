#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Local outlier factors of new points by scikit-learn, for tests/torch/models_test.cpp.

usage: torch_local_outlier_factor.py    writes torch_local_outlier_factor.json beside it (Debian: python3-sklearn)
"""
import json
import pathlib

import numpy as np
from sklearn.neighbors import LocalOutlierFactor

rng = np.random.default_rng(5)
cases = []
for count, width in ((40, 3), (4, 2)):
    points = rng.normal(size=(count, width)).round(6)
    if count > 10:
        points[7:14] = points[7]  # more copies than neighbours are asked for
    queries = np.concatenate([3 * rng.normal(size=(10, width)).round(6), points[7 % count][None]])
    model = LocalOutlierFactor(n_neighbors=min(5, count - 1), novelty=True).fit(points)
    cases.append(dict(points=points.tolist(), queries=queries.tolist(), scores=(-model.score_samples(queries)).tolist()))
path = pathlib.Path(__file__).with_suffix(".json")
path.write_text(json.dumps(cases, indent=1) + "\n")
