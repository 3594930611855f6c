#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A blade drawn along a strip, out and back: settle a tile, repeat it, and simulate only the grains near the blade.

strip.py DIRECTORY [TILES]   TILES along the strip, 6 by default; the command is $SCREE, or scree"""
import json
import os
import pathlib
import subprocess
import sys

SCREE = os.environ.get("SCREE", "scree")
HERE = pathlib.Path(__file__).resolve().parent
PERIOD = 2.4  # s: out and back


def scree(*words):
    subprocess.run([SCREE, *map(str, words)], check=True)


def strip_of(tile, tiles):
    """The tile's ground, walls and gravel; a bed of tiles, a blade and the box around it."""
    way = tile["parameters"]["length"] * tiles - 1.2
    blade = {"name": "blade", "kind": "kinematic",
             "shapes": [{"box": {"size": [0.01, 0.1, 0.08]}, "position": [0, 0, 0.04]}],
             "motion": {"position": [f"0.5 + {way:g}*(1 - cos(2*pi*t/{PERIOD:g}))/2", 0, "0.04 + max(0, 0.06 - 0.3*t)"]},
             "appearance": {"colour": "#2f6f9f"}}
    return {"title": "A blade is drawn along a strip, out and back",
            "time": {"step": 0.001, "end": PERIOD},
            "parameters": tile["parameters"], "materials": tile["materials"],
            "bodies": [*tile["bodies"], blade],
            "beds": [{"file": "tile.h5", "repeat": [tiles, 1, 1]}],
            "active_box": {"around": "blade", "ahead": 0.22, "behind": 0.16, "side": 0.2, "shell": 0.08},
            "probes": [{"name": "blade", "kind": "body_force", "body": "blade"},
                       {"name": "grains", "kind": "active_box"}, {"name": "all", "kind": "energy"}],
            "output": {"frame_interval": 0.04, "probe_interval": 0.01},
            "view": {"colour": "displacement"}}


def main():
    out, tiles = pathlib.Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 6
    out.mkdir(parents=True, exist_ok=True)
    tile = json.loads((HERE / "tile.json").read_text())
    scree("run", HERE / "tile.json", "-o", out / "tile", "--force")
    scree("bed", out / "tile", "-o", out / "tile.h5", "--force")
    (out / "strip.json").write_text(json.dumps(strip_of(tile, tiles), indent=2))
    scree("run", out / "strip.json", "-o", out / "strip", "--force")


main()
