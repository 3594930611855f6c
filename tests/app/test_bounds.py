#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Work and numbers without bound: costs grow with the scene, what cannot be held is refused with the figure, and no number
that is none reaches a file."""
import copy
import math
import resource

from command import *

BALL = {"time": {"step": 0.001, "end": 0.01}, "materials": {"stone": {"density": 1000}},
        "bodies": [{"name": "ball", "shapes": [{"sphere": {"radius": 0.1}}], "position": [0, 0, 0]}],
        "probes": [{"name": "all", "kind": "energy"}, {"name": "ball", "kind": "body_state", "body": "ball"}]}
REGION = {"box": {"low": [1, 1, 1], "high": [2, 2, 2]}}


def write(name, **parts):
    scene = copy.deepcopy(BALL)
    for key, value in parts.items():
        scene[key] = value
    with open(name, "w") as file:
        json.dump(scene, file)
    return name


def ball(**more):
    return [{**BALL["bodies"][0], **more}]


def check_refused(said, **parts):
    """With file, line and column, and nothing written."""
    process = scree("run", write("scene.json", **parts), "-o", "out", code=BAD_INPUT)
    check_says(process.stderr, "scree: scene.json:1:", said)
    check(not os.path.exists("out"), "something was written")


def check_stopped(said, **parts):
    shutil.rmtree("out", ignore_errors=True)
    process = scree("run", write("scene.json", **parts), "-o", "out", "-q", code=FAILED)
    check_says(process.stderr, "scree: step ", said)
    check(math.isfinite(summary("out")["time"]), "the summary is not readable")
    for row in read("out", "probes.csv").decode().splitlines()[1:]:
        check(all(math.isfinite(float(cell)) for cell in row.split(",")), f"a number that is none in probes.csv: {row}")


def speeds_that_nothing_has_are_refused():
    for v in (1e10, -1e300):
        check_refused('"velocity[0]" must be from -1e+09 to 1e+09', bodies=ball(velocity=[v, 0, 0]))
        check_refused('"spin[0]" must be from -1e+09 to 1e+09', bodies=ball(spin=[v, 0, 0]))
        check_refused("must be from -1e+09", fills=[{"region": REGION, "radius": 0.1, "velocity": [0, 0, v]}])
        check_refused("must be from -1e+09", emitters=[{"region": REGION, "radius": 0.1, "rate": 1, "velocity": [0, 0, v]}])
    check_refused('"speed" must be', limits={"speed": 1e308})
    with open("grains.csv", "w") as file:
        file.write("x,y,z,r,vx\n1,1,1,0.1,1e300\n")
    process = scree("run", write("scene.json", tables=[{"file": "grains.csv"}]), "-o", "out", code=BAD_INPUT)
    check_says(process.stderr, "grains.csv:2:11: vx must be from -1e+09 to 1e+09 m/s")


def forces_without_bound_stop_the_run_before_they_are_written():
    for size in (1e20, 1e30, 1e300):
        check_stopped("body 'ball'", loads=[{"body": "ball", "force": [size, 0, 0]}])
        check_stopped("body 'ball'", loads=[{"body": "ball", "torque": [size, 0, 0]}])
        check_stopped("body 'ball'", joints=[{"kind": "revolute", "bodies": ["ground", "ball"], "at": [0, 0, 0],
                                              "axis": [0, 0, 1], "motor": {"torque": size}}])
    check_stopped("body 'ball'", gravity=[0, 0, -1e300])
    check_stopped("turns at", bodies=ball(spin=[1e9, 1e9, 0]))


def a_step_longer_than_the_run_is_refused():
    check_refused("a step of 1 s is longer than the run, which ends at 0.5 s", time={"step": 1, "end": 0.5})
    check_refused("a step of 0.001 s is longer than the run", time={"end": 1e-4})
    scree("check", write("scene.json", time={"end": 0}))
    check_says(scree("check", write("scene.json"), "--until", 1e-4, code=BAD_INPUT).stderr, "an end at 0.0001 s")


def more_grains_than_the_machine_can_hold_are_refused_with_the_figure():
    emitter = {"region": REGION, "radius": 1e-4, "rate": 1e9}
    check_refused("emitter 1: 1.87e+11 bodies take about 243 TB of memory, and this machine has", emitters=[emitter])
    scree("check", write("scene.json", emitters=[{**emitter, "limit": 1000}]))
    scree("check", write("scene.json", emitters=[emitter], sinks=[{"region": REGION}]))  # may take them away in time
    scree("check", write("scene.json", emitters=[{**emitter, "radius": 0.1}]))  # there is no room for so many there
    check_refused("fill 1: 1e+12 bodies take about 1.3 PB", fills=[{"region": REGION, "radius": 1e-4, "count": 10 ** 12}])


def joints_of_a_hub(count, hubs):
    """As many joints between one body and the ground, or between two bodies."""
    bodies = [{**BALL["bodies"][0], "name": name, "position": [0, 0, 2 * k]} for k, name in enumerate(("ball", "other")[:hubs])]
    ends = ["ball", "other"] if hubs == 2 else ["ground", "ball"]
    places = [[math.cos(6.283 * i / count), math.sin(6.283 * i / count), 0] for i in range(count)]
    return write("hub.json", bodies=bodies, joints=[{"kind": "spherical", "bodies": ends, "at": at} for at in places])


def check_of_a_hub_takes_a_time_that_grows_with_its_joints():
    limit = 3 << 30  # bytes of addresses: unsplit it takes 5 GB
    for hubs in (1, 2):
        start = time.monotonic()
        said = subprocess.run([SCREE, "check", joints_of_a_hub(2000, hubs)], capture_output=True, text=True, timeout=TIMEOUT,
                              preexec_fn=None if sanitized() else lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
        check_equal(said.returncode, DONE, said.stderr)
        check_says(said.stdout, "5,994 conditions are kept twice")
        print(f"        (2,000 joints on {hubs}: {time.monotonic() - start:.2f} s)")
        scree("run", "hub.json", "-o", f"hub{hubs}", "-q")


run_tests([speeds_that_nothing_has_are_refused, forces_without_bound_stop_the_run_before_they_are_written,
           a_step_longer_than_the_run_is_refused, more_grains_than_the_machine_can_hold_are_refused_with_the_figure,
           check_of_a_hub_takes_a_time_that_grows_with_its_joints])
