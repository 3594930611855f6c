#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes chute.json: a bed of fixed spheres at rough heights, so placed that it goes on through the seams of the cell."""
import json
import pathlib
import random

PLACE = pathlib.Path(__file__).resolve().parent / "chute.json"
DIAMETER, LONG, WIDE = 0.01, 16, 10  # m; the cell, in diameters
ALONG, ACROSS = 13, 8  # spheres of the bed
ROUGH = 0.3  # how much their heights differ, in diameters


def bed():
    draw = random.Random(1)
    for i in range(ALONG):
        for k in range(ACROSS):
            place = [(i + 0.5) * LONG / ALONG, (k + 0.5) * WIDE / ACROSS, -0.5 - ROUGH * draw.random()]
            yield {"sphere": {"radius": DIAMETER / 2}, "position": [round(DIAMETER * p, 6) for p in place]}


def main():
    text = PLACE.read_text()
    head, rest = text.split('"shapes": [', 1)
    tail = rest[rest.index("\n      ]"):]
    rows = ",\n".join("        " + json.dumps(shape) for shape in bed())
    PLACE.write_text(f'{head}"shapes": [\n{rows}{tail}')


main()
