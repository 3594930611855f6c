#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What can go wrong while a run is under way: nothing is lost but the time since the last checkpoint."""
import resource

from command import *


def limits(**wanted):
    """For preexec_fn: RLIMIT_FSIZE=... and the like, in the child only."""
    def apply():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        for name, value in wanted.items():
            resource.setrlimit(getattr(resource, "RLIMIT_" + name), (value, value))
    return apply


def a_diverging_run_saves_its_last_good_state():
    scene = os.path.join(SCENES, "falling_up.json")
    process = scree("run", scene, "-o", "out", code=FAILED)
    check_says(process.stderr, "scree: step ", "body 'stone'", "is saved in out")
    figures = summary("out")
    check_equal(figures["status"], "failed", "status")
    check_says(process.stderr, figures["reason"])
    check(0.3 < figures["time"] < 0.5, f"exp(20 t)/20 reaches 100 m/s at t = 0.38 s, stopped at {figures['time']} s")
    check(figures["max_speed"] <= 100.0, "the state that was saved is not a good one")
    check_equal(float(frames("out")[-1].split()[0]), figures["time"], "time of the last frame")
    # What failed once fails again, at the same step and in the same words.
    again = scree("resume", "out", code=FAILED)
    check_says(again.stderr, figures["reason"])
    check_equal(summary("out")["state_hash"], figures["state_hash"], "state hash")
    check_says(scree("info", "out").stdout, "failed", figures["reason"])


def a_limit_on_file_size_stops_the_run_and_resume_goes_on():
    scree("run", PILE, "-o", "whole", "--until", 0.4, "-q")
    for kilobytes in (20, 60, 130, 200):
        out = f"out{kilobytes}"
        process = subprocess.run([SCREE, "run", PILE, "-o", out, "--until", "0.4"], preexec_fn=limits(FSIZE=kilobytes * 1000),
                                 stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, timeout=TIMEOUT)
        check_says(process.stderr, "scree: ", "File too large")
        check_equal(process.returncode, FAILED, "exit code")
        if not os.path.exists(out):  # not even the first checkpoint could be written: nothing is left behind
            continue
        check_says(process.stderr, f"scree resume {out}")
        frames(out)
        scree("resume", out, "-q")
        check_same_run("whole", out)


def a_full_disk_stops_the_run_and_resume_goes_on():
    os.mkdir("disk")
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=600k", "tmpfs", "disk"], stderr=subprocess.DEVNULL)
    if mounted.returncode != 0:
        print("        (no right to mount a small disk: only the limit on file size is tested)")
        return
    try:
        scree("run", PILE, "-o", "whole", "--until", 0.6, "-q")
        process = scree("run", PILE, "-o", "disk/out", "--until", 0.6, code=FAILED)
        check_says(process.stderr, "scree: disk/out/", "No space left on device", "scree resume disk/out")
        check_says(scree("resume", "disk/out", code=FAILED).stderr, "No space left on device")
        subprocess.run(["mount", "-o", "remount,size=20m", "disk"], check=True)
        scree("resume", "disk/out", "-q")
        check_same_run("whole", "disk/out")
    finally:
        subprocess.run(["umount", "disk"], check=False)


def without_memory_the_state_is_saved():
    if sanitized():
        return  # a sanitizer takes more address space than any limit that would test something
    rain = os.path.join(SCENES, "rain.json")
    scree("run", rain, "-o", "whole", "-j", 1, "-q")
    saved = 0
    for megabytes in range(60, 400, 6):
        process = subprocess.run([SCREE, "run", rain, "-o", "out", "-j", "1"], preexec_fn=limits(AS=megabytes << 20),
                                 stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, timeout=TIMEOUT)
        if not os.path.exists("out"):
            continue  # too little even to begin, or to load the program
        check_equal(process.returncode, FAILED, "exit code: " + process.stderr)
        check_says(process.stderr, "memory")
        scree("resume", "out", "-j", 1, "-q")
        check_equal(summary("out")["state_hash"], summary("whole")["state_hash"], "state hash")
        check_equal(frames("out"), frames("whole"), "frames")
        shutil.rmtree("out")
        saved += 1
        if saved == 3:
            break
    check_equal(saved, 3, "runs that ran out of memory on their way")


def a_damaged_trajectory_is_a_sentence():
    scree("run", PILE, "-o", "out", "--until", 0.05, "-q")
    whole = read("out", "trajectory.h5")
    for damaged in (whole[:1000], b"", b"text\n" * 1000):
        with open("out/trajectory.h5", "wb") as file:
            file.write(damaged)
        process = scree("resume", "out", "--until", 0.1, code=BAD_INPUT)
        check_says(process.stderr, "scree: out/trajectory.h5")


run_tests([a_diverging_run_saves_its_last_good_state, a_limit_on_file_size_stops_the_run_and_resume_goes_on,
           a_full_disk_stops_the_run_and_resume_goes_on, without_memory_the_state_is_saved,
           a_damaged_trajectory_is_a_sentence])
