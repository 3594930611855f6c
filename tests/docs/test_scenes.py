#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""README.md, docs/tutorial.md and docs/gallery.md do what they say: every scene in them is complete and runs, for a
short while here, and so do the commands below it, in the order in which they stand. Every shipped scene passes
`scree check` without a warning."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import pages  # noqa: E402: found by the line above

SCREE = os.environ["SCREE"]
UNTIL = "0.03"  # s, simulated
QUICK = {"run": ["--until", UNTIL, "-q", "-j", "1"], "render": ["--size", "48x32", "--samples", "1", "-j", "1"]}


def shortened(words):
    """The same command with less to do: a short run, of which the last frame is drawn, small."""
    words = list(words)
    if words[0] == "render" and "--time" in words:
        at = words.index("--time")
        del words[at:at + 2]
    for option in QUICK.get(words[0], [])[::2]:
        if option in words and option.startswith("--"):
            at = words.index(option)
            del words[at:at + 2]
    return words + QUICK.get(words[0], [])


def is_possible(words):
    if words[0] == "report":
        return "reports    yes" in subprocess.run([SCREE, "--version"], stdout=subprocess.PIPE, text=True).stdout
    return not any(word.endswith(".mp4") for word in words) or shutil.which("ffmpeg") is not None


def run(page, words):
    process = subprocess.run([SCREE, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if process.returncode != 0:
        sys.exit(f"{page}: scree {' '.join(words)}\n{process.stdout}")


def run_page(page, steps):
    """Saves the scenes and runs the commands of a page, all in one directory of their own."""
    scenes = commands = 0
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        for kind, what in steps:
            if kind == "scene":
                json.loads(what)
                pathlib.Path(pages.name_of(page, what)).write_text(what)
                scenes += 1
            elif is_possible(what):
                run(page, shortened(what))
                commands += 1
        os.chdir(pages.ROOT)
    return scenes, commands


def gallery_steps():
    """The gallery's commands, which find the scenes of the other pages where they run."""
    pages.write_scenes(pathlib.Path.cwd())
    for _, commands, _ in pages.sections_of_gallery():
        yield from (("command", words) for words in commands)


def check_shipped():
    """How many scenes are shipped, all of them good."""
    shipped = sorted(pages.ROOT.glob("scenes/*/*.json"))
    for path in shipped:
        process = subprocess.run([SCREE, "check", path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if process.returncode != 0 or "warning" in process.stdout:
            sys.exit(f"scree check {path}\n{process.stdout}")
    return len(shipped)


def main():
    shipped, scenes, commands = check_shipped(), 0, 0
    for page in (*pages.PAGES_WITH_SCENES, pages.GALLERY):
        more = run_page(page, gallery_steps() if page == pages.GALLERY else pages.steps_of(page))
        scenes, commands = scenes + more[0], commands + more[1]
    print(f"{shipped} shipped scenes, {scenes} scenes on pages, {commands} commands")
    sys.exit(0 if shipped >= 14 and scenes >= 7 and commands >= 60 else 1)


main()
