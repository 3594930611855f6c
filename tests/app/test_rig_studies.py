#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Sweeps over rigs: one soil from several loads and from several plates."""
import math

from command import *
from rig_scenes import *
from studies import rows


def write_study(**words):
    pathlib.Path("study.json").write_text(json.dumps({"scene": "scene.json", **words}))


def soil(directory):
    return {row["figure"]: float(row["value"]) for row in rows(f"{directory}/soil.csv")}


def blocks_under_three_loads_have_no_cohesion_and_their_angle():
    block = {"box": {"size": [0.1, 0.1, 0.05]}, "material": "stone"}
    write_scene({"kind": "direct_shear", "material": "smooth", "size": [0.1, 0.1, 0.1], "normal_stress": 1e4, "speed": 0.01,
                 "travel": 0.002}, materials={"stone": STONE, "smooth": {"density": 2600, "friction": 0}},
                pairs=[{"materials": ["stone", "smooth"], "friction": 0}],
                bodies=[{"name": "lower", "position": [0, 0, -0.025], "shapes": [block]},
                        {"name": "upper", "position": [0, 0, 0.025], "shapes": [block]}])
    write_study(vary={"rig.normal_stress": [5e3, 1e4, 4e4]}, collect=["rig.residual_strength"], soil="mohr_coulomb")
    scree("sweep", "study.json", "-o", "out", "-q")
    found = soil("out")
    check_near(found["friction angle"], math.degrees(math.atan(MU)), 1e-3, "friction angle")
    check(abs(found["cohesion"]) < 10, f"cohesion of dry blocks is {found['cohesion']} Pa")
    check_near(found["peak friction angle"], math.degrees(math.atan(MU)), 1e-2, "peak friction angle")
    scree("sweep", "study.json", "-o", "out", "-q")
    check_equal(soil("out"), found, "the same study again")


def plates_on_a_bed_of_springs_have_k_over_their_widths():
    """Boxes of 20 mm on springs, which a plate of b = 20 mm presses one row of, one of 60 mm three: k is the same."""
    stiffness, bodies, joints, springs = 4000, [], [], []
    for i in range(9):
        at = [0.02 * (i % 3 - 1), 0.02 * (i // 3 - 1), 0.05]
        bodies.append({"name": f"b{i}", "position": at, "mass": 0.01, "shapes": [{"box": {"size": [0.018, 0.018, 0.02]}}]})
        joints.append({"name": f"b{i}", "kind": "prismatic", "bodies": ["ground", f"b{i}"], "at": at, "axis": [0, 0, 1]})
        springs.append({"name": f"b{i}", "joint": f"b{i}", "stiffness": stiffness, "damping": 5})
    write_scene({"kind": "pressure_sinkage", "bin": [0.2, 0.2, 0.08], "plate": [0.06, 0.02], "speed": 0.02, "depth": 0.01,
                 "touch_pressure": 10}, bodies=bodies, joints=joints, springs=springs)
    write_study(vary={"rig.plate[1]": [0.02, 0.06]}, collect=["rig.bekker_k"], soil="bekker")
    scree("sweep", "study.json", "-o", "plates", "-q")
    found, modulus = soil("plates"), stiffness / 0.02**2
    check_near(found["n"], 1, 0.02, "Bekker's exponent")
    # k = k_c / b + k_phi: the springs know nothing of b
    check_near(found["k_phi"] + found["k_c"] / 0.02, found["k_phi"] + found["k_c"] / 0.06, 0.01, "k of both plates")
    check_near(found["k_phi"] + found["k_c"] / 0.06, modulus * 0.01 ** (1 - found["n"]), 0.1, "k")


def a_soil_of_something_else_is_refused():
    write_scene({"kind": "pressure_sinkage", "bin": [0.2, 0.2, 0.08], "plate": [0.06, 0.02], "speed": 0.2, "depth": 0.001,
                 "touch_pressure": 10}, bodies=[{"name": "block", "position": [0, 0, 0.05], "shapes": [{"box": {"size": [0.05, 0.05, 0.05]}}]}])
    write_study(seeds=1, collect=["rig.bekker_k"], soil="mohr_coulomb")
    check_says(scree("sweep", "study.json", "-o", "other", "-q", code=FAILED).stderr, "direct_shear")
    write_study(seeds=1, collect=["rig.bekker_k"], soil="mohr")
    check_says(refused("sweep", "study.json", "-o", "other"), "study.json:1:", "mohr_coulomb")


run_tests([blocks_under_three_loads_have_no_cohesion_and_their_angle, plates_on_a_bed_of_springs_have_k_over_their_widths,
           a_soil_of_something_else_is_refused])
