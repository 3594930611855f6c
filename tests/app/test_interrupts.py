#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Ctrl-C is answered within a second in every phase; what a run has is saved, and nothing unfinished stays behind."""
import glob

from command import *

ANSWER = 1.0 if not sanitized() else 10.0  # s
SLACK = 1.0  # s: machines that test do other work as well
BOX = {"box": {"low": [0, 0, 0], "high": [1, 1, 1]}}


def write(name, **parts):
    with open(name, "w") as file:
        json.dump({"time": {"end": 1}, "materials": {"stone": {"friction": 0.5}}, **parts}, file)
    return name


def listens(process):
    """Whether the command has taken over SIGINT: before that, a signal meets the shell's or Python's idea of it."""
    with open(f"/proc/{process.pid}/status") as file:
        caught = next(line for line in file if line.startswith("SigCgt")).split()[1]
    with open(f"/proc/{process.pid}/cmdline", "rb") as file:
        return int(caught, 16) >> (signal.SIGINT - 1) & 1 and file.read().startswith(SCREE.encode())


def interrupt(arguments, after, what, code=INTERRUPTED, begun=None):
    """Start the command, wait until there is a file begun and then some time, send SIGINT; returns what it said. It must
    still have been at work."""
    process = subprocess.Popen([SCREE, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))  # background jobs ignore it
    while process.poll() is None and not (listens(process) and (begun is None or os.path.exists(begun))):
        time.sleep(0.01)
    time.sleep(after)
    check(process.poll() is None, f"{what}: done before it was interrupted")
    start = time.monotonic()
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=TIMEOUT)
    latency = time.monotonic() - start
    check_equal(process.returncode, code, f"{what}: exit code, {said}")
    print(f"        ({what}: {latency:.2f} s)")
    check(latency < ANSWER + SLACK, f"{what}: answered after {latency:.2f} s")
    return said


def a_scene_that_is_being_built_is_left_at_once():
    with open("large.json", "w") as file:  # reading
        bodies = ",".join('{"shapes": [{"sphere": {"radius": 0.1}}], "position": [%d, 0, 0]}' % i for i in range(600000))
        file.write('{"time": {"end": 1}, "materials": {"stone": {}}, "bodies": [%s]}' % bodies)
    interrupt(["check", "large.json"], 0.1, "reading")
    many = write("many.json", fills=[{"region": BOX, "radius": 0.0025}])  # 6 million: filling, binning, overlaps
    for after in (0.3, 1.0, 2.0):
        interrupt(["check", many], after, f"filling, {after} s after the start")
    check_equal(sorted(os.listdir()), ["large.json", "many.json"], "files")


def a_long_step_is_given_up_and_resumed_to_the_same_bits():
    for method in ("ags", "gs", "apgd", "bb", "jacobi"):
        precision = "double" if method == "gs" else "usual"
        scene = write("heap.json", time={"step": 0.001, "end": 0.001}, output={"frame_interval": 0},
                      solver={"method": method, "max_iterations": 10000, "tolerance": 0, "precision": precision},
                      bodies=[{"kind": "fixed", "shapes": [{"plane": {}}]}],
                      fills=[{"region": {"box": {"low": [0, 0, 0], "high": [0.3, 0.3, 0.2]}}, "radius": 0.005, "pattern": "grid",
                              "spacing": 0.99}])
        said = interrupt(["run", scene, "-o", method, "--force"], 0.5, f"a step by {method}",
                         begun=f"{method}/scene.json")
        check_says(said, "stopping", f"scree resume {method}")
        check_equal(summary(method)["steps"], 0, "steps")
        check_equal(summary(method)["status"], "interrupted", "status")
    scree("resume", "ags", "-q")
    scree("run", "heap.json", "-o", "whole", "-q", "--set", "solver.method=ags")
    check_equal(summary("ags")["state_hash"], summary("whole")["state_hash"], "state hash")


def grains_without_end_can_be_interrupted():
    scene = write("rain.json", emitters=[{"region": BOX, "radius": 2e-3, "rate": 1e6}], sinks=[{"region": BOX, "start": 0.9}])
    said = interrupt(["run", scene, "-o", "rain"], 3.0, "emitting")
    check_says(said, "scree resume rain")


def pictures_and_exports_are_left_without_a_trace():
    scree("run", PILE, "-o", "run", "--until", 0.2, "-q")
    before = sorted(glob.glob("**", recursive=True))
    large = ["--size", "3000x2000", "--samples", "256"]
    interrupt(["render", "run", "-o", "a.png", *large], 1.0, "rendering")
    interrupt(["render", "run", "--frames", "all", "-o", "many", *large], 1.0, "rendering many")
    left = set(glob.glob("**", recursive=True)) - set(before)
    check(all(name.startswith("many") for name in left), f"left over: {left}")
    grown = [["export", "run", "--to", "csv", "-o", "a.csv"], ["report", "run", "-o", "a.html"]]
    for arguments in grown:  # done in a moment: interrupted or not, there is a whole file or none
        process = subprocess.Popen([SCREE, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        check(process.wait(TIMEOUT) in (DONE, INTERRUPTED, -signal.SIGINT), f"{arguments}: {process.returncode}")
    check_equal(glob.glob("**/*.tmp", recursive=True), [], "temporary files")


run_tests([a_scene_that_is_being_built_is_left_at_once, a_long_step_is_given_up_and_resumed_to_the_same_bits,
           grains_without_end_can_be_interrupted, pictures_and_exports_are_left_without_a_trace])
