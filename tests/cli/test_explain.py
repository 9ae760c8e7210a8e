# SPDX-License-Identifier: MIT
"""sgood explain, and sgood report on a model: reasons as text, JSON, pictures and pages."""

import json
import re
import shutil
import subprocess
import unittest

from tool import FOLDER, SGOOD, ToolTest, needs_molecules


class Explain(ToolTest):
    def explain(self, *arguments):
        return self.sgood("explain", *arguments)

    def test_text_names_the_graph_the_verdict_and_the_substructures(self):
        text = self.explain("rings.sgood", "STARS", "--graph", "3").stdout
        self.assertTrue(text.startswith("3: "), text)
        for words in ["the threshold", "p-value", "what the score falls by", "training graphs",
                      "for comparison", "nearest training graphs"]:
            self.assertIn(words, text)

    def test_json_is_checked_by_scoring_the_graph_without_a_substructure(self):
        self.explain("rings.sgood", "RINGS", "--graph", "0", "-o", "why.json")
        out = json.loads((FOLDER / "why.json").read_text())
        rows = self.rows("rings.sgood", "RINGS")
        self.assertEqual((out["id"], out["row"]), ("1", 0))
        self.assertAlmostEqual(out["score"], float(rows[0]["score"]), places=9)
        self.assertEqual(out["is_ood"], out["p_value"] <= 0.05)
        nodes = [v for part in out["substructures"] for v in part["nodes"]]
        self.assertEqual(sorted(nodes), list(range(len(nodes))))
        self.assertGreaterEqual(out["training_graphs"],
                                max(part["training_graphs"] for part in out["substructures"]))

    def test_without_a_name_the_most_unusual_graphs_come_first(self):
        rows = self.rows("rings.sgood", "STARS")
        highest = sorted(rows, key=lambda row: -float(row["score"]))[:2]
        self.explain("rings.sgood", "STARS", "--top", "2", "-o", "top.jsonl")
        lines = (FOLDER / "top.jsonl").read_text().splitlines()
        self.assertEqual([json.loads(line)["id"] for line in lines], [row["id"] for row in highest])

    def test_an_unknown_graph_is_an_error_that_names_it(self):
        self.assertFails(["explain", "rings.sgood", "STARS", "--graph", "nobody"], "nobody",
                         "STARS", "0-based row")

    def test_a_picture_shows_one_graph(self):
        self.assertFails(["explain", "rings.sgood", "STARS", "--top", "2", "-o", "two.svg"],
                         "one graph", ".html")

    @unittest.skipUnless(shutil.which("neato"), "Graphviz is not installed")
    def test_other_graphs_are_drawn_by_graphviz(self):
        self.explain("rings.sgood", "STARS", "--graph", "1", "-o", "star.svg")
        svg = (FOLDER / "star.svg").read_text()
        self.assertIn("<svg", svg)
        self.assertIn("fill=\"#", svg)
        self.assertEqual(list(FOLDER.glob("star.svg.*")), [])

    def test_a_page_on_the_standard_output_needs_no_folder_to_write_in(self):
        done = subprocess.run([SGOOD, "report", FOLDER / "rings.sgood", "--data", FOLDER / "STARS",
                               "-o", "-"], cwd="/proc", capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("</html>", done.stdout)
        self.assertNotIn("missing", done.stderr)

    @needs_molecules
    def test_molecules_are_drawn_and_their_parts_named_by_smiles(self):
        out = self.explain("mol.sgood", "train.csv", "--graph", "0", "-o", "mol.json")
        part = json.loads((FOLDER / "mol.json").read_text())["substructures"][0]
        self.assertRegex(part["name"], r"^[A-Za-z0-9()=#\[\]+\-.@/\\*:]+$")
        self.explain("mol.sgood", "train.csv", "--graph", "0", "-o", "mol.svg")
        self.assertIn("<svg", (FOLDER / "mol.svg").read_text())
        self.assertEqual(out.stdout, "")

    def check_page(self, page):
        for text in ["src=", "<link", "@import", "url("]:
            self.assertNotIn(text, re.sub(r"url\(#", "", page))
        self.assertNotIn("http", re.sub(r"http://www\.(w3\.org|rdkit\.org)[^'\"]*", "", page))

    def test_a_page_loads_nothing(self):
        self.explain("rings.sgood", "STARS", "--top", "3", "-o", "why.html")
        page = (FOLDER / "why.html").read_text()
        self.assertEqual(page.count("<article"), 3)
        self.check_page(page)


class ModelReport(ToolTest):
    def test_the_report_holds_every_row_settings_and_reasons(self):
        self.sgood("report", "rings.sgood", "--data", "STARS", "-o", "report.html")
        page = (FOLDER / "report.html").read_text()
        rows = self.rows("rings.sgood", "STARS")
        body = re.search(r"<tbody>\n((?:<tr.*\n)+)</tbody>", page[page.index('id="rows"'):]).group(1)
        self.assertEqual(body.count("<tr"), len(rows))
        flagged = sum(row["is_ood"] == "true" for row in rows)
        self.assertEqual(body.count("<td>OOD</td>"), flagged)
        self.assertIn(f"{flagged} of {len(rows)} graphs", page)
        for words in ["Size audit", "options.tau", "Explained graphs", "sort"]:
            self.assertIn(words, page)
        Explain.check_page(self, page)

    def test_the_report_on_standard_output_is_the_same_and_no_file_is_claimed(self):
        to_file = self.sgood("report", "rings.sgood", "--data", "STARS", "-o", "same.html")
        self.assertIn("wrote same.html", to_file.stderr)
        piped = self.sgood("report", "rings.sgood", "--data", "STARS", "-o", "-")
        self.assertEqual(piped.stdout, (FOLDER / "same.html").read_text())
        self.assertNotIn("wrote", piped.stderr)

    @needs_molecules
    def test_rows_that_cannot_be_read_are_in_the_table_with_the_reason(self):
        (FOLDER / "half.smi").write_text("CCO good\nC1CC bad<b>\nCCN other\n")
        self.sgood("report", "mol.sgood", "--data", "half.smi", "-o", "half.html")
        page = (FOLDER / "half.html").read_text()
        self.assertIn("1 rows could not be read", page)
        self.assertIn("bad&lt;b&gt;", page)
        self.assertNotIn("bad<b>", page)

    def test_without_data_it_is_about_runs(self):
        self.assertFails(["report", "nowhere", "-o", "page"], "nowhere", "--data")
