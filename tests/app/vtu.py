# SPDX-License-Identifier: BSD-3-Clause
"""A reader of VTK's files that knows nothing of scree: XML and base64."""
import base64
import struct
import xml.etree.ElementTree

from command import check_equal

FORMATS = {"Float32": "f", "Int64": "q", "UInt8": "B", "UInt32": "I", "Float64": "d"}


def arrays(path):
    """The arrays of a .vtu by name, as tuples of rows where they have several components."""
    found = {}
    for array in xml.etree.ElementTree.parse(path).iter("DataArray"):
        kind, width = FORMATS[array.get("type")], int(array.get("NumberOfComponents", 1))
        if array.get("format") == "ascii":
            found[array.get("Name")] = [float(v) for v in array.text.split()]
            continue
        data = base64.b64decode(array.text)
        size, = struct.unpack("<Q", data[:8])
        check_equal(size, len(data) - 8, f"bytes of {array.get('Name')}")
        values = struct.unpack(f"<{size // struct.calcsize(kind)}{kind}", data[8:])
        found[array.get("Name")] = values if width == 1 else [values[i:i + width] for i in range(0, len(values), width)]
    return found
