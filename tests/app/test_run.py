#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""scree run: what it writes, what it says, and what it refuses."""
from command import *

ALL_FILES = ["checkpoint.h5", "probes.csv", "scene.json", "scree-run.txt", "summary.json", "trajectory.h5",
             "trajectory.xdmf"]


def a_run_directory_is_complete():
    process = scree("run", PILE, "-o", "out", "--until", 0.4)
    check_equal(sorted(os.listdir("out")), ALL_FILES, "files")
    figures = summary("out")
    check_equal(figures["status"], "done", "status")
    check_equal(figures["steps"], 400, "steps")
    check_equal(figures["frames"], 21, "frames: one at the start, then every 0.02 s until 0.4 s")
    check_equal(len(frames("out")), 21, "frames in the file")
    check_equal(read("out", "probes.csv").count(b"\n"), 1 + 81, "a line of names, and a row every 0.005 s")
    header = read("out", "probes.csv").split(b"\n")[0].decode().split(",")
    check_equal(header[:2], ["time [s]", "energy.kinetic [J]"], "names of columns")
    check_equal(len(figures["state_hash"]), 16, "digits of the hash")
    for key in ["energy", "momentum", "penetration", "cone_violation", "residual", "seconds", "versions", "threads"]:
        check(key in figures, f"{key} is missing in summary.json")
    check_says(process.stdout, figures["state_hash"], "energy", "momentum", "penetration", "cone violation", "residual",
               "400 steps", "trajectory.h5", "21 frames")


def thread_count_changes_no_bit():
    for threads in (1, 2, 3):
        scree("run", PILE, "-o", f"j{threads}", "-j", threads, "--until", 0.1, "-q")
    check_same_run("j1", "j2")
    check_same_run("j1", "j3")


def checkpoints_change_no_bit():
    scree("run", PILE, "-o", "often", "--until", 0.1, "--set", "output.checkpoint_minutes=1e-9", "-q")
    scree("run", PILE, "-o", "never", "--until", 0.1, "--set", "output.checkpoint_minutes=60", "-q")
    check_same_run("often", "never")


def the_scene_as_run_gives_the_same_run():
    scree("run", PILE, "-o", "first", "--until", 0.05, "--set", "parameters.grains=50", "-q")
    check_equal(summary("first")["bodies"] - summary("first")["emitted"]["count"], 54, "bodies with 50 grains")
    scree("run", "first/scene.json", "-o", "second", "--until", 0.05, "-q")
    check_same_run("first", "second")


def the_directory_is_named_after_the_scene():
    shutil.copy(PILE, "heap.json")
    scree("run", "heap.json", "--until", 0.005, "-q")
    check_equal(sorted(os.listdir("runs/heap")), ALL_FILES, "files")


def a_run_is_not_replaced_by_accident():
    scree("run", PILE, "-o", "out", "--until", 0.01, "-q")
    before = read("out", "checkpoint.h5")
    process = scree("run", PILE, "-o", "out", "--until", 0.02, "-q", code=BAD_INPUT)
    check_says(process.stderr, "out holds a run already", "--force", "scree resume out")
    check(read("out", "checkpoint.h5") == before, "the checkpoint was touched")
    with open("out/mine.txt", "w") as file:
        file.write("keep me")
    scree("run", PILE, "-o", "out", "--until", 0.02, "--force", "-q")
    check_equal(summary("out")["steps"], 20, "steps of the new run")
    check_equal(read("out", "mine.txt"), b"keep me", "a file that is not ours")


def the_scene_itself_is_never_replaced():
    shutil.copy(PILE, "scene.json")
    before = read(".", "scene.json")
    process = scree("run", "scene.json", "-o", ".", "--force", code=BAD_INPUT)
    check_says(process.stderr, "would be replaced")
    check(read(".", "scene.json") == before, "the scene was touched")


def a_bad_scene_leaves_nothing_behind():
    with open("bad.json", "w") as file:
        file.write('{"time": {"end": 1},\n "materials": {"a": {"frction": 1}}}')
    process = scree("run", "bad.json", "-o", "out", code=BAD_INPUT)
    check_says(process.stderr, "scree: bad.json:2:", "frction", "friction")
    process = scree("run", "missing.json", "-o", "out", code=BAD_INPUT)
    check_says(process.stderr, "scree: ", "missing.json")
    scree("run", PILE, "-o", "out", "--set", "no.such.key=1", code=BAD_INPUT)
    scree("run", PILE, "-o", "out", "--set", "nothing", code=BAD_INPUT)
    check_equal(os.listdir("."), ["bad.json"], "files")


def an_unwritable_directory_is_a_sentence():
    for directory in ("/proc/scree/run", PILE + "/run"):
        process = scree("run", PILE, "-o", directory, code=BAD_INPUT)
        check_says(process.stderr, "scree: ", "cannot make this directory")
        check("Traceback" not in process.stderr and process.stderr.count("\n") <= 2, process.stderr)


def quiet_is_silent_and_a_pipe_gets_no_bar():
    process = scree("run", PILE, "-o", "out", "--until", 0.01, "--quiet")
    check_equal(process.stdout + process.stderr, "", "what --quiet prints")
    process = scree("run", PILE, "-o", "out", "--until", 0.01, "--force")
    check("\r" not in process.stderr and "\033" not in process.stderr, "a bar in a pipe: " + repr(process.stderr))


def a_reader_that_goes_away_does_not_stop_the_run():
    closed, pipe = os.pipe()
    os.close(closed)
    scree_process = subprocess.Popen([SCREE, "run", PILE, "-o", "out", "--until", "0.05"], stdout=pipe, stderr=pipe)
    os.close(pipe)
    check_equal(scree_process.wait(TIMEOUT), DONE, "exit code")
    check_equal(summary("out")["status"], "done", "status")


def frames_and_probes_can_be_left_out():
    with open("bare.json", "w") as file:
        file.write('{"time": {"end": 0.01}, "output": {"frame_interval": 0},'
                   ' "bodies": [{"shapes": [{"sphere": {"radius": 1}}]}]}')
    scree("run", "bare.json", "-o", "out")
    check_equal(sorted(os.listdir("out")), ["checkpoint.h5", "scene.json", "scree-run.txt", "summary.json"], "files")
    scree("resume", "out", "--until", 0.02)
    check_equal(summary("out")["steps"], 20, "steps")


def functions_of_time_mixes_and_rotations_run_and_resume():
    """With the file of a motion gone: its numbers are in the scene as run."""
    os.mkdir("made")
    scenes = os.path.join(os.path.dirname(SCENES), "..", "io", "scenes")
    for name in ("mixed.json", "drive.csv"):
        shutil.copy(os.path.join(scenes, name), "made")
    scree("run", "made/mixed.json", "-o", "whole", "-q", "-j", 1)
    scree("run", "made/mixed.json", "-o", "parts", "-q", "-j", 2, "--until", 0.043)
    scree("run", "made/mixed.json", "-o", "without", "-q", "--set", "output.rotations=false")
    shutil.rmtree("made")
    scree("resume", "parts", "--until", 0.1, "-q")
    check_same_run("whole", "parts")
    check_equal(summary("whole")["state_hash"], summary("without")["state_hash"], "the state, whatever frames hold")
    check(frames("whole") != frames("without"), "frames with and without rotations are the same")
    scree("run", "whole/scene.json", "-o", "again", "-q")
    check_same_run("whole", "again")


run_tests([a_run_directory_is_complete, thread_count_changes_no_bit, checkpoints_change_no_bit,
           the_scene_as_run_gives_the_same_run, the_directory_is_named_after_the_scene,
           a_run_is_not_replaced_by_accident, the_scene_itself_is_never_replaced, a_bad_scene_leaves_nothing_behind,
           an_unwritable_directory_is_a_sentence, quiet_is_silent_and_a_pipe_gets_no_bar,
           a_reader_that_goes_away_does_not_stop_the_run, frames_and_probes_can_be_left_out,
           functions_of_time_mixes_and_rotations_run_and_resume])
