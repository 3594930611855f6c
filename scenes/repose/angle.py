#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""The slope of the heap that a run of scenes/repose/repose.json leaves, from the masses in its probes.csv.

Of a cone of height H, slope t = tan(angle) and bulk density q,
    mass above height z              q pi (H - z)^3 / (3 t^2)
    mass within distance r of its axis    q pi r^2 (H - 2/3 r t)
so two masses above give H, and two masses within r give t / H; q drops out.

    scenes/repose/angle.py RUN_DIRECTORY...
"""
import csv
import json
import math
import pathlib
import sys


def last_row(directory):
    with open(directory / "probes.csv") as file:
        rows = list(csv.DictReader(file))
    return {name.split(" ")[0]: float(value) for name, value in rows[-1].items()}


def angle_of(directory):
    scene = json.loads((directory / "scene.json").read_text())
    region = {p["name"]: p["region"] for p in scene["probes"] if "region" in p}
    mass = last_row(directory)
    z1, z2 = (region[name]["box"]["low"][2] for name in ("upper", "top"))
    r1, r2 = (region[name]["cylinder"]["radius"] for name in ("core", "column"))
    if mass["top.mass"] <= 0.0:
        return None
    share = (mass["top.mass"] / mass["upper.mass"]) ** (1 / 3)
    height = (z2 - share * z1) / (1 - share)
    ratio = (mass["core.mass"] / r1**2) / (mass["column.mass"] / r2**2)
    slope = 1.5 * height * (ratio - 1) / (ratio * r2 - r1)
    return math.degrees(math.atan(slope)), height


for name in sys.argv[1:]:
    found = angle_of(pathlib.Path(name))
    if found is None:
        print(f"{name}: no heap")
    else:
        print(f"{name}: {found[0]:.1f} degrees, {1000 * found[1]:.0f} mm high")
