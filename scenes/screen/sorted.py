#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How well a run of screen.json is sorted: grains of each size in each bin at its end.

    scenes/screen/sorted.py RUN [--scree build/release/bin/scree]

Purity is the share of a bin's mass that has the size meant for it; recovery is the share of a size, of all its grains
in bins, that arrived in its own.
"""
import collections
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import grains  # noqa: E402: found by the line above

SIZES = ("small", "medium", "large")
BINS = ("fines", "middlings", "coarse")


def bin_of(grain, parameters):
    """The bin that a grain lies in; None above them all."""
    if grain.z > parameters["bin_floor"] + 0.12:
        return None
    ends = (parameters["fines_end"], parameters["middlings_end"], parameters["bin_end"])
    return next((name for name, end in zip(BINS, ends) if grain.x < end), None)


def main():
    parameters, frames = grains.read_run(__doc__)
    time, spheres = frames[-1]
    size_of = {round(parameters[size], 6): size for size in SIZES}
    count = collections.Counter((bin_of(grain, parameters), size_of[round(grain.radius, 6)]) for grain in spheres)
    mass = {key: number * parameters[key[1]] ** 3 for key, number in count.items()}
    print(f"at {time:g} s       " + "".join(f"{size:>9}" for size in SIZES) + "   purity  recovery")
    for name, own in zip(BINS, SIZES):
        purity = mass.get((name, own), 0) / max(sum(mass.get((name, size), 0) for size in SIZES), 1e-30)
        recovery = count[name, own] / max(sum(count[other, own] for other in BINS), 1)
        counts = "".join(f"{count[name, size]:9d}" for size in SIZES)
        print(f"{name:<15}{counts}{100 * purity:8.0f} %{100 * recovery:8.0f} %")
    print(f"{'on the way':<15}" + "".join(f"{count[None, size]:9d}" for size in SIZES))


main()
