#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Shapes of every kind from end to end: contacts, check, info, run, resume without the files, render."""
import csv
import math

from command import *

SHAPES = os.path.join(SCENES, "shapes.json")
FILES = ["hills.csv", "stone.txt", "tetrahedron.obj"]


def own_copy():
    """The scene with its files in the present directory, so that they can be lost."""
    for name in ["shapes.json", *FILES]:
        shutil.copy(os.path.join(SCENES, name), ".")
    return "shapes.json"


def rows(text):
    return list(csv.DictReader(text.splitlines()))


def write(name, scene):
    with open(name, "w") as file:
        json.dump({"time": {"end": 1}, **scene}, file)
    return name


def contacts_are_where_geometry_says():
    ball = {"name": "ball", "position": [0.3, 0.1, 0.099], "shapes": [{"sphere": {"radius": 0.1}}]}
    egg = {"position": [1, 0, 0.2], "shapes": [{"ellipsoid": {"semi_axes": [0.3, 0.1, 0.2]}}]}
    mate = {"name": "mate", "position": [0.3, 0.3, 0.0995], "shapes": [{"sphere": {"radius": 0.1}}]}
    scene = write("scene.json", {"bodies": [ball, egg, mate, {"name": "floor", "kind": "fixed", "shapes": [{"plane": {}}]}]})
    process = scree("contacts", scene)
    found = rows(process.stdout)
    check_says(process.stderr, "4 contacts")
    check_equal(process.stdout.splitlines()[0], "a,a_name,b,b_name,x [m],y [m],z [m],nx,ny,nz,gap [m]", "header")
    check_equal([(r["a"], r["a_name"], r["b"], r["b_name"]) for r in found],
                [("1", "ball", "3", "mate"), ("1", "ball", "4", "floor"), ("2", "", "4", "floor"),
                 ("3", "mate", "4", "floor")], "who touches whom, in order")
    distance = math.hypot(0.2, 0.0005)
    expected = [[0.3, 0.2, 0.09925, 0, 0.2 / distance, 0.0005 / distance, distance - 0.2],
                [0.3, 0.1, -0.0005, 0, 0, -1, -0.001], [1, 0, 0, 0, 0, -1, 0], [0.3, 0.3, -0.00025, 0, 0, -1, -0.0005]]
    for row, numbers in zip(found, expected):
        for key, number in zip(list(row)[4:], numbers):
            check(abs(float(row[key]) - number) < 1e-12, f"{key} is {row[key]}, not {number}, in {row}")


def contacts_go_to_a_file_or_nowhere():
    scene = write("scene.json", {"bodies": [{"kind": "fixed", "shapes": [{"plane": {}}]},
                                            {"position": [0, 0, 1.001], "shapes": [{"sphere": {"radius": 1}}]},
                                            {"position": [3, 0, 0.999], "shapes": [{"sphere": {"radius": 1}}]}]})
    process = scree("contacts", scene, "-o", "contacts.csv")
    check_equal(process.stdout, "contacts.csv: 2 contacts\n", "stdout")
    with open("contacts.csv") as file:
        whole = file.read()
    check_equal([(r["a"], r["b"], float(r["nz"])) for r in rows(whole)], [("1", "2", 1.0), ("1", "3", 1.0)],
                "normals from the floor, which comes first, to the balls")
    check_equal(whole, scree("contacts", scene).stdout, "the file and what is printed")
    check_equal(whole, scree("contacts", scene, "-j", 3).stdout, "the same for any number of threads")
    check_equal(len(rows(scree("contacts", scene, "--max-gap", 0).stdout)), 1, "those that touch")
    check_equal(rows(scree("contacts", scene, "--max-gap", -0.002).stdout), [], "those that overlap by 2 mm")
    process = scree("contacts", scene, "--set", "bodies.1.shapes.0.sphere.radius=-1", "-o", "new.csv", code=BAD_INPUT)
    check_says(process.stderr, "scree: ", "radius")
    check_says(scree("contacts", scene, "--max-gap", "wide", code=BAD_INPUT).stderr, "needs a number")
    check_says(scree("contacts", scene, "-o", "no/where.csv", code=BAD_INPUT).stderr, "no/where.csv")
    check_equal(sorted(os.listdir(".")), ["contacts.csv", "scene.json"], "files")


def check_tells_shapes_and_surfaces():
    text = scree("check", SHAPES).stdout
    check_says(text, "21 spheres, 52 ellipsoids, 1 box, 1 capsule, 2 cylinders, 1 cone, 2 hulls, 2 meshes, 1 heightfield, 1 plane",
               "hull: 8 points, 12 triangles, closed, 0.0002", "mesh: 4 points, 4 triangles, closed",
               "mesh: 4 points, 2 triangles, a sheet", "heightfield: 12 points, 12 triangles, solid below")


def check_warns_of_thin_walls_with_advice():
    plate = {"name": "plate", "kind": "fixed", "shapes": [{"box": {"size": [1, 1, 0.002]}}]}
    ball = {"position": [0, 0, 3], "shapes": [{"sphere": {"radius": 0.002}}]}
    scene = write("scene.json", {"bodies": [plate, ball]})
    text = scree("check", scene).stdout
    check_says(text, "warning    body 'plate' is 2 mm thick, and a grain of 2 mm radius may meet it at 7.68 m/s (falling 3 m), "
               "7.68 mm in a step: it might end up on the other side. Steps of at most 391 us are safe, or a thickness of 11.4 mm")
    check("warning" not in scree("check", scene, "--set", "time.step=0.00039").stdout, "a safe step is safe")
    check("warning" not in scree("check", scene, "--set", "bodies.0.shapes.0.box.size.2=0.0114").stdout, "a safe wall is safe")


def info_describes_meshes():
    text = scree("info", os.path.join(SCENES, "tetrahedron.obj")).stdout
    check_says(text, "a mesh", "vertices    4", "triangles   4", "yes, a solid of 0.166667 m^3", "(0, 0, 0) m",
               "(1, 1, 1) m", "centre      (0.25, 0.25, 0.25) m")
    with open("sheet.obj", "w") as file:
        file.write("v 0 0 0\nv 3 0 0\nv 0 3 0\nf 1 2 3\n")
    check_says(scree("info", "sheet.obj").stdout, "no, a sheet", "centre      (1, 1, 0) m")
    with open("broken.obj", "w") as file:
        file.write("v 0 0 0\nf 1 2 3\n")
    check_says(scree("info", "broken.obj", code=BAD_INPUT).stderr, "scree: broken.obj:2: ")


def a_run_resumes_without_its_files():
    scene = own_copy()
    scree("run", scene, "-o", "whole", "--until", 0.06, "-q")
    scree("run", scene, "-o", "parts", "--until", 0.03, "-q")
    for name in FILES:
        os.remove(name)
    with open("parts/scene.json") as file:
        as_run = json.load(file)
    check(as_run["bodies"][1]["shapes"][0]["heightfield"]["file"] == os.path.abspath("hills.csv"), "the path is kept")
    scree("resume", "parts", "--until", 0.06, "-q")
    check_same_run("whole", "parts")
    check_says(scree("run", scene, "-o", "again", code=BAD_INPUT).stderr, "shapes.json:", "hills.csv")
    check(not os.path.exists("again"), "nothing is written")
    check_says(scree("info", "parts/trajectory.h5").stdout, "other shapes")


def a_wrong_file_is_named_with_its_line():
    scene = own_copy()
    with open("hills.csv", "a") as file:
        file.write("1, 2, 3\n")
    said = scree("check", scene, code=BAD_INPUT).stderr
    check_says(said, "shapes.json:", "hills.csv:5:8: expected 4 numbers, found 3")
    check_says(scree("run", scene, "-o", "out", code=BAD_INPUT).stderr, "hills.csv:5:8")
    check(not os.path.exists("out"), "nothing is written")


def threads_change_no_bit():
    for threads in (1, 2, 3):
        scree("run", SHAPES, "-o", f"out{threads}", "--until", 0.05, "-q", "-j", threads)
    check_same_run("out1", "out2")
    check_same_run("out1", "out3")


def a_picture_shows_them():
    scree("run", SHAPES, "-o", "out", "--until", 0.01, "-q")
    scree("render", "out", "-o", "picture.png", "--size", "160x100", "--samples", 1)
    check(read(".", "picture.png").startswith(b"\x89PNG"), "a picture")


run_tests([contacts_are_where_geometry_says, contacts_go_to_a_file_or_nowhere, check_tells_shapes_and_surfaces,
           check_warns_of_thin_walls_with_advice, info_describes_meshes, a_run_resumes_without_its_files,
           a_wrong_file_is_named_with_its_line, threads_change_no_bit, a_picture_shows_them])
