# SPDX-License-Identifier: BSD-3-Clause
"""Just enough of PNG to look at pictures in tests: 8 bits a channel, no interlace."""
import struct
import zlib


def chunks(path):
    with open(path, "rb") as file:
        data = file.read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", path
    at = 8
    while at < len(data):
        length, name = struct.unpack(">I4s", data[at:at + 8])
        content = data[at + 8:at + 8 + length]
        assert zlib.crc32(name + content) == struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0], name
        yield name, content
        at += 12 + length


def pixels(path):
    """Width, height, and rows of (r, g, b)."""
    packed = b""
    for name, content in chunks(path):
        if name == b"IHDR":
            width, height, depth, kind, _, _, interlace = struct.unpack(">IIBBBBB", content)
            assert depth == 8 and kind in (0, 2, 6) and interlace == 0
            bytes_a_pixel = {0: 1, 2: 3, 6: 4}[kind]
        elif name == b"IDAT":
            packed += content
    data, rows, above = zlib.decompress(packed), [], bytearray(width * bytes_a_pixel)
    stride = width * bytes_a_pixel + 1
    for y in range(height):
        kind, row = data[y * stride], bytearray(data[y * stride + 1:(y + 1) * stride])
        for i in range(len(row)):
            left = row[i - bytes_a_pixel] if i >= bytes_a_pixel else 0
            corner = above[i - bytes_a_pixel] if i >= bytes_a_pixel else 0
            if kind == 1:
                row[i] = (row[i] + left) & 255
            elif kind == 2:
                row[i] = (row[i] + above[i]) & 255
            elif kind == 3:
                row[i] = (row[i] + (left + above[i]) // 2) & 255
            elif kind == 4:
                p = left + above[i] - corner
                near = min((abs(p - left), 0, left), (abs(p - above[i]), 1, above[i]), (abs(p - corner), 2, corner))
                row[i] = (row[i] + near[2]) & 255
        above = row
        if bytes_a_pixel == 1:
            rows.append([(v, v, v) for v in row])
        else:
            rows.append([tuple(row[k:k + 3]) for k in range(0, len(row), bytes_a_pixel)])
    return width, height, rows
