# SPDX-License-Identifier: MIT
"""What the tests of the command-line tool share: the program, its sample data, ways to run it."""

import contextlib
import csv
import io
import os
import pathlib
import pty
import re
import select
import subprocess
import tempfile
import time
import unittest

import sample_data

QUICK = ["--set", "pretrain_epochs=2", "--set", "finetune_epochs=3"]
LONG = ["--set", "pretrain_epochs=500", "--set", "finetune_epochs=4000"]
ENDLESS = ["--set", "pretrain_epochs=500", "--set", "finetune_epochs=1000000"]
HEADER = "id,score,p_value,is_ood,predicted,probability,error"
COMMANDS = ["fit", "score", "convert", "eval", "explain", "bench", "report", "fetch", "info", "list",
            "complete", "manual"]

SGOOD = None
FOLDER = None
WITH_MOLECULES = True


def prepare(program, folder, with_molecules):
    """Takes the program's path and fills `folder` with samples and a model of each kind."""
    global SGOOD, FOLDER, WITH_MOLECULES
    SGOOD, FOLDER, WITH_MOLECULES = program, pathlib.Path(folder), with_molecules
    sample_data.write_tu(FOLDER / "RINGS", sample_data.ring_graphs())
    sample_data.write_tu(FOLDER / "STARS", sample_data.star_graphs())
    sample_data.write_tu(FOLDER / "NINE", sample_data.ring_graphs(), label_columns=9)
    rows = sample_data.molecules()
    (FOLDER / "train.csv").write_text(sample_data.csv_text(rows))
    (FOLDER / "train.smi").write_text(sample_data.smi_text(rows))
    fits = [["RINGS", "-o", "rings.sgood"]]
    if with_molecules:
        fits.append(["train.csv", "--labels", "kind", "-o", "mol.sgood"])
    for fit in fits:
        subprocess.run([SGOOD, "fit", *fit, "--validation", "0.5", *QUICK], cwd=FOLDER, check=True)


def needs_molecules(test):
    return unittest.skipUnless(WITH_MOLECULES, "built without RDKit")(test)


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


class OnTerminal:
    """The tool with standard error on a pseudo-terminal of its own."""

    def __init__(self, *arguments, **more):
        self.fd, child = pty.openpty()
        self.process = subprocess.Popen([SGOOD, *arguments], cwd=FOLDER, stderr=child,
                                        stdout=subprocess.DEVNULL, **more)
        os.close(child)
        self.text = ""

    def read(self, until=None, timeout=300):
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
