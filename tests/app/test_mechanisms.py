#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Scenes with joints from end to end: closed-form kinematics, breaking, and resuming without the files of motors."""
import csv
import math

from command import *

MECHANISMS = os.path.join(SCENES, "../../../scenes/mechanisms")


def write(**scene):
    with open("scene.json", "w") as file:
        json.dump(scene, file, indent=1)
    return "scene.json"


def rows(directory):
    with open(os.path.join(directory, "probes.csv")) as file:
        return [{key.split(" [")[0]: float(value) for key, value in row.items()} for row in csv.DictReader(file)]


def a_slider_follows_its_crank():
    """The piston of a slider-crank is at r cos a + sqrt(l^2 - r^2 sin^2 a), a the angle of the crank."""
    scree("run", os.path.join(MECHANISMS, "slider_crank.json"), "-o", "out", "--until", 2, "-q", "--set",
          'probes.3={"name": "angle", "kind": "joint_motion", "joint": "motor"}')
    r, l = 0.2, 0.6
    for row in rows("out"):
        angle = row["angle.about"]
        expected = r * math.cos(angle) + math.sqrt(l * l - (r * math.sin(angle)) ** 2) - (r + l)
        check(abs(row["piston.along"] - expected) < 1e-9, f"at t = {row['time']}: {row['piston.along']}, not {expected}")
    last = rows("out")[-1]
    check(abs(last["angle.about_rate"] - 4 * math.pi) < 1e-9, "the crank does not turn as its motor says")
    check(abs(last["angle.about"] - 2 * math.pi * 3) < 0.01, "the crank has not turned three times")
    figures = summary("out")["joints"]
    check_equal(figures["count"], 4, "joints")
    check(figures["gap"]["max"] < 1e-9 and figures["tilt"]["max"] < 1e-9, f"joints are open: {figures}")
    check_equal(figures["broken"], [], "broken joints")


def the_scenes_run():
    for name in ("pendulum", "four_bar", "scissor_lift"):
        text = scree("run", os.path.join(MECHANISMS, name + ".json"), "-o", name, "--until", 0.3).stdout
        check_says(text, "  joints        ", "gaps ")
        energy = summary(name)["energy"]
        if name == "pendulum":
            check(abs(energy["total"] / energy["total_at_start"] - 1) < 1e-6, f"energy drifts: {energy}")


def a_broken_joint_is_told():
    scene = write(time={"end": 1}, bodies=[{"name": "lamp", "mass": 2, "shapes": [{"sphere": {"radius": 0.1}}]}],
                  joints=[{"name": "hook", "kind": "spherical", "bodies": ["ground", "lamp"], "at": [0, 0, 0.2], "break_force": 25}],
                  loads=[{"body": "lamp", "force": [0, 0, "-10*t"]}])
    process = scree("run", scene, "-o", "out")
    check_says(process.stderr, "scree: joint 'hook' broke at t = 0.53")
    check_says(process.stdout, "  joints        0;", "joint 'hook' broke at t = 0.53")
    broken = summary("out")["joints"]["broken"]
    check_equal([b["joint"] for b in broken], ["joint 'hook'"], "broken joints")
    check(abs(broken[0]["time"] - (25 - 2 * 9.81) / 10) < 0.002, f"it broke at {broken[0]['time']} s")
    check("broke" not in scree("resume", "out", "--until", 1.1).stderr, "the news is told again")


def a_resumed_machine_needs_no_files():
    with open("drive.csv", "w") as file:
        file.write("# s, rad/s\n0 0\n0.2 8\n0.4 -8\n")
    scene = write(time={"end": 0.5}, bodies=[{"name": "drum", "shapes": [{"box": {"size": [0.2, 0.1, 0.3]}}]},
                                             {"name": "bob", "position": [0.4, 0, 0], "shapes": [{"sphere": {"radius": 0.05}}]}],
                  joints=[{"name": "axle", "kind": "revolute", "bodies": ["ground", "drum"], "at": [0, 0, 0], "axis": [0, 1, 0],
                           "motor": {"spin": {"file": "drive.csv"}}},
                          {"name": "hinge", "kind": "universal", "bodies": ["drum", "bob"], "at": [0.1, 0, 0], "axis": [0, 0, 1]}],
                  springs=[{"bodies": ["ground", "bob"], "points": [[0, 0, 1], [0.4, 0, 0]], "stiffness": 100}],
                  loads=[{"body": "bob", "frame": "body", "force": [0, {"sine": {"amplitude": 5, "frequency": 3}}, 0]}],
                  probes=[{"name": "axle", "kind": "motor", "joint": "axle"},
                          {"name": "hinge", "kind": "joint_force", "joint": "hinge", "frame": "body"}])
    scree("run", scene, "-o", "whole", "-q")
    scree("run", scene, "-o", "parts", "-q", "--until", 0.17)
    os.remove("drive.csv")
    scree("resume", "parts", "-q", "--until", 0.5, "-j", 1)
    check_equal(summary("whole")["state_hash"], summary("parts")["state_hash"], "state hash")
    check_equal(read("whole", "probes.csv"), read("parts", "probes.csv"), "probes")


run_tests([a_slider_follows_its_crank, the_scenes_run, a_broken_joint_is_told, a_resumed_machine_needs_no_files])
