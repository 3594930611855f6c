# SPDX-License-Identifier: BSD-3-Clause
"""The nth call fails: every kind of call, under every verb, all the way through its work."""
import functools
import os
import tempfile

from cases import Case, spread
from judge import Place, judge, require, run
from stage import INJECT, read_counts
from verbs import VERBS

ERRORS = {"write": ("ENOSPC", "EIO"), "fsync": ("EIO", "ENOSPC"), "rename": ("EIO", "ENOSPC"),
          "open": ("EMFILE", "EACCES"), "close": ("EIO", "ENOSPC"), "malloc": ("ENOMEM",), "read": ("EIO",)}

# How many places of a verb's work are tried for each kind of call.
RUNS = {"write": 60, "fsync": 24, "rename": 24, "open": 32, "close": 24, "malloc": 120, "read": 16}
READERS = {"open": 4, "close": 3, "malloc": 24, "read": 12}
WRITERS = {"write": 5, "fsync": 2, "rename": 2, "open": 8, "close": 6, "malloc": 32, "read": 12}
MANY = {"write": 12, "fsync": 6, "rename": 6, "open": 12, "close": 8, "malloc": 32, "read": 12}
# Fontconfig reads its settings in thousands of calls, and some sixty that fail in a row would once draw another font.
PLOTS = {**WRITERS, "malloc": 480}
POINTS = {"run": RUNS, "resume": RUNS, "plot": PLOTS,
          **{name: MANY for name in ("run_beside", "render_many", "export_povray", "export_vtu", "problem")}}
SHORT = ("run", "resume", "render", "plot", "report", "export_vtu", "problem", "solve", "contacts", "check", "info")


def with_fault(fault, counts):
    """Words of the environment that put a fault (inject.c) into the command."""
    return {"LD_PRELOAD": INJECT, "SCREE_FAULT_COUNTS": counts, **({"SCREE_FAULT": fault} if fault else {})}


def count_calls(stage, name, words):
    """How many calls of each kind the command makes when none fails; asked once."""
    path = os.path.join(stage.home, f"{name}.counts")
    if not os.path.exists(path):
        place = Place(stage, os.path.join(tempfile.mkdtemp(dir=stage.home), name))
        own = f"{path}.{os.getpid()}"
        run(place.where, words, with_fault("", own))
        os.replace(own, path)
    return read_counts(path)


def nth_of(stage, verb, call, point, points):
    """Libraries take memory before main begins, more often than some verbs later: a fifth of the places is there."""
    total = count_calls(stage, verb.name, verb.words)[call]
    if call != "malloc":
        return spread(total, point, points), total
    early = count_calls(stage, "version", ["--version"])[call]
    if point % 5 == 4:
        return spread(early, point, points), total
    return early + spread(total - early, point, points), total


def one(verb, call, point, points, stage, where, chance):
    nth, total = nth_of(stage, verb, call, point, points)
    if total == 0:
        return
    lasting = "+" if point // 2 % 2 == 1 else ""
    fault = f"{call}:{nth}{lasting}:{ERRORS[call][point % len(ERRORS[call])]}"
    place, counts = Place(stage, where), where + ".counts"
    result = run(where, verb.words, with_fault(fault, counts))
    result.words = (f"[SCREE_FAULT={fault}]", *result.words)
    require(read_counts(counts)["hits"] > 0 or nth > total - 2, f"the fault never came: {result}")
    judge(place, verb, result, noise=call == "malloc")


def cases():
    for verb in VERBS.values():
        table = POINTS.get(verb.name, WRITERS if verb.outputs else READERS)
        for call, points in table.items():
            for point in range(points):
                short = verb.name in SHORT and point == points // 2 and call != "read"
                yield Case(f"calls/{verb.name}/{call}/{point + 1}of{points}",
                           functools.partial(one, verb, call, point, points), short, needs_inject=True)
