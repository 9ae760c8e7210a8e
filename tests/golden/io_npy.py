#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Files that NumPy writes, as hexadecimal text, and what stands in them: io_npy.json.

/usr/bin/python3 tests/golden/io_npy.py > tests/golden/io_npy.json
"""
import io
import json

import numpy as np

FILES = []


def add(name, array, version=None):
    stream = io.BytesIO()
    np.lib.format.write_array(stream, array, version=version)
    FILES.append({"name": name, "hex": stream.getvalue().hex(), "shape": list(array.shape),
                  "values": [float(v) for v in array.flatten(order="C")]})


table = np.array([[1.5, -2.25, 3e10], [0.125, 5, -6e-5]])
for kind in ("<f4", "<f8"):
    for order in ("C", "F"):
        add(f"{kind} {order}", np.array(table, dtype=kind, order=order))
for kind in ("|i1", "|u1", "<i2", "<u2", "<i4", "<u4", "<i8", "<u8"):
    low = 0 if "u" in kind else np.iinfo(kind).min if kind != "<i8" else 1 - 2**53
    high = min(np.iinfo(kind).max, 2**53 - 1)
    add(f"{kind} vector", np.array([low, 1, high], dtype=kind))
add("bool", np.array([[True], [False], [True]]))
add("tall, Fortran order", np.asfortranarray(np.arange(35, dtype="<i4").reshape(7, 5)))
for version in ((1, 0), (2, 0), (3, 0)):
    add(f"format {version[0]}", np.arange(4.0), version)
add("one row", np.array([[4.0, 5.0]]))
add("no rows", np.zeros((0, 3)))
add("nothing", np.zeros(0))
print(json.dumps(FILES))
