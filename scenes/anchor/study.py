#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The two studies of an anchor: which torque brings it how deep, and which force pulls it out again.

study.py DIRECTORY [--paper] [--threads N]    the command is $SCREE, or scree

anchor.json is settled once without its anchor; each case then begins from that bed. --paper: at the published size, for
some hours. Runs that are there already are used again. Draws torques.svg and pulls.svg, depth against time."""
import argparse
import csv
import json
import os
import pathlib
import subprocess

SCREE = os.environ.get("SCREE", "scree")
HERE = pathlib.Path(__file__).resolve().parent

# Times in s, forces in N, torques in N m. "torques" are pulled with the first of "pulls", "pulls" follow "torque".
SMALL = {"parameters": {}, "screw": 0.2, "pull": 1.1, "end": 1.6, "press": 150,
         "torques": [20, 40, 60, 80], "torque": 40, "pulls": [130, 230, 320]}
PAPER = {"parameters": {"h": 5e-4, "side": 3, "top": 2.8, "grains": 60000, "density": 43.2, "radius": 0.5, "pitch": 0.3,
                        "shaft": 0.06, "length": 2.5, "settled": 1.5},
         "screw": 2, "pull": 7, "end": 10, "press": 150,
         "torques": [600, 800, 1000, 1200], "torque": 1000, "pulls": [300, 1600, 2000]}


def scree(*words):
    subprocess.run([SCREE, *map(str, words)], check=True)


def run(scene, out, name, threads):
    if not (out / name / "summary.json").exists():
        (out / f"{name}.json").write_text(json.dumps(scene, indent=2))
        scree("run", out / f"{name}.json", "-o", out / name, "-q", *(["-j", threads] if threads else []))


def settle(base, out, threads):
    """The bed; z of its surface, above which is a twentieth of the grains' tops, and of the highest of them, m."""
    bed = {key: value for key, value in base.items() if key != "anchors"}
    bed["time"] = {**base["time"], "end": base["parameters"]["settled"]}
    bed["output"] = {"frame_interval": base["parameters"]["settled"]}
    run(bed, out, "bed", threads)
    scree("bed", out / "bed", "-o", out / "bed.h5", "--force")
    scree("export", out / "bed", "--to", "csv", "-o", out / "bed.csv", "--force")
    with open(out / "bed.csv") as file:
        rows = list(csv.DictReader(file))
    tops = sorted(float(row["z [m]"]) + float(row["half_z [m]"]) for row in rows
                  if row["frame"] == rows[-1]["frame"] and row["shape"] == "sphere")
    return tops[-len(tops) // 20], tops[-1]


def case(base, size, torque, pull):
    anchor = {**base["anchors"][0],
              "schedule": [{"name": "press", "from": 0, "force": size["press"]},
                           {"name": "screw", "from": size["screw"], "force": size["press"], "torque": torque},
                           {"name": "pull", "from": size["pull"], "force": -pull}]}
    scene = {key: value for key, value in base.items() if key != "fills"}
    return {**scene, "title": f"{torque:g} N m, pulled with {pull:g} N", "time": {**base["time"], "end": size["end"]},
            "beds": [{"file": "bed.h5"}], "anchors": [anchor]}


def depths(run_directory, size):
    """m, as the torque begins, as the pull begins, and at the end."""
    with open(run_directory / "probes.csv") as file:
        rows = [(float(row["time [s]"]), float(row["anchor.depth [m]"])) for row in csv.DictReader(file)]
    return [min(rows, key=lambda row: abs(row[0] - t))[1] for t in (size["screw"], size["pull"], size["end"])]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("--paper", action="store_true")
    parser.add_argument("--threads", type=int)
    options = parser.parse_args()
    size, out = PAPER if options.paper else SMALL, options.directory
    out.mkdir(parents=True, exist_ok=True)
    base = json.loads((HERE / "anchor.json").read_text())
    base["parameters"] = {**base["parameters"], **size["parameters"]}
    base["parameters"]["surface"], highest = settle(base, out, options.threads)
    base["anchors"][0]["depth"] = base["parameters"]["surface"] - highest
    studies = {"torques": [(torque, size["pulls"][0]) for torque in size["torques"]],
               "pulls": [(size["torque"], pull) for pull in size["pulls"]]}
    for study, cases in studies.items():
        names = [f"torque_{torque:g}_pull_{pull:g}" for torque, pull in cases]
        print(f"{study}:  torque N m  pull N    depth when screwed, pulled, at the end, m")
        for name, (torque, pull) in zip(names, cases):
            run(case(base, size, torque, pull), out, name, options.threads)
            print(f"{torque:18g} {pull:7g}   ", *(f"{depth:7.3f}" for depth in depths(out / name, size)), flush=True)
        scree("plot", *(out / name for name in names), "anchor.depth", "-o", out / f"{study}.svg", "--force")


main()
