# SPDX-License-Identifier: MIT
"""Files with defects: an error or a marked row that names file, line and cause; never a crash."""

import json
import re
import resource
import subprocess
import unittest

import malformed
import mutations
import tool
from tool import FOLDER, ToolTest, needs_molecules

MEMORY = 1 << 30  # bytes of address space
SECONDS = 10  # of the processor, so that a busy machine makes no difference
JARGON = re.compile(r"std::|basic_string|terminate|bad_alloc|exception|vector::|_M_|nlohmann|what\(\)"
                    r"|Violation|condition|filesystem|internal error|\.cpp|\.h:|Aborted")


def can_run_within(memory):
    """False for programs with sanitizers, which reserve address space without end."""
    limits = lambda: resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    return subprocess.run([tool.SGOOD, "--version"], preexec_fn=limits, capture_output=True).returncode == 0


class Malformed(ToolTest):
    @classmethod
    def setUpClass(cls):
        cls.limited = can_run_within(MEMORY)

    def limits(self):
        if self.limited:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    def answer(self, *arguments):
        """Exit status and all that the tool says, under the limits."""
        result = subprocess.run([tool.SGOOD, *map(str, arguments)], cwd=FOLDER, capture_output=True,
                                timeout=300, preexec_fn=self.limits)
        return result.returncode, result.stdout.decode(errors="replace"), result.stderr.decode(errors="replace")

    def check(self, name, arguments, texts):
        """The file called `name` is refused, or read with rows that are marked."""
        code, out, said = self.answer(*arguments)
        self.assertIn(code, [0, 1], f"ended by a signal or as wrong usage: {said[-300:]}")
        self.assertIsNone(JARGON.search(out + said), f"jargon: {(out + said)[-300:]}")
        if code == 1:
            self.assertTrue(said.startswith("sgood: "))
            self.assertIn(name, said)
            self.assertGreater(len(said), len(f"sgood: {name}: ") + 10, "no cause is told")
        elif arguments[0] == "score":
            for line in out.splitlines():
                row = json.loads(line)
                self.assertTrue((row.get("score") is None) == bool(row.get("error")), row)
                self.assertTrue(not row.get("error") or name in row["error"] or name.endswith(".npy"), row)
        for text in texts:
            text = f"{name}{text}" if re.match(r":\d+:$", text) else text
            self.assertIn(text, (out if code == 0 else "") + said, f"exit {code}")
        self.assertLess(len(said), 5000, "an error is for people")

    def write(self, ending, data):
        """A file of this ending, or the TU folder that `data` are the files of."""
        self.count = getattr(self, "count", 0) + 1
        name = f"bad{self.count}{'.' if ending else ''}{ending}"
        path = self.folder / name
        if isinstance(data, dict):
            path.mkdir()
            for part, text in data.items():
                (path / f"DS_{part}.txt").write_bytes(text)
        else:
            path.write_bytes(data)
        return path

    def check_data(self, model, ending, data, texts=()):
        path = self.write(ending, data)
        try:
            with self.subTest(file=path.name, data=str(data)[:100], texts=texts):
                self.check(path.name, ["score", model, path, "--format", "jsonl"], texts)
        finally:
            if path.is_file():
                path.unlink()

    def check_all(self, model, files):
        with self.workspace() as self.folder:
            for ending, data, texts in files:
                self.check_data(model, ending, data, texts)

    @needs_molecules
    def test_molecules(self):
        self.check_all("mol.sgood", malformed.molecule_files())

    @needs_molecules
    def test_sdf(self):
        self.check_all("mol.sgood", malformed.sdf_files())

    @needs_molecules
    def test_gzip(self):
        self.check_all("mol.sgood", malformed.packed_files())

    def test_json_lines(self):
        self.check_all("rings.sgood", malformed.line_files())

    def test_tu_folders_and_archives(self):
        sets = list(malformed.tu_files())
        self.check_all("rings.sgood", [("", files, texts) for files, texts in sets])
        self.check_all("rings.sgood", [("zip", malformed.zipped(files), texts) for files, texts in sets])
        self.check_all("rings.sgood", malformed.archive_files())

    def test_model_files(self):
        with self.workspace() as self.folder:
            for ending, data, texts in malformed.model_files():
                path = self.write(ending, data)
                with self.subTest(data=str(data)[:100]):
                    self.check(path.name, ["info", path], texts)

    def test_arrays(self):
        with self.workspace() as self.folder:
            good = self.write("npy", malformed.NPY)
            for ending, data, texts in malformed.array_files():
                path = self.write(ending, data)
                with self.subTest(data=str(data)[:100]):
                    self.check(path.name, self.array_command(path, good, "fail"), texts)

    @staticmethod
    def array_command(path, good, on_error):
        return ["score", "--features", good, "--test", path, "--method", "knn", "--validation", "0.5",
                "--format", "jsonl", "--on-error", on_error]

    def test_mutations_of_good_files(self):
        with self.workspace() as self.folder:
            array = self.write("npy", malformed.NPY)
            for ending, good in mutations.GOOD.items():
                molecules = ending.split(".")[0] in ["csv", "tsv", "smi", "sdf"]
                if molecules and not tool.WITH_MOLECULES:
                    continue
                for data in mutations.mutations(ending, good, 15):
                    path = self.write(ending, data)
                    with self.subTest(data=str(data)[:400], ending=ending):
                        model = "mol.sgood" if molecules else "rings.sgood"
                        self.check(path.name, self.array_command(path, array, "mark") if ending == "npy" else
                                   ["score", model, path, "--format", "jsonl"], [])

    def test_mutations_of_tu_folders(self):
        with self.workspace() as self.folder:
            for part, good in malformed.TU.items():
                for data in mutations.mutations(part, good, 6):
                    self.check_data("rings.sgood", "", malformed.tu(**{part: data}))

    def test_mutations_of_models(self):
        models = ["rings.sgood"] + ["mol.sgood"] * tool.WITH_MOLECULES
        with self.workspace() as self.folder:
            for model in models:
                good = (FOLDER / model).read_bytes()
                # The first bytes and the header are what a reader goes by; the data follow.
                for cut in [1, 7, 8, 9, 100, len(good) // 2, len(good) - 1]:
                    self.check_model(good[:cut])
                for data in mutations.mutations(model, good, 12):
                    if data != good:
                        self.check_model(data)

    def check_model(self, data):
        path = self.write("sgood", data)
        with self.subTest(data=str(data)[:100]):
            self.check(path.name, ["info", path], ["no intact model file"])


