#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How well a run of mixer.json is mixed: Lacey's index over the turns of the drum.

    M = (s0^2 - s^2)/(s0^2 - sr^2)

s^2 is the variance of the share of one material among samples of some 16 grains (cubes of three diameters; those with
fewer than half as many do not count), s0^2 = p(1 - p) that of two materials apart, and sr^2 = p(1 - p)/n that of a
random mixture. 0 is as apart as can be, 1 as mixed as chance can make it.

    scenes/mixer/lacey.py RUN [--scree build/release/bin/scree]
"""
import collections
import math
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import grains  # noqa: E402: found by the line above

EDGE = 6.0     # of a sample, in radii
LEAST = 8      # grains of a sample that counts


def lacey_index(spheres, edge):
    samples = collections.defaultdict(list)
    for grain in spheres:
        samples[tuple(math.floor(c / edge) for c in (grain.x, grain.y, grain.z))].append(grain.material == "ochre")
    samples = [sample for sample in samples.values() if len(sample) >= LEAST]
    count = sum(map(len, samples))
    p = sum(map(sum, samples)) / count
    variance = sum(len(s) * (sum(s) / len(s) - p) ** 2 for s in samples) / count
    apart = p * (1 - p)
    return (apart - variance) / (apart - apart * len(samples) / count)


def main():
    parameters, frames = grains.read_run(__doc__)
    start, spin = parameters["start"], parameters["spin"]
    print("turns  index")
    for time, spheres in frames[::5]:
        turns = spin * max(0.0, time - start - 0.25) / (2 * math.pi)  # it takes 0.5 s to speed up
        print(f"{turns:5.2f}  {lacey_index(spheres, EDGE * parameters['radius']):.2f}")


main()
