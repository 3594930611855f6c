#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes hills.png, a heightmap of 16 bits: fractal noise, a valley towards the south, a knoll in the north-west.

    scenes/terrain/make_hills.py [hills.png]
"""
import math
import random
import struct
import sys
import zlib

WIDTH, HEIGHT = 121, 97  # pixels; 25 mm each in terrain.json


def noise(random_source, cells):
    """Smooth noise of so many cells a side: a function of u and v from 0 to 1."""
    grid = [[random_source.uniform(-1, 1) for _ in range(cells + 2)] for _ in range(cells + 2)]

    def at(u, v):
        x, y = u * cells, v * cells
        i, j = int(x), int(y)
        s, t = (f * f * (3 - 2 * f) for f in (x - i, y - j))
        low, high = ((1 - s) * grid[k][i] + s * grid[k][i + 1] for k in (j, j + 1))
        return (1 - t) * low + t * high
    return at


def main():
    source = random.Random(8)
    octaves = [(noise(source, 2 ** k), 0.5 ** k) for k in range(1, 5)]

    def height(u, v):  # u to the east, v to the south
        knoll = 1.1 * math.exp(-((u - 0.2) ** 2 + (v - 0.2) ** 2) / 0.03)
        valley = -0.5 * v * math.exp(-((u - 0.6) / 0.2) ** 2)
        return knoll + valley + sum(weight * octave(u, v) for octave, weight in octaves)

    rows = [[height(x / (WIDTH - 1), y / (HEIGHT - 1)) for x in range(WIDTH)] for y in range(HEIGHT)]
    low, high = min(map(min, rows)), max(map(max, rows))
    pixels = b"".join(b"\0" + b"".join(struct.pack(">H", round((z - low) / (high - low) * 65535)) for z in row)
                      for row in rows)

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    with open(sys.argv[1] if len(sys.argv) > 1 else "hills.png", "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", WIDTH, HEIGHT, 16, 0, 0, 0, 0)) +
                   chunk(b"IDAT", zlib.compress(pixels, 9)) + chunk(b"IEND", b""))


main()
