# SPDX-License-Identifier: BSD-3-Clause
"""The spheres of a run's frames, for the scripts of the scenes: exported by the command as a table, and read again."""
import collections
import csv
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
                    frames.setdefault(float(row["time [s]"]), []).append(Grain(row["material"], float(row["half_x [m]"]), *place))
    return sorted(frames.items())
