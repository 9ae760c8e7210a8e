# SPDX-License-Identifier: MIT
"""Wrong usage, listings, and where output goes."""

import json
import os
import unittest

from tool import COMMANDS, FOLDER, QUICK, ToolTest, needs_molecules


class Usage(ToolTest):
    def test_wrong_usage_ends_with_2_and_names_the_argument(self):
        for arguments, text in [
            ([], "a command"),
            (["fot", "RINGS"], "fot"),
            (["fit"], "data"),
            (["fit", "RINGS"], "--output"),
            (["fit", "RINGS", "-o", "m", "--sed", "3"], "--sed 3"),
            (["fit", "RINGS", "-o", "m", "--seed", "x"], "--seed"),
            (["fit", "RINGS", "-o", "m", "--seed", "-1"], "--seed"),
            (["fit", "RINGS", "-o", "m", "--validation", "2"], "--validation"),
            (["fit", "RINGS", "-o", "m", "--alarm-rate", "-1"], "--alarm-rate"),
            (["fit", "RINGS", "-o", "m", "--threads", "0"], "--threads"),
            (["fit", "RINGS", "-o", "m", "--set", "tau"], "'tau' must have the form key=value"),
            (["fit", "RINGS", "-o", "m", "--on-error", "mark"], "--on-error"),
            (["score", "rings.sgood"], "data"),
            (["score", "rings.sgood", "RINGS", "--format", "xml"], "xml not in {csv,jsonl}"),
            (["eval", "rings.sgood", "--id", "RINGS"], "--ood"),
            (["bench"], "suites"),
            (["bench", "motif", "--seeds", "0"], "--seeds"),
            (["bench", "--experiment", "unseen-substructures", "--set", "tau=1"], "--set"),
            (["report", "results"], "--output"),
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
            (["fit", "RINGS", "-o", "m", "--set", "tau=x"], ["'x'", "tau", "0.02"]),
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
        self.assertFails(["fit", "data.docx", "-o", "m"], "data.docx", ".csv, .tsv, .smi or .sdf")

    def test_a_tu_folder_has_no_columns_to_choose(self):
        for option in ["--labels", "--smiles", "--ids"]:
            self.assertFails(["fit", "RINGS", "-o", "m", option, "kind"], "no columns", option)


class List(ToolTest):
    def test_text_and_json_name_the_same(self):
        for what, known in [("methods", "sgood"), ("suites", "enzymes"), ("encoders", "gin"), ("engines", "cpu"),
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
