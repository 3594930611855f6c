#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The active box from the command: frames show every grain, a killed run ends in the same bits, a store in files too, and
what is wrong has a sentence with its place."""
import csv
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import time

from command import BAD_INPUT, SCREE, check, check_equal, check_says, scree

SCENE = {
    "time": {"step": 1e-3, "end": 0.4},
    "bodies": [{"name": "floor", "kind": "fixed", "shapes": [{"plane": {}}]},
               {"name": "blade", "kind": "kinematic", "shapes": [{"box": {"size": [0.01, 0.03, 0.04]}}],
                "motion": {"position": ["0.08 + 0.15*(1 - cos(5*pi*t))", 0, 0.033]}}],
    "fills": [{"name": "strip", "region": {"box": {"low": [0, -0.03, 0], "high": [0.6, 0.03, 0.022]}},
               "radius": {"uniform": [0.0045, 0.005]}, "spacing": 1.05, "avoid": True}],
    "active_box": {"around": "blade", "ahead": 0.06, "behind": 0.05, "shell": 0.04},
    "probes": [{"name": "grains", "kind": "active_box"}],
    "output": {"frame_interval": 0.02, "probe_interval": 0, "checkpoint_minutes": 0.001},
}


def summary(directory):
    return json.loads((directory / "summary.json").read_text())


def spheres_of(directory, table):
    """The ids of spheres in each frame."""
    scree("export", directory, "--to", "csv", "-o", table)
    frames = {}
    with open(table) as file:
        for row in csv.DictReader(file):
            if row["shape"] == "sphere":
                frames.setdefault(row["frame"], []).append(row["id"])
    return frames


def check_frames(directory, scratch):
    total = summary(directory)["grains"]["total"]
    frames = spheres_of(directory, scratch / "frames.csv")
    check_equal(len(frames), 21, "frames")
    for number, ids in frames.items():
        check_equal(len(ids), total, f"grains in frame {number}")
        check_equal(len(set(ids)), total, f"different grains in frame {number}")
    (scratch / "frames.csv").unlink()


def check_books(directory):
    total = summary(directory)["grains"]["total"]
    with open(directory / "probes.csv") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    for row in rows:
        check_equal(sum(int(float(row[f"grains.{state}"])) for state in ("live", "fixed", "parked")), total, "grains")
    parked = {row["grains.parked"] for row in rows}
    check(len(parked) > 5, f"cells hardly change: {parked}")


def kill_and_resume(scene, directory):
    """Killed when it has gone some way; resumed to its end."""
    process = subprocess.Popen([SCREE, "run", scene, "-o", directory, "--quiet"])
    probes = directory / "probes.csv"
    while process.poll() is None and not (probes.exists() and probes.stat().st_size > 4000):
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    process.wait()
    scree("resume", directory, "--quiet")


def refuse(scratch, change, *sentences):
    scene = scratch / "wrong.json"
    scene.write_text(json.dumps({**SCENE, **change}, indent=1))
    said = scree("run", scene, "-o", scratch / "wrong", code=BAD_INPUT).stderr
    check_says(said, "wrong.json:", *sentences)
    check(not (scratch / "wrong").exists(), "a run was written")


def check_refusals(scratch):
    box, fill = SCENE["active_box"], SCENE["fills"][0]
    refuse(scratch, {"active_box": {**box, "around": "blad"}}, "blad", '"blade"')
    refuse(scratch, {"active_box": {**box, "around": []}}, "must name a body")
    refuse(scratch, {"active_box": {"ahead": 0.1}}, "around")
    refuse(scratch, {"active_box": {**box, "cell": 0.03}}, "two cells thick")
    refuse(scratch, {"active_box": {**box, "cell": 0.01, "shell": 0.04}}, "too small for grains")
    refuse(scratch, {"periodic": {"x": [0, 0.6]}}, "exclude each other")
    refuse(scratch, {"fills": [{**fill, "shape": {"ellipsoid": {"semi_axes": [1, 0.8, 0.6]}}}]}, "cannot park")
    refuse(scratch, {"fills": [{**fill, "fixed": True}]}, "cannot park")


def main():
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        scene, whole, killed, filed = (scratch / name for name in ("scene.json", "whole", "killed", "filed"))
        scene.write_text(json.dumps(SCENE))
        scree("run", scene, "-o", whole, "--quiet")
        check_books(whole)
        check_frames(whole, scratch)
        kill_and_resume(scene, killed)
        check_equal(summary(killed)["state_hash"], summary(whole)["state_hash"], "the state after a kill")
        check_equal((killed / "probes.csv").read_bytes(), (whole / "probes.csv").read_bytes(), "the probes after a kill")
        check_frames(killed, scratch)
        scree("run", scene, "-o", filed, "--quiet", "--set", "active_box.store_memory=0", "--until", "0.2")
        scree("resume", filed, "--quiet", "--until", "0.4")
        check_equal(summary(filed)["state_hash"], summary(whole)["state_hash"], "the state with a store in files")
        check(not [name for name in os.listdir(filed) if name.startswith(".scree")], "a file of the store is left")
        said = scree("bed", whole, "-o", scratch / "bed.h5").stdout
        check_says(said, f"{summary(whole)['grains']['total']} grains")
        check_refusals(scratch)
        print(summary(whole)["grains"])


main()
