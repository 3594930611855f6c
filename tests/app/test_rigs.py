#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Test rigs with known answers: a block's friction, a bed of springs, a wheel on a rigid floor; phases; refusals."""
import csv
import json
import math
import pathlib

from command import *
from rig_scenes import *

SHEAR = {"kind": "direct_shear", "material": "smooth", "size": [0.1, 0.1, 0.1], "normal_stress": 1e4, "speed": 0.01,
         "travel": 0.005}


def write_blocks(**changes):
    """A block in each half of the box, between walls and a lid without friction."""
    block = {"box": {"size": [0.1, 0.1, 0.05]}, "material": "stone"}
    write_scene({**SHEAR, **changes}, materials={"stone": STONE, "smooth": {"density": 2600, "friction": 0}},
                pairs=[{"materials": ["stone", "smooth"], "friction": 0}],
                bodies=[{"name": "lower", "position": [0, 0, -0.025], "shapes": [block]},
                        {"name": "upper", "position": [0, 0, 0.025], "shapes": [block]}])


def a_block_in_the_shear_box_slides_at_its_angle_of_friction():
    write_blocks()
    rig = measure()
    angle = math.degrees(math.atan(MU))
    check_near(rig["residual_friction_angle"], angle, 1e-3, "residual angle")
    check_near(rig["peak_friction_angle"], angle, 1e-2, "peak angle")
    # the lid's load and the weight of the upper block
    normal = 1e4 + 2600 * 0.05 * G
    check_near(rig["residual_normal_stress"], normal, 1e-3, "normal stress")
    check_near(rig["residual_strength"], MU * normal, 1e-3, "strength")
    check(abs(rig["load_error"]) < 1e-3 and rig["load_scatter"] < 0.01, f"the load is not held: {rig}")
    check(abs(rig["dilation"]) < 1e-4, f"a block does not dilate by {rig['dilation']} m")


def the_phases_are_columns_and_come_one_after_the_other():
    write_blocks()
    measure()
    with open("run/probes.csv") as file:
        rows = list(csv.DictReader(file))
    phases = [int(float(row["rig.phase"])) for row in rows]
    check(phases == sorted(phases) and set(phases) == set(range(6)), f"phases {sorted(set(phases))}")
    moved = [float(row["rig.displacement [m]"]) for row in rows]
    check(all(x == 0 for x, phase in zip(moved, phases) if phase < 4), "the box moved before the measurement")
    check_near(moved[-1], 0.005 + 0.5 * 0.05 * 0.01, 1e-6, "travel, and what the ramp adds")
    listed = summary("run")["phases"]
    check_equal([p["name"] for p in listed], ["settle", "approach", "touchdown", "load", "start", "measure"], "phases")
    check(all(p["result"] == "reached" for p in listed), f"{listed}")
    as_run = json.loads(pathlib.Path("run/scene.json").read_text())
    check("rig" not in as_run and len(as_run["phases"]) == 6, "the scene as run lists the parts in place of the rig")
    scree("run", "run/scene.json", "-o", "again", "-q")
    check_equal(summary("again")["state_hash"], summary("run")["state_hash"], "the scene as run is the same scene")


def a_bed_of_springs_has_bekkers_exponent_1():
    count, stiffness, bodies, joints, springs = 3, 4000, [], [], []
    for i in range(count * count):
        at = [0.04 * (i % count - 1), 0.04 * (i // count - 1), 0.05]
        bodies.append({"name": f"b{i}", "position": at, "mass": 0.01, "shapes": [{"box": {"size": [0.03, 0.03, 0.02]}}]})
        joints.append({"name": f"b{i}", "kind": "prismatic", "bodies": ["ground", f"b{i}"], "at": at, "axis": [0, 0, 1]})
        springs.append({"name": f"b{i}", "joint": f"b{i}", "stiffness": stiffness, "damping": 10})
    write_scene({"kind": "pressure_sinkage", "bin": [0.2, 0.2, 0.08], "plate": [0.12, 0.12], "speed": 0.02, "depth": 0.01,
                 "touch_pressure": 10}, bodies=bodies, joints=joints, springs=springs)
    rig = measure()
    modulus = count * count * stiffness / 0.12**2
    check_near(rig["slope"], modulus, 1e-3, "pressure over sinkage")
    check_near(rig["bekker_n"], 1, 0.02, "Bekker's exponent")
    check_near(rig["final_pressure"], modulus * rig["final_sinkage"], 0.02, "pressure at the end")


WHEEL = {"kind": "single_wheel", "bin": [0.8, 0.32, 0.05], "wheel": {"radius": 0.13, "width": 0.16}, "load": 80,
         "spin": 0.3, "slip": 0.3, "duration": 0.5, "start": 0.2}


def a_wheel_on_a_rigid_floor_pulls_with_its_friction():
    load, radius, spin = 80, 0.13, 0.3
    for slip, sign in ((1, 1), (0.3, 1), (-1, -1)):
        write_scene({**WHEEL, "slip": slip}, contact={"friction": "coulomb"})
        rig = measure()
        check_near(rig["drawbar"], sign * MU * load, 2e-3, f"pull at slip {slip}")
        check_near(rig["torque"], sign * MU * load * radius, 2e-3, f"torque at slip {slip}")
        check_near(rig["load"], load, 1e-3, "load")
        check_near(rig["power"], sign * MU * load * radius * spin, 2e-3, "power")
    # v = 2 w R: braking slip (w R) / v - 1; the wheel takes half of the power that pulls it
    check_near(rig["slip"], -0.5, 1e-6, "braking slip")
    check_near(rig["power_number"], -MU / 2, 5e-3, "power number")
    write_scene({**WHEEL, "slip": 0}, contact={"law": "rigid"})
    rig = measure()
    check(abs(rig["drawbar"]) < 1e-3 * load, f"a rolling wheel pulls with {rig['drawbar']} N")
    check(abs(rig["slip"]) < 1e-9, f"slip is {rig['slip']}")


def a_wheel_driven_by_torque_rolls_as_newton_says():
    radius, load, torque, drag = 0.13, 80, 2, 10
    write_scene({"kind": "single_wheel", "bin": [2, 0.32, 0.05], "wheel": {"radius": radius, "width": 0.16}, "load": load,
                 "torque": torque, "drag": drag, "duration": 0.3, "start": 0.1})
    rig = measure()
    part = 0.05 * load  # kg: carriage, hub and wheel have this mass each
    acceleration = (torque / radius - drag) / (3 * part + 0.5 * part)
    check_near(rig["drawbar"], drag + 3 * part * acceleration, 1e-3, "pull")
    check_near(rig["torque"], torque - 0.5 * part * radius * acceleration, 1e-3, "torque on the ground")
    check(abs(rig["slip"]) < 1e-4, f"it slips by {rig['slip']}")


def a_wheel_with_grousers_and_a_cone_are_made_as_said():
    write_scene({**WHEEL, "wheel": {**WHEEL["wheel"], "grousers": {"count": 12, "height": 0.01, "thickness": 0.004}}})
    scree("run", "scene.json", "-o", "run", "-q", "--until", 0.001)
    wheel = next(b for b in json.loads(pathlib.Path("run/scene.json").read_text())["bodies"] if b["name"] == "rig wheel")
    check_equal(len(wheel["shapes"]), 13, "a rim and twelve grousers")
    check_near(wheel["position"][2], 0.05 + 0.14, 1e-12, "it stands on its grousers")
    write_scene({"kind": "cone", "bin": [0.06, 0.06, 0.06], "diameter": 0.02, "speed": 0.05, "depth": 0.02,
                 "soil": {"radius": 0.004, "count": 300}})
    rig = measure()
    check(rig["cone_index"] > 0, f"the soil pulls at the cone: {rig}")
    check_near(rig["final_depth"], 0.02 * 49.5 / 50, 0.01, "depth")


def a_phase_that_waits_in_vain_is_warned_of():
    write_blocks(settle={"speed": 1e-12, "for": 0.5, "at_most": 0.1})
    measure()
    check_says(" ".join(summary("run")["warnings"]), 'phase "settle" ended after 0.1 s')
    scree("run", "scene.json", "-o", "short", "-q", "--until", 0.3)
    check_says(" ".join(summary("short")["warnings"]), "too short for all phases")


def functions_of_time_differ_from_phase_to_phase():
    ball = {"sphere": {"radius": 0.1}}
    moved = {"name": "moved", "kind": "kinematic", "shapes": [ball],
             "motion": {"velocity": [{"phases": {"go": "2*t", "rest": 0.5}}, 0, 0]}}
    scene = {"time": {"step": 0.001, "end": 10}, "gravity": [0, 0, 0], "bodies": [moved],
             "phases": [{"name": "wait", "until": {"time": 0.2}}, {"name": "go", "until": {"travel": {"body": "moved", "distance": 0.25}}},
                        {"name": "rest", "until": {"time": 1}}],
             "probes": [{"name": "moved", "kind": "body_state", "body": "moved"}], "output": {"probe_interval": 0.001}}
    pathlib.Path("scene.json").write_text(json.dumps(scene))
    scree("run", "scene.json", "-o", "run", "-q", "--force")
    begins = [p["began"] for p in summary("run")["phases"]]
    check_near(begins[1], 0.2, 1e-9, "when it goes")
    check_near(begins[2], 0.7, 0.003, "t^2 = 0.25 half a second later")
    with open("run/probes.csv") as file:
        x = float(list(csv.DictReader(file))[-1]["moved.x [m]"])
    check_near(x, 0.25 + 0.5, 0.005, "where it ends")
    check_near(summary("run")["time"], begins[2] + 1, 1e-9, "the run ends with its last phase")


def what_is_wrong_with_a_rig_is_said_where_it_stands():
    def said(rig, **more):
        write_scene(rig, **more)
        return refused("check", "scene.json")

    flat = {"kind": "pressure_sinkage", "bin": [0.2, 0.2, 0.1], "plate": [0.1, 0.1], "speed": 0.01, "depth": 0.01}
    shear = {**SHEAR, "material": "stone"}
    check_says(said({**flat, "kind": "triaxal"}), "scene.json:1:", "direct_shear")
    check_says(said({**flat, "sped": 1}), "scene.json:1:", 'unknown key "sped"', '"speed"')
    check_says(said({**flat, "plate": [0.3, 0.1]}), "scene.json:1:", "do not fit into a bin")
    check_says(said({**flat, "plate": [0.1]}), "scene.json:1:", "two lengths")
    check_says(said({**flat, "depth": -1}), "scene.json:1:", "depth")
    check_says(said({**shear, "normal_stress": 0}), "scene.json:1:", "normal_stress")
    check_says(said({**shear, "travel": 0.09}), "scene.json:1:", "at most half the length")
    check_says(said({**shear, "soil": {"count": 10}}), "scene.json:1:", "radius")
    check_says(said({**shear, "soil": {"radius": 0.01, "cuont": 10}}), "scene.json:1:", 'unknown key "cuont"')
    check_says(said({**shear, "soil": {"radius": 0.06, "count": 10}}), "scene.json:1:", "no grain of radius")
    check_says(said({**WHEEL, "torque": 1}), "scene.json:1:", "but not both")
    check_says(said({**WHEEL, "spin": 10}), "scene.json:1:", "does not stay in a bin")
    check_says(said({k: v for k, v in WHEEL.items() if k != "load"}), "scene.json:1:", "load")
    check_says(said({k: v for k, v in WHEEL.items() if k != "wheel"}), "scene.json:1:", "wheel")
    check_says(said(flat, materials={"a": STONE, "b": STONE}), "scene.json:1:", "material")
    check_says(said(flat, phases=[{"name": "a"}]), "scene.json:1:", "phases of its own")
    check_says(said(flat, gravity=[0, 0, "-9.81*t"]), "scene.json:1:", "t")
    for phases, words in (([{"name": "a", "until": {}}], "must have speed, time, force, travel, clearance or stress"),
                          ([{"name": "a"}, {"name": "a"}], "a"), ([{"until": {"time": 1}}], "name")):
        pathlib.Path("scene.json").write_text(json.dumps({"time": {"end": 1}, "phases": phases}))
        check_says(refused("check", "scene.json"), "scene.json:1:", words)
    load = {"time": {"end": 1}, "gravity": [0, 0, {"phases": {"b": 1}}], "phases": [{"name": "a"}]}
    pathlib.Path("scene.json").write_text(json.dumps(load))
    check_says(refused("check", "scene.json"), "scene.json:1:", 'no phase "b"')


def a_material_that_is_not_there_is_named_where_it_stands():
    """Parts that a rig writes have no place in the file; its keys have."""
    rig = {"kind": "repose", "radius": 0.05, "height": 0.1, "speed": 0.1, "material": "steel", "ground": "sand",
           "soil": {"radius": 0.005, "count": 20, "material": "sand"}}
    for wrong in ({"material": "stel"}, {"ground": "snad"}, {"soil": {**rig["soil"], "material": "sandd"}}):
        scene = {"time": {"end": 1}, "materials": {"sand": {"density": 2600}, "steel": {"density": 7800}}, "rig": {**rig, **wrong}}
        lines = json.dumps(scene, indent=1).split("\n")
        pathlib.Path("scene.json").write_text("\n".join(lines))
        name = next(word for word in ("stel", "snad", "sandd") if word in json.dumps(wrong))
        number = next(k for k, line in enumerate(lines) if f'"{name}"' in line) + 1
        column = lines[number - 1].index(f'"{name}"') + 1
        check_says(refused("check", "scene.json"), f"scene.json:{number}:{column}:", f'no material "{name}"', "did you mean")


run_tests([a_material_that_is_not_there_is_named_where_it_stands, a_block_in_the_shear_box_slides_at_its_angle_of_friction, the_phases_are_columns_and_come_one_after_the_other,
           a_bed_of_springs_has_bekkers_exponent_1,
           a_wheel_on_a_rigid_floor_pulls_with_its_friction, a_wheel_driven_by_torque_rolls_as_newton_says,
           a_wheel_with_grousers_and_a_cone_are_made_as_said,
           a_phase_that_waits_in_vain_is_warned_of, functions_of_time_differ_from_phase_to_phase,
           what_is_wrong_with_a_rig_is_said_where_it_stands])
