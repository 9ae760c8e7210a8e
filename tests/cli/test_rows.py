# SPDX-License-Identifier: MIT
"""Rows on their way in and out: JSON Lines, convert, and score that was stopped."""

import json
import signal
import subprocess

import tool
from tool import FOLDER, ToolTest, needs_molecules


class Convert(ToolTest):
    def test_a_converted_folder_scores_like_the_folder(self):
        with self.workspace() as folder:
            lines = folder / "rings.jsonl"
            self.sgood("convert", "RINGS", "-o", lines)
            first = json.loads(lines.read_text().splitlines()[0])
            self.assertEqual(first["id"], "1")
            self.assertEqual(len(first["node_labels"]), first["num_nodes"])
            self.assertEqual(self.rows("rings.sgood", lines), self.rows("rings.sgood", "RINGS"))
            text = lines.read_text()
        self.assertEqual(self.rows("rings.sgood", "-", "--input-format", "jsonl", stdin=text),
                         self.rows("rings.sgood", "RINGS"))

    def test_a_model_can_be_fitted_on_json_lines(self):
        with self.workspace() as folder:
            self.sgood("convert", "RINGS", "-o", folder / "rings.jsonl")
            result = self.sgood("fit", folder / "rings.jsonl", "-o", folder / "m.sgood", *tool.QUICK)
            self.assertIn("40 graphs, 2 classes", result.stderr)

    @needs_molecules
    def test_rows_that_cannot_be_read_stop_it_or_are_left_out(self):
        with self.workspace() as folder:
            (folder / "bad.smi").write_text("CCO a\nC1CC b\n")
            self.sgood("convert", folder / "bad.smi", "-o", folder / "out.jsonl", code=1)
            self.assertFalse((folder / "out.jsonl").exists())
            result = self.sgood("convert", folder / "bad.smi", "--on-error", "skip")
            self.assertEqual(len(result.stdout.splitlines()), 1)
            self.assertIn("1 rows left out", result.stderr)


class Resume(ToolTest):
    def many_rings(self, folder, copies):
        self.sgood("convert", "RINGS", "-o", folder / "one.jsonl")
        (folder / "many.jsonl").write_text((folder / "one.jsonl").read_text() * copies)
        return folder / "many.jsonl"

    def test_a_stopped_score_goes_on_and_ends_with_the_same_file(self):
        for form in ["csv", "jsonl"]:
            with self.workspace() as folder:
                data = self.many_rings(folder, 2000)
                whole, parts = folder / "whole", folder / "parts"
                self.sgood("score", "rings.sgood", data, "-o", whole, "--format", form)
                arguments = ["score", "rings.sgood", str(data), "-o", str(parts), "--format", form]
                running = self.on_terminal(*arguments)
                self.assertTrue(running.read("scoring"))
                self.assertEqual(running.end(signal.SIGINT), 130)
                self.assertIn("--resume", running.text)
                self.assertFalse(parts.exists())
                part = folder / "parts.part"
                kept = part.read_text()
                self.assertTrue(whole.read_text().startswith(kept))
                self.assertLess(len(kept), len(whole.read_text()))
                part.write_text(kept[:-5])  # as after a power cut in the middle of a row
                self.sgood(*arguments, "--resume")
                self.assertEqual(parts.read_text(), whole.read_text())
                self.assertFalse(part.exists())

    def test_a_reader_that_has_seen_enough_is_no_failure(self):
        with self.workspace() as folder:
            data = self.many_rings(folder, 500)
            score = subprocess.Popen([tool.SGOOD, "score", "rings.sgood", str(data)], cwd=FOLDER,
                                     stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            score.stdout.readline()
            score.stdout.close()
            self.assertEqual(score.stderr.read(), "")
            self.assertEqual(score.wait(60), 0)

    def test_resume_does_not_go_with_rows_left_out(self):
        self.assertFails(["score", "rings.sgood", "RINGS", "--resume", "--on-error", "skip"], "--resume")
