#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles each public header alone, with the include paths of a configured build."""

import argparse
import json
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def include_flags(build):
    """Every include path of the build, once, in the order of its compile commands."""
    flags = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        words = iter(shlex.split(entry["command"]))
        for word in words:
            if word == "-isystem":
                flags[f"-isystem{next(words)}"] = None
            elif word.startswith("-I"):
                flags[word] = None
    return list(flags)


def check(header, flags):
    """The compiler's complaints about `header`, empty when there are none."""
    command = ["c++", "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow",
               "-Werror", "-Wno-psabi", *flags, "-include", header, "-x", "c++", "/dev/null"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return result.stderr if result.returncode else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=Path, help="folder of a configured build")
    parser.add_argument("--jobs", type=int, default=1)
    arguments = parser.parse_args()
    flags = include_flags(arguments.build)
    include = ROOT / "include"
    headers = sorted(str(path.relative_to(include)) for path in include.rglob("*.h"))
    with ThreadPoolExecutor(arguments.jobs) as pool:
        complaints = list(pool.map(lambda header: check(header, flags), headers))
    bad = [(header, text) for header, text in zip(headers, complaints) if text]
    for header, text in bad:
        print(f"{header} does not compile alone:\n{text}")
    print(f"headers: {len(headers)} checked, {len(bad)} do not compile alone")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
