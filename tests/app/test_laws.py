#!/usr/bin/env python3
"""One word switches the contact law of a scene, and a run says what its law needs to be believed."""
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
    check_says(process.stdout, "  advised step  ", ". Warning: too long")
    figures = summary("out")
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
        check(0.0 <= figures["overlap"]["mean"] <= figures["overlap"]["max"] < 0.05, figures["overlap"])


def a_penalty_run_resumes_to_the_same_bits():
    for out in ("whole", "parts"):
        scree("run", PILE, *PENALTY, *SHORT[:2], "--until", "0.03" if out == "whole" else "0.01", "-o", out)
    scree("resume", "parts", "--until", "0.03")
    check_equal(summary("parts")["state_hash"], summary("whole")["state_hash"], "state hash")


run_tests([a_material_without_a_modulus_is_refused_with_its_place, check_advises_a_step,
           steps_that_are_too_long_are_named_everywhere, both_laws_report_the_same_quantities,
           a_penalty_run_resumes_to_the_same_bits])
