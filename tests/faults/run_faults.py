#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Everything that can go wrong around the command, on purpose: the cases of all families, judged by judge.py.

    run_faults.py                    all cases            (make faults)
    run_faults.py --short            the few that `make test` runs
    run_faults.py --only NAME        one case, or all whose names begin so
    run_faults.py --count, --list    how many there are, or their names

$SCREE is the command, $SCREE_BUILD the build directory; by default those of build/release.
"""
import argparse
import collections
import concurrent.futures
import multiprocessing
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time

import calls
import damage
import disks
import kills
import locales
import signals
import stage as staging
import starts
from judge import Fault

FAMILIES = (calls, kills, disks, damage, signals, starts, locales)
REPORT_EVERY = 10.0  # s
SCRATCH_BYTES = 1 << 30
OWN_MOUNTS = "SCREE_FAULTS_OWN_MOUNTS"
ALL = {case.name: case for family in FAMILIES for case in family.cases()}
STAGE = None  # set before the workers are forked off


def choose(options):
    chosen = [case for case in ALL.values() if case.short or not options.short]
    if options.only:
        chosen = [case for case in chosen if case.name == options.only or case.name.startswith(options.only)]
    if options.without_injection:
        chosen = [case for case in chosen if not case.needs_inject]
    return chosen


def run_case(name):
    """In a worker: None if all was well, else what was not."""
    case, where = ALL[name], os.path.join(STAGE.home, name.replace("/", "-"))
    began = time.monotonic()
    try:
        case.run(STAGE, where, case.chance())
        return name, None, time.monotonic() - began
    except (Fault, OSError, ValueError, subprocess.SubprocessError) as error:
        what = str(error) if isinstance(error, Fault) else f"{type(error).__name__}: {error}"
        return name, what, time.monotonic() - began
    finally:
        shutil.rmtree(where, ignore_errors=True)


def take_own_mounts():
    """Begin anew in a name space of mounts of our own, if we may: small disks then go away with us, however we end."""
    unshare = shutil.which("unshare")
    if os.geteuid() != 0 or unshare is None or OWN_MOUNTS in os.environ:
        return
    if subprocess.run([unshare, "--mount", "true"], stderr=subprocess.DEVNULL).returncode == 0:
        os.environ[OWN_MOUNTS] = "1"
        os.execv(unshare, [unshare, "--mount", sys.executable, *sys.argv])


def may_mount():
    place = tempfile.mkdtemp(prefix="scree-mount-")
    try:
        tried = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", place], stderr=subprocess.DEVNULL)
        if tried.returncode == 0:
            subprocess.run(["umount", place], check=True)
        return tried.returncode == 0
    except OSError:
        return False
    finally:
        os.rmdir(place)


def scratch_directory():
    """In memory if there is room: thousands of cases bring their files to the disk at every step."""
    memory = "/dev/shm"
    roomy = "TMPDIR" not in os.environ and os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > SCRATCH_BYTES
    return tempfile.mkdtemp(prefix="scree-faults-", dir=memory if roomy else None)


def rerun(name):
    return f"SCREE_BUILD={staging.BUILD} {os.path.relpath(os.path.abspath(__file__))} --only {name}"


def run_all(chosen, workers):
    failed, slow, done, last = [], [], 0, time.monotonic()
    with concurrent.futures.ProcessPoolExecutor(workers, multiprocessing.get_context("fork")) as pool:
        for name, what, seconds in pool.map(run_case, [case.name for case in chosen], chunksize=1):
            done += 1
            slow.append((seconds, name))
            if what is not None:
                failed.append(name)
                print(f"FAILED  {name}: {what}\n        {rerun(name)}", flush=True)
            if time.monotonic() - last > REPORT_EVERY:
                last = time.monotonic()
                print(f"        {done} of {len(chosen)} cases, {len(failed)} failed; {name}", flush=True)
    return failed, sorted(slow, reverse=True)


def count_families(names):
    counted = collections.Counter(name.split("/")[0] for name in names)
    return ", ".join(f"{count} {family}" for family, count in counted.items())


def main():
    global STAGE
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--only", metavar="NAME")
    parser.add_argument("--without-injection", action="store_true", help="no preloaded library, for sanitizers")
    parser.add_argument("--count", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    options = parser.parse_args()
    chosen = choose(options)
    if options.count or options.list:
        print(len(chosen) if options.count else "\n".join(case.name for case in chosen))
        return 0

    take_own_mounts()
    began = time.monotonic()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    print(f"{len(chosen)} cases of faults: {count_families(case.name for case in chosen)}", flush=True)
    if not may_mount():
        there = len(chosen)
        chosen = [case for case in chosen if not case.needs_root]
        print(f"no right to mount small disks: {there - len(chosen)} cases are left out", flush=True)
    home = scratch_directory()
    try:
        STAGE = staging.Stage(home)
        STAGE.make()
        failed, slow = run_all(chosen, options.workers)
    finally:
        shutil.rmtree(home, ignore_errors=True)
    if failed:
        print(f"failed: {count_families(failed)}")
    slowest = ", ".join(f"{name} {seconds:.1f} s" for seconds, name in slow[:3])
    print(f"slowest: {slowest}; {time.monotonic() - began:.0f} s in all")
    print(f"{len(chosen) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
