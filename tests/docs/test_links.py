#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Pages lead where they say: every relative link of a page names a file that is there and a heading that it has; pictures
of the gallery are small; tests that docs/validation.md names exist; docs/README.md lists every page."""
import fnmatch
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PICTURE_MAX = 300_000  # bytes
problems = []


def anchors_of(page):
    """As GitHub makes them: lower case, spaces to hyphens, everything else but letters, digits, - and _ dropped."""
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S)
    headings = re.findall(r"^#+ +(.*)$", text, re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def check_links(page):
    count = 0
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text()):
        if re.match(r"[a-z]+:", target):
            continue
        count += 1
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        if not file.exists():
            problems.append(f"{page}: there is no {target}")
        elif anchor and anchor not in anchors_of(file):
            problems.append(f"{page}: {path or page.name} has no heading #{anchor}")
    return count


def check_gallery():
    page = ROOT / "docs/gallery.md"
    pictures = re.findall(r"!\[[^\]]*\]\(([^)]+)\)", page.read_text())
    for picture in pictures:
        size = os.path.getsize(page.parent / picture) if (page.parent / picture).exists() else 0
        if size > PICTURE_MAX:
            problems.append(f"{picture} has {size} bytes, more than {PICTURE_MAX}")
    for scene in re.findall(r"scenes/[\w/]+\.json", page.read_text()):
        if not (ROOT / scene).exists():
            problems.append(f"docs/gallery.md: there is no {scene}")
    return len(pictures)


def check_tests():
    listed = subprocess.run(["ctest", "--show-only=json-v1"], cwd=os.environ["SCREE_BUILD"], check=True,
                            stdout=subprocess.PIPE, text=True).stdout
    known = [test["name"] for test in json.loads(listed)["tests"]]
    text = (ROOT / "docs/validation.md").read_text()
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    named = {name for row in rows for name in re.findall(r"`([a-z_*]+)`", row.rsplit(" | ", 1)[1])}
    for name in sorted(named):
        if not name.startswith("bench_") and not fnmatch.filter(known, name):
            problems.append(f"docs/validation.md: there is no test {name}")
    return len(named)


def main():
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted(ROOT.glob("docs/*.md")),
             *sorted(ROOT.glob("scenes/*/README.md"))]
    links = sum(check_links(page) for page in pages)
    pictures, tests = check_gallery(), check_tests()
    index = (ROOT / "docs/README.md").read_text()
    for page in ROOT.glob("docs/*.md"):
        if page.name != "README.md" and f"({page.name})" not in index:
            problems.append(f"docs/README.md does not list {page.name}")
    print("\n".join(problems))
    print(f"{links} links, {pictures} pictures, {tests} tests named, {len(problems)} problems")
    sys.exit(1 if problems or not (links and pictures and tests) else 0)


main()
