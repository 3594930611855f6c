#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What scree check says of joints: freedoms that textbooks give, gaps that were drawn, and what cannot be."""
import math
import re

from command import *


def write(**scene):
    with open("scene.json", "w") as file:
        json.dump({"time": {"end": 1}, **scene}, file, indent=1)
    return "scene.json"


def bar(name, start, end):
    """A bar from start to end in the plane z = 0, its own x axis along it."""
    angle = math.atan2(end[1] - start[1], end[0] - start[0])
    return {"name": name, "position": [(start[0] + end[0]) / 2, (start[1] + end[1]) / 2, 0],
            "rotation": {"axis": [0, 0, 1], "angle_degrees": math.degrees(angle)},
            "shapes": [{"box": {"size": [math.dist(start, end), 0.02, 0.02]}}]}


def pin(name, a, at_a, b, at_b, **more):
    return {"name": name, "kind": "revolute", "bodies": [a, b], "at_a": [*at_a, 0], "at_b": [*at_b, 0],
            "axis": [0, 0, 1], **more}


def pendulum(error=0.0, **more):
    """A bar of 1 m that hangs on its left end; drawn too far right by so many metres."""
    return {"bodies": [bar("bar", [error, 0], [1 + error, 0])],
            "joints": [pin("hinge", "ground", [0, 0], "bar", [-0.5, 0], **more)]}


def four_bar():
    a, b, d = [0.0, 0.2], [0.5, 0.2 + 0.2], [0.6, 0.0]
    half = [math.dist([0, 0], a) / 2, math.dist(a, b) / 2, math.dist(b, d) / 2]
    return {"bodies": [bar("crank", [0, 0], a), bar("coupler", a, b), bar("rocker", b, d)],
            "joints": [pin("A", "ground", [0, 0], "crank", [-half[0], 0]),
                       pin("B", "crank", [half[0], 0], "coupler", [-half[1], 0]),
                       pin("C", "coupler", [half[1], 0], "rocker", [-half[2], 0]),
                       pin("D", "rocker", [half[2], 0], "ground", d)]}


def line(text, word):
    found = [row for row in text.splitlines() if row.startswith(f"  {word} ")]
    return found[0] if found else None


def freedoms_are_told():
    text = scree("check", write(**pendulum())).stdout
    check_says(text, "  mechanism  1 body and 1 joint, 1 degree of freedom\n")
    for word in ["redundant", "gaps", "warning"]:
        check_equal(line(text, word), None, f"a line about {word}")
    two, other = pendulum(), pendulum()
    other["bodies"][0].update(name="other", position=[0.5, 0, 0.5])
    other["joints"][0].update(name="other", bodies=["ground", "other"], at_a=[0, 0, 0.5])
    for key in two:
        two[key] += other[key]
    check_says(scree("check", write(**two)).stdout, "  mechanisms 2 of 2 bodies and 2 joints, 2 degrees of freedom\n")


def a_scene_without_joints_has_no_mechanism():
    check("mechanism" not in scree("check", PILE).stdout, "no mechanisms")


def redundant_joints_are_named():
    """A planar four-bar with hinges only keeps 3 conditions twice; its motion has one freedom."""
    text = scree("check", write(**four_bar())).stdout
    check_says(text, "  mechanism  3 bodies and 4 joints, 1 degree of freedom\n")
    check_says(line(text, "redundant"), "3 conditions are kept twice: joint '")


def small_gaps_are_told_and_large_ones_warned_of():
    text = scree("check", write(**pendulum(error=0.0004))).stdout
    check_equal(line(text, "gaps"),
                "  gaps       joints were open by up to 400 um, and bodies were moved by up to 400 um to close them", "gaps")
    check_equal(line(text, "warning"), None, "warning")
    text = scree("check", write(**pendulum(error=0.01))).stdout
    check_says(line(text, "warning"), "open by up to 10 mm", "moved by up to 10 mm to close them", "where you meant them")


def what_cannot_be_closed_is_named_with_its_place():
    scene = write(**pendulum(error=0.4))
    text = scree("check", scene, code=BAD_INPUT).stderr
    with open(scene) as file:
        place = next(k for k, row in enumerate(file, 1) if '"hinge"' in row) - 1
    check_says(text, f"scene.json:{place}:", ": joint 'hinge' is open by 400 mm")
    held = four_bar()
    held["joints"][3]["at_b"] = [0.63, 0, 0.005]
    check_says(scree("check", write(**held), code=BAD_INPUT).stderr, "scene.json:", "cannot be closed: ", " are left")


def motors_take_their_joints_along():
    text = scree("check", write(**pendulum(motor={"angle": "0.5 + t"}))).stdout
    check_says(text, "no degrees of freedom: joints and motors decide every motion")
    check_says(line(text, "motors"), "moved by up to 247 mm to where motors have them")  # 2 sin(0.5 / 2) / 2
    stuck = four_bar()
    stuck["joints"][3]["motor"] = {"angle": 2.5}
    check_says(scree("check", write(**stuck), code=BAD_INPUT).stderr, "the motor of joint 'D' cannot reach 2.5 rad")


def limits_that_are_passed_at_the_start_are_warned_of():
    text = scree("check", write(**pendulum(lower=0.2, upper=1.0))).stdout
    check_says(line(text, "warning"), "joint 'hinge' begins at 0 rad, beyond its limit of 0.2")


def step_seconds(**scene):
    said = scree("check", write(**scene), "-j", 1).stdout
    number, unit = re.search(r"threads?, (\S+) (s|ms|us) a step", said).groups()
    return float(number) * {"s": 1, "ms": 1e-3, "us": 1e-6}[unit]


def the_guess_is_for_the_threads_that_a_run_takes():
    """Of a small world that is one, however many cores there are."""
    fill = {"region": {"box": {"low": [0, 0, 0], "high": [1, 1, 1]}}, "radius": 0.01, "count": 1900}
    for count, threads in [(1900, 1), (2100, 2)]:
        said = scree("check", write(fills=[{**fill, "count": count}]), env=dict(os.environ, OMP_NUM_THREADS="4")).stdout
        check_says(line(said, "time"), f"on {threads} thread")


def the_guess_knows_what_mechanisms_and_meshes_cost():
    """Measured: linkages take some 10 us a step and a few a joint, 20 times that if they touch something, a mesh that
    moves a microsecond a triangle."""
    linkage = four_bar()
    alone = step_seconds(**linkage)
    check(10e-6 < alone < 60e-6, f"a linkage alone: {alone} s a step")
    near = {"name": "floor", "kind": "fixed", "position": [0.3, 0.1, -0.06], "shapes": [{"box": {"size": [1, 1, 0.1]}}]}
    touching = step_seconds(**{**linkage, "bodies": linkage["bodies"] + [near]})
    check(8 * alone < touching < 30 * alone, f"{alone} s a step alone and {touching} s where it touches")
    near["collides_with"] = []
    passed = step_seconds(**{**linkage, "bodies": linkage["bodies"] + [near]})
    check_equal(passed, alone, "a floor that is never touched")

    ring = os.path.join(os.path.dirname(SCENES), "..", "..", "scenes", "shapes", "ring.obj")
    mesh = {"mesh": {"file": os.path.abspath(ring), "scale": 0.001}}
    rings = [{"position": [0, 0, z], "shapes": [mesh]} for z in range(8)]
    guess = step_seconds(bodies=rings)  # 1,152 triangles each
    check(4e-3 < guess < 16e-3, f"{guess} s a step of eight rings")


run_tests([freedoms_are_told, a_scene_without_joints_has_no_mechanism, redundant_joints_are_named,
           small_gaps_are_told_and_large_ones_warned_of, what_cannot_be_closed_is_named_with_its_place,
           motors_take_their_joints_along, limits_that_are_passed_at_the_start_are_warned_of,
           the_guess_is_for_the_threads_that_a_run_takes, the_guess_knows_what_mechanisms_and_meshes_cost])
