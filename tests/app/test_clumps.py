#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Ground of mixed grains: clumps and pebbles keep their form, every kind has its share, and none stick out of the ground."""
import collections
import csv
import json
import math

from command import *

CLUMP = [{"centre": [-0.5, 0, 0], "radius": 0.5}, {"centre": [0.5, 0, 0], "radius": 0.4}, {"centre": [0, 0.5, 0.2], "radius": 0.3}]
RISE, LENGTH, RADIUS = 0.3, 1.0, 0.03
SCENE = {
    "time": {"step": 1e-5, "end": 1e-5},
    "gravity": [0, 0, 0],
    "materials": {"stone": {"density": 2600}, "glass": {"density": 2500}},
    "grounds": [{"name": "site", "size": [LENGTH, LENGTH], "spacing": 0.1,
                 "features": [{"slope": {"from": [-0.5, 0], "to": [0.5, 0], "rise": RISE}}]}],
    "fills": [{"region": {"under": {"ground": "site", "depth": 0.25}}, "radius": {"uniform": [0.7 * RADIUS, RADIUS]},
               "mix": [{"weight": 2, "shape": {"clump": CLUMP}, "material": "glass"},
                       {"weight": 1, "shape": {"ellipsoid": {"semi_axes": [1, 0.8, 0.6]}}, "material": "stone"}]}],
    "output": {"frame_interval": 1},
}


def write_scene(**changes):
    with open("scene.json", "w") as file:
        json.dump({**SCENE, **changes}, file)
    return "scene.json"


def clumps_and_pebbles_fill_a_ground():
    scree("run", write_scene(), "-o", "run", "-q", "-j", 1)
    scree("export", "run", "--to", "csv", "-o", "run.csv")
    clumps, pebbles = collections.defaultdict(list), 0
    with open("run.csv") as file:
        for row in csv.DictReader(file):
            if row["frame"] != "0":
                continue
            pebbles += row["shape"] == "ellipsoid"
            if row["shape"] == "sphere":
                clumps[row["id"]].append(([float(row[axis + " [m]"]) for axis in "xyz"], float(row["half_x [m]"])))
    share = len(clumps) / (len(clumps) + pebbles)
    check(len(clumps) > 300 and abs(share - 2 / 3) < 0.06, f"{len(clumps)} clumps, {pebbles} pebbles")
    slope, directions = math.atan2(RISE, LENGTH), [0, 0, 0]
    for balls in clumps.values():
        check_equal(len(balls), 3, "spheres of a clump")
        radius = balls[0][1] / CLUMP[0]["radius"]
        check(0.7 * RADIUS - 1e-6 <= radius <= RADIUS + 1e-6, f"a clump of {radius}")
        for k, (place, r) in enumerate(balls):
            check(abs(r - radius * CLUMP[k]["radius"]) < 1e-6, f"sphere {k} of a clump of {radius} has {r}")
            for other in range(k):
                wanted = radius * math.dist(CLUMP[k]["centre"], CLUMP[other]["centre"])
                check(abs(math.dist(place, balls[other][0]) - wanted) < 1e-6, "a clump has another form")
            # The surface is z = RISE (x + 0.5) / LENGTH within the ground
            below = (RISE * (place[0] + 0.5 * LENGTH) / LENGTH - place[2]) * math.cos(slope)
            check(below >= r - 1e-6, f"a sphere of {r} is {below} below the surface")
        turned = [q - p for p, q in zip(balls[0][0], balls[1][0])]
        directions[max(range(3), key=lambda axis: abs(turned[axis]))] += 1
    check(min(directions) > 0.2 * len(clumps), f"clumps point along x, y, z: {directions}")


def a_bed_of_clumps_is_one_again():
    scree("run", write_scene(), "-o", "run", "-q", "-j", 1)
    scree("bed", "run", "-o", "a.h5")
    scree("run", write_scene(fills=[], beds=[{"file": "a.h5"}]), "-o", "again", "-q", "-j", 1)
    check_equal(summary("again")["bodies"], summary("run")["bodies"], "bodies")


def wrong_clumps_are_refused():
    box = {"box": {"low": [0, 0, 0], "high": [1, 1, 1]}}
    alone = [{"region": box, "radius": 0.1, "shape": {"clump": CLUMP[:1]}, "material": "glass"}]
    check_says(refused("check", write_scene(fills=alone)), "scene.json:", "a clump has 2 to 16 spheres, not 1")
    rain = [{"region": box, "radius": 0.1, "shape": {"clump": CLUMP}, "material": "glass", "rate": 1}]
    check_says(refused("check", write_scene(emitters=rain)), "scene.json:", "clumps are made by fills, not by emitters")


def pebbles(**changes):
    box = {"box": {"low": [-0.2, -0.2, 0], "high": [0.2, 0.2, 0.3]}}
    return [{"region": box, "radius": {"uniform": [0.02, 0.03]}, "shape": {"pebble": {"roughness": 0.2, **changes}}, "material": "stone"}]


def a_bed_of_pebbles_comes_back_to_the_bit():
    """Taken, written, loaded and taken again: the same file, hulls and all."""
    settle = {"time": {"step": 1e-3, "end": 0.05}, "gravity": [0, 0, -9.81]}
    scree("run", write_scene(fills=pebbles(), **settle), "-o", "run", "-q", "-j", 1)
    scree("bed", "run", "-o", "a.h5")
    scree("bed", "a.h5", "-o", "b.h5")
    check(read(".", "a.h5") == read(".", "b.h5"), "the bed that was read is not the one that was written")
    scree("run", write_scene(fills=[], beds=[{"file": "a.h5"}]), "-o", "again", "-q", "-j", 1)
    check_equal(summary("again")["bodies"], summary("run")["bodies"], "bodies")


def wrong_pebbles_are_refused():
    check_says(refused("check", write_scene(fills=pebbles(corners=7))), "scene.json:", "corners")
    check_says(refused("check", write_scene(fills=pebbles(roughness=1))), "scene.json:", "roughness")
    check_says(refused("check", write_scene(fills=[], emitters=[{**pebbles()[0], "rate": 1}])), "scene.json:",
               "pebbles are made by fills, not by emitters")


run_tests([clumps_and_pebbles_fill_a_ground, a_bed_of_clumps_is_one_again, wrong_clumps_are_refused,
           a_bed_of_pebbles_comes_back_to_the_bit, wrong_pebbles_are_refused])
