# SPDX-License-Identifier: BSD-3-Clause
"""Other languages: a decimal comma, a dotless i, no UTF-8 at all. What comes out is the same, byte for byte."""
import fcntl
import functools
import os
import re
import shutil
import subprocess

from cases import Case
from judge import DONE, Place, judge, run
from verbs import VERBS

# Name -> source and character set for localedef, for those that are not always there.
LOCALES = {"C": None, "C.UTF-8": None, "de_DE.UTF-8": ("de_DE", "UTF-8"), "tr_TR.UTF-8": ("tr_TR", "UTF-8"),
           "de_DE.ISO-8859-1": ("de_DE", "ISO-8859-1")}
SHORT = ("run", "plot", "export_csv", "info", "check", "solve")


def locale_home(stage, name):
    """Where the locale is, made for the occasion; one that is not known here falls back to C, which must work too."""
    if LOCALES[name] is None or shutil.which("localedef") is None:
        return {}
    home = os.path.join(stage.home, "locales")
    made = os.path.join(home, name)
    os.makedirs(home, exist_ok=True)
    with open(os.path.join(home, "lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # it takes seconds: one worker makes it, the others wait
        if not os.path.isdir(made):
            subprocess.run(["localedef", "--no-archive", "-i", LOCALES[name][0], "-f", LOCALES[name][1], made],
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return {"LOCPATH": home}


def figures_of(text):
    return re.findall(r"-?\d[\d.e+-]*", text)


def one(verb, name, stage, where, chance):
    place = Place(stage, where)
    result = run(where, verb.words, {"LC_ALL": name, "LANG": name, "LANGUAGE": name, **locale_home(stage, name)})
    if verb.name == "plot_list" and figures_of(result.out) == figures_of(stage.printed[verb.name]):
        result.out = stage.printed[verb.name]  # little curves are drawn in what letters a terminal has
    judge(place, verb, result, codes=(DONE,))


def cases():
    for name in LOCALES:
        for verb in VERBS.values():
            yield Case(f"locales/{name}/{verb.name}", functools.partial(one, verb, name),
                       verb.name in SHORT and name.startswith("de_DE.U"))
