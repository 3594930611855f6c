#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A field of equal tiles: settle one, repeat it, relax it shortly, and say how long that took and how still it is.

field.py DIRECTORY [TILES]   TILES along x and along y, 16 by default; the command is $SCREE, or scree"""
import csv
import json
import os
import pathlib
import subprocess
import sys
import time

SCREE = os.environ.get("SCREE", "scree")
HERE = pathlib.Path(__file__).resolve().parent
STEPS = 10


def scree(*words):
    start = time.monotonic()
    subprocess.run([SCREE, *map(str, words)], check=True)
    return time.monotonic() - start


def field_of(tile, tiles):
    """The tile's scene with a bed of tiles in the place of its fill."""
    field = {key: value for key, value in tile.items() if key not in ("fills", "$schema")}
    side = tile["parameters"]["side"]
    return {**field, "title": f"A field of {tiles} x {tiles} tiles", "time": {"step": 0.001, "end": 0.001 * STEPS},
            "periodic": {"x": [0, side * tiles], "y": [0, side * tiles]},
            "beds": [{"file": "tile.h5", "repeat": [tiles, tiles, 1]}], "output": {"frame_interval": 0}}


def main():
    out, tiles = pathlib.Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 16
    out.mkdir(parents=True, exist_ok=True)
    tile = json.loads((HERE / "tile.json").read_text())
    settling = scree("run", HERE / "tile.json", "-o", out / "tile", "--force")
    taking = scree("bed", out / "tile", "-o", out / "tile.h5")
    (out / "field.json").write_text(json.dumps(field_of(tile, tiles), indent=2))
    relaxing = scree("run", out / "field.json", "-o", out / "field", "--force")
    grains = tile["fills"][0]["count"] * tiles * tiles
    with open(out / "field" / "probes.csv") as file:
        kinetic = [float(row["all.kinetic [J]"]) / grains for row in csv.DictReader(file)]
    print(f"tile settled in {settling:.1f} s, taken in {taking:.1f} s; field of {grains:,} grains repeated, loaded and "
          f"relaxed for {STEPS} steps in {relaxing:.1f} s; kinetic energy a grain {kinetic[0]:.2g} J before, "
          f"{kinetic[-1]:.2g} J after")


main()
