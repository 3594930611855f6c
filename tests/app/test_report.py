#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""scree report: pages are whole, keep to their budget and escape every name; in a browser they show what was computed."""
import math
import re
import shutil

from command import *

BROWSER_TESTS = os.path.join(os.path.dirname(SCENES), "..", "web", "report.mjs")
CHROMIUM = next(filter(None, map(shutil.which, ["chromium", "chromium-browser", "google-chrome"])), None)
NASTY_TITLE = '</script><script>window.hit=1</script> & "quotes" <!--'
NASTY_BODY = "</script><img src=x onerror=hit=1>"
VELOCITY = [0.2, -0.1, 0.3]  # m/s
SPIN = 5.0  # rad/s


def write(name, text):
    with open(name, "w") as file:
        file.write(text)


def run(name, scene):
    write(f"{name}.json", json.dumps(scene))
    scree("run", f"{name}.json", "-o", name, "-q")


def drift(grains, **more):
    """Grains that nothing pulls at, and a body of the scene's list among them."""
    return {
        "title": NASTY_TITLE,
        "time": {"step": 0.005, "end": 0.5},
        "gravity": [0, 0, 0],
        "materials": {"<i>stone</i>": {"density": 2500, "friction": 0.5}},
        "bodies": [{"name": NASTY_BODY, "position": [-0.3, 0, 0], "velocity": VELOCITY, "shapes": [{"sphere": {"radius": 0.05}}]}],
        "fills": [{"region": {"box": {"low": [0, 0, 0], "high": [0.8, 0.8, 0.8]}}, "radius": 0.01, "count": grains, "velocity": VELOCITY}],
        "probes": [{"name": "<b>place</b>", "kind": "body_state", "body": NASTY_BODY}, {"name": "energy", "kind": "energy"}],
        "output": {"frame_interval": 0.05, "probe_interval": 0.01},
        **more,
    }


def lattice(side, spacing):
    """Grains in known places, for grain number i (from 0): spacing times (i mod side, i/side mod side, i/side^2); and a
    box that spins about z."""
    places = [(i % side, i // side % side, i // side**2) for i in range(side**3)]
    rows = [",".join(f"{number:.9g}" for number in [*(spacing * n for n in place), 0.01, *VELOCITY]) for place in places]
    write("lattice.csv", "\n".join(["x,y,z,r,vx,vy,vz", *rows]) + "\n")
    scene = drift(1, fills=[], tables=[{"file": "lattice.csv"}])
    scene["bodies"].append({"name": "spinner", "position": [-0.3, 0.5, 0.2], "spin": [0, 0, SPIN], "shapes": [{"box": {"size": [0.1, 0.1, 0.1]}}]})
    return scene


def lattice_at_rest(side, spacing):
    """Grains that nothing pulls at, at rest on the lattice of lattice(), and a ball that runs into them."""
    places = [(i % side, i // side % side, i // side**2) for i in range(side**3)]
    write("rest.csv", "\n".join(["x,y,z,r", *(",".join(f"{number:.9g}" for number in [*(spacing * n for n in place), 0.45 * spacing]) for place in places)]) + "\n")
    scene = drift(1, fills=[], tables=[{"file": "rest.csv"}])
    middle = 0.5 * (side - 1) * spacing
    scene["bodies"][0].update(position=[-0.15, middle, middle], velocity=[2, 0, 0])
    return scene


FASTEST = 0.3  # m/s, of shaken grains


def shaken():
    """Grains that all go to and fro with FASTEST sin^2(pi t / T): at rest whenever a quarter of the run is over."""
    end, period = 0.4, 0.1
    scene = drift(200, time={"step": 0.0005, "end": end}, gravity=[f"{FASTEST * math.pi / period} * sin({2 * math.pi / period} * t)", 0, 0],
                  output={"frame_interval": 0.01, "probe_interval": 0.01})
    scene["bodies"] = [
        {"name": "hills", "kind": "fixed", "position": [0.4, 0.4, -0.5],
         "shapes": [{"heightfield": {"heights": [[0, 0.1, 0], [0, 0.2, 0.1], [0.1, 0.1, 0]], "spacing": [0.5, 0.5]}}]},
        {"name": "wall", "kind": "fixed", "position": [1.5, 0.4, 0.3], "shapes": [{"box": {"size": [0.02, 1, 1]}}]},
        {"name": "tube", "kind": "fixed", "position": [-0.5, -0.3, 0], "shapes": [{"cylinder": {"radius": 0.2, "length": 0.6}}],
         "appearance": {"colour": "#ff0080", "opacity": 0.3}},
        {"name": "ghost", "kind": "fixed", "position": [-90, 0, 0], "shapes": [{"box": {"size": [1, 1, 1]}}], "appearance": {"visible": False}}]
    scene["fills"][0]["velocity"] = [0, 0, 0]
    scene["probes"] = [{"name": "energy", "kind": "energy"}]
    scene["view"] = {"path": [{"time": 0, "eye": [4, -3, 2], "target": [0, 0, 0]}, {"time": end, "eye": [-3, -4, 1], "target": [0.5, 0, 0]}],
                     "field_of_view": 33}
    return scene


def driven_robot():
    """A vehicle that turns and is towed, for a moment."""
    return {"time": {"step": 0.001, "end": 0.12}, "materials": {"concrete": {"density": 2400, "friction": 0.8}},
            "bodies": [{"name": "floor", "kind": "fixed", "shapes": [{"plane": {}, "material": "concrete"}]}],
            "vehicles": [{"name": "robot", "file": os.path.join(os.path.dirname(SCENES), "..", "..", "vehicles", "robot.json"),
                          "drive": {"left": {"spin": 1}, "right": {"spin": 2}}}],
            "loads": [{"body": "robot chassis", "force": [-100, 0, 0]}]}


def refused(code, words, *arguments, **options):
    """The command ends with this code and says these words; no page is left behind, whole or half."""
    process = scree("report", *arguments, code=code, **options)
    check_says(process.stderr, "scree: ", words)
    check_equal(process.stdout, "", "stdout")
    left = [name for _, _, names in os.walk(".") for name in names if ".html" in name]
    check_equal(left, [], f"pages after report {arguments}")


def damaged_runs_get_a_sentence_and_no_page():
    run("good", drift(50))
    refused(BAD_INPUT, "nowhere is not a run directory", "nowhere")
    os.mkdir("empty")
    refused(BAD_INPUT, "empty holds no run: there is no scene.json in it", "empty")
    refused(BAD_INPUT, "report needs DIR")
    refused(BAD_INPUT, "there is no directory elsewhere", "good", "-o", "elsewhere/a.html")
    refused(BAD_INPUT, "is no file", "good", "-o", "empty")
    refused(BAD_INPUT, "a budget of 0.1 MB is too small", "good", "--budget", "0.1")
    refused(BAD_INPUT, "no browser opens pages", "good", "--budget", "5000")
    refused(BAD_INPUT, "empty holds no run", "good", "empty", "-o", "both.html")
    trajectory = read("good", "trajectory.h5")
    rows = read("good", "probes.csv").decode().splitlines(True)
    for name, content, words in [
        ("summary.json", None, "there is no summary.json"),
        ("summary.json", b'{"status": "done",', "summary.json:1:"),
        ("summary.json", b"[1, 2]", "this is not a summary.json of scree"),
        ("scene.json", b"\xff\xfe", "scene.json:1:"),
        ("trajectory.h5", b"no HDF5", "trajectory.h5: cannot read"),
        ("trajectory.h5", trajectory[: len(trajectory) // 3], "trajectory.h5"),
        ("probes.csv", "".join(rows[:3] + ["0.03,1,2\n"] + rows[4:]).encode(), "probes.csv:4:9: expected 17 numbers, found 3"),
        ("probes.csv", "".join(rows[:3] + [rows[3].replace(",", ",x", 1)] + rows[4:]).encode(), "expected a number, found"),
    ]:
        shutil.copytree("good", "bad")
        os.remove(f"bad/{name}")
        if content is not None:
            with open(f"bad/{name}", "wb") as file:
                file.write(content)
        refused(BAD_INPUT, words, "bad")
        shutil.rmtree("bad")


def a_full_disk_leaves_no_half_page():
    import resource
    run("good", drift(50))
    refused(FAILED, "report.html: the page cannot be written: File too large", "good",
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100000, 100000)))


def a_row_that_a_kill_cut_off_does_not_count():
    run("good", drift(50))
    with open("good/probes.csv", "a") as file:
        file.write("0.51,0.1")
    scree("report", "good")
    check_says(page_of("good/report.html"), '"rows":51,"rows_total":51')


def page_of(path):
    with open(path) as file:
        return file.read()


def names_are_escaped_and_budgets_kept():
    run("many", drift(9000))
    said = scree("report", "many", "-o", "all.html").stdout
    check_says(said, "all.html: ", "MB")
    text = page_of("all.html")
    data = text[text.index('<script type="text/plain" id="probes-0">'):text.index('id="page">')]
    tags = re.findall(r"<[^>]*>", data)
    wrong = [tag for tag in tags if not re.fullmatch(r'</script>|<script type="(text/plain|application/json)" id="[\w-]+">|<script type="application/json" ', tag)]
    check_equal(wrong, [], "markup among the data")
    scree("report", "many", "-o", "few.html", "--budget", "1.5")
    size = os.path.getsize("few.html")
    check(1.2e6 < size < 1.5e6, f"{size} bytes")


def the_same_run_gives_the_same_page():
    run("good", drift(50))
    scree("report", "good", "-o", "a.html")
    scree("report", "good", "-o", "b.html", env=dict(os.environ, OMP_NUM_THREADS="1"))
    check(page_of("a.html") == page_of("b.html"), "pages differ")


def browsers_show_what_was_computed():
    run("drift", lattice(14, 0.05))
    run("slow", drift(400, time={"step": 0.005, "end": 0.3}))
    scree("run", PILE, "-o", "pile", "-q", "--until", 0.4)
    run("still", {"time": {"step": 0.01, "end": 0.02}, "output": {"frame_interval": 0}})
    run("many", drift(9000))
    scree("run", PILE, "-o", "rough", "-q", "--until", 0.05, "--set", "solver.method=ags", "--set", "solver.max_iterations=2")
    run("shaken", shaken())
    run("robot", driven_robot())
    run("rests", lattice_at_rest(20, 0.05))
    for name in ["drift", "pile", "still", "rough", "shaken", "robot", "rests"]:
        scree("report", name)
    scree("report", "drift", "slow", "-o", "both.html")
    scree("report", "many", "-o", "few.html", "--budget", "1.5")
    tests = [
        ["filter"],
        ["seam"],
        ["cells"],
        ["detail"],
        ["rests", "rests/report.html", 20, 0.05],
        ["plots", "pile/report.html", "pile/probes.csv"],
        ["motion", "drift/report.html", 14, 0.05, VELOCITY, SPIN],
        ["names", "drift/report.html", NASTY_TITLE, NASTY_BODY],
        ["thinning", "few.html", "9000", "11"],
        ["comparison", "both.html", "drift", "slow"],
        ["keyboard", "pile/report.html"],
        ["looks", "pile/report.html"],
        ["scale", "shaken/report.html", FASTEST],
        ["camera", "shaken/report.html", 33, [0, [4, -3, 2], [0, 0, 0]], [20, [0.5, -3.5, 1.5], [0.25, 0, 0]], [40, [-3, -4, 1], [0.5, 0, 0]]],
        ["terrain", "shaken/report.html"],
        ["appearance", "shaken/report.html", {"id": 3, "shape": 4, "colour": [1, 0, 0.2159], "opacity": 0.3}, 4],
        ["cursor", "pile/report.html"],
        ["paper", "pile/report.html"],
        ["warnings", "rough/report.html", "rough/summary.json", "still/report.html"],
        ["mobility", "robot/report.html", "robot/summary.json", "still/report.html"],
        ["still", "still/report.html"],
    ]
    write("tests.txt", "\n".join(map(json.dumps, tests)))
    process = subprocess.run(["node", BROWSER_TESTS, "tests.txt"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                             env=dict(os.environ, CHROMIUM=CHROMIUM), timeout=TIMEOUT)
    print(process.stdout, end="")
    check(process.returncode == 0, "the page in a browser; see above")


def skip(why):
    print(f"skipped: {why}")
    sys.exit(SKIPPED)


TESTS = [damaged_runs_get_a_sentence_and_no_page, a_full_disk_leaves_no_half_page, a_row_that_a_kill_cut_off_does_not_count,
         names_are_escaped_and_budgets_kept, the_same_run_gives_the_same_page]
if "reports    yes" not in scree("--version").stdout:
    skip("this build has no page of reports: Node.js, npm or its registry was missing")
if shutil.which("node") and CHROMIUM:
    run_tests([*TESTS, browsers_show_what_was_computed])
try:
    run_tests(TESTS)
except SystemExit as end:
    if end.code != 0:
        raise
skip("no browser looked at the pages: Node.js or Chromium is missing (scripts/setup test installs them)")
