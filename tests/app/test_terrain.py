#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""scree terrain: a scene becomes a bed in one go, which is the bed that run and bed make; interrupted, it can be finished."""
import json
import signal
import subprocess
import time

from command import *

SCENE = {
    "time": {"step": 1e-3, "end": 2, "rest": {"energy": 1e-7, "for": 0.03}},
    "materials": {"gravel": {"density": 2600, "friction": 0.6, "rolling_friction": 0.2}},
    "bodies": [{"name": "floor", "kind": "fixed", "shapes": [{"plane": {}}]}],
    "periodic": {"x": [0, 0.1], "y": [0, 0.1]},
    "fills": [{"region": {"box": {"low": [0, 0, 0], "high": [0.1, 0.1, 0.05]}}, "radius": {"sieve": [[0.006, 0], [0.01, 0.5], [0.012, 1]]}}],
    "output": {"frame_interval": 0},
}


def write_scene(**changes):
    with open("gravel.json", "w") as file:
        json.dump({**SCENE, **changes}, file, indent=1)
    return "gravel.json"


def a_terrain_is_the_bed_of_its_run():
    said = scree("terrain", write_scene(), "-j", 1).stdout
    check_says(said, "gravel.h5: a bed of", "packing", "a grain under load", "d50", "wall clock", "done at t = ")
    check(summary("runs/gravel")["time"] < 1.9, "it did not come to rest")
    scree("bed", "runs/gravel", "-o", "again.h5")
    described = [scree("info", name).stdout.split(":", 1)[1] for name in ("gravel.h5", "again.h5")]
    check_equal(described[0], described[1], "the bed of the run")
    scree("run", write_scene(fills=[], beds=[{"file": "gravel.h5"}]), "-o", "loaded", "-q", "-j", 1, "--until", 0.05)
    check(summary("loaded")["energy"]["kinetic"] < 1e-5, "the bed does not rest")


def nothing_is_written_over():
    scree("terrain", write_scene(), "-j", 1, "-q", "--until", 0.01)
    check_says(refused("terrain", "gravel.json"), "runs/gravel holds a run already")
    scree("terrain", "gravel.json", "-j", 1, "-q", "--until", 0.01, "--force", "--run", "runs/gravel", "-o", "gravel.h5")
    check_says(refused("terrain", "gravel.json", "-o", "gravel.json", "--force"), "gravel.json")


def an_interrupted_one_can_be_finished():
    write_scene(time={"step": 1e-5, "end": 100})
    process = subprocess.Popen([SCREE, "terrain", "gravel.json", "-j", "1"], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    while not os.path.exists("runs/gravel/summary.json"):
        time.sleep(0.02)
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=60)[1]
    check_equal(process.returncode, 130, "exit code")
    check_says(said, "`scree resume runs/gravel` continues", "`scree bed runs/gravel -o gravel.h5` writes it")
    check(not os.path.exists("gravel.h5"), "there is a bed")
    scree("bed", "runs/gravel", "-o", "gravel.h5")


def a_scene_without_grains_makes_none():
    check_says(scree("terrain", write_scene(time={"end": 0.01}, fills=[]), code=1).stderr, "there is no grain in it")
    check(not os.path.exists("gravel.h5"), "there is a bed")


run_tests([a_terrain_is_the_bed_of_its_run, nothing_is_written_over, an_interrupted_one_can_be_finished, a_scene_without_grains_makes_none])
