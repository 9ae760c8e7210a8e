# SPDX-License-Identifier: MIT
"""tools/make_site.py: what can be checked without mkdocs."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import make_site  # noqa: E402


class Pages(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def foreign(self, name, text):
        (self.folder / name).write_text(text)
        return make_site.foreign_assets(self.folder)

    def test_what_a_browser_would_load_from_elsewhere_is_found(self):
        for name, text in [("page.html", '<script src="https://example.org/x.js"></script>'),
                           ("page.html", '<link rel="stylesheet" href="//example.org/x.css">'),
                           ("style.css", "@font-face { src: url('https://example.org/f.woff') }")]:
            with self.subTest(text):
                self.assertEqual(len(self.foreign(name, text)), 1)
                (self.folder / name).unlink()

    def test_links_and_own_files_are_no_loads(self):
        text = '<a href="https://example.org">x</a> <script src="js/base.js"></script>'
        self.assertEqual(self.foreign("page.html", text), [])

    def test_links_to_other_folders_become_text_and_all_pages_of_the_menu_are_there(self):
        make_site.copy_pages(self.folder / "source")
        for page in (self.folder / "source").glob("*.md"):
            self.assertNotIn("](../", page.read_text())
        for _, name in make_site.GUIDES + make_site.NUMBERS:
            self.assertTrue((self.folder / "source" / f"{name}.md").is_file(), name)

    def test_methods_and_their_options_are_listed_without_broken_tables(self):
        option = {"name": "tau", "default": True, "legal": "a | b", "help": "Scale of <x>."}
        row = {"name": "m", "summary": "Sums up. Not available: why.", "reference": "", "needs_torch": True,
               "options": [option]}
        text = make_site.methods_page([row])
        self.assertIn("Sums up. Needs LibTorch.", text)
        self.assertIn("| tau | true | a &#124; b | Scale of &#60;x>. |", text)


if __name__ == "__main__":
    unittest.main()
