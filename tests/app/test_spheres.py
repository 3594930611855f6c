#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Sphere sets from end to end: from a mesh or a CAD file to a body that runs; what is no solid gets a sentence."""
import math

from command import *

QUADS = [(1, 3, 4, 2), (5, 6, 8, 7), (1, 2, 6, 5), (3, 7, 8, 4), (1, 5, 7, 3), (2, 4, 8, 6)]


def box(faces=QUADS, edge=0.2, at=(1, 2, 3)):
    """A cube as OBJ."""
    corners = [[a + edge * (k >> axis & 1) for axis, a in enumerate(at)] for k in range(8)]
    return "".join(f"v {x} {y} {z}\n" for x, y, z in corners) + "".join(f"f {a} {b} {c} {d}\n" for a, b, c, d in faces)


def number_after(text, word):
    return float(text.split(word)[1].split()[0])


def a_set_is_written_described_and_run():
    write("part.obj", box())
    said = scree("spheres", "part.obj", "--error", 0.004, "-o", "part.spheres").stdout
    check_says(said, "part.obj: 12 triangles, closed", "(1.1, 2.1, 3.1) m, now the origin", "cover to 4 mm", "part.spheres: ")
    check(abs(number_after(said, "volume") - 0.008) < 1e-12, said)
    count = int(number_after(said, "part.spheres: "))
    check_says(scree("info", "part.spheres").stdout, "a sphere set", f"{count:,}", "0.008 m^3")
    scene = {"time": {"step": 0.001, "end": 0.5}, "materials": {"stone": {"density": 2000}},
             "bodies": [{"name": "floor", "kind": "fixed", "shapes": [{"plane": {}}]},
                        {"name": "part", "position": [0, 0, 0.12], "shapes": [{"spheres": {"file": "part.spheres"}}]}],
             "probes": [{"name": "part", "kind": "body_state", "body": "part"},
                        {"name": "floor", "kind": "body_force", "body": "floor"}]}
    write("scene.json", json.dumps(scene))
    check_says(scree("check", "scene.json").stdout, f"1 plane, 1 sphere set of {count:,} spheres")
    scree("run", "scene.json", "-o", "r", "-q")
    with open("r/probes.csv") as file:
        lines = [line.split(",") for line in file if line[0] != "#"]
    last = dict(zip([name.split(" ")[0].strip('"') for name in lines[0]], map(float, lines[-1])))
    check(abs(last["floor.fz"] + 16.0 * 9.81) < 0.02 * 16.0 * 9.81, f"the floor carries {last['floor.fz']} N")
    check(0.1 <= last["part.z"] <= 0.105, f"the part lies at {last['part.z']} m")
    os.remove("part.spheres")  # a run goes on without its files
    scree("resume", "r", "--until", 0.51)


def frames_hold_a_set_or_its_spheres():
    """Read by scree both are the same; other programs, by trajectory.xdmf, see spheres only where frames hold them."""
    write("part.obj", box())
    scree("spheres", "part.obj", "--error", 0.004, "-o", "part.spheres")
    count = int(read(".", "part.spheres").decode().split("\nspheres ")[1].split()[0])
    scene = {"time": {"step": 0.001, "end": 0.02}, "materials": {"stone": {"density": 2000}},
             "bodies": [{"name": "part", "shapes": [{"spheres": {"file": "part.spheres"}}], "spin": [0, 0, 50]}],
             "output": {"frame_interval": 0.01, "rotations": True}}
    write("scene.json", json.dumps(scene))
    for name, flag in (("set", "false"), ("spheres", "true")):
        scree("run", "scene.json", "-o", name, "-q", "--set", f"output.set_spheres={flag}")
        scree("export", name, "--to", "csv", "-o", f"{name}.csv")
    check_equal(frames("set"), frames("spheres"), "frames")
    lines = [line.split(",") for line in read(".", "set.csv").decode().splitlines()]
    check_equal(len(lines) - 1, 3 * count, "spheres of three frames")
    turned = dict(zip(lines[0], lines[-1]))
    check(abs(float(turned["qz"]) - math.sin(0.5 * 50 * 0.02)) < 1e-3, f"a sphere has turned by {turned}")
    shown = {name: read(name, "trajectory.xdmf").decode() for name in ("set", "spheres")}
    check("spheres" not in shown["set"] and 'NumberOfElements="1"' in shown["set"], "a set is a point")
    check_equal(shown["spheres"].count(f'NumberOfElements="{count}"'), 3, "frames of all spheres")
    check_says(shown["spheres"], f"/spheres/position|{2 * count} 0:1 1:{count} 3:{3 * count} 3")


def threads_do_not_matter():
    write("part.obj", box())
    for threads in (1, 3):
        scree("spheres", "part.obj", "--error", 0.01, "-o", f"{threads}.spheres", "-j", threads)
    check_equal(read(".", "1.spheres"), read(".", "3.spheres"), "the sets")


def both_methods_are_compared():
    write("part.obj", box())
    said = scree("spheres", "part.obj", "--compare", "--size", 0.02, "-o", "part.spheres").stdout
    rows = [line.split() for line in said.splitlines() if line.startswith("  paper") or line.startswith("  cover")]
    check_equal([row[0] for row in rows], ["paper", "cover"], "rows")
    paper, cover = int(rows[0][1].replace(",", "")), int(rows[1][4].replace(",", ""))
    check(3 * cover <= paper, said)
    check_says(said, f"part.spheres: {cover} spheres")
    said = scree("spheres", "part.obj", "--method", "paper", "--f", 0, "--angle", 91).stdout
    check_says(said, "  paper", " 12 ")


def what_is_no_solid_gets_a_sentence():
    swapped = [QUADS[0][::-1], *QUADS[1:]]
    for faces, sentence in ((QUADS[1:], "is open: 4 edges"), (swapped, "flipped faces"),
                            ([quad[::-1] for quad in QUADS], "inside out")):
        write("part.obj", box(faces))
        check_says(refused("spheres", "part.obj", "-o", "x.spheres"), "scree: part.obj: the surface", sentence)
    for text, sentence in ((box().replace("v 1.0 ", "v nan ", 1), "part.obj:1: 'nan' is not a number"),
                           (box().replace("v 1.0 ", "v 1e30 ", 1), "part.obj:1: a vertex is at"),
                           (box()[:-6], "part.obj:14: a face needs at least 3 vertices"), ("", "no triangles in it")):
        write("part.obj", text)
        check_says(refused("spheres", "part.obj", "-o", "x.spheres"), sentence)
    write("part.obj", box())
    check_says(refused("spheres", "part.obj", "--error", 1e-9), "too small for a part of this size")
    check_says(refused("spheres", "part.obj", "--f", 1), "--f must be")
    check_says(refused("spheres", "part.obj", "--method", "pap"), "cover or paper")
    check_says(refused("spheres", "part.obj", "-o", "part.txt"), "ends in .spheres")
    check_says(refused("spheres", "part.ply"), "a mesh file ends in .obj, .stl or .inp")


def a_cad_file_is_meshed():
    plate = os.path.join(SCENES, "plate.step")
    if "CAD files  no" in scree("--version").stdout:
        check_says(refused("spheres", plate), "built without Gmsh")
        return
    said = scree("spheres", plate, "--error", 0.002).stdout
    volume = 0.1 * 0.06 * 0.04 - 3.14159265358979 * 0.015 ** 2 * 0.04  # in m, though the file is in mm
    check(abs(number_after(said, "volume") / volume - 1) < 0.002, said)
    for text in ("", "no such thing", read(os.path.dirname(plate), "plate.step")[:9000].decode()):
        write("broken.step", text)
        check_says(refused("spheres", "broken.step"), "scree: broken.step: ")


run_tests([a_set_is_written_described_and_run, frames_hold_a_set_or_its_spheres, threads_do_not_matter, both_methods_are_compared,
           what_is_no_solid_gets_a_sentence, a_cad_file_is_meshed])
