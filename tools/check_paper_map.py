#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that every file, symbol and experiment that docs/paper_map.md names exists, and that no experiment is missing."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/paper_map.md"
QUOTED = re.compile(r"`([^`]+)`")


def experiments():
    text = "".join(path.read_text() for path in (ROOT / "src/experiments").rglob("*.cpp"))
    return set(re.findall(r'\.name = "([\w-]+)"', text))


def problems():
    known, named = experiments(), set()
    for number, line in enumerate(PAGE.read_text().splitlines(), 1):
        cells = [QUOTED.findall(cell) for cell in line.strip("|").split("|")]
        if not line.startswith("| ") or not any(cells):
            continue
        place = f"docs/paper_map.md:{number}"
        if len(cells) == 3:
            symbols, files = cells[1], cells[2]
            for file in files:
                if not (ROOT / file).is_file():
                    yield f"{place}: there is no file {file}"
                    continue
                text = (ROOT / file).read_text()
                for symbol in symbols:
                    if not re.search(rf"\b{re.escape(symbol)}\b", text):
                        yield f"{place}: {file} does not have {symbol}"
        else:
            for name in cells[-1]:
                if name.startswith("tests/"):
                    if not (ROOT / name).is_file():
                        yield f"{place}: there is no file {name}"
                elif not name.startswith("sgood "):
                    named.add(name)
                    if name not in known:
                        yield f"{place}: there is no experiment {name}"
    listed = named | set(QUOTED.findall(PAGE.read_text()))
    for name in sorted(known - listed):
        yield f"docs/paper_map.md: the experiment {name} is missing"


def main():
    found = list(problems())
    for problem in found:
        print(problem)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
