#!/usr/bin/env python3
"""Folders are the dependency graph: a file of src/ includes its own folder and lower ones, never a higher one.

test_layers.py SRC   prints each include that breaks the rule; exit code 1 if there is one
"""
import pathlib
import re
import sys

LAYERS = ["core", "geometry", "collision", "dynamics", "scene", "io", "view", "app"]  # low to high


def complaint(source, included, src):
    """Why this file of src/ may not include that one, or None."""
    own, first = source.relative_to(src).parts[0], pathlib.PurePath(included).parts[0]
    if first == "..":
        return "write the folder's name, not .."
    if not (src / first).is_dir():
        return None  # the public interface (scree/...), a system header, or a neighbour in the same folder
    if LAYERS.index(first) > LAYERS.index(own):
        return f"{own} is below {first}"
    return None


def main():
    src = pathlib.Path(sys.argv[1])
    unplaced = [d.name for d in src.iterdir() if d.is_dir() and d.name not in LAYERS]
    if unplaced:
        sys.exit(f"{', '.join(unplaced)}: give it a place in LAYERS")

    checked, broken = 0, 0
    for source in sorted(src.rglob("*.[ch]")):
        for number, line in enumerate(source.read_text().splitlines(), 1):
            match = re.match(r'\s*#\s*include\s*["<]([^">]+)[">]', line)
            if not match:
                continue
            checked += 1
            reason = complaint(source, match[1], src)
            if reason:
                broken += 1
                print(f'{source}:{number}: includes "{match[1]}": {reason}')
    print(f"{checked} includes, {broken} against the rule")
    sys.exit(1 if broken or not checked else 0)


main()
