#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The angle of repose: it grows with rolling friction, and is that of the heap's flank."""
import csv
import math

from command import *
from rig_scenes import *

RADIUS, TUBE = 0.005, 0.04
HEAPS = 3


def write_heap(rolling, count=1000, **more):
    sand = {"density": 2600, "friction": 0.6, "young": 1e8, "poisson": 0.25, "rolling_friction": rolling}
    rough = {**sand, "friction": 0.9, "rolling_friction": 0.3}
    write_scene({"kind": "repose", "radius": TUBE, "height": 0.16, "speed": 0.2, "lift": 0.12, "material": "wall", "ground": "rough",
                 "settle": {"speed": 0.02, "for": 0.02},
                 "soil": {"material": "sand", "radius": {"uniform": [f"{0.9 * RADIUS}", 1.1 * RADIUS]}, "count": count}},
                materials={"sand": sand, "rough": rough, "wall": {**sand, "friction": 0.1, "rolling_friction": 0}},
                output={"probe_interval": 0.01, "frame_interval": 1}, **more)


def slope_of_flank(directory):
    """Degrees: the line through the tops of grains over the distance from the axis, without the heap's top and foot."""
    scree("export", directory, "--to", "csv", "-o", "heap.csv", "--force")
    rings = {}
    with open("heap.csv") as file:
        rows = list(csv.DictReader(file))
    for row in (row for row in rows if row["shape"] == "sphere" and row["frame"] == rows[-1]["frame"]):
        x, y, z, radius = (float(row[f"{name} [m]"]) for name in ("x", "y", "z", "half_x"))
        ring, sector = int(math.hypot(x, y) / (2 * RADIUS)), int(6 * math.atan2(y, x) / math.pi)
        tops = rings.setdefault(ring, {})
        tops[sector] = max(tops.get(sector, 0), z + radius)
    profile = [((2 * ring + 1) * RADIUS, sum(tops.values()) / 12) for ring, tops in sorted(rings.items()) if ring > 0]
    crest = max(top for _, top in profile)
    flank = [(r, top) for r, top in profile if r > TUBE and 0.2 * crest < top < 0.85 * crest]
    means = [sum(values) / len(flank) for values in zip(*flank)]
    slope = sum((r - means[0]) * (top - means[1]) for r, top in flank) / sum((r - means[0]) ** 2 for r, _ in flank)
    return math.degrees(math.atan(-slope))


def a_heap_of_grains_that_hardly_roll_is_steeper():
    """Of single heaps of 1,000 grains angle and flank differ by 0 to 3 degrees, by chance: means over HEAPS are compared."""
    angles = []
    for rolling in (0.05, 0.4):
        heaps = []
        for seed in range(1, HEAPS + 1):
            write_heap(rolling, seed=seed)
            heaps.append((measure()["angle"], slope_of_flank("run")))
            check(all(p["result"] == "reached" for p in summary("run")["phases"]), f"{summary('run')['phases']}")
        angle, flank = (sum(values) / HEAPS for values in zip(*heaps))
        angles.append(angle)
        print(f"        (rolling friction {rolling}: {angle:.1f} degrees, flank {flank:.1f})")
        check(abs(angle - flank) < 3, f"angle {angle}, that of the flank {flank}: {heaps}")
    check(5 < angles[0] < angles[1] - 5 < 35, f"angles {angles}")


def threads_and_a_resume_do_not_change_the_bits():
    write_heap(0.4, count=100)
    measure()
    begins = {p["name"]: p["began"] for p in summary("run")["phases"]}
    for threads, name in ((1, "lift"), (2, "rest")):
        scree("run", "scene.json", "-o", name, "-q", "-j", threads, "--until", begins[name] + 0.01)
        scree("resume", name, "-q", "-j", 3 - threads, "--until", 20)
        check_equal(summary(name)["state_hash"], summary("run")["state_hash"], f"hash of a run that was stopped in the phase {name}")


def a_ground_of_no_material_is_named():
    write_heap(0.1)
    check_says(scree("check", "scene.json", "--set", "rig.ground=gravel", code=BAD_INPUT).stderr, "gravel")


run_tests([a_heap_of_grains_that_hardly_roll_is_steeper, threads_and_a_resume_do_not_change_the_bits, a_ground_of_no_material_is_named])
