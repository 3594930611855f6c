#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The crawler on flat ground, its cab moved to the middle: what is its own mirror image drives like it, however it is driven."""
import json
import math
import os
import pathlib
import sys

from command import *
from vehicle_scenes import *

if "SCREE_LONG" not in os.environ:
    sys.exit(77)  # a quarter of a minute: `make long` runs it


def drive(engagement):
    crawler = json.loads((ROOT / "vehicles/crawler.json").read_text())
    for shape in crawler["chassis"]["shapes"]:
        shape["position"][1] = 0
    pathlib.Path("crawler.json").write_text(json.dumps(crawler))
    scene = json.loads((ROOT / "scenes/crawler/flat.json").read_text())
    scene["vehicles"][0].update(file="crawler.json", engagement=engagement)
    scene["probes"] = [{"name": "push", "kind": "spring", "spring": "crawler left tensioner"}]
    pathlib.Path("scene.json").write_text(json.dumps(scene))
    scree("run", "scene.json", "-o", engagement, "-q")
    return summary_of(engagement)["vehicles"]["crawler"]


def a_mirror_image_drives_alike_by_teeth_and_by_constraint():
    """Over 2.5 s at constant spin. With the cab where it is, 0.85 m to the left, the left track drives and the right one brakes
    with 2 kN m each."""
    table = {engagement: drive(engagement) for engagement in ("contact", "constraint")}
    radius = 20 * 0.35 / (2 * math.pi)
    for engagement, figures in table.items():
        left, right = (figures["tracks"][side] for side in ("left", "right"))
        # Both sprockets are held to one speed, so tracks may strain against each other through the ground they stick to. How much is
        # left of the two torques, 0.3 kN m each, is chance: it is measured against the pull of the tracks. The cab's 4 kN m are 13 %.
        check(abs(left["torque"] - right["torque"]) < 0.015 * left["tension"] * radius, f"{engagement}: {left['torque']}, {right['torque']} N m")
        for what in ("tension", "pin_force", "wheel_force"):
            check_near(left[what], right[what], 0.01, f"{engagement}: {what}")
    by_teeth, by_constraint = table["contact"], table["constraint"]
    check_near(by_constraint["thrust"], by_teeth["thrust"], 0.05, "thrust")
    check_near(by_constraint["speed"], by_teeth["speed"], 0.005, "speed")
    # A pin that is held leaves each run half of what the tensioner pushes with; teeth take the pins on the sprocket out of it.
    push = -mean(columns("constraint")["push.force"][-50:])
    check_near(by_constraint["tracks"]["left"]["tension"], push / 2, 0.05, "tension of a run")
    check(by_teeth["tracks"]["left"]["tension"] < 0.9 * push / 2, "pins on the sprocket carry as much as the others")


run_tests([a_mirror_image_drives_alike_by_teeth_and_by_constraint])
