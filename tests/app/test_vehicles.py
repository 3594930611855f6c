#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tracked vehicles from their files, end to end: statics, rolling without slip, symmetry, resumed drives, refusals."""
import csv
import json
import math
import pathlib

from command import *
from vehicle_scenes import *

SPIN = 3.0
MASS = 200 + 2 * (61 * 0.34 + 7 * 15 + 5)


def pins_beside_the_idler():
    """Of the left track: one between the road wheels and the idler, one of the upper run."""
    scree("run", "scene.json", "-o", "look", "-q", "--until", 0.001)
    at = [joint["at"] for joint in json.loads(pathlib.Path("look/scene.json").read_text())["joints"]
          if joint["name"].startswith("robot left pin")]
    lowest, highest = min(z for _, _, z in at), max(z for _, _, z in at)
    rising = next(k for k, (x, _, z) in enumerate(at) if x > 0.4 and z > lowest + 0.02)
    upper = next(k for k, (x, _, z) in enumerate(at) if k > rising and x < 0.5 and z > highest - 0.02)
    return rising, upper


def a_standing_robot_presses_with_its_weight_and_its_tensioner_is_balanced():
    write_scene(0.6, None)
    pins = pins_beside_the_idler()
    write_scene(0.6, None, [{"name": f"pin {k}", "kind": "joint_force", "joint": f"robot left pin {k}"} for k in pins] +
                [{"name": "push", "kind": "spring", "spring": "robot left tensioner"}])
    scree("run", "scene.json", "-o", "run", "-q")
    at = {key: mean(values[-20:]) for key, values in columns("run").items()}
    check_near(-at["floor.fz"], MASS * G, 0.002, "weight on the floor")
    # shoes between the two pins, the idler and its carriage are pulled back as much as the spring pushes them
    pull = at[f"pin {pins[1]}.fx"] - at[f"pin {pins[0]}.fx"]
    check_near(pull, -at["push.force"], 0.01, "pull of the two runs")
    check(1500 < -at["push.force"] < 2100, f"the tensioner pushes with {-at['push.force']} N")
    check(abs(at["robot.left_tension"] / at["robot.right_tension"] - 1) < 1e-3, "tensions differ")


def on_flat_ground_the_speed_is_the_sprockets_times_its_radius():
    write_scene(1.4, {"both": {"spin": f"{SPIN}*ramp(t, 0.1, 0.5)", "max_torque": 400}})
    scree("run", "scene.json", "-o", "run", "-q")
    table = summary_of("run")["vehicles"]["robot"]
    rolling = SPIN * TEETH * PITCH / (2 * math.pi)
    check_near(table["speed"], rolling, 0.02, "speed")
    for side in ("left", "right"):
        check(abs(table["tracks"][side]["slip"]) < 0.02, f"{side} slip is {table['tracks'][side]['slip']}")
        check(abs(table["tracks"][side]["sinkage"]) < 0.002, f"{side} sinkage is {table['tracks'][side]['sinkage']}")
    check_near(table["tracks"]["left"]["torque"], table["tracks"]["right"]["torque"], 0.1, "torques")
    with open("run/probes.csv") as file:
        last = list(csv.DictReader(file))[-1]
    check(abs(float(last["robot.roll [degrees]"])) < 0.05, "it leans to one side")
    steps = summary_of("run")["iterations"]["mean"]
    check(steps < 8.1, f"{steps} steps of Newton's method a step: 7.7 from the last impulses, 8.5 from where they tend to")


def a_drive_that_was_interrupted_ends_in_the_same_bits():
    for engagement in ("contact", "constraint"):
        vehicle = json.loads(json.dumps(ROBOT))
        vehicle["sprocket"]["engagement"] = engagement
        write_scene(0.3, {"left": {"spin": 4}, "right": {"torque": 40}}, vehicle=vehicle)
        hashes = hashes_of_drives()
        check(len(set(hashes)) == 1, f"{engagement}: hashes of 1 thread, 2 threads and a resumed run: {hashes}")


def hashes_of_drives():
    hashes = []
    for words in (["-j", 1], ["-j", 2]):
        scree("run", "scene.json", "-o", "run", "-q", "--force", *words)
        hashes.append(summary_of("run")["state_hash"])
    scree("run", "scene.json", "-o", "part", "-q", "--force", "--until", 0.15)
    scree("resume", "part", "-q", "--until", 0.3)
    return hashes + [summary_of("part")["state_hash"]]


def half_a_vehicle_with_arms_and_double_pins_stands():
    vehicle = json.loads(json.dumps(ROBOT))
    vehicle["sides"] = {"left": 0}
    for wheel in vehicle["road_wheels"]:
        x, z = wheel["position"]
        wheel["arm"] = {"pivot": [x + 0.12, z + 0.06], "mass": 2, "stiffness": 4000, "damping": 60, "preload": 30}
    vehicle["chassis"]["shapes"] = [{"box": {"size": [0.6, 0.1, 0.06]}, "position": [0, 0, -0.02]}]
    for kind, more in (("double_pin", {"connector": {"pitch": 0.02, "mass": 0.1}, "count": 46}),
                       ("band", {"bushing": {"stiffness": 1e7, "damping": 100, "rotational_stiffness": 2, "rotational_damping": 0.1}})):
        vehicle["shoes"] = {**ROBOT["shoes"], "kind": kind, **more}
        write_scene(0.4, None, vehicle=vehicle)
        scree("run", "scene.json", "-o", "run", "-q", "--force")
        at = {key: mean(values[-10:]) for key, values in columns("run").items()}
        weight = G * (200 + vehicle["shoes"]["count"] * (0.34 + (0.1 if kind == "double_pin" else 0)) + 7 * 15 + 5 + 10)
        check_near(-at["floor.fz"], weight, 0.15, f"weight of {kind} while it settles")


def what_is_wrong_with_a_vehicle_is_said_where_it_stands():
    def said(change, **scene):
        vehicle = json.loads(json.dumps(ROBOT))
        change(vehicle)
        write_scene(1, None, vehicle=vehicle, **scene)
        return refused("check", "scene.json")

    check_says(said(lambda v: v["shoes"].update(cuont=3)), "robot.json:1:", 'unknown key "cuont"', '"count"')
    check_says(said(lambda v: v["shoes"].update(count=40)), "scene.json:1:", "vehicle 'robot'", "too short")
    check_says(said(lambda v: v.pop("sprocket")), "robot.json:1:1", "sprocket")
    check_says(said(lambda v: v["chassis"].update(material="stele")), "robot.json:1:", 'no material is named "stele"')
    check_says(said(lambda v: v.update(kind="flying")), "robot.json:1:", "tracked")
    check_says(said(lambda v: v["shoes"].pop("count")), "robot.json:1:", "count", "a whole number")
    check_says(said(lambda v: v["sprocket"].pop("teeth")), "robot.json:1:", "teeth", "a whole number")
    check_says(said(lambda v: v["idler"].update(radius=0.005)), "robot.json:1:", "larger than the pads are deep")
    check_says(said(lambda v: v["shoes"]["pin"].update(radius=0.02)), "robot.json:1:", "no room for teeth")
    check_says(said(lambda v: v["sides"].update(left=-1)), "robot.json:1:", "right track")
    check_says(said(lambda v: v["sprocket"].update(engagement="welded")), "robot.json:1:", "contact or constraint")
    long = [{"name": "x" * 30, "file": "robot.json"}]
    check_says(said(lambda v: None, vehicles=long), "scene.json:1:", "at most 24 letters")
    gone = [{"name": "robot", "file": "nowhere.json"}]
    check_says(said(lambda v: None, vehicles=gone), "scene.json:1:", "nowhere.json")
    check_says(said(lambda v: None, vehicles=[{"name": "robot", "file": "robot.json", "engagement": "glue"}]), "scene.json:1:", "contact or constraint")
    both = [{"name": "robot", "file": "robot.json", "drive": {"both": {"spin": 1}, "left": {"spin": 1}}}]
    check_says(said(lambda v: None, vehicles=both), "scene.json:1:", '"both" stands for left and right')


def a_chain_drive_whose_pins_are_in_disorder_is_refused():
    vehicle = json.loads(json.dumps(ROBOT))
    vehicle["sprocket"]["engagement"] = "constraint"
    write_scene(1, None, vehicle=vehicle, half="left")
    scree("run", "scene.json", "-o", "good", "-q", "--until", 0.001)

    def said(change):
        scene = json.loads(pathlib.Path("good/scene.json").read_text())
        change(scene["chain_drives"][0])
        pathlib.Path("changed.json").write_text(json.dumps(scene))
        return refused("check", "changed.json")

    check_says(said(lambda drive: drive["pins"].reverse()), "changed.json:1:", "chain drive 'robot left track'", "as they come to the sprocket")
    check_says(said(lambda drive: drive.update(teeth=17)), "chain drive 'robot left track'", "is not a tooth from")
    check_says(said(lambda drive: drive.update(sprocket="robot left tensioner")), "changed.json:1:", "a revolute joint")
    check_says(said(lambda drive: drive["pins"].append("robot left pim 3")), "changed.json:1:", 'did you mean "robot left pin 3"')
    check_says(said(lambda drive: drive.update(pins=drive["pins"][:2])), "changed.json:1:", "at least three pins")


run_tests([a_standing_robot_presses_with_its_weight_and_its_tensioner_is_balanced,
           on_flat_ground_the_speed_is_the_sprockets_times_its_radius,
           a_drive_that_was_interrupted_ends_in_the_same_bits, half_a_vehicle_with_arms_and_double_pins_stands,
           what_is_wrong_with_a_vehicle_is_said_where_it_stands,
           a_chain_drive_whose_pins_are_in_disorder_is_refused])
