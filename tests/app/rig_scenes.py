# SPDX-License-Identifier: BSD-3-Clause
"""Scenes with test rigs, and running them."""
import json
import pathlib

from command import *

MU, G = 0.4, 9.81
STONE = {"density": 2600, "friction": MU}


def write_scene(rig, name="scene.json", **more):
    scene = {"time": {"step": 0.001, "end": 20}, "gravity": [0, 0, -G], "materials": {"stone": STONE}, "rig": rig,
             "output": {"probe_interval": 0.01, "frame_interval": 0}, **more}
    pathlib.Path(name).write_text(json.dumps(scene))


def measure(*words, directory="run"):
    scree("run", "scene.json", "-o", directory, "-q", "--force", *words)
    return summary(directory)["rig"]


def check_resumes(threads_of_phases):
    """The scene, stopped in each of these phases and resumed, has the figures and the hash of a whole run, and those are returned."""
    figures, whole = measure("-j", 1), summary("run")
    check(all(p["result"] == "reached" for p in whole["phases"]), f"{whole['phases']}")
    begins = {p["name"]: p["began"] for p in whole["phases"]}
    for name, threads in threads_of_phases.items():
        scree("run", "scene.json", "-o", name, "-q", "-j", threads, "--until", begins[name] + 0.01)
        scree("resume", name, "-q", "-j", threads, "--until", 20)
        check_equal(summary(name)["rig"], figures, f"figures of a run that was stopped in the phase {name}")
        check_equal(summary(name)["state_hash"], whole["state_hash"], f"hash of a run that was stopped in the phase {name}")
    return figures, whole


def check_near(a, b, relative, what):
    check(abs(a - b) <= relative * abs(b), f"{what}: {a}, not within {100 * relative} % of {b}")


def write_grains(seed=1, size=(0.06, 0.06, 0.05), count=230, travel=0.008, soon={}, **more):
    write_scene({"kind": "direct_shear", **soon, "size": size, "normal_stress": 5000, "speed": 0.02, "travel": travel,
                 "soil": {"radius": {"uniform": [0.0045, 0.0055]}, "count": count}}, seed=seed,
                materials={"sand": {"density": 2600, "friction": 0.5, "young": 2e6, "poisson": 0.3, "restitution": 0.3}}, **more)
