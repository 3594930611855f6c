# SPDX-License-Identifier: BSD-3-Clause
"""Disks that are full or read-only, limits on the size of files, and outputs that go nowhere."""
import contextlib
import functools
import os
import resource
import shutil
import signal
import subprocess
import time

import stage as staging
from cases import Case
from judge import BAD_INPUT, DONE, FAILED, Place, check_ending, finish, judge, require, run, start
from verbs import END, RUN_FILES, VERBS

LIMITS = (0, 100, 1000, 4096, 8192, 20000, 40000, 60000, 79000, 100000, 114000, 200000)  # bytes
ROOM = (0, 4, 8, 16, 40, 80, 120, 160, 200, 300, 360, 400, 480, 700)  # KB that a full disk still has
GROWING = [name for name in RUN_FILES if name != "trajectory.xdmf"]  # that a run has from its start
WRITERS = [verb for verb in VERBS.values() if verb.makes_run or verb.outputs]


@contextlib.contextmanager
def small_disk(path, kilobytes):
    os.mkdir(path)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", path], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", path], check=True)


def remount(path, option):
    subprocess.run(["mount", "-o", f"remount,{option}", path], check=True)


def used(path):
    about = os.statvfs(path)
    return (about.f_blocks - about.f_bfree) * about.f_frsize // 1024


def full_disk(verb, room, stage, where, chance):
    """A disk with the material on it and so much room left; then it grows, and all goes well."""
    with small_disk(where, 20000):
        place = Place(stage, os.path.join(where, "case"))
        remount(where, f"size={used(where) + room}k")
        result = run(place.where, verb.words)
        check_ending(result)
        remount(where, "size=20000k")
        judge(place, verb, result)


def read_only_disk(verb, stage, where, chance):
    with small_disk(where, 20000):
        place = Place(stage, os.path.join(where, "case"))
        remount(where, "ro")
        result = run(place.where, verb.words)
        writes = verb.makes_run or verb.outputs
        check_ending(result, (FAILED, BAD_INPUT) if writes else (DONE,))
        says_why = "ead-only" in result.said or "may not write" in result.said
        require(says_why or not writes, f"does not say why: {result}")
        remount(where, "rw")
        judge(place, verb, result)


@functools.cache
def least_limit():
    """LLVM's OpenMP, with which the thread sanitizer works, makes a file of 1 kB before main, or ends the process."""
    with open(staging.SCREE, "rb") as command:
        return 1024 if b"libomp.so" in command.read() else 0


def limited_size(verb, limit, stage, where, chance):
    place = Place(stage, where)
    size = max(limit, least_limit())
    result = run(where, verb.words, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)))
    judge(place, verb, result)


def output_nowhere(verb, stage, where, chance):
    """Standard output on a full device: what was to be printed is lost, and that is a failure."""
    place = Place(stage, where)
    with open("/dev/full", "w") as full:
        result = run(where, verb.words, stdout=full)
    check_ending(result, (FAILED,))
    place.check_others(verb)


def closed(descriptors, verb, stage, where, chance):
    """Started without standard files: a file that takes their number must not get what is printed."""
    place = Place(stage, where)
    result = run(where, verb.words, preexec_fn=lambda: [os.close(number) for number in descriptors])
    check_ending(result, heard=2 not in descriptors)
    if result.code == DONE:
        result.out = stage.printed[verb.name]  # it was not heard
        place.check_outputs(verb, result)
        if verb.makes_run:
            place.check_same_run(verb.run)
    place.check_others(verb)


def directory_in_the_way(verb, stage, where, chance):
    """The output's name is taken by a directory that others use."""
    place = Place(stage, where)
    os.mkdir(place.path(verb.outputs[0]))
    shutil.copy(place.path("notes.txt"), place.path(verb.outputs[0], "notes.txt"))
    result = run(where, verb.words)
    check_ending(result, (FAILED, BAD_INPUT) if "." in verb.outputs[0] else (DONE, FAILED, BAD_INPUT))
    require(place.has(verb.outputs[0], "notes.txt"), f"{verb.outputs[0]}/notes.txt is gone: {result}")
    place.check_others(verb)


def is_under_way(place):
    """All files are there but that of the end, and some steps are to come."""
    return (all(place.has("out", name) for name in GROWING)
            and staging.figures(place.path("out"))["time"] < float(END) - 0.004)


def taken_away(name, stage, where, chance):
    """A file of a run, or all of it, is removed while it is under way: noticed, or written again."""
    place, verb = Place(stage, where), VERBS["run"]
    process = start(where, verb.words)
    while process.poll() is None:
        time.sleep(chance.uniform(0.0, 0.03))
        process.send_signal(signal.SIGSTOP)  # or it could be done before anything is gone
        if is_under_way(place):
            shutil.rmtree(place.path("out")) if name == "all" else os.remove(place.path("out", name))
            break
        process.send_signal(signal.SIGCONT)
    process.send_signal(signal.SIGCONT)
    result = finish(process, verb.words)
    check_ending(result)
    if result.code == DONE:
        place.check_same_run(verb.run)
    place.check_others(verb)


def cases():
    for verb in WRITERS:
        for room in ROOM if verb.makes_run else ROOM[:6]:
            short = verb.name in ("run", "resume", "export_vtu") and room in (16, 120)
            yield Case(f"disks/full/{verb.name}/{room}KB", functools.partial(full_disk, verb, room), short,
                       needs_root=True)
        for limit in LIMITS if verb.makes_run else LIMITS[:6]:
            short = limit == (60000 if verb.makes_run else 100)
            yield Case(f"disks/limit/{verb.name}/{limit}", functools.partial(limited_size, verb, limit), short)
        if verb.outputs:
            yield Case(f"disks/in_the_way/{verb.name}", functools.partial(directory_in_the_way, verb),
                       verb.name == "export_csv")
    for verb in VERBS.values():
        short = verb.name in ("run", "resume", "info", "problem", "plot")
        yield Case(f"disks/read_only/{verb.name}", functools.partial(read_only_disk, verb), short, needs_root=True)
        yield Case(f"disks/nowhere/{verb.name}", functools.partial(output_nowhere, verb), short)
        for descriptors in ((0,), (1,), (2,), (0, 1, 2)):
            name = "".join(map(str, descriptors))
            yield Case(f"disks/closed_{name}/{verb.name}", functools.partial(closed, descriptors, verb),
                       short and name == "012")
    for name in (*GROWING, "all"):
        for number in range(6):
            yield Case(f"disks/taken_away/{name}/{number + 1}", functools.partial(taken_away, name), number == 0)
