#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Many pictures of a run: in parts as in one piece, kept if they are there, as movies; and words about what is wrong."""
import glob
import json
import math
import os
import shutil
import struct
import subprocess

import png
from command import *

SMALL = ["--size", "96x60", "--samples", 2]


def run_pile(*more):
    scree("run", PILE, "-o", "run", "--until", 0.06, "-q", "--set", "output.frame_interval=0.01", *more)


def pictures(directory):
    return {name: read(directory, name) for name in sorted(os.listdir(directory)) if name.endswith(".png")}


def several_processes_draw_what_one_draws():
    run_pile()
    scree("render", "run", "--frames", "all", *SMALL, "-c", "speed", "-o", "one", "-j", 1)
    for part in ("1/3", "2/3", "3/3"):
        scree("render", "run", "--frames", "all", *SMALL, "-c", "speed", "-o", "three", "--part", part)
    one, three = pictures("one"), pictures("three")
    check_equal(len(one), 7, "pictures")
    check_equal(sorted(one), sorted(three), "names")
    check(one == three, "parts differ from the whole")
    check(read("one", "view.json") == read("three", "view.json"), "view.json differs")
    check(len(set(one.values())) == 7, "pictures of different moments are the same")


def parts_come_from_slurm_and_mpi():
    run_pile()
    scree("render", "run", "--frames", "all", *SMALL, "-o", "one")
    for k in range(2):
        slurm = {**os.environ, "SLURM_ARRAY_TASK_ID": str(10 + 5 * k), "SLURM_ARRAY_TASK_COUNT": "2",
                 "SLURM_ARRAY_TASK_MIN": "10", "SLURM_ARRAY_TASK_STEP": "5"}
        scree("render", "run", "--frames", "all", *SMALL, "-o", "slurm", "--part", "auto", env=slurm)
        mpi = {**os.environ, "OMPI_COMM_WORLD_RANK": str(k), "OMPI_COMM_WORLD_SIZE": "2"}
        said = scree("render", "run", "--frames", "all", *SMALL, "-o", "mpi", "--part", "auto", env=mpi).stdout
        check_says(said, f"{4 - k} pictures drawn")
    check(pictures("one") == pictures("slurm") == pictures("mpi"), "parts differ from the whole")
    said = scree("render", "run", "--frames", "all", "--part", "auto", code=BAD_INPUT).stderr
    check_says(said, "finds neither a Slurm array")


def what_is_there_is_kept():
    run_pile()
    first = ["render", "run", "--frames", "1:5:2", *SMALL]
    check_says(scree(*first).stdout, "run/frames: 3 pictures drawn", "0 there already")
    before = pictures("run/frames")
    check_equal(list(before), [f"frame-0000{k}.png" for k in (1, 3, 5)], "names")
    with open("run/frames/frame-00003.png", "wb") as file:
        file.write(b"mine")
    os.unlink("run/frames/frame-00005.png")
    check_says(scree(*first).stdout, "1 picture drawn", "2 there already")
    check(read("run/frames", "frame-00003.png") == b"mine", "a picture that was there is gone")
    check_says(scree(*first, "--colour", "speed", code=BAD_INPUT).stderr, "of another view, size or run", "--force")
    check_says(scree(*first, "--force").stdout, "3 pictures drawn")
    check(pictures("run/frames") == before, "drawn again, they are others")
    check_equal(glob.glob("run/frames/*.tmp"), [], "left over")
    # What was found out about the run is a view that can be asked for again.
    check_says(scree(*first, "--view", "run/frames/view.json").stdout, "0 pictures drawn", "3 there already")
    scree("render", "run", "--frames", "1:5:2", *SMALL, "--view", "run/frames/view.json", "-o", "again")
    check(pictures("again") == before, "view.json makes other pictures")
    scree("render", "run", "--frames", "1:5:2", *SMALL, "--follow", "dumbbell", "--orbit", 40, "-o", "followed")
    scree("render", "run", "--frames", "1:5:2", *SMALL, "--view", "followed/view.json", "-o", "again", "--force")
    check(pictures("again") == pictures("followed"), "view.json makes other pictures of a body that is followed")


def a_view_may_be_a_file_of_its_own():
    run_pile("--set", "output.contacts=true")
    with open("view.json", "w") as file:
        json.dump({"eye": [0.4, -0.5, 0.3], "target": [0, 0, 0.05], "colour": "force", "map": "viridis", "range": [0, 0.1],
                   "cut": {"y": 0.0}}, file)
    scree("render", "run", *SMALL, "--view", "view.json", "-o", "a.png")
    scree("render", "run", *SMALL, "--eye", "0.4,-0.5,0.3", "--target", "0,0,0.05", "-c", "force", "--map", "viridis", "-r",
          "0,0.1", "--cut", "y=0", "-o", "b.png")
    check(read(".", "a.png") == read(".", "b.png"), "the file and the options differ")
    for name, more in (("c", ["--follow", "paddle"]), ("d", ["--orbit", 90]), ("e", ["--chains"]), ("f", ["--bare"])):
        scree("render", "run", *SMALL, "-o", name + ".png", "--frame", 3, *more)
        check(read(".", name + ".png") != read(".", "a.png"), f"{more} makes no difference")
    with open("wrong.json", "w") as file:
        file.write('{"eye": [1, 2, 3],\n "targt": [0, 0, 0]}')
    check_says(scree("render", "run", "--view", "wrong.json", code=BAD_INPUT).stderr, "wrong.json:2:2", "did you mean \"target\"?")


def movies_are_made_where_ffmpeg_is():
    run_pile()
    nowhere = {**os.environ, "PATH": ""}
    check_says(scree("render", "run", "-o", "a.mp4", code=BAD_INPUT, env=nowhere).stderr, "ffmpeg, which is not installed")
    check(not os.path.exists("a-frames"), "pictures without a movie")
    if shutil.which("ffmpeg") is None or shutil.which("ffprobe") is None:
        print("        (ffmpeg is not installed: no movie)")
        return
    said = scree("render", "run", *SMALL, "--part", "2/2", "-o", "a.mp4").stdout
    check_says(said, "3 pictures drawn", "not yet: 4 pictures are missing")
    for name in ("a.mp4", "a.webm"):
        check_says(scree("render", "run", *SMALL, "-o", name, "--fps", 10).stdout, f"{name}: 7 pictures, 0.7 s at 10 a second")
        shown = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-show_entries",
                                "stream=width,height,nb_read_frames,r_frame_rate", "-of", "csv=p=0", name],
                               check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
        check_equal(shown, "96,60,10/1,7", name)


def a_film_is_not_saturated():
    """A ball goes to and fro with v sin^2(8 pi t / T): it rests in every eighth of the run, and the scale holds it between."""
    speed, end = 2.0, 0.8
    with open("fro.json", "w") as file:
        json.dump({"time": {"step": 0.001, "end": end}, "gravity": [f"{speed * 8 * math.pi / end} * sin({16 * math.pi / end} * t)", 0, 0],
                   "bodies": [{"shapes": [{"sphere": {"radius": 0.1}}]}], "output": {"frame_interval": end / 64}}, file)
    scree("run", "fro.json", "-o", "run", "-q")
    scree("render", "run", "--frames", "0:0", *SMALL, "-c", "speed")
    low, high = json.loads(read("run/frames", "view.json"))["range"]
    check(low == 0 and speed <= high < 1.6 * speed, f"a scale from {low} to {high} m/s")


def print_size_is_in_the_file():
    run_pile()
    scree("render", "run", "--size", "120x80", "--samples", 1, "--dpi", 600, "-o", "a.png")
    found = dict(png.chunks("a.png"))
    check_equal(struct.unpack(">IIB", found[b"pHYs"]), (23622, 23622, 1), "pixels a metre")
    check_equal(png.pixels("a.png")[:2], (120, 80), "size")


def scene(bodies):
    return {"time": {"step": 0.01, "end": 0.02}, "gravity": [0, 0, 0], "bodies": bodies, "output": {"frame_interval": 0.01}}


def empty_and_lonely_runs_have_pictures():
    for name, bodies in (("empty", []), ("lonely", [{"name": "ball", "shapes": [{"sphere": {"radius": 0.5}}]}])):
        with open(name + ".json", "w") as file:
            json.dump(scene(bodies), file)
        scree("run", name + ".json", "-o", name, "-q")
        for colour in ("body", "radius", "speed", "material", "displacement", "group"):
            scree("render", name, *SMALL, "-c", colour, "-o", "a.png")
        scree("render", name, "--frames", "all", *SMALL, "-c", "speed", "--orbit", 30)
        check_equal(len(pictures(name + "/frames")), 3, "pictures")


def a_cut_ball_is_smaller():
    with open("ball.json", "w") as file:
        json.dump(scene([{"name": "ball", "shapes": [{"sphere": {"radius": 0.5}}]}]), file)
    scree("run", "ball.json", "-o", "run", "-q")
    area = {}
    for name, more in (("whole", []), ("cut", ["--cut", "y=0.4"])):
        with open("view.json", "w") as file:
            json.dump({"eye": [0, -200, 0], "target": [0, 0, 0], "field_of_view": 0.35, "colour": "material", "ground": False, "captions": False}, file)
        scree("render", "run", "--size", "160x160", "--samples", 4, "--view", "view.json", *more, "-o", name + ".png")
        _, _, rows = png.pixels(name + ".png")
        # The ball is ochre, with little blue in it; the backdrop is pale.
        area[name] = sum(r > b + 30 for row in rows for r, g, b in row)
    # Discs of radius 0.5 and sqrt(0.5^2 - 0.4^2) = 0.3.
    check(abs(area["cut"] / area["whole"] - 0.36) < 0.02, f"areas {area}")


def bodies_look_as_the_scene_says():
    """A sheet before a ball: of what one sees, its opacity is the sheet's share, and the rest the ball's. What is not visible
    is as if it were not in the scene."""
    with open("sheet.obj", "w") as file:
        file.write("v -1 0 -1\nv 1 0 -1\nv 1 0 1\nv -1 0 1\nf 1 2 3\nf 1 3 4\n")
    ball = {"name": "ball", "shapes": [{"sphere": {"radius": 0.5}}], "appearance": {"colour": "#a01818"}}
    block = {"name": "block", "kind": "fixed", "position": [0.7, 0, 0], "shapes": [{"box": {"size": [0.4, 0.4, 0.4]}}]}
    view = {"eye": [0, -8, 0], "target": [0, 0, 0], "field_of_view": 10, "ground": False, "captions": False}

    def draw(name, *bodies, **appearance):
        sheet = {"name": "sheet", "kind": "fixed", "position": [0, -2, 0], "shapes": [{"mesh": {"file": "sheet.obj"}}], "appearance": {"colour": "#305060", **appearance}}
        with open(f"{name}.json", "w") as file:
            json.dump({**scene([ball, *bodies, *([sheet] if appearance else [])]), "view": view}, file)
        scree("run", f"{name}.json", "-o", name, "-q")
        scree("render", name, "--size", "64x64", "--samples", 64, "-o", f"{name}.png")
        _, _, rows = png.pixels(f"{name}.png")
        # Linear light of the middle, where the ball is, over an even patch.
        patch = [pixel for row in rows[28:36] for pixel in row[28:36]]
        return [sum((c / 255) ** 2.2 for c in channel) / len(patch) for channel in zip(*patch)]

    bare, clear, half, solid = draw("bare"), draw("clear", opacity=0), draw("half", opacity=0.4), draw("solid", opacity=1)
    check(bare[0] > 4 * bare[2] and solid[2] > 1.5 * solid[0], f"a red ball {bare} and a blue sheet {solid}")
    for k in range(3):
        check(abs(clear[k] - bare[k]) < 0.02 * bare[k] + 1e-3, f"a sheet of no opacity: {clear} for {bare}")
        expected = 0.4 * solid[k] + 0.6 * bare[k]
        check(abs(half[k] - expected) < 0.06 * expected + 1e-3, f"opacity 0.4: {half} of {solid} and {bare}")
    draw("with", {**block, "appearance": {"visible": False}})
    check(read(".", "with.png") == read(".", "bare.png"), "a body that is not visible is seen")
    draw("seen", block)
    check(read(".", "seen.png") != read(".", "bare.png"), "a body that is visible is not seen")
    for name, pigment in (("half", "rgbt<"), ("bare", "rgb<")):
        scree("export", name, "--to", "povray", "-o", f"{name}-pov", "--frames", "0:0")
        bodies = [line for line in read(f"{name}-pov", "frame-00000.inc").decode().splitlines() if "pigment" in line]
        check_equal([pigment in line for line in bodies], [name == "bare"] + [True] * (len(bodies) - 1), f"pigments of {bodies}")
    scree("export", "with", "--to", "povray", "-o", "with-pov", "--frames", "0:0")
    check("box{" not in read("with-pov", "frame-00000.inc").decode(), "a body that is not visible is exported")


def formats_that_are_not_written_are_refused_before_any_work():
    for name in ("x.gif", "x.jpg", "x.jpeg", "x", "d.png/x", ".png.gif"):
        # Not even the run is looked for.
        check_says(scree("render", "none", "-o", name, code=BAD_INPUT).stderr, f"{name}: ", ".png", ".mp4", ".webm")
    for name in ("x.gif", "x.png", "x.JPG"):
        said = scree("render", "none", "--frames", "all", "-o", name, code=BAD_INPUT).stderr
        check_says(said, f"{name}: ", "directory", ".mp4", ".webm")
    check_equal(os.listdir("."), [], "files")
    run_pile()
    scree("render", "run", *SMALL, "-o", "x.PNG")
    check_equal(png.pixels("x.PNG")[:2], (96, 60), "size")


def wrong_words_get_a_sentence():
    run_pile()
    for words, *arguments in (("first:last", "--frames", "a"), ("first:last", "--frames", "3:1:0"), ("numbered from 0 to 6", "--frames", "2:9"),
                              ("numbered from 0 to 6", "--frames", "4:2"), ("--part 2/8", "--frames", "all", "--part", "3/2"),
                              ("say which by --frames", "--part", "1/2"), ("--fps is for movies", "--fps", "10"),
                              ("for one picture", "--frames", "all", "--time", "0.01"),
                              ("--cut x=0.1", "--cut", "w=3"), ("--cut x=0.1", "--cut", "x"), ("did you mean \"paddle\"", "--follow", "padle"),
                              ("--set output.contacts=true", "--chains"), ("--set output.contacts=true", "-c", "force"),
                              ("did you mean \"viridis\"", "--map", "viridi"), ("No such file", "--view", "none.json")):
        check_says(scree("render", "run", *arguments, code=BAD_INPUT).stderr, words)
    check(not os.path.exists("run/frames"), "something was written")


run_tests([several_processes_draw_what_one_draws, parts_come_from_slurm_and_mpi, what_is_there_is_kept,
           a_view_may_be_a_file_of_its_own, movies_are_made_where_ffmpeg_is, a_film_is_not_saturated, print_size_is_in_the_file,
           empty_and_lonely_runs_have_pictures, a_cut_ball_is_smaller, bodies_look_as_the_scene_says,
           formats_that_are_not_written_are_refused_before_any_work, wrong_words_get_a_sentence])
