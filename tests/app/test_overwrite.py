#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""No verb removes or overwrites what it did not make: it refuses with a sentence, and every file is as it was."""
from command import *

RUN_FILES = ["scene.json", "checkpoint.h5", "summary.json", "probes.csv", "trajectory.h5", "trajectory.xdmf"]
MARKER = "scree-run.txt"
SMALL = ["--size", "48x30", "--samples", 1, "-j", 1]


def run_ball(directory="r", **changes):
    scree("run", write_ball(**changes), "-o", directory, "-q", "-j", 1)
    return directory


def refused_even_by_force(*arguments):
    refused(*arguments)
    return refused(*arguments, "--force")


def aliases(path, suffix=""):
    """Names of the same file: another way, a link, a hard link, through a linked directory."""
    shutil.rmtree("aliases", ignore_errors=True)
    os.mkdir("aliases")
    if suffix == "":
        yield path
        yield "./" + path
        yield os.path.abspath(path)
        os.symlink(os.path.abspath(os.path.dirname(path) or "."), "aliases/way")
        yield "aliases/way/" + os.path.basename(path)
    os.link(path, "aliases/hard" + suffix)
    yield "aliases/hard" + suffix
    os.symlink(os.path.abspath(path), "aliases/soft" + suffix)
    yield "aliases/soft" + suffix


def a_run_takes_no_directory_with_files_of_others():
    write_ball()
    os.mkdir("d")
    write("d/notes.txt")
    for name in RUN_FILES + [MARKER]:
        write(f"d/{name}")
        check_says(refused_even_by_force("run", "ball.json", "-o", "d"), f"d/{name}")
        os.remove(f"d/{name}")
        os.symlink("nowhere", f"d/{name}")
        if name != MARKER:
            refused("run", "ball.json", "-o", "d", "--force")
        os.remove(f"d/{name}")
    # What is called otherwise is not in the way, and stays.
    others = ["notes.txt"] + [name + ".tmp" for name in RUN_FILES]
    for name in others:
        write(f"d/{name}")
    scree("run", "ball.json", "-o", "d", "-q")
    scree("run", "ball.json", "-o", "d", "-q", "--force")
    for name in others:
        check_equal(read("d", name).decode(), MINE, f"d/{name}")


def a_run_replaces_only_files_that_it_listed():
    run_ball("r", probes=[], output={"frame_interval": 0})
    for name in ["probes.csv", "trajectory.h5", "trajectory.xdmf"]:
        write(f"r/{name}")
        check_says(refused("run", "ball.json", "-o", "r", "--force"), f"r/{name}")
        os.remove(f"r/{name}")
    scree("run", write_ball(), "-o", "r", "-q", "--force")
    check_equal(sorted(os.listdir("r")), sorted(RUN_FILES + [MARKER]), "files of a run with all outputs")
    scree("run", write_ball(probes=[]), "-o", "r", "-q", "--force")
    check("probes.csv" not in os.listdir("r"), "a table of the run that was replaced is left")
    write(f"r/{MARKER}")
    refused_even_by_force("run", "ball.json", "-o", "r")
    refused("resume", "r")


def a_directory_without_its_marker_is_no_run():
    run_ball()
    os.rename(f"r/{MARKER}", "marker")
    check_says(refused_even_by_force("run", "ball.json", "-o", "r"), "is no file of a run")
    check_says(refused("resume", "r"), "holds no run", MARKER)
    check_says(refused("info", "r"), "holds no run")
    os.rename("marker", f"r/{MARKER}")
    scree("resume", "r", "--until", 0.02, "-q")


def a_run_never_replaces_its_own_scene():
    for name in RUN_FILES:
        write_ball(name)
        for directory in (".", "./", os.path.abspath(".")):
            check_says(refused_even_by_force("run", name, "-o", directory), name)
        os.remove(name)
    run_ball()
    check_says(refused("run", "r/scene.json", "-o", "r", "--force"), "would be replaced")
    for alias in aliases("r/scene.json"):
        refused("run", alias, "-o", "r", "--force")


def a_run_never_replaces_what_its_scene_names():
    run_ball()
    write("r/probes.csv", "x,y,z,r\n0,0,1,0.1\n")
    write_ball("grains.json", tables=[{"file": "r/probes.csv"}])
    check_says(refused("run", "grains.json", "-o", "r", "--force"), "probes.csv would be replaced")
    write("table.csv", "0,0\n1,1\n")
    os.remove("r/probes.csv")
    os.link("table.csv", "r/probes.csv")
    write_ball("moved.json", loads=[{"body": "ball", "force": [0, 0, {"file": "table.csv"}]}])
    check_says(refused("run", "moved.json", "-o", "r", "--force"), "table.csv would be replaced")


def what_a_verb_reads_is_never_its_output():
    run_ball()
    scree("problem", "ball.json", "-o", "p.h5")
    shutil.copy(os.path.join(SCENES, "tetrahedron.obj"), "stone.obj")
    write_ball("stone.json", bodies=[{"name": "stone", "shapes": [{"mesh": {"file": "stone.obj"}}]}], probes=[])
    write("view.json", "{}")
    write("sky.pov", "//SCREE\n")
    for verb, source in (("contacts", "ball.json"), ("problem", "ball.json")):
        refused(verb, source, "-o", source)
        for alias in aliases(source):
            refused(verb, source, "-o", alias, "--force")
    for verb in ("contacts", "problem"):
        for alias in aliases("stone.obj"):
            refused(verb, "stone.json", "-o", alias, "--force")
    for alias in aliases("p.h5"):
        refused("solve", "p.h5", "-n", 2, "--reference", 2, "--csv", alias, "--force")
    for alias in aliases("p.h5", ".svg"):
        refused("solve", "p.h5", "-n", 2, "--reference", 2, "--plot", alias, "--force")
    for alias in aliases("view.json"):
        refused("render", "r", *SMALL, "--view", "view.json", "-o", alias, "--force")
    for alias in aliases("view.json", ".mp4"):
        refused("render", "r", *SMALL, "--view", "view.json", "-o", alias, "--force")
    os.mkdir("pov")
    os.link("sky.pov", "pov/scene.pov")
    refused_even_by_force("export", "r", "--to", "povray", "--into", "sky.pov", "-o", "pov")


def the_files_of_a_run_are_written_by_the_run_alone():
    run_ball()
    shutil.copytree("r", "other")
    writers = [("contacts", "ball.json", "-o"), ("problem", "ball.json", "-o"), ("problem", "r", "-o"), ("bed", "r", "-o"),
               ("export", "r", "--to", "csv", "-o"), ("export", "r", "--to", "lammps", "-o"), ("render", "r", *SMALL, "-o"),
               ("report", "r", "-o"), ("report", "r", "r", "-o"), ("plot", "r", "floor", "--csv")]
    for name in RUN_FILES + [MARKER]:
        refused_even_by_force("export", "r", "--to", "csv", "-o", f"r/{name}")
    for k, writer in enumerate(writers):
        refused(*writer, f"r/{RUN_FILES[k % len(RUN_FILES)]}", "--force")
        check_says(refused(*writer, "other/checkpoint.h5", "--force"), "other")
        for alias in aliases("r/checkpoint.h5"):
            if writer[1] == "r":
                refused(*writer, alias, "--force")
    os.remove("other/probes.csv")
    refused_even_by_force("plot", "r", "floor", "--csv", "other/probes.csv")
    for alias in aliases("r/probes.csv", ".svg"):
        refused_even_by_force("plot", "r", "floor", "-o", alias)
    # A run that lost its probes does not take a foreign file for them.
    shutil.copy("ball.json", "other/probes.csv")
    with open("other/probes.csv", "a") as file:
        file.write("\n" * 10000)
    check_says(refused_even_by_force("resume", "other", "--until", 0.02), "other/probes.csv")


def files_of_others_are_replaced_by_force_alone():
    run_ball()
    scree("problem", "ball.json", "-o", "p.h5")
    solve = ("solve", "p.h5", "-n", 2, "--reference", 2)
    says_so = [(("problem", "ball.json"), "-o", "x.h5"), ((*solve,), "--plot", "x.svg"), ((*solve,), "--plot", "x.png"),
               (("render", "r", *SMALL), "-o", "x.png"), (("plot", "r", "floor"), "-o", "x.svg"),
               (("plot", "r", "floor"), "-o", "x.png")]
    if "reports    yes" in scree("--version").stdout:
        says_so.append((("report", "r"), "-o", "x.html"))
    cannot_say_so = [(("contacts", "ball.json"), "-o", "x.csv"), ((*solve,), "--csv", "x.csv"),
                     (("plot", "r", "floor"), "--csv", "x.csv"), (("export", "r", "--to", "csv"), "-o", "x.csv"),
                     (("export", "r", "--to", "lammps"), "-o", "x.dump")]
    for words, option, path in says_so + cannot_say_so:
        write(path)
        check_says(refused(*words, option, path), path, "--force")
        scree(*words, option, path, "--force")
        check(read(".", path) != MINE.encode(), f"{path} was not replaced by {words}")
        if (words, option, path) in says_so:
            scree(*words, option, path)
        else:
            check_says(refused(*words, option, path), "--force")
        os.remove(path)
    # The places that verbs choose themselves, twice.
    for words, path in (("render r --size 48x30", "r/frame-00002.png"), ("plot r floor", "r/plot.svg"),
                        ("problem ball.json", "problem.h5")):
        scree(*words.split())
        scree(*words.split())
        write(path)
        check_says(refused(*words.split()), path)


def only_files_are_replaced_by_files():
    run_ball()
    scree("problem", "ball.json", "-o", "p.h5")
    write("file")
    os.mkdir("full.svg")
    write("full.svg/notes.txt")
    os.symlink("nowhere", "lost.svg")
    os.symlink("file", "link.svg")
    os.mkfifo("pipe.svg")
    places = ["full.svg", "link.svg", "no/where.svg"]
    for place in ["./full.svg/", "lost.svg", "pipe.svg", "file/x.svg", "", "x/"]:
        refused_even_by_force("contacts", "ball.json", "-o", place)
    for words, option in [(("contacts", "ball.json"), "-o"), (("problem", "ball.json"), "-o"), (("solve", "p.h5"), "--csv"),
                          (("solve", "p.h5"), "--plot"), (("render", "r"), "-o"), (("report", "r"), "-o"),
                          (("plot", "r", "floor"), "-o"), (("plot", "r", "floor"), "--csv"),
                          (("export", "r", "--to", "csv"), "-o"), (("export", "r", "--to", "lammps"), "-o")]:
        for place in places:
            refused(*words, option, place, "--force")
    for place in ("file", "file/x", "pipe.svg", "lost.svg", ""):
        refused("run", "ball.json", "-o", place, "--force")
        refused("export", "r", "--to", "vtu", "-o", place, "--force")
        refused("export", "r", "--to", "povray", "-o", place, "--force")
        refused("render", "r", "--frames", "all", "-o", place, "--force")


def directories_of_exports_and_pictures_keep_what_others_put_there():
    run_ball(output={"frame_interval": 0.005, "contacts": True})
    for words, names in [(("export", "r", "--to", "vtu"), ["run.pvd", "spheres-00001.vtu", "solids-00007.vtu", "contacts-00000.vtu"]),
                         (("export", "r", "--to", "povray"), ["scene.pov", "scene.ini", "frame-00002.inc", "surfaces.inc"]),
                         (("render", "r", "--frames", "all", *SMALL), ["view.json", "frame-00001.png"])]:
        shutil.rmtree("d", ignore_errors=True)
        os.mkdir("d")
        for name in names:
            write(f"d/{name}")
            check_says(refused_even_by_force(*words, "-o", "d"), f"d/{name}")
            os.remove(f"d/{name}")
        write("d/notes.txt")
        scree(*words, "-o", "d")
        scree(*words, "-o", "d")
        scree(*words, "-o", "d", "--force")
        check_equal(read("d", "notes.txt").decode(), MINE, "d/notes.txt")
    # The view that pictures were drawn with may be read, and is not lost by that.
    refused("render", "r", "--frames", "all", "--size", "64x40", "--view", "d/view.json", "-o", "d", "--force")


def two_outputs_are_two_files():
    run_ball()
    scree("problem", "ball.json", "-o", "p.h5")
    for words, a, b in [(("plot", "r", "floor"), "-o", "--csv"), (("solve", "p.h5"), "--plot", "--csv")]:
        check_says(refused_even_by_force(*words, a, "x.svg", b, "x.svg"), "twice")
        check_says(refused_even_by_force(*words, a, "x.svg", b, "r/../x.svg"), "twice")


run_tests([a_run_takes_no_directory_with_files_of_others, a_run_replaces_only_files_that_it_listed,
           a_directory_without_its_marker_is_no_run, a_run_never_replaces_its_own_scene,
           a_run_never_replaces_what_its_scene_names, what_a_verb_reads_is_never_its_output,
           the_files_of_a_run_are_written_by_the_run_alone, files_of_others_are_replaced_by_force_alone,
           only_files_are_replaced_by_files, directories_of_exports_and_pictures_keep_what_others_put_there,
           two_outputs_are_two_files])
