# SPDX-License-Identifier: MIT
"""Seeded mutations of good files."""

import gzip
import random

from malformed import COMPACT, CSV, NODE_LINK, NPY, SDF, SMI, TSV, TU, flipped, zipped

GOOD = {"csv": CSV, "tsv": TSV, "smi": SMI, "sdf": SDF, "jsonl": COMPACT, "node-link.jsonl": NODE_LINK,
        "zip": zipped(TU), "npy": NPY, "csv.gz": gzip.compress(CSV, mtime=0),
        "sdf.gz": gzip.compress(SDF, mtime=0), "jsonl.gz": gzip.compress(NODE_LINK, mtime=0)}
NUMBERS = [b"-1", b"0", b"1e309", b"99999999999999999999", b"2147483648", b"-9223372036854775809", b"nan", b""]
JUNK = [b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\r", b"\r\n", b"\t", b";", b'"', b"\xc3", b"[" * 300, b"\x1b[2J"]


def mutated(good, draw):
    """`good` with one to three defects."""
    data = good
    for _ in range(draw.randint(1, 3)):
        at = draw.randrange(len(data) + 1)
        lines = data.split(b"\n")
        line = draw.randrange(len(lines))
        kind = draw.randrange(8)
        if kind == 0:
            data = data[:at]
        elif kind == 1 and at < len(data):
            data = flipped(data, at)
        elif kind == 2:
            data = b"\n".join(lines[:line] + lines[line + 1:])
        elif kind == 3:
            data = b"\n".join(lines[:line] + [lines[line]] * 2 + lines[line + 1:])
        elif kind == 4:
            data = data[:at] + draw.choice(JUNK) + data[at:]
        elif kind == 5:
            digits = [i for i in range(len(data)) if data[i:i + 1].isdigit()] or [at]
            place = draw.choice(digits)
            data = data[:place] + draw.choice(NUMBERS) + data[place + 1:]
        elif kind == 6:
            data = data.replace(*draw.choice([(b",", b";"), (b"\n", b"\r\n"), (b" ", b""), (b"1", b"2")]))
        else:
            data = data[:at] + draw.randbytes(5) + data[at + 3:]
    return data


def mutations(seed, good, count):
    draw = random.Random(seed)
    return [mutated(good, draw) for _ in range(count)]
