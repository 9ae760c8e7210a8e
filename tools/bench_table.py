#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Rebuilds the tables of docs/benchmarks.md from results/benchmarks/ratios.json.

usage: tools/bench_table.py [--check]    --check changes nothing and fails when the page is stale
"""
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "benchmarks.md"
BEGIN, END = "<!-- ratios: begin -->\n", "<!-- ratios: end -->"


def number(value):
    return "" if value is None else f"{value:.3g}" if value < 1000 else f"{value:.0f}"


def detail(more):
    return ", ".join(f"{key.replace('_', ' ')} {number(value)}" for key, value in (more or {}).items())


def table(run):
    machine = run["machine"]
    lines = [
        f"{machine['processor']}, {machine['cores']} cores, {machine['system']}; {run['compiler']}, "
        f"`{run['flags'].strip()}`; commit {run['commit']}. Load average {run['load_at_start']:.1f} at the start and "
        f"{run['load_at_end']:.1f} at the end; other processes used {run['cores_used_by_others']:.1f} cores on average.",
        "",
        "| | what | ours | theirs | unit | ratio | target | | n | more |",
        "|---|---|---:|---:|---|---:|---|---|---:|---|",
    ]
    for row in run["rows"]:
        met = {True: "reached", False: "**missed**", None: ""}[row.get("reached")]
        ratio = row.get("ratio")
        lines.append(
            f"| {row['part']} | {row['name']} | {number(row['ours'])} | {number(row.get('theirs'))} | {row['unit']} | "
            f"{'' if ratio is None else f'{ratio:.3g}'} | {row.get('target', '')} | {met} | {row['n']} | "
            f"{detail(row.get('more'))} |")
    lines += ["", *(f"Not measured: {skipped['part']}, {skipped['reason']}." for skipped in run["skipped"])]
    return "\n".join(lines).rstrip() + "\n"


def main():
    run = json.loads((ROOT / "results" / "benchmarks" / "ratios.json").read_text())
    text = PAGE.read_text()
    head, rest = text.split(BEGIN)
    new = head + BEGIN + table(run) + END + rest.split(END, 1)[1]
    if new == text:
        return
    if "--check" in sys.argv[1:]:
        sys.exit(f"{PAGE.relative_to(ROOT)} is stale; run tools/bench_table.py")
    PAGE.write_text(new)


if __name__ == "__main__":
    main()
