#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A triaxial cell without walls: space repeats itself, and a servo changes its lengths. A lattice of Hertzian spheres
has its closed form, samples go on to the same bits, and what is wrong is said."""
import math

from command import *
from rig_scenes import *

PRESSURE, RADIUS, YOUNG, POISSON, ROW = 2e4, 0.01, 1e7, 0.3, 3


def write_lattice(**more):
    """ROW x ROW x ROW touching spheres that fill the cell: rows without ends."""
    place = lambda k: (2 * k + 1) * RADIUS
    bodies = [{"name": f"ball {i} {j} {k}", "shapes": [{"sphere": {"radius": RADIUS}}],
               "position": [place(i) - ROW * RADIUS, place(j) - ROW * RADIUS, place(k)]}
              for i in range(ROW) for j in range(ROW) for k in range(ROW)]
    write_scene({"kind": "triaxial", "walls": "periodic", "size": [2 * ROW * RADIUS] * 3, "pressure": PRESSURE, "speed": 0.002,
                 "travel": 0.0003, "settle": {"speed": 1e-4, "for": 0.02}}, gravity=[0, 0, 0], bodies=bodies,
                materials={"rubber": {"density": 2600, "friction": 0.5, "young": YOUNG, "poisson": POISSON, "restitution": 0.5}}, **more)


def pitch_under(force):
    """The distance of two spheres that are pressed together, by Hertz."""
    modulus = YOUNG / (2 * (1 - POISSON**2))
    return 2 * RADIUS - (3 * force / (4 * modulus * math.sqrt(RADIUS / 2))) ** (2 / 3)


def solve(function, low, high):
    for _ in range(100):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if function(middle) < 0 else (low, middle)
    return low


def a_lattice_of_spheres_has_the_modulus_of_hertz():
    """Rows touch along the axes only: each carries its own load, and there is no Poisson's ratio."""
    side = solve(lambda s: s - pitch_under(PRESSURE * s * s), RADIUS, 2 * RADIUS)
    axial = lambda strain: solve(lambda p: side * (1 - strain) - pitch_under(p * side * side), 0, 10 * PRESSURE)
    for law, step in (("compliant", 1e-3), ("penalty", 4e-5)):
        write_lattice(contact={"law": law}, time={"step": step, "end": 20})
        rig = measure("-j", 1)
        curve = rig["curve"]
        for k in (0, 10, 25, 49):
            strain, stress = curve["axial_strain"][k], curve["axial_stress"][k]
            check_near(stress, axial(strain), 2e-3, f"{law}: axial stress at a strain of {strain}")
        first, last = curve["axial_strain"][0], curve["axial_strain"][4]
        check_near(rig["young"], (axial(last) - axial(first)) / (last - first), 0.01, f"{law}: Young's modulus")
        check(abs(rig["poisson"]) < 0.05, f"{law}: rows do not push each other: Poisson's ratio {rig['poisson']}")
        for k in range(50):
            for axis in "xy":
                check_near(curve[f"lateral_stress_{axis}"][k], PRESSURE, 1e-3, f"{law}: lateral stress {axis} of bin {k}")
        check(abs(rig["load_error"]) < 1e-4 and rig["load_scatter"] < 1e-3, f"{law}: {rig}")


SAMPLE = {"kind": "triaxial", "walls": "periodic", "size": [0.07, 0.07, 0.07], "pressure": 2e4, "speed": 0.02, "travel": 0.006,
          "settle": {"speed": 0.01, "for": 0.01}}


def write_sample(**more):
    write_scene({**SAMPLE, "soil": {"radius": {"uniform": [0.005, 0.007]}, "pattern": "random", "count": 120}}, gravity=[0, 0, 0],
                materials={"sand": {"density": 2600, "friction": 0.5, "young": 1e8, "poisson": 0.3}}, **more)


def a_sample_of_grains_is_resumed_in_every_phase():
    """Lengths of the cell, their rates and the last stress are state. Momentum is none but rounding."""
    write_sample()
    figures, whole = check_resumes({"close": 1, "compress": 2, "start": 1, "measure": 2})
    check(abs(figures["load_error"]) < 2e-3 and figures["load_scatter"] < 0.02, f"lateral stress is not held: {figures}")
    check(10 < figures["peak_friction_angle"] < 50, f"{figures['peak_friction_angle']} degrees")
    check(all(abs(p) < 1e-12 for p in whole["momentum"]), f"momentum {whole['momentum']}")


def what_is_wrong_with_a_periodic_cell_is_said():
    def said(rig, **more):
        write_scene(rig, **more)
        return refused("check", "scene.json")

    check_says(said({**SAMPLE, "walls": "soft"}), "scene.json:1:", "periodic")
    check_says(said(SAMPLE, periodic={"x": [0, 1]}), "scene.json:1:", "leave out \"periodic\"")
    check_says(said(SAMPLE, contact={"law": "rigid"}), "rigid grains does not give way")
    ball = {"name": "ball", "kind": "fixed", "shapes": [{"sphere": {"radius": 0.01}}]}
    check_says(said(SAMPLE, bodies=[ball]), "where space is stretched nothing is fixed")
    cell = {axis: [0, 1] for axis in "xyz"}
    servo = {"stress": [1e4, 1e4, 1e4]}
    for periodic, words in (({"x": [0, 1], "servo": servo}, "must repeat along x, y and z"),
                            ({**cell, "servo": servo, "shear": {"flow": "x", "gradient": "z", "rate": 1}}, "at once"),
                            ({**cell, "servo": {}}, "stress")):
        pathlib.Path("scene.json").write_text(json.dumps({"time": {"end": 1}, "periodic": periodic}))
        check_says(refused("check", "scene.json"), "scene.json:1:", words)
    pathlib.Path("scene.json").write_text(json.dumps({"time": {"end": 1}, "phases": [{"name": "a", "until": {"stress": 1}}]}))
    check_says(refused("check", "scene.json"), "scene.json:1:", "only a cell has a stress")


def a_cell_that_becomes_too_small_stops_the_run():
    """Two grains never carry the pressure: the cell closes until they would meet their own images."""
    bodies = [{"name": f"b{k}", "position": [0, 0, 0.02 + 0.02 * k], "shapes": [{"sphere": {"radius": 0.005}}]} for k in range(2)]
    write_scene(SAMPLE, gravity=[0, 0, 0], bodies=bodies, materials={"sand": {"density": 2600, "young": 1e8}})
    said = scree("run", "scene.json", "-o", "run", "-q", code=FAILED).stderr
    check_says(said, "scene.json:1:", "must not be shorter")


run_tests([a_lattice_of_spheres_has_the_modulus_of_hertz, a_sample_of_grains_is_resumed_in_every_phase,
           what_is_wrong_with_a_periodic_cell_is_said, a_cell_that_becomes_too_small_stops_the_run])
