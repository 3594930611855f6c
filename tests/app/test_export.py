#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Exports, read back by readers that know nothing of scree: XML and base64, columns of text, and POV-Ray itself."""
import csv
import json
import math
import os
import shutil
import struct
import subprocess
import xml.etree.ElementTree

import png
from command import *
from vtu import arrays

SHAPES = os.path.join(SCENES, "shapes.json")


def run_shapes(*more):
    scree("run", SHAPES, "-o", "run", "--until", 0.03, "-q", *more)


def table():
    scree("export", "run", "--to", "csv", "-o", "run.csv")
    with open("run.csv") as file:
        return list(csv.DictReader(file))


def volume(vtu, body):
    """Of a body's triangles, by the divergence theorem: positive if they face outwards."""
    sum6 = 0.0
    for cell, end in enumerate(vtu["offsets"]):
        if vtu["id"][cell] != body:
            continue
        a, b, c = (vtu["Points"][k] for k in vtu["connectivity"][end - 3:end])
        sum6 += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]))
    return sum6 / 6.0


def vtu_has_times_points_and_solids():
    run_shapes("--set", "output.contacts=true")
    scree("export", "run", "--to", "vtu", "-o", "vtu", "--tessellate", 24)
    listed = xml.etree.ElementTree.parse("vtu/run.pvd").findall("Collection/DataSet")
    written = [line.split() for line in frames("run")]
    spheres = [entry for entry in listed if entry.get("part") == "0"]
    check_equal([float(e.get("timestep")) for e in spheres], [float(line[0]) for line in written], "times")
    rows = table()
    for entry, line in zip(spheres, written):
        found = arrays(os.path.join("vtu", entry.get("file")))
        check_equal(found["TimeValue"], [float(line[0])], "time in the file")
        check_equal(len(found["Points"]), int(line[1]), "spheres")
        now = [row for row in rows if row["time [s]"] == line[0] and row["shape"] == "sphere"]
        check_equal([tuple(struct.unpack("f", struct.pack("f", float(row[c])))[0] for c in ("x [m]", "y [m]", "z [m]")) for row in now],
                    list(found["Points"]), "places in the table")
        check_equal(sorted(set(found["types"])), [1], "cells of spheres")
    solid = arrays("vtu/solids-00000.vtu")
    check_equal(sorted(set(solid["types"])), [5, 12], "kinds of cells")
    first = [row for row in rows if row["frame"] == "0"]
    # Bodies of revolution have 24 segments: their sections are smaller than a circle by this share.
    polygon = 24 / (2 * math.pi) * math.sin(2 * math.pi / 24)
    seen = set()
    for row in first:
        r, _, l = (float(row[f"half_{axis} [m]"]) for axis in "xyz")
        exact = {"cone": math.pi * r * r * 2 * l / 3, "cylinder": math.pi * r * r * 2 * l}.get(row["shape"])
        alone = sum(other["id"] == row["id"] for other in first) == 1
        if exact is not None and alone:
            seen.add(row["shape"])
            check(abs(volume(solid, int(row["id"])) / (polygon * exact) - 1) < 1e-4, f"volume of the {row['shape']}")
        if row["shape"] == "ellipsoid" and alone:
            a, b, c = (float(row[f"half_{axis} [m]"]) for axis in "xyz")
            ratio = volume(solid, int(row["id"])) / (4 / 3 * math.pi * a * b * c)
            seen.add("ellipsoid")
            check(0.95 < ratio < 1, f"volume of an ellipsoid: {ratio} of the exact one")
    check_equal(seen, {"cone", "cylinder", "ellipsoid"}, "shapes looked at")
    check(not os.path.exists("vtu/glyphs-00000.vtu"), "shapes twice")


def vtu_has_round_shapes_as_glyphs():
    """Centre, half axes and rotation say all about a round shape; the table of the same frames has them too. What has
    triangles of its own stays a solid."""
    run_shapes()
    scree("export", "run", "--to", "vtu", "-o", "vtu")
    names = {"ellipsoid": 1, "capsule": 3, "cylinder": 4, "cone": 5}
    rows, single = table(), lambda text: struct.unpack("f", struct.pack("f", float(text)))[0]
    for number in range(len(frames("run"))):
        found = arrays(f"vtu/glyphs-{number:05}.vtu")
        now = [row for row in rows if row["frame"] == str(number) and row["shape"] in names]
        check_equal({row["shape"] for row in now}, set(names), "kinds of round shapes")
        columns = {"Points": ["x [m]", "y [m]", "z [m]"], "half": [f"half_{axis} [m]" for axis in "xyz"], "rotation": ["qw", "qx", "qy", "qz"],
                   "velocity": [f"v{axis} [m/s]" for axis in "xyz"]}
        for array, column in columns.items():
            check_equal(list(found[array]), [tuple(single(row[c]) for c in column) for row in now], array)
        check_equal(list(found["id"]), [int(row["id"]) for row in now], "ids")
        check_equal(list(found["shape"]), [names[row["shape"]] for row in now], "shapes")
        check_equal(list(found["offsets"]), list(range(1, len(now) + 1)), "cells")
        check(not set(names.values()) & set(arrays(f"vtu/solids-{number:05}.vtu")["shape"]), "shapes twice")
    listed = xml.etree.ElementTree.parse("vtu/run.pvd").findall("Collection/DataSet")
    check_equal(sum(entry.get("name") == "glyphs" for entry in listed), len(frames("run")), "glyphs in run.pvd")


def three_thousand_ellipsoids_are_small():
    with open("scene.json", "w") as file:
        json.dump({"time": {"step": 0.001, "end": 0.001}, "gravity": [0, 0, 0], "output": {"frame_interval": 0.001},
                   "fills": [{"region": {"box": {"low": [0, 0, 0], "high": [4, 4, 4]}}, "count": 3000, "radius": 0.05,
                              "shape": {"ellipsoid": {"semi_axes": [1, 0.8, 0.6]}}}]}, file)
    scree("run", "scene.json", "-o", "run", "-q")
    scree("export", "run", "--to", "vtu", "-o", "vtu", "--frames", "0:0")
    size = sum(os.path.getsize(os.path.join("vtu", name)) for name in os.listdir("vtu"))
    check(size < 5e5, f"{size} bytes")
    check_equal(len(arrays("vtu/glyphs-00000.vtu")["Points"]), 3000, "ellipsoids")


def contacts_are_lines_that_carry_the_weight():
    with open("scene.json", "w") as file:
        json.dump({"time": {"step": 0.001, "end": 0.2}, "materials": {"stone": {"density": 2000}},
                   "bodies": [{"kind": "fixed", "shapes": [{"plane": {}}]},
                              {"position": [0, 0, 0.1], "shapes": [{"sphere": {"radius": 0.1}}]}],
                   "output": {"frame_interval": 0.1, "contacts": True}}, file)
    scree("run", "scene.json", "-o", "run", "-q")
    scree("export", "run", "--to", "vtu", "-o", "vtu")
    found = arrays("vtu/contacts-00002.vtu")
    weight = 2000 * 4 / 3 * math.pi * 0.1**3 * 9.81
    check_equal(len(found["force"]), 1, "contacts")
    check(abs(abs(found["force"][0][2]) - weight) < 1e-3 * weight, f"force {found['force']}, weight {weight}")
    heights = sorted(p[2] for p in found["Points"])
    check(abs(heights[0]) < 1e-4 and abs(heights[1] - 0.1) < 1e-3, f"from the ground to the centre: {heights}")


def lammps_dump_has_every_grain_in_every_frame():
    run_shapes()
    scree("export", "run", "--to", "lammps", "-o", "run.dump", "--frames", "0:2:2")
    rows = [row for row in table() if row["shape"] in ("sphere", "ellipsoid")]
    with open("run.dump") as file:
        text = file.read()
    parts = text.split("ITEM: TIME\n")[1:]
    check_equal(len(parts), 2, "frames")
    for number, part in zip(("0", "2"), parts):
        lines = part.splitlines()
        check_equal(lines[1:3], ["ITEM: TIMESTEP", number], "timestep")
        now = [row for row in rows if row["frame"] == number]
        check_equal(float(lines[0]), float(now[0]["time [s]"]), "time")
        check_equal(int(lines[4]), len(now), "atoms")
        low_high = [list(map(float, line.split())) for line in lines[6:9]]
        check_equal(lines[9], "ITEM: ATOMS id mol type x y z vx vy vz radius shapex shapey shapez quatw quati quatj quatk", "columns")
        atoms = [line.split() for line in lines[10:]]
        check_equal(len(atoms), len(now), "lines")
        check_equal(len({atom[0] for atom in atoms}), len(atoms), "ids that differ")
        for atom, row in zip(atoms, now):
            check_equal(atom[1:2] + atom[3:6], [row["id"], row["x [m]"], row["y [m]"], row["z [m]"]], "atom")
            check_equal(atom[10:13], [row["half_x [m]"], row["half_y [m]"], row["half_z [m]"]], "axes")
            for (low, high), place in zip(low_high, atom[3:6]):
                check(low <= float(place) <= high, "an atom outside the box")


def a_table_has_a_line_for_each_shape():
    run_shapes()
    rows = table()
    written = [line.split() for line in frames("run")]
    for number, line in enumerate(written):
        now = [row["shape"] for row in rows if row["frame"] == str(number)]
        check_equal([now.count("sphere"), now.count("box"), now.count("plane")], [int(v) for v in line[1:4]], "shapes")
        check_equal(now.count("ellipsoid"), 52, "ellipsoids")
    check_equal({row["material"] for row in rows}, {"default"}, "materials")


PREPARED = """#version 3.7;
global_settings{assumed_gamma 1.0}
#default{finish{ambient 0 diffuse 0 emission 1}}
// My own room.
  //SCREE
camera{location <0,-5,0> right -x*image_width/image_height up z sky z angle 40 look_at <0,0,0>}
"""


def povray_draws_the_run_in_a_prepared_scene():
    with open("scene.json", "w") as file:
        json.dump({"time": {"step": 0.01, "end": 0.02}, "gravity": [0, 0, 0], "view": {"ground": False},
                   "bodies": [{"name": "ball", "position": [0.3, 0, 0.5], "shapes": [{"sphere": {"radius": 0.4}}]},
                              {"name": "cone", "position": [-0.8, 0, -0.5], "shapes": [{"cone": {"radius": 0.3, "length": 0.6}}]}],
                   "output": {"frame_interval": 0.01}}, file)
    with open("prepared.pov", "w") as file:
        file.write(PREPARED)
    scree("run", "scene.json", "-o", "run", "-q")
    scree("export", "run", "--to", "povray", "-o", "pov", "--into", "prepared.pov")
    check_equal(sorted(os.listdir("pov")), ["frame-00000.inc", "frame-00001.inc", "frame-00002.inc", "scene.ini", "scene.pov"], "files")
    text = read("pov", "scene.pov").decode()
    check_says(text, "// My own room.", "camera{location <0,-5,0>", "#include scree_frames[")
    check("//SCREE" not in text, "the marker is still there")
    if shutil.which("povray") is None:
        print("        (povray is not installed: nothing drawn)")
        return
    done = subprocess.run(["povray", "scene.ini", "+W320", "+H320", "-A", "-D", "+KFI1", "+KFF1", "+Oa.png"], cwd="pov",
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=TIMEOUT)
    check(done.returncode == 0, "POV-Ray said:\n" + done.stdout)
    width, height, rows = png.pixels("pov/a.png")
    lit = [(x, y) for y in range(height) for x in range(width) if max(rows[y][x]) > 20]
    pixel = 2 * math.tan(math.radians(20)) / width  # of the picture plane at distance 1
    between = width / 2 - 0.3 / 5 / pixel           # the ball reaches to x = -0.1 m, the cone to -0.5 m
    right = [(x, y) for x, y in lit if x >= between]
    # A ball off the axis is seen as an ellipse: the cone about it cuts the picture plane at distance 1 in one of the area
    # pi tan(a)^2 / cos(b)^3 / (1 - tan(a)^2 tan(b)^2)^(3/2), a the half angle it is seen under, b that off the axis.
    far = math.sqrt(5**2 + 0.3**2 + 0.5**2)
    a, b = math.asin(0.4 / far), math.acos(5 / far)
    area = math.pi * math.tan(a)**2 / math.cos(b)**3 / (1 - math.tan(a)**2 * math.tan(b)**2)**1.5
    check(abs(len(right) * pixel**2 / area - 1) < 0.02, f"the ball covers {len(right)} pixels, not {area / pixel**2:.0f}")
    middle = [sum(p[k] for p in right) / len(right) for k in range(2)]
    expected = [width / 2 + 0.3 / 5 / pixel, height / 2 - 0.5 / 5 / pixel]  # x to the right, z up
    check(all(abs(m - e) < 1.5 for m, e in zip(middle, expected)), f"the ball is at {middle}, not at {expected}")
    left = [(x, y) for x, y in lit if x < between]
    top, bottom = min(y for _, y in left), max(y for _, y in left)
    wide = [max(x for x, y in left if y == row) - min(x for x, y in left if y == row) for row in (top + 3, bottom - 3)]
    check(wide[0] < 0.2 * wide[1], f"the cone stands on its tip: {wide}")


def povray_draws_all_shapes_as_we_do():
    if shutil.which("povray") is None:
        print("        (povray is not installed: nothing drawn)")
        return
    run_shapes()
    with open("view.json", "w") as file:
        json.dump({"eye": [1.2, -1.85, 1.1], "target": [0, 0, 0], "colour": "material", "captions": False}, file)
    scree("export", "run", "--to", "povray", "-o", "pov", "--view", "view.json", "--frames", "1:1")
    scree("render", "run", "--view", "view.json", "--frame", 1, "--size", "160x100", "-o", "own.png")
    done = subprocess.run(["povray", "scene.ini", "+W160", "+H100", "+A0.1", "-D", "+Oa.png"], cwd="pov", stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=TIMEOUT)
    check(done.returncode == 0, "POV-Ray said:\n" + done.stdout)
    (_, _, theirs), (_, _, ours) = png.pixels("pov/a.png"), png.pixels("own.png")

    def ochre(rows):  # the bodies; ground and backdrop are grey
        return {(x, y) for y, row in enumerate(rows) for x, (r, g, b) in enumerate(row) if r > b + 40}
    a, b = ochre(theirs), ochre(ours)
    check(len(b) > 400, f"only {len(b)} pixels show bodies")
    check(len(a & b) > 0.9 * len(a | b), f"bodies cover {len(a)} and {len(b)} pixels, {len(a & b)} of them both")


def wrong_words_get_a_sentence():
    run_shapes()
    with open("blank.pov", "w") as file:
        file.write("camera{}\n// SCREE is not here\n")
    for words, *arguments in (("--to FORMAT", "-o", "x"), ("did you mean \"povray\"", "--to", "povrey", "-o", "x"),
                              ("povray, vtu, lammps or csv", "--to", "blender-file", "-o", "x"),
                              ("numbered from 0 to 2", "--to", "csv", "-o", "x", "--frames", "5"),
                              ("no line that says //SCREE", "--to", "povray", "-o", "x", "--into", "blank.pov"),
                              ("are for --to povray", "--to", "vtu", "-o", "x", "--into", "blank.pov"),
                              ("--tessellate is for --to vtu", "--to", "csv", "-o", "x", "--tessellate", "12"),
                              ("4 to 360", "--to", "vtu", "-o", "x", "--tessellate", "3"), ("is no directory", "--to", "vtu", "-o", "blank.pov"), ("is no file", "--to", "csv", "-o", "run")):
        check_says(scree("export", "run", *arguments, code=BAD_INPUT).stderr, words)
    check(not os.path.exists("x"), "something was written")
    check_says(scree("export", "nothing", "--to", "csv", "-o", "x", code=BAD_INPUT).stderr, "there is no such directory")


run_tests([vtu_has_times_points_and_solids, vtu_has_round_shapes_as_glyphs, three_thousand_ellipsoids_are_small,
           contacts_are_lines_that_carry_the_weight, lammps_dump_has_every_grain_in_every_frame,
           a_table_has_a_line_for_each_shape, povray_draws_the_run_in_a_prepared_scene, povray_draws_all_shapes_as_we_do,
           wrong_words_get_a_sentence])
