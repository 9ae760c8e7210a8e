#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the rules of CONTRIBUTING.md that clang-format does not know."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MAX_LINES = {".h": 200, ".cpp": 400}
# The library never prints, reads no environment, never ends the process, and draws from Rng only.
FORBIDDEN = re.compile(
    r"\bstd::(cout|cerr|clog|random_device|mt19937\w*|rand)\b|\bf?printf\s*\(|fmt::print"
    r"|\b(getenv|setenv|abort|exit|rand|srand)\s*\(")
MAY_FORBIDDEN = ("apps/", "tests/", "bench/", "examples/")


def complaints(name, text):
    lines = text.splitlines()
    if not lines or lines[0] != "// SPDX-License-Identifier: MIT":
        yield f"{name}:1: the first line is not the SPDX line"
    kind = ".cpp" if name.endswith(".inc.h") else Path(name).suffix  # .inc.h: compiled more than once
    if kind == ".h" and "#pragma once" not in lines:
        yield f"{name}: no #pragma once"
    limit = MAX_LINES[kind]
    if len(lines) > limit and not name.startswith("tests/"):
        yield f"{name}: {len(lines)} lines, more than {limit}"
    if not name.startswith(MAY_FORBIDDEN):
        for number, line in enumerate(lines, 1):
            if match := FORBIDDEN.search(line.partition("//")[0]):
                yield f"{name}:{number}: {match[0].strip()} has no place in the library"


def main():
    found, files = [], 0
    for top in ("include", "src", "apps", "tests", "bench", "examples"):
        for path in sorted((ROOT / top).rglob("*")):
            if path.suffix in MAX_LINES:
                files += 1
                found += complaints(str(path.relative_to(ROOT)), path.read_text())
    print("\n".join([*found, f"style: {files} files, {len(found)} problems"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
