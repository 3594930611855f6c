# SPDX-License-Identifier: BSD-3-Clause
"""Two at a time in the same place: one of them has it, the other says so, and what comes out is whole."""
import functools
import time

import verbs
from cases import Case
from judge import BAD_INPUT, DONE, FAILED, Place, check_ending, finish, require, start
from verbs import END, SCENE, VERBS

FORCED = (*VERBS["run"].words, "--force")
PAIRS = {
    "run_run": (VERBS["run"], VERBS["run"].words, VERBS["run"].words),
    "run_force": (VERBS["run"], VERBS["run"].words, FORCED),
    "force_force": (VERBS["run"], FORCED, FORCED),
    "run_resume": (VERBS["run"], VERBS["run"].words, ("resume", "out", "--until", END, "-j", "1")),
    "resume_resume": (VERBS["resume"], VERBS["resume"].words, VERBS["resume"].words),
    "resume_force": (VERBS["resume"], VERBS["resume"].words, ("run", SCENE, "-o", "half", "-j", "1", "--force")),
    **{f"{name}_twice": (VERBS[name], VERBS[name].words, VERBS[name].words)
       for name in ("render", "render_many", "plot", "report", "export_vtu", "export_csv", "problem", "solve",
                    "contacts")},
}
LOOKS = ("info", "plot_list", "export_csv", "render", "report")
TIMES = 8


def two(pair, stage, where, chance):
    verb, first, second = pair
    place = Place(stage, where)
    processes = [(start(where, first), first)]
    time.sleep(chance.choice((0.0, 0.0, chance.uniform(0.0, 0.02), chance.uniform(0.0, 0.3))))
    processes.append((start(where, second), second))
    results = [finish(process, words) for process, words in processes]
    for result in results:
        check_ending(result, (DONE, FAILED, BAD_INPUT))
    require(any(result.code == DONE for result in results), f"neither went well: {results[0]}; {results[1]}")
    place.check_others(verb)
    if verb.makes_run:
        place.check_same_run(verb.run)
    for result in results:
        if result.code == DONE and not verb.makes_run:
            place.check_outputs(verb, result, exactly=verb.name != "render_many")


def looked_at(name, stage, where, chance):
    """A run that is under way is looked at, at any moment: an answer or a sentence, and the run does not mind."""
    place, verb = Place(stage, where), VERBS["run"]
    words = ["out" if word == "whole" else word for word in VERBS[name].words]
    process = start(where, verb.words)
    while process.poll() is None:
        time.sleep(chance.uniform(0.0, 0.03))
        seen = start(where, words)
        result = finish(seen, words)
        check_ending(result, (DONE, FAILED, BAD_INPUT))
        for output in VERBS[name].outputs:
            for part, data in verbs.tree(place.path(output)).items() if place.has(output) else ():
                require(verbs.is_well_formed(part, data), f"{output}: {part} is not whole: {result}")
        if result.code == DONE:
            require(all(place.has(output) for output in VERBS[name].outputs), f"nothing written: {result}")
    check_ending(finish(process, verb.words), (DONE,))
    place.check_same_run(verb.run)


def input_as_output(words, stage, where, chance):
    """What is read, and what a run holds, is not overwritten by what is written."""
    place = Place(stage, where)
    result = finish(start(where, words), words)
    check_ending(result, (BAD_INPUT, FAILED))
    now = verbs.tree(where)
    for name, data in place.before.items():
        require(now.get(name) == data, f"{name} is changed or gone: {result}")


SELF = {
    "problem_scene": ("problem", SCENE, "-o", SCENE, "-j", "1"),
    "problem_checkpoint": ("problem", "half", "-o", "half/checkpoint.h5", "-j", "1"),
    "export_checkpoint": ("export", "whole", "--to", "csv", "-o", "whole/checkpoint.h5"),
    "export_trajectory": ("export", "whole", "--to", "lammps", "-o", "whole/trajectory.h5"),
    "contacts_scene": ("contacts", SCENE, "-o", SCENE),
    "plot_probes": ("plot", "whole", "energy", "-o", "p.svg", "--csv", "whole/probes.csv"),
    "report_summary": ("report", "whole", "-o", "whole/summary.json"),
    "solve_problem": ("solve", "problem.h5", "-n", "5", "--reference", "5", "--csv", "problem.h5", "-j", "1"),
    "run_in_half": ("run", SCENE, "-o", "half", "-j", "1"),
}


def cases():
    for name, pair in PAIRS.items():
        for number in range(TIMES):
            yield Case(f"starts/{name}/{number + 1}", functools.partial(two, pair), number == 0)
    for name in LOOKS:
        for number in range(4):
            yield Case(f"starts/looked_at_{name}/{number + 1}", functools.partial(looked_at, name),
                       number == 0 and name == "info")
    for name, words in SELF.items():
        yield Case(f"starts/self/{name}", functools.partial(input_as_output, words), True)
