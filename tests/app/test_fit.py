#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""scree fit finds what its own curves were made with, says how well it knows it, and goes on after kills."""
from studies import *


def fit_words(**changes):
    return {"parameters": {"parameters.friction": {"from": 0.1, "to": 0.9, "start": 0.7}, "parameters.speed": {"from": 0.5, "to": 2}},
            "targets": [{"probe": "block.x", "curve": "measured.csv", "error": 0.002}], "tolerance": 0.01, **changes}


def measure(**parameters):
    """A curve of the scene's own, sampled at other times than probes are."""
    study(scene={**SLIDE, "parameters": parameters, "output": {"frame_interval": 0, "probe_interval": 0.03}})
    scree("run", "scene.json", "-o", "truth", "-q", "--until", 0.36)
    shutil.copy("truth/probes.csv", "measured.csv")


def a_fit_finds_its_own_parameters_back():
    truth = {"friction": 0.31, "speed": 1.37}
    measure(**truth)
    scree("fit", study(seeds=2, fit=fit_words()), "-o", "out", "-q")
    found = json.loads(read("out", "fit.json"))
    check(found["converged"], "it did not converge")
    for name, value in truth.items():
        p = found["parameters"][f"parameters.{name}"]
        check(abs(p["value"] - value) < 2 * p["uncertainty"], f"{name}: {p} but {value} is right")
        check(p["uncertainty"] < 0.05 * value, f"{name} is known too badly: {p}")
        check_equal(p["from_seeds"], 0.0, "scatter of a scene without chance")
    check_equal(found["warnings"], [], "warnings")
    check_says(read("out", "fit.html").decode(), "<table>", "data:image/svg+xml;base64,")
    before, result = moments("out"), read("out", "fit.json")
    shutil.rmtree("out/runs")  # evaluations.csv is enough
    scree("fit", "study.json", "-o", "out", "-q")
    check_equal(run_names("out"), [], "runs")
    check(read("out", "fit.json") == result, "the answer is another")
    check(len(before) < 100, f"{len(before)} runs")


def a_fit_to_numbers_of_the_summary():
    scene = {**SLIDE, "time": {"step": 0.002, "end": 0.2}}
    mass, mu = 2000 * 0.2 * 0.2 * 0.1, 0.45
    energy = 0.5 * mass * (1.0 - mu * G * 0.2) ** 2
    study(scene=scene, fit={"parameters": {"parameters.friction": {"from": 0.1, "to": 0.5, "scale": "log"}}, "method": "sbplx", "max_evaluations": 20,
                            "targets": [{"summary": "energy.kinetic", "value": energy, "error": 0.01 * energy}]})
    scree("fit", "study.json", "-o", "out", "-q")
    p = json.loads(read("out", "fit.json"))["parameters"]["parameters.friction"]
    slope = mass * (1.0 - mu * G * 0.2) * G * 0.2  # of the energy over friction
    check(abs(p["value"] - mu) < 0.01, f"{p}, not {mu}")
    check(abs(p["from_measurement"] / (0.01 * energy / slope) - 1) < 0.1, f"{p}, not {0.01 * energy / slope}")


def what_the_targets_do_not_tell_is_said():
    measure(friction=0.31, speed=1.0)
    study(fit=fit_words(parameters={"materials.block.density": {"from": 1000, "to": 3000}, "parameters.friction": {"from": 0.2, "to": 0.25}},
                        max_evaluations=12))
    said = scree("fit", "study.json", "-o", "out").stdout
    check_says(said, "the targets tell nothing of some parameter", "at the end of its range", "there is one seed")
    check_equal(json.loads(read("out", "fit.json"))["parameters"]["materials.block.density"]["uncertainty"], None, "uncertainty")


def a_fit_that_is_killed_goes_on():
    measure(friction=0.31, speed=1.0)
    study(seeds=2, fit=fit_words(parameters={"parameters.friction": {"from": 0.1, "to": 0.9, "start": 0.7}}))
    scree("fit", "study.json", "-o", "whole", "-q")
    for k in range(1, 4):
        process = start("fit", "study.json", "-o", "out", "-q")
        wait_until(lambda: process.poll() is not None or (os.path.exists("out/runs") and len(run_names("out")) > 3 * k), "no runs")
        process.kill()
        process.wait()
    scree("fit", "study.json", "-o", "out", "-q")
    for name in ("fit.json", "fit.csv", "fit_targets.csv", "evaluations.csv", "fit.svg"):
        check(read("out", name) == read("whole", name), f"{name} is another after kills")


def mistakes_of_fits_get_a_sentence():
    measure(friction=0.3, speed=1.0)
    check_says(refused("fit", study(fit=fit_words(targets=[{"probe": "block.x", "curve": "none.csv"}])), "-o", "out"), "none.csv")
    check_says(refused("fit", study(fit=fit_words(targets=[{"probe": "block.x", "curve": "measured.csv", "column": "block.xx"}])), "-o", "out"),
               'has no column "block.xx"; did you mean "block.x"?')
    check_says(refused("fit", study(fit=fit_words(targets=[{"summary": "bodies", "value": 2}])), "-o", "out"),
               "2 parameters cannot be found from 1 measured value")
    check_says(refused("fit", study(fit=fit_words(parameters={"parameters.frction": {"from": 0, "to": 1}})), "-o", "out"),
               "study.json:1:", 'no parameter "frction"; did you mean "friction"?')
    study(scene={**SLIDE, "gravity": [0, 0, "exp(40*t)"], "limits": {"speed": 50}}, fit=fit_words())
    check_says(scree("fit", "study.json", "-o", "out", code=FAILED).stderr, "no run gives the numbers of the targets at the start of the fit: step ")


run_tests([a_fit_finds_its_own_parameters_back, a_fit_to_numbers_of_the_summary, what_the_targets_do_not_tell_is_said,
           a_fit_that_is_killed_goes_on, mistakes_of_fits_get_a_sentence])
