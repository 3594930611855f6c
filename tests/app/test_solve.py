#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Contact problems through the command: written, solved, shown; and read by others."""
import csv
import os
import sys
import xml.etree.ElementTree

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from command import *

SOLVERS = ["ags", "gs", "apgd", "jacobi", "bb", "newton", "auto"]


def rows_of(text):
    """The table that solve prints: solver -> numbers."""
    return {line.split()[0]: line.split()[1:] for line in text.splitlines() if line.split()[:1] and line.split()[0] in SOLVERS}


def make_problem(name="p.h5", at=0.3):
    text = scree("problem", PILE, "--at", at, "-o", name, "-j", 1).stdout
    check_says(text, f"{name}: the step at t = {at} s", "bodies", "contacts")


def info_says_what_a_problem_is():
    make_problem()
    check_says(scree("info", "p.h5").stdout, "p.h5: a contact problem", "of 1 ms at t = 0.3 s", "dynamic bodies", " of grains, ",
               "compliant; friction 0.", " to 0.6")


def every_solver_comes_near_the_answer():
    make_problem()
    text = scree("solve", "p.h5", "--solver", "all", "-n", 2000, "-j", 1).stdout
    check_says(text, "p.h5: a contact problem", "A pile with everything", "of 1 ms at t = 0.3 s", "warm, convex friction", "reference   newton, ", "residual")
    rows = rows_of(text)
    check_equal(sorted(rows), sorted(SOLVERS), "solvers")
    for name, numbers in rows.items():
        error = float(numbers[5])
        check(error < 1e-3, f"{name} ends at a velocity error of {error}:\n{text}")
        check(numbers[8] != "-" and int(numbers[8]) <= int(numbers[1]), f"{name} never comes to 1 %:\n{text}")


def the_step_of_a_run_is_the_one_that_follows_its_checkpoint():
    make_problem("scene.h5", 0.05)
    scree("run", PILE, "-o", "out", "--until", 0.05, "-q")
    before = read("out", "checkpoint.h5")
    scree("problem", "out", "-o", "run.h5")
    check(before == read("out", "checkpoint.h5"), "the run was changed")
    for name in ["scene.h5", "run.h5"]:
        with open(name, "rb") as file:
            check(len(file.read()) > 1000, f"{name} is too short")
    texts = [scree("solve", name, "-n", 50, "-j", 1).stdout.replace(name, "") for name in ["scene.h5", "run.h5"]]
    counted = [[line for line in text.splitlines() if "bodies" in line or "contacts" in line or "reference" in line] for text in texts]
    check_equal(counted[0], counted[1], "the same problem")
    check_says(scree("problem", "out", "--at", 0.01, code=BAD_INPUT).stderr, "already")
    check_says(scree("problem", "out", "--set", "time.end=3", code=BAD_INPUT).stderr, "--set")


def histories_and_plots_are_written():
    make_problem()
    scree("solve", "p.h5", "-s", "ags,apgd", "-n", 200, "-j", 1, "--cold", "--csv", "h.csv", "--plot", "h.svg")
    with open("h.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    for name in ["ags", "apgd"]:
        own = [row for row in rows if row["solver"] == name]
        passes = [int(row["passes"]) for row in own]
        check(len(own) > 20 and passes == sorted(passes), f"the history of {name}: {passes}")
        check(float(own[-1]["velocity error"]) < 0.1 * float(own[0]["velocity error"]), f"{name} does not converge")
    check(xml.etree.ElementTree.parse("h.svg").getroot().tag.endswith("svg"), "no SVG")
    scree("solve", "p.h5", "-n", 20, "-j", 1, "--plot", "h.PNG")
    with open("h.PNG", "rb") as file:
        check(file.read(8) == b"\x89PNG\r\n\x1a\n", "no PNG")


def an_answer_is_found_once():
    make_problem()
    check_says(scree("solve", "p.h5", "-n", 5, "-j", 1, "--keep").stdout, "residual")
    text = scree("solve", "p.h5", "-n", 500, "-j", 1).stdout
    check_says(text, "as kept in the file")
    check(float(rows_of(text)["ags"][5]) < 1e-4, text)
    check_says(scree("solve", "p.h5", "--friction", "coulomb", "-n", 500, "-j", 1).stdout, "Coulomb friction", "residual")


def results_do_not_depend_on_threads():
    make_problem()
    runs = []
    for threads in [1, 2, 3]:
        scree("solve", "p.h5", "-s", "all", "-n", 30, "--reference", 30, "-j", threads, "--csv", "h.csv", "--force")
        with open("h.csv", newline="") as file:
            runs.append([[v for k, v in row.items() if k != "seconds [s]"] for row in csv.DictReader(file)])
    check(runs[0] == runs[1] == runs[2], "histories differ")


def mistakes_get_a_sentence_and_write_nothing():
    make_problem()
    for words, answer in [
        (["solve"], "solve needs FILE"),
        (["solve", "nothing.h5"], "nothing.h5: cannot read"),
        (["solve", PILE], "cannot read"),
        (["solve", "p.h5", "--solver", "simplex"], 'there is no solver "simplex"'),
        (["solve", "p.h5", "--solver", "ags,ags"], "ags twice"),
        (["solve", "p.h5", "--solver", ""], "there is no solver"),
        (["solve", "p.h5", "--friction", "none"], "--friction is convex or coulomb"),
        (["solve", "p.h5", "--friction", "coulomb", "-s", "apgd"], "needs auto, newton, ags or gs"),
        (["solve", "p.h5", "--friction", "coulomb", "--keep"], "--keep"),
        (["solve", "p.h5", "--precision", "half"], "--precision is usual or double"),
        (["solve", "p.h5", "--iterations", "2.5"], "whole number"),
        (["solve", "p.h5", "--iterations", "1e30"], "whole number"),
        (["solve", "p.h5", "--tol", "-1"], "positive number"),
        (["solve", "p.h5", "--plot", "a.jpg"], ".svg or .png"),
        (["problem"], "problem needs SCENE|DIR"),
        (["problem", "nowhere.json"], "nowhere.json"),
        (["problem", PILE, "--at", "soon"], "positive number"),
        (["problem", PILE, "--set", "contact.lwa=rigid"], "contact"),
    ]:
        process = scree(*words, code=BAD_INPUT)
        check_says(process.stderr, "scree: ", answer)
    with open("p.h5", "rb") as file:
        whole = file.read()
    with open("cut.h5", "wb") as file:
        file.write(whole[:len(whole) // 2])
    check_says(scree("solve", "cut.h5", code=BAD_INPUT).stderr, "cut.h5: cannot read")
    check_equal(sorted(os.listdir(".")), ["cut.h5", "p.h5"], "files")
    check_says(scree("problem", PILE, "-o", "no/where.h5", code=BAD_INPUT).stderr, "no/where.h5 cannot be written")


def python_reads_fclibs_part():
    try:
        import h5py
        import numpy
    except ImportError:
        print("        (no h5py here)")
        return
    make_problem()
    scree("solve", "p.h5", "-n", 5, "-j", 1, "--keep")
    with h5py.File("p.h5", "r") as file:
        problem = file["fclib_global"]
        check_equal(int(problem["spacedim"][0]), 3, "dimension")
        check_equal(problem["info/title"][()], b"A pile with everything that a run can save", "title")

        def dense(name):
            m, n, p, i, x = (problem[name][key][()] for key in ["m", "n", "p", "i", "x"])
            matrix = numpy.zeros((int(m[0]), int(n[0])))
            for column in range(int(n[0])):
                matrix[i[p[column]:p[column + 1]], column] += x[p[column]:p[column + 1]]
            return matrix
        M, H = dense("M"), dense("H")
        f, w = (problem["vectors"][key][()] for key in ["f", "w"])
        v, u, r = (file["solution"][key][()] for key in ["v", "u", "r"])
    check(numpy.allclose(M, M.T), "M is not symmetric")
    check(numpy.abs(M @ v - H @ r - f).max() < 1e-12, "M v = H r + f does not hold")
    check(numpy.abs(H.T @ v + w - u).max() < 1e-12 * numpy.abs(u).max() + 1e-12, "u = H' v + w does not hold")


run_tests([info_says_what_a_problem_is, every_solver_comes_near_the_answer, the_step_of_a_run_is_the_one_that_follows_its_checkpoint,
           histories_and_plots_are_written, an_answer_is_found_once, results_do_not_depend_on_threads,
           mistakes_get_a_sentence_and_write_nothing, python_reads_fclibs_part])
