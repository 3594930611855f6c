#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""trajectory.xdmf opens in ParaView: the frames, shapes and numbers are those of the run. Needs pvpython.

With an argument, also leaves a picture of the last frame there: test_paraview.py pile.png
"""
import sys

from command import *

# Runs inside ParaView; prints one JSON object.
LOOK = r"""
import json, sys
from paraview.simple import *

path, maker, picture = sys.argv[1], sys.argv[2], sys.argv[3:]
reader = XDMFReader(FileNames=[path]) if maker == "XDMFReader" else globals()[maker](FileName=path)


def grids(data):
    kind = data.GetClassName()
    if kind == "vtkMultiBlockDataSet":
        return [grid for k in range(data.GetNumberOfBlocks()) for grid in grids(data.GetBlock(k))]
    if kind == "vtkMultiPieceDataSet":
        return [grid for k in range(data.GetNumberOfPieces()) for grid in grids(data.GetPiece(k))]
    return [data]


def look_at_parts(parts):
    numbers = parts.GetPointData()
    shapes, half = numbers.GetArray("shape"), numbers.GetArray("half")
    return {"shapes": [shapes.GetValue(k) for k in range(parts.GetNumberOfPoints())],
            "rotation": numbers.GetArray("rotation").GetNumberOfComponents(),
            "half": [list(half.GetTuple(k)) for k in range(parts.GetNumberOfPoints())]}


def look(spheres, boxes, *parts):
    numbers = spheres.GetPointData()
    ids = numbers.GetArray("id")
    return {"points": spheres.GetNumberOfPoints(), "cells": spheres.GetNumberOfCells(),
            "radii": list(numbers.GetArray("radius").GetRange()),
            "velocity": numbers.GetArray("velocity").GetNumberOfComponents(),
            "ids": len({ids.GetValue(k) for k in range(spheres.GetNumberOfPoints())}),
            "materials": list(numbers.GetArray("material").GetRange()),
            "boxes": boxes.GetNumberOfCells(), "bounds": list(boxes.GetBounds()),
            "kinds": sorted({boxes.GetCellType(k) for k in range(boxes.GetNumberOfCells())}),
            "parts": [look_at_parts(grid) for grid in parts]}


found = {"times": list(reader.TimestepValues), "frames": []}
for time in found["times"]:
    reader.UpdatePipeline(time)
    found["frames"].append(look(*grids(servermanager.Fetch(reader))))
print("LOOK", json.dumps(found))
if picture:
    view = CreateView("RenderView")
    view.ViewSize = [900, 700]
    spheres = TrivialProducer()  # of the two grids only the spheres have a radius
    spheres.GetClientSideObject().SetOutput(grids(servermanager.Fetch(reader))[0])
    grains = Glyph(Input=spheres, GlyphType="Sphere", ScaleArray=["POINTS", "radius"], ScaleFactor=2.0,
                   GlyphMode="All Points", OrientationArray=["POINTS", "No orientation array"])
    grains.GlyphType.ThetaResolution = grains.GlyphType.PhiResolution = 24
    ColorBy(Show(grains, view), ("POINTS", "velocity", "Magnitude"))
    Show(reader, view).SetRepresentationType("Surface With Edges")
    view.ViewTime = found["times"][-1]
    view.CameraPosition, view.CameraFocalPoint, view.CameraViewUp = [0.25, -0.5, 0.35], [0.05, 0, 0.04], [0, 0, 1]
    Render(view)
    SaveScreenshot(picture[0], view)
"""

# The same for lines of contacts, and for a series of .vtu: what there is at each time.
LOOK_AT_GRIDS = r"""
import json, sys
from paraview.simple import *

path, maker = sys.argv[1:3]
reader = PVDReader(FileName=path) if maker == "PVDReader" else \
    XDMFReader(FileNames=[path]) if maker == "XDMFReader" else globals()[maker](FileName=path)


def grids(data):
    kind = data.GetClassName() if data is not None else ""
    if kind == "vtkMultiBlockDataSet":
        return [grid for k in range(data.GetNumberOfBlocks()) for grid in grids(data.GetBlock(k))]
    if kind == "vtkMultiPieceDataSet":
        return [grid for k in range(data.GetNumberOfPieces()) for grid in grids(data.GetPiece(k))]
    return [data] if data is not None else []


def look(grid):
    force, radius = grid.GetCellData().GetArray("force"), grid.GetPointData().GetArray("radius")
    return {"points": grid.GetNumberOfPoints(), "cells": grid.GetNumberOfCells(),
            "corners": sorted({grid.GetCell(k).GetNumberOfPoints() for k in range(grid.GetNumberOfCells())}),
            "force": [force.GetTuple(k) for k in range(grid.GetNumberOfCells())] if force else None,
            "radii": list(radius.GetRange()) if radius else None}


found = {"times": list(reader.TimestepValues), "frames": []}
for time in found["times"]:
    reader.UpdatePipeline(time)
    found["frames"].append([look(grid) for grid in grids(servermanager.Fetch(reader))])
print("LOOK", json.dumps(found))
"""

READERS = ["Xdmf3ReaderS", "Xdmf3ReaderT", "XDMFReader"]  # ParaView has three and lets the user choose
HEXAHEDRON = 12  # VTK's number for it


def look(directory, reader, *picture, script=LOOK, name="trajectory.xdmf"):
    with open("look.py", "w") as file:
        file.write(script)
    screen = ["xvfb-run", "-a"] if picture and shutil.which("xvfb-run") else []  # Debian's ParaView draws on X only
    process = subprocess.run([*screen, "pvpython", "look.py", f"{directory}/{name}", reader, *picture],
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=TIMEOUT)
    lines = [line for line in process.stdout.splitlines() if line.startswith("LOOK ")]
    check(process.returncode == 0 and len(lines) == 1, "ParaView said:\n" + process.stdout)
    return json.loads(lines[0][5:])


def paraview_sees_the_run():
    scree("run", PILE, "-o", "out", "--until", 0.3, "-q")
    written = [line.split() for line in frames("out")]
    for reader in READERS:
        found = look("out", reader, *PICTURE)
        check_equal(found["times"], [float(line[0]) for line in written], "times")
        for seen, line in zip(found["frames"], written):
            check_equal(seen["points"], int(line[1]), f"spheres at t = {line[0]} s")
            check_equal(seen["cells"], int(line[1]), "cells of spheres")
            check_equal(seen["boxes"], int(line[2]), f"boxes at t = {line[0]} s")
            check_equal(seen["kinds"], [HEXAHEDRON], "kinds of cells")
            check(0.004 - 1e-6 < seen["radii"][0] and abs(seen["radii"][1] - 0.01) < 1e-6, f"radii {seen['radii']}")
            check_equal(seen["velocity"], 3, "components of velocity")
            check_equal(seen["ids"], seen["points"] - 1, "bodies: the dumbbell has two spheres")
            check_equal(seen["materials"], [0, 1], "materials")
        # At first the paddle reaches to x = -0.06 m, the gate to x = 0.085, y = 0.1, z = 0 and the dumbbell's bar to 0.152.
        bounds = found["frames"][0]["bounds"]
        for value, expected in zip(bounds, [-0.06, 0.085, -0.1, 0.1, 0.0, 0.152]):
            check(abs(value - expected) < 1e-6, f"boxes reach from {bounds}")


def paraview_sees_the_other_shapes():
    scree("run", os.path.join(SCENES, "shapes.json"), "-o", "out", "--until", 0.03, "-q")
    for reader in READERS[1:]:  # one of each of the two implementations
        for seen in look("out", reader)["frames"]:
            parts = seen["parts"][0]
            # 52 ellipsoids, a capsule, two cylinders, a cone, two hulls, two meshes and a heightfield
            check_equal(sorted(parts["shapes"]), [1] * 52 + [3, 4, 4, 5, 6, 6, 7, 7, 8], "shapes")
            check_equal(parts["rotation"], 4, "numbers of a rotation")
            cone = parts["half"][parts["shapes"].index(5)]
            check(all(abs(a - 0.03) < 1e-6 for a in cone), f"half of the cone: {cone}")


def paraview_sees_contacts_and_vtu():
    scree("run", PILE, "-o", "out", "--until", 0.3, "-q", "--set", "output.contacts=true")
    scree("export", "out", "--to", "vtu", "-o", "vtu")
    written = [line.split() for line in frames("out")]
    vtu = look("vtu", "PVDReader", script=LOOK_AT_GRIDS, name="run.pvd")
    check_equal(vtu["times"], [float(line[0]) for line in written], "times")
    for seen, line in zip(vtu["frames"], written):
        check_equal((seen[0]["points"], seen[1]["cells"]), (int(line[1]), int(line[2])), "spheres and boxes")
        check(0.004 - 1e-6 < seen[0]["radii"][0] and abs(seen[0]["radii"][1] - 0.01) < 1e-6, f"radii {seen[0]['radii']}")
    lines = [next((grid for grid in seen if grid["force"]), None) for seen in vtu["frames"]]
    check(lines[0] is None and lines[-1]["cells"] > 200, "contacts at the end, and none at the start")
    for reader in READERS[1:]:
        for seen, line in zip(look("out", reader, script=LOOK_AT_GRIDS)["frames"], lines):
            found = next((grid for grid in seen if grid["force"]), None)
            check_equal((found or {}).get("force"), (line or {}).get("force"), f"forces by {reader}")
            check(found is None or found["corners"] == [2], f"a line has two ends: {found}")


if shutil.which("pvpython") is None:
    print("pvpython is not installed")
    sys.exit(SKIPPED)
PICTURE = [os.path.abspath(name) for name in sys.argv[1:2]]
run_tests([paraview_sees_the_run, paraview_sees_the_other_shapes, paraview_sees_contacts_and_vtu])
