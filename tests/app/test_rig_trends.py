#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What changes with what in the published tests: strength with friction; pull, torque and sinkage of a wheel with slip and load; and
what does not: strength with step and force error, once both are small. Strength alone forgives gross settings; a sample of
stiff grains whose stress has to be held does not.

Minutes of work: `make long` runs it."""
import os
import sys

from command import *
from rig_scenes import *

if "SCREE_LONG" not in os.environ:
    sys.exit(SKIPPED)

WHEEL = os.path.join(os.path.dirname(__file__), "../../scenes/single_wheel/small.json")


def strength_grows_with_friction():
    """Three beds of 230 spheres each; one bed is known to some five degrees, a mean of three to three."""
    means = []
    for friction in (0.05, 0.5):
        angles = []
        for seed in (1, 2, 3):
            write_grains(seed)
            angles.append(measure("--set", f"materials.sand.friction={friction}")["residual_friction_angle"])
        means.append(sum(angles) / 3)
    print(f"        (friction angles {means[0]:.1f} and {means[1]:.1f} degrees)")
    check(means[1] > means[0] + 5, f"angles {means}")


def pull_torque_and_sinkage_grow_with_slip_and_load():
    found = {}
    for slip, load in ((0.1, 20), (0.6, 20), (0.1, 40)):
        scree("run", WHEEL, "-o", "run", "-q", "--force", "--set", f"parameters.slip={slip}", "--set", f"parameters.load={load}")
        found[slip, load] = rig = summary("run")["rig"]
        print(f"        (slip {slip}, {load} N: pull {rig['drawbar']:.2f} N, torque {rig['torque']:.3f} N m, sinkage "
              f"{1000 * rig['sinkage']:.1f} mm)")
        check(abs(rig["load_error"]) < 0.01, f"load {rig['load_error']}")
    def grows(name, less, more):
        a, b = found[less], found[more]
        error = (a["standard_error"][name] ** 2 + b["standard_error"][name] ** 2) ** 0.5
        check(b[name] > a[name] + 2 * error, f"{name} from {a[name]} to {b[name]}, known to {error}")
    for name in ("drawbar", "torque", "sinkage"):
        grows(name, (0.1, 20), (0.6, 20))
    for name in ("torque", "sinkage"):
        grows(name, (0.1, 20), (0.1, 40))


def strength_does_not_depend_on_step_and_force_error():
    """Eight beds each, known to some five degrees: means are known to two, and their differences to three."""
    means = {}
    for step, tolerance in ((1e-3, 1e-3), (2e-3, 1e-3), (5e-4, 1e-3), (1e-3, 1e-2)):
        angles = []
        for seed in range(1, 9):
            write_grains(seed, time={"step": step, "end": 20}, solver={"tolerance": tolerance})
            angles.append(measure()["residual_friction_angle"])
        means[step, tolerance] = sum(angles) / 8
        print(f"        (step {1000 * step} ms, force error {tolerance}: {means[step, tolerance]:.1f} degrees)")
    for setting, mean in means.items():
        check(abs(mean - means[1e-3, 1e-3]) < 3, f"angle {mean} at {setting}, {means[1e-3, 1e-3]} at 1 ms and 1e-3")


def a_stiff_sample_tells_good_settings_from_gross_ones():
    """Two samples each of 250 spheres of 1e9 Pa in a periodic cell. Where steps are too long for their stiffness, or forces are too
    wrong, the servo does not hold the stress, though the angle hardly changes."""
    def run(step, tolerance):
        found = []
        for seed in (1, 2):
            side = 0.091
            write_scene({"kind": "triaxial", "walls": "periodic", "size": [side] * 3, "pressure": 2e4, "speed": 0.1 * side, "travel": 0.15 * side,
                         "settle": {"speed": 0.01, "at_most": 2},
                         "soil": {"radius": {"uniform": [0.004, 0.006]}, "pattern": "random", "count": 250, "height": side}}, seed=seed,
                        gravity=[0, 0, 0], time={"step": step, "end": 20}, solver={"tolerance": tolerance},
                        materials={"sand": {"density": 2600, "friction": 0.5, "young": 1e9, "poisson": 0.3}})
            found.append(measure())
        mean = lambda name: sum(abs(rig[name]) for rig in found) / 2
        angle, error, scatter = mean("critical_friction_angle"), mean("load_error"), mean("load_scatter")
        print(f"        (step {1000 * step} ms, force error {tolerance}: {angle:.1f} degrees, stress {100 * error:.2f} % off, scatter {100 * scatter:.1f} %)")
        return angle, error < 0.01 and scatter < 0.05

    angle, holds = run(1e-3, 1e-3)
    check(holds, "1 ms and 1e-3 do not hold the stress")
    for setting in ((5e-4, 1e-3), (1e-3, 1e-2)):
        other, holds = run(*setting)
        check(holds and abs(other - angle) < 3, f"angle {other} at {setting}, {angle} at 1 ms and 1e-3")
    for gross in ((8e-3, 1e-3), (1e-3, 0.5)):
        check(not run(*gross)[1], f"{gross} are gross settings, and nothing tells")


run_tests([strength_grows_with_friction, a_stiff_sample_tells_good_settings_from_gross_ones, strength_does_not_depend_on_step_and_force_error, pull_torque_and_sinkage_grow_with_slip_and_load])
