#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The exit code depends on what went wrong, not on the verb: one table, verbs times faults.

0 done, 1 failed while running, 2 bad input and nothing written, 130 interrupted."""
import resource

from command import *

SMALL = ["--size", "48x30", "--samples", 1]
SOLVE = ["-n", 2, "--reference", 2]

# What each verb is called with: what it reads, the words that make it work, and how it is told where to write. %s is the
# place of the input.
SCENE, RUN, PROBLEM, PART, BED, STUDY = "ball.json", "r", "p.h5", "part.obj", "b.h5", "study.json"
VERBS = [
    # verb, input, words, output
    ("run", SCENE, ["run", "%s", "-j", 1], "-o"),
    ("resume", RUN, ["resume", "%s", "--until", 0.02], None),
    ("check", SCENE, ["check", "%s"], None),
    ("contacts", SCENE, ["contacts", "%s"], "-o"),
    ("bed", RUN, ["bed", "%s", "--group", "default"], "-o"),
    ("bed", BED, ["bed", "%s", "--shift", "1,0,0"], "-o"),
    ("info", SCENE, ["info", "%s"], None),
    ("info", RUN, ["info", "%s"], None),
    ("render", RUN, ["render", "%s", *SMALL], "-o"),
    ("render", RUN, ["render", "%s", "--frames", "all", *SMALL], "-o"),
    ("report", RUN, ["report", "%s"], "-o"),
    ("plot", RUN, ["plot", "%s", "floor"], "-o"),
    ("plot", RUN, ["plot", "%s", "floor"], "--csv"),
    ("export", RUN, ["export", "%s", "--to", "csv"], "-o"),
    ("export", RUN, ["export", "%s", "--to", "lammps"], "-o"),
    ("export", RUN, ["export", "%s", "--to", "vtu"], "-o"),
    ("export", RUN, ["export", "%s", "--to", "povray"], "-o"),
    ("problem", SCENE, ["problem", "%s"], "-o"),
    ("problem", RUN, ["problem", "%s"], "-o"),
    ("solve", PROBLEM, ["solve", "%s", *SOLVE], "--csv"),
    ("solve", PROBLEM, ["solve", "%s", *SOLVE], "--plot"),
    ("sweep", STUDY, ["sweep", "%s", "-j", 1], "-o"),
    ("spheres", PART, ["spheres", "%s", "-j", 1], "-o"),
]
if "reports    no" in scree("--version").stdout:
    VERBS = [row for row in VERBS if row[0] != "report"]
BAD_VALUES = {"bed": ["--scale", "large"], "info": ["too", "many"], "render": ["--size", "48"], "report": ["--budget", "-1"], "plot": ["--from", "soon"],
              "export": ["--frames", "some"]}


TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"


def command(row, source=None, output=None):
    verb, usual, words, option = row
    words = [source or usual if word == "%s" else word for word in words]
    return words + ([option, output] if option is not None and output is not None else [])


def outputs(row):
    """A name that suits the verb."""
    many = "--frames" in row[2] or "vtu" in row[2] or "povray" in row[2] or row[0] in ("run", "sweep")
    return "x" if many else "x.png" if row[0] == "render" else "x.spheres" if row[0] == "spheres" else "x.svg"


def prepare(**changes):
    write_ball(**changes)
    scree("run", SCENE, "-o", RUN, "-q")
    scree("problem", SCENE, "-o", PROBLEM)
    write(PART, TETRAHEDRON)
    write(STUDY, json.dumps({"scene": SCENE, "vary": {"time.end": [0.01]}, "collect": ["bodies"]}))
    scree("bed", RUN, "--group", "default", "-o", BED)
    os.mkdir("empty")


def remove(*names):
    for name in names:
        if os.path.isdir(name):
            shutil.rmtree(name)
        elif os.path.exists(name):
            os.remove(name)


def wrong_words_are_bad_input():
    prepare()
    for row in VERBS:
        check_says(refused(*command(row), "--treads", "2"), "no option --treads")
        check_says(refused(*command(row), "-Z"), "no option -Z")
        check_says(refused(row[0]), "needs")
        refused(*command(row), *BAD_VALUES.get(row[0], ["-j", "none"]))


def what_cannot_be_read_is_bad_input():
    prepare()
    for name in ("unreadable.json", "unreadable.h5"):
        os.chmod(write(name), 0)
    for row in VERBS:
        refused(*command(row, source="missing"))
        refused(*command(row, source="missing/too"))
        refused(*command(row, source="empty"))  # a directory, but not of a run
        if row[1] != SCENE:
            refused(*command(row, source=SCENE) if row[0] not in ("info", "problem") else ["resume", SCENE])
        if row[1] != RUN and os.geteuid() != 0:
            refused(*command(row, source="unreadable.h5" if row[1] in (PROBLEM, BED) else "unreadable.json"))


def what_is_damaged_is_bad_input():
    prepare()
    write("broken.json", '{"time": {"end": 1},')
    write("broken.h5", "no HDF5")
    write("broken.obj", TETRAHEDRON[:-8])
    whole = {name: read(RUN, name) for name in os.listdir(RUN)}
    harmed = {"resume": "checkpoint.h5", "info": "checkpoint.h5", "problem": "checkpoint.h5", "bed": "checkpoint.h5", "render": "trajectory.h5",
              "export": "trajectory.h5", "report": "trajectory.h5", "plot": "probes.csv"}
    for row in VERBS:
        if row[1] in (SCENE, STUDY):
            refused(*command(row, source="broken.json"))
        elif row[1] in (PROBLEM, BED):
            refused(*command(row, source="broken.h5"))
        elif row[1] == PART:
            refused(*command(row, source="broken.obj"))
        else:
            path = os.path.join(RUN, harmed[row[0]])
            write(path, "no such thing")
            refused(*command(row))
            with open(path, "wb") as file:
                file.write(whole[harmed[row[0]]])


def a_place_that_cannot_be_written_is_bad_input():
    prepare()
    for row in VERBS:
        if row[3] is None:
            continue
        refused(*command(row, output=f"{SCENE}/{outputs(row)}"))
        refused(*command(row, output=f"/proc/nowhere/{outputs(row)}"))
        refused(*command(row, output=SCENE if outputs(row) == "x" else "empty"))
        refused(*command(row, output="x" * 5000))


def a_full_disk_is_a_failure():
    """No file may grow beyond what the start of one takes: as on a full disk, writing fails half way.

    LLVM's OpenMP runtime, of the thread sanitizer, writes 1,024 bytes as it starts; so every file must be larger."""
    balls = [{"name": f"ball {k}", "position": [k, 0, 0.1], "shapes": [{"sphere": {"radius": 0.1}}]} for k in range(40)]
    prepare(bodies=[BALL["bodies"][0], *balls], time={"step": 0.001, "end": 0.1})

    def no_room():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024))
    for row in VERBS:
        if row[3] is None:
            continue
        words = [60 if word == 2 else word for word in command(row, output=outputs(row))]  # of solve: a longer table
        process = scree(*words, code=FAILED, preexec_fn=no_room)
        check_says(process.stderr, "scree: ", "x")
        check(not os.path.isfile(outputs(row)), f"half a file: {row}")
        remove("x")


def what_was_printed_and_lost_is_a_failure():
    prepare()
    rows = [command(row, output=outputs(row)) for row in VERBS]
    rows.append(["contacts", SCENE])
    for words in rows + [["help"], ["help", "run"], ["run", "--help"], ["--version"]]:
        for closed in (False, True):
            remove("x", "x.svg", "x.png", "x.spheres")
            if words[0] == "resume":
                scree("run", SCENE, "-o", RUN, "-q", "-j", 1, "--force")
            with open("/dev/full", "w") as full:
                process = subprocess.run([SCREE, *map(str, words)], stdout=None if closed else full, stderr=subprocess.PIPE,
                                         text=True, timeout=TIMEOUT, preexec_fn=(lambda: os.close(1)) if closed else None)
            said = f"scree {words}, {'closed' if closed else '/dev/full'}: {process.stderr}"
            check_equal(process.returncode, FAILED, "exit code of " + said)
            check_says(process.stderr, "scree: not all that was printed could be written to standard output")
            if words[0] == "help":
                check_says(process.stderr, "Bad file descriptor" if closed else "No space left on device")
        if words[0] == "run" and words[1] == SCENE:  # the run itself is whole
            check_equal(summary("x")["status"], "done", "status")


def a_reader_that_goes_away_is_none():
    prepare()
    for words in (["help"], ["check", SCENE], ["info", RUN], ["contacts", SCENE], ["solve", PROBLEM, *SOLVE]):
        closed, pipe = os.pipe()
        os.close(closed)
        process = subprocess.run([SCREE, *map(str, words)], stdout=pipe, stderr=subprocess.PIPE, text=True, timeout=TIMEOUT)
        os.close(pipe)
        check_equal(process.returncode, DONE, f"exit code of scree {words}: {process.stderr}")


def what_diverges_is_a_failure():
    scene = os.path.join(SCENES, "falling_up.json")
    check_says(scree("run", scene, "-o", "r", code=FAILED).stderr, "scree: step ")
    check_says(scree("resume", "r", code=FAILED).stderr, "scree: step ")
    check_says(scree("problem", scene, "--at", 1, code=FAILED).stderr, "scree: step ")
    check_equal(sorted(os.listdir(".")), ["r"], "files")


def wait_for_handler(process):
    """Until then an interrupt is the shell's affair."""
    end = time.monotonic() + 60
    caught = 0
    while not caught & 1 << (signal.SIGINT - 1):
        check(time.monotonic() < end and process.poll() is None, "the command has ended")
        with open(f"/proc/{process.pid}/status") as file:
            caught = next(int(line.split()[1], 16) for line in file if line.startswith("SigCgt"))
        time.sleep(0.01)


def an_interrupt_is_told_apart():
    write_ball(time={"step": 0.001, "end": 1e6})
    scree("run", SCENE, "-o", "r", "-q", "--until", 0.01)
    for words in (["run", SCENE, "-o", "x"], ["resume", "r", "--until", "1e6"], ["problem", SCENE, "--at", "1e6"]):
        process = subprocess.Popen([SCREE, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        wait_for_handler(process)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=TIMEOUT)
        check_equal(process.returncode, INTERRUPTED, f"exit code of {words}: {said}")


run_tests([wrong_words_are_bad_input, what_cannot_be_read_is_bad_input, what_is_damaged_is_bad_input,
           a_place_that_cannot_be_written_is_bad_input, a_full_disk_is_a_failure, what_was_printed_and_lost_is_a_failure,
           a_reader_that_goes_away_is_none, what_diverges_is_a_failure, an_interrupt_is_told_apart])
