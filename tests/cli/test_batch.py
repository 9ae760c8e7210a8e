# SPDX-License-Identifier: MIT
"""score --batch: a ranking of all rows beside the answers on each."""

import csv
import io
import json
import random

import sample_data
from tool import FOLDER, HEADER, ToolTest


def trees(count, seed):
    """Random trees of 8 to 19 nodes."""
    rng = random.Random(seed)
    return [([(rng.randrange(v), v) for v in range(1, rng.randrange(8, 20))], "1") for _ in range(count)]


class Batch(ToolTest):
    @classmethod
    def setUpClass(cls):
        """Trees for training, others alone, and others with as many stars."""
        stars = 2 * sample_data.star_graphs()
        for name, graphs in [("TREES", trees(100, 1)), ("LIKE", trees(60, 2)),
                             ("MIXED", trees(20, 3) + stars)]:
            if not (FOLDER / name).exists():
                sample_data.write_tu(FOLDER / name, graphs)

    def setUp(self):
        if not (FOLDER / "density.sgood").exists():
            self.sgood("fit", "TREES", "-o", "density.sgood", "--method", "wl-density")

    def batch(self, data, *more, **streams):
        """What score --batch answers, and what it says of that."""
        result = self.sgood("score", "density.sgood", data, "--batch", *more, **streams)
        self.assertEqual(result.stdout.splitlines()[0], HEADER + ",batch_score")
        return list(csv.DictReader(io.StringIO(result.stdout))), result.stderr

    def test_only_with_batch_there_is_one_more_column(self):
        alone = self.rows("density.sgood", "MIXED")
        together, said = self.batch("MIXED")
        self.assertIn("depends on all of them", said)
        for row in together:
            self.assertTrue(0 < float(row.pop("batch_score")) < 1)
        self.assertEqual(together, alone)
        text = self.sgood("score", "density.sgood", "MIXED", "--batch", "--format", "jsonl").stdout
        objects = [json.loads(line) for line in text.splitlines()]
        self.assertEqual([f"{o['batch_score']}" for o in objects],
                         [row["batch_score"] for row in self.batch("MIXED")[0]])
        plain = self.sgood("score", "density.sgood", "MIXED", "--format", "jsonl").stdout
        self.assertNotIn("batch_score", plain)

    def test_a_batch_score_depends_on_all_rows_but_not_on_their_order(self):
        lines = self.sgood("convert", "MIXED").stdout.splitlines(keepends=True)
        stdin = ["--input-format", "jsonl"]
        forward, _ = self.batch("-", *stdin, stdin="".join(lines))
        backward, _ = self.batch("-", *stdin, "--threads", "2", stdin="".join(reversed(lines)))
        self.assertEqual(forward, backward[::-1])
        first, _ = self.batch("-", *stdin, stdin="".join(lines[:10]))
        for row, other in zip(first, forward):
            self.assertEqual(row["score"], other["score"])
        self.assertNotEqual([row["batch_score"] for row in first],
                            [row["batch_score"] for row in forward[:10]])

    def test_a_small_share_of_ood_rows_is_warned_of(self):
        _, said = self.batch("LIKE")
        self.assertIn("estimated share of OOD graphs: ", said)
        self.assertIn("warning", said)
        _, said = self.batch("MIXED")
        self.assertRegex(said, r"estimated share of OOD graphs: [3-7]\d %")
        self.assertNotIn("warning", said)

    def test_rows_that_cannot_be_read_take_no_part(self):
        lines = self.sgood("convert", "MIXED").stdout.splitlines(keepends=True)
        stdin = ["--input-format", "jsonl"]
        whole, _ = self.batch("-", *stdin, stdin="".join(lines))
        rows, said = self.batch("-", *stdin, stdin="".join(lines[:3] + ["{}\n"] + lines[3:]))
        self.assertIn("1 rows could not be read", said)
        self.assertEqual(rows[3]["batch_score"], "")
        self.assertEqual(rows[:3] + rows[4:], whole)

    def test_data_without_rows_has_a_header_alone(self):
        (FOLDER / "nothing.jsonl").write_text("")
        rows, said = self.batch("nothing.jsonl")
        self.assertEqual(rows, [])
        self.assertNotIn("share", said)

    def test_what_cannot_be_is_refused_before_any_row_is_read(self):
        self.assertFails(["score", "rings.sgood", "no-such-file", "--batch"],
                         "method 'sgood' has no batch scores", "wl-density")
        self.assertFails(["score", "density.sgood", "no-such-file", "--batch", "--resume"], "--resume")
        self.assertFails(["score", "--features", "x.npy", "--test", "y.npy", "--batch"], "--batch",
                         code=2)
        self.sgood("fit", "TREES", "-o", "sizes.sgood", "--method", "wl-density", "--set", "views=size")
        self.assertFails(["score", "sizes.sgood", "no-such-file", "--batch"], "views was 'size'")

    def test_bench_can_rank_by_it_and_names_it(self):
        arguments = ["bench", "motif", "--method", "wl-density", "--seeds", "2"]
        alone = json.loads(self.sgood(*arguments, "--json").stdout)
        batch = json.loads(self.sgood(*arguments, "--json", "--set", "batch=true").stdout)
        self.assertEqual((alone["options"]["batch"], batch["options"]["batch"]), (False, True))
        self.assertNotEqual(alone["auroc"]["values"], batch["auroc"]["values"])
        self.assertEqual(alone["detected"], batch["detected"])
        table = self.sgood(*arguments, "--set", "batch=true").stdout
        self.assertIn("wl-density, batch scores", table)
