# SPDX-License-Identifier: MIT
"""What fit, eval, info and bench answer."""

import json
import os
import shutil
import unittest
import zipfile

import sample_data
from tool import FOLDER, QUICK, ToolTest, needs_molecules


class Fit(ToolTest):
    def test_says_what_was_read_and_learned(self):
        text = self.sgood("fit", "RINGS", "-o", "said.sgood", *QUICK).stderr
        self.assertIn("40 graphs, 2 classes: 1 (20), 2 (20)", text)
        self.assertIn("wrote said.sgood: sgood, trained on 36 graphs of RINGS", text)
        self.assertIn("node features: labels", text)
        self.assertIn("4 graphs are too few for an alarm rate of 0.05", text)

    def test_the_same_seed_gives_the_same_bytes(self):
        models = []
        for name, seed, threads in [("a", 7, 1), ("b", 7, 3), ("c", 8, 1)]:
            self.sgood("fit", "RINGS", "-o", name, "--seed", seed, "--threads", threads, *QUICK)
            models.append((FOLDER / name).read_bytes())
        self.assertEqual(models[0], models[1])
        self.assertNotEqual(models[0], models[2])

    def test_labels_none_leaves_the_classes_out(self):
        text = self.sgood("fit", "RINGS", "-o", "none.sgood", "--labels", "none", *QUICK).stderr
        self.assertIn("no classes", text)
        row = self.rows("none.sgood", "STARS")[0]
        self.assertEqual((row["predicted"], row["probability"]), ("", ""))
        self.assertNotEqual(row["score"], "")

    @needs_molecules
    def test_measurements_and_names_are_no_classes(self):
        rows = [(name, smiles, f"{i / 10}") for i, (name, smiles, _) in
                enumerate(sample_data.molecules())]
        (FOLDER / "measured.csv").write_text(sample_data.csv_text(rows))
        self.assertFails(["fit", "measured.csv", "--labels", "kind", "-o", "m", *QUICK],
                         "60 classes for 60 graphs", "--labels none")
        few = [(name, smiles, str(i % 12)) for i, (name, smiles, _) in enumerate(rows)]
        (FOLDER / "few.csv").write_text(sample_data.csv_text(few))
        text = self.sgood("fit", "few.csv", "--labels", "kind", "-o", "few.sgood", *QUICK).stderr
        self.assertIn("only 5.0 graphs per class", text)

    @needs_molecules
    def test_a_threshold_makes_two_classes_of_measurements(self):
        rows = [(name, smiles, f"{i / 10}") for i, (name, smiles, _) in
                enumerate(sample_data.molecules())]
        (FOLDER / "assay.csv").write_text(sample_data.csv_text(rows))
        cut = ["--labels", "kind", "--label-threshold", "2"]
        text = self.sgood("fit", "assay.csv", *cut, "-o", "assay.sgood", *QUICK).stderr
        self.assertIn("2 classes: 0 (20), 1 (40)", text)
        self.assertFails(["fit", "assay.csv", "--label-threshold", "2", "-o", "m"], "label_threshold needs a label_column")
        (FOLDER / "one.jsonl").write_text('{"num_nodes": 1, "edges": []}\n')
        for data in ["RINGS", "one.jsonl"]:
            self.assertFails(["fit", data, "--label-threshold", "2", "-o", "m"], "label_threshold is for molecules")

    @needs_molecules
    def test_unreadable_rows_fail_unless_skipped(self):
        bad = sample_data.csv_text(sample_data.molecules()) + "".join(
            f"bad{i},C1CC,acid\n" for i in range(7))
        (FOLDER / "bad.csv").write_text(bad)
        fit = ["fit", "bad.csv", "--labels", "kind", "-o", "bad.sgood", *QUICK]
        error = self.assertFails(fit, "7 of 67 rows", "bad.csv:62", "--on-error skip")
        self.assertEqual(error.count("unclosed ring"), 5, "the first five are shown")
        self.assertFalse((FOLDER / "bad.sgood").exists())
        self.assertIn("7 rows left out", self.sgood(*fit, "--on-error", "skip").stderr)

    @needs_molecules
    def test_rows_without_a_class_fail_unless_skipped(self):
        text = sample_data.csv_text(sample_data.molecules()) + "plain,CCCC,\n"
        (FOLDER / "gap.csv").write_text(text)
        fit = ["fit", "gap.csv", "--labels", "kind", "-o", "gap.sgood", *QUICK]
        self.assertFails(fit, "1 of 61 graphs have no class", "--on-error skip", "--labels none")
        said = self.sgood(*fit, "--on-error", "skip").stderr
        self.assertIn("1 graphs without a class left out", said)
        self.assertIn("60 graphs, 2 classes: acid (30), amine (30)", said)

    def test_other_data_can_calibrate(self):
        text = self.sgood("fit", "RINGS", "--calibration", "RINGS", "-o", "cal.sgood", *QUICK).stderr
        self.assertIn("trained on 40 graphs", text)
        self.assertIn("40 graphs for threshold", text)


class Eval(ToolTest):
    ARGUMENTS = ["eval", "rings.sgood", "--id", "RINGS", "--ood", "STARS"]

    def test_a_table_for_people(self):
        text = self.sgood(*self.ARGUMENTS).stdout
        self.assertIn("40 in distribution, 10 out of distribution", text)
        for line in ["AUROC", "AUPR", "FPR95", "class accuracy", "false alarms", "detected"]:
            self.assertRegex(text, rf"(?m)^{line} .*\d %")

    def test_json_in_percent_agrees_with_the_scores(self):
        result = json.loads(self.sgood(*self.ARGUMENTS, "--json").stdout)
        self.assertEqual((result["n_id"], result["n_ood"]), (40, 10))
        id_rows, ood_rows = self.rows("rings.sgood", "RINGS"), self.rows("rings.sgood", "STARS")
        wins = [(float(o["score"]) > float(i["score"])) + (o["score"] == i["score"]) / 2
                for o in ood_rows for i in id_rows]
        self.assertAlmostEqual(result["auroc"], 100 * sum(wins) / len(wins))
        right = [row["predicted"] == label for row, (_, label) in
                 zip(id_rows, sample_data.ring_graphs())]
        self.assertAlmostEqual(result["id_acc"], 100 * sum(right) / 40)
        self.assertAlmostEqual(result["detected"],
                               100 * sum(row["is_ood"] == "true" for row in ood_rows) / 10)

    def test_classes_that_the_model_does_not_know_are_no_mistakes(self):
        others = [(edges, "7") for edges, _ in sample_data.ring_graphs()]
        sample_data.write_tu(FOLDER / "OTHERS", others)
        result = self.sgood("eval", "rings.sgood", "--id", "OTHERS", "--ood", "STARS", "--json")
        self.assertNotIn("id_acc", json.loads(result.stdout))
        self.assertIn("leaves out 40 graphs", result.stderr)

    @needs_molecules
    def test_data_without_a_readable_graph_is_an_error(self):
        (FOLDER / "open.smi").write_text("C1CC open\n")
        self.assertFails(["eval", "mol.sgood", "--id", "train.csv", "--ood", "open.smi"],
                         "open.smi has no graph that can be read")

    @unittest.skipUnless(shutil.which("gnuplot"), "needs gnuplot")
    def test_plots(self):
        for name, start in [("scores.svg", b"<?xml"), ("scores.png", b"\x89PNG")]:
            self.sgood(*self.ARGUMENTS, "--plot", name)
            self.assertTrue((FOLDER / name).read_bytes().startswith(start))
        self.assertFails([*self.ARGUMENTS, "--plot", "scores.pdf"], "scores.pdf", ".svg or .png")


class Info(ToolTest):
    def test_of_a_model(self):
        text = self.sgood("info", "rings.sgood").stdout
        self.assertIn("trained_on: 20 graphs of RINGS", text)
        about = json.loads(self.sgood("info", "rings.sgood", "--json").stdout)
        self.assertEqual(about["method"], "sgood")
        self.assertEqual(about["classes"], ["1", "2"])
        self.assertEqual(about["calibration_graphs"], 20)
        self.assertEqual(about["options"]["pretrain_epochs"], 2)

    def test_a_zip_without_a_folder_for_temporary_files_is_an_error_that_says_so(self):
        with zipfile.ZipFile(FOLDER / "RINGS.zip", "w") as packed:
            for file in (FOLDER / "RINGS").iterdir():
                packed.write(file, f"RINGS/{file.name}")
        self.assertIn("graphs: 40", self.sgood("info", "RINGS.zip").stdout)
        result = self.sgood("info", "RINGS.zip", code=1, env={**os.environ, "TMPDIR": "/nowhere"})
        self.assertIn("TMPDIR", result.stderr)

    def test_of_a_tu_folder(self):
        about = json.loads(self.sgood("info", "RINGS", "--json").stdout)
        self.assertEqual((about["rows"], about["graphs"]), (40, 40))
        self.assertEqual(about["classes"], {"1": 20, "2": 20})
        self.assertEqual(about["nodes"]["min"], 4)
        self.assertIn("graphs: 40", self.sgood("info", "RINGS").stdout)

    @needs_molecules
    def test_of_molecules(self):
        about = json.loads(self.sgood("info", "train.csv", "--labels", "kind", "--json").stdout)
        self.assertEqual(about["classes"], {"acid": 30, "amine": 30})
        self.assertEqual(about["unreadable_rows"], 0)
        self.assertEqual(len(about["node_labels"]), 9)


class Bench(ToolTest):
    ARGUMENTS = ["bench", "motif", "--seeds", "2", *QUICK]

    def test_json_in_percent_and_the_same_with_any_jobs(self):
        results = []
        for jobs in [1, 2]:
            text = self.sgood(*self.ARGUMENTS, "--json", "--jobs", jobs).stdout
            results.append(json.loads(text))
            self.assertEqual(len(text.splitlines()), 1, "one object a line")
        self.assertEqual(results[0]["suite"], "motif")
        self.assertEqual(results[0]["seeds"], [0, 1])
        self.assertEqual(results[0]["auroc"], results[1]["auroc"])
        self.assertTrue(50 < results[0]["auroc"]["mean"] <= 100)

    def test_a_table_and_files(self):
        text = self.sgood(*self.ARGUMENTS, "-o", "results/motif").stdout
        self.assertRegex(text, r"\| motif \| sgood \| 2 \|")
        kept = json.loads((FOLDER / "results/motif/motif-sgood.json").read_text())
        self.assertEqual(kept["method"], "sgood")
        self.assertEqual((FOLDER / "results/motif/table.md").read_text(), text)

    def test_data_that_is_missing_is_named(self):
        with self.workspace() as empty:
            self.assertFails(["bench", "enzymes", "--data-root", empty], str(empty), "ENZYMES")

    def test_a_part_of_an_experiment_becomes_a_page(self):
        with self.workspace() as folder:
            text = self.sgood("bench", "--experiment", "audit", "enzymes", "--seeds", "1", "-o", folder,
                              "--data-root", folder, code=1).stderr
            self.assertIn("ENZYMES", text)
            self.sgood("bench", "motif", "--seeds", "1", *QUICK, "-o", folder)
            self.sgood("report", folder, "-o", folder / "page")
            self.assertIn("<html", (folder / "page/index.html").read_text())
            self.assertFails(["report", folder / "page", "-o", folder], "runs.jsonl", "sgood bench")
