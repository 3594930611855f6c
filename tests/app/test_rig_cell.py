#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Triaxial cell and bevameter ring with known answers: a lattice of Hertzian spheres, a ring on a bed of springs."""
import math

from command import *
from rig_scenes import *

PRESSURE, RADIUS, YOUNG, POISSON, ROW = 2e4, 0.01, 1e7, 0.3, 3


def write_lattice(**more):
    """ROW x ROW x ROW touching spheres between walls without friction."""
    rubber = {"density": 2600, "friction": 0.5, "young": YOUNG, "poisson": POISSON, "restitution": 0.5}
    place = lambda k: (2 * k + 1) * RADIUS
    bodies = [{"name": f"ball {i} {j} {k}", "shapes": [{"sphere": {"radius": RADIUS}, "material": "rubber"}],
               "position": [place(i) - ROW * RADIUS, place(j) - ROW * RADIUS, place(k)]}
              for i in range(ROW) for j in range(ROW) for k in range(ROW)]
    write_scene({"kind": "triaxial", "material": "smooth", "size": [2 * ROW * RADIUS] * 3, "pressure": PRESSURE, "speed": 0.002,
                 "travel": 0.0003, "settle": {"speed": 1e-4, "for": 0.02}}, gravity=[0, 0, 0], bodies=bodies,
                materials={"rubber": rubber, "smooth": {**rubber, "friction": 0}},
                pairs=[{"materials": ["rubber", "smooth"], "friction": 0, "restitution": 0.5}], **more)


def flattened(force):
    """How much shorter a row of spheres between two walls is under a force, by Hertz; walls are as soft as spheres."""
    modulus = YOUNG / (2 * (1 - POISSON**2))
    approach = lambda radius: (3 * force / (4 * modulus * math.sqrt(radius))) ** (2 / 3)
    return (ROW - 1) * approach(RADIUS / 2) + 2 * approach(RADIUS)


def solve(function, low, high):
    for _ in range(100):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if function(middle) < 0 else (low, middle)
    return low


def a_lattice_of_spheres_has_the_modulus_of_hertz():
    """Without friction at the walls, and with rows that touch along the axes only, each row carries its own load."""
    length = 2 * ROW * RADIUS
    # the confined side: each sphere has the face (side / ROW)^2
    side = solve(lambda s: s - length + flattened(PRESSURE * (s / ROW) ** 2), 0.5 * length, length)
    face = (side / ROW) ** 2
    axial = lambda strain: solve(lambda p: flattened(p * face) - length + side * (1 - strain), 0, 10 * PRESSURE)
    for law, step in (("compliant", 1e-3), ("penalty", 4e-5)):
        write_lattice(contact={"law": law}, time={"step": step, "end": 20})
        rig = measure()
        curve = rig["curve"]
        for k in (0, 10, 25, 49):
            strain, stress = curve["axial_strain"][k], curve["axial_stress"][k]
            check_near(stress, axial(strain), 5e-3, f"{law}: axial stress at a strain of {strain}")
        first, last = curve["axial_strain"][0], curve["axial_strain"][4]
        modulus = (axial(last) - axial(first)) / (last - first)
        check_near(rig["young"], modulus, 0.02, f"{law}: Young's modulus")
        check(abs(rig["poisson"]) < 0.05, f"{law}: rows do not push each other: Poisson's ratio {rig['poisson']}")
        for k in range(50):
            for axis in "xy":
                check_near(curve[f"lateral_stress_{axis}"][k], PRESSURE, 0.01, f"{law}: lateral stress {axis} of bin {k}")
        check(abs(rig["load_error"]) < 1e-3 and rig["load_scatter"] < 1e-2, f"{law}: {rig}")
        check_near(rig["peak_friction_angle"], math.degrees(math.asin(rig["peak_deviator"] / (rig["peak_deviator"] + 2 * PRESSURE))),
                   1e-3, "mobilised angle of the largest stress")


def write_sample(**more):
    write_scene({"kind": "triaxial", "size": [0.05, 0.05, 0.05], "pressure": 2e4, "speed": 0.02, "travel": 0.004,
                 "soil": {"radius": 0.006, "count": 48}, "settle": {"speed": 0.01, "for": 0.01}}, gravity=[0, 0, 0],
                materials={"sand": {"density": 2600, "friction": 0.5, "young": 1e8, "poisson": 0.3}}, **more)


def a_sample_of_grains_is_resumed_in_every_phase():
    """A motor that is off while the sample is compressed, and a pressure that follows the cell, are state."""
    write_sample()
    figures, _ = check_resumes({"compress": 1, "start": 1, "measure": 1})
    check(abs(figures["load_error"]) < 0.01, f"lateral stress is {100 * figures['load_error']} % off")
    check(10 < figures["peak_friction_angle"] < 50, f"{figures['peak_friction_angle']} degrees")


RING = {"kind": "bevameter_ring", "bin": [0.3, 0.3, 0.05], "ring": {"inner": 0.05, "outer": 0.1}, "load": 60, "speed": 0.05,
        "travel": 0.03}


def a_ring_on_springs_turns_with_the_torque_of_uniform_pressure():
    """Balls at the centroids of equal areas carry the same load each: torque 2/3 mu W (Ro^3 - Ri^3) / (Ro^2 - Ri^2)."""
    inner, outer, rings, spokes = 0.05, 0.1, 3, 4
    bodies, joints, springs = [], [], []
    edge = [math.sqrt(inner**2 + (outer**2 - inner**2) * k / rings) for k in range(rings + 1)]
    centroid = lambda a, b: 2 / 3 * (b**3 - a**3) / (b**2 - a**2)
    for k in range(rings * spokes):
        r, angle = centroid(edge[k % rings], edge[k % rings + 1]), 2 * math.pi * k / (rings * spokes)
        at = [r * math.cos(angle), r * math.sin(angle), 0.04]
        bodies.append({"name": f"b{k}", "position": at, "mass": 0.02, "shapes": [{"sphere": {"radius": 0.008}}]})
        joints.append({"name": f"b{k}", "kind": "prismatic", "bodies": ["ground", f"b{k}"], "at": at, "axis": [0, 0, 1]})
        springs.append({"name": f"b{k}", "joint": f"b{k}", "stiffness": 5000, "damping": 20})
    write_scene(RING, bodies=bodies, joints=joints, springs=springs)
    rig = measure()
    check_near(rig["torque"], MU * RING["load"] * centroid(inner, outer), 2e-3, "torque")
    check_near(rig["friction_angle"], math.degrees(math.atan(MU)), 2e-3, "friction angle of Janosi's strength")
    check_near(rig["residual_friction_angle"], math.degrees(math.atan(MU)), 2e-3, "residual friction angle")
    check_near(rig["residual_normal_stress"], RING["load"] / (math.pi * (outer**2 - inner**2)), 2e-3, "normal stress")
    check_near(rig["curve"]["displacement"][-1], 0.03 * 49.5 / 50 + 0.5 * 0.05 * 0.05, 0.01, "displacement at the effective radius")
    check(abs(rig["load_error"]) < 1e-3, f"the load is not held: {rig}")
    check_near(rig["final_sinkage"], 0.98 * RING["load"] / (rings * spokes * 5000), 0.05, "sinkage since it touched")


def what_is_wrong_with_a_cell_or_a_ring_is_said():
    def said(rig, **more):
        write_scene(rig, **more)
        return refused("check", "scene.json")

    cell = {"kind": "triaxial", "size": [0.1, 0.1, 0.1], "pressure": 1e4, "speed": 0.01, "travel": 0.01}
    check_says(said({**cell, "travel": 0.1}), "scene.json:1:", "less than the height")
    check_says(said({**cell, "pressure": 0}), "scene.json:1:", "pressure")
    check_says(said({**cell, "size": [0.1, 0.1]}), "scene.json:1:", "three lengths")
    check_says(said({**RING, "ring": {"inner": 0.1, "outer": 0.1}}), "scene.json:1:", "must be less than")
    check_says(said({**RING, "ring": {"inner": 0.1, "outer": 0.2}}), "scene.json:1:", "does not fit into a bin")
    check_says(said({k: v for k, v in RING.items() if k != "ring"}), "scene.json:1:", "ring")
    ball = {"name": "ball", "shapes": [{"sphere": {"radius": 0.1}}]}
    for area, words in (([["ball", "bal"], ["ball", "ball"]], "bal"), ([["ball", "ball"]], "two pairs"), (["ball", "ball"], "two pairs")):
        pathlib.Path("scene.json").write_text(json.dumps({"time": {"end": 1}, "bodies": [ball],
                                                          "loads": [{"body": "ball", "force": [1, 0, 0], "area": area}]}))
        check_says(refused("check", "scene.json"), "scene.json:1:", words)


run_tests([a_lattice_of_spheres_has_the_modulus_of_hertz, a_sample_of_grains_is_resumed_in_every_phase,
           a_ring_on_springs_turns_with_the_torque_of_uniform_pressure, what_is_wrong_with_a_cell_or_a_ring_is_said])
