# SPDX-License-Identifier: MIT
"""The command-line tool as its users meet it: usage, results, errors, interrupts.

usage: cli_test.py SGOOD [--without-molecules] [unittest's arguments]
"""

import contextlib
import csv
import gzip
import io
import json
import os
import pathlib
import pty
import random
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import sample_data

QUICK = ["--set", "pretrain_epochs=2", "--set", "finetune_epochs=3"]
LONG = ["--set", "pretrain_epochs=500", "--set", "finetune_epochs=2000"]
HEADER = "id,score,p_value,is_ood,predicted,probability,error"
COMMANDS = ["fit", "score", "eval", "bench", "info", "list"]

SGOOD = None
WITH_MOLECULES = True
FOLDER = None

needs_molecules = unittest.skipUnless("--without-molecules" not in sys.argv, "built without RDKit")


def setUpModule():
    global FOLDER
    temporary = tempfile.TemporaryDirectory(prefix="sgood-cli-")
    unittest.addModuleCleanup(temporary.cleanup)
    FOLDER = pathlib.Path(temporary.name)
    sample_data.write_tu(FOLDER / "RINGS", sample_data.ring_graphs())
    sample_data.write_tu(FOLDER / "STARS", sample_data.star_graphs())
    sample_data.write_tu(FOLDER / "NINE", sample_data.ring_graphs(), label_columns=9)
    rows = sample_data.molecules()
    (FOLDER / "train.csv").write_text(sample_data.csv_text(rows))
    (FOLDER / "train.smi").write_text(sample_data.smi_text(rows))
    fit = ["--validation", "0.5", *QUICK]
    subprocess.run([SGOOD, "fit", "RINGS", "-o", "rings.sgood", *fit], cwd=FOLDER, check=True,
                   capture_output=True)
    if WITH_MOLECULES:
        subprocess.run([SGOOD, "fit", "train.csv", "--labels", "kind", "-o", "mol.sgood", *fit],
                       cwd=FOLDER, check=True, capture_output=True)


class ToolTest(unittest.TestCase):
    def sgood(self, *arguments, code=0, stdin="", **more):
        """Runs the tool in the folder of the samples; its streams as text."""
        result = subprocess.run([SGOOD, *map(str, arguments)], cwd=FOLDER, input=stdin, text=True,
                                stdout=more.pop("stdout", subprocess.PIPE), stderr=subprocess.PIPE,
                                timeout=300, **more)
        self.assertEqual(result.returncode, code, f"{arguments}: {result.stderr}")
        self.assertNotIn("\r", result.stderr, "progress belongs on a terminal only")
        return result

    def assertFails(self, arguments, *texts, code=1):
        """The command fails with one message that holds every one of `texts`."""
        result = self.sgood(*arguments, code=code)
        self.assertEqual(result.stdout, "")
        for text in texts:
            self.assertIn(text, result.stderr)
        return result.stderr

    def rows(self, *arguments, **more):
        """What `sgood score` answers, as a list of dictionaries."""
        text = self.sgood("score", *arguments, **more).stdout
        self.assertEqual(text.splitlines()[0], HEADER)
        return list(csv.DictReader(io.StringIO(text)))

    def on_terminal(self, *arguments, **more):
        tool = OnTerminal(*arguments, **more)
        self.addCleanup(tool.kill)
        return tool

    @contextlib.contextmanager
    def workspace(self):
        with tempfile.TemporaryDirectory(dir=FOLDER) as folder:
            yield pathlib.Path(folder)


class Help(ToolTest):
    def test_every_command_has_help_with_an_example(self):
        self.assertIn("Example:", self.sgood("--help").stdout)
        for command in COMMANDS:
            text = self.sgood(command, "--help").stdout
            self.assertIn(f"Usage: sgood {command}", text)
            self.assertRegex(text, f"Example: sgood {command} ")

    def test_the_main_help_names_commands_and_exit_codes(self):
        text = self.sgood("--help").stdout
        for word in [*COMMANDS, "130"]:
            self.assertIn(word, text)

    def test_version(self):
        self.assertRegex(self.sgood("--version").stdout, r"^sgood \d+\.\d+\.\d+\n$")


class Usage(ToolTest):
    def test_wrong_usage_ends_with_2_and_names_the_argument(self):
        for arguments, text in [
            ([], "a command"),
            (["fot", "RINGS"], "fot"),
            (["fit"], "data"),
            (["fit", "RINGS"], "--output"),
            (["fit", "RINGS", "-o", "m", "--sed", "3"], "--sed 3"),
            (["fit", "RINGS", "-o", "m", "--seed", "x"], "--seed"),
            (["fit", "RINGS", "-o", "m", "--threads", "0"], "--threads"),
            (["fit", "RINGS", "-o", "m", "--set", "tau"], "'tau' must have the form key=value"),
            (["fit", "RINGS", "-o", "m", "--on-error", "mark"], "--on-error"),
            (["score", "rings.sgood"], "data"),
            (["score", "rings.sgood", "RINGS", "--format", "xml"], "xml not in {csv,jsonl}"),
            (["eval", "rings.sgood", "--id", "RINGS"], "--ood"),
            (["bench"], "suites"),
            (["bench", "motif", "--seeds", "0"], "--seeds"),
            (["bench", "--experiment", "unseen-substructures", "--method", "sgood"], "--method"),
            (["info"], "path"),
            (["list", "colours"], "experiments"),
        ]:
            with self.subTest(arguments):
                error = self.assertFails(arguments, text, code=2)
                command = arguments[0] if arguments and arguments[0] in COMMANDS else ""
                self.assertIn(f"help: sgood {command}".rstrip() + " --help", error)

    def test_an_unknown_command_is_told_the_known_ones(self):
        self.assertFails(["fot"], *COMMANDS, code=2)

    def test_unknown_names_are_told_the_known_ones(self):
        for arguments, texts in [
            (["fit", "RINGS", "-o", "m", "--method", "foo"], ["'foo'", "sgood"]),
            (["fit", "RINGS", "-o", "m", "--set", "foo=1"], ["'foo'", "tau", "alpha"]),
            (["fit", "RINGS", "-o", "m", "--set", "backbone=foo"], ["'foo'", "gin", "sage"]),
            (["fit", "RINGS", "-o", "m", "--set", "tau=x"], ["'x'", "tau", "0.001"]),
            (["fit", "RINGS", "-o", "m", "--features", "foo"], ["'foo'", "degree", "constant"]),
            (["bench", "foo"], ["'foo'", "enzymes", "motif"]),
            (["bench", "motif", "--method", "foo"], ["'foo'", "sgood"]),
            (["bench", "--experiment", "foo"], ["'foo'", "unseen-substructures"]),
        ]:
            with self.subTest(arguments):
                self.assertFails(arguments, *texts)

    @needs_molecules
    def test_an_unknown_column_is_told_the_known_ones(self):
        for option in ["--labels", "--smiles", "--ids"]:
            self.assertFails(["fit", "train.csv", "-o", "m", option, "foo"],
                             "'foo'", "id, smiles, kind")

    def test_mistakes_show_before_the_data_is_read(self):
        self.assertFails(["fit", "missing", "-o", "m", "--method", "foo"], "method 'foo'")
        self.assertFails(["fit", "missing", "-o", "m", "--set", "foo=1"], "option 'foo'")
        self.assertFails(["fit", "missing", "-o", "no/m"], "no folder no")

    def test_options_with_values_may_stand_before_the_data(self):
        self.sgood("fit", *QUICK, "RINGS", "-o", "before.sgood")
        self.sgood("bench", *QUICK, "--seeds", "1", "--method", "sgood", "motif")

    def test_data_that_is_not_there_or_not_known_is_named(self):
        self.assertFails(["info", "missing.csv"], "missing.csv", "no such file")
        self.assertFails(["info", "."], ".", "TU folder")
        (FOLDER / "data.docx").write_text("x")
        self.assertFails(["fit", "data.docx", "-o", "m"], "data.docx", ".csv, .tsv or .smi")

    def test_a_tu_folder_has_no_columns_to_choose(self):
        for option in ["--labels", "--smiles", "--ids"]:
            self.assertFails(["fit", "RINGS", "-o", "m", option, "kind"], "no columns", option)


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
    def test_unreadable_rows_fail_unless_skipped(self):
        bad = sample_data.csv_text(sample_data.molecules()) + "".join(
            f"bad{i},C1CC,acid\n" for i in range(7))
        (FOLDER / "bad.csv").write_text(bad)
        fit = ["fit", "bad.csv", "--labels", "kind", "-o", "bad.sgood", *QUICK]
        error = self.assertFails(fit, "7 of 67 rows", "bad.csv:62", "--on-error skip")
        self.assertEqual(error.count("unclosed ring"), 5, "the first five are shown")
        self.assertFalse((FOLDER / "bad.sgood").exists())
        self.assertIn("7 rows left out", self.sgood(*fit, "--on-error", "skip").stderr)

    def test_other_data_can_calibrate(self):
        text = self.sgood("fit", "RINGS", "--calibration", "RINGS", "-o", "cal.sgood", *QUICK).stderr
        self.assertIn("trained on 40 graphs", text)
        self.assertIn("40 graphs for threshold", text)


class Score(ToolTest):
    def test_one_row_per_graph_in_input_order(self):
        rows = self.rows("rings.sgood", "RINGS")
        self.assertEqual([row["id"] for row in rows], [str(i) for i in range(1, 41)])
        for row in rows:
            self.assertEqual(row["error"], "")
            self.assertTrue(0 < float(row["p_value"]) <= 1)
            self.assertTrue(0.5 <= float(row["probability"]) <= 1)
            self.assertIn(row["is_ood"], ["true", "false"])
            self.assertIn(row["predicted"], ["1", "2"])
            self.assertGreaterEqual(float(row["score"]), 0)

    def test_a_higher_score_is_more_unusual(self):
        rows = self.rows("rings.sgood", "STARS") + self.rows("rings.sgood", "RINGS")
        rows.sort(key=lambda row: float(row["score"]))
        p_values = [float(row["p_value"]) for row in rows]
        self.assertEqual(p_values, sorted(p_values, reverse=True))
        self.assertEqual(rows[-1]["is_ood"], "true")

    def test_the_alarm_rate_decides_what_is_ood(self):
        for rate in ["0.1", "0.5"]:
            for row in self.rows("rings.sgood", "RINGS", "--alarm-rate", rate):
                self.assertEqual(row["is_ood"] == "true", float(row["p_value"]) <= float(rate))
        self.assertFails(["score", "rings.sgood", "RINGS", "--alarm-rate", "0"], "alarm_rate is 0")

    def test_threads_change_nothing(self):
        for model, data in [("rings.sgood", "RINGS"), ("mol.sgood", "train.smi")]:
            if data == "train.smi" and not WITH_MOLECULES:
                continue
            answers = {self.sgood("score", model, data, "--threads", n).stdout for n in [1, 2, 3]}
            self.assertEqual(len(answers), 1)

    @needs_molecules
    def test_the_order_of_rows_changes_nothing(self):
        rows = sample_data.molecules()
        straight = self.rows("mol.sgood", "train.smi")
        self.assertEqual([row["id"] for row in straight], [name for name, _, _ in rows])
        random.Random(1).shuffle(rows)
        (FOLDER / "shuffled.smi").write_text(sample_data.smi_text(rows))
        shuffled = self.rows("mol.sgood", "shuffled.smi")
        self.assertEqual([row["id"] for row in shuffled], [name for name, _, _ in rows])
        by_name = {row["id"]: row for row in straight}
        self.assertEqual(shuffled, [by_name[row["id"]] for row in shuffled])

    @needs_molecules
    def test_formats_of_molecules_agree(self):
        rows = sample_data.molecules()
        tsv = sample_data.csv_text(rows).replace(",", "\t")
        (FOLDER / "train.tsv").write_text(tsv)
        (FOLDER / "train2.csv.gz").write_bytes(gzip.compress(sample_data.csv_text(rows).encode()))
        expected = self.rows("mol.sgood", "train.smi")
        for name in ["train.csv", "train.tsv", "train2.csv.gz"]:
            self.assertEqual(self.rows("mol.sgood", name), expected, name)

    AWKWARD = [
        ("ethanol", "CCO"), ("open", "C1CC"), ("salt", "[Na+].[Cl-]"), ("methane", "C"),
        ("words", "not a molecule"), ("none", ""), ("quoted, name", "CCN"), ("carbon", "[C]"),
        ("valence", "C(C)(C)(C)(C)C"),
    ]
    UNREADABLE = {"open", "words", "none", "valence"}

    def awkward_csv(self):
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([("id", "smiles"), *self.AWKWARD])
        return text.getvalue()

    @needs_molecules
    def test_unreadable_rows_are_marked_in_their_place(self):
        rows = self.rows("mol.sgood", "-", stdin=self.awkward_csv())
        self.assertEqual([row["id"] for row in rows], [name for name, _ in self.AWKWARD])
        for row in rows:
            unreadable = row["id"] in self.UNREADABLE
            self.assertEqual(row["error"] != "", unreadable, row)
            for column in ["score", "p_value", "is_ood", "predicted", "probability"]:
                self.assertEqual(row[column] == "", unreadable, row)

    @needs_molecules
    def test_unreadable_rows_can_be_skipped_or_fail(self):
        (FOLDER / "awkward.csv").write_text(self.awkward_csv())
        rows = self.rows("mol.sgood", "awkward.csv", "--on-error", "skip")
        self.assertEqual([row["id"] for row in rows],
                         [name for name, _ in self.AWKWARD if name not in self.UNREADABLE])
        self.assertFails(["score", "mol.sgood", "awkward.csv", "--on-error", "fail"],
                         "4 of 9 rows", "awkward.csv:3", "unclosed ring")

    @needs_molecules
    def test_blank_lines_are_no_rows_and_are_reported(self):
        (FOLDER / "blank.smi").write_text("CCO a\n\nC1CC b\n   \nCCN c\n")
        result = self.sgood("score", "mol.sgood", "blank.smi")
        self.assertEqual([line.split(",")[0] for line in result.stdout.splitlines()],
                         ["id", "a", "b", "c"])
        self.assertIn("blank lines skipped: 2", result.stderr)
        self.assertIn("1 rows could not be read", result.stderr)

    @needs_molecules
    def test_rows_without_names_are_called_by_their_position(self):
        rows = self.rows("mol.sgood", "-", stdin="smiles\nCCO\nC1CC\nCCN\n")
        self.assertEqual([row["id"] for row in rows], ["0", "1", "2"])

    @needs_molecules
    def test_jsonl_says_the_same_as_csv(self):
        stdin = self.awkward_csv()
        text = self.sgood("score", "mol.sgood", "-", "--format", "jsonl", stdin=stdin).stdout
        objects = [json.loads(line) for line in text.splitlines()]
        rows = self.rows("mol.sgood", "-", stdin=stdin)
        self.assertEqual(len(objects), len(rows))
        for made, row in zip(objects, rows):
            self.assertEqual((made["id"], made.get("error", "")), (row["id"], row["error"]))
            if "score" in made:
                self.assertEqual(made["score"], float(row["score"]))
                self.assertAlmostEqual(made["p_value"], float(row["p_value"]), places=5)
                self.assertEqual(made["is_ood"], row["is_ood"] == "true")
                self.assertEqual(made["predicted"], row["predicted"])

    @needs_molecules
    def test_data_without_rows_gives_a_header_alone(self):
        (FOLDER / "empty.smi").write_text("")
        self.assertEqual(self.rows("mol.sgood", "empty.smi"), [])

    def test_graphs_of_another_kind_are_refused_in_plain_words(self):
        error = self.assertFails(["score", "rings.sgood", "NINE"], "NINE does not fit the model",
                                 "trained on 20 graphs of RINGS", "9 node labels", "have 1")
        self.assertNotIn("internal", error)

    @needs_molecules
    def test_molecules_and_other_graphs_do_not_mix(self):
        self.assertFails(["score", "mol.sgood", "RINGS"], "RINGS does not fit", "train.csv")
        self.assertFails(["score", "rings.sgood", "train.csv"], "train.csv does not fit", "RINGS")

    def test_a_file_that_is_no_model_is_told_so(self):
        whole = (FOLDER / "rings.sgood").read_bytes()
        for name, contents in [
            ("short.sgood", whole[:len(whole) // 2]),
            ("tiny.sgood", whole[:5]),
            ("empty.sgood", b""),
            ("text.sgood", b"id,smiles\n1,CCO\n" * 50),
            ("altered.sgood", whole[:-8] + bytes(8)),
        ]:
            with self.subTest(name):
                (FOLDER / name).write_bytes(contents)
                for command in [["score", name, "RINGS"], ["info", name]]:
                    self.assertFails(command, name, "model")
        self.assertFails(["score", "missing.sgood", "RINGS"], "missing.sgood", "no such file")


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


class List(ToolTest):
    def test_text_and_json_name_the_same(self):
        for what, known in [("methods", "sgood"), ("suites", "enzymes"), ("encoders", "gin"),
                            ("partitioners", "modularity"), ("experiments", "unseen-substructures"),
                            ("augmentations", "identity")]:
            rows = json.loads(self.sgood("list", what, "--json").stdout)
            names = [row["name"] for row in rows]
            self.assertIn(known, names)
            lines = self.sgood("list", what).stdout.splitlines()
            self.assertEqual([line.split()[0] for line in lines if not line.startswith(" ")], names)
            self.assertTrue(all(row["summary"] for row in rows))

    def test_methods_describe_their_options(self):
        rows = json.loads(self.sgood("list", "methods", "--json").stdout)
        options = {row["name"]: row for row in rows}["sgood"]["options"]
        tau = {option["name"]: option for option in options}["tau"]
        self.assertEqual(tau["default"], 0.2)
        self.assertTrue(tau["help"] and tau["legal"])


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


class Output(ToolTest):
    def test_a_file_holds_what_standard_output_would(self):
        result = self.sgood("score", "rings.sgood", "RINGS", "-o", "scores.csv")
        self.assertEqual(result.stdout, "")
        self.assertEqual((FOLDER / "scores.csv").read_text(),
                         self.sgood("score", "rings.sgood", "RINGS").stdout)

    def test_a_folder_that_does_not_exist_fails_at_once_and_leaves_nothing(self):
        for arguments in [
            ["fit", "RINGS", "-o", "nowhere/x"],
            ["fit", "RINGS", "-o", "m.sgood", "--checkpoint", "nowhere/x"],
            ["score", "rings.sgood", "RINGS", "-o", "nowhere/x"],
            ["eval", "rings.sgood", "--id", "RINGS", "--ood", "STARS", "-o", "nowhere/x"],
            ["eval", "rings.sgood", "--id", "RINGS", "--ood", "STARS", "--plot", "nowhere/x.svg"],
        ]:
            with self.subTest(arguments):
                before = sorted(FOLDER.iterdir())
                self.assertFails(arguments, "nowhere/x", "cannot be written")
                self.assertEqual(sorted(FOLDER.iterdir()), before)

    def test_input_is_never_overwritten(self):
        before = (FOLDER / "rings.sgood").read_bytes()
        self.assertFails(["score", "rings.sgood", "RINGS", "-o", "./rings.sgood"], "./rings.sgood")
        self.assertFails(["fit", "RINGS", "-o", "RINGS"], "RINGS")
        self.assertEqual((FOLDER / "rings.sgood").read_bytes(), before)

    def test_a_model_does_not_go_to_standard_output(self):
        self.assertFails(["fit", "RINGS", "-o", "-"], "standard output")

    @unittest.skipUnless(os.path.exists("/dev/full"), "needs /dev/full")
    def test_a_full_disk_is_an_error(self):
        self.assertFails(["score", "rings.sgood", "RINGS", "-o", "/dev/full"], "/dev/full",
                         "No space left")
        for arguments in [["score", "rings.sgood", "RINGS"], ["info", "RINGS"],
                          ["list", "methods"]]:
            with open("/dev/full", "w") as full:
                result = self.sgood(*arguments, code=1, stdout=full)
            self.assertIn("standard output cannot be written", result.stderr)

    def test_a_reader_that_goes_away_is_no_error(self):
        for arguments in [["score", "rings.sgood", "RINGS"], ["list", "methods"]]:
            reader, writer = os.pipe()
            os.close(reader)
            with os.fdopen(writer, "w") as closed:
                result = self.sgood(*arguments, stdout=closed)
            self.assertNotIn("written", result.stderr)


class OnTerminal:
    """The tool with standard error on a pseudo-terminal of its own."""

    def __init__(self, *arguments, **more):
        self.fd, child = pty.openpty()
        self.process = subprocess.Popen([SGOOD, *arguments], cwd=FOLDER, stderr=child,
                                        stdout=subprocess.DEVNULL, **more)
        os.close(child)
        self.text = ""

    def read(self, until=None, timeout=100):
        """Reads on until the text matches `until`, or to the end; True when it matched."""
        end = time.monotonic() + timeout
        while until is None or not re.search(until, self.text):
            if not select.select([self.fd], [], [], max(0, end - time.monotonic()))[0]:
                raise TimeoutError(f"no {until!r} in {self.text[-500:]!r}")
            try:
                chunk = os.read(self.fd, 65536)
            except OSError:  # how a pseudo-terminal ends
                chunk = b""
            if not chunk:
                return False
            self.text += chunk.decode()
        return True

    def end(self, send=None):
        """Sends a signal if told to, reads the rest and gives the exit status."""
        if send is not None:
            self.process.send_signal(send)
        self.read()
        return self.process.wait(timeout=300)

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.fd)


class Terminal(ToolTest):
    def test_progress_with_time_left_that_is_removed_at_the_end(self):
        tool = self.on_terminal("fit", "RINGS", "-o", "progress.sgood", *LONG, "--set", "width=64")
        self.assertEqual(tool.end(), 0)
        self.assertIn("reading RINGS", tool.text)
        self.assertRegex(tool.text, r"pre-training \[#*\.+\] \d+/2500")
        self.assertRegex(tool.text, r"fine-tuning \[#+\.*\] \d+/2500, (\d+ min )?\d+ s left  loss \d")
        shown = tool.text.split("\r\x1b[K")
        self.assertIn("wrote progress.sgood", shown[-1])


class Interrupt(ToolTest):
    def fit(self, output):
        return self.on_terminal("fit", "RINGS", "-o", output, *LONG)

    def test_ctrl_c_keeps_the_training_and_the_same_command_finishes_it(self):
        tool = self.fit("stopped.sgood")
        self.assertTrue(tool.read("fine-tuning"))
        self.assertEqual(tool.end(signal.SIGINT), 130)
        self.assertIn("stopped.sgood.checkpoint", tool.text)
        self.assertIn("The same command again goes on from there", tool.text)
        self.assertTrue((FOLDER / "stopped.sgood.checkpoint").exists())
        self.assertFalse((FOLDER / "stopped.sgood").exists())

        again = self.fit("stopped.sgood")
        self.assertEqual(again.end(), 0)
        self.assertIn("taking up the training kept in stopped.sgood.checkpoint", again.text)
        self.assertFalse((FOLDER / "stopped.sgood.checkpoint").exists())

        self.sgood("fit", "RINGS", "-o", "whole.sgood", *LONG)
        self.assertEqual((FOLDER / "stopped.sgood").read_bytes(),
                         (FOLDER / "whole.sgood").read_bytes())

    def test_a_checkpoint_of_another_run_is_refused(self):
        tool = self.fit("other.sgood")
        self.assertTrue(tool.read("pre-training"))
        self.assertEqual(tool.end(signal.SIGINT), 130)
        self.assertFails(["fit", "RINGS", "-o", "other.sgood", "--seed", "5", *LONG],
                         "other.sgood.checkpoint", "belongs to other data, options or seed")

    def test_killing_it_leaves_the_old_model_and_no_half_written_one(self):
        with self.workspace() as folder:
            old = (FOLDER / "rings.sgood").read_bytes()
            (folder / "m.sgood").write_bytes(old)
            tool = self.fit(str(folder / "m.sgood"))
            self.assertTrue(tool.read("pre-training"))
            self.assertEqual(tool.end(signal.SIGKILL), -signal.SIGKILL)
            self.assertEqual([path.name for path in folder.iterdir()], ["m.sgood"])
            self.assertEqual((folder / "m.sgood").read_bytes(), old)

    def test_a_second_ctrl_c_ends_at_once(self):
        tool = self.fit("twice.sgood")
        self.assertTrue(tool.read("pre-training"))
        tool.process.send_signal(signal.SIGINT)
        self.assertEqual(tool.end(signal.SIGINT), 130)

    @needs_molecules
    def test_ctrl_c_while_waiting_for_input_ends_at_once(self):
        for arguments in [["score", "mol.sgood", "-"], ["fit", "-", "-o", "waiting.sgood"]]:
            tool = self.on_terminal(*arguments, stdin=subprocess.PIPE)
            self.assertTrue(tool.read("reading -"))
            self.assertEqual(tool.end(signal.SIGINT), 130)
            tool.process.stdin.close()
            self.assertIn("sgood: stopped", tool.text)
            self.assertNotIn("goes on from there", tool.text)

    def test_ctrl_c_ends_a_benchmark_at_once(self):
        with self.workspace() as folder:
            tool = self.on_terminal("bench", "motif", "--seeds", "1", "--set", "pretrain_epochs=100000",
                              "-o", str(folder))
            self.assertTrue(tool.read("motif"))
            self.assertEqual(tool.end(signal.SIGINT), 130)
            self.assertEqual(list(folder.iterdir()), [])


if __name__ == "__main__":
    arguments = sys.argv[1:]
    WITH_MOLECULES = "--without-molecules" not in arguments
    arguments = [argument for argument in arguments if argument != "--without-molecules"]
    if not arguments:
        sys.exit(__doc__)
    SGOOD = os.path.abspath(arguments[0])
    unittest.main(argv=[sys.argv[0], *arguments[1:]])
