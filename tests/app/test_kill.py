#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""SIGKILL in a loop: whenever it comes, resume goes on, and the end is that of a run that nobody killed."""
import random

from command import *

KILLS = 24
PARTS = 8  # a process lives for at most this part of the time that the whole run takes


def start(*arguments):
    return subprocess.Popen([SCREE, *arguments, "--quiet"], stderr=subprocess.PIPE, text=True)


def killed_at_random_moments_a_run_ends_in_the_same_bits():
    began = time.monotonic()
    scree("run", PILE, "-o", "whole", "-q")
    life = (time.monotonic() - began) / PARTS
    moments = random.Random(2)
    process, kills = start("run", PILE, "-o", "killed"), 0
    while kills < KILLS:
        time.sleep(moments.uniform(0.0, life))
        if process.poll() is not None:
            break
        process.kill()
        process.wait()
        kills += 1
        if os.path.exists("killed/scene.json"):
            frames("killed")  # earlier frames can be read at any moment
            process = start("resume", "killed")
        else:  # nothing had been begun
            process = start("run", PILE, "-o", "killed", "--force")
    process.wait(TIMEOUT)
    check_equal(process.returncode, DONE, "exit code: " + process.stderr.read())
    check(kills >= PARTS, f"only {kills} kills")
    print(f"killed {kills} times, {summary('killed')['resumes']} resumes in the line of the last checkpoint")
    check_same_run("whole", "killed")


run_tests([killed_at_random_moments_a_run_ends_in_the_same_bits])
