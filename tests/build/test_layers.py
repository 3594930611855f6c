#!/usr/bin/env python3
"""Folders are the dependency graph. The rooms of src/ form a list: a room includes and calls itself and those before it.

test_layers.py SRC BUILD   prints each include, and each call between object files, that goes up; exit code 1 if there is one
"""
import collections
import json
import pathlib
import re
import shlex
import subprocess
import sys

ROOMS = """
core/base core/maths core/arrays core/text core/file
geometry/surface geometry/shape geometry/mesh_file geometry/sphere_set
collision/broad collision/detector collision/narrow collision/lanes collision/ellipsoid collision/convex collision/surface
collision/query collision/contacts
fitting
dynamics/bodies dynamics/kkt dynamics/joints
dynamics/cone/system dynamics/cone/sweeps dynamics/cone/gradient dynamics/cone/double dynamics/cone/newton dynamics/cone/solve
dynamics/penalty/law dynamics/penalty/bed
dynamics/world dynamics/detection dynamics/penalty/stages dynamics/mechanism dynamics/cone/stages dynamics/step dynamics/calls
laboratory rig
vehicle/anchor vehicle/track vehicle/tracked vehicle/driver
scene/formula scene/bed scene/terrain scene/model scene/overlap scene/populate scene/sleep scene/active scene/parts scene/probe scene/run
io/file io/bed io/json io/vehicle io/rig io/value io/machine io/scene io/trajectory io/run io/calls io/export io/problem
view/colour view/stage view/picture view/render view/plot view/report
study/design study/plan study/runs study/table study/fit
app/command app/source app/bed app/run app/terrain app/check app/plot app/render app/solve app/report app/spheres app/vehicle app/sweep app/fit app
""".split()  # low to high
PUBLIC_USERS = {"app/run"}  # programs on the public interface: of src/ they include nothing but app/
FILES_MAX = 24  # a room is read like a table of contents


def room_of(path):
    return str(pathlib.PurePath(path).parent)


def is_above(room, other):
    return ROOMS.index(room) > ROOMS.index(other)


def wrong_includes(src):
    """Sentences; the number of includes looked at."""
    complaints, checked = [], 0
    for source in sorted(src.rglob("*.[ch]")):
        own = room_of(source.relative_to(src))
        for number, line in enumerate(source.read_text().splitlines(), 1):
            match = re.match(r'\s*#\s*include\s*"([^"]+)"', line)
            if not match or not (src / match[1]).exists():
                continue  # the public interface, or made by the build
            checked += 1
            if is_above(room_of(match[1]), own):
                complaints.append(f'{source}:{number}: includes "{match[1]}", which is above {own}')
    return complaints, checked


def private_includes(src):
    """What a program on the public interface includes of the library's inside, but for texts."""
    return [f'{source}: includes "{name}": {room} has nothing but the public interface'
            for room in PUBLIC_USERS for source in sorted((src / room).glob("*.[ch]"))
            for name in re.findall(r'#\s*include\s*"([^"]+)"', source.read_text())
            if (src / name).exists() and not name.startswith(("app/", "core/text/"))]


def wrong_calls(src, build):
    """The same of symbols: what one object needs and another one defines."""
    owner, needs = {}, collections.defaultdict(set)
    for entry in json.loads((build / "compile_commands.json").read_text()):
        words = shlex.split(entry["command"])
        source, item = pathlib.Path(entry["file"]).resolve(), build / words[words.index("-o") + 1]
        if src.resolve() not in source.parents or not item.exists():
            continue  # of a test, or not built
        name = str(source.relative_to(src.resolve()).with_suffix(""))
        for line in subprocess.run(["nm", item], capture_output=True, text=True, check=True).stdout.splitlines():
            words = line.split()
            if words[-2] in "TDRB":
                owner[words[-1]] = name
            elif words[-2] == "U":
                needs[name].add(words[-1])
    complaints = [f"{user}.c calls {name} of {owner[name]}.c, which is above it"
                  for user in sorted(needs) for name in sorted(needs[user])
                  if name in owner and is_above(room_of(owner[name]), room_of(user))]
    return complaints, sum(name in owner for names in needs.values() for name in names)


def main():
    src, build = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    found = collections.Counter(room_of(f.relative_to(src)) for f in src.rglob("*.[ch]"))
    complaints = [f"{room}: give it a place in ROOMS" for room in found if room not in ROOMS]
    complaints += [f"{room}: no such room" for room in ROOMS if room not in found]
    complaints += [f"{room}: {count} files, more than {FILES_MAX}" for room, count in found.items() if count > FILES_MAX]
    if not complaints:
        includes, include_count = wrong_includes(src)
        calls, call_count = wrong_calls(src, build)
        complaints += includes + calls + private_includes(src)
        print(f"{include_count} includes and {call_count} uses of symbols in {len(ROOMS)} rooms, {len(complaints)} against the rule")
        if not include_count or not call_count:
            complaints.append("nothing was looked at")
    print("\n".join(complaints))
    sys.exit(1 if complaints else 0)


main()
