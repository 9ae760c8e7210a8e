# SPDX-License-Identifier: MIT
"""The progress line, Ctrl-C, and being killed."""

import signal
import subprocess
import threading

from tool import ENDLESS, FOLDER, LONG, QUICK, SGOOD, ToolTest, needs_molecules


class Terminal(ToolTest):
    def test_progress_is_removed_at_the_end(self):
        tool = self.on_terminal("fit", "RINGS", "-o", "progress.sgood", *QUICK)
        self.assertEqual(tool.end(), 0)
        self.assertIn("reading RINGS", tool.text)
        self.assertRegex(tool.text, r"pre-training \[#*\.+\] \d/5")
        self.assertIn("wrote progress.sgood", tool.text.split("\r\x1b[K")[-1])

    def test_progress_tells_the_time_left(self):
        tool = self.on_terminal("fit", "RINGS", "-o", "endless.sgood", *ENDLESS)
        line = r"fine-tuning \[\.+\] \d+/1000500, (\d+ h )?(\d+ min )?(\d+ s )?left  loss \d"
        self.assertTrue(tool.read(line))
        self.assertEqual(tool.end(signal.SIGINT), 130)

    def test_a_log_gets_whole_lines_now_and_then(self):
        with subprocess.Popen([SGOOD, "fit", "RINGS", "-o", "logged.sgood", *ENDLESS], cwd=FOLDER,
                              stderr=subprocess.PIPE, text=True) as tool:
            timer = threading.Timer(60, tool.kill)
            timer.start()
            line = next((line for line in tool.stderr if "fine-tuning" in line), "")
            timer.cancel()
            tool.kill()
        self.assertRegex(line, r"^sgood: fine-tuning \d+/1000500, (\d+ h )?(\d+ min )?(\d+ s )?left  loss \d")


class Interrupt(ToolTest):
    def fit(self, output, epochs=ENDLESS):
        return self.on_terminal("fit", "RINGS", "-o", output, *epochs)

    def test_ctrl_c_keeps_the_training_and_the_same_command_finishes_it(self):
        tool = self.fit("stopped.sgood", LONG)
        self.assertTrue(tool.read("fine-tuning"))
        self.assertEqual(tool.end(signal.SIGINT), 130)
        self.assertIn("stopped.sgood.checkpoint", tool.text)
        self.assertIn("The same command again goes on from there", tool.text)
        self.assertTrue((FOLDER / "stopped.sgood.checkpoint").exists())
        self.assertFalse((FOLDER / "stopped.sgood").exists())

        again = self.fit("stopped.sgood", LONG)
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
        self.assertFails(["fit", "RINGS", "-o", "other.sgood", "--seed", "5", *ENDLESS],
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
            self.assertTrue(tool.read(r"motif \[\.+\] 0/1.* motif sgood seed 0.*: pre-training \d+/"))
            self.assertEqual(tool.end(signal.SIGINT), 130)
            self.assertEqual(list(folder.iterdir()), [])

    def test_a_killed_benchmark_goes_on_and_ends_with_the_same_table(self):
        def table(folder):
            lines = (folder / "table.md").read_text().splitlines()
            return [line.split("|")[:-2] for line in lines]  # all but the seconds

        arguments = ["bench", "motif", "--seeds", "6", "--set", "pretrain_epochs=5",
                     "--set", "finetune_epochs=20", "-o"]
        with self.workspace() as folder:
            self.sgood(*arguments, folder / "whole")
            tool = self.on_terminal(*arguments, str(folder / "killed"))
            self.assertTrue(tool.read(r"[12]/6"))
            self.assertEqual(tool.end(signal.SIGKILL), -signal.SIGKILL)
            runs = folder / "killed/runs.jsonl"
            kept = runs.read_bytes()
            self.assertTrue(1 <= kept.count(b"\n") < 6)
            runs.write_bytes(kept + kept[:100])  # as if it had been killed while writing
            self.sgood(*arguments, folder / "killed")
            self.assertTrue(runs.read_bytes().startswith(kept))
            self.assertEqual(runs.read_bytes().count(b"\n"), 6)
            self.assertEqual(table(folder / "killed"), table(folder / "whole"))
