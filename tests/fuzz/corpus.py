# SPDX-License-Identifier: MIT
"""Writes the inputs that each fuzz target starts from: golden files, and what the tests mutate.

usage: corpus.py FOLDER
"""

import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "cli"))
import malformed  # noqa: E402
import mutations  # noqa: E402

GOLDEN = HERE.parent / "golden"


def seeds():
    """(target, bytes) of every input."""
    golden = {ending: (GOLDEN / f"io_graphs.{ending}").read_bytes() for ending in ["jsonl", "sdf", "smi", "zip"]}
    for first, ending in enumerate(["csv", "tsv", "smi", "csv.gz"]):
        yield "molecules", bytes([first]) + mutations.GOOD[ending]
    yield "molecules", b"\x02" + golden["smi"]
    for data in [golden["sdf"], *golden["sdf"].split(b"$$$$\n"), malformed.SDF]:
        yield "sdf", data
    for data in [golden["jsonl"], *golden["jsonl"].splitlines(), malformed.COMPACT, malformed.NODE_LINK]:
        yield "graph_lines", data
    for data in [golden["zip"], mutations.GOOD["zip"]]:
        yield "tu_zip", data
    yield "tu_folder", b"\f".join([*malformed.TU.values(), b"1\n1\n2\n2\n", b"0.5, 1\n1, 2\n2, 3\n3, 4\n"])
    yield "npy", malformed.NPY
    yield "tensors", (GOLDEN / "io_safetensors.safetensors").read_bytes()
    yield "tensors", malformed.one_tensor()
    for model in range(6):
        yield "model", bytes([model, 0])


def main():
    folder = pathlib.Path(sys.argv[1])
    for number, (target, data) in enumerate(seeds()):
        (folder / target).mkdir(parents=True, exist_ok=True)
        (folder / target / f"seed{number}").write_bytes(data)


if __name__ == "__main__":
    main()
