#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The command itself: help, versions, wrong words, check and info."""
import re

from command import *

VERBS = ["run", "resume", "check", "contacts", "info", "render", "report", "plot", "export"]


def help_lists_every_verb_and_every_verb_explains_itself():
    text = scree("help").stdout
    check_equal(text, scree("--help").stdout, "help and --help")
    for verb in VERBS:
        check_says(text, f"\n  {verb} ")
        help_text = scree("help", verb).stdout
        check_equal(help_text, scree(verb, "--help").stdout, f"help {verb} and {verb} --help")
        check_says(help_text, f"usage: scree {verb} ", "--help")
    check_says(scree(code=BAD_INPUT).stderr, "usage: scree")


def the_version_names_what_it_is_made_of():
    text = scree("--version").stdout
    check_says(text, "scree 0.", "HDF5 1.", "Jansson 2.", "Embree ", "threads")


def a_wrong_word_gets_the_nearest_right_one():
    for words, answer in [
        (["rnu", PILE], 'did you mean "run"?'),
        (["resum", "x"], 'did you mean "resume"?'),
        (["help", "chek"], 'did you mean "check"?'),
        (["xyzzy"], "scree help"),
        (["run", PILE, "--treads", "2"], "did you mean --threads?"),
        (["run", PILE, "--untill=3"], "did you mean --until?"),
        (["run", PILE, "-x"], "has no option -x"),
        (["run", PILE, "--force=yes"], "takes no value"),
        (["run", PILE, "--until"], "needs a value"),
        (["run", PILE, "--until", "soon"], 'needs a positive number, not "soon"'),
        (["run", PILE, "--until", "-1"], "needs a positive number"),
        (["run", PILE, "--until", "nan"], "needs a positive number"),
        (["run", PILE, "-j", "0"], "from 1 to"),
        (["run", PILE, "-j", "2.5"], "from 1 to"),
        (["run", PILE, "-j", "99999999999999999999"], "from 1 to"),
        (["run"], "run needs SCENE"),
        (["run", PILE, "more"], '"more" is too many'),
        (["resume"], "resume needs DIR"),
        (["info", "a", "b"], '"b" is too many'),
    ]:
        process = scree(*words, code=BAD_INPUT)
        check_says(process.stderr, "scree: ", answer)
        check_equal(process.stdout, "", f"stdout of {words}")
    check_equal(os.listdir("."), [], "files")


def check_says_what_a_scene_builds_and_writes_nothing():
    text = scree("check", PILE).stdout
    check_says(text, "204 (201 dynamic, 2 fixed, 1 kinematic)", "202 spheres, 3 boxes, 1 plane", "sand, steel",
               "1,000 steps", "51 frames", "201 rows of 27 probe columns", "memory", "time")
    check_says(scree("check", PILE, "--set", "parameters.grains=100").stdout, "104 (101 dynamic")
    check_says(scree("check", PILE, "--until", 0.1).stdout, "100 steps")
    process = scree("check", PILE, "--set", "materials.sand.friction=-1", code=BAD_INPUT)
    check_says(process.stderr, "scree: ", "friction")
    check_equal(os.listdir("."), [], "files")


def the_estimated_emission_is_what_comes():
    scree("run", PILE, "-o", "out", "--until", 0.4, "-q")
    about = scree("check", PILE, "--until", 0.4).stdout.split("about ")[1].split()[0]
    emitted = summary("out")["emitted"]["count"]
    check(abs(int(about) - emitted) <= 2, f"about {about}, but {emitted} came")


def info_knows_every_kind_of_file():
    scree("run", PILE, "-o", "out", "--until", 0.05, "-q")
    state = summary("out")["state_hash"]
    check_says(scree("info", "out").stdout, "a run", "done", "t = 0.05 s", state, "4, t = 0 to 0.05 s", "4 bodies")
    check_says(scree("info", "out/checkpoint.h5").stdout, "a checkpoint", state, "bodies", "contacts", "50 steps")
    check_says(scree("info", "out/trajectory.h5").stdout, "a trajectory", "4, t = 0 to 0.05 s", "spheres")
    check_says(scree("info", PILE).stdout, "a scene", "2 materials", "5 probes", "t = 1 s")
    check_says(scree("info", "nowhere", code=BAD_INPUT).stderr, "there is no such file")
    check_says(scree("info", ".", code=BAD_INPUT).stderr, "holds no run")
    with open("broken.h5", "w") as file:
        file.write("no HDF5")
    check_says(scree("info", "broken.h5", code=BAD_INPUT).stderr, "scree: broken.h5: cannot read")


def one_is_not_many():
    """In what is said of a run of one body, one step and one thread."""
    alone = write_ball("alone.json", bodies=[{"name": "ball", "shapes": [{"sphere": {"radius": 0.1}}]}], probes=[],
                       time={"step": 0.001, "end": 0.001})
    said = scree("check", alone, "-j", 1).stdout
    process = scree("run", alone, "-o", "out", "-j", 1)
    said += process.stdout + process.stderr + scree("info", "out").stdout + scree("info", "out/checkpoint.h5").stdout
    check_says(said, "1 body,", "1 step of 1 ms", "1 thread", "1 row ")
    wrong = re.findall(r"(?<![\d.,])1 (?:bodies|steps|threads|contacts|frames|rows|materials|entries)", said)
    check_equal(wrong, [], "more than one of one")


def screen_of_a_run(columns, locale):
    """What a terminal so wide sees of a run that is interrupted after some seconds."""
    parent, child = pty.openpty()
    fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    out = f"out{columns}"
    process = subprocess.Popen([SCREE, "run", PILE, "-o", out, "--until", "100"], stdout=subprocess.DEVNULL,
                               stderr=child, env=dict(os.environ, LC_ALL=locale))
    os.close(child)
    seen = b""
    while seen.count(b"\r") < 5:
        seen += os.read(parent, 4096)
    process.send_signal(signal.SIGINT)
    try:
        while True:
            seen += os.read(parent, 4096)
    except OSError:  # the terminal is gone with the process
        pass
    check_equal(process.wait(TIMEOUT), INTERRUPTED, "exit code")
    check_says(seen.decode(), f"\r\033[Kscree: interrupted; `scree resume {out}` continues")
    return seen.decode()


def a_terminal_gets_a_bar_that_fits_and_goes_away():
    for columns, locale, words in [(160, "C.UTF-8", ["▕", "left", "t = ", "bodies", "contacts", "iterations", "error"]),
                                   (80, "C", ["[", "]", " t ", "bodies", "contacts", " it "]),
                                   (30, "C", ["[", "%"])]:
        screen = screen_of_a_run(columns, locale)
        check_says(screen, *words)
        bars = [part.split("\033[K")[0] for part in screen.split("\r") if "%" in part]
        check(max(map(len, bars)) < columns, f"a line of {max(map(len, bars))} characters in {columns} columns: {bars}")


run_tests([help_lists_every_verb_and_every_verb_explains_itself, the_version_names_what_it_is_made_of,
           a_wrong_word_gets_the_nearest_right_one, check_says_what_a_scene_builds_and_writes_nothing,
           the_estimated_emission_is_what_comes, info_knows_every_kind_of_file, one_is_not_many,
           a_terminal_gets_a_bar_that_fits_and_goes_away])
