#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""scree resume: a run that was stopped ends as if it had not been."""
from command import *


def start(*arguments):
    return subprocess.Popen([SCREE, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_for(what, seconds=60):
    end = time.monotonic() + seconds
    while not what():
        check(time.monotonic() < end, "nothing happened")
        time.sleep(0.01)


def is_stepping(directory):
    try:
        return summary(directory)["steps"] > 0
    except FileNotFoundError:
        return False


def interrupted_runs_end_in_the_same_bits():
    scree("run", PILE, "-o", "whole", "--until", 0.4, "-q")
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        directory = number.name
        process = start("run", PILE, "-o", directory, "--until", "0.4")
        wait_for(lambda: is_stepping(directory))
        process.send_signal(number)
        _, said = process.communicate(timeout=TIMEOUT)
        check_equal(process.returncode, INTERRUPTED, "exit code")
        check_says(said, f"scree resume {directory}")
        figures = summary(directory)
        check_equal(figures["status"], "interrupted", "status")
        check(0 < figures["steps"] < 400, f"stopped at step {figures['steps']}")
        # A picture of where it stopped: the last frame is of that moment, on schedule or not.
        check(abs(float(frames(directory)[-1].split()[0]) - figures["time"]) < 1e-9, "the last frame is of another time")
        scree("resume", directory, "-j", 1)
        check_equal(summary(directory)["resumes"], 1, "resumes")
        check_same_run("whole", directory)


def contacts_in_frames_are_the_same_bits():
    for law in ("compliant", "penalty"):
        settings = ["-q", "--set", "output.contacts=true", "--set", f"contact.law={law}"]
        if law == "penalty":
            settings += ["--set", "time.step=1e-4", "--set", "materials.sand.young=1e6", "--set", "materials.steel.young=1e6"]
        scree("run", PILE, "-o", law, "--until", 0.15, *settings)
        scree("run", PILE, "-o", law + "-2", "--until", 0.08, *settings, "-j", 1)
        scree("resume", law + "-2", "--until", 0.15, "-j", 2)
        check_same_run(law, law + "-2")


def a_second_interrupt_ends_at_once():
    process = start("run", PILE, "-o", "out", "--until", "1000")
    wait_for(lambda: is_stepping("out"))
    # Stopped, the process takes both signals before it does anything else.
    process.send_signal(signal.SIGSTOP)
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGTERM)
    process.send_signal(signal.SIGCONT)
    process.communicate(timeout=TIMEOUT)
    check_equal(process.returncode, INTERRUPTED, "exit code")
    scree("resume", "out", "--until", summary("out")["time"] + 0.01, "-q")


def a_finished_run_says_so():
    scree("run", PILE, "-o", "out", "--until", 0.05, "-q")
    before = read("out", "summary.json")
    process = scree("resume", "out")
    check_says(process.stdout, "out is finished")
    process = scree("resume", "out", "--until", 0.03)
    check_says(process.stdout, "nothing to do")
    check(read("out", "summary.json") == before, "the summary was written again")


def until_carries_a_finished_run_on():
    # 0.05 s is no multiple of the frame interval: the frame that showed the end must go again.
    scree("run", PILE, "-o", "parts", "--until", 0.05, "-q")
    check_equal(len(frames("parts")), 4, "frames at 0, 0.02, 0.04 and at the end")
    scree("resume", "parts", "--until", 0.1, "-q")
    scree("run", PILE, "-o", "whole", "--until", 0.1, "-q")
    check_same_run("whole", "parts")
    check(read("whole", "scene.json") == read("parts", "scene.json"), "--until changed the scene")
    # The new end is kept: the next resume has nothing to do.
    check_says(scree("resume", "parts").stdout, "finished")


def killed_between_checkpoint_and_summary_it_is_made_whole():
    scree("run", PILE, "-o", "out", "--until", 0.05, "-q")
    text = read("out", "summary.json").decode().replace('"done"', '"running"')
    with open("out/summary.json", "w") as file:
        file.write(text)
    os.remove("out/trajectory.xdmf")
    scree("resume", "out", "-q")
    check_equal(summary("out")["status"], "done", "status")
    check(os.path.exists("out/trajectory.xdmf"), "no trajectory.xdmf")
    check_equal(len(frames("out")), 4, "frames")


def rows_after_the_checkpoint_are_written_again():
    scree("run", PILE, "-o", "out", "--until", 0.05, "-q")
    scree("run", PILE, "-o", "whole", "--until", 0.1, "-q")
    with open("out/probes.csv", "a") as file:
        file.write("0.051,half a ro")
    scree("resume", "out", "--until", 0.1, "-q")
    check_same_run("whole", "out")


def a_table_of_grains_is_not_needed_again():
    with open("grains.csv", "w") as file:
        file.write("x,y,z,r\n0,0,0.1,0.01\n0.05,0,0.1,0.02\n")
    with open("table.json", "w") as file:
        file.write('{"time": {"end": 0.05}, "tables": [{"file": "grains.csv"}],'
                   ' "bodies": [{"kind": "fixed", "shapes": [{"plane": {}}]}]}')
    scree("run", "table.json", "-o", "whole", "-q")
    scree("run", "table.json", "-o", "parts", "--until", 0.02, "-q")
    os.remove("grains.csv")
    scree("resume", "parts", "--until", 0.05, "-q")
    check_equal(summary("parts")["state_hash"], summary("whole")["state_hash"], "state hash")


def a_directory_is_used_by_one_run_at_a_time():
    process = start("run", PILE, "-o", "out", "--until", "1000", "-q")
    wait_for(lambda: is_stepping("out"))
    check_says(scree("resume", "out", code=BAD_INPUT).stderr, "another scree is running there")
    check_says(scree("run", PILE, "-o", "out", "--force", code=BAD_INPUT).stderr, "another scree is running there")
    scree("info", "out")  # looking is allowed
    process.terminate()
    process.communicate(timeout=TIMEOUT)
    check_equal(process.returncode, INTERRUPTED, "exit code")


def what_cannot_be_resumed_is_a_sentence():
    check_says(scree("resume", "nowhere", code=BAD_INPUT).stderr, "scree: nowhere: there is no such directory")
    os.mkdir("empty")
    check_says(scree("resume", "empty", code=BAD_INPUT).stderr, "scree: empty holds no run")
    scree("run", PILE, "-o", "out", "--until", 0.05, "-q")
    whole = read("out", "checkpoint.h5")
    for name, damaged in (("cut", whole[:len(whole) // 2]), ("changed", whole[:-3000] + b"x" + whole[-2999:]),
                          ("empty", b""), ("text", b"This is no checkpoint.\n" * 100)):
        with open("out/checkpoint.h5", "wb") as file:
            file.write(damaged)
        process = scree("resume", "out", "--until", 0.06, code=BAD_INPUT)
        check_says(process.stderr, "scree: out/checkpoint.h5")
        check(process.stderr.count("\n") == 1, f"{name}: more than a sentence: {process.stderr}")
    os.remove("out/checkpoint.h5")
    check_says(scree("resume", "out", code=BAD_INPUT).stderr, "out/checkpoint.h5")


run_tests([interrupted_runs_end_in_the_same_bits, contacts_in_frames_are_the_same_bits, a_second_interrupt_ends_at_once, a_finished_run_says_so,
           until_carries_a_finished_run_on, killed_between_checkpoint_and_summary_it_is_made_whole,
           rows_after_the_checkpoint_are_written_again, a_table_of_grains_is_not_needed_again,
           a_directory_is_used_by_one_run_at_a_time,
           what_cannot_be_resumed_is_a_sentence])
