#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""scree plot: curves in the picture lie where the numbers in probes.csv say, and so do the ticks."""
import math
import re
import struct
from command import *

NUMBER = r"-?\d+(?:\.\d+)?"
FULL, PALE = "1.4", "1"  # widths of lines


def write_run(directory, columns, rows):
    os.makedirs(directory, exist_ok=True)
    with open(os.path.join(directory, "probes.csv"), "w") as file:
        file.write(",".join(["time [s]", *columns]) + "\n")
        for row in rows:
            file.write(",".join("%.12g" % value for value in row) + "\n")


def usual_rows(count=201, phase=0.0):
    """Curves that are a little jagged: Cairo leaves out points in the middle of straight pieces."""
    for i in range(count):
        t, tooth = 2.0 * i / (count - 1), (-1) ** i
        yield (t, 300 * math.sin(3 * t + phase) + 5 * tooth, 0.02 * math.cos(3 * t) + 2e-4 * tooth,
               5 * math.exp(-3 * t) + t * t + 0.03 * tooth)


def usual_run(directory="out", **options):
    rows = list(usual_rows(**options))
    write_run(directory, ["floor.fz [N]", "floor.tx [N m]", "pile.mass [kg]"], rows)
    return rows


def paths(svg, width, join="round"):
    """The pieces of each line so wide: lists of points."""
    found = []
    for style, d in re.findall(r'<path style="([^"]*)" d="([^"]*)"', open(svg).read()):
        if f"stroke-width:{width};" not in style or f"stroke-linejoin:{join}" not in style:
            continue
        pieces = [re.findall(f"({NUMBER}) ({NUMBER})", piece) for piece in d.split("M") if piece.strip()]
        found.append([[(float(x), float(y)) for x, y in piece] for piece in pieces])
    return found


def frames(svg):
    """Left, top, right and bottom of each panel."""
    lines = [points for path in paths(svg, "0.8", "miter") for points in path if len(points) >= 4]
    return [(p[0][0], p[0][1], p[2][0], p[2][1]) for p in lines]


def levels(svg, frame):
    """Where horizontal lines of the grid cross a panel."""
    lines = [points for path in paths(svg, "0.8", "miter") for points in path if len(points) == 2]
    return sorted(a[1] for a, b in lines if a[1] == b[1] and a[0] == frame[0] and b[0] == frame[2]
                  and frame[1] <= a[1] <= frame[3])


def check_line(places, values, what):
    """Places on the page are one linear function of values; returns it. Cairo rounds to 1/256 of a point."""
    check_equal(len(places), len(values), f"points of {what}")
    low, high = values.index(min(values)), values.index(max(values))
    slope = (places[high] - places[low]) / (values[high] - values[low])
    offset = places[low] - slope * values[low]
    for place, value in zip(places, values):
        check(abs(place - (offset + slope * value)) < 0.02, f"{what}: {value} lies at {place}, not {offset + slope * value}")
    return lambda value: offset + slope * value, lambda place: (place - offset) / slope


def curves_lie_where_the_numbers_say():
    rows = usual_run()
    said = scree("plot", "out", "floor", "pile").stdout
    check_says(said, "out/plot.svg: 3 panels, 3 columns, 201 rows, t = 0 to 2 s")
    curves, panels = paths("out/plot.svg", FULL), frames("out/plot.svg")
    check_equal((len(curves), len(panels)), (3, 3), "curves and panels")
    for column, (curve, panel) in enumerate(zip(curves, panels), 1):
        check_equal(len(curve), 1, "pieces")
        across, _ = check_line([x for x, _ in curve[0]], [row[0] for row in rows], "time")
        check(abs(across(0) - panel[0]) < 0.02 and abs(across(2) - panel[2]) < 0.02, "time spans the frame")
        up, value_at = check_line([y for _, y in curve[0]], [row[column] for row in rows], f"column {column}")
        check(up(1) < up(0), "up is up")
        check(panel[1] <= min(y for _, y in curve[0]) and max(y for _, y in curve[0]) <= panel[3], "all is in the frame")
        # Ticks are at round numbers, as far apart as one another.
        ticks = [value_at(level) for level in levels("out/plot.svg", panel)]
        check(len(ticks) >= 3, f"only {ticks} are ticks")
        step = abs(ticks[1] - ticks[0])
        digit = step / 10 ** math.floor(math.log10(step) + 1e-3)
        check(min(abs(digit - d) for d in (1, 2, 5)) < 0.01, f"a step of {step}")
        for tick in ticks:
            check(abs(tick / step - round(tick / step)) < 0.01, f"a tick at {tick}, with a step of {step}")


def logarithmic_axes_are_logarithmic():
    rows = usual_run()
    scree("plot", "out", "pile", "--log", "xy", "-o", "log.svg")
    curve = paths("log.svg", FULL)[0][0]
    shown = [row for row in rows if row[0] > 0]
    check_line([x for x, _ in curve], [math.log10(row[0]) for row in shown], "log time")
    _, value_at = check_line([y for _, y in curve], [math.log10(row[3]) for row in shown], "log mass")
    for level in levels("log.svg", frames("log.svg")[0]):
        digit = 10 ** (value_at(level) % 1)
        check(min(abs(digit - d) for d in (1, 2, 5, 10)) < 0.05, f"a line of the grid at a digit of {digit}")
    scree("plot", "out", "floor.tx", "--log", "y", "-o", "half.svg")  # changes its sign
    check_equal(len(paths("half.svg", FULL)[0]), 2, "pieces above zero")


def another_column_may_be_across_and_a_part_of_the_time_shown():
    rows = usual_run()
    scree("plot", "out", "floor.fz", "--x", "pile.mass", "--from", 0.5, "--to", 1.5, "-o", "x.svg")
    curve, shown = paths("x.svg", FULL)[0][0], [row for row in rows if 0.5 <= row[0] <= 1.5]
    check_line([x for x, _ in curve], [row[3] for row in shown], "mass")
    check_line([y for _, y in curve], [row[1] for row in shown], "force")


def what_is_no_number_is_a_gap():
    rows = [list(row) for row in usual_rows()]
    for row in rows[50:70]:
        row[1] = math.nan
    rows[100][1] = rows[102][1] = math.inf  # the one between is alone: a dot
    write_run("out", ["floor.fz [N]", "floor.tx [N m]", "pile.mass [kg]"], rows)
    scree("plot", "out", "floor.fz", "-o", "gap.svg")
    pieces = paths("gap.svg", FULL)[0]
    check_equal([len(piece) for piece in pieces], [50, 30, 2, 98], "points of the pieces")
    check_equal(pieces[2][0], pieces[2][1], "a dot")


def gaussian_mean(rows, column, sigma, i):
    weights = [math.exp(-0.5 * ((row[0] - rows[i][0]) / sigma) ** 2) for row in rows]
    return sum(w * row[column] for w, row in zip(weights, rows)) / sum(weights)


def read_csv(path):
    lines = open(path).read().splitlines()
    return lines[0].split(","), [line.split(",") for line in lines[1:]]


def a_filter_is_drawn_over_the_data_and_written_as_numbers():
    rows, before = usual_run(), read("out", "probes.csv")
    scree("plot", "out", "floor", "--filter", 0.05, "-o", "f.svg", "--csv", "f.csv")
    check(read("out", "probes.csv") == before, "probes.csv has changed")
    names, table = read_csv("f.csv")
    check_equal(names, ["time [s]", "floor.fz [N]", "floor.tx [N m]"], "names")
    for i in range(25, len(rows) - 25, 7):  # away from the ends by 5 sigma
        for column in (1, 2):
            expected, largest = gaussian_mean(rows, column, 0.05, i), (320, 0.02)[column - 1]
            check(abs(float(table[i][column]) - expected) < 2e-4 * largest, f"{table[i]}, not {expected}")
    filtered, raw = paths("f.svg", FULL), paths("f.svg", PALE)
    check_equal((len(filtered), len(raw)), (2, 2), "curves")
    for column in (1, 2):
        up, _ = check_line([y for _, y in raw[column - 1][0]], [row[column] for row in rows], "raw data")
        _, time_at = check_line([x for x, _ in raw[column - 1][0]], [row[0] for row in rows], "time")
        for x, y in filtered[column - 1][0]:
            row = table[round(time_at(x) / 0.01)]
            check(abs(y - up(float(row[column]))) < 0.03, "the filtered curve is on the same axis")
    scree("plot", "out", "floor.fz", "--filter", 0.05, "--from", 1, "--csv", "part.csv")
    check_equal(read_csv("part.csv")[1], [row[:2] for row in table if float(row[0]) >= 1], "a part of the time")


def runs_are_laid_over_one_another():
    a, b = usual_run("deep/a"), usual_run("b,c", phase=0.5, count=150)
    said = scree("plot", "deep/a", "b,c", "floor", "-o", "two.svg", "--csv", "two.csv").stdout
    check_says(said, "2 panels, 2 columns of 2 runs")
    curves, panels = paths("two.svg", FULL), frames("two.svg")
    check_equal((len(curves), len(panels)), (4, 2), "curves and panels")
    places = [y for curve in curves[:2] for _, y in curve[0]]
    check_line(places, [row[1] for row in a + b], "both on one axis")
    names, table = read_csv("two.csv")
    check_equal(names[:2], ["run", "time [s]"], "names")
    check_equal((table[0][0], ",".join(table[-1][:2])), ("a", '"b,c"'), "runs")
    check_equal(len(table), len(a) + len(b), "rows")


def names_may_be_patterns():
    usual_run()
    for words, count in [(["floor"], 2), (["floor.fz"], 1), (["*"], 3), (["*.[ft]?"], 2), (["p?le"], 1),
                         (["floor.fz", "floor"], 2)]:
        check_equal(len(paths_of(words)), count, f"curves of {words}")


def paths_of(words):
    scree("plot", "out", *words, "-o", "names.svg")
    return paths("names.svg", FULL)


def a_picture_is_as_large_as_asked():
    usual_run()
    for size in ("900x700", "1600x1001"):
        scree("plot", "out", "floor", "--size", size, "-o", "a.PNG")
        header = open("a.PNG", "rb").read(24)
        check_equal(header[:8], b"\x89PNG\r\n\x1a\n", "signature")
        check_equal("%dx%d" % struct.unpack(">II", header[16:24]), size, "pixels")
    scree("plot", "out", "floor", "--size", "500x400", "-o", "a.svg")
    check_says(open("a.svg").read(), 'viewBox="0 0 500 400"')


def many_rows_make_a_small_file_that_keeps_the_peaks():
    rows = [[i * 1e-5, math.sin(i * 0.7)] for i in range(100000)]
    rows[31234][1], rows[71234][1] = 40.0, -30.0
    write_run("out", ["a.x [m]"], rows)
    scree("plot", "out", "a", "-o", "a.svg")
    check(os.path.getsize("a.svg") < 600000, f"{os.path.getsize('a.svg')} bytes")
    points, frame = paths("a.svg", FULL)[0][0], frames("a.svg")[0]
    for index, y in ((31234, min(y for _, y in points)), (71234, max(y for _, y in points))):
        x = next(px for px, py in points if py == y)
        check(abs(x - (frame[0] + (frame[2] - frame[0]) * index / 99999)) < 0.02, f"the peak at {x}")


def a_list_says_what_there_is():
    scree("run", PILE, "-o", "run", "--until", 0.1, "-q")
    text = scree("plot", "run", env=dict(os.environ, LC_ALL="C.UTF-8")).stdout
    check_says(text, "run: 27 columns, 21 rows, t = 0 to 0.1 s", "energy.kinetic", "dumbbell.vz", "m/s",
               "least", "largest")
    for line in text.splitlines()[2:]:
        check_equal(len(re.findall("[▁▂▃▄▅▆▇█]", line)), 28, f"blocks of {line!r}")
    check(scree("plot", "run", env=dict(os.environ, LC_ALL="C")).stdout.isascii(), "blocks on a plain terminal")
    scree("plot", "run", "energy", "count", "-o", "run.svg")
    check_equal(len(paths("run.svg", FULL)), 6, "curves")
    usual_run("ours")
    check_says(scree("plot", "run", "ours").stdout, "run: 27 columns", "\nours: 3 columns, 201 rows", "floor.tx",
               "0.02")


def a_plot_has_the_title_of_its_scene():
    """So the folder does not matter, and where the scene has no title the folder is the next best."""
    def drawn(directory, title=None, scene=True):
        usual_run(directory)
        if scene:
            with open(f"{directory}/scene.json", "w") as file:
                json.dump({} if title is None else {"title": title}, file)
        scree("plot", directory, "floor")
        return read(directory, "plot.svg")

    check(drawn("first", "Grains") == drawn("second", "Grains"), "the folder shows")
    check(drawn("first", "Grains") != drawn("first", "Stones"), "the title does not show")
    check(drawn("first", scene=True) == drawn("first", "") == drawn("deep/first", "first"), "without a title")
    os.unlink("first/scene.json")
    check(drawn("first", scene=False) == drawn("second", "first"), "without a scene")


def a_run_that_goes_on_shows_what_is_there():
    usual_run()
    whole = read("out", "probes.csv")
    with open("out/probes.csv", "wb") as file:
        file.write(whole[:-9])
    check_says(scree("plot", "out").stdout, "200 rows", "one more is being written")
    scree("plot", "out", "floor.fz", "-o", "a.svg")
    check_equal(len(paths("a.svg", FULL)[0][0]), 200, "points")
    with open("out/probes.csv", "wb") as file:
        file.write(whole[:whole.index(b"\n") + 1])
    check_says(scree("plot", "out").stdout, "0 rows")
    check_says(scree("plot", "out", "floor", code=BAD_INPUT).stderr, "no row in its probes.csv yet")


def names_of_any_kind_are_drawn():
    name = b"out\xff\xc3\xa9" + b"x" * 100
    os.mkdir(name)
    with open(os.path.join(name, b"probes.csv"), "wb") as file:
        file.write(b"time [s],<b>\xe2\x82.\xf0\x9f\x98\x80" + b"y" * 300 + b" [\xc2\xb5m],b.c [\xc2\xb5m]\n0,1,2\n1,2,4\n")
    subprocess.run([SCREE, b"plot", name, b"*", b"-o", b"a.svg"], check=True, stdout=subprocess.DEVNULL)
    check_equal(len(paths("a.svg", FULL)), 2, "curves")


def what_is_wrong_gets_a_sentence_and_writes_nothing():
    usual_run()
    usual_run("damaged")
    write_run("other", ["floor.fz [kN]"], [(0, 1), (1, 2)])
    write_run("negative", ["a.x [m]"], [(0, -1), (1, -2)])
    with open("damaged/probes.csv", "a") as file:
        file.write("3,4,five,6\n")
    os.mkdir("empty")
    before = sorted(os.listdir("."))
    for words, answer in [
        (["out", "flor"], 'out has no probe "flor"; did you mean "floor"?'),
        (["out", "floor.ft"], 'out has no column "floor.ft"; did you mean "floor.fz"?'),
        (["out", "*.q"], "`scree plot out` lists what it has"),
        (["out", "floor", "--x", "tim"], 'did you mean "time"?'),
        (["out", "floor", "--log", "z"], "--log is x, y or xy"),
        (["out", "floor", "--size", "10"], "--size 1600x1000"),
        (["out", "floor", "--size", "100x100"], "too small for 2 panels"),
        (["out", "floor", "--size", "99999x500"], "too large"),
        (["out", "floor", "--from", 5], "its rows go from 0 to 2 s"),
        (["out", "floor", "--from", 1, "--to", 0], "lies behind"),
        (["out", "floor", "--filter", 0], "positive number"),
        (["out", "floor", "-o", "a.jpg"], ".svg or .png"),
        (["out", "floor", "-o", "nowhere/a.svg"], "there is no directory nowhere"),
        (["out", "floor", "--csv", "nowhere/a.csv"], "there is no directory nowhere"),
        (["negative", "a", "--log", "y"], "no value of a.x is positive"),
        (["out", "other", "floor.fz"], "in another unit: [kN] and not [N]"),
        (["other", "negative", "floor"], 'negative has no column "floor.fz"'),
        (["damaged", "floor"], "damaged/probes.csv:203:5: expected a number, found 'five'"),
        (["empty", "floor"], "holds no probes.csv"),
        (["nowhere"], "there is no such directory"),
        ([], "plot needs DIR"),
    ]:
        process = scree("plot", *words, code=BAD_INPUT)
        check_says(process.stderr, "scree: ", answer)
        check_equal(process.stdout, "", f"stdout of {words}")
    check_equal(sorted(os.listdir(".")), before, "files")
    check_equal(os.listdir("out"), ["probes.csv"], "files of the run")


run_tests([curves_lie_where_the_numbers_say, logarithmic_axes_are_logarithmic,
           another_column_may_be_across_and_a_part_of_the_time_shown, what_is_no_number_is_a_gap,
           a_filter_is_drawn_over_the_data_and_written_as_numbers, runs_are_laid_over_one_another, names_may_be_patterns,
           a_picture_is_as_large_as_asked, many_rows_make_a_small_file_that_keeps_the_peaks, a_list_says_what_there_is,
           a_plot_has_the_title_of_its_scene, a_run_that_goes_on_shows_what_is_there,
           names_of_any_kind_are_drawn,
           what_is_wrong_gets_a_sentence_and_writes_nothing])
