#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A run may end when its bodies have come to rest: not before, not much later, the same after a resume."""
import csv
import json
import pathlib
import tempfile

from command import scree

ENERGY, FOR = 1e-7, 0.1  # J a grain, s
SCENE = {
    "time": {"step": 1e-3, "end": 5, "rest": {"energy": ENERGY, "for": FOR}},
    "materials": {"gravel": {"rolling_friction": 0.3}},  # or they would roll for ever
    "bodies": [{"name": "floor", "kind": "fixed", "shapes": [{"plane": {}}]}],
    "fills": [{"region": {"box": {"low": [0, 0, 0.01], "high": [0.1, 0.1, 0.06]}}, "radius": 0.01}],
    "probes": [{"name": "energy", "kind": "energy"}],
    "output": {"probe_interval": 0, "frame_interval": 0},
}


def summary(directory):
    return json.loads((directory / "summary.json").read_text())


def rows(directory):
    with open(directory / "probes.csv") as file:
        table = list(csv.reader(line for line in file if not line.startswith("#")))
    time, kinetic = (next(i for i, name in enumerate(table[0]) if name.startswith(n)) for n in ("t", "energy.kinetic"))
    return [(float(r[time]), float(r[kinetic])) for r in table[1:]]


def main():
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        scene, whole, cut = scratch / "scene.json", scratch / "whole", scratch / "cut"
        scene.write_text(json.dumps(SCENE))
        scree("run", scene, "-o", whole, "--quiet")
        end = summary(whole)
        assert end["status"] == "done", end["status"]
        energies = rows(whole)
        assert energies[-1][0] < 4.9, "it went on to the end"
        loud = max(t for t, kinetic in energies if kinetic / (end["bodies"] - 1) > ENERGY)  # all but the floor
        still = energies[-1][0] - loud
        assert FOR - 1e-9 <= still <= FOR + 0.025, f"it ended {still} s after the last motion"

        # Cut off when it was still for half the time, and resumed, it ends in the same state.
        scree("run", scene, "-o", cut, "--quiet", "--until", loud + FOR / 2)
        scree("resume", cut, "--quiet", "--until", "5")
        assert summary(cut)["state_hash"] == end["state_hash"], "a resumed run ends elsewhere"
        # What is done is done; asked to, it goes on, until there is rest again.
        scree("resume", whole, "--quiet", "--until", "5")
        more = rows(whole)[-1][0] - energies[-1][0]
        assert FOR - 1e-9 <= more <= FOR + 0.025, f"it went on for {more} s"
        print(f"at rest at t = {end['time']} s")


main()
