#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A run may end when its grains are as dense as asked: shaken or pressed, within a tolerance; or it says that it could not."""
import csv
import json

from command import *

SIDE, RADIUS = 0.06, 0.004
SCENE = {
    "time": {"step": 5e-4, "end": 3, "packing": {"fraction": 0.59, "after": 0.2,
                                                 "region": {"box": {"low": [0, 0, 0.01], "high": [SIDE, SIDE, 0.04]}}}},
    "periodic": {"x": [0, SIDE], "y": [0, SIDE]},
    "gravity": ["15*sin(2*pi*40*t)", 0, -9.81],  # shaken from the side
    "materials": {"grit": {"density": 2600, "friction": 0.4}},
    "bodies": [{"name": "floor", "kind": "fixed", "shapes": [{"plane": {}}]}],
    "fills": [{"pattern": "random", "region": {"box": {"low": [0, 0, 0], "high": [SIDE, SIDE, 0.13]}},
               "radius": {"uniform": [0.85 * RADIUS, RADIUS]}, "count": 480}],
    "probes": [{"name": "bed", "kind": "packing", "region": {"box": {"low": [0, 0, 0.01], "high": [SIDE, SIDE, 0.04]}}},
               {"name": "grains", "kind": "region_mass", "region": {"box": {"low": [0, 0, 0], "high": [SIDE, SIDE, 1]}}}],
    "output": {"probe_interval": 0.005, "frame_interval": 0},
}
ASKED = 0.63  # by pressing
TOLERANCE = 0.003  # in ten steps the packing of a shaken bed changes by less


def write_scene(**changes):
    with open("scene.json", "w") as file:
        json.dump({**SCENE, **changes}, file, indent=1)
    return "scene.json"


def fractions(run):
    with open(run + "/probes.csv") as file:
        return [(float(row["time [s]"]), float(row["bed.fraction"])) for row in csv.DictReader(file)]


def a_shaken_bed_ends_at_the_asked_packing():
    said = scree("run", write_scene(), "-o", "run", "-j", 1).stdout
    end = summary("run")
    check_equal(end["status"], "done", "status")
    check(end["time"] < 2.9, "it went on to the end")
    time, fraction = fractions("run")[-1]
    check(0.59 <= fraction < 0.59 + TOLERANCE, f"the packing is {fraction}")
    check_says(said, "The packing reached 0.59")
    loose = dict(fractions("run"))[0.2]
    check(loose < 0.585, f"it was {loose} before it was shaken long")
    # resumed on the way, it ends there too
    scree("run", "scene.json", "-o", "cut", "-q", "-j", 1, "--until", 0.25)
    scree("resume", "cut", "-q", "-j", 1, "--until", 3)
    check_equal(summary("cut")["state_hash"], end["state_hash"], "hash after a resume")


def a_packing_that_cannot_be_is_said_to_be_missed():
    time = json.loads(json.dumps(SCENE["time"]))
    time["packing"]["fraction"], time["end"] = 0.8, 0.2
    said = scree("run", write_scene(time=time), "-o", "run", "-j", 1)
    check_says(said.stdout + said.stderr, "The packing is 0.5", "it did not reach 0.8, which was asked for")
    check(summary("run")["warnings"], "no warning in the summary")


def a_lid_presses_to_the_asked_packing():
    """Soft grains in a box under a lid: they are pressed into less space than they settle to."""
    walls = [{"box": {"size": [0.02, 0.1, 0.2]}, "position": [x, 0, 0.1]} for x in (-0.04, 0.04)]
    walls += [{"box": {"size": [0.1, 0.02, 0.2]}, "position": [0, y, 0.1]} for y in (-0.04, 0.04)]
    box = {"name": "box", "kind": "fixed", "shapes": [{"box": {"size": [0.1, 0.1, 0.02]}, "position": [0, 0, -0.01]}] + walls}
    # down to the bed when it has settled, then slowly
    lid = {"name": "lid", "kind": "kinematic", "position": [0, 0, 0.13], "group": "lid", "collides_with": "default",
           "shapes": [{"box": {"size": [0.059, 0.059, 0.02]}}], "motion": {"velocity": [0, 0, "-0.5*step(t, 0.15)*(1 - step(t, 0.3)) - 0.03*step(t, 0.3)"]}}
    region = {"box": {"low": [-0.022, -0.022, 0.008], "high": [0.022, 0.022, 0.028]}}
    scene = {"periodic": None, "materials": {"grit": {"density": 2600, "friction": 0.4, "young": 1e6}}, "gravity": [0, 0, -9.81], "bodies": [box, lid],
             "fills": [{"pattern": "random", "region": {"box": {"low": [-0.03, -0.03, 0], "high": [0.03, 0.03, 0.11]}},
                        "radius": {"uniform": [0.85 * RADIUS, RADIUS]}, "count": 340}],
             "probes": [{"name": "bed", "kind": "packing", "region": region}],
             "time": {"step": 5e-4, "end": 1, "packing": {"fraction": ASKED, "after": 0.05, "region": region}}}
    said = scree("run", write_scene(**scene), "-o", "free", "-j", 1, "--until", 0.3).stdout
    check_says(said, "it did not reach")
    said = scree("run", write_scene(**scene), "-o", "pressed", "-j", 1).stdout
    check_says(said, "The packing reached")
    check(ASKED <= fractions("pressed")[-1][1] < ASKED + 0.01, f"the packing is {fractions('pressed')[-1]}")


def the_fraction_of_a_lattice_is_known():
    """Balls on a grid that fills the cell: n 4/3 pi r^3 over the volume, wherever sides cut them."""
    pitch = SIDE / 6
    rows = "x,y,z,r\n" + "".join(f"{pitch * (i + 0.5)},{pitch * (j + 0.5)},{pitch * (k + 0.5)},{RADIUS}\n"
                                 for i in range(6) for j in range(6) for k in range(8))
    with open("grid.csv", "w") as file:
        file.write(rows)
    cut = [{"name": "bed", "kind": "packing", "region": {"box": {"low": [0, 0, 1.5 * pitch], "high": [SIDE, SIDE, 5.5 * pitch]}}}]
    scene = write_scene(fills=[], tables=[{"file": "grid.csv"}], probes=cut, gravity=[0, 0, 0], time={"end": 0})
    scree("run", scene, "-o", "run", "-q")
    whole = 4 / 3 * 3.141592653589793 * RADIUS**3 / pitch**3
    check(abs(fractions("run")[0][1] - whole) < 1e-9, f"{fractions('run')} is not {whole}")


def wrong_words_are_refused():
    check_says(refused("check", write_scene(time={"end": 1, "packing": {"fraction": 1.2, "region": {"box": {"low": [0, 0, 0], "high": [1, 1, 1]}}}})),
               "scene.json:", "fraction")
    ball = {"sphere": {"centre": [0, 0, 0], "radius": 1}}
    check_says(refused("check", write_scene(time={"end": 1, "packing": {"fraction": 0.5, "region": ball}})), "scene.json:", "must be a box")


run_tests([the_fraction_of_a_lattice_is_known, a_shaken_bed_ends_at_the_asked_packing, a_packing_that_cannot_be_is_said_to_be_missed,
           a_lid_presses_to_the_asked_packing, wrong_words_are_refused])
