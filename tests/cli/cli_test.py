# SPDX-License-Identifier: MIT
"""The command-line tool as its users meet it.

usage: cli_test.py SGOOD [--without-molecules] [options of unittest, e.g. -v or -k ctrl_c]
"""

import os
import sys
import tempfile
import unittest

import tool

if __name__ == "__main__":
    arguments = sys.argv[1:]
    if not arguments:
        sys.exit(__doc__)
    with_molecules = "--without-molecules" not in arguments
    options = [argument for argument in arguments[1:] if argument != "--without-molecules"]
    with tempfile.TemporaryDirectory(prefix="sgood-cli-") as folder:
        tool.prepare(os.path.abspath(arguments[0]), folder, with_molecules)
        here = os.path.dirname(os.path.abspath(__file__))
        unittest.main(module=None, argv=["cli_test.py", "discover", "-s", here, *options])
