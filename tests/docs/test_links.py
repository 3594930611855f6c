#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Pages lead where they say: every relative link of a page names a file that is there and a heading that it has; the
gallery shows every shipped scene, in small pictures that its commands draw, and the README of a scene's folder names
it; tests that docs/validation.md names exist; docs/README.md lists every page."""
import fnmatch
import json
import os
import pathlib
import re
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import pages  # noqa: E402: found by the line above

ROOT = pages.ROOT
NOT_DRAWN = {"beverloo"}  # pictures of the gallery that are studies, not renders
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
    """How many pictures the gallery shows: each small, and drawn by a command of its own section."""
    shown = []
    for title, commands, pictures in pages.sections_of_gallery():
        shown += pictures
        drawn = [pages.picture_of(words) for words in commands if words[0] == "render"]
        if sorted(drawn) != sorted(set(pictures) - NOT_DRAWN):
            problems.append(f"docs/gallery.md, {title}: shows {pictures}, and draws {drawn}")
        for name in pictures:
            file = ROOT / "docs/images" / f"{name}.png"
            if file.exists() and file.stat().st_size > pages.PICTURE_MAX:
                problems.append(f"{file} has more than {pages.PICTURE_MAX} bytes")
    return len(shown)


def check_shipped():
    """How many scenes are shipped: each is run by the gallery and named by the README beside it."""
    run = {words[1] for _, commands, _ in pages.sections_of_gallery() for words in commands if words[0] == "run"}
    shipped = {str(path.relative_to(ROOT)): path for path in ROOT.glob("scenes/*/*.json")}
    problems.extend(f"docs/gallery.md does not run {scene}" for scene in sorted(set(shipped) - run))
    for scene, path in sorted(shipped.items()):
        if f"`{path.name}`" not in (path.parent / "README.md").read_text():
            problems.append(f"{path.parent}/README.md does not name {path.name}")
    return len(shipped)


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
    texts = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted(ROOT.glob("docs/*.md")),
             *sorted(ROOT.glob("scenes/*/README.md"))]
    links = sum(check_links(page) for page in texts)
    pictures, scenes, tests = check_gallery(), check_shipped(), check_tests()
    index = (ROOT / "docs/README.md").read_text()
    for page in ROOT.glob("docs/*.md"):
        if page.name != "README.md" and f"({page.name})" not in index:
            problems.append(f"docs/README.md does not list {page.name}")
    print("\n".join(problems))
    print(f"{links} links, {pictures} pictures, {scenes} scenes, {tests} tests named, {len(problems)} problems")
    sys.exit(1 if problems or not (links and pictures and scenes and tests) else 0)


main()
