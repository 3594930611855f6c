#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Test rigs with grains: the same strength under both contact laws, the same bits for all threads and after a resume."""
from command import *
from rig_scenes import *


def threads_and_resumes_do_not_change_the_bits():
    write_grains(size=[0.04, 0.04, 0.04], count=60, travel=0.001, soon={"settle": {"speed": 0.02, "for": 0.01}, "approach_speed": 0.4})
    figures, whole = measure("-j", 1), summary("run")
    begins = {p["name"]: p["began"] for p in whole["phases"]}
    for name, when in (("load", begins["load"] + 0.01), ("measure", begins["measure"] + 0.02)):
        scree("run", "scene.json", "-o", name, "-q", "-j", 1, "--until", when)
        scree("resume", name, "-q", "-j", 1, "--until", 20)
        check_equal(summary(name)["rig"], figures, f"figures of a run that was stopped in the phase {name}")
        check_equal(summary(name)["state_hash"], whole["state_hash"], f"hash of a run that was stopped in the phase {name}")
    for threads in (1, 2):  # briefly: where cores are shared, two threads wait for each other most of the time
        scree("run", "scene.json", "-o", f"by{threads}", "-q", "-j", threads, "--until", 0.1)
    check_equal(summary("by2")["state_hash"], summary("by1")["state_hash"], "hash of two threads")


def box_and_grains_of_twice_the_size_have_the_same_angle():
    """Lengths x 2 and times x 2 under the same stress and modulus: masses are 8, forces 4 and gravity 1/2 times what they were,
    and every length, speed and angle of the motion is that of the smaller box again."""
    angles = []
    for size in (1, 2):
        write_scene({"kind": "direct_shear", "size": [0.04 * size, 0.04 * size, 0.04 * size], "normal_stress": 5000, "speed": 0.02,
                     "travel": 0.004 * size, "ramp": 0.05 * size, "approach_speed": 0.1, "touch_speed": 0.1,
                     "settle": {"speed": 0.02, "for": 0.01 * size}, "lid_mass": 0.1 * size**3,
                     "soil": {"radius": {"uniform": [0.0045 * size, 0.0055 * size]}, "count": 60}},
                    gravity=[0, 0, -G / size], time={"step": 0.001 * size, "end": 20 * size},
                    materials={"sand": {"density": 2600, "friction": 0.5, "young": 2e6, "poisson": 0.3, "restitution": 0.3}})
        angles.append(measure()["residual_friction_angle"])
    check_near(angles[1], angles[0], 1e-6, "angle of the larger box")


def both_contact_laws_measure_the_same_strength():
    """230 spheres of 10 mm in a box of 60 mm: from bed to bed the angle differs by some five degrees."""
    angles = {"compliant": [], "penalty": []}
    for law, step in (("compliant", 1e-3), ("penalty", 1e-4)):
        for seed in (1, 2, 3):
            write_grains(seed, contact={"law": law}, time={"step": step, "end": 20})
            rig = measure()
            angles[law].append(rig["residual_friction_angle"])
            check(abs(rig["load_error"]) < 0.01, f"{law}: the load is {100 * rig['load_error']} % off")
    means = {law: sum(found) / 3 for law, found in angles.items()}
    check(abs(means["compliant"] - means["penalty"]) < 5, f"angles {angles}")
    check(all(25 < mean < 40 for mean in means.values()), f"angles {angles}")


run_tests([threads_and_resumes_do_not_change_the_bits, box_and_grains_of_twice_the_size_have_the_same_angle,
           both_contact_laws_measure_the_same_strength])
