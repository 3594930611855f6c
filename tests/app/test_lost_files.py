#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Somebody removes, moves or replaces files under a run that goes on: it notices, stops, and saves the state."""
from command import *


def start(directory="out"):
    """A run that would not end by itself, and has done some steps."""
    write_ball(time={"step": 0.001, "end": 1e6}, output={"frame_interval": 0.05, "probe_interval": 0.001})
    process = subprocess.Popen([SCREE, "run", "ball.json", "-o", directory, "-j", "1"], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    end = time.monotonic() + 60
    while not os.path.exists(f"{directory}/scene.json") or os.path.getsize(f"{directory}/probes.csv") < 2000:
        check(time.monotonic() < end and process.poll() is None, "the run does not go on")
        time.sleep(0.01)
    return process


def said(process):
    """It stops by itself, soon, as a run that failed."""
    _, text = process.communicate(timeout=30)
    check_equal(process.returncode, FAILED, f"exit code: {text}")
    return text


def check_saved(directory, whole_at="whole"):
    figures = summary(directory)
    check_equal(figures["status"], "failed", "status")
    check(figures["steps"] > 0, "the state is that of the start")
    scree("run", "ball.json", "-o", whole_at, "-q", "--until", figures["time"] + 0.01)
    scree("resume", directory, "-q", "--until", figures["time"] + 0.01, "--force")
    check_equal(summary(directory)["state_hash"], summary(whole_at)["state_hash"], "state hash")


def a_file_that_grows_is_missed():
    for name in ("trajectory.h5", "probes.csv"):
        process = start(name)
        os.remove(f"{name}/{name}")
        check_says(said(process), f"{name}/{name} was removed or replaced", f"is saved in {name}")
        check_says(refused("resume", name), f"has lost its {name}", "--force")
        check_saved(name, "whole-" + name)
        check(os.path.exists(f"{name}/{name}"), "no new file was begun")


def a_file_that_is_replaced_is_not_written_to():
    process = start()
    write("mine", "x" * 100000)
    os.rename("mine", "out/probes.csv")
    check_says(said(process), "out/probes.csv was removed or replaced")
    check_equal(read("out", "probes.csv"), b"x" * 100000, "somebody else's file")
    check_says(refused("resume", "out", "--force"), "out/probes.csv")


def a_directory_that_is_removed_is_missed():
    process = start()
    shutil.rmtree("out")
    check_says(said(process), "out was removed while the run went on", "is saved in out", "--force")
    check_equal(sorted(os.listdir("out")), ["checkpoint.h5", "scene.json", "scree-run.txt", "summary.json"], "files")
    check_saved("out")


def a_directory_that_is_moved_is_found():
    process = start()
    os.rename("out", "elsewhere")
    place = os.path.abspath("elsewhere")
    check_says(said(process), f"out was moved to {place}", f"is saved in {place}")
    check(not os.path.exists("out"), "the old place came back")
    steps = summary("elsewhere")["steps"]
    with open("elsewhere/probes.csv") as file:
        check_equal(len(file.readlines()), 1 + 1 + steps, "rows")  # names, the start, and one a step
    scree("resume", "elsewhere", "-q", "--until", summary("elsewhere")["time"] + 0.01)
    scree("run", "ball.json", "-o", "whole", "-q", "--until", summary("elsewhere")["time"])
    check_same_run("whole", "elsewhere")


def another_directory_in_its_place_is_left_alone():
    process = start()
    os.rename("out", "gone")
    os.mkdir("out")
    write("out/summary.json")
    shutil.rmtree("gone")
    text = said(process)
    check_says(text, "another directory has taken the place of out")
    check_equal(os.listdir("out"), ["summary.json"], "files")
    check_equal(read("out", "summary.json").decode(), MINE, "somebody else's file")


def what_can_be_written_again_is():
    write_ball(time={"step": 0.001, "end": 3.0}, output={"frame_interval": 0.5, "checkpoint_minutes": 60})
    process = subprocess.Popen([SCREE, "run", "ball.json", "-o", "out", "-q", "-j", "1"])
    while not os.path.exists("out/scene.json"):
        time.sleep(0.001)
    process.send_signal(signal.SIGSTOP)
    for name in ("scene.json", "scree-run.txt", "summary.json", "checkpoint.h5", "trajectory.xdmf"):
        if os.path.exists(f"out/{name}"):
            os.remove(f"out/{name}")
    process.send_signal(signal.SIGCONT)
    check_equal(process.wait(TIMEOUT), DONE, "exit code")
    scree("run", "ball.json", "-o", "whole", "-q")
    check_equal(sorted(os.listdir("out")), sorted(os.listdir("whole")), "files")
    for name in ("scene.json", "scree-run.txt"):
        check(read("out", name) == read("whole", name), f"{name} differs")
    check_same_run("whole", "out")


run_tests([a_file_that_grows_is_missed, a_file_that_is_replaced_is_not_written_to, a_directory_that_is_removed_is_missed,
           a_directory_that_is_moved_is_found, another_directory_in_its_place_is_left_alone, what_can_be_written_again_is])
