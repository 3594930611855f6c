#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""scree sweep: closed forms, the same bits again and after kills, runs that fail, what is added, refusals."""
import random
import shutil

from studies import *


def slide_study(frictions=FRICTIONS, **words):
    return study(vary={"parameters.friction": frictions, "parameters.speed": SPEEDS}, collect=[DISTANCE], **words)


def tables(directory):
    return [read(directory, name) for name in TABLES]


def a_grid_gives_the_closed_form():
    scree("sweep", slide_study(), "-o", "out", "-q")
    found = rows("out/study.csv")
    check_equal(len(found), 6, "points")
    for row, (mu, v) in zip(found, [(mu, v) for mu in FRICTIONS for v in SPEEDS]):
        check_equal((float(row["parameters.friction"]), float(row["parameters.speed"])), (mu, v), "point")
        expected, distance = v * v / (2 * mu * G), float(row["distance [m]"])
        check(abs(distance / expected - 1) < 0.03, f"{distance} m, not {expected}")
    check_equal(run_names("out"), [f"{k:04d}" for k in range(1, 7)], "runs")
    check_equal(json.loads(read("out/runs/0006", "scene.json"))["parameters"], {"speed": 1.1, "friction": 0.7}, "scene as run")
    check_says(read("out", "study.html").decode(), "<table>", "data:image/svg+xml;base64,", "made by scree")
    check(read("out", "study.png")[:4] == b"\x89PNG", "no picture")


def mistakes_get_a_sentence_and_nothing_is_written():
    def wrong(vary, *parts, **words):
        check_says(refused("sweep", study(vary=vary, collect=["bodies"], **words), "-o", "out"), "study.json:1:", *parts)
    wrong({"materials.block.frction": [1]}, 'unknown key "frction"; did you mean "friction"?')
    wrong({"materials.blok.friction": [1]}, 'no material "blok"; did you mean "block"?')
    wrong({"bodies[7].mass": [1]}, "there is no entry 7")
    wrong({"parameters.friction": []}, "is empty: there is no value to run")
    wrong({"materials.block.friction": [0.2, -1]}, '"friction" must be from 0')
    study(vary={"parameters.friction": [0.2, -1], "parameters.speed": [3]}, collect=["bodies"])
    check_says(refused("sweep", "study.json", "-o", "out"), "scene.json:1:", '"friction" must be from 0',
               "(with parameters.friction=-1 parameters.speed=3)")
    wrong({"time.end": ["soon"]}, "soon")
    wrong({"parameters.friction": [0.2]}, 'unknown key "grvity"', set={"grvity": [0, 0, 0]})
    check_says(refused("sweep", write("s.json", '{"scene": "none.json", "seeds": 2, "collect": ["bodies"]}'), "-o", "out"), "none.json")
    check_says(refused("sweep", study(vary={"seed": [1]}), "-o", "out"), 'needs "collect"')
    check_says(refused("sweep", study(collect=["bodies"]), "-o", "out"), "nothing varies")
    check_says(refused("fit", study(collect=["bodies"]), "-o", "out"), 'no "fit"')


def a_figure_that_is_none_stops_the_sweep_and_loses_nothing():
    said = scree("sweep", study(seeds=3, collect=["enrgy.kinetic"]), "-o", "out", "--jobs", 1, code=FAILED).stderr
    check_says(said, "study.json:1:", 'has no "enrgy"', 'did you mean "energy"?')
    check_equal(run_names("out"), ["0001"], "runs")
    before = moments("out")
    check_says(scree("sweep", study(seeds=3, collect=[{"probe": "blck.x"}]), "-o", "out", code=FAILED).stderr,
               'no column "blck.x"; did you mean "block.x"?')
    scree("sweep", study(seeds=3, collect=["energy.kinetic"]), "-o", "out", "-q")
    check_equal(moments("out")["0001"], before["0001"], "moment of the first run")


def again_and_elsewhere_the_bits_are_the_same():
    scree("sweep", slide_study(seeds=2), "-o", "out", "-q", "--jobs", 2)
    before, first, page = moments("out"), tables("out"), read("out", "study.html")
    os.remove("out/study.csv")
    scree("sweep", "study.json", "-o", "out", "-q")
    check_equal(moments("out"), before, "moments of runs: something was run again")
    check(tables("out") == first, "the tables are others")
    scree("sweep", "study.json", "-o", "other", "-q", "--jobs", 1, "--threads", 1)
    check(tables("other") == first, "the tables are others elsewhere")
    for name in ("study.svg", "study.html"):
        check(read("out", name) == read("other", name), f"{name} is another elsewhere")
    check(read("out", "study.html") == page, "the page is another")


def what_is_added_is_run_and_nothing_else():
    scree("sweep", slide_study([0.3, 0.7]), "-o", "out", "-q")
    before = moments("out")
    scree("sweep", slide_study([0.3, 0.5, 0.7]), "-o", "out", "-q")
    after = moments("out")
    check_equal({name: after[name] for name in before}, before, "moments of the runs that were there")
    check_equal(len(after), 6, "runs")
    scree("sweep", "study.json", "-o", "anew", "-q")
    check(read("out", "study.csv") == read("anew", "study.csv"), "the table is another than that of a study made at once")
    study(scene={**SLIDE, "gravity": [0, 0, -1.62]}, vary={"parameters.friction": [0.3]}, collect=[DISTANCE])
    scree("sweep", "study.json", "-o", "out", "-q")
    check_equal({name: moments("out")[name] for name in after}, after, "moments of runs of another scene")
    check_equal(rows("out/runs.csv")[0]["run"], "0007", "run of the changed scene")


def one_run_that_fails_does_not_stop_the_rest():
    study(vary={"gravity[2]": [-9.81, "exp(40*t)", -1.62]}, collect=[DISTANCE], scene={**SLIDE, "gravity": [0, 0, -G], "limits": {"speed": 50}})
    said = scree("sweep", "study.json", "-o", "out", code=FAILED).stderr
    check_says(said, "1 of 3 runs failed; the first is out/runs/0002: step ")
    check_equal([row["status"] for row in rows("out/runs.csv")], ["done", "failed", "done"], "states")
    check_equal([row["runs"] for row in rows("out/study.csv")], ["1", "0", "1"], "runs of points")
    check_equal(rows("out/study.csv")[1]["distance [m]"], "nan", "figure of the run that failed")
    check_says(read("out", "study.html").decode(), "Runs that failed")
    first = tables("out")
    scree("sweep", "study.json", "-o", "out", "-q", code=FAILED)
    check(tables("out") == first, "the tables are others")
    study(vary={"fills.0.count": [20, 100000]}, collect=["bodies"], scene=GRAINS)
    said = scree("sweep", "study.json", "-o", "filled", "-q", code=FAILED).stderr
    check_says(said, "1 of 2 runs failed", "100,000 were asked for")


def children_of(directory):
    """Processes of scree that work in a directory of the present one."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            words = read(f"/proc/{pid}", "cmdline").decode(errors="replace").split("\0")
            place = os.readlink(f"/proc/{pid}/cwd")
        except OSError:
            continue
        if words[0] == "scree" and place == os.getcwd() and any(word.startswith(f"{directory}/runs/") for word in words):
            found.append(int(pid))
    return found


def killed_at_random_moments_a_sweep_ends_with_the_same_table():
    study(scene=GRAINS, seeds=2, vary={"materials.stone.friction": [0.2, 0.4, 0.6]}, set={"output.checkpoint_minutes": 0.0005},
          collect=["energy.kinetic", "touching", {"probe": "energy.potential", "take": "mean"}])
    began = time.monotonic()
    scree("sweep", "study.json", "-o", "whole", "-q")
    life, chance, kills = (time.monotonic() - began) / 3, random.Random(3), 0
    while kills < 6:
        process = start("sweep", "study.json", "-o", "killed", "-q")
        try:
            process.wait(0.05 + chance.uniform(0, life))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            kills += 1
            continue
        if kills >= 2 or life < 0.01:
            break
        shutil.rmtree("killed")  # it was quicker than the kills: once more, with less time
        life, kills = life / 2, 0
    check(kills >= 2, f"only {kills} kills")
    scree("sweep", "study.json", "-o", "killed", "-q")
    check_equal(children_of("killed"), [], "processes that are left")
    for name in TABLES + ["study.svg", "study.html"]:
        check(read("killed", name) == read("whole", name), f"{name} is another after kills")


def an_interrupt_saves_all_runs():
    study(scene={**GRAINS, "time": {"step": 0.001, "end": 1e5}}, seeds=3, collect=["bodies"])
    process = start("sweep", "study.json", "-o", "out", "--jobs", "2")
    wait_until(lambda: all(os.path.exists(f"out/runs/000{k}/scene.json") for k in (1, 2)), "no run begins")
    check_says(scree("sweep", "study.json", "-o", "out", code=BAD_INPUT).stderr, "another scree is at work there")
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=TIMEOUT)
    check_equal(process.returncode, INTERRUPTED, f"exit code: {said}")
    check_says(said, "all runs are saved, and the same command goes on")
    check_equal([summary(f"out/runs/000{k}")["status"] for k in (1, 2)], ["interrupted"] * 2, "states")
    check_equal(run_names("out"), ["0001", "0002"], "runs that were begun")
    check_equal(children_of("out"), [], "processes that are left")
    process = start("sweep", "study.json", "-o", "out", "-q", "--jobs", "2")  # a kill makes the runs stop, too
    wait_until(lambda: len(children_of("out")) == 2, "the runs do not go on")
    process.kill()
    process.wait()
    wait_until(lambda: not children_of("out"), "runs outlive a sweep that was killed")


def a_job_array_does_the_same():
    slide_study([0.3, 0.7])
    scree("sweep", "study.json", "-o", "out", "--slurm", "--threads", 1)
    check_equal(run_names("out"), [], "runs")
    check_says(read("out", "study.slurm").decode(), "#SBATCH --array=1-4\n", "#SBATCH --cpus-per-task=1\n")
    tasks = [subprocess.Popen(["sh", "out/study.slurm"], env={**os.environ, "SLURM_ARRAY_TASK_ID": str(k)}) for k in (3, 1, 4, 2)]
    check_equal([task.wait(TIMEOUT) for task in tasks], [0] * 4, "exit codes of tasks")
    before = moments("out")
    scree("sweep", "study.json", "-o", "out", "-q")
    check_equal(moments("out"), before, "moments of runs")
    scree("sweep", "study.json", "-o", "plain", "-q")
    check(tables("out") == tables("plain"), "the tables are others")
    check_says(refused("sweep", "study.json", "-o", "out", "--run", 5), "the study has 4 runs")


def files_of_others_stay():
    slide_study([0.3])
    os.mkdir("mine")
    write("mine/study.csv")
    check_says(refused("sweep", "study.json", "-o", "mine"), "mine/study.csv is there and is no file of a study")
    scree("run", "scene.json", "-o", "run", "-q")
    check_says(refused("sweep", "study.json", "-o", "run"), "run holds a run")
    scree("sweep", "study.json", "-o", "out", "-q")
    os.rename("study.json", "out/study.slurm")
    check_says(refused("sweep", "out/study.slurm", "-o", "out"), "out/study.slurm would be replaced")
    write("out/notes.txt")
    study(vary={"parameters.friction": [0.4]}, collect=[DISTANCE])
    scree("sweep", "study.json", "-o", "out", "-q")
    check_equal(read("out", "notes.txt").decode(), MINE, "notes")


def progress_tells_all_runs():
    slide_study()
    shown = on_terminal("sweep", "study.json", "-o", "out").decode()
    check_says(shown, "of 6 runs done", "% ", "study.html")


run_tests([a_grid_gives_the_closed_form, mistakes_get_a_sentence_and_nothing_is_written,
           a_figure_that_is_none_stops_the_sweep_and_loses_nothing, again_and_elsewhere_the_bits_are_the_same,
           what_is_added_is_run_and_nothing_else, one_run_that_fails_does_not_stop_the_rest,
           killed_at_random_moments_a_sweep_ends_with_the_same_table, an_interrupt_saves_all_runs,
           a_job_array_does_the_same, files_of_others_stay, progress_tells_all_runs])
