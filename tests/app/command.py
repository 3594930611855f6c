# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of the command share: running it, and comparing what two runs left behind."""
import fcntl
import hashlib
import json
import os
import pty
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

SCREE = os.environ["SCREE"]
DIGEST = os.path.join(os.environ["SCREE_BUILD"], "bin", "frame_digest")
SCENES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "scenes")
PILE = os.path.join(SCENES, "pile.json")
SKIPPED = 77

DONE, FAILED, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130
TIMEOUT = 300  # s; sanitizers are slow


def scree(*arguments, code=DONE, **options):
    """Run the command to its end; its exit code must be `code`. Returns the finished process with its texts."""
    process = subprocess.run([SCREE, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                             timeout=TIMEOUT, **options)
    said = f"scree {' '.join(map(str, arguments))}\n--- stdout\n{process.stdout}--- stderr\n{process.stderr}"
    check(process.returncode == code, f"exit code {process.returncode}, not {code}: {said}")
    return process


def on_terminal(*arguments):
    """What the command writes to a terminal of 160 columns."""
    shown = b""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 160, 0, 0))
    process = subprocess.Popen([SCREE, *map(str, arguments)], stdout=theirs, stderr=theirs)
    os.close(theirs)
    while True:
        try:
            piece = os.read(ours, 4096)
        except OSError:  # the other end is closed
            break
        if not piece:
            break
        shown += piece
    process.wait(timeout=TIMEOUT)
    os.close(ours)
    return shown


def check(truth, what):
    if not truth:
        raise AssertionError(what)


def check_equal(a, b, what):
    check(a == b, f"{what}: {a!r} is not {b!r}")


def check_says(text, *parts):
    for part in parts:
        check(part in text, f"{part!r} is missing in:\n{text}")


def summary(directory):
    with open(os.path.join(directory, "summary.json")) as file:
        return json.load(file)


def read(directory, name):
    with open(os.path.join(directory, name), "rb") as file:
        return file.read()


def frames(directory):
    return subprocess.run([DIGEST, directory], check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()


def check_same_run(a, b):
    """Two runs that must not be told apart: state, probes and frames."""
    check_equal(summary(a)["state_hash"], summary(b)["state_hash"], "state hash")
    check_equal(summary(a)["steps"], summary(b)["steps"], "steps")
    check(read(a, "probes.csv") == read(b, "probes.csv"), "probes.csv differs")
    check_equal(frames(a), frames(b), "frames")


MINE = "mine, and nobody else's\n"
BALL = {"time": {"step": 0.001, "end": 0.01},
        "bodies": [{"name": "floor", "kind": "fixed", "shapes": [{"plane": {}}]},
                   {"name": "ball", "position": [0, 0, 0.1], "shapes": [{"sphere": {"radius": 0.1}}]}],
        "probes": [{"name": "floor", "kind": "body_force", "body": "floor"}],
        "output": {"frame_interval": 0.005}}


def write(path, text=MINE):
    with open(path, "w") as file:
        file.write(text)
    return path


def write_ball(path="ball.json", **changes):
    """A scene of a ball on the floor that runs in no time."""
    return write(path, json.dumps({**BALL, **changes}))


def everything():
    """All that lies under the present directory: names, links and contents."""
    found = {}
    for top, directories, files in os.walk("."):
        for name in directories + files:
            path = os.path.join(top, name)
            if os.path.islink(path):
                found[path] = "to " + os.readlink(path)
            elif os.path.isfile(path):
                found[path] = hashlib.sha256(read(top, name)).hexdigest()
            else:
                found[path] = "directory"
    return found


def refused(*arguments):
    """The command says why and changes nothing. Returns what it said, a sentence and at most where to look for more."""
    before = everything()
    process = scree(*arguments, code=BAD_INPUT)
    said = f"scree {' '.join(map(str, arguments))}\n{process.stderr}"
    check(1 <= process.stderr.count("\n") <= 2 and process.stderr.startswith("scree: "), "no sentence: " + said)
    check_equal(process.stdout, "", "stdout of " + said)
    after = everything()
    changed = sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))
    check_equal(changed, [], "what is changed by " + said)
    return process.stderr


def sanitized():
    return "sanitizers" in scree("--version").stdout


def no_core_dumps():
    import resource
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run_tests(tests):
    """Run each function in its own empty directory; report all failures, not only the first."""
    failed = 0
    for test in tests:
        start, home = time.monotonic(), os.getcwd()
        directory = tempfile.mkdtemp(prefix="scree-")
        try:
            os.chdir(directory)
            test()
            print(f"ok      {test.__name__} ({time.monotonic() - start:.1f} s)", flush=True)
        except Exception as error:  # a failed check, or a command that hung
            failed += 1
            print(f"FAILED  {test.__name__}: {error}", flush=True)
        finally:
            os.chdir(home)
            shutil.rmtree(directory, ignore_errors=True)
    sys.exit(1 if failed else 0)
