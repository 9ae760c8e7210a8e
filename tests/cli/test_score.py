# SPDX-License-Identifier: MIT
"""What score answers, row by row."""

import csv
import gzip
import io
import json
import random

import sample_data
from tool import FOLDER, QUICK, WITH_MOLECULES, ToolTest, needs_molecules


class BatchTest(ToolTest):
    def answer(self, *arguments):
        text = self.sgood("score", "rings.sgood", *arguments, "--batch-test").stdout
        rows = list(csv.DictReader(io.StringIO(text)))
        self.assertEqual(len(rows), 1)
        return rows[0]

    def test_one_p_value_for_the_file_tells_other_graphs_from_like_ones(self):
        same, other = self.answer("RINGS"), self.answer("STARS")
        self.assertGreater(float(same["p_value"]), 0.05)
        self.assertLess(float(other["p_value"]), 0.001)
        flagged = sum(row["is_ood"] == "true" for row in self.rows("rings.sgood", "STARS"))
        self.assertEqual((int(other["flagged"]), int(other["graphs"]), other["unreadable"]),
                         (flagged, len(self.rows("rings.sgood", "STARS")), "0"))

    def test_json_and_words(self):
        result = self.sgood("score", "rings.sgood", "STARS", "--batch-test", "--format", "jsonl")
        answer = json.loads(result.stdout)
        self.assertEqual(set(answer), {"graphs", "unreadable", "p_value", "flagged",
                                       "estimated_ood_share"})
        self.assertIn("more unusual than the training data", result.stderr)

    def test_it_does_not_go_with_rows(self):
        for option in ["--batch", "--resume"]:
            self.assertFails(["score", "rings.sgood", "RINGS", "--batch-test", option],
                             "--batch-test", code=2)


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

    @needs_molecules
    def test_a_model_of_brics_fragments_finds_them_in_what_it_reads(self):
        self.sgood("fit", "train.csv", "--labels", "kind", "-o", "brics.sgood", "--validation", "0.5",
                   "--set", "partitioner=brics", *QUICK)
        self.assertEqual(len(self.rows("brics.sgood", "train.smi")), 60)
        self.sgood("eval", "brics.sgood", "--id", "train.smi", "--ood", "train.smi")
        self.assertFails(["score", "brics.sgood", "RINGS"], "no BRICS fragments", "another partitioner")
        self.assertFails(["fit", "RINGS", "-o", "m", "--set", "partitioner=brics"],
                         "no BRICS fragments", "another partitioner")

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
                         "awkward.csv:3", "unclosed ring", "--on-error")

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
