#!/usr/bin/env python3
"""A file that a comment or a page of docs/ names exists: contact_row.h, cone/impacts.c, tests/build/test_layers.py.

test_comments.py ROOT   prints each name that no file of the project has; exit code 1 if there is one
"""
import pathlib
import re
import sys

FOLDERS = ["include", "src", "tests", "bench", "examples", "web"]
NAMED = re.compile(r"(?<![\w./*-])((?:[\w-]+/)*[A-Za-z][\w-]*\.(?:c|h|py|sh|md|mjs|js))\b(?!\()")
STRANGERS = {"n.c", "three.js", "Node.js", "stdio.h", "hello.c"}  # a product, other programs, a user's own


def comments(path):
    """(line number, text) of each comment line of a C file."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = re.search(r"(?:^|\s)//+(.*)", line)
        if match:
            yield number, match[1]


def main():
    root = pathlib.Path(sys.argv[1])
    files = [f.relative_to(root) for folder in FOLDERS + ["docs", "scripts", "cmake", "scenes"]
             for f in (root / folder).rglob("*") if f.is_file()]
    ends = {"README.md", "CONTRIBUTING.md", "CHANGELOG.md"} | {"/".join(f.parts[k:]) for f in files for k in range(len(f.parts))}
    checked, complaints = 0, []
    pages = [f for f in files if f.suffix == ".md"] + [pathlib.Path("README.md"), pathlib.Path("CONTRIBUTING.md")]
    for path in (root / f for f in [f for f in files if f.suffix in (".c", ".h")] + pages):
        lines = comments(path) if path.suffix != ".md" else enumerate(path.read_text().splitlines(), 1)
        for number, text in lines:
            for name in NAMED.findall(text):
                checked += 1
                if name not in ends and name not in STRANGERS:
                    complaints.append(f"{path}:{number}: there is no {name}")
    print("\n".join(complaints))
    print(f"{checked} names of files in comments, {len(complaints)} of no file")
    sys.exit(1 if complaints or not checked else 0)


main()
