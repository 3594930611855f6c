# SPDX-License-Identifier: BSD-3-Clause
"""The spheres of a run's frames, for the scripts of the scenes: exported by the command as a table, and read again."""
import argparse
import collections
import csv
import json
import pathlib
import subprocess
import tempfile

Grain = collections.namedtuple("Grain", "material radius x y z")  # m


def frames_of(scree, run):
    """[(time in s, grains)] of a run, in the order of time."""
    frames = {}
    with tempfile.TemporaryDirectory() as directory:
        table = pathlib.Path(directory) / "frames.csv"
        subprocess.run([scree, "export", run, "--to", "csv", "-o", table], check=True, stdout=subprocess.DEVNULL)
        with open(table, newline="") as file:
            for row in csv.DictReader(file):
                if row["shape"] == "sphere":
                    place = (float(row[f"{axis} [m]"]) for axis in "xyz")
                    grain = Grain(row["material"], float(row["half_x [m]"]), *place)
                    frames.setdefault(float(row["time [s]"]), []).append(grain)
    return sorted(frames.items())


def read_run(description):
    """The run that the command line names: its parameters, and its frames."""
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("run", type=pathlib.Path)
    parser.add_argument("--scree", default="build/release/bin/scree")
    arguments = parser.parse_args()
    parameters = json.loads((arguments.run / "scene.json").read_text())["parameters"]
    return parameters, frames_of(arguments.scree, arguments.run)
