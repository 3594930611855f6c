#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""The flow down a chute without end, from a run of scenes/periodic/chute.json: forces on its bed against the weight, and the
mean velocity down the slope by height.

    scenes/periodic/profile.py [--since SECONDS] RUN_DIRECTORY...

What the grains gain of momentum is what their weight gives less what the bed takes, so over a time T
    bed.fx = M g sin(slope) - (P(T) - P(0)) / T
where M is their mass and P their momentum down the slope.
"""
import argparse
import csv
import json
import math
import pathlib
import subprocess
import tempfile

HEIGHT = 1.0  # of a layer, in diameters


def probes_of(run, since):
    with open(run / "probes.csv") as file:
        rows = [{name.split(" ")[0]: float(value) for name, value in row.items()} for row in csv.DictReader(file)]
    return [row for row in rows if row["time"] > since]


def grains_of(scree, run, since):
    """[(time, [(z, velocity down the slope, volume) of every grain])] of the frames since a time."""
    frames = {}
    with tempfile.TemporaryDirectory() as directory:
        table = pathlib.Path(directory) / "frames.csv"
        subprocess.run([scree, "export", run, "--to", "csv", "-o", table], check=True, stdout=subprocess.DEVNULL)
        with open(table) as file:
            for row in csv.DictReader(file):
                time = float(row["time [s]"])
                if row["id"] != "1" and time >= since - 1e-9:
                    grain = float(row["z [m]"]), float(row["vx [m/s]"]), 4 / 3 * math.pi * float(row["half_x [m]"])**3
                    frames.setdefault(time, []).append(grain)
    return sorted(frames.items())


def momentum(grains, density):
    return sum(density * volume * velocity for _, velocity, volume in grains)


def print_forces(name, rows, frames, scene):
    density, slope = scene["materials"]["glass"]["density"], scene["parameters"]["slope"]
    masses = [row["cell.mass"] for row in rows]
    weight = 9.81 * masses[0]
    gain = (momentum(frames[-1][1], density) - momentum(frames[0][1], density)) / (frames[-1][0] - frames[0][0])
    along, down = (sum(row[f"bed.f{axis}"] for row in rows) / len(rows) for axis in "xz")
    print(f"{name}: t = {frames[0][0]:g} to {frames[-1][0]:g} s")
    print(f"  mass      {masses[0]:.6f} kg, the same in every row to {max(masses) - min(masses):.1e} kg")
    print(f"  bed.fx    {along:.3f} N; weight down the slope less gain of momentum "
          f"{weight * math.sin(slope):.3f} - {gain:.3f} = {weight * math.sin(slope) - gain:.3f} N")
    print(f"  -bed.fz   {-down:.3f} N; weight on the slope {weight * math.cos(slope):.3f} N")
    print(f"  flow      {(rows[-1]['flow.mass'] - rows[0]['flow.mass']) / (rows[-1]['time'] - rows[0]['time']):.3f} kg/s")


def print_profile(frames, scene):
    diameter = scene["parameters"]["diameter"]
    area = math.prod(high - low for low, high in (scene["periodic"][axis] for axis in "xy"))
    layers = {}
    for _, grains in frames:
        for z, velocity, volume in grains:
            layer = layers.setdefault(math.floor(z / (HEIGHT * diameter)), [0, 0.0, 0.0])
            layer[0] += 1
            layer[1] += velocity
            layer[2] += volume
    print("  height [d]   velocity [m/s]   share of space")
    for number, (count, velocity, volume) in sorted(layers.items()):
        share = volume / (len(frames) * area * HEIGHT * diameter)
        if share > 0.02:
            print(f"  {(number + 0.5) * HEIGHT:10.1f}   {velocity / count:14.3f}   {share:14.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("runs", type=pathlib.Path, nargs="+", metavar="RUN_DIRECTORY")
    parser.add_argument("--since", type=float, default=4.0, help="s; where the flow is taken for steady")
    parser.add_argument("--scree", default="build/release/bin/scree")
    arguments = parser.parse_args()
    for run in arguments.runs:
        scene = json.loads((run / "scene.json").read_text())
        frames = grains_of(arguments.scree, run, arguments.since)
        print_forces(run.name, probes_of(run, frames[0][0]), frames, scene)
        print_profile(frames, scene)


main()
