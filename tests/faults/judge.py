# SPDX-License-Identifier: BSD-3-Clause
"""Runs the command while something goes wrong, and judges what it did.

Whatever happens: no death by a signal but the one that was sent, no hanging, an exit code of the table, a sentence on
standard error unless it is 0; with 0, all that was promised is there and right; the files of others are as they were;
and a run, if it had begun, goes on from its checkpoint to the same bits as one that nothing happened to.
"""
import os
import re
import signal
import subprocess

import stage as staging
import verbs
from stage import SCREE, TIMEOUT

DONE, FAILED, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130
NOISE = ("HDF5-DIAG", "Assertion", "terminate called", "(null)", "*** stack smashing")


class Fault(Exception):
    """What a case found wrong."""


def require(truth, what):
    if not truth:
        raise Fault(what)


class Result:
    def __init__(self, words, code, out, said):
        self.words, self.code, self.out, self.said = words, code, out, said

    def __str__(self):
        said = self.said if len(self.said) < 1500 else self.said[:700] + " [...] " + self.said[-700:]
        return f"`scree {' '.join(self.words)}` ended with {self.code} and said: {said.strip()!r}"


def start(where, words, environment=None, **options):
    """The command, under way, in its own process group so that nothing of it outlives a case."""
    options.setdefault("stdout", subprocess.PIPE)
    options.setdefault("stderr", subprocess.PIPE)
    return subprocess.Popen([SCREE, *words], cwd=where, stdin=subprocess.DEVNULL, start_new_session=True,
                            env=staging.environment(**(environment or {})), **options)


def finish(process, words, within=TIMEOUT):
    try:
        out, said = process.communicate(timeout=within)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        raise Fault(f"`scree {' '.join(words)}` was not done after {within} s")
    return Result(words, process.returncode, *((text or b"").decode("utf-8", "replace") for text in (out, said)))


def run(where, words, environment=None, within=TIMEOUT, **options):
    return finish(start(where, words, environment, **options), words, within)


# ---- how it ended ----------------------------------------------------------------------------------------------------

def has_sentence(text):
    return re.search(r"^scree: \S+( \S+){2,}", text, re.MULTILINE) is not None


def check_ending(result, codes=(DONE, FAILED, BAD_INPUT), heard=True, noise=False):
    require(result.code >= 0, f"died by signal {-result.code}: {result}")
    require(result.code in codes, f"exit code not of {codes}: {result}")
    if heard and result.code != DONE:
        require(has_sentence(result.said), f"no sentence: {result}")
    for word in NOISE:
        require(noise or word not in result.said, f"{word}: {result}")


# ---- what it left ----------------------------------------------------------------------------------------------------

class Place:
    """A case's directory: what is in it before, so that it can be told what changed."""

    def __init__(self, stage, where):
        self.stage, self.where = stage, where
        stage.set_up(where)
        self.before = verbs.tree(where)

    def path(self, *names):
        return os.path.join(self.where, *names)

    def has(self, *names):
        return os.path.exists(self.path(*names))

    def check_others(self, verb, killed=False, damaged=()):
        """Nothing foreign is changed, nothing is left behind but what was asked for."""
        now = verbs.tree(self.where)
        own = {f"{verb.run}/{name}" for name in verbs.RUN_FILES} if verb.makes_run else set()
        for name, data in self.before.items():
            if name in own or name in damaged:
                continue
            require(name in now, f"{name} is gone")
            require(now[name] == data, f"{name} is changed")
        for name in now:
            known = name in self.before or name in own or name.split("/")[0] in verb.outputs
            require(known or killed, f"{name} is left behind")

    def check_outputs(self, verb, result, exactly=True):
        """With exit code 0 all is there, and as it would be without a fault; or, of damaged material, well-formed."""
        for name in verb.outputs:
            require(self.has(name), f"{name} is missing: {result}")
            made, reference = verbs.tree(self.path(name)), self.stage.reference(verb, name)
            if exactly:
                require(set(made) == set(reference), f"{name} holds {sorted(made)}: {result}")
            for part, data in made.items():
                other_type = "Fontconfig" in result.said and part.endswith((".svg", ".png"))  # without its settings
                compare = exactly and not other_type
                right = verbs.same_file(part, data, reference[part]) if compare else verbs.is_well_formed(part, data)
                require(right, f"{name}: {part} is not right: {result}")
        if exactly and "step.h5" in verb.outputs:
            require(self.stage.solve_step(self.where) == self.stage.step_answer, f"another problem: {result}")
        if exactly:
            wanted = verbs.mask_numbers(self.stage.printed[verb.name])
            require(verbs.mask_numbers(result.out) == wanted, f"printed {result.out!r}: {result}")

    def check_no_half_outputs(self, verb, killed=False):
        """After a failure an output is not there, or whole. A directory of many holds whole ones."""
        for name in verb.outputs:
            if not self.has(name):
                continue
            reference = self.stage.reference(verb, name)
            for part, data in verbs.tree(self.path(name)).items():
                if part not in reference:
                    require(killed, f"{name}: {part} is left behind")
                else:
                    require(verbs.same_file(part, data, reference[part]), f"{name}: {part} is half a file")

    # ---- runs --------------------------------------------------------------------------------------------------------

    def check_same_run(self, directory):
        """A run that must not be told from the whole one: state, figures, probes, frames."""
        here, whole = self.path(directory), os.path.join(self.stage.material, "whole")
        for name in verbs.RUN_FILES:
            require(self.has(directory, name), f"{directory}/{name} is missing")
        ours, theirs = staging.figures(here), staging.figures(whole)
        for key in theirs:
            require(ours.get(key) == theirs[key], f"{directory}: {key} is {ours.get(key)}, not {theirs[key]}")
        for name in ("scene.json", "probes.csv", "trajectory.xdmf"):
            same = verbs.tree(os.path.join(here, name)) == verbs.tree(os.path.join(whole, name))
            require(same, f"{directory}/{name} differs")
        require(staging.frames(here) == self.stage.whole_frames, f"{directory}: frames differ")

    def has_begun(self, directory):
        return all(self.has(directory, name) for name in verbs.RUN_NEEDED)

    def make_whole(self, verb):
        """After a fault: the run goes on, or begins anew if it had not begun, and ends in the same bits."""
        if self.has_begun(verb.run):
            result = run(self.where, ["resume", verb.run, "--until", verbs.END, "-j", "1"])
        else:
            require(verb.name != "resume", "the earlier checkpoint is lost")
            result = run(self.where, verb.words)
            if result.code == BAD_INPUT and has_sentence(result.said):  # it names what is in its way
                result = run(self.where, [*verb.words, "--force"])
        require(result.code == DONE, f"does not go on: {result}")
        self.check_same_run(verb.run)


def judge(place, verb, result, codes=(DONE, FAILED, BAD_INPUT), killed=False, noise=False):
    """All of the above, for a verb on sound material. `killed`: it was, so that it could not tidy up; `noise`:
    libraries that memory is refused to may say so in their own words before our sentence."""
    if not killed:
        check_ending(result, codes, noise=noise)
    place.check_others(verb, killed)
    if result.code == DONE:
        place.check_outputs(verb, result)
        if verb.makes_run:
            place.check_same_run(verb.run)
        return
    place.check_no_half_outputs(verb, killed)
    if verb.makes_run:
        place.make_whole(verb)
        place.check_others(verb, killed=True)
