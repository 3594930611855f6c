#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Killed at the worst moments, while it writes its last files, a run is made whole: the summary and the last frame after
a resume are those of a run that nobody killed."""
from command import *

PRELOAD = os.path.join(os.environ["SCREE_BUILD"], "bin", "kill_at_rename.so")
UNTIL, LATER = 0.012, 0.023  # s: no multiples of the frame interval, so that the end has a frame of its own
PASSING = {"seconds", "resumes", "threads", "peak_memory"}  # figures of a process, not of a run


def write_heap(law):
    """Balls on the floor, pressed together: contacts that carry forces from the first step on. Another one falls."""
    balls = [{"position": [0.0995 * k, 0.02 * (k % 2), 0.1], "shapes": [{"sphere": {"radius": 0.05}}]} for k in range(6)]
    falling = [{"position": [3, 3, 3], "shapes": [{"sphere": {"radius": 0.05}}]}]
    floor = [{"name": "floor", "kind": "fixed", "shapes": [{"plane": {}}], "position": [0, 0, 0.0505]}]
    return write_ball(f"{law}.json", bodies=floor + balls + falling, materials={"stone": {"density": 2600, "young": 1e6}},
                      contact={"law": law}, time={"step": 0.001 if law == "compliant" else 1e-4, "end": UNTIL},
                      output={"frame_interval": 0.005, "contacts": True})


def lasting(directory):
    return {key: value for key, value in summary(directory).items() if key not in PASSING}


def killed(moment, *arguments):
    environment = {**os.environ, "LD_PRELOAD": PRELOAD, moment[0]: moment[1],
                   "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0"}
    process = subprocess.run([SCREE, *map(str, arguments)], env=environment, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True, timeout=TIMEOUT)
    check_equal(process.returncode, -signal.SIGKILL, f"return code, to be killed at {moment}: {process.stderr}")


def check_same_end(a, b):
    check_same_run(a, b)
    check_equal(lasting(a), lasting(b), "summary")
    check(read(a, "trajectory.xdmf").count(b"<Time") == len(frames(b)), "trajectory.xdmf lists other frames")


def a_run_killed_at_its_end_is_made_whole():
    for law in ("compliant", "penalty"):
        whole, scene = f"whole-{law}", write_heap(law)
        scree("run", scene, "-o", whole, "-q")
        check(summary(whole)["energy"]["elastic"] > 0.0, "nothing is pressed at the end: the scene tests nothing")
        # Every file of a run gets its name at the start (1) and at the end (2).
        for number, moment in enumerate([("KILL_AT", "checkpoint.h5:2"), ("KILL_AFTER", "checkpoint.h5:2"),
                                         ("KILL_AT", "summary.json:2"), ("KILL_AFTER", "summary.json:2"),
                                         ("KILL_AT", "trajectory.xdmf:2"), ("KILL_AFTER", "trajectory.xdmf:2"),
                                         ("KILL_AT", "trajectory.xdmf:3")]):
            directory = f"{law}-{number}"
            killed(moment, "run", scene, "-o", directory, "-q")
            scree("resume", directory, "-q", "-j", 2)
            check_same_end(whole, directory)
            # And once more: killed while being made whole.
            if moment == ("KILL_AT", "summary.json:2"):
                killed(moment, "run", scene, "-o", directory, "-q", "--force")
                killed(("KILL_AT", "summary.json:1"), "resume", directory, "-q")
                scree("resume", directory, "-q")
                check_same_end(whole, directory)


def a_run_made_whole_can_be_carried_on():
    scene = write_heap("compliant")
    scree("run", scene, "-o", "whole", "--until", LATER, "-q")
    killed(("KILL_AT", "summary.json:2"), "run", scene, "-o", "out", "-q")
    scree("resume", "out", "-q")
    scree("resume", "out", "--until", LATER, "-q")
    check_same_end("whole", "out")


def a_run_killed_on_the_way_to_a_new_end_goes_there():
    scene = write_heap("compliant")
    scree("run", scene, "-o", "whole", "--until", LATER, "-q")
    scree("run", scene, "-o", "out", "-q")
    # Frames and rows of the way are written; the checkpoint at its end is not.
    killed(("KILL_AT", "checkpoint.h5:2"), "resume", "out", "--until", LATER, "-q")
    scree("resume", "out", "-q")
    check_same_end("whole", "out")


def a_failure_is_told_in_the_same_figures_again():
    scene = write_heap("compliant")
    scree("run", scene, "-o", "out", "-q", "--set", "limits.speed=0.1", code=FAILED)  # m/s, of the ball that falls
    before, pictures = lasting("out"), frames("out")
    check(before["touching"] > 0 and before["energy"]["elastic"] is None, f"nobody knows the energy {before['energy']}")
    scree("resume", "out", "-q", code=FAILED)
    check_equal(lasting("out"), before, "summary")
    check_equal(frames("out"), pictures, "frames")


if not os.path.exists(PRELOAD):
    sys.exit(SKIPPED)
run_tests([a_run_killed_at_its_end_is_made_whole, a_run_made_whole_can_be_carried_on,
           a_run_killed_on_the_way_to_a_new_end_goes_there,
           a_failure_is_told_in_the_same_figures_again])
