#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Rebuilds the results tables of README.md, docs/results.md, docs/experiments.md and docs/choosing.md from the files in results/.

usage: tools/update_results.py [--check]    --check changes nothing and fails when a table is stale
"""
import json
import math
import pathlib
import statistics
import sys

from ranking import ranking_table

ROOT = pathlib.Path(__file__).resolve().parent.parent
ORDER = ["enzymes", "imdb-m", "imdb-b", "bace", "bbbp", "drugood", "hiv", "motif"]
# Two-sided 95 % points of Student's t by number of seeds.
T95 = {2: 12.71, 3: 4.30, 4: 3.18, 5: 2.78, 6: 2.57, 7: 2.45, 8: 2.36, 9: 2.31, 10: 2.26}


def load(folder="sgood"):
    runs = {}
    for path in (ROOT / "results" / folder).glob("*-sgood.json"):
        run = json.loads(path.read_text())
        runs[run["suite"]] = run
    return [runs[name] for name in ORDER if name in runs]


def interval(run):
    n, auroc = len(run["seeds"]), run["auroc"]
    if n == 1:
        return "one seed"
    half = T95[n] * auroc["std"] / math.sqrt(n)
    return f"{auroc['mean'] - half:.1f} to {auroc['mean'] + half:.1f}"


def against(run, key):
    ours = f"{run[key]['mean']:.1f}"
    return f"{ours} / {run['paper'][key]:.1f}" if key in run["paper"] else ours


def short_table(runs):
    lines = ["| suite | ID + OOD graphs | AUROC | 95 % interval over splits | paper | node count alone |",
             "|---|---|---:|---|---:|---:|"]
    for run in runs:
        paper = run["paper"].get("auroc")
        nodes = run["size_audit"]["nodes"]["mean"]
        lines.append(
            f"| {run['suite']} | {run['n_id']} + {run['n_ood']} | {run['auroc']['mean']:.1f} | {interval(run)} | "
            f"{'-' if paper is None else f'{paper:.1f}'} | {max(nodes, 100 - nodes):.1f} |")
    return "\n".join(lines)


def long_table(runs):
    lines = ["| suite | seeds | AUROC | std | AUPR / paper | FPR95 / paper | FPR95, ID positive | ID accuracy / paper | "
             "false alarms at 5 % | fit, s |",
             "|---|---:|---|---:|---|---|---:|---|---:|---:|"]
    for run in runs:
        lines.append(
            f"| {run['suite']} | {len(run['seeds'])} | {against(run, 'auroc')} | {run['auroc']['std']:.1f} | "
            f"{against(run, 'aupr')} | {against(run, 'fpr95')} | {run['fpr95_id']['mean']:.1f} | "
            f"{against(run, 'id_acc')} | {run['false_alarms']['mean']:.1f} | {run['fit_seconds']['mean']:.1f} |")
    return "\n".join(lines)


def audit_table(runs):
    lines = ["| suite | node count | edge count | density |", "|---|---:|---:|---:|"]
    for run in runs:
        audit = run["size_audit"]
        lines.append(f"| {run['suite']} | " + " | ".join(
            f"{audit[key]['mean']:.1f}" for key in ("nodes", "edges", "density")) + " |")
    return "\n".join(lines)


def variant_table(runs):
    default = {run["suite"]: run for run in runs}
    variants = {folder: {run["suite"]: run for run in load(folder)} for folder in ("farthest", "relative")}
    lines = ["| suite | default | `aggregation=farthest` | `relative=true` |", "|---|---:|---:|---:|"]
    for suite in variants["farthest"]:
        cells = [results[suite]["auroc"] for results in (default, *variants.values())]
        lines.append(f"| {suite} | " + " | ".join(f"{c['mean']:.1f} ± {c['std']:.1f}" for c in cells) + " |")
    return "\n".join(lines)


def engine_table():
    """The built-in engine beside LibTorch's on the same seeds; a suite's seeds may be in several files."""
    def values(folder):
        by_suite = {}
        for path in sorted((ROOT / "results" / folder).glob("*.json")):
            run = json.loads(path.read_text())
            by_suite.setdefault(run["suite"], {}).update(zip(run["seeds"], run["auroc"]["values"]))
        return {name: by_suite[name] for name in ORDER if name in by_suite}

    built_in = values("built-in")
    lines = ["| suite | seeds | built-in | `engine=torch` | difference | std of torch |", "|---|---:|---:|---:|---:|---:|"]
    for suite, theirs in values("torch").items():
        mean = statistics.mean(theirs.values())
        ours = statistics.mean(built_in[suite][seed] for seed in theirs)
        lines.append(f"| {suite} | {len(theirs)} | {ours:.1f} | {mean:.1f} | {ours - mean:+.1f} | "
                     f"{statistics.stdev(theirs.values()):.1f} |")
    return "\n".join(lines)


def experiment_table(name, digits=1):
    """The rows of a stored experiment, one line each."""
    rows = json.loads((ROOT / "results" / name / f"{name}.json").read_text())["rows"]
    number = [any(isinstance(row[key], (int, float)) for row in rows) for key in rows[0]]
    lines = ["| " + " | ".join(rows[0]) + " |", "|" + "".join("---:|" if n else "---|" for n in number)]
    for row in rows:
        cells = ["-" if v is None else f"{v:.{digits}f}" if isinstance(v, float) else str(v) for v in row.values()]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def streaming_table():
    """results/benchmarks/streaming.jsonl, which tools/measure_streaming.py prints."""
    lines = ["| method | rows | peak, MiB | rows per CPU second | RDKit parses per CPU second | score over parse | rows per second |",
             "|---|---:|---:|---:|---:|---:|---:|"]
    for line in (ROOT / "results/benchmarks/streaming.jsonl").read_text().splitlines():
        r = json.loads(line)
        lines.append(f"| {r['method']} | {r['rows']:,} | {r['peak_mib']:.0f} | {r['rows_per_cpu_second']:,} | "
                     f"{r['rdkit_parse_rows_per_cpu_second']:,} | {r['score_over_parse']:.2f} | "
                     f"{r['rows_per_wall_second']:,} |")
    return "\n".join(lines)


def batch_table():
    """Batch scores of wl-density beside its scores; results/wl-density/batch.jsonl is what `sgood bench --json` prints for both, three times."""
    runs = {}
    for line in (ROOT / "results/wl-density/batch.jsonl").read_text().splitlines():
        run = json.loads(line)
        runs[run["ood_share"], run["suite"], run["options"]["batch"]] = run["auroc"]["values"]
    suites = [s for s in ORDER if (0.5, s, True) in runs]
    error = lambda values: statistics.stdev(values) / math.sqrt(len(values))
    lines = ["| OOD | | " + " | ".join(suites) + " |", "|---|---|" + "---:|" * len(suites)]
    for share in sorted({share for share, _, _ in runs}, reverse=True):
        for batch, name in ((False, "score"), (True, "batch score")):
            cells = [f"{statistics.mean(v):.1f} ± {error(v):.1f}" for v in (runs[share, s, batch] for s in suites)]
            lines.append(f"| {100 * share:.0f} % | {name} | " + " | ".join(cells) + " |")
        gains = [[b - a for a, b in zip(runs[share, s, False], runs[share, s, True])] for s in suites]
        cells = [f"{statistics.mean(v):+.1f} ± {error(v):.1f}" for v in gains]
        lines.append(f"| {100 * share:.0f} % | difference | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def motif_table():
    """AUROC of every method on motif, seed 0 with default options."""
    lines = ["| method | AUROC |", "|---|---:|"]
    runs = [json.loads(line) for line in (ROOT / "results/runs.jsonl").read_text().splitlines()]
    best = {r["method"]: 100 * r["auroc"] for r in runs
            if r["suite"] == "motif" and r["seed"] == r["split_seed"] == 0 and not r["set"] and "ood_share" not in r}
    lines += [f"| {method} | {auroc:.1f} |" for method, auroc in sorted(best.items(), key=lambda item: -item[1])]
    return "\n".join(lines)


def page_table(name):
    """A table of results/page, which `sgood report results/runs.jsonl -o results/page` makes, without its title."""
    return (ROOT / "results/page" / f"{name}.md").read_text().split("\n", 2)[2].strip()


def density_table(metric):
    """The same for results/wl-density, which holds 20 seeds."""
    path = ROOT / "results/wl-density" / f"wl-density-{metric}.md"
    lines = path.read_text().split("\n", 2)[2].strip().split("\n")
    return "\n".join(line for line in lines if not line.startswith("| WL density"))


def replace(path, name, table, check):
    text = path.read_text()
    begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->"
    head, rest = text.split(begin)
    tail = rest.split(end, 1)[1]
    new = head + begin + table + "\n" + end + tail
    if new == text:
        return True
    if check:
        print(f"{path.relative_to(ROOT)}: table '{name}' is stale; run tools/update_results.py")
        return False
    path.write_text(new)
    return True


def main():
    check = "--check" in sys.argv[1:]
    runs = load()
    readme, page = ROOT / "README.md", ROOT / "docs" / "results.md"
    fine = [replace(readme, "results", short_table(runs), check),
            replace(page, "results", long_table(runs), check),
            replace(page, "audit", audit_table(runs), check),
            replace(page, "variants", variant_table(runs), check),
            replace(page, "engines", engine_table(), check),
            replace(page, "covariance", experiment_table("covariance"), check),
            *(replace(ROOT / "docs/experiments.md", name, page_table(file), check)
              for name, file in [("ablation", "ablation"), ("substructures", "substructures"),
                                 ("layers", "layers"), ("untrained", "audit-auroc"),
                                 ("main", "main-auroc"), ("subgraph", "subgraph"),
                                 *((name, name) for name in ("augmentations", "backbones", "pretraining-epochs",
                                                             "alpha", "batch-size", "view-pairs"))]),
            *(replace(ROOT / "docs/choosing.md", name, density_table(metric), check)
              for name, metric in [("wl-density", "auroc"), ("wl-density-aupr", "aupr"),
                                   ("wl-density-fpr95", "fpr95")]),
            replace(ROOT / "docs/choosing.md", "batch", batch_table(), check),
            replace(page, "unseen", experiment_table("unseen-substructures"), check),
            *(replace(ROOT / "docs/decisions.md", name, experiment_table(name, 2), check)
              for name in ("decisions", "explanations")),
            replace(ROOT / "docs/experiments.md", "motif", motif_table(), check),
            replace(ROOT / "docs/experiments.md", "ranking", ranking_table(ROOT / "results/runs.jsonl"), check),
            replace(ROOT / "docs/benchmarks.md", "streaming", streaming_table(), check)]
    sys.exit(0 if all(fine) else 1)


if __name__ == "__main__":
    main()
