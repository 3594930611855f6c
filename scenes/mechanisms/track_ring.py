#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes track_ring.json: one side of a tracked vehicle, a closed ring of hinged shoes around wheels on a chassis.

Shoes follow each other from the first hinge on, each turned against the last one by its share of an arc.
"""
import json
import math
import pathlib

RUN, ARC = 14, 9  # shoes of a straight run, and around an end
SHOES = 2 * (RUN + ARC)
PITCH, THICKNESS, WIDTH = 0.06, 0.015, 0.12  # m
PLAY = 1e-3  # m between wheels and shoes at the start
TURN = math.pi / (ARC + 1)
RADIUS = 0.5 * PITCH / math.tan(0.5 * TURN)  # m, from the axis of an end wheel to the hinges' plane
INSIDE = RADIUS - THICKNESS / 2
CENTRE = [0.0, 0.0, RADIUS + THICKNESS / 2]
Y = [0, 1, 0]


def rounded(numbers):
    return [round(n, 9) + 0.0 for n in numbers]


def shoes():
    at, angle, bodies, joints = [-0.5 * RUN * PITCH, 0.0, CENTRE[2] - RADIUS], 0.0, [], []
    for k in range(SHOES):
        if RUN <= k <= RUN + ARC or k >= 2 * RUN + ARC:
            angle += TURN
        step = [PITCH * math.cos(angle), 0.0, PITCH * math.sin(angle)]
        bodies.append({
            "name": f"shoe {k}", "group": "shoes", "mass": 0.3,
            "position": rounded(a + 0.5 * s for a, s in zip(at, step)),
            "rotation": {"axis": Y, "angle_degrees": round(-math.degrees(angle), 9)},
            "shapes": [{"box": {"size": [0.056, WIDTH, THICKNESS]}}],
        })
        joints.append({"kind": "revolute", "bodies": [f"shoe {(k - 1) % SHOES}", f"shoe {k}"], "at": rounded(at), "axis": Y})
        at = [a + s for a, s in zip(at, step)]
    return bodies, joints


def wheel(name, x, z, radius, mass, on="chassis", **motor):
    body = {
        "name": name, "group": "wheels", "collides_with": "shoes", "mass": mass, "position": rounded([x, 0, z]),
        "rotation": {"axis": [1, 0, 0], "angle_degrees": 90},
        "shapes": [{"cylinder": {"radius": round(radius, 9), "length": 0.8 * WIDTH}}],
    }
    return body, {"name": name, "kind": "revolute", "bodies": [on, name], "at": rounded([x, 0, z]), "axis": Y, **motor}


def wheels():
    end, low, high = 0.5 * (RUN - 1) * PITCH, CENTRE[2] - INSIDE + PLAY, CENTRE[2] + INSIDE - PLAY
    drive = {"motor": {"spin": "6*ramp(t, 0.1, 0.6)", "max_torque": 150}}
    return [wheel("idler", -end, CENTRE[2], INSIDE - PLAY, 10, on="yoke"), wheel("sprocket", end, CENTRE[2], INSIDE - PLAY, 10, **drive)] + \
           [wheel(f"road wheel {k}", 0.098 * (k - 2), low + 0.048, 0.048, 5) for k in range(5)] + \
           [wheel(f"roller {k}", 0.18 * (k - 1), high - 0.035, 0.035, 2) for k in range(3)]


def lines(things):
    return ",\n    ".join(json.dumps(t) for t in things)


def main():
    shoe_bodies, shoe_joints = shoes()
    wheel_bodies, wheel_joints = zip(*wheels())
    chassis = {"name": "chassis", "mass": 200, "group": "wheels", "collides_with": [], "position": rounded(CENTRE),
               "shapes": [{"box": {"size": [0.8, 0.06, 0.12]}, "position": [0, 0.1, 0]},
                          {"box": {"size": [0.9, 0.3, 0.14]}, "position": [-0.05, 0.1, 0.32]}]}
    ground = {"name": "floor", "kind": "fixed", "shapes": [{"plane": {}}]}
    bump = {"name": "bump", "kind": "fixed", "position": [0.85, 0, 0], "rotation": {"axis": [1, 0, 0], "angle_degrees": 90},
            "shapes": [{"cylinder": {"radius": 0.05, "length": 0.4}}]}
    yoke = {"name": "yoke", "mass": 5, "group": "wheels", "collides_with": [], "position": rounded([-0.39, 0.1, CENTRE[2]]),
            "shapes": [{"box": {"size": [0.12, 0.04, 0.06]}}]}
    tensioner = {"name": "tensioner", "kind": "prismatic", "bodies": ["chassis", "yoke"], "at": rounded([-0.39, 0, CENTRE[2]]), "axis": [1, 0, 0]}
    upright = {"name": "upright", "kind": "planar", "bodies": ["ground", "chassis"], "at": rounded(CENTRE), "axis": Y}
    text = f"""{{
  "$schema": "../scene.schema.json",
  "title": "A ring of {SHOES} shoes",
  "description": "One side of a tracked vehicle of 200 kg climbs over a bump. Written by track_ring.py.",
  "time": {{"step": 1e-3, "end": 2}},
  "materials": {{"steel": {{"density": 7800, "friction": 0.8}}}},
  "bodies": [
    {lines([ground, bump, chassis, yoke, *wheel_bodies, *shoe_bodies])}
  ],
  "joints": [
    {lines([upright, tensioner, *wheel_joints, *shoe_joints])}
  ],
  "springs": [
    {{"name": "tensioner", "joint": "tensioner", "stiffness": 2e4, "damping": 200, "preload": 1000, "comment": "keeps the ring taut"}}
  ],
  "probes": [
    {{"name": "tensioner", "kind": "spring", "spring": "tensioner"}},
    {{"name": "sprocket", "kind": "motor", "joint": "sprocket"}},
    {{"name": "chassis", "kind": "body_state", "body": "chassis"}},
    {{"name": "road wheel", "kind": "joint_force", "joint": "road wheel 2"}}
  ],
  "output": {{"frame_interval": 0.02}},
  "view": {{"eye": [0.9, -1.9, 0.7], "target": [0.05, 0, 0.2], "follow": "chassis"}}
}}
"""
    json.loads(text)
    pathlib.Path(__file__).with_suffix(".json").write_text(text)


main()
