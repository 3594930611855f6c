#!/usr/bin/env python3
"""Every source file names its licence in its first comment line, as SPDX wants it, and it is the one in LICENSE.

test_licence.py ROOT         prints each file that does not; exit code 1 if there is one
test_licence.py ROOT --add   adds the line where it is missing
"""
import pathlib
import subprocess
import sys

LINE = "SPDX-License-Identifier: BSD-3-Clause"
COMMENT = {".c": "//", ".h": "//", ".cpp": "//", ".js": "//", ".mjs": "//", ".css": "/*", ".py": "#", ".sh": "#",
           ".cmake": "#"}
NAMED = {"CMakeLists.txt": "#", "Makefile": "#", "setup": "#", "build_info.h.in": "//", "scree.pc.in": "#",
         "scree-config.cmake.in": "#"}
STRANGERS = {".ci", "build", "out", "node_modules"}  # not sources of the project


def comment_of(path):
    return NAMED.get(path.name) or COMMENT.get(path.suffix)


def licence_line(path):
    sign = comment_of(path)
    return f"{sign} {LINE}" + (" */" if sign == "/*" else "")


def place_of(lines):
    """A script's first line says what runs it."""
    return 1 if lines and lines[0].startswith("#!") else 0


def names_of(root):
    """What git knows or would take; without git, as in an unpacked archive, all that is there."""
    command = ["git", "-C", root, "ls-files", "--cached", "--others", "--exclude-standard"]
    if pathlib.Path(root, ".git").exists():
        return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    return [str(path.relative_to(root)) for path in pathlib.Path(root).rglob("*") if path.is_file()]


def files_of(root):
    paths = [pathlib.Path(root, name) for name in names_of(root) if not STRANGERS & set(pathlib.PurePath(name).parts)]
    return [path for path in paths if path.exists() and comment_of(path)]


def main():
    root, adds = sys.argv[1], "--add" in sys.argv[2:]
    licence = pathlib.Path(root, "LICENSE").read_text()
    missing, files = [], files_of(root)
    for path in files:
        lines = path.read_text().splitlines(keepends=True)
        at = place_of(lines)
        if len(lines) > at and lines[at].rstrip("\n") == licence_line(path):
            continue
        missing.append(path)
        if adds:
            path.write_text("".join(lines[:at] + [licence_line(path) + "\n"] + lines[at:]))
    print("\n".join(f"{path}: the licence line is {'added' if adds else 'missing'}" for path in missing))
    print(f"{len(files)} files, {len(missing)} without their licence")
    if not licence.startswith("BSD 3-Clause License"):
        sys.exit("LICENSE is another one")
    sys.exit(1 if (missing and not adds) or len(files) < 100 else 0)


main()
