#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Vehicles that begin as an earlier run left them: elsewhere, turned, at rest or driving, with either engagement; refusals."""
import json
import math
import pathlib

from command import *
from vehicle_scenes import *

MASS = 200 + 2 * (61 * 0.34 + 7 * 15 + 5)
SPIN = 3.0
THERE = {"position": [3, -2, 0], "rotation": {"axis": [0, 0, 1], "angle_degrees": 130}}
EACH_STEP = {"output": {"probe_interval": 0.001, "frame_interval": 0}}


def change_vehicle(**changes):
    """Of the scene that was written last."""
    scene = json.loads(pathlib.Path("scene.json").read_text())
    scene["vehicles"][0].update(changes)
    pathlib.Path("scene.json").write_text(json.dumps(scene))


def run_and_take(until, drive, engagement="contact"):
    write_scene(until, drive, **EACH_STEP)
    change_vehicle(engagement=engagement)
    scree("run", "scene.json", "-o", "settled", "-q", "--force")
    scree("vehicle", "settled", "-o", "settled.json")
    return columns("settled")


def run_again(until, drive, engagement="contact", **changes):
    write_scene(until, drive, **EACH_STEP)
    change_vehicle(state="settled.json", engagement=engagement, **THERE)
    change_vehicle(**changes)
    scree("run", "scene.json", "-o", "again", "-q", "--force")
    return columns("again")


def rotated(axis_angle, v):
    """About z."""
    a = math.radians(axis_angle["angle_degrees"])
    return [math.cos(a) * v[0] - math.sin(a) * v[1], math.sin(a) * v[0] + math.cos(a) * v[1], v[2]]


def parts_are_where_the_state_has_them():
    run_and_take(0.3, {"both": {"spin": SPIN}})
    parts = json.loads(pathlib.Path("settled.json").read_text())["parts"]
    check(len(parts) == 139, f"{len(parts)} parts")
    write_scene(0.002, None, [{"name": "wheel", "kind": "body_state", "body": "robot left road wheel 0"}], **EACH_STEP)
    change_vehicle(state="settled.json", **THERE)
    scree("run", "scene.json", "-o", "begun", "-q")
    bodies = {body["name"]: body for body in json.loads(pathlib.Path("begun/scene.json").read_text())["bodies"]}
    drawn = bodies["robot chassis"]["position"]
    for name, part in parts.items():
        start = bodies[f"robot {name}"]["start"]
        there = [a + b for a, b in zip(drawn, rotated(THERE["rotation"], part["position"]))]
        for key, wanted in (("position", there), ("velocity", rotated(THERE["rotation"], part["velocity"]))):
            off = max(abs(a - b) for a, b in zip(start[key], wanted))
            check(off < 1e-12, f"{key} of {name} is off by {off}")
    begun, start = columns("begun"), bodies["robot left road wheel 0"]["start"]["position"]
    off = max(abs(begun[f"wheel.{axis}"][0] - x) for axis, x in zip("xyz", start))
    check(off < 1e-9, f"the wheel begins {off} m off")
    check(abs(parts["chassis"]["position"][0]) + abs(parts["chassis"]["position"][1]) < 1e-12, "the chassis stands elsewhere")


def one_that_stood_goes_on_standing():
    brakes = {"both": {"spin": 0}}
    settled, again = run_and_take(1.2, brakes), run_again(0.02, brakes)
    write_scene(0.02, brakes, **EACH_STEP)
    scree("run", "scene.json", "-o", "drawn", "-q")
    drawn = columns("drawn")
    load = settled["floor.fz"][-1]
    on, fallen = (mean(run["floor.fz"][1:6]) for run in (again, drawn))
    check_near(on, load, 0.01, "load on the floor as it goes on")
    check(abs(fallen / load - 1) > 0.2, "as it is drawn it begins as calmly: this test tells nothing")
    check_near(mean(again["robot.left_tension"][1:6]), settled["robot.left_tension"][-1], 0.02, "tension")
    check_near(again["robot.left_wheel_force"][1], settled["robot.left_wheel_force"][-1], 0.03, "load of road wheels")


def one_that_drove_drives_on(engagement):
    drive = {"both": {"spin": f"{SPIN}*ramp(t, 0.1, 0.2)", "max_torque": 400}}
    before = run_and_take(1.0, drive, engagement)
    after = run_again(0.4, {"both": {"spin": SPIN, "max_torque": 400}}, engagement)
    check_near(after["robot.speed"][1], before["robot.speed"][-1], 0.03, f"speed as it goes on by {engagement}")
    check_near(mean(after["robot.speed"]), SPIN * 16 * 0.06 / (2 * math.pi), 0.03, f"speed by {engagement}")
    table = summary_of("again")
    check(not table["warnings"], f"warnings: {table['warnings']}")
    check(table["joints"]["gap"]["max"] < 1e-6, f"a joint is open: {table['joints']}")


def one_that_drove_by_contact_drives_on():
    one_that_drove_drives_on("contact")


def one_that_drove_by_constraint_drives_on():
    one_that_drove_drives_on("constraint")


def what_does_not_fit_is_refused():
    run_and_take(0.01, None)
    refused = {
        "half": ({"half": "left"}, "it is the state of another vehicle: it has 139 parts, this one 70"),
        "none": ({"state": "nothing.json"}, 'cannot open the state "nothing.json"'),
    }
    for what, (change, sentence) in refused.items():
        write_scene(0.1, None)
        change_vehicle(**{"state": "settled.json", **THERE, **change})
        out = scree("run", "scene.json", "-o", "refused", "-q", code=2).stderr
        check(sentence in out, f"{what}: {out}")
    pathlib.Path("torn.json").write_text('{"parts": {"chassis": {"position": [0, 0]}}}')
    write_scene(0.1, None)
    change_vehicle(state="torn.json")
    out = scree("run", "scene.json", "-o", "refused", "-q", code=2).stderr
    check("torn.json:1:" in out, f"no place in the file: {out}")
    check(not pathlib.Path("refused").exists(), "something was written")
    check("--name goes with a run" in scree("vehicle", "robot.json", "--name", "robot", code=2).stderr, "--name of a file")
    check("no vehicle" in scree("vehicle", "settled", "--name", "rob", "-o", "other.json", code=2).stderr, "another name")
    check("ends in .json" in scree("vehicle", "settled", "-o", "state.png", code=2).stderr, "a picture of a run")


run_tests([parts_are_where_the_state_has_them, one_that_stood_goes_on_standing, one_that_drove_by_contact_drives_on,
           one_that_drove_by_constraint_drives_on, what_does_not_fit_is_refused])
