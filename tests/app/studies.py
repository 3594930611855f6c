# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of sweeps and fits share: small scenes, studies, and what they leave."""
import csv

from command import *

G = 9.81
SLIDE = {"parameters": {"speed": 1.0, "friction": 0.4}, "time": {"step": 0.002, "end": 0.4},
         "materials": {"block": {"density": 2000, "friction": "friction"}},
         "bodies": [{"name": "floor", "kind": "fixed", "shapes": [{"box": {"size": [8, 1, 0.1]}, "position": [0, 0, -0.05]}]},
                    {"name": "block", "position": [0, 0, 0.05], "velocity": ["speed", 0, 0], "shapes": [{"box": {"size": [0.2, 0.2, 0.1]}}]}],
         "probes": [{"name": "block", "kind": "body_state", "body": "block"}],
         "output": {"frame_interval": 0, "probe_interval": 0.02}}
GRAINS = {"time": {"step": 0.001, "end": 0.25}, "materials": {"stone": {"density": 2600}},
          "bodies": [{"name": "floor", "kind": "fixed", "shapes": [{"plane": {}}]}],
          "fills": [{"region": {"box": {"low": [-0.2, -0.2, 0.02], "high": [0.2, 0.2, 0.6]}}, "radius": {"uniform": [0.01, 0.02]}, "count": 150}],
          "probes": [{"name": "energy", "kind": "energy"}], "output": {"frame_interval": 0.05}}
DISTANCE = {"probe": "block.x", "name": "distance", "unit": "m"}
FRICTIONS, SPEEDS = [0.3, 0.5, 0.7], [0.8, 1.1]
TABLES = ["study.csv", "runs.csv"]


def study(name="study.json", scene=SLIDE, **words):
    write("scene.json", json.dumps(scene))
    return write(name, json.dumps({"scene": "scene.json", **words}))


def rows(path):
    with open(path) as file:
        return list(csv.DictReader(file))


def run_names(directory):
    return sorted(name for name in os.listdir(f"{directory}/runs") if name.isdigit())


def moments(directory):
    """When the summary of each run was written."""
    return {name: os.stat(f"{directory}/runs/{name}/summary.json").st_mtime_ns for name in run_names(directory)}


def start(*words):
    return subprocess.Popen([SCREE, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_until(what, said):
    end = time.monotonic() + TIMEOUT
    while not what():
        check(time.monotonic() < end, said)
        time.sleep(0.02)
