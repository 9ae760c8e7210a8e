# SPDX-License-Identifier: MIT
"""score --features: arrays that another program has computed, in place of a model and graphs."""

import json
import math
import random
import struct

from tool import FOLDER, ToolTest


def write_npy(name, rows, kind="<f8", code="d"):
    """A list of rows, or of numbers, as NumPy would write it."""
    table = isinstance(rows[0], (list, tuple))
    flat = [value for row in rows for value in row] if table else rows
    shape = f"({len(rows)}, {len(rows[0])})" if table else f"({len(rows)},)"
    header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}".encode() + b"\n"
    (FOLDER / name).write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header +
                                struct.pack(f"<{len(flat)}{code}", *flat))


def blobs(count, seed, height=6):
    """Rows near one of three axes."""
    draw = random.Random(seed)
    return [[draw.gauss(0, 1) + (height if c == i % 3 else 0) for c in range(3)]
            for i in range(count)]


def msp(row):
    return math.log(sum(math.exp(v - max(row)) for v in row))


class ScoreArrays(ToolTest):
    METHODS = ["msp", "energy", "mahalanobis", "relative-mahalanobis", "knn"]

    def setUp(self):
        write_npy("train.npy", blobs(120, 1))
        write_npy("y.npy", [i % 3 for i in range(120)], "<i8", "q")
        write_npy("cal.npy", blobs(50, 2))
        write_npy("test.npy", blobs(30, 3) + blobs(30, 4, height=0))

    def arrays(self, *more, **options):
        return self.rows("--features", "train.npy", "--labels", "y.npy", "--test", "test.npy",
                         *more, **options)

    def test_one_row_per_row_in_order_whatever_the_method(self):
        for method in self.METHODS:
            with self.subTest(method):
                rows = self.arrays("--method", method, "--calibration", "cal.npy")
                self.assertEqual([row["id"] for row in rows], [str(i) for i in range(60)])
                flagged = [row["is_ood"] == "true" for row in rows]
                self.assertGreater(sum(flagged[30:]), 10 + sum(flagged[:30]))
                for row in rows:
                    self.assertEqual(row["is_ood"] == "true", float(row["p_value"]) <= 0.05)
                    self.assertEqual(row["predicted"] != "", method in ["msp", "energy"])

    def test_scores_and_p_values_are_those_of_the_formula(self):
        rows = self.arrays("--method", "msp", "--calibration", "cal.npy")
        held_out = [msp(row) for row in blobs(50, 2)]
        for row, logits in zip(rows, blobs(30, 3) + blobs(30, 4, height=0)):
            self.assertAlmostEqual(float(row["score"]), msp(logits), places=12)
            p = (1 + sum(score >= msp(logits) for score in held_out)) / 51
            self.assertAlmostEqual(float(row["p_value"]), p, places=5)
            self.assertEqual(row["predicted"], str(logits.index(max(logits))))
            self.assertAlmostEqual(float(row["probability"]), math.exp(-msp(logits)), places=5)

    def test_too_few_rows_for_the_alarm_rate_are_told(self):
        command = ["score", "--features", "train.npy", "--labels", "y.npy", "--test", "test.npy"]
        self.assertIn("12 rows are too few for an alarm rate of 0.05", self.sgood(*command).stderr)
        self.assertNotIn("too few", self.sgood(*command, "--alarm-rate", "0.2").stderr)

    def test_options_threads_and_format(self):
        wide, narrow = (self.arrays("--method", "knn", "--set", f"k={k}") for k in [20, 1])
        for a, b in zip(wide, narrow):
            self.assertGreater(float(a["score"]), float(b["score"]))
        self.assertEqual(self.arrays(), self.arrays("--threads", "3"))
        self.assertNotEqual(self.arrays(), self.arrays("--seed", "1"))
        self.assertNotEqual(self.arrays(), self.arrays("--validation", "0.4"))
        text = self.sgood("score", "--features", "train.npy", "--labels", "y.npy", "--test",
                          "test.npy", "--format", "jsonl", "-o", "-").stdout
        for made, row in zip(map(json.loads, text.splitlines()), self.arrays()):
            self.assertEqual(made["score"], float(row["score"]))

    def test_classes_are_needed_only_where_they_are_used(self):
        for method in self.METHODS:
            command = ["score", "--features", "train.npy", "--test", "test.npy", "--method", method]
            if method.endswith("mahalanobis"):
                self.assertFails(command, f"{method} needs the class of every training row")
            else:
                self.sgood(*command)

    def test_rows_that_are_not_finite_are_marked_skipped_or_fail(self):
        write_npy("test.npy", [[1.0, 2, 3], [math.nan, 0, 0], [4, math.inf, 0], [0, 0, 9]])
        rows = self.arrays()
        self.assertEqual([row["id"] for row in rows], ["0", "1", "2", "3"])
        self.assertIn("column 0 is nan", rows[1]["error"])
        self.assertIn("column 1 is inf", rows[2]["error"])
        self.assertEqual([row["score"] == "" for row in rows], [False, True, True, False])
        self.assertEqual([row["id"] for row in self.arrays("--on-error", "skip")], ["0", "3"])
        command = ["score", "--features", "train.npy", "--labels", "y.npy", "--test", "test.npy"]
        self.assertFails([*command, "--on-error", "fail"], "test.npy: 2 of 4 rows", "row 1")

    def test_training_rows_must_be_finite(self):
        write_npy("train.npy", blobs(119, 1) + [[math.nan, 1, 2]])
        command = ["score", "--features", "train.npy", "--test", "test.npy", "--method", "knn"]
        self.assertFails(command, "train.npy: 1 of 120 rows", "row 119")
        result = self.sgood(*command, "--on-error", "skip")
        self.assertIn("1 of 120 rows", result.stderr)

    def test_sizes_that_disagree_are_told(self):
        command = ["score", "--features", "train.npy", "--labels", "y.npy", "--test", "test.npy"]
        write_npy("y.npy", [0, 1, 2], "<i8", "q")
        self.assertFails(command, "y.npy", "3 classes", "120 training rows")
        write_npy("y.npy", [i / 2 for i in range(120)])
        self.assertFails(command, "class 1 is 0.5", "whole number")
        write_npy("y.npy", [i % 3 for i in range(120)], "<i4", "i")
        write_npy("test.npy", [[1.0, 2.0]])
        self.assertFails(command, "test.npy", "2 columns", "have 3")
        (FOLDER / "test.npy").write_text("1,2,3\n4,5,6\n7,8,9\n")
        self.assertFails(command, "test.npy: this is not a .npy file")
        self.assertFails([*command[:-1], "missing.npy"], "missing.npy", "no such file")

    def test_wrong_usage(self):
        for arguments in [["--features", "train.npy"], ["--test", "test.npy"], [],
                          ["rings.sgood", "RINGS", "--method", "knn"],
                          ["--features", "train.npy", "--test", "test.npy", "--method", "sgood"],
                          ["rings.sgood", "--features", "train.npy", "--test", "test.npy"]]:
            self.sgood("score", *arguments, code=2)
        self.assertFails(["score", "--features", "train.npy", "--test", "test.npy", "--method",
                          "knn", "--set", "tau=1"], "no option 'tau'", "k, normalize")
