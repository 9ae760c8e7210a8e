# SPDX-License-Identifier: MIT
"""Ranks methods over suites, with an interval from resampling seeds; for tools/update_results.py."""
import collections
import json
import random
import statistics

SUITES = ["enzymes", "imdb-m", "imdb-b", "bace", "bbbp", "drugood"]
SEEDS = range(5)
DRAWS = 2000


def load(path):
    """AUROC in percent of every run with default options, by method, suite and seed."""
    auroc = collections.defaultdict(dict)
    for line in path.read_text().splitlines():
        run = json.loads(line)
        plain = not run["set"] and run["split_seed"] == run["seed"] and not {"ood_order", "ood_share"} & set(run)
        if plain and run["suite"] in SUITES and run["seed"] in SEEDS:
            auroc[run["method"]][run["suite"], run["seed"]] = 100 * run["auroc"]
    return auroc


def average_ranks(auroc, seeds):
    """Over suites, of the mean AUROC over seeds[suite]; 1 is best, equal means share their rank."""
    ranks = collections.defaultdict(list)
    for suite in SUITES:
        means = {method: statistics.mean(runs[suite, seed] for seed in seeds[suite]) for method, runs in auroc.items()}
        for method, mean in means.items():
            higher = sum(other > mean for other in means.values())
            equal = sum(other == mean for other in means.values())
            ranks[method].append(higher + (equal + 1) / 2)
    return {method: statistics.mean(values) for method, values in ranks.items()}


def ranking_table(path):
    auroc = load(path)
    complete = {method: runs for method, runs in auroc.items() if len(runs) == len(SUITES) * len(SEEDS)}
    ranks = average_ranks(complete, {suite: list(SEEDS) for suite in SUITES})
    draw = random.Random(0)
    drawn = collections.defaultdict(list)
    for _ in range(DRAWS):
        # The same seeds for every method: they share their splits.
        seeds = {suite: draw.choices(list(SEEDS), k=len(SEEDS)) for suite in SUITES}
        for method, rank in average_ranks(complete, seeds).items():
            drawn[method].append(rank)
    lines = ["| method | average rank | 95 % interval over seeds | mean AUROC | suites above SGOOD |",
             "|---|---:|---|---:|---|"]

    def mean(method, suite):
        return statistics.mean(complete[method][suite, seed] for seed in SEEDS)

    for method in sorted(ranks, key=ranks.get):
        values = sorted(drawn[method])
        above = [suite for suite in SUITES if mean(method, suite) > mean("sgood", suite)]
        lines.append(f"| {method} | {ranks[method]:.1f} | {values[int(0.025 * DRAWS)]:.1f} to "
                     f"{values[int(0.975 * DRAWS)]:.1f} | {statistics.mean(complete[method].values()):.1f} | "
                     f"{'all' if len(above) == len(SUITES) else ', '.join(above) or '-'} |")
    missing = sorted(set(auroc) - set(complete))
    note = f"\nNot ranked, for want of runs: {', '.join(missing)}." if missing else ""
    return "\n".join(lines) + note
