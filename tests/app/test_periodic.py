#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Scenes whose space repeats itself, end to end: what is refused, resumed, shown and written for other programs."""
import csv
import json
import math

import vtu
from command import *

LENGTH, WIDTH = 0.12, 0.1
CELL = {"x": [0, LENGTH], "y": [-0.05, 0.05]}
FLOOR = {"name": "floor", "kind": "fixed", "shapes": [{"plane": {}}]}
SCENE = {
    "time": {"step": 0.001, "end": 0.3},
    "periodic": CELL,
    "gravity": [4, 0, -9],
    "materials": {"sand": {"friction": 0.5, "young": 1e6}},
    "bodies": [FLOOR, {"name": "ball", "position": [0.06, 0, 0.08], "velocity": [1, -0.5, 0],
                       "shapes": [{"sphere": {"radius": 0.008}}]},
               {"name": "egg", "position": [0.02, 0.02, 0.09], "velocity": [1, 0, 0],
                "shapes": [{"ellipsoid": {"semi_axes": [0.01, 0.008, 0.006]}}]}],
    "fills": [{"name": "bed", "region": {"box": {"low": [0, -0.05, 0], "high": [LENGTH, 0.05, 0.06]}}, "radius": 0.006,
               "velocity": [1, 0.3, 0]}],
    "probes": [{"name": "ball", "kind": "body_state", "body": "ball"}],
    "output": {"frame_interval": 0.05, "contacts": True},
}


def write_scene(**changes):
    with open("scene.json", "w") as file:
        json.dump({**SCENE, **changes}, file, indent=1)
    return "scene.json"


def what_cannot_repeat_is_refused_with_its_place():
    wall = {"name": "wall", "kind": "fixed", "rotation": {"axis": [0, 1, 0], "angle_degrees": 90}, "shapes": [{"plane": {}}]}
    said = refused("check", write_scene(bodies=[wall], probes=[]))
    check_says(said, "scene.json:", "body 'wall': a plane cannot stand across x, along which space repeats itself")
    huge = {"name": "huge", "position": [0, 0, 1], "shapes": [{"sphere": {"radius": 0.026}}]}
    said = refused("check", write_scene(bodies=[FLOOR, huge], probes=[]))
    check_says(said, "scene.json:", "body 'huge': ", "too large where space repeats every 0.1 m along y")
    fill = {"region": {"box": {"low": [0, -0.05, 0], "high": [LENGTH, 0.05, 0.1]}}, "radius": 0.03}
    said = refused("check", write_scene(fills=[fill]))
    check_says(said, "scene.json:", "fill 1: ", "too large")
    # half of it reaches through the seam into the other
    pair = [{"name": name, "position": [x, 0, 1], "shapes": [{"sphere": {"radius": 0.01}}]}
            for name, x in (("left", 0.003), ("right", LENGTH - 0.003))]
    check_says(refused("check", write_scene(bodies=pair, probes=[])), "body 'right' overlaps body 'left'")


def check_and_info_say_so():
    write_scene()
    check_says(scree("check", "scene.json").stdout, "periodic in x (120 mm) and y (100 mm)")
    check_says(scree("info", "scene.json").stdout, "periodic in x (120 mm) and y (100 mm)")
    scree("run", "scene.json", "-o", "run", "-q", "--until", 0.01)
    check_says(scree("info", "run").stdout, "x from 0 to 0.12 m", "y from -0.05 to 0.05 m")


def killed_runs_end_in_the_same_bits():
    write_scene()
    for law, step, end in (("compliant", 1e-3, 0.15), ("penalty", 1e-4, 0.08)):
        settings = ["-q", "--set", f"contact.law={law}", "--set", f"time.step={step}"]
        scree("run", "scene.json", "-o", law, "--until", end, *settings)
        scree("run", "scene.json", "-o", law + "-2", "--until", 0.06, "-j", 1, *settings)
        # Beyond its checkpoint it is killed; what it wrote since then is written again.
        process = subprocess.Popen([SCREE, "resume", law + "-2", "--until", "1000", "-q"])
        before = summary(law + "-2")["steps"]
        time.sleep(0.5)
        process.kill()
        process.wait()
        check(summary(law + "-2")["steps"] >= before, "it went back")
        scree("resume", law + "-2", "--until", end, "-j", 2, "-q")
        check_same_run(law, law + "-2")


def rows_of_dump(path):
    """[(bounds by axis, rows as dictionaries)] of every frame."""
    found, lines = [], open(path).read().splitlines()
    at = 0
    while at < len(lines):
        check_equal(lines[at + 4], "ITEM: NUMBER OF ATOMS", "line")
        count = int(lines[at + 5])
        check_equal(lines[at + 6], "ITEM: BOX BOUNDS pp pp ff", "sides")
        bounds = [[float(v) for v in line.split()] for line in lines[at + 7:at + 10]]
        names = lines[at + 10].split()[2:]
        found.append((bounds, [dict(zip(names, map(float, line.split()))) for line in lines[at + 11:at + 11 + count]]))
        at += 11 + count
    return found


def dumps_have_the_cell_and_image_flags():
    scree("run", write_scene(), "-o", "run", "-q")
    scree("export", "run", "--to", "lammps", "-o", "run.dump")
    with open("run/probes.csv") as file:
        path = {round(float(row["time [s]"]), 6): row for row in csv.DictReader(file)}
    frames_there = rows_of_dump("run.dump")
    furthest = 0
    for number, (bounds, rows) in enumerate(frames_there):
        check_equal(bounds[:2], [[0, LENGTH], [-0.05, 0.05]], "bounds")
        for row in rows:
            check(0 <= row["x"] <= LENGTH * (1 + 1e-6) and abs(row["y"]) <= 0.05 * (1 + 1e-6), f"outside: {row}")
        ball = next(row for row in rows if row["id"] == 2)
        now = path[round(0.05 * number, 6)]
        for axis, length, flag in (("x", LENGTH, "ix"), ("y", WIDTH, "iy"), ("z", 0, "iz")):
            came = float(now[f"ball.{axis} [m]"])
            check(abs(ball[axis] + ball[flag] * length - came) < 1e-6, f"{axis} of the ball: {ball}, {came}")
        furthest = max(furthest, ball["ix"])
        check(any("shapex" in row and row["id"] == 3 for row in rows), "no egg")
    check(furthest >= 2, "the ball has not gone round")


def tables_and_chains_stay_in_the_cell():
    scree("run", write_scene(), "-o", "run", "-q")
    scree("export", "run", "--to", "csv", "-o", "run.csv")
    with open("run.csv") as file:
        for row in csv.DictReader(file):
            if row["shape"] != "plane":
                check(-1e-6 <= float(row["x [m]"]) <= LENGTH + 1e-6, f"outside: {row}")
    scree("export", "run", "--to", "vtu", "-o", "vtu", "--frames", "6:6")
    found = vtu.arrays("vtu/contacts-00006.vtu")
    points, across = found["Points"], 0
    check(len(points) > 200, "few contacts")
    for a, b in zip(points[::2], points[1::2]):
        check(sum((p - q)**2 for p, q in zip(a, b))**0.5 < 0.025, f"a chain across the cell: {a} {b}")
        across += not 0 <= b[0] <= LENGTH
    check(across > 0, "no chain goes through the seam")


def weight_is_what_the_bed_takes_and_the_grains_gain():
    """Of the shipped chute, in any time: M g sin(slope) - bed.fx = gain of momentum down the slope, and the same in z."""
    chute = os.path.join(SCENES, "..", "..", "..", "scenes", "periodic", "chute.json")
    for law, step, end in (("compliant", 5e-4, 0.1), ("penalty", 4e-5, 0.02)):
        scree("run", chute, "-o", law, "-q", "-j", 1, "--until", end, "--set", f"contact.law={law}", "--set", f"time.step={step}",
              "--set", f"output.frame_interval={end}", "--set", f"output.probe_interval={end}")
        with open(os.path.join(law, "probes.csv")) as file:
            rows = list(csv.DictReader(file))
        first, last = (float(row["cell.mass [kg]"]) for row in rows)
        check(abs(last - first) < 1e-12 * first, f"mass of the cell: {first}, {last}")
        scree("export", law, "--to", "csv", "-o", law + ".csv")
        momentum = {axis: [0.0, 0.0] for axis in "xz"}
        with open(law + ".csv") as file:
            for row in csv.DictReader(file):
                if row["id"] != "1":
                    mass = 2500 * 4 / 3 * math.pi * float(row["half_x [m]"])**3
                    for axis, sums in momentum.items():
                        sums[int(row["frame"])] += mass * float(row[f"v{axis} [m/s]"])
        weight = 9.81 * first
        slope = math.radians(23)
        for axis, share in (("x", math.sin(slope)), ("z", -math.cos(slope))):
            gain = (momentum[axis][1] - momentum[axis][0]) / end
            bed = float(rows[1][f"bed.f{axis} [N]"])
            check(abs(weight * share - bed - gain) < 1e-3 * weight, f"{law}, {axis}: {weight * share} - {bed} is not {gain} N")


run_tests([what_cannot_repeat_is_refused_with_its_place, check_and_info_say_so, killed_runs_end_in_the_same_bits,
           dumps_have_the_cell_and_image_flags, weight_is_what_the_bed_takes_and_the_grains_gain,
           tables_and_chains_stay_in_the_cell])
