#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds the documentation site with mkdocs: the pages of docs/ and a reference that the tool itself writes.

usage: make_site.py SGOOD FOLDER    the program; FOLDER/source and FOLDER/site are made anew
"""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parent.parent / "docs"
GUIDES = [("Quick start", "index"), ("For chemists", "chemists"), ("For researchers", "researchers"),
          ("For engineers", "engineers"), ("Which method", "choosing"), ("Decisions and reasons", "decisions")]
NUMBERS = [("Results", "results"), ("Experiments", "experiments"), ("Where each equation is", "paper_map"),
           ("Speed", "benchmarks")]
LISTS = ["suites", "partitioners", "augmentations", "encoders", "engines"]


def cell(value):
    """As text, whatever Markdown makes of its characters."""
    return re.sub(r"[|<*_`\[]", lambda match: f"&#{ord(match[0])};", str(value))


def table(head, rows):
    lines = [head, ["---"] * len(head), *([cell(value) for value in row] for row in rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def summary(row):
    """Without the remark that the program at hand has no LibTorch: readers have their own."""
    text = row["summary"].split(" Not available:")[0]
    return f"{text} Needs LibTorch." if row.get("needs_torch") and "Needs LibTorch" not in text else text


def plain(value):
    """As it is written after --set."""
    return value if isinstance(value, str) else json.dumps(value)


def methods_page(rows):
    text = "# Methods\n\n`--method NAME` takes one; `--set OPTION=VALUE` changes an option.\n"
    for row in rows:
        text += f"\n## {row['name']}\n\n{cell(summary(row))}\n\n"
        if row["reference"]:
            text += f"{cell(row['reference'])}\n\n"
        text += table(["option", "default", "legal", ""],
                      [[option["name"], plain(option["default"]), option["legal"], option["help"]]
                       for option in row["options"]])
    return text


def names_page(lists):
    text = "# Names\n\nWhat else has a name on the command line.\n"
    for what, rows in lists.items():
        text += f"\n## {what.capitalize()}\n\n" + table(["", ""], [[row["name"], summary(row)] for row in rows])
    return text


def copy_pages(source):
    """The pages of docs/; what they link to outside docs/ is not on the site."""
    shutil.rmtree(source, ignore_errors=True)
    source.mkdir(parents=True)
    for page in DOCS.glob("*.md"):
        text = re.sub(r"(?<!!)\[([^\]]*)\]\(\.\./[^)]*\)", r"\1", page.read_text())
        (source / page.name).write_text(text)
    shutil.copytree(DOCS / "images", source / "images")


def write_reference(sgood, folder):
    subprocess.run([sgood, "manual", "--format", "markdown", "-o", folder], check=True)

    def listing(what):
        return json.loads(subprocess.check_output([sgood, "list", what, "--json"]))

    (folder / "methods.md").write_text(methods_page(listing("methods")))
    # Plain HTML: doxygen comes after mkdocs, which would miss the page.
    (folder / "headers.md").write_text('# C++\n\n<a href="../api/index.html">The public headers</a>\n')
    (folder / "names.md").write_text(names_page({what: listing(what) for what in LISTS}))


def configuration(source, site):
    commands = sorted((source / "reference").glob("sgood*.md"))
    pages = [{"sgood" if page.stem == "sgood" else page.stem.replace("-", " ", 1): f"reference/{page.name}"}
             for page in commands]
    return {
        "site_name": "sgood",
        "docs_dir": str(source),
        "site_dir": str(site),
        "use_directory_urls": False,  # for readers without a web server
        "theme": {"name": "mkdocs", "highlightjs": False},
        "plugins": [],  # the search needs a web server
        "nav": [*({title: f"{name}.md"} for title, name in GUIDES),
                {"Numbers": [{title: f"{name}.md"} for title, name in NUMBERS]},
                {"Reference": [*pages, {"Methods": "reference/methods.md"}, {"Names": "reference/names.md"},
                               {"C++": "reference/headers.md"}]}],
    }


def foreign_assets(site):
    """What a browser would load from elsewhere when it opens a page."""
    loads = re.compile(r"""<(?:script|img|iframe|link)\b[^>]*\b(?:src|href)=["']?((?:https?:)?//[^"' >]+)""")
    styles = re.compile(r"""(?:@import\s+|url\()\s*["']?((?:https?:)?//[^"')]+)""")
    found = [f"{page.name}: {url}" for page in site.rglob("*.html") for url in loads.findall(page.read_text())]
    return found + [f"{page.name}: {url}" for page in site.rglob("*.css") for url in styles.findall(page.read_text())]


def main(sgood, folder):
    source, site = Path(folder).resolve() / "source", Path(folder).resolve() / "site"
    copy_pages(source)
    write_reference(sgood, source / "reference")
    config = source.parent / "mkdocs.yml"
    config.write_text(json.dumps(configuration(source, site)))  # JSON is YAML
    subprocess.run(["mkdocs", "--quiet", "build", "--strict", "--clean", "-f", config], check=True)
    found = foreign_assets(site)
    print("\n".join([*found, f"site: {len(list(site.rglob('*.html')))} pages, {len(found)} loads from elsewhere"]))
    return 1 if found else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
