#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Files and names that mean harm, or are damaged: a sentence, never a crash, and nothing that a terminal or ffmpeg obeys."""
import glob
import shutil as tools

from command import *

ESCAPE = "\x1b]0;gotcha\x07\x1b[2J"


def scene_with(**parts):
    return {"time": {"end": 0.01}, "materials": {"stone": {}}, "output": {"frame_interval": 0},
            "bodies": [{"name": "a", "shapes": [{"sphere": {"radius": 0.1}}]}], **parts}


def write(name, scene):
    with open(name, "w") as file:
        json.dump(scene, file)
    return name


def control_characters_do_not_reach_the_terminal():
    hostile = {"title": scene_with(title=ESCAPE), "name": scene_with(bodies=[{"name": ESCAPE, "shapes": [{"sphere": {"radius": 1}}]}]),
               "key": scene_with(materials={ESCAPE: {}}), "c1": scene_with(title="\u009b2J"), "return": scene_with(title="a\rb"),
               "unknown": {**scene_with(), ESCAPE: 1}}
    for what, scene in hostile.items():
        for verb in ("check", "info", "contacts"):
            shown = on_terminal(verb, write(f"{what}.json", scene))
            check_says(shown.decode(), f"{what}.json:1:")
            for character in (b"\x1b", b"\x07", b"\xc2\x9b"):
                check(character not in shown, f"{what}: {shown!r}")
    check_says(scree("check", write("raw.json", scene_with()), "--set", 'title="\\u001b[2J"', code=BAD_INPUT).stderr, "control character")
    check_says(on_terminal("check", ESCAPE + ".json").decode(), "?]0;gotcha??[2J")  # a name that is not there
    scree("check", write("plain.json", scene_with(title="Grüße, 砂\tund\nmehr")))
    scree("run", "plain.json", "-o", "run", "-q")
    with open("run/summary.json") as file:
        figures = json.load(file)
    write("run/summary.json", {**figures, "title": ESCAPE, "status": ESCAPE, "reason": ESCAPE, "warnings": [ESCAPE, 1], "notes": ESCAPE})
    check(b"\x1b" not in on_terminal("info", "run"), "the summary reaches the terminal")


def a_movie_may_have_any_name():
    os.mkdir("bin")  # a stand-in that says what it was asked for, and makes the file
    with open("bin/ffmpeg", "w") as file:
        file.write('#!/bin/sh\ncat > /dev/null\nfor last; do :; done\necho "$last" >> "$ASKED"\necho movie > "${last#file:}"\n')
    os.chmod("bin/ffmpeg", 0o755)
    scree("run", PILE, "-o", "run", "--until", 0.04, "-q")
    environment = {**os.environ, "PATH": os.path.abspath("bin") + ":" + os.environ["PATH"], "ASKED": os.path.abspath("asked")}
    for name in ("-y.mp4", "http:x.mp4", "concat:a|b.mp4"):
        scree("render", "run", "--output=" + name, "--size", "32x24", "--samples", "1", "--force", env=environment)
        check(os.path.exists(name), f"{name} is not there")
    with open("asked") as file:
        asked = file.read().splitlines()
    check_equal(len(asked), 3, "movies")
    check(all(name.startswith("file:") for name in asked), f"ffmpeg would obey one of {asked}")
    check_equal(glob.glob("*.tmp"), [], "left over")


def damaged_checkpoints_and_trajectories_are_refused_with_a_sentence():
    scree("run", PILE, "-o", "run", "--until", 0.05, "-q")
    for name in ("checkpoint.h5", "trajectory.h5"):
        whole = read("run", name)
        for k in range(24):
            at = len(whole) * k // 24 + 13 * k
            tools.rmtree("bad", ignore_errors=True)
            tools.copytree("run", "bad")
            with open(os.path.join("bad", name), "r+b") as file:
                file.seek(at % len(whole))
                file.write(bytes(byte ^ 0xff for byte in whole[at % len(whole):][:64]))
            for verb in (["resume", "bad", "--until", "0.06", "-q"], ["info", "bad"], ["export", "bad", "-o", f"out{k}.csv", "--force"]):
                process = subprocess.run([SCREE, *verb], capture_output=True, text=True, timeout=TIMEOUT)
                check(process.returncode in (DONE, FAILED, BAD_INPUT), f"{verb}, byte {at}: {process.returncode}: {process.stderr}")
                check(process.returncode != DONE or verb[0] != "resume" or name != "checkpoint.h5", f"byte {at} was not missed")
                check("crashed" not in process.stderr, f"{verb}, byte {at}: {process.stderr}")
        check_equal(read("run", name), whole, "the whole one")


def a_crash_is_a_sentence():
    if sanitized():
        return  # which say more themselves
    for number, core in ((signal.SIGSEGV, False), (signal.SIGABRT, False), (signal.SIGBUS, False), (signal.SIGSEGV, True)):
        tools.rmtree("run", ignore_errors=True)
        process = subprocess.Popen([SCREE, "run", PILE, "-o", "run", "--until", "100"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                   text=True, preexec_fn=no_core_dumps, env={**os.environ, **({"SCREE_CORE": "1"} if core else {})})
        while not os.path.exists("run/scene.json"):
            time.sleep(0.05)
        time.sleep(0.3)
        process.send_signal(number)
        said = process.communicate(timeout=TIMEOUT)[1]
        if core:
            check_equal(process.returncode, -number, "left to the system")
            continue
        check_equal(process.returncode, FAILED, "exit code")
        check_says(said, f"scree: crashed in `scree run {PILE} ...`", "the last checkpoint is whole: `scree resume run`")
        scree("resume", "run", "--until", 0.1, "-q")


run_tests([control_characters_do_not_reach_the_terminal, a_movie_may_have_any_name,
           damaged_checkpoints_and_trajectories_are_refused_with_a_sentence, a_crash_is_a_sentence])
