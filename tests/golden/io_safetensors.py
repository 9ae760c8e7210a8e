# SPDX-License-Identifier: MIT
"""A safetensors file with sgood's checksum, written and checked by hand with struct and json.

python3 io_safetensors.py                writes io_safetensors.safetensors beside this script
python3 io_safetensors.py FILE...        checks that files follow the format and their checksum
"""
import json
import math
import os
import struct
import sys

MASK = 2**64 - 1
SIZES = {"F64": 8, "I64": 8, "F32": 4, "I32": 4}
CODES = {"F64": "d", "I64": "q", "F32": "f", "I32": "i"}


def mix64(x):
    x = (x + 0x9E3779B97F4A7C15) & MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


def hash64(data):
    h = 0xCBF29CE484222325
    for byte in data:
        h = ((h ^ byte) * 0x100000001B3) & MASK
    return mix64(h)


def combine64(a, b):
    return mix64(a ^ ((mix64(b) + 0x9E3779B97F4A7C15 + (a << 6) + (a >> 2)) & MASK))


def compact(header):
    return json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()


def checksum(header, data):
    return f"{combine64(hash64(compact(header)), hash64(data)):016x}"


def build(metadata, tensors):
    """tensors: name -> (dtype, shape, values)."""
    header = {"__metadata__": dict(sorted(metadata.items()))}
    data = b""
    for name in sorted(tensors, key=lambda n: (-SIZES[tensors[n][0]], n)):
        dtype, shape, values = tensors[name]
        block = struct.pack(f"<{len(values)}{CODES[dtype]}", *values)
        header[name] = {"dtype": dtype, "shape": shape,
                        "data_offsets": [len(data), len(data) + len(block)]}
        data += block
    full = dict(header["__metadata__"], **{"sgood.checksum": checksum(header, data)})
    header["__metadata__"] = dict(sorted(full.items()))
    text = compact(header)
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + data


def check(contents):
    (length,) = struct.unpack("<Q", contents[:8])
    assert length % 8 == 0 and length <= 100_000_000
    text, data = contents[8:8 + length], contents[8 + length:]
    assert len(text) == length and text.startswith(b"{")
    header = json.loads(text)
    metadata = header["__metadata__"]
    assert all(isinstance(value, str) for value in metadata.values())
    end = 0
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        begin, stop = entry["data_offsets"]
        size = SIZES[entry["dtype"]]
        assert begin == end and begin % size == 0, name
        assert stop - begin == size * math.prod(entry["shape"]), name
        end = stop
    assert end == len(data)
    stored = metadata.pop("sgood.checksum")
    assert stored == checksum(header, data)


def main():
    if len(sys.argv) > 1:
        for path in sys.argv[1:]:
            with open(path, "rb") as stream:
                check(stream.read())
            print(path, "ok")
        return
    contents = build(
        {"method": "sgood", "note": 'a "quoted" line\nand \u00e9', "a.empty": ""},
        {
            "weight": ("F32", [2, 3], [0.5, -1.25, 3.0, 1e-30, -0.0, 65504.0]),
            "scores": ("F64", [2], [0.1, -1e300]),
            "codes": ("I32", [4], [0, -1, 2**31 - 1, -2**31]),
            "seed": ("I64", [], [2**62 + 1]),
            "none": ("F32", [0, 7], []),
        })
    check(contents)
    folder = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(folder, "io_safetensors.safetensors"), "wb") as stream:
        stream.write(contents)


main()
