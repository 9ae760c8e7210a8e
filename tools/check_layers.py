#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks every include and every declared link against the layer table below."""

import argparse
import re
import sys
from pathlib import Path

# Lowest first. A module may use modules of lower levels only.
LEVELS = [
    {"core"},
    {"graph", "kernels"},
    {"io", "substructure", "metrics"},
    {"chem", "augment", "nn", "report"},
    {"torch"},
    {"suites", "detectors"},
    {"experiments"},
    {"apps"},
]
# Uses within one level that are wanted: (user, used).
SIDEWAYS = set()
# Libraries that only some modules may include.
CONFINED = {
    "torch/": {"torch"},
    "ATen/": {"torch"},
    "c10/": {"torch"},
    "GraphMol/": {"chem", "report"},
    "CLI/": {"apps"},
}

LEVEL_OF = {module: level for level, modules in enumerate(LEVELS) for module in modules}
LINKED = re.compile(r"\bsgood::(\w+)|\bsgood_(%s)\b" % "|".join(LEVEL_OF))
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')
MODULE_OF_HEADER = re.compile(r"(?:sgood|src)/(\w+)/")


def module_of(path):
    """The module that a file below the project's root belongs to, or None."""
    parts = path.parts
    if parts[0] == "apps":
        return "apps"
    if parts[0] == "src" and len(parts) > 2:
        return parts[1]
    if parts[:2] == ("include", "sgood") and len(parts) > 3:
        return parts[2]
    return None


def allowed(user, used):
    return user == used or (user, used) in SIDEWAYS or LEVEL_OF[used] < LEVEL_OF[user]


def uses(root):
    """Yields (file, line number, module, kind, what): what is a module or an outside header."""
    for top in ("include", "src", "apps"):
        for path in sorted((root / top).rglob("*")):
            file = path.relative_to(root)
            module = module_of(file)
            if path.suffix in {".h", ".cpp", ".in"}:
                for number, line in enumerate(path.read_text().splitlines(), 1):
                    if match := INCLUDE.match(line):
                        header = MODULE_OF_HEADER.match(match[1])
                        yield (file, number, module, *(("include", header[1]) if header else ("outside", match[1])))
            elif path.name == "CMakeLists.txt":
                for number, line in enumerate(path.read_text().splitlines(), 1):
                    for match in LINKED.finditer(line.partition("#")[0]):
                        yield file, number, module, "link", match[1] or match[2]


def closure(links, module):
    """Modules that `module` links, directly or not, and itself."""
    found, todo = set(), [module]
    while todo:
        current = todo.pop()
        if current not in found:
            found.add(current)
            todo += links.get(current, ())
    return found


def problems(root):
    found = list(uses(root))
    links = {}
    for _, _, module, kind, what in found:
        if kind == "link":
            links.setdefault(module, set()).add(what)
    for file, line, module, kind, what in found:
        place = f"{file}:{line}"
        if module not in LEVEL_OF:
            yield f"{place}: module {module!r} is not in the layer table"
        elif kind == "outside":
            for prefix, modules in CONFINED.items():
                if what.startswith(prefix) and module not in modules:
                    yield f"{place}: {module} includes <{what}>, which only {', '.join(sorted(modules))} may"
        elif what not in LEVEL_OF:
            yield f"{place}: {what!r} is not a module of the layer table"
        elif not allowed(module, what):
            yield f"{place}: {module} may not use {what}: it does not stand below it"
        elif kind == "include" and module in links and what not in closure(links, module):
            yield f"{place}: {module} includes {what} without linking sgood::{what}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root", nargs="?", type=Path, default=Path(__file__).resolve().parent.parent)
    found = list(problems(parser.parse_args().root))
    print("\n".join(found + [f"layers: {len(found)} problems"] if found else ["layers: clean"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
