# SPDX-License-Identifier: MIT
"""Writes metrics_batch_test.json: SciPy's rank-sum test of scores against calibration scores, one-sided."""
import json
import pathlib

import numpy as np
from scipy.stats import mannwhitneyu

rng = np.random.default_rng(3)
cases = []
for num_calibration, num_scores, shift in [(5, 1, 0), (20, 7, 0.5), (60, 60, 0), (100, 30, 1), (200, 1000, -0.2)]:
    for decimals in (0, 1, 9):  # 0: many ties
        calibration = rng.normal(0, 1, num_calibration).round(decimals)
        scores = rng.normal(shift, 1, num_scores).round(decimals)
        p = mannwhitneyu(scores, calibration, alternative="greater", method="asymptotic").pvalue
        cases.append({"calibration": calibration.tolist(), "scores": scores.tolist(), "p_value": p})
target = pathlib.Path(__file__).with_suffix(".json")
target.write_text("[\n" + ",\n".join(json.dumps(c) for c in cases) + "\n]\n")
