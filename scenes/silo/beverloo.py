#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""The flow out of scenes/silo/silo.json against Beverloo's law, over several orifices.

    W = C rho_b sqrt(g) (D - k d)^(5/2)

Each orifice D is one run of scree. The flow W is the slope of the discharged mass over the steady part of the run. The
exponent is that of a power law in (D - k d) with k = 1.4, fitted to all orifices; C follows with the exponent 5/2.

    scenes/silo/beverloo.py [--scree build/release/bin/scree] [--out out/beverloo] [--grains 16000]

writes beverloo.png and beverloo.csv, prints a table, and exits 1 if the exponent is not 5/2 within 0.2.
Runs that are already there are used again. Needs python3-matplotlib (scripts/setup study).
"""
import argparse
import csv
import json
import math
import pathlib
import subprocess
import sys

K = 1.4                # Beverloo's constant for spheres
BULK_SHARE = 0.6       # of the volume is grain, in a bed at rest
ORIFICES = (0.040, 0.048, 0.056, 0.064, 0.072)  # m; 5 to 9 grain diameters
HERE = pathlib.Path(__file__).resolve().parent


def run_silo(scree, out, orifice, grains):
    directory = out / f"orifice_{1000 * orifice:.0f}mm"
    summary = directory / "summary.json"
    if not (summary.exists() and json.loads(summary.read_text()).get("status") == "done"):
        subprocess.run([scree, "run", HERE / "silo.json", "-o", directory, "--force",
                        "--set", f"parameters.orifice={orifice}", "--set", f"parameters.grains={grains}"], check=True)
    return directory


def steady_flow(directory, opening):
    """Slope of mass over time, by least squares, from 0.3 s after the opening until a third of the mass is out."""
    with open(directory / "probes.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    time, mass, inside = (next(key for key in rows[0] if key.startswith(name)) for name in ("time", "outflow.mass", "silo"))
    total = float(rows[0][inside])
    points = [(float(row[time]), float(row[mass])) for row in rows]
    points = [(t, m) for t, m in points if t >= opening + 0.3 and m <= total / 3]
    return slope(points), points


def slope(points):
    n = len(points)
    mean_x, mean_y = sum(x for x, _ in points) / n, sum(y for _, y in points) / n
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / sum((x - mean_x) ** 2 for x, _ in points)


def plot(path, diameter, results, exponent, constant, scale):
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    figure, axes = plt.subplots(figsize=(6.4, 4.4), constrained_layout=True)
    free = [d - K * diameter for d, _ in results]
    line = [free[0] * (free[-1] / free[0]) ** (i / 50) for i in range(51)]
    axes.loglog([1e3 * x for x in line], [constant * scale * x ** 2.5 for x in line], color="0.6",
                label=f"Beverloo, C = {constant:.2f}")
    axes.loglog([1e3 * x for x in free], [w for _, w in results], "o", color="#c4622d", label=f"scree, fitted exponent {exponent:.2f}")
    axes.set_xlabel("orifice less 1.4 grain diameters, D - k d (mm)")
    axes.set_ylabel("flow W (kg/s)")
    axes.set_title("Silo discharge")
    axes.grid(True, which="both", color="0.92")
    axes.legend(frameon=False)
    figure.savefig(path, dpi=150)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scree", default="build/release/bin/scree")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("out/beverloo"))
    parser.add_argument("--grains", type=int, default=16000)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    scene = json.loads((HERE / "silo.json").read_text())
    diameter, opening = 2 * scene["parameters"]["radius"], scene["parameters"]["opening"]
    density = scene["materials"]["glass"]["density"]

    results = []
    for orifice in ORIFICES:
        flow, _ = steady_flow(run_silo(arguments.scree, arguments.out, orifice, arguments.grains), opening)
        results.append((orifice, flow))
    logs = [(math.log(d - K * diameter), math.log(w)) for d, w in results]
    exponent = slope(logs)
    scale = BULK_SHARE * density * math.sqrt(9.81)
    constant = sum(w / (scale * (d - K * diameter) ** 2.5) for d, w in results) / len(results)

    print(f"{'D (mm)':>8} {'D/d':>6} {'W (kg/s)':>10} {'Beverloo, same C':>18}")
    with open(arguments.out / "beverloo.csv", "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["orifice_m", "flow_kg_s", "beverloo_kg_s"])
        for d, w in results:
            law = constant * scale * (d - K * diameter) ** 2.5
            writer.writerow([d, w, law])
            print(f"{1e3 * d:8.0f} {d / diameter:6.1f} {w:10.3f} {law:18.3f}")
    print(f"exponent {exponent:.3f} (Beverloo: 2.5), C = {constant:.3f} (Beverloo: 0.55 to 0.65 for round holes)")
    plot(arguments.out / "beverloo.png", diameter, results, exponent, constant, scale)
    print(f"{arguments.out}/beverloo.png")
    return 0 if abs(exponent - 2.5) <= 0.2 else 1


if __name__ == "__main__":
    sys.exit(main())
