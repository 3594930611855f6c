#!/usr/bin/env python3
"""trajectory.xdmf opens in ParaView: the frames, shapes and numbers are those of the run. Needs pvpython.

With an argument, also leaves a picture of the last frame there: test_paraview.py pile.png
"""
import sys

from command import *

# Runs inside ParaView; prints one JSON object.
LOOK = r"""
import json, sys
from paraview.simple import *

reader = OpenDataFile(sys.argv[1])
times = list(reader.TimestepValues)
found = {"times": times, "frames": []}
for time in times:
    reader.UpdatePipeline(time)
    frame = {"points": 0, "radii": [], "volumes": [], "ids": 0}
    spheres, boxes = servermanager.Fetch(reader), None
    for block in range(spheres.GetNumberOfBlocks()):
        data = spheres.GetBlock(block)
        arrays = data.GetPointData()
        if arrays.GetArray("radius") is not None:
            frame["points"] = data.GetNumberOfPoints()
            frame["radii"] = list(arrays.GetArray("radius").GetRange())
            frame["speeds"] = arrays.GetArray("velocity").GetNumberOfComponents()
            frame["ids"] = len({arrays.GetArray("id").GetValue(i) for i in range(data.GetNumberOfPoints())})
            frame["materials"] = list(arrays.GetArray("material").GetRange())
            frame["first"] = list(data.GetPoint(0))
        else:
            boxes = data
    if boxes is not None:
        frame["kinds"] = sorted({boxes.GetCellType(i) for i in range(boxes.GetNumberOfCells())})
        frame["boxes"] = boxes.GetNumberOfCells()
        frame["box_bounds"] = list(boxes.GetBounds())
    found["frames"].append(frame)
print("LOOK", json.dumps(found))
if len(sys.argv) > 2:
    view = CreateView("RenderView")
    view.ViewSize = [900, 700]
    grains = Glyph(Input=reader, GlyphType="Sphere", ScaleArray=["POINTS", "radius"], ScaleFactor=2.0, GlyphMode="All Points")
    grains.GlyphType.ThetaResolution = grains.GlyphType.PhiResolution = 24
    shown = Show(grains, view)
    ColorBy(shown, ("POINTS", "velocity", "Magnitude"))
    boxes = Show(reader, view)
    boxes.SetRepresentationType("Surface With Edges")
    view.ViewTime = times[-1]
    view.CameraPosition, view.CameraFocalPoint, view.CameraViewUp = [0.5, -0.6, 0.4], [0, 0, 0.05], [0, 0, 1]
    Render(view)
    SaveScreenshot(sys.argv[2], view)
"""

HEXAHEDRON = 12  # VTK's number for it


def look(directory, *picture):
    with open("look.py", "w") as file:
        file.write(LOOK)
    process = subprocess.run(["pvpython", "--force-offscreen-rendering", "look.py", f"{directory}/trajectory.xdmf", *picture],
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=TIMEOUT)
    lines = [line for line in process.stdout.splitlines() if line.startswith("LOOK ")]
    check(len(lines) == 1, "ParaView said:\n" + process.stdout)
    return json.loads(lines[0][5:])


def paraview_sees_the_run():
    scree("run", PILE, "-o", "out", "--until", 0.3, "-q")
    found = look("out", *PICTURE)
    written = [line.split() for line in frames("out")]
    check_equal(found["times"], [float(line[0]) for line in written], "times")
    for seen, line in zip(found["frames"], written):
        check_equal(seen["points"], int(line[1]), f"spheres at t = {line[0]} s")
        check_equal(seen["boxes"], int(line[2]), f"boxes at t = {line[0]} s")
        check_equal(seen["kinds"], [HEXAHEDRON], "kinds of cells")
        check(0.004 - 1e-6 < seen["radii"][0] and abs(seen["radii"][1] - 0.01) < 1e-6, f"radii {seen['radii']}")
        check_equal(seen["speeds"], 3, "components of velocity")
        check_equal(seen["ids"], seen["points"] - 1, "bodies: the dumbbell has two spheres")
        check_equal(seen["materials"], [0, 1], "materials")
    # The gate ends at x = 0.085 m, y = 0.1 m and z = 0.1 m; the paddle lies within, the dumbbell above.
    bounds = found["frames"][0]["box_bounds"]
    for value, expected in zip(bounds, [-0.06, 0.085, -0.1, 0.1, 0.0]):
        check(abs(value - expected) < 1e-6, f"boxes reach from {bounds}")


if shutil.which("pvpython") is None:
    print("pvpython is not installed")
    sys.exit(SKIPPED)
PICTURE = [os.path.abspath(name) for name in sys.argv[1:2]]
run_tests([paraview_sees_the_run])
