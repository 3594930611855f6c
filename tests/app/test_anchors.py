#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Anchors, end to end: Newton's law along the guide, torque and depth, pulling out, resumed runs, refusals."""
import csv
import json
import pathlib

from command import *

G, MASS, PITCH = 9.81, 10, 0.14
ANCHOR = {"name": "anchor", "mass": MASS, "material": "steel", "shaft": {"radius": 0.03, "length": 0.6},
          "helix": {"radius": 0.15, "pitch": PITCH, "boxes": 20, "thickness": 0.01}}
EMPTY = {"time": {"step": 0.001, "end": 1}, "gravity": [0, 0, -G], "materials": {"steel": {"density": 7800, "friction": 0.4}},
         "output": {"probe_interval": 0.001, "frame_interval": 0}}


def write_scene(anchor, **changes):
    write("scene.json", json.dumps({**EMPTY, "anchors": [{**ANCHOR, **anchor}], **changes}))


def run_probes(*words, directory="run"):
    scree("run", "scene.json", "-o", directory, "-q", "--force", *words)
    with open(f"{directory}/probes.csv") as file:
        rows = list(csv.DictReader(file))
    return {key.split(" [")[0].removeprefix("anchor."): [float(row[key]) for row in rows] for key in rows[0]}


def check_near(a, b, bound, what):
    check(abs(a - b) <= bound, f"{what}: {a}, not within {bound} of {b}")


def inertia_about_the_axis():
    """kg m^2: that about its centre of mass, and the centre's distance from the axis."""
    body = next(body for body in json.loads(read("run", "scene.json"))["bodies"] if body["name"] == "anchor")
    return body["inertia"][2] + MASS * (body["centre"][0] ** 2 + body["centre"][1] ** 2)


def force_and_torque_move_it_as_newton_says():
    """Along the axis m a = F + m g, about it I a = T: parabolas; the work is what it gained besides falling."""
    for direction, weight in (([0, 0, -1], G), ([1, 0, 0], 0), ([0, 3, 4], -0.8 * G)):
        write_scene({"direction": direction, "depth": -0.2, "schedule": [{"from": 0, "force": 30, "torque": {"table": [[0, 2]]}}]})
        at = run_probes("--until", 0.5)
        gain, spin = 30 / MASS + weight, 2 / inertia_about_the_axis()
        check_near(at["depth"][-1], -0.2 + 0.5 * gain * 0.25, 1e-9, f"depth along {direction}")
        check_near(at["speed"][-1], gain * 0.5, 1e-9, f"speed along {direction}")
        check_near(at["rotation"][-1] / (0.5 * spin * 0.25), 1, 1e-6, f"rotation about {direction}")
        check_near(at["spin"][-1] / (spin * 0.5), 1, 1e-6, f"spin about {direction}")
        check_near(at["work"][-1] / (30 * 0.5 * gain * 0.25 + 2 * at["rotation"][-1]), 1, 1e-9, "work")
        check_near(at["force"][-1], 30, 1e-9, "force")
        check_near(at["torque"][-1], 2, 1e-9, "torque")


def motors_hold_their_speed_in_their_phases_alone():
    """Held, released, and drawn up at a speed: what falls in between falls freely, and the motor carries the weight."""
    write_scene({"schedule": [{"from": 0, "speed": 0, "spin": 0}, {"from": 0.2}, {"from": 0.4, "speed": -0.1, "torque": 1},
                              {"from": 0.6, "speed": -0.1, "spin": "2*pi"}]})
    at = run_probes()
    check_near(at["depth"][200], 0, 1e-12, "depth while held")
    check_near(at["force"][200], -MASS * G, 0.01 * MASS * G + 1e-6, "force while held, with the carriage")
    check_near(at["depth"][400], 0.5 * G * 0.04, 0.01, "depth after a free fall")
    check_near(at["force"][390], 0, 1e-9, "force in a free fall")
    check_near(at["depth"][1000] - at["depth"][500], -0.05, 1e-9, "drawn up")
    check_near(at["spin"][590] / (1 / inertia_about_the_axis() * 0.19), 1, 0.01, "spin under a torque")
    check_near(at["rotation"][1000] - at["rotation"][700], 2 * 3.141592653589793 * 0.3, 1e-9, "turned by a motor")


def grains(**changes):
    """Some 200 grains of 50 to 60 mm in a tub, settled, with an anchor to come."""
    walls = [{"box": {"size": size}, "position": at, "material": "grains"}
             for size, at in (([0.6, 0.6, 0.1], [0, 0, -0.05]), ([0.1, 0.6, 2], [0.28, 0, 1]), ([0.1, 0.6, 2], [-0.28, 0, 1]),
                              ([0.46, 0.1, 2], [0, 0.28, 1]), ([0.46, 0.1, 2], [0, -0.28, 1]))]
    return {"materials": {"grains": {"density": 300, "friction": 0.4}, "steel": {"density": 7800, "friction": 0.4}},
            "bodies": [{"name": "tub", "kind": "fixed", "shapes": walls}],
            "output": {"probe_interval": 0.01, "frame_interval": 0.1}, **changes}


def settle_bed():
    fill = {"region": {"box": {"low": [-0.23, -0.23, 0], "high": [0.23, 0.23, 1.2]}}, "radius": {"uniform": [0.025, 0.03]},
            "count": 320, "spacing": 1.02, "material": "grains"}
    write("bed.json", json.dumps({**EMPTY, **grains(fills=[fill], time={"step": 0.001, "end": 0.55})}))
    scree("run", "bed.json", "-o", "bed", "-q")
    scree("bed", "bed", "-o", "bed.h5")


def screwed(torque, pull, until=0.9):
    write_scene({"position": [0, 0, 0.38], "depth": -0.06,
                 "schedule": [{"from": 0, "force": 30}, {"from": 0.1, "force": 30, "torque": torque}, {"from": 0.7, "force": -pull}]},
                **grains(beds=[{"file": "bed.h5"}], time={"step": 0.001, "end": until}))
    return run_probes("-j", 1)


run_tests([force_and_torque_move_it_as_newton_says, motors_hold_their_speed_in_their_phases_alone])
