#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Layers of grains on a mesh: at the right distance, on the right side, apart from each other, and all over it."""
import csv
import json
import math

from command import *

RADIUS, SPACING = 0.008, 1.05


def write_obj(name, points, faces):
    with open(name, "w") as file:
        file.writelines(f"v {x!r} {y!r} {z!r}\n" for x, y, z in points)
        file.writelines("f " + " ".join(str(k + 1) for k in face) + "\n" for face in faces)


def places(mesh, layers, radius=RADIUS, body={}, **fill):
    """Centres and radii of the grains in layers on a mesh."""
    scene = {"time": {"step": 1e-6, "end": 1e-6}, "gravity": [0, 0, 0], "materials": {"sand": {}}, "output": {"frame_interval": 1},
             "bodies": [{"name": "hill", "kind": "fixed", "shapes": [{"mesh": {"file": mesh}}], **body}],
             "fills": [{"region": {"layers": {"body": "hill", "count": layers}}, "radius": radius, "spacing": SPACING, **fill}]}
    with open("scene.json", "w") as file:
        json.dump(scene, file)
    scree("run", "scene.json", "-o", "run", "-q", "--force")
    scree("export", "run", "--to", "csv", "-o", "run.csv", "--force")
    with open("run.csv") as file:
        grains = [row for row in csv.DictReader(file) if row["shape"] == "sphere" and row["frame"] == "0"]
    return [([float(row[axis + " [m]"]) for axis in "xyz"], float(row["half_x [m]"])) for row in grains]


def check_apart(grains, what):
    for k, (p, r) in enumerate(grains):
        for q, s in grains[:k]:
            check(math.dist(p, q) > (r + s) * SPACING * (1 - 1e-5), f"{what}: grains at {p} and {q} overlap")


def sphere_mesh(radius, rings=10, sectors=16):
    points = [(0, 0, radius)]
    for i in range(1, rings):
        for j in range(sectors):
            theta, phi = math.pi * i / rings, 2 * math.pi * j / sectors
            points.append((radius * math.sin(theta) * math.cos(phi), radius * math.sin(theta) * math.sin(phi), radius * math.cos(theta)))
    points.append((0, 0, -radius))
    at = lambda i, j: 1 + (i - 1) * sectors + j % sectors
    faces = [(0, at(1, j), at(1, j + 1)) for j in range(sectors)]
    for i in range(1, rings - 1):
        for j in range(sectors):
            faces += [(at(i, j), at(i + 1, j), at(i + 1, j + 1)), (at(i, j), at(i + 1, j + 1), at(i, j + 1))]
    faces += [(len(points) - 1, at(rings - 1, j + 1), at(rings - 1, j)) for j in range(sectors)]
    return points, faces


def distance_of_plane(a, b, c):
    u, v = ([q - p for p, q in zip(a, end)] for end in (b, c))
    normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
    return abs(sum(n * p for n, p in zip(normal, a))) / math.hypot(*normal)


def a_ball_is_covered_outside():
    big, shift = 0.06, [0.3, -0.2, 0.5]
    points, faces = sphere_mesh(big)
    write_obj("ball.obj", points, faces)
    # facets are nearer to the centre than the sphere by at most this
    inner = min(distance_of_plane(*(points[k] for k in face)) for face in faces)
    for sizes in (RADIUS, {"uniform": [0.7 * RADIUS, RADIUS]}):
        grains = places("ball.obj", 2, sizes, {"position": shift, "rotation": {"axis": [1, 2, 3], "angle_degrees": 40}})
        check_apart(grains, "ball")
        first = second = 0
        for place, r in grains:
            height = math.dist(place, shift) - big
            if height < 1.5 * RADIUS:
                first += 1
                check(inner - big + r - 1e-6 <= height <= r + 1e-6, f"a grain of {r} is {height} above the ball")
            else:
                second += 1
                wanted = RADIUS * (1 + 2 * SPACING)
                check(inner - big + wanted - 1e-6 <= height <= wanted + 1e-6, f"a grain of {r} is {height} above the ball, not {wanted}")
        # random addition covers half of a surface
        for count, at in ((first, big + RADIUS), (second, big + RADIUS * (1 + 2 * SPACING))):
            covered = count * (RADIUS * SPACING)**2 / (4 * at**2)
            check(0.4 < covered < 0.95, f"{count} grains cover {covered}")


def a_tilted_plane_is_covered_on_the_side_it_faces():
    slope, n, pitch = math.radians(35), 6, 0.03
    points = [(i * pitch * math.cos(slope), j * pitch, i * pitch * math.sin(slope)) for j in range(n) for i in range(n)]
    up = [face for j in range(n - 1) for i in range(n - 1)
          for face in ((j * n + i, j * n + i + 1, (j + 1) * n + i + 1), (j * n + i, (j + 1) * n + i + 1, (j + 1) * n + i))]
    for side, faces in ((1, up), (-1, [face[::-1] for face in up])):
        write_obj("plane.obj", points, faces)
        grains = places("plane.obj", 3)
        check_apart(grains, "plane")
        layers = [0, 0, 0]
        for (x, y, z), r in grains:
            height = side * (-math.sin(slope) * x + math.cos(slope) * z)
            layer = round((height / RADIUS - 1) / (2 * SPACING))
            check(0 <= layer <= 2 and abs(height - RADIUS * (1 + 2 * SPACING * layer)) < 1e-6, f"a grain is {height} above the plane")
            along = math.cos(slope) * x + math.sin(slope) * z
            check(-1e-6 <= along <= (n - 1) * pitch + 1e-6 and -1e-6 <= y <= (n - 1) * pitch + 1e-6, "a grain is beside the plane")
            layers[layer] += 1
        least = 0.4 * ((n - 1) * pitch)**2 / (math.pi * (RADIUS * SPACING)**2)
        check(min(layers) > least, f"layers of {layers} grains, not {least}")


def edges_and_corners_of_a_cube_have_grains():
    half = 0.03
    points = [(x, y, z) for z in (-half, half) for y in (-half, half) for x in (-half, half)]
    faces = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    write_obj("cube.obj", points, [tri for a, b, c, d in faces for tri in ((a, b, c), (a, c, d))])
    grains = places("cube.obj", 1)
    check_apart(grains, "cube")
    beyond = [0, 0, 0, 0]  # grains by how many faces they are beyond
    for place, r in grains:
        out = [max(0.0, abs(x) - half) for x in place]
        check(abs(math.hypot(*out) - r) < 1e-6, f"a grain at {place} is {math.hypot(*out)} from the cube")
        beyond[sum(x > 1e-7 for x in out)] += 1
    check(beyond[0] == 0 and beyond[1] > 50 and beyond[2] > 5 and beyond[3] > 0, f"grains over faces, edges, corners: {beyond[1:]}")


def counts_and_wrong_words():
    write_obj("ball.obj", *sphere_mesh(0.06))
    check_equal(len(places("ball.obj", 1, count=20)), 20, "count")
    scene = json.load(open("scene.json"))
    scene["bodies"].append({"name": "rock", "kind": "fixed", "shapes": [{"sphere": {"radius": 0.01}}]})
    scene["fills"][0]["region"]["layers"]["body"] = "rock"
    with open("wrong.json", "w") as file:
        json.dump(scene, file)
    check_says(refused("check", "wrong.json"), "wrong.json:", "grains lie in layers on meshes, and body 'rock' has none")


run_tests([a_ball_is_covered_outside, a_tilted_plane_is_covered_on_the_side_it_faces, edges_and_corners_of_a_cube_have_grains,
           counts_and_wrong_words])
