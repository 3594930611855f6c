# SPDX-License-Identifier: BSD-3-Clause
"""What the command is asked to do while things go wrong: each verb on small material, and how to tell a right answer.

Words are relative to a case's own directory, which holds copies of the stage's material (stage.py): handful.json, a
finished run `whole`, a run `half` that was stopped half way, and problem.h5.
"""
import csv
import dataclasses
import io
import os
import re
import xml.etree.ElementTree

SCENE, HEAP = "handful.json", "heap.json"
END, HALF = "0.02", "0.01"  # s, as words

# Of a run directory, what its run writes itself.
RUN_FILES = ("scree-run.txt", "scene.json", "checkpoint.h5", "summary.json", "probes.csv", "trajectory.h5",
             "trajectory.xdmf")
RUN_NEEDED = ("scene.json", "checkpoint.h5")


@dataclasses.dataclass(frozen=True)
class Verb:
    name: str
    words: tuple
    outputs: tuple = ()  # files and directories that exit code 0 promises
    run: str = ""        # the run directory that it goes on with or makes

    @property
    def makes_run(self):
        return self.run != ""


def verb(name, text, *outputs, run=""):
    return Verb(name, tuple(text.split()), outputs, run)


PICTURE = "-s 64x48 --samples 1 -j 1"
VERBS = {v.name: v for v in (
    verb("run", f"run {SCENE} -o out -j 1", run="out"),
    verb("run_beside", f"run {SCENE} -o shelf -j 1", run="shelf"),  # a directory where others keep files
    verb("resume", f"resume half --until {END} -j 1", run="half"),
    verb("info", "info whole"),
    verb("info_checkpoint", "info half/checkpoint.h5"),
    verb("info_trajectory", "info whole/trajectory.h5"),
    verb("info_problem", "info problem.h5"),
    verb("render", f"render whole -o frame.png {PICTURE}", "frame.png"),
    verb("render_many", f"render whole -o frames --frames 0:2 {PICTURE}", "frames"),
    verb("plot", "plot whole energy floor -o plot.svg", "plot.svg"),
    verb("plot_list", "plot whole"),
    verb("plot_csv", "plot whole energy -o plot.png --csv plot.csv", "plot.png", "plot.csv"),
    verb("report", "report whole -o report.html", "report.html"),
    verb("export_povray", "export whole --to povray -o povray", "povray"),
    verb("export_vtu", "export whole --to vtu -o vtu", "vtu"),
    verb("export_lammps", "export whole --to lammps -o dump.txt", "dump.txt"),
    verb("export_csv", "export whole --to csv -o table.csv", "table.csv"),
    verb("problem", "problem half -o step.h5 -j 1", "step.h5"),
    verb("solve", "solve problem.h5 -n 40 --reference 100 --csv trials.csv --plot trials.svg -j 1", "trials.csv",
         "trials.svg"),
    verb("contacts", f"contacts {SCENE} -o contacts.csv -j 1", "contacts.csv"),
    verb("contacts_list", f"contacts {SCENE} -j 1"),
    verb("check", f"check {SCENE}"),
    verb("check_run", "check half/scene.json"),
)}


def without_seconds(data):
    """A table of trials as rows, but for the column of wall clock times."""
    rows = list(csv.reader(io.StringIO(data.decode())))
    column = rows[0].index("seconds [s]")
    return [row[:column] + row[column + 1:] for row in rows]


def is_well_formed(name, data):
    """Whether a file is complete of its kind, whatever it says: for answers about damaged material."""
    try:
        if name.endswith((".svg", ".vtu", ".pvd", ".xdmf")):
            xml.etree.ElementTree.fromstring(data)
        elif name.endswith(".png"):
            return data.startswith(b"\x89PNG\r\n\x1a\n") and data[-8:-4] == b"IEND"
        elif name.endswith(".html"):
            return data.rstrip().endswith(b"</html>")
        elif name.endswith(".csv"):
            rows = csv.reader(io.StringIO(data.decode("utf-8", "replace")))
            return data.endswith(b"\n") and len({len(row) for row in rows}) == 1
        elif name.endswith(".h5"):
            return data.startswith(b"\x89HDF\r\n\x1a\n")
        return len(data) > 0
    except (xml.etree.ElementTree.ParseError, csv.Error):
        return False


def same_file(name, data, reference):
    """Whether two files say the same. Wall clock times, and when an HDF5 file was written, may differ."""
    if name == "trials.csv":
        return data.endswith(b"\n") and without_seconds(data) == without_seconds(reference)
    if name in ("trials.svg", "step.h5"):  # curves against time; a problem: the judge solves it
        return is_well_formed(name, data)
    return data == reference


def mask_numbers(text):
    """What was printed, but for figures and the width of columns: durations differ from one time to the next."""
    return re.sub(r"\s+", " ", re.sub(r"[-+]?\d[\d.,]*(e[-+]?\d+)?( ?(ns|us|ms|s|min|h)\b)?", "#", text))


def tree(path):
    """The files of a file or a directory: name -> bytes."""
    if os.path.isfile(path):
        with open(path, "rb") as file:
            return {os.path.basename(path): file.read()}
    found = {}
    for folder, _, names in os.walk(path):
        for name in names:
            whole = os.path.join(folder, name)
            with open(whole, "rb") as file:
                found[os.path.relpath(whole, path)] = file.read()
    return found
