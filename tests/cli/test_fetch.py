# SPDX-License-Identifier: MIT
"""Data sets from a server of the test's own, from a folder, and from nowhere."""

import gzip
import hashlib
import http.server
import os
import pathlib
import resource
import signal
import threading

import malformed
from tool import ToolTest

PROXIES = ["http_proxy", "https_proxy", "all_proxy", "HTTPS_PROXY", "ALL_PROXY", "no_proxy", "NO_PROXY", "SGOOD_DATA"]


def tu_zip(name):
    """A small TU set of this name, as the collection would publish it."""
    return malformed.archive({f"{name}/{name}_{part}.txt": data for part, data in malformed.TU.items()})


class Server(http.server.ThreadingHTTPServer):
    """Serves `files`, with ranges; breaks the first answer off after `cut` bytes; remembers what it was asked."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.files, self.cut, self.ranges, self.asked, self.seen = {}, 0, True, [], []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server_port}/sets"


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        server = self.server
        first = int((self.headers.get("Range") or "bytes=0-")[6:-1])
        server.asked.append(first)
        server.seen.append(self.path)
        data = server.files.get(self.path.rsplit("/", 1)[1])
        if data is None:
            return self.send_error(404)
        if first >= len(data) > 0:
            return self.send_error(416)
        first = first if server.ranges else 0
        self.send_response(206 if first else 200)
        if first:
            self.send_header("Content-Range", f"bytes {first}-{len(data) - 1}/{len(data)}")
        self.send_header("Content-Length", str(len(data) - first))
        self.end_headers()
        cut, server.cut = server.cut, 0
        self.wfile.write(data[first:first + cut] if cut else data[first:])

    def log_message(self, *_):
        pass


class Fetch(ToolTest):
    def setUp(self):
        self.server = Server()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        self.zip = tu_zip("MUTAG")
        self.server.files["MUTAG.zip"] = self.zip

    def environment(self, **more):
        return {**{k: v for k, v in os.environ.items() if k not in PROXIES}, **more}

    def fetch(self, root, *arguments, code=0, source=None, environment=(), **more):
        return self.sgood("fetch", *arguments, "--data-root", root, "--from", source or self.server.address,
                          code=code, env=self.environment(**dict(environment)), **more)

    def assertNothingIsLeft(self, root):
        self.assertEqual([path.name for path in root.iterdir()] if root.exists() else [], [])

    def test_a_set_arrives_whole_with_its_source_and_can_be_read(self):
        with self.workspace() as root:
            result = self.fetch(root, "MUTAG")
            digest = hashlib.sha256(self.zip).hexdigest()
            self.assertIn(f"{len(self.zip)} bytes of {self.server.address}/MUTAG.zip, SHA-256 {digest}", result.stdout)
            self.assertEqual([path.name for path in root.iterdir()], ["MUTAG"])
            self.assertIn(digest, (root / "MUTAG/SOURCE.txt").read_text())
            self.assertIn("graphs: 2", self.sgood("info", root / "MUTAG").stdout)

    def test_what_is_there_is_not_fetched_again(self):
        with self.workspace() as root:
            self.fetch(root, "MUTAG")
            self.assertIn("is there already", self.fetch(root, "MUTAG").stdout)
            self.assertEqual(len(self.server.asked), 1)

    def test_a_download_that_broke_off_goes_on_where_it_was(self):
        with self.workspace() as root:
            self.server.cut = 100
            error = self.fetch(root, "MUTAG", code=1).stderr
            self.assertIn("100 bytes are in", error)
            self.assertEqual([path.name for path in root.iterdir()], ["MUTAG.zip.part"])
            self.fetch(root, "MUTAG")
            self.assertEqual(self.server.asked, [0, 100])
            self.assertIn("graphs: 2", self.sgood("info", root / "MUTAG").stdout)

    def small_disk(self, room):
        """What a process may write into one file, as on a full disk: `room` bytes."""
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (room, resource.RLIM_INFINITY))
        return {"preexec_fn": limit, "restore_signals": False}

    def test_a_full_disk_ends_the_download_which_goes_on_when_there_is_room(self):
        with self.workspace() as root:
            error = self.fetch(root, "MUTAG", code=1, **self.small_disk(100)).stderr
            for text in [f"{root}/MUTAG.zip.part: cannot be written", "100 bytes are in"]:
                self.assertIn(text, error)
            self.assertEqual([path.name for path in root.iterdir()], ["MUTAG.zip.part"])
            self.fetch(root, "MUTAG")
            self.assertEqual(self.server.asked, [0, 100])
            self.assertIn("graphs: 2", self.sgood("info", root / "MUTAG").stdout)

    def test_a_disk_that_is_full_when_the_archive_is_unpacked_leaves_no_half_set(self):
        files = {f"MUTAG/MUTAG_{part}.txt": data for part, data in malformed.TU.items()}
        files["MUTAG/README.txt"] = "many words\n" * 5000
        self.server.files["MUTAG.zip"] = malformed.archive(files)
        with self.workspace() as root:
            error = self.fetch(root, "MUTAG", code=1, **self.small_disk(10000)).stderr
            self.assertIn("README.txt", error)
            self.assertFalse((root / "MUTAG").exists())
            self.fetch(root, "MUTAG")
            self.assertIn("graphs: 2", self.sgood("info", root / "MUTAG").stdout)
            self.assertEqual([path.name for path in root.iterdir()], ["MUTAG"])

    def test_a_server_without_ranges_starts_anew(self):
        with self.workspace() as root:
            self.server.cut, self.server.ranges = 100, False
            self.fetch(root, "MUTAG", code=1)
            self.fetch(root, "MUTAG")
            self.assertIn("graphs: 2", self.sgood("info", root / "MUTAG").stdout)

    def test_a_part_that_is_as_long_as_the_file_or_longer_is_no_trap(self):
        for part in [self.zip, b"x" * (2 * len(self.zip))]:
            with self.workspace() as root:
                (root / "MUTAG.zip.part").write_bytes(part)
                self.fetch(root, "MUTAG")
                self.assertIn("graphs: 2", self.sgood("info", root / "MUTAG").stdout)

    def test_a_file_that_the_server_lacks_is_told_with_what_to_do(self):
        with self.workspace() as root:
            error = self.fetch(root, "NCI1", code=1).stderr
            for text in ["status 404", f"{self.server.address}/NCI1.zip", "NCI1_A.txt", f"{root}/NCI1"]:
                self.assertIn(text, error)
            self.assertEqual(len(error.splitlines()), 1)
            self.assertNothingIsLeft(root)

    def test_a_wrong_checksum_is_refused_and_nothing_is_kept(self):
        digest = hashlib.sha256(self.zip).hexdigest()
        with self.workspace() as root:
            self.fetch(root, "MUTAG", "--sha256", digest)
            self.assertTrue((root / "MUTAG").is_dir())
        with self.workspace() as root:
            error = self.fetch(root, "MUTAG", "--sha256", "0" * 64, code=1).stderr
            self.assertIn(digest, error)
            self.assertIn("0" * 64, error)
            self.assertNothingIsLeft(root)

    def test_molecules_other_than_the_published_ones_are_refused(self):
        with self.workspace() as root:
            self.server.files["bace.zip"] = self.molecule_zip("bace", gzip.compress(b"smiles\nC\n"))
            self.assertIn("mol.csv.gz in it is", self.fetch(root, "BACE", code=1).stderr)
            self.assertNothingIsLeft(root)

    def test_molecules_come_in_the_layout_of_the_suites(self):
        with self.workspace() as root:
            self.server.files["hiv.zip"] = self.molecule_zip("hiv", gzip.compress(b"HIV,smiles\n1,C\n"))
            self.fetch(root, "hiv")  # the suite
            names = sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file())
            self.assertEqual(names, ["HIV/SOURCE.txt", "HIV/mol.csv.gz", *(
                f"HIV/split/scaffold/{part}.csv.gz" for part in ["test", "train", "valid"])])

    def test_the_published_molecules_are_accepted(self):
        published = pathlib.Path(os.environ.get("SGOOD_DATA", "")) / "BACE/mol.csv.gz"
        if not published.exists():
            self.skipTest("needs SGOOD_DATA")
        with self.workspace() as root:
            self.server.files["bace.zip"] = self.molecule_zip("bace", published.read_bytes())
            self.fetch(root, "BACE")

    @staticmethod
    def molecule_zip(name, molecules):
        files = {f"{name}/mapping/mol.csv.gz": molecules, f"{name}/raw/edge.csv.gz": gzip.compress(b"0,1\n")}
        for part in ["train", "valid", "test"]:
            files[f"{name}/split/scaffold/{part}.csv.gz"] = gzip.compress(b"0\n")
        return malformed.archive(files)

    def test_damaged_and_foreign_archives_are_refused_and_nothing_is_kept(self):
        for data in [b"<html>not found</html>", b"", self.zip[:-30], tu_zip("OTHER")]:
            with self.workspace() as root:
                self.server.files["MUTAG.zip"] = data
                self.assertIn("MUTAG", self.fetch(root, "MUTAG", code=1).stderr)
                self.assertNothingIsLeft(root)

    def test_a_folder_serves_as_mirror(self):
        with self.workspace() as root, self.workspace() as mirror:
            (mirror / "MUTAG.zip").write_bytes(self.zip)
            self.fetch(root, "MUTAG", source=f"file://{mirror}/")
            self.assertIn("graphs: 2", self.sgood("info", root / "MUTAG").stdout)
            self.assertIn("MUTAG.zip", self.fetch(root / "b", "NCI1", source=f"file://{mirror / 'no'}", code=1).stderr
                          .replace("NCI1", "MUTAG"))
            self.assertIn("https://host/folder", self.fetch(root / "b", "NCI1", source=str(mirror), code=1).stderr)

    def test_without_a_network_it_says_which_files_to_put_where(self):
        with self.workspace() as root:
            self.server.shutdown()
            self.server.server_close()
            error = self.fetch(root, "imdb-b", code=1).stderr
            for text in ["IMDB-BINARY_A.txt and IMDB-BINARY_graph_indicator.txt", f"{root}/IMDB-BINARY",
                         "www.chrsmrrs.com", "--from file:///"]:
                self.assertIn(text, error)
            self.assertEqual(len(error.splitlines()), 1)
            self.assertNothingIsLeft(root)

    def test_a_proxy_is_honoured(self):
        with self.workspace() as root:
            proxy = self.server.address.rsplit("/", 1)[0]
            self.fetch(root, "MUTAG", source="http://sets.invalid/tu", environment={"http_proxy": proxy})
            self.assertEqual(self.server.seen, ["http://sets.invalid/tu/MUTAG.zip"])

    def test_a_set_that_cannot_be_fetched_says_so(self):
        with self.workspace() as root:
            error = self.fetch(root, "drugood", code=1).stderr
            for text in ["DrugOOD has no address", "mol.csv", f"{root}/DrugOOD"]:
                self.assertIn(text, error)

    def test_a_place_that_cannot_be_written_is_told(self):
        for root in ["/proc/sgood", "/dev/null/x"]:
            self.assertIn(root, self.fetch(root, "MUTAG", code=1).stderr)

    def test_names_and_listing(self):
        listed = self.sgood("fetch", "--list").stdout
        self.assertIn("https://www.chrsmrrs.com/graphkerneldatasets/ENZYMES.zip", listed)
        self.assertIn("csv_mol_download/hiv.zip", listed)
        self.assertFails(["fetch", "nosuch"], "'nosuch'", "ENZYMES", "BACE")
        self.assertFails(["fetch", "motif"], "generated")
        self.assertFails(["fetch"], "names", code=2)
        self.assertFails(["fetch", "MUTAG", "--sha256", "abc"], "64 hexadecimal digits", code=2)
        self.assertFails(["fetch", "enzymes", "--sha256", "0" * 64], "one data set, not with 2")
