# SPDX-License-Identifier: BSD-3-Clause
"""Scenes with the robot on flat ground, and what came out of them."""
import csv
import json
import pathlib

from command import check

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROBOT = json.loads((ROOT / "vehicles/robot.json").read_text())
G, TEETH, PITCH = 9.81, 16, 0.06
FLOOR = {"name": "floor", "kind": "fixed", "shapes": [{"plane": {}, "material": "concrete"}]}


def write_scene(until, drive, probes=(), vehicle=ROBOT, half="none", geometry="primitives", **changes):
    pathlib.Path("robot.json").write_text(json.dumps(vehicle))
    scene = {
        "time": {"step": 0.001, "end": until}, "gravity": [0, 0, -G],
        "materials": {"concrete": {"density": 2400, "friction": 0.8}}, "bodies": [FLOOR],
        "vehicles": [{"name": "robot", "file": "robot.json", "drive": drive, "half": half, "geometry": geometry,
                      "measure_from": until / 2}],
        "probes": [{"name": "floor", "kind": "body_force", "body": "floor"}, *probes],
        "output": {"probe_interval": 0.01, "frame_interval": 0.1}, **changes}
    pathlib.Path("scene.json").write_text(json.dumps(scene))


def columns(directory):
    with open(f"{directory}/probes.csv") as file:
        rows = list(csv.DictReader(file))
    return {key.split(" [")[0]: [float(row[key]) for row in rows] for key in rows[0]}


def summary_of(directory):
    return json.loads(pathlib.Path(f"{directory}/summary.json").read_text())


def check_near(a, b, relative, what):
    check(abs(a - b) <= relative * abs(b), f"{what}: {a}, not within {100 * relative} % of {b}")


def mean(values):
    return sum(values) / len(values)
