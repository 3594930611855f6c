#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""One word switches the contact law of a scene, and a run says what its law needs to be believed."""
import re

from command import *

PENALTY = ["--set", "contact.law=penalty", "--set", "materials.sand.young=1e7", "--set", "materials.steel.young=2e8"]
SHORT = ["--set", "time.step=1e-5", "--until", "0.02"]


def a_material_without_a_modulus_is_refused_with_its_place():
    process = scree("run", PILE, "--set", "contact.law=penalty", "-o", "out", code=BAD_INPUT)
    check_says(process.stderr, "pile.json:6:25: ", 'under the penalty law the material "sand" needs "young"')
    check_equal(os.listdir("."), [], "files")


def check_advises_a_step():
    text = scree("check", PILE, *PENALTY, *SHORT).stdout
    check_says(text, "\n  advised    at most ", " us for ", "radius (", "steps of 10 us are 0.")
    check("iterations" not in text and "warning" not in text, text)
    check("advised" not in scree("check", PILE).stdout, "advice without the penalty law")


def steps_that_are_too_long_are_named_everywhere():
    warning = "the steps are too long for the penalty law: advised are at most "
    long_steps = [*PENALTY, "--set", "time.step=2e-4", "--until", "0.01"]
    check_says(scree("check", PILE, *long_steps).stdout, "\n  warning    " + warning)
    process = scree("run", PILE, *long_steps, "-o", "out")
    check_says(process.stderr, "scree: warning: " + warning)
    figures = summary("out")
    check_equal(len(figures["warnings"]), 1, "warnings")
    check_says(figures["warnings"][0], "times the longest that the penalty law advises",
               "forces and energy may be wrong")
    check_says(process.stdout, "  advised step  ", "\n  warning       " + figures["warnings"][0] + "\n")
    check(figures["time_step_over_advised"] > 1.0, figures)
    check_equal(figures["time_step_over_advised"], 2e-4 / figures["advised_time_step"], "ratio")


def both_laws_report_the_same_quantities():
    scree("run", PILE, *PENALTY, *SHORT, "-o", "penalty")
    scree("run", PILE, "--until", "0.02", "-o", "compliant")
    p, c = summary("penalty"), summary("compliant")
    check_equal(list(p), list(c), "keys of summary.json")
    check_equal((p["law"], c["law"]), ("penalty", "compliant"), "laws")
    for key in ("iterations", "change", "force_error", "unsolved_steps", "residual", "cone_violation"):
        check(p[key] is None and c[key] is not None, key)
    for key in ("advised_time_step", "time_step_over_advised"):
        check(c[key] is None and p[key] > 0.0, key)
    check(p["time_step_over_advised"] < 1.0, p)
    for figures in (p, c):
        check_equal(figures["warnings"] + figures["notes"], [], "warnings and notes")
        check(0.0 <= figures["overlap"]["mean"] <= figures["overlap"]["max"] < 0.05, figures["overlap"])


def steps_that_are_not_solved_are_named_everywhere():
    """Two sweeps solve no pile: the run ends well, and whoever looks at it is told."""
    screen = on_terminal("run", PILE, "--set", "solver.method=ags", "--set", "solver.max_iterations=2",
                         "--set", "solver.tolerance=1e-9", "--until", 4, "-o", "out").decode().replace("\r\n", "\n")
    figures = summary("out")
    check_equal(figures["status"], "done", "status")
    check(figures["steps"] / 2 < figures["unsolved_steps"] <= figures["steps"], figures)
    check_equal(len(figures["warnings"]), 1, "warnings")
    sentence = figures["warnings"][0]
    check_says(sentence,
               f"{figures['unsolved_steps']:,} of {figures['steps']:,} steps did not reach the solver's tolerance",
               f"up to {figures['force_error']['max']:.2g}, and 1e-09 was asked for",
               "More solver.max_iterations or a shorter time step help.")
    check_says(screen, "\n  warning       " + sentence + "\n")
    check(re.search(r" iterations  error \de[+-]\d\d!", screen), "no mark on the progress line: " + screen)
    check_says(scree("info", "out").stdout, "\n  warning     " + sentence + "\n")


def more_sweeps_are_not_advised_where_rounding_ends_them():
    scree("run", PILE, "--set", "solver.method=ags", "--set", "solver.tolerance=1e-9",
          "--until", 0.05, "-o", "out", "-q")
    figures = summary("out")
    check(figures["iterations"]["max"] < 2000, figures["iterations"])
    check_equal(len(figures["warnings"]), 1, "warnings")
    check_says(figures["warnings"][0], 'A shorter time step or solver.precision "double" help.')


def a_run_that_is_solved_has_no_warnings():
    # Enough steps for a line of progress, however fast the machine.
    screen = on_terminal("run", PILE, "--set", "time.step=2e-4", "--until", 0.25, "-o", "out").decode()
    figures = summary("out")
    check_equal((figures["unsolved_steps"], figures["warnings"], figures["notes"]), (0, [], []), "warnings")
    check(figures["force_error"]["last"] <= figures["force_error"]["max"] <= 1e-3, figures["force_error"])
    check_says(screen, " iterations  error ")
    check("warning" not in screen and "!" not in screen, screen)


def bodies_that_leave_and_overlap_are_noted():
    sphere = [{"sphere": {"radius": 0.1}}]
    scene = {"time": {"step": 0.01, "end": 0.3}, "domain": {"low": [-1, -1, -1], "high": [1, 1, 1], "leave": "remove"},
             "bodies": [{"position": [0, 0, 0.5], "velocity": [10, 0, 0], "shapes": sphere}]}
    write("leave.json", json.dumps(scene))
    scree("run", "leave.json", "-o", "leave", "-q")
    check_equal(summary("leave")["notes"], ["1 body left the domain."], "notes")
    scene = {"time": {"step": 1e-4, "end": 1e-4}, "gravity": [0, 0, 0],
             "bodies": [{"position": [x, 0, 0], "shapes": sphere} for x in (0, 0.18)]}
    write("overlap.json", json.dumps(scene))
    said = scree("run", "overlap.json", "-o", "overlap").stdout
    sentence = "In the last step bodies overlap by up to 20 % of the smaller radius."
    check_equal(summary("overlap")["notes"], [sentence], "notes")
    check_says(said, "\n  note          " + sentence + "\n")


def a_penalty_run_resumes_to_the_same_bits():
    for out in ("whole", "parts"):
        scree("run", PILE, *PENALTY, *SHORT[:2], "--until", "0.03" if out == "whole" else "0.01", "-o", out)
    scree("resume", "parts", "--until", "0.03")
    check_equal(summary("parts")["state_hash"], summary("whole")["state_hash"], "state hash")


run_tests([a_material_without_a_modulus_is_refused_with_its_place, check_advises_a_step,
           steps_that_are_too_long_are_named_everywhere, steps_that_are_not_solved_are_named_everywhere,
           more_sweeps_are_not_advised_where_rounding_ends_them, a_run_that_is_solved_has_no_warnings,
           bodies_that_leave_and_overlap_are_noted, both_laws_report_the_same_quantities,
           a_penalty_run_resumes_to_the_same_bits])
