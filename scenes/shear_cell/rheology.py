#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""mu(I) of runs of cell.json: rheology.py RUN... Means over the second half of each, with the error of the mean."""
import csv
import json
import math
import sys


def column(rows, name):
    key = next(k for k in rows[0] if k.startswith(name + " "))
    return [float(row[key]) for row in rows]


def mean_and_error(values, blocks=10):
    """The error by means of blocks, which are long beside what rows remember of each other."""
    size = len(values) // blocks
    means = [sum(values[k * size:(k + 1) * size]) / size for k in range(blocks)]
    mean = sum(means) / blocks
    return mean, math.sqrt(sum((m - mean) ** 2 for m in means) / (blocks * (blocks - 1)))


def main():
    print("run                   law          packing  pressure (Pa)  inertial number  mu              kinetic share")
    for run in sys.argv[1:]:
        with open(run + "/scene.json") as file:
            scene = json.load(file)
        parameters, glass = scene["parameters"], scene["materials"]["glass"]
        low, high = 0.425 * parameters["diameter"], 0.5 * parameters["diameter"]
        cube = (high ** 4 - low ** 4) / (4 * (high - low))  # mean of r^3
        a = parameters["spacing"] * parameters["diameter"]
        packing = 4 / 3 * math.pi * cube * math.sqrt(2) / a ** 3
        with open(run + "/probes.csv") as file:
            rows = list(csv.DictReader(file))
        rows = rows[len(rows) // 2:]
        pressure, _ = mean_and_error(column(rows, "stress.pressure"))
        shear = [-s for s in column(rows, "stress.xy")]
        mu, error = mean_and_error([s / pressure for s in shear])
        kinetic = sum(column(rows, "kinetic.pressure")) / len(rows) / pressure
        inertial = parameters["rate"] * (low + high) * math.sqrt(glass["density"] / pressure)
        print(f"{run:<20}  {scene['contact']['law']:<11}  {packing:.3f}    {pressure:<13.4g}  {inertial:<15.3f}  {mu:.3f} +- {error:.3f}  {kinetic:.3f}")


main()
