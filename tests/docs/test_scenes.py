#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""README.md and docs/tutorial.md do what they say: every scene in them is complete and runs, for a short while here, and
so do the commands below it, in the order in which they stand."""
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

SCREE = os.environ["SCREE"]
ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = ["README.md", "docs/tutorial.md"]
UNTIL = "0.03"  # s, simulated
QUICK = {"run": ["--until", UNTIL, "-q", "-j", "1"], "render": ["--size", "48x32", "--samples", "1", "-j", "1"]}


def steps_of(page):
    """("scene", text) and ("command", words) in the order of the page; commands only where a scene came before them."""
    text, seen = (ROOT / page).read_text(), False
    for match in re.finditer(r"^```json\n((?:.*\n)*?)```$|^    (scree .*)$", text, re.M):
        if match[1]:
            seen = True
            yield "scene", match[1]
        elif seen:
            yield "command", shlex.split(match[2], comments=True)[1:]


def name_of(page, text):
    """A scene is saved under the name that the next command runs or checks it by."""
    after = (ROOT / page).read_text().split(text)[1]
    return re.search(r"^    scree (?:run|check) (\S+\.json)", after, re.M)[1]


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


def main():
    scenes = commands = 0
    for page in PAGES:
        with tempfile.TemporaryDirectory() as directory:
            os.chdir(directory)
            for kind, what in steps_of(page):
                if kind == "scene":
                    json.loads(what)
                    pathlib.Path(name_of(page, what)).write_text(what)
                    scenes += 1
                elif is_possible(what):
                    run(page, shortened(what))
                    commands += 1
            os.chdir(ROOT)
    print(f"{scenes} scenes, {commands} commands")
    sys.exit(0 if scenes >= 7 and commands >= 15 else 1)


main()
