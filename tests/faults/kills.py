# SPDX-License-Identifier: BSD-3-Clause
"""SIGKILL: before, after and in the middle of chosen calls, and at random moments, again and again."""
import functools
import time

import stage as staging
from calls import count_calls, with_fault
from cases import Case, spread
from judge import BAD_INPUT, DONE, Place, check_ending, judge, require, run, start
from stage import read_counts
from verbs import END, VERBS

POINTS = {"run": {"write": 24, "fsync": 12, "rename": 16, "open": 10, "close": 10},
          "resume": {"write": 20, "fsync": 12, "rename": 16, "open": 8, "close": 8},
          "run_beside": {"write": 4, "rename": 4}, "render": {"rename": 1, "fsync": 1},
          "render_many": {"write": 3, "rename": 3}, "report": {"write": 3, "rename": 1},
          "export_vtu": {"write": 6, "rename": 6}, "export_csv": {"write": 3, "rename": 1},
          "problem": {"write": 6, "rename": 1}, "solve": {"write": 3, "rename": 2}, "plot": {"write": 2, "rename": 1},
          "contacts": {"write": 1, "rename": 1}}
MOMENTS = {"KILL": "before", "DEAD": "after", "TORN": "within"}
RANDOM_CASES, KILLS = 40, 6
RUN_SECONDS = 0.25  # what a run takes, about


def at_a_call(verb, call, effect, point, points, stage, where, chance):
    nth = spread(count_calls(stage, verb.name, verb.words)[call], point, points)
    place, fault, counts = Place(stage, where), f"{call}:{nth}:{effect}", where + ".counts"
    result = run(where, verb.words, with_fault(fault, counts))
    result.words = (f"[SCREE_FAULT={fault}]", *result.words)
    require(read_counts(counts)["hits"] > 0 or result.code == DONE, f"the fault never came: {result}")
    if verb.makes_run and place.has_begun(verb.run):
        look_at(place, verb.run)
    judge(place, verb, result, killed=result.code != DONE)
    if not verb.makes_run:
        check_again(place, verb)


def check_again(place, verb):
    """The same once more, with what the dead one left lying about; by force where no file can say who made it."""
    result = run(place.where, verb.words)
    if result.code == BAD_INPUT and "--force" in result.said:
        result = run(place.where, [*verb.words, "--force"])
    check_ending(result, (DONE,))
    exactly = verb.name != "render_many"  # which draws only what is missing, and says so
    place.check_outputs(verb, result, exactly)


def look_at(place, directory):
    """A run that was killed can be looked at: what it is, and every frame so far."""
    check_ending(run(place.where, ["info", directory]), (DONE,))
    seen = staging.frames(place.path(directory))
    known = {*place.stage.whole_frames, *place.stage.half_frames}  # of which one is of the moment where it stopped
    require(known.issuperset(seen), f"frames before the kill differ: {seen}")


def at_random(stage, where, chance):
    place, verb = Place(stage, where), VERBS["run"]
    words = verb.words
    for _ in range(KILLS):
        process = start(where, words)
        time.sleep(chance.uniform(0.0, RUN_SECONDS))
        process.kill()
        process.communicate()
        if process.returncode == DONE:
            words = ["resume", verb.run]  # which finds nothing to do
            break
        begun = place.has_begun(verb.run)
        if begun:
            look_at(place, verb.run)
        words = ["resume", verb.run, "--until", END] if begun else [*verb.words, "--force"]
    check_ending(run(where, words), (DONE,))
    place.check_same_run(verb.run)
    place.check_others(verb, killed=True)


def cases():
    for name, table in POINTS.items():
        for call, points in table.items():
            for effect in MOMENTS if call == "write" else ("KILL", "DEAD"):
                for point in range(points):
                    short = name in ("run", "resume") and call in ("write", "rename") and point in (1, points - 2)
                    yield Case(f"kills/{name}/{MOMENTS[effect]}_{call}/{point + 1}of{points}",
                               functools.partial(at_a_call, VERBS[name], call, effect, point, points), short,
                               needs_inject=True)
    for number in range(RANDOM_CASES):
        yield Case(f"kills/random/{number + 1}", at_random, number < 3)
