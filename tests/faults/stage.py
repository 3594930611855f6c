# SPDX-License-Identifier: BSD-3-Clause
"""The material that cases work on, made once, and what each verb answers when nothing goes wrong."""
import json
import os
import shutil
import struct
import subprocess

import verbs

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
BUILD = os.environ.get("SCREE_BUILD", os.path.join(TOP, "build", "release"))
SCREE = os.environ.get("SCREE", os.path.join(BUILD, "bin", "scree"))
DIGEST = os.path.join(BUILD, "bin", "frame_digest")
INJECT = os.path.join(BUILD, "tests", "faults", "libinject.so")

CALLS = ("write", "fsync", "rename", "open", "close", "malloc", "read")  # as in inject.c
SLOW = 5 if os.environ.get("ASAN_OPTIONS") or os.environ.get("TSAN_OPTIONS") else 1
TIMEOUT = 30 * SLOW  # s; the slowest case takes a second

# Files that are nobody's business: they must be there, byte for byte, whatever happens.
FOREIGN = ("notes.txt", "draft.tmp", "summary.json.bak", "half/notes.txt", "half/draft.tmp", "whole/photo.png",
           "shelf/notes.txt", "shelf/checkpoint.h5.old", "shelf/draft.tmp")


class Stage:
    def __init__(self, home):
        self.home = home
        self.material = os.path.join(home, "material")
        self.references = os.path.join(home, "references")
        self.printed = {}  # verb -> standard output

    def make(self):
        os.mkdir(self.material)
        for scene in (verbs.SCENE, verbs.HEAP):
            shutil.copy(os.path.join(HERE, "scenes", scene), self.material)
        self.say("run", verbs.SCENE, "-o", "whole", "-j", "1", "-q")
        self.say("run", verbs.SCENE, "-o", "half", "--until", verbs.HALF, "-j", "1", "-q")
        self.say("problem", "half", "-o", "problem.h5", "-j", "1")
        for name in FOREIGN:
            path = os.path.join(self.material, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w") as file:
                file.write(f"{name}: not of scree\n")
        self.whole_frames, self.half_frames = (frames(os.path.join(self.material, name)) for name in ("whole", "half"))
        self.answer_all()

    def answer_all(self):
        os.mkdir(self.references)
        for verb in verbs.VERBS.values():
            where = os.path.join(self.references, verb.name)
            self.set_up(where)
            self.printed[verb.name] = self.say(*verb.words, where=where)
        self.step_answer = self.solve_step(os.path.join(self.references, "problem"))

    def say(self, *words, where=None):
        process = subprocess.run([SCREE, *words], cwd=where or self.material, check=True, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, env=environment(), timeout=TIMEOUT)
        return process.stdout.decode()

    def solve_step(self, where):
        """What solvers find in the problem that `scree problem` wrote: the same for the same problem."""
        self.say("solve", "step.h5", "-n", "20", "--reference", "50", "--csv", "step.csv", "-j", "1", where=where)
        path = os.path.join(where, "step.csv")
        with open(path, "rb") as file:
            rows = verbs.without_seconds(file.read())
        os.remove(path)
        return rows

    def reference(self, verb, output):
        return verbs.tree(os.path.join(self.references, verb.name, output))

    def set_up(self, where):
        """A case's own directory."""
        shutil.copytree(self.material, where)


def environment(**more):
    return {**os.environ, "OMP_WAIT_POLICY": "passive", **more}


def frames(directory):
    """A line for each frame of a run; raises OSError with the sentence if it cannot be read."""
    process = subprocess.run([DIGEST, directory], capture_output=True, text=True, timeout=TIMEOUT)
    if process.returncode != 0:
        raise OSError(f"frames cannot be read, {process.returncode}: {process.stderr}")
    return process.stdout.splitlines()


def figures(directory):
    """What a run's summary says, but for what may differ between two runs that end in the same bits."""
    with open(os.path.join(directory, "summary.json")) as file:
        summary = json.load(file)
    return {key: value for key, value in summary.items() if key not in ("seconds", "resumes", "threads", "peak_memory")}


def read_counts(path):
    with open(path, "rb") as file:
        values = struct.unpack(f"{len(CALLS) + 1}Q", file.read())
    return dict(zip((*CALLS, "hits"), values))
