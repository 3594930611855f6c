# SPDX-License-Identifier: BSD-3-Clause
"""Scenes and commands as they stand on the pages, for the tests of the pages and for drawing the gallery."""
import pathlib
import re
import shlex

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGES_WITH_SCENES = ("README.md", "docs/tutorial.md")
GALLERY = "docs/gallery.md"
PICTURE_MAX = 300_000  # bytes of a picture on the gallery's page


def commands_of(text):
    """The scree commands of a text, each as its list of words without the first."""
    return [shlex.split(line, comments=True)[1:] for line in re.findall(r"^    (scree .*)$", text, re.M)]


def steps_of(page):
    """("scene", text) and ("command", words) in the order of the page; commands only where a scene came before them."""
    text, seen = (ROOT / page).read_text(), False
    for match in re.finditer(r"^```json\n((?:.*\n)*?)```$|^    scree .*$", text, re.M):
        if match[1]:
            seen = True
            yield "scene", match[1]
        elif seen:
            yield "command", commands_of(match[0])[0]


def name_of(page, text):
    """A scene is saved under the name that the next command runs or checks it by."""
    after = (ROOT / page).read_text().split(text)[1]
    return re.search(r"^    scree (?:run|check) (\S+\.json)", after, re.M)[1]


def write_scenes(directory):
    """Puts the scenes of the pages into a directory, the shipped ones beside them: what the gallery's commands need.

    Two pages have a ball.json; the gallery's is the first."""
    scenes = {}
    for page in PAGES_WITH_SCENES:
        for kind, what in steps_of(page):
            if kind == "scene":
                scenes.setdefault(name_of(page, what), what)
    for name, text in scenes.items():
        (directory / name).write_text(text)
    shipped = directory / "scenes"
    if not shipped.is_symlink():
        shipped.symlink_to(ROOT / "scenes")


def sections_of_gallery():
    """(title, commands, names of the pictures that are shown) of each section of the gallery."""
    for section in re.split(r"^## ", (ROOT / GALLERY).read_text(), flags=re.M)[1:]:
        pictures = re.findall(r"!\[[^]]*\]\(images/(\w+)\.png\)", section)
        yield section.splitlines()[0], commands_of(section), pictures


def value_of(words, *options):
    """What follows one of the options in a command; None without it."""
    return next((words[i + 1] for i, word in enumerate(words[:-1]) if word in options), None)


def picture_of(words):
    """A render is shown under the name of its output, or else under that of its run."""
    return (value_of(words, "-o", "--output") or words[1]).removesuffix(".png")
