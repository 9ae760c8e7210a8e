# SPDX-License-Identifier: MIT
"""Good files of every kind, and a list of bad ones written by hand."""

import gzip
import io
import json
import struct
import zipfile

ZEROS = 96 << 20  # bytes that a bomb of some 100 kB unpacks to

CSV = b"id,smiles,kind\na,CCO,x\nb,CCN,y\nc,c1ccccc1,x\n"
TSV = CSV.replace(b",", b"\t")
SMI = b"CCO a\nCCN b\nc1ccccc1 c\n"
ATOM = b"    0.0000    0.0000    0.0000 %-3s 0  0  0  0  0  0  0  0  0  0  0  0\n"
SDF = (b"ethanol\n  sgood\n\n  3  2  0  0  0  0  0  0  0  0999 V2000\n" + ATOM % b"C" + ATOM % b"C" +
       ATOM % b"O" + b"  1  2  1  0\n  2  3  1  0\nM  END\n> <ID>\n7\n\n$$$$\n") * 2
COMPACT = b"".join(
    b'{"id":"g%d","num_nodes":3,"edges":[[0,1],[1,2]],"node_labels":[1,2,1]}\n' % i for i in range(3))
NODE_LINK = b"".join(
    b'{"graph":{"id":"g%d"},"nodes":[{"id":0,"node_label":1},{"id":1,"node_label":2},'
    b'{"id":2,"node_label":1}],"links":[{"source":0,"target":1},{"source":1,"target":2}]}\n' % i
    for i in range(3))
TU = {"A": b"1, 2\n2, 1\n3, 4\n4, 3\n", "graph_indicator": b"1\n1\n2\n2\n", "graph_labels": b"1\n-1\n",
      "node_labels": b"1\n1\n1\n1\n"}


def npy(header, data=b"", version=b"\x01\x00", length=None):
    """A .npy file with this header; `length` is what it says of the header's length."""
    text = header.encode() + b"\n"
    size = len(text) if length is None else length
    return b"\x93NUMPY" + version + struct.pack("<H" if version[0] == 1 else "<I", size) + text + data


def described(shape="(4, 3)", descr="'<f8'", order="False"):
    return f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}"


NPY = npy(described(), struct.pack("<12d", *range(12)))


def tu(**changes):
    """The files of a TU folder, some of them other than in the good one; None leaves one out."""
    return {part: data for part, data in {**TU, **changes}.items() if data is not None}


def archive(files):
    """A zip of files, by name."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in files.items():
            packed.writestr(name, data)
    return buffer.getvalue()


def zipped(files, prefix="DS/"):
    """A zip of the files of a TU folder."""
    return archive({f"{prefix}DS_{part}.txt": data for part, data in files.items()})


def tensors(header, data=b"", length=None):
    """A safetensors file with this header."""
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text) if length is None else length) + text + data


def one_tensor(**changes):
    entry = {"dtype": "F64", "shape": [2], "data_offsets": [0, 16], **changes}
    return tensors({"t": entry, "__metadata__": {"sgood.kind": "model"}}, bytes(16))


def flipped(data, at):
    return data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1:]


# What must be in the answer, for each ending: a list of (contents, texts). Texts that start with a
# colon and a number are the line.
def molecule_files():
    """Defects of tables of molecules, and of SMILES."""
    table = [
        (b"", ["empty"]),
        (b"\n\n\n", ["empty"]),
        (b"\xff\xfei\x00d\x00,\x00s\x00m\x00i\x00\n\x00", ["no column holds SMILES"]),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(256)), ["no column holds SMILES"]),
        (CSV.replace(b",", b";"), [":1:", "separated by ',', not by ';'"]),
        (CSV.replace(b",", b"\t"), [":1:", "separated by ',', not by a tab"]),
        (CSV.replace(b"\n", b"\r"), [":1:", "end in CR alone"]),
        (CSV.replace(b"b,CCN,y", b"b,CCN"), [":3:", "2 fields but the header has 3"]),
        (CSV.replace(b"b,CCN,y", b"b,CCN,y,z"), [":3:", "4 fields but the header has 3"]),
        (CSV.replace(b"b,CCN", b'b,"CCN'), [":3:", "never closed"]),
        (CSV.replace(b"CCN", b'"CC"N'), [":3:", "closing quote is followed by 'N'"]),
        (CSV.replace(b"CCN", b'"CC\nN"'), [":3:", "RDKit cannot read the mol block"]),
        (CSV.replace(b"CCN", b""), [":3:", "has no atom"]),
        (CSV.replace(b"CCN", b"CC\x00N"), [":3:", "byte 0x00 at position 3"]),
        (CSV.replace(b"CCN", b"CC\xff"), [":3:", "byte 0xff at position 3"]),
        (CSV.replace(b"CCN", b"C" * 30_000_000), [":3:", "30000000 characters"]),
        (b"c%d" % 0 + b"".join(b",c%d" % i for i in range(1, 100_000)) + b"\n1\n",
         ["no column holds SMILES", "100000 in all"]),
        (b"smiles,smiles\nC,C\n", []),
    ]
    smiles = [
        (b"c1ccccc1(", ["syntax error"]),
        (b"C1CC", ["unclosed ring"]),
        (b"C(C)(C)(C)(C)C", ["valence"]),
        (b"c1cccc1", ["kekulize"]),
        (b"[Xx]", ["RDKit cannot read"]),
        (b"[99999999999999999999C]", ["RDKit cannot read"]),
        (b"[C+99999999999999999999]", ["RDKit cannot read"]),
        (b"[CH99999999999]", ["RDKit cannot read"]),
        (b"C%(99999999999)C", ["RDKit cannot read"]),
        (b"C" + b"(C" * 50_000 + b")" * 50_000, ["characters"]),
        (b"(" * 900 + b"C" + b")" * 900, ["RDKit cannot read"]),
        (b"C" + b"=" * 500, ["RDKit cannot read"]),
        (b"[" * 1000, ["RDKit cannot read"]),
        (b"C.C~~C", ["RDKit cannot read"]),
        (b"\x1b[31mC", ["byte 0x1b at position 1"]),
    ]
    yield from (("csv", data, texts) for data, texts in table)
    yield from (("csv", CSV.replace(b"CCN", text), [":3:", *texts]) for text, texts in smiles)
    yield from (("smi", SMI.replace(b"CCN", text), [":2:", *texts]) for text, texts in smiles)
    for data, texts in table[7:15]:
        yield "tsv", data.replace(b",", b"\t"), texts
    yield "smi", b"\x00" * 100, [":1:", "byte 0x00"]
    yield "smi", b"\xfe\xff\x00C\x00C", [":1:", "byte 0xfe"]
    yield "smi", b"CCO " + b"n" * 1_000_000 + b"\nC1\n", [":2:", "unclosed ring"]


def packed_files():
    """Defects of the compression, whatever is inside."""
    for ending, good in [("csv", CSV), ("smi", SMI), ("sdf", SDF), ("jsonl", COMPACT)]:
        pack = gzip.compress(good * 200, mtime=0)
        yield ending + ".gz", pack[:len(pack) // 2], ["gzip data are damaged or cut off"]
        yield ending + ".gz", flipped(pack, len(pack) - 6), ["gzip data are damaged or cut off"]
        yield ending + ".gz", pack[:9] + b"\xff" * 50, ["gzip data are damaged or cut off"]
    yield "jsonl.gz", gzip.compress(bytes(ZEROS)), [":1:"]
    yield "smi.gz", gzip.compress(b"C" * ZEROS), [":1:", "characters"]
    yield "csv.gz", gzip.compress(b"smiles\nC" + b"C" * ZEROS), [":2:", "characters"]
    yield "csv.gz", gzip.compress(b'smiles\n"' + b"\n" * (ZEROS // 8)), [":2:", "never closed"]
    yield "sdf.gz", gzip.compress(b"a\n" * (ZEROS // 2)), [":1:", "longer than 64 MiB"]


def sdf_files():
    many = b"".join(b"> <F%d>\n1\n\n" % i for i in range(20_000))
    for change, texts in [
        ((b"  3  2  0", b"  x  y  0"), [":1:", "mol block"]),
        ((b"  3  2  0", b"999  2  0"), [":1:", "mol block"]),
        ((b"  3  2  0", b" -3 -2  0"), [":1:", "mol block"]),
        ((b"  3  2  0", b"  3999  0"), [":1:", "mol block"]),
        ((b"V2000", b"V9999"), [":1:", "mol block"]),
        ((b"V2000", b"V3000"), [":1:", "mol block"]),
        ((b"M  END\n", b""), [":1:", "no line 'M  END'"]),
        ((b"  1  2  1  0", b"  1  9  1  0"), [":1:", "mol block"]),
        ((b"  1  2  1  0", b"  1  1  1  0"), [":1:", "mol block"]),
        ((b"  1  2  1  0", b"  1  2 77  0"), []),
        ((b"  1  2  1  0", b"  1 -2  1  0"), [":1:", "mol block"]),
        ((b" C  ", b" Qq "), [":1:", "mol block"]),
        ((b"    0.0000", b"    x.yyyy"), [":1:", "mol block"]),
        ((b"    0.0000", b"1e99999999"), [":1:", "mol block"]),
        ((b" C  ", b" \x00  "), [":1:", "mol block"]),
        ((b"M  END", b"M  CHG  1   9   1\nM  END"), [":1:", "mol block"]),
        ((b"M  END", b"M  CHG999   1   1\nM  END"), [":1:", "mol block"]),
        ((b"M  END", b"M  ISO  1   1 -99\nM  END"), []),
        ((b"> <ID>\n7\n\n", many), []),
    ]:
        yield "sdf", SDF.replace(*change, 1), texts
    v3000 = (b"x\n\n\n  0  0  0     0  0            999 V3000\nM  V30 BEGIN CTAB\n"
             b"M  V30 COUNTS %s 0 0 0 0\nM  V30 BEGIN ATOM\nM  V30 1 C 0 0 0 0\nM  V30 END ATOM\n"
             b"M  V30 END CTAB\nM  END\n$$$$\n")
    for count in [b"999999999", b"4294967295", b"-1", b"99999999999999999999", b"x", b""]:
        yield "sdf", v3000 % count, [":1:", "mol block"]
    yield "sdf", b"", []
    yield "sdf", b"$$$$\n" * 1000, []
    yield "sdf", bytes(range(256)) * 10, [":1:", "no line 'M  END'"]


def line_files():
    """Defects of JSON Lines; the bad line is the second one, after a good one."""
    for line, texts in [
        (b"nonsense", ["not JSON", "column 2"]),
        (b"{", ["not JSON"]),
        (b"[1, 2]", ["array", "must hold an object"]),
        (b"7", ["number", "must hold an object"]),
        (b"{}", ["num_nodes is missing"]),
        (b'{"num_nodes": 3}', ["node_labels is missing"]),
        (b'{"num_nodes": -3, "edges": []}', ["num_nodes is -3"]),
        (b'{"num_nodes": 1e9, "edges": []}', ["num_nodes is 1000000000.0"]),
        (b'{"num_nodes": 99999999999, "edges": []}', ["num_nodes is 99999999999"]),
        (b'{"num_nodes": 99999999999999999999999, "edges": []}', ["num_nodes is 9.99"]),
        (b'{"num_nodes": "3", "edges": []}', ["must be a whole number in [0, 16777216]"]),
        (b'{"num_nodes":3,"edges":[[0,9]],"node_labels":[1,1,1]}', ["is 9 but must be a node"]),
        (b'{"num_nodes":3,"edges":[[0,-1]],"node_labels":[1,1,1]}', ["is -1 but must be a node"]),
        (b'{"num_nodes":3,"edges":[[0,1.5]],"node_labels":[1,1,1]}', ["is 1.5 but must be a node"]),
        (b'{"num_nodes":3,"edges":[[0]],"node_labels":[1,1,1]}', ["list of two nodes"]),
        (b'{"num_nodes":3,"edges":{},"node_labels":[1,1,1]}', ["edges is {} but must be a list"]),
        (b'{"num_nodes":3,"edges":[],"node_labels":[1]}', ["1 entries but must have 3"]),
        (b'{"num_nodes":3,"edges":[],"node_labels":[1,1,null]}', ["node_labels[2] is null"]),
        (b'{"num_nodes":3,"edges":[],"node_labels":[1,1,4294967296]}', ["node_labels[2]", "2^31"]),
        (b'{"edge_index":[[0,1],[1]],"node_labels":[1,1,1]}', ["two lists of equal length"]),
        (b'{"edge_index":[[0,1],' + b"0," * 1_000_000 + b"0]}", ["num_nodes is missing"]),
        (b'{"id":[1,2],"num_nodes":1,"edges":[],"node_labels":[1]}', ["the id is [1,2]"]),
        (b'{"nodes":3,"links":[]}', ["nodes is 3 but must be a list"]),
        (b'{"nodes":[{"id":0}],"links":[]}', ["no 'node_label'"]),
        (b'{"nodes":[3],"links":[]}', ["an object with an id"]),
        (b'{"nodes":[{"id":0,"node_label":1},{"id":0,"node_label":1}],"links":[]}', ["two nodes"]),
        (b'{"nodes":[{"id":0,"node_label":1}],"links":[{"source":0,"target":5}]}', ["no node's id"]),
        (b'{"nodes":[{"id":0,"node_label":1}],"links":[7]}', ["source and target"]),
        (b'{"nodes":[{"id":0,"node_label":1}]}', ["neither links nor edges"]),
        (b"[" * 500_000, ["deeper than 100 levels"]),
        (b'{"nodes":' + b"[" * 200_000 + b"]" * 200_000 + b"}", ["deeper than 100 levels"]),
        (b'{"a":' * 200_000 + b"1" + b"}" * 200_000, ["deeper than 100 levels"]),
        (b'{"num_nodes":3,"edges":' + b"[0," * 90 + b"0" + b"]" * 90 + b"}", ["node_labels is missing"]),
        (b'{"id":"\xff\xfe","num_nodes":0,"edges":[]}', ["not JSON"]),
        (b'{"id":"\x00"}', ["not JSON"]),
        (b'{"x":1e999}', ["not JSON"]),
        (b'{"id":"' + b"x" * 5_000_000, ["not JSON"]),
        (b"\xff\xfe{\x00}\x00", ["not JSON"]),
        (b"\xef\xbb\xbf{}", ["num_nodes is missing"]),
    ]:
        first = NODE_LINK if b'"nodes"' in line else COMPACT
        yield "jsonl", first.split(b"\n")[0] + b"\n" + line + b"\n", [":2:", *texts]
    yield "jsonl", b'{"num_nodes":16777216,"edges":[]}\n' * 500, [":1:", "only 0 edges"]
    yield "jsonl", b"", []
    yield "jsonl", b"id,smiles\na,CCO\n", [":1:", "not JSON"]


def tu_files():
    """Defects of TU sets: (files, texts)."""
    yield {}, ["holds no DS_A.txt"]
    yield tu(A=None), ["holds no DS_A.txt"]
    yield tu(graph_indicator=None), ["DS_graph_indicator.txt", "no such file"]
    yield tu(graph_indicator=b""), ["DS_graph_indicator.txt", "holds no graph ids"]
    yield tu(graph_indicator=b"1\n1\n2\n"), ["DS_node_labels.txt", "4 lines but there are 3 nodes"]
    yield tu(graph_indicator=b"1\n1\nx\n2\n"), ["DS_graph_indicator.txt:3:", "'x'"]
    yield tu(graph_indicator=b"1\n1\n0\n2\n"), ["DS_graph_indicator.txt:3:", "below 1"]
    yield tu(graph_indicator=b"1\n1\n-7\n2\n"), ["DS_graph_indicator.txt:3:", "below 1"]
    yield tu(graph_indicator=b"1\n1\n2147483647\n2\n"), ["DS_graph_labels.txt", "2147483647"]
    yield tu(graph_indicator=b"1\n1\n2147483647\n2\n", graph_labels=None), ["no gaps"]
    yield tu(graph_indicator=b"1\n1\n99999999999\n2\n"), ["DS_graph_indicator.txt:3:", "32 bits"]
    yield tu(graph_indicator=b"1\n\n1\n2\n2\n"), ["DS_graph_indicator.txt:2:", "blank"]
    yield tu(graph_indicator=b"1, 1\n1, 1\n2, 2\n2, 2\n"), ["DS_graph_indicator.txt:1:", "one graph id"]
    yield tu(graph_indicator=b"\xff\xfe1\x00\n\x00"), ["DS_graph_indicator.txt:1:"]
    yield tu(graph_labels=b"1\n"), ["DS_graph_labels.txt", "names graph 2"]
    yield tu(graph_labels=b"1\nnan\n"), ["DS_graph_labels.txt:2:", "finite number"]
    yield tu(graph_labels=b"1\nactive\n"), ["DS_graph_labels.txt:2:", "'active'"]
    yield tu(node_labels=b"1\n1\n1\n"), ["DS_node_labels.txt", "3 lines but there are 4 nodes"]
    yield tu(node_labels=b"1\n1, 2\n1\n1\n"), ["DS_node_labels.txt:2:", "2 values"]
    yield tu(node_labels=b"1\n1.5\n1\n1\n"), ["DS_node_labels.txt:2:", "'1.5'"]
    yield tu(node_labels=b"1\n\x00\n1\n1\n"), ["DS_node_labels.txt:2:", "byte 0x00"]
    yield tu(node_attributes=b"1\n2\ninf\n4\n"), ["DS_node_attributes.txt:3:", "finite"]
    yield tu(node_attributes=b"1\n2\n1e999\n4\n"), ["DS_node_attributes.txt:3:", "finite"]
    yield tu(A=b"1, 2\n2, 5\n"), ["DS_A.txt:2:", "node 5 is not in [1, 4]"]
    yield tu(A=b"1, 2\n0, 1\n"), ["DS_A.txt:2:", "node 0 is not in [1, 4]"]
    yield tu(A=b"1, 2\n2, 3\n"), ["DS_A.txt:2:", "joins node 2 of graph 1 and node 3 of graph 2"]
    yield tu(A=b"1 2\n2 1\n"), ["DS_A.txt:1:", "'1 2'"]
    yield tu(A=b"1, 2, 3\n"), ["DS_A.txt:1:", "two node ids"]
    yield tu(A=b"1;2\n"), ["DS_A.txt:1:", "'1;2'"]
    yield tu(A=b"1," * 1_000_000 + b"1\n"), ["DS_A.txt:1:", "two node ids"]
    yield tu(edge_labels=b"0\n0\n"), ["DS_edge_labels.txt", "fewer lines"]
    yield tu(edge_labels=b"0\n0\nx\n0\n"), ["DS_edge_labels.txt:3:", "'x'"]


def archive_files():
    """Defects of zip archives themselves."""
    good = zipped(TU)
    for data, texts in [
        (b"", ["zip"]),
        (b"PK\x05\x06" + bytes(18), ["holds no DS_A.txt"]),
        (b"PK\x03\x04", ["cannot be opened as a zip"]),
        (b"not a zip at all", ["cannot be opened as a zip"]),
        (good[:len(good) // 2], ["cannot be opened as a zip"]),
        (good[:-10], ["cannot be opened as a zip"]),
        (flipped(good, 45), ["DS_A.txt in it"]),
        (zipped({**TU, "A": b"1, 2\n" * (ZEROS // 5)}), ["200 times its size"]),
        (zipped(TU, prefix="../../../../tmp/"), []),
        (zipped(TU, prefix="/"), []),
        (zipped(TU, prefix="x" * 300 + "/"), []),
    ]:
        yield "zip", data, texts
    twice = {f"{folder}/DS_{part}.txt": data for folder in "ab" for part, data in TU.items()}
    yield "zip", archive(twice), ["two files DS_A.txt"]
    # Sizes that the directory of the archive gets wrong.
    yield "zip", good.replace(struct.pack("<I", len(TU["A"])), struct.pack("<I", 2**32 - 2)), []


def model_files():
    big = 2**62
    yield from (("sgood", data, texts) for data, texts in [
        (b"", ["shorter than 8 bytes"]),
        (b"\x00" * 8, ["header cannot be read"]),
        (b"\x00" * 100, ["header cannot be read"]),
        (tensors({}, length=2**63), ["the header should have 9223372036854775808 bytes"]),
        (tensors({}, length=90_000_000), ["the header should have 90000000 bytes"]),
        (tensors(b"[" * 1_000_000), ["deeper than 100 levels"]),
        (tensors(b'{"a":' * 100_000), ["deeper than 100 levels"]),
        (tensors(b"{" + b",".join(b'"%d":0' % i for i in range(200_000)) + b"}"), ["tensor '0'"]),
        (tensors([]), ["not a JSON object"]),
        (tensors(b"\xff\xff"), ["not JSON"]),
        (tensors({}), ["no checksum"]),
        (tensors({"__metadata__": 3}), ["metadata are not a JSON object"]),
        (tensors({"__metadata__": {"a": 3}}), ["metadata 'a' is not a text"]),
        (one_tensor(), ["no checksum"]),
        (one_tensor(dtype="BF16"), ["of type \"BF16\""]),
        (one_tensor(dtype=7), ["of type 7"]),
        (one_tensor(shape=[big, 4]), ["do not fit its type and shape"]),
        (one_tensor(shape=[-2]), ["no whole number"]),
        (one_tensor(shape="x"), ["no shape"]),
        (one_tensor(shape=[2.5]), ["no whole number"]),
        (one_tensor(data_offsets=[0, big]), ["bytes 0 to 4611686018427387904 of 16"]),
        (one_tensor(data_offsets=[16, 0]), ["bytes 16 to 0"]),
        (one_tensor(data_offsets=[8, 16], shape=[1]), ["overlap or leave a gap"]),
        (one_tensor(data_offsets=[0, 8], shape=[1]), ["end at byte 8 but the data at 16"]),
        (one_tensor(extra=1), ["dtype, shape and data_offsets alone"]),
        (zipped(TU), ["no intact model file"]),
        (b"\x80\x02}q\x00X\x05\x00\x00\x00stateq\x01.", ["no intact model file"]),
        (b"\x93NUMPY" + bytes(100), ["no intact model file"]),
    ])


def array_files():
    for data, texts in [
        (b"", ["not a .npy file"]),
        (b"1,2,3\n4,5,6\n", ["not a .npy file"]),
        (NPY[:7], ["not a .npy file"]),
        (NPY[:12], ["cut off in its header"]),
        (NPY[:-1], ["bytes follow"]),
        (NPY + b"\x00", ["bytes follow"]),
        (npy(described(), length=60_000), ["cut off in its header"]),
        (npy(described(), version=b"\x02\x00", length=2**32 - 1), ["cut off in its header"]),
        (npy(described(), version=b"\x09\x00"), [".npy format 9"]),
        (npy("{"), ["header is damaged"]),
        (npy("{" * 30_000), ["header is damaged"]),
        (npy(described(shape="(-4, 3)")), ["header is damaged"]),
        (npy(described(shape=f"({2**62}, {2**62})")), ["but 0 bytes follow"]),
        (npy(described(shape=f"({2**62}, 0)")), ["the rows have 0 columns"]),
        (npy(described(shape="(99999999999999999999,)")), ["header is damaged"]),
        (npy(described(shape="()"), bytes(8)), ["0 dimensions"]),
        (npy(described(shape="(1, 1, 1)"), bytes(8)), ["3 dimensions"]),
        (npy(described(descr="'|O'")), ["type '|O'"]),
        (npy(described(descr="'>f8'"), bytes(96)), ["type '>f8'"]),
        (npy(described(descr="[('a', '<f8')]"), bytes(32)), ["header is damaged"]),
        (npy(described(descr="'<i8'"), b"\xff" * 7 + b"\x7f" + bytes(88)), ["2^53"]),
        (npy(described(order="Maybe")), ["header is damaged"]),
        (npy(described(), struct.pack("<12d", *[float("nan")] * 12)), ["column 0 is nan"]),
    ]:
        yield "npy", data, texts
