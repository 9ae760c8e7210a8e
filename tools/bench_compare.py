#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the benchmark programs of two builds in turn and prints the ratio old / new of each time.

usage: tools/bench_compare.py OLD_BUILD NEW_BUILD [--rounds 3] [--quick] [-o FILE.json]
The builds are CMake folders of the preset "bench". Above 1: the new one is faster. The ratio program always
makes its short run.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile


def programs(build):
    """Name -> path of every benchmark program of a build."""
    found = {path.name: path for path in (build / "bench").glob("*/sgood_*_bench") if path.is_file()}
    ratios = build / "bench" / "ratios" / "sgood_ratios"
    return found | ({ratios.name: ratios} if ratios.is_file() else {})


def is_rate(unit):
    """Rows a second: more is better."""
    return unit.endswith("/s")


def run(program, quick):
    """Name -> time, in the unit of the program; less is better."""
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder) / "out.json"
        if program.name == "sgood_ratios":
            command = [program, "--output", output, "--quick"]
        else:
            command = [program, f"--benchmark_out={output}"] + (["--benchmark_min_time=0.05"] if quick else [])
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if done.returncode != 0:
            print(f"{program}: {done.stderr.strip() or 'failed'}", file=sys.stderr)
            return {}
        results = json.loads(output.read_text())
    if "rows" in results:
        return {row["name"]: 1 / row["ours"] if is_rate(row["unit"]) else row["ours"] for row in results["rows"]}
    return {b["name"]: b["cpu_time"] for b in results["benchmarks"] if not b.get("error_occurred")}


def compare(old, new, rounds, quick):
    """Yields (program, benchmark, median old, median new), the two builds run in turn."""
    for name in sorted(old.keys() & new.keys()):
        print(f"== {name}", flush=True)
        times = {"old": [], "new": []}
        for _ in range(rounds):
            times["old"].append(run(old[name], quick))
            times["new"].append(run(new[name], quick))
        for benchmark in times["new"][0]:
            sides = [[r[benchmark] for r in times[side] if benchmark in r] for side in ("old", "new")]
            if all(sides):
                yield name, benchmark, *map(statistics.median, sides)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old", type=pathlib.Path)
    parser.add_argument("new", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=3, help="runs of each program on each side (default: 3)")
    parser.add_argument("--quick", action="store_true", help="short runs of the other programs too")
    parser.add_argument("-o", "--output", type=pathlib.Path, help="JSON file to write")
    options = parser.parse_args()

    old, new = programs(options.old), programs(options.new)
    for name in sorted(old.keys() ^ new.keys()):
        print(f"{name}: only in {options.old if name in old else options.new}, not compared")
    if not old.keys() & new.keys():
        sys.exit(f"bench_compare: {options.old} and {options.new} have no benchmark program in common")
    rows = []
    for program, benchmark, before, after in compare(old, new, options.rounds, options.quick):
        print(f"{benchmark:62} old/new {before / after:6.3f}", flush=True)
        rows.append({"program": program, "name": benchmark, "old": before, "new": after, "ratio": before / after})
    if not rows:
        sys.exit("bench_compare: nothing could be measured on both sides")
    print(f"median of {len(rows)}: old/new {statistics.median(row['ratio'] for row in rows):.3f}")
    if options.output:
        options.output.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
