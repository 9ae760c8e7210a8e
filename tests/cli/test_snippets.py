# SPDX-License-Identifier: MIT
"""The shell snippets of README.md and of the guides in docs/, run as a reader would."""

import os
import pathlib
import re
import shutil
import subprocess
import unittest

import sample_data
import tool
from test_score_arrays import blobs, write_npy
from tool import ToolTest, needs_molecules

ROOT = pathlib.Path(__file__).resolve().parents[2]
MOLECULES = pathlib.Path("/usr/share/RDKit")  # Debian: rdkit-data
# Run by other tests, or for hours.
NOT_RUN = re.compile(r"^(\./dev |sgood bench --experiment |sgood report )", re.MULTILINE)

# Training is cut short; all else is the program's own.
SHORT = f"""#!/bin/sh
case "$1 $*" in
  *--method*) ;;
  fit*|bench*) exec "$SGOOD" "$@" {" ".join(tool.QUICK)} ;;
esac
exec "$SGOOD" "$@"
"""


def snippets(page):
    """The ```sh blocks of a page in their order, as one script."""
    blocks = re.findall(r"^```sh\n(.*?)^```", (ROOT / page).read_text(), re.MULTILINE | re.DOTALL)
    lines = "".join(blocks).splitlines(keepends=True)
    return "".join(line for line in lines if not NOT_RUN.match(line))


class Snippets(ToolTest):
    def run_page(self, page, folder):
        script = snippets(page)
        self.assertIn("sgood ", script, f"{page} has no snippet left to run")
        programs = folder / "programs"
        programs.mkdir()
        (programs / "sgood").write_text(SHORT)
        (programs / "sgood").chmod(0o755)
        environment = {**os.environ, "SGOOD": tool.SGOOD,
                       "PATH": f"{programs}:{os.environ['PATH']}"}
        result = subprocess.run(["bash", "-eu", "-c", script], cwd=folder, env=environment,
                                capture_output=True, text=True, timeout=300)
        self.assertEqual(result.returncode, 0, f"{page}: {result.stderr}")
        return result.stdout

    def test_a_snippet_that_fails_is_seen(self):
        with self.workspace() as folder:
            page = folder / "page.md"
            page.write_text("```sh\nsgood info missing.csv\nsgood list suites\n```\n")
            with self.assertRaisesRegex(AssertionError, "missing.csv"):
                self.run_page(page, folder)

    def test_researchers(self):
        with self.workspace() as folder:
            self.assertIn('"auroc"', self.run_page("docs/researchers.md", folder))

    def test_engineers(self):
        with self.workspace() as folder:
            self.assertIn('"id":"star"', self.run_page("docs/engineers.md", folder))

    @needs_molecules
    @unittest.skipUnless(MOLECULES.is_dir(), "Debian's rdkit-data is not installed")
    def test_quick_start_and_chemists(self):
        for page in ["docs/index.md", "docs/chemists.md"]:
            with self.subTest(page), self.workspace() as folder:
                self.assertIn("AUROC", self.run_page(page, folder))

    @needs_molecules
    @unittest.skipUnless(shutil.which("gnuplot"), "gnuplot is not installed")
    def test_readme(self):
        rows = sample_data.csv_text(sample_data.molecules()).replace("kind", "class")
        with self.workspace() as folder:
            for name in ["train.csv", "held_out.csv"]:
                (folder / name).write_text(rows)
            for name in ["library.smi", "other.smi"]:
                (folder / name).write_text(sample_data.smi_text(sample_data.molecules()))
            write_npy(folder / "train.npy", blobs(120, 1))
            write_npy(folder / "y.npy", [i % 3 for i in range(120)], "<i8", "q")
            write_npy(folder / "new.npy", blobs(30, 3))
            (folder / "data").mkdir()
            sample_data.write_tu(folder / "data/ENZYMES", sample_data.ring_graphs())
            stars = [(edges, "2") for edges, _ in sample_data.star_graphs()]
            sample_data.write_tu(folder / "data/PROTEINS", stars)
            self.assertIn('"suite":"enzymes"', self.run_page("README.md", folder))
