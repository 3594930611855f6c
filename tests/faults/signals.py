# SPDX-License-Identifier: BSD-3-Clause
"""SIGINT, SIGTERM, SIGHUP and SIGPIPE at random moments, once and twice, and readers that go away."""
import functools
import os
import signal
import time

import verbs
from cases import Case
from judge import DONE, INTERRUPTED, Place, check_ending, finish, judge, require, run, start
from stage import SLOW
from verbs import HEAP, SCENE, VERBS, verb

SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP", "SIGPIPE")
ANSWER = 3.0 * SLOW  # s; asked for is one, on a machine that does nothing else

# Longer work than the table's, so that the signal finds it under way; s that it may take to come.
LONG = {v.name: (v, seconds) for v, seconds in (
    (VERBS["run"], 0.25), (VERBS["resume"], 0.15),
    (verb("run_on", f"run {SCENE} -o out -j 2 --until 1000 --set output.checkpoint_minutes=1", run="out"), 0.5),
    (verb("run_heap", f"run {HEAP} -o out", run="out"), 2.0), (verb("check_heap", f"check {HEAP}"), 1.0),
    (verb("render_long", "render whole -o frame.png -s 1200x900 --samples 64 -j 1", "frame.png"), 0.5),
    (verb("render_all", "render whole -o frames --frames all -s 320x240 --samples 16 -j 1", "frames"), 0.5),
    (verb("problem_late", f"problem {SCENE} --at 100 -o step.h5 -j 1", "step.h5"), 0.5),
    (verb("solve_long", "solve problem.h5 -s apgd -n 20000000 --reference 1000000 --csv trials.csv -j 1", "trials.csv"),
     0.5),
    *((VERBS[name], 0.02) for name in ("export_vtu", "report", "plot", "info", "check", "contacts")),
)}
ENDLESS = ("run_on", "run_heap", "check_heap", "problem_late", "solve_long", "render_long", "render_all")
SHORT = ("run", "resume", "render_all", "problem_late")
TIMES = 6


def check_answer(process, words, sent, numbers):
    """It ends soon: with the exit code of interruptions, or by the very signal, or because it was done."""
    result = finish(process, words, within=30.0 * SLOW)
    taken = time.monotonic() - sent
    require(taken < ANSWER, f"took {taken:.1f} s to answer: {result}")
    if -result.code not in numbers:
        check_ending(result, (DONE, INTERRUPTED))
    return result


def interrupted(work, seconds, name, twice, stage, where, chance):
    place, number = Place(stage, where), getattr(signal, name)
    process = start(where, work.words)
    time.sleep(chance.uniform(0.0, seconds))
    sent = time.monotonic()
    process.send_signal(number)
    if twice:
        time.sleep(chance.uniform(0.0, 0.01))
        process.send_signal(number)
    if number == signal.SIGPIPE:  # not a reason to stop, once the command is there to say so
        if work.name not in ENDLESS:
            return check_unmoved(place, work, finish(process, work.words))
        time.sleep(0.1)
        sent = time.monotonic()
        process.terminate()
    result = check_answer(process, work.words, sent, (number, signal.SIGTERM))
    if work.name in ENDLESS:
        return check_stopped(place, work, result)
    judge(place, work, result, codes=(DONE, INTERRUPTED), killed=result.code < 0 or twice)


def check_unmoved(place, work, result):
    if result.code == -signal.SIGPIPE:  # it came while the program was being loaded
        require(verbs.tree(place.where) == place.before, f"died in the midst of its work: {result}")
    else:
        judge(place, work, result)


def check_stopped(place, work, result):
    """Work that never ends by itself: nothing half is left, and a run that had begun can go on."""
    place.check_others(work, killed=True)
    for name in work.outputs:
        if "." in name:
            require(not place.has(name), f"{name} is there: {result}")
    if work.makes_run and place.has_begun(work.run):
        check_ending(run(place.where, ["info", work.run]), (DONE,))
    if result.code == INTERRUPTED and work.makes_run and place.has_begun(work.run):
        again = start(place.where, ["resume", work.run])
        time.sleep(0.2)
        again.terminate()
        check_answer(again, ["resume", work.run], time.monotonic(), (signal.SIGTERM,))


def reader_gone(work, stage, where, chance):
    """`scree info | true`: the pipe breaks, the files of a run do not."""
    place = Place(stage, where)
    read_end, write_end = os.pipe()
    os.close(read_end)
    process = start(where, work.words, stdout=write_end)
    os.close(write_end)
    result = finish(process, work.words)
    check_ending(result)
    place.check_others(work)
    if work.makes_run:
        place.make_whole(work)


def ignored(stage, where, chance):
    """nohup: what was ignored stays ignored."""
    place, work = Place(stage, where), VERBS["run"]
    process = start(where, work.words, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    time.sleep(chance.uniform(0.0, 0.2))
    process.send_signal(signal.SIGHUP)
    judge(place, work, finish(process, work.words), codes=(DONE,))


def cases():
    for work, seconds in LONG.values():
        for name in SIGNALS:
            for number in range(TIMES):
                short = number == 0 and name != "SIGHUP" and work.name in SHORT
                yield Case(f"signals/{work.name}/{name}/{number + 1}",
                           functools.partial(interrupted, work, seconds, name, False), short)
                if number < 3 and name != "SIGPIPE":
                    yield Case(f"signals/{work.name}/{name}_twice/{number + 1}",
                               functools.partial(interrupted, work, seconds, name, True), short and name == "SIGINT")
    for work in VERBS.values():
        yield Case(f"signals/reader_gone/{work.name}", functools.partial(reader_gone, work),
                   work.name in ("info", "run"))
    for number in range(3):
        yield Case(f"signals/ignored/{number + 1}", ignored, number == 0)
