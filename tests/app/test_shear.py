#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Scenes whose space is sheared, end to end: what is refused, resumed, measured and shown."""
import csv
import json
import os

from command import *

SIDE, RATE = 0.06, 30
SCENE = {
    "time": {"step": 2e-4, "end": 0.2},
    "periodic": {"x": [0, SIDE], "y": [0, SIDE], "z": [0, SIDE], "shear": {"flow": "x", "gradient": "z", "rate": RATE}},
    "gravity": [0, 0, 0],
    "materials": {"sand": {"density": 2500, "friction": 0.5, "young": 5e6}},
    "fills": [{"name": "cell", "region": {"box": {"low": [0, 0, 0], "high": [SIDE, SIDE, SIDE]}},
               "radius": {"uniform": [0.0045, 0.005]}}],
    "probes": [{"name": "all", "kind": "stress"}, {"name": "contact", "kind": "stress", "part": "contact"},
               {"name": "kinetic", "kind": "stress", "part": "kinetic"}, {"name": "energy", "kind": "energy"}],
    "output": {"frame_interval": 0.05, "probe_interval": 0.01, "contacts": True},
}


def write_scene(**changes):
    with open("scene.json", "w") as file:
        json.dump({**SCENE, **changes}, file, indent=1)
    return "scene.json"


def what_cannot_be_sheared_is_refused_with_its_place():
    rock = {"name": "rock", "kind": "fixed", "position": [0, 0, 0], "shapes": [{"sphere": {"radius": 0.005}}]}
    check_says(refused("check", write_scene(bodies=[rock], fills=[])), "scene.json:", "body 'rock': where space is sheared nothing is fixed")
    balls = [{"name": name, "position": [x, 0.03, 0.03], "shapes": [{"sphere": {"radius": 0.005}}]} for name, x in (("a", 0.01), ("b", 0.04))]
    hinge = {"name": "pin", "kind": "spherical", "bodies": ["a", "b"], "at": [0.025, 0.03, 0.03]}
    check_says(refused("check", write_scene(bodies=balls, joints=[hinge], fills=[])), "scene.json:", "'pin'", "there are no joints and springs")
    rain = {"name": "rain", "region": {"box": {"low": [0, 0, 0], "high": [SIDE, SIDE, SIDE]}}, "radius": 0.004, "rate": 1}
    check_says(refused("check", write_scene(emitters=[rain])), "scene.json:", "emitter 'rain': where space is sheared there are no emitters")
    scree("run", write_scene(), "-o", "run", "-q", "--until", 0.01)
    check_says(refused("bed", "run", "-o", "a.bed"), "no bed can be taken from a space that is sheared")


def check_says_so():
    check_says(scree("check", write_scene()).stdout, "sheared along x across z at 30 1/s")


def killed_runs_end_in_the_same_bits():
    write_scene()
    ramp = "periodic.shear.rate=10+100*t"
    for law, step in (("compliant", 2e-4), ("penalty", 2e-5)):
        options = ["--set", ramp, "--set", f"contact.law={law}", "--set", f"time.step={step}", "--set", "time.end=0.04"]
        scree("run", "scene.json", "-o", law, "-q", "-j", 1, *options)
        scree("run", "scene.json", "-o", law + "2", "-q", "-j", 2, "--until", 0.02, *options)
        scree("resume", law + "2", "-q", "-j", 2, "--until", 0.04)
        hashes = [json.load(open(f"{run}/summary.json"))["state_hash"] for run in (law, law + "2")]
        check_equal(hashes[0], hashes[1], "hash of " + law)


def probes_have_pressure_and_shear():
    cell = os.path.join(SCENES, "..", "..", "..", "scenes", "shear_cell", "cell.json")
    for law, step in (("compliant", 2e-4), ("penalty", 2e-5)):
        scree("run", cell, "-o", law, "-q", "--set", f"contact.law={law}", "--set", f"time.step={step}", "--set", "time.end=0.1",
              "--set", "parameters.spacing=1.04")
        with open(law + "/probes.csv") as file:
            rows = list(csv.DictReader(file))[5:]
        mean = {key: sum(float(row[key]) for row in rows) / len(rows) for key in rows[0]}
        pressure, shear = mean["stress.pressure [Pa]"], mean["stress.xy [Pa]"]
        check(pressure > 0 and -1.5 < shear / pressure < -0.3, f"{law}: pressure {pressure}, shear {shear} Pa")
        check(0 < mean["kinetic.pressure [Pa]"] < 0.2 * pressure, "kinetic pressure")


def parts_make_up_the_whole():
    scree("run", write_scene(), "-o", "run", "-q", "--set", "periodic.shear.rate=100", "--set", "fills.0.velocity=[0,0.2,0.4]")
    with open("run/probes.csv") as file:
        last = {key: float(value) for key, value in list(csv.DictReader(file))[-1].items()}
    for column in ("xx", "yy", "zz", "xy", "yz", "zx", "pressure"):
        parts = last[f"contact.{column} [Pa]"] + last[f"kinetic.{column} [Pa]"]
        check(abs(last[f"all.{column} [Pa]"] - parts) < 1e-9 * abs(last["all.xx [Pa]"]), f"{column} is not the sum of its parts")


def frames_have_grains_in_the_cell_and_as_fast_as_they_are_there():
    scree("run", write_scene(), "-o", "run", "-q")
    scree("export", "run", "--to", "csv", "-o", "run.csv")
    with open("run.csv") as file:
        rows = [row for row in csv.DictReader(file) if row["frame"] == "4"]
    check(len(rows) > 100, "few grains")
    height = [float(row["z [m]"]) / SIDE - 0.5 for row in rows]
    speed = [float(row["vx [m/s]"]) / (RATE * SIDE) for row in rows]
    for row in rows:
        check(all(-1e-6 <= float(row[axis + " [m]"]) <= SIDE + 1e-6 for axis in "xyz"), f"outside: {row}")
    slope = sum(a * b for a, b in zip(height, speed)) / sum(a * a for a in height)
    check(abs(slope - 1) < 0.25, f"the flow has {slope} of the shear rate")
    check(max(abs(v) for v in speed) < 1.5, "a grain is as fast as in another cell")


run_tests([what_cannot_be_sheared_is_refused_with_its_place, check_says_so, killed_runs_end_in_the_same_bits,
           probes_have_pressure_and_shear, parts_make_up_the_whole,
           frames_have_grains_in_the_cell_and_as_fast_as_they_are_there])
