# SPDX-License-Identifier: MIT
"""Writes metrics.json: scikit-learn's metrics, and DeLong's error from all pairs, on random scores."""
import json
import pathlib

import numpy as np
from sklearn.metrics import average_precision_score, roc_auc_score, roc_curve


def fpr_at_95(is_positive, scores):
    fpr, tpr, _ = roc_curve(is_positive, scores, drop_intermediate=False)
    return fpr[np.argmax(tpr >= 0.95)]


def delong_error(id_scores, ood_scores):
    wins = (ood_scores[:, None] > id_scores[None, :]) + 0.5 * (ood_scores[:, None] == id_scores[None, :])
    variance = 0.0
    for component in (wins.mean(axis=1), wins.mean(axis=0)):
        n = len(component)
        variance += 0.25 if n == 1 else component.var(ddof=1) / n
    return np.sqrt(variance)


def case(id_scores, ood_scores):
    id_scores, ood_scores = np.asarray(id_scores, float), np.asarray(ood_scores, float)
    scores = np.concatenate([id_scores, ood_scores])
    is_ood = np.concatenate([np.zeros(len(id_scores)), np.ones(len(ood_scores))])
    return {
        "id": id_scores.tolist(),
        "ood": ood_scores.tolist(),
        "auroc": roc_auc_score(is_ood, scores),
        "aupr": average_precision_score(is_ood, scores),
        "fpr95": fpr_at_95(is_ood, scores),
        "aupr_id": average_precision_score(1 - is_ood, -scores),
        "fpr95_id": fpr_at_95(1 - is_ood, -scores),
        "auroc_error": delong_error(id_scores, ood_scores),
    }


rng = np.random.default_rng(1)
cases = [case([0], [1]), case([1], [0]), case([0], [0]), case([0, 1], [1]), case([3], [1, 2, 3, 4]),
         case([2] * 5, [2] * 7), case(range(20), range(10, 50))]
for num_id, num_ood in [(2, 3), (5, 5), (20, 40), (60, 60), (100, 19), (37, 200)]:
    for decimals in (0, 1, 6):  # 0: a handful of different scores; 6: no ties
        cases.append(case(rng.normal(0, 1, num_id).round(decimals), rng.normal(1, 1.5, num_ood).round(decimals)))
target = pathlib.Path(__file__).with_suffix(".json")
target.write_text("[\n" + ",\n".join(json.dumps(c) for c in cases) + "\n]\n")
