#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Beds on the command line: a tile settled where space repeats itself, repeated, cut and loaded; what is wrong is said."""
from command import *

SIDE = 0.12
TILE = {"time": {"step": 0.001, "end": 0.4}, "periodic": {"x": [0, SIDE], "y": [0, SIDE]},
        "materials": {"sand": {"friction": 0.5}, "glass": {"density": 2600, "friction": 0.3}},
        "bodies": [{"name": "floor", "kind": "fixed", "shapes": [{"plane": {}, "material": "glass"}]}],
        "fills": [{"region": {"box": {"low": [0, 0, 0], "high": [SIDE, SIDE, 1]}}, "count": 150, "material": "sand",
                   "radius": {"uniform": [0.008, 0.012]}}],
        "probes": [{"name": "e", "kind": "energy"}, {"name": "floor", "kind": "body_force", "body": "floor"}]}


def settle():
    write("tile.json", json.dumps(TILE))
    scree("run", "tile.json", "-o", "settled", "-q")


def run_with(beds, repeats=(1, 1), steps=20, name="loaded", **changes):
    scene = {key: value for key, value in TILE.items() if key != "fills"}
    scene.update({"beds": beds, "time": {"step": 0.001, "end": 0.001 * steps},
                  "periodic": {"x": [0, repeats[0] * SIDE], "y": [0, repeats[1] * SIDE]}, **changes})
    write(name + ".json", json.dumps(scene))
    scree("run", name + ".json", "-o", name, "-q", "--force")
    rows = read(name, "probes.csv").decode().splitlines()
    return [dict(zip(rows[0].split(","), map(float, row.split(",")))) for row in rows[1:]]


def a_bed_is_known_and_described():
    settle()
    said = scree("bed", "settled", "-o", "tile.h5").stdout
    check_says(said, "tile.h5: 150 grains, ")
    time.sleep(1.1)  # the same bytes in another second, too: HDF5 would keep the time of day
    scree("bed", "settled/checkpoint.h5", "-o", "same.h5")
    check_equal(read(".", "tile.h5"), read(".", "same.h5"), "the bed of the checkpoint")
    said = scree("info", "tile.h5", env={**os.environ, "LC_ALL": "C"}).stdout
    check_says(said, "a bed of 150 grains", "sand: 2500 kg/m^3, friction 0.5", "periodic", "x from 0 to 0.12 m", "packing",
               "a grain under load", "to 24 mm in diameter", "d50", "#" * 40)
    check("glass" not in said, "the floor is no part of a bed")


def a_field_of_tiles_rests_as_the_tile():
    settle()
    scree("bed", "settled", "-o", "tile.h5")
    scree("bed", "tile.h5", "--repeat", "3x2x1", "-o", "field.h5")
    tile = run_with([{"file": "tile.h5"}])
    by_command = run_with([{"file": "field.h5"}], (3, 2), name="field")
    by_scene = run_with([{"file": "tile.h5", "repeat": [3, 2, 1]}], (3, 2), name="repeated")
    check_equal(by_command, by_scene, "the field, repeated by the command and by the scene")
    for row in (0, 1, 20):
        for column, tolerance in (("e.kinetic [J]", 0.05), ("floor.fz [N]", 2e-3)):
            one, many = tile[row][column], by_command[row][column]
            check(abs(many - 6 * one) <= tolerance * abs(6 * one), f"{column} in row {row}: 6 times {one} is not {many}")


def a_bed_is_moved_and_made_of_other_stuff():
    settle()
    scree("bed", "settled", "-o", "tile.h5")
    scree("bed", "tile.h5", "--shift", "0,0,-1", "-o", "low.h5")
    light = run_with([{"file": "tile.h5"}])
    heavy = run_with([{"file": "low.h5", "position": [0, 0, 1], "material": "glass"}])
    ratio = heavy[0]["e.potential [J]"] / light[0]["e.potential [J]"]
    check(abs(ratio - 2600 / 2500) < 1e-9, f"weights: {ratio}")


def a_run_with_a_bed_goes_on_without_it():
    settle()
    scree("bed", "settled", "-o", "tile.h5")
    run_with([{"file": "tile.h5"}])
    os.remove("tile.h5")
    scree("resume", "loaded", "--until", 0.03, "-q")
    check_equal(summary("loaded")["status"], "done", "status")


def beds_are_cut_and_merged():
    settle()
    scree("bed", "settled", "-o", "tile.h5")
    scree("bed", "tile.h5", "--cut", "-inf,-inf,-inf:0.06,inf,inf", "-o", "left.h5")
    scree("bed", "tile.h5", "--cut", "0.06,-inf,-inf:inf,inf,inf", "-o", "right.h5")
    count = [int(scree("info", name).stdout.split(" grains")[0].split()[-1]) for name in ("left.h5", "right.h5")]
    check_equal(sum(count), 150, "grains of both parts")
    check_says(scree("bed", "left.h5", "right.h5", "-o", "both.h5").stdout, "both.h5: 150 grains")


def what_is_wrong_is_said():
    settle()
    scree("bed", "settled", "-o", "tile.h5")
    check_says(refused("bed", "tile.h5", "--repeat", "2x2x2", "-o", "x.h5"), "cannot be repeated along z")
    check_says(refused("bed", "tile.h5", "--repeat", "2x2", "-o", "x.h5"), "--repeat needs three")
    check_says(refused("bed", "tile.h5", "--cut", "0,0,0", "-o", "x.h5"), "--cut needs two corners")
    check_says(refused("bed", "tile.h5", "--cut", "5,5,5:6,6,6", "-o", "x.h5"), "there is no grain in it")
    check_says(refused("bed", "tile.h5", "--shift", "0,0,inf", "-o", "x.h5"), "--shift needs three numbers")
    check_says(refused("bed", "tile.h5", "--mirror", "w", "-o", "x.h5"), "--mirror needs x, y or z")
    check_says(refused("bed", "tile.h5", "-o", "tile.h5"), "it is what this command reads")
    check_says(refused("bed", "settled", "--group", "tools", "-o", "x.h5"), 'no group "tools"')
    check_says(refused("bed", "tile.json", "-o", "x.h5"), "tile.json is no bed")
    check_says(refused("info", write("broken.h5", "no bed")), "broken.h5")


run_tests([a_bed_is_known_and_described, a_field_of_tiles_rests_as_the_tile, a_bed_is_moved_and_made_of_other_stuff,
           a_run_with_a_bed_goes_on_without_it, beds_are_cut_and_merged, what_is_wrong_is_said])
