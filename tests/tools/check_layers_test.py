# SPDX-License-Identifier: MIT
"""tools/check_layers.py finds what it is there to find."""

import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import check_layers  # noqa: E402


class CheckLayers(unittest.TestCase):
    def problems(self, files):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return list(check_layers.problems(Path(folder)))

    def test_an_include_of_a_lower_module_is_fine(self):
        self.assertEqual(self.problems({
            "src/graph/CMakeLists.txt": "sgood_add_module(graph SOURCES a.cpp DEPENDS sgood::core)",
            "src/graph/a.cpp": '#include "sgood/graph/a.h"\n#include "sgood/core/rng.h"\n',
        }), [])

    def test_an_include_that_points_up_is_found(self):
        found = self.problems({"include/sgood/core/a.h": '#pragma once\n#include "sgood/graph/graph.h"\n'})
        self.assertEqual(len(found), 1)
        self.assertIn("include/sgood/core/a.h:2: core may not use graph", found[0])

    def test_modules_of_one_level_do_not_use_each_other(self):
        self.assertEqual(len(self.problems({"src/io/a.cpp": "#include <sgood/metrics/auroc.h>\n"})), 1)

    def test_a_link_that_points_up_is_found(self):
        found = self.problems({"src/io/CMakeLists.txt": "sgood_add_module(io\n  DEPENDS sgood::chem)"})
        self.assertEqual(len(found), 1)
        self.assertIn("src/io/CMakeLists.txt:2: io may not use chem", found[0])

    def test_an_include_without_a_link_is_found(self):
        found = self.problems({
            "src/nn/CMakeLists.txt": "sgood_add_module(nn SOURCES a.cpp DEPENDS sgood::core)",
            "src/nn/a.cpp": '#include "sgood/graph/graph.h"\n',
        })
        self.assertEqual(len(found), 1)
        self.assertIn("without linking sgood::graph", found[0])

    def test_a_link_through_another_module_counts(self):
        self.assertEqual(self.problems({
            "src/nn/CMakeLists.txt": "sgood_add_module(nn SOURCES a.cpp DEPENDS sgood::graph)",
            "src/graph/CMakeLists.txt": "sgood_add_module(graph SOURCES a.cpp DEPENDS sgood::core)",
            "src/nn/a.cpp": '#include "sgood/core/rng.h"\n',
        }), [])

    def test_libtorch_stays_in_its_module(self):
        self.assertEqual(len(self.problems({"include/sgood/nn/a.h": "#include <torch/torch.h>\n"})), 1)
        self.assertEqual(self.problems({"src/torch/a.cpp": "#include <torch/torch.h>\n"}), [])

    def test_an_unknown_module_is_found(self):
        self.assertEqual(len(self.problems({"src/misc/a.cpp": "#include <vector>\n"})), 1)

    def test_every_module_of_the_build_has_a_level(self):
        text = (ROOT / "CMakeLists.txt").read_text()
        modules = text.partition("set(modules ")[2].partition(")")[0].split()
        self.assertTrue(modules)
        self.assertLessEqual(set(modules), set(check_layers.LEVEL_OF))


if __name__ == "__main__":
    unittest.main()
