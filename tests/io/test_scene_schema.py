#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""scenes/scene.schema.json, docs/scene.md and the reader know the same keys and the same defaults.

Usage: test_scene_schema.py PRINT_SCENE    (the program made from print_scene.c)
"""
import glob
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    print("skipped: python3-jsonschema is not installed")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "scenes/scene.schema.json").read_text())
# Defaults that a schema cannot state, because they depend on the rest of the scene.
COMPUTED = re.compile(r"(^|\.)(material|frame_interval|probe_interval)$")
failures = []


def check(good, message):
    if not good:
        failures.append(message)
        print(message)


def resolve(node):
    """A schema node with its $ref merged in, and the name of what it referred to."""
    name = None
    while "$ref" in node:
        name = node["$ref"].rsplit("/", 1)[1]
        node = {**SCHEMA["$defs"][name], **{k: v for k, v in node.items() if k != "$ref"}}
    return node, name


class Keys:
    """Every key of the schema by its pattern, as the reader writes it: bodies[].shapes[].material, materials.*.density.

    What is defined once and used in many places (a region) has one canonical pattern."""

    def __init__(self):
        self.canonical = {}
        self.node = {}
        self.open = []
        self.walk(SCHEMA, "", "")

    def walk(self, node, pattern, canonical):
        node, name = resolve(node)
        if name:
            canonical = name
        if name and self.open.count(name) == 3:  # compounds in compounds in compounds
            return
        self.open.append(name)
        self.walk_inside(node, pattern, canonical)
        self.open.pop()

    def walk_inside(self, node, pattern, canonical):
        for branch in node.get("oneOf", []) + node.get("anyOf", []):
            self.walk(branch, pattern, canonical)
        for key, member in node.get("properties", {}).items():
            self.add(member, f"{pattern}.{key}".lstrip("."), f"{canonical}.{key}".lstrip("."))
        if isinstance(node.get("additionalProperties"), dict):
            self.walk(node["additionalProperties"], pattern + ".*", canonical + ".*")
        if isinstance(node.get("items"), dict):
            self.walk(node["items"], pattern + "[]", canonical + "[]")

    def add(self, member, pattern, canonical):
        self.canonical[pattern] = canonical
        self.node[pattern] = resolve(member)[0]
        self.walk(member, pattern, canonical)


def run(print_scene, scene):
    """The keys asked for and the scene as run."""
    result = subprocess.run([print_scene, scene], capture_output=True, text=True)
    if result.returncode != 0:
        check(False, f"{scene} cannot be read: {result.stderr.strip()}")
        return [], {}
    printed = json.loads(result.stdout)
    return printed["keys"], printed["as_run"]


def check_objects(node, place):
    """Every object of the schema says which keys it allows, so that editors mark the others."""
    if isinstance(node, dict):
        if node.get("type") == "object":
            check("additionalProperties" in node, f"additionalProperties is missing in {place}")
        for key, value in node.items():
            check_objects(value, f"{place}.{key}")
    elif isinstance(node, list):
        for i, value in enumerate(node):
            check_objects(value, f"{place}[{i}]")


def check_keys(keys, asked):
    for pattern in sorted(asked - keys.canonical.keys()):
        check(False, f"the reader knows {pattern}, the schema does not")
    asked_canonical = {keys.canonical[p] for p in asked if p in keys.canonical}
    for pattern, canonical in sorted(keys.canonical.items()):
        in_map = re.search(r"^(parameters|materials)\.comment$", pattern)  # the reader skips it there
        check(canonical in asked_canonical or in_map, f"the schema knows {pattern}, the reader does not")


def check_defaults(keys, given, as_run, pattern=""):
    """What the reader added to a scene is what the schema calls the default."""
    if isinstance(as_run, dict):
        for key, value in as_run.items():
            path = f"{pattern}.{key}".lstrip(".")
            known = path if path in keys.node else f"{pattern}.*"
            if isinstance(given, dict) and key in given:
                check_defaults(keys, given[key], value, known)
            elif known in keys.node and not COMPUTED.search(known):
                node = keys.node[known]
                check("default" in node, f"{known}: the schema has no default, the reader {value}")
                if isinstance(value, dict):
                    check_defaults(keys, {}, value, known)
                else:
                    check(node.get("default") == value, f"{known}: {node.get('default')} in the schema, {value} read")
    elif isinstance(as_run, list) and isinstance(given, list):
        for a, b in zip(given, as_run):
            check_defaults(keys, a, b, pattern + "[]")


def check_scenes(print_scene, validator):
    paths = [p for p in glob.glob(f"{ROOT}/scenes/**/*.json", recursive=True) if not p.endswith(".schema.json")]
    asked = set()
    for path in sorted(paths + glob.glob(f"{ROOT}/tests/io/scenes/*.json")):
        keys, as_run = run(print_scene, path)
        asked |= set(keys)
        for name, scene in (("", json.loads(pathlib.Path(path).read_text())), (" as run", as_run)):
            for error in validator.iter_errors(scene):
                check(False, f"{path}{name}: {error.json_path}: {error.message[:200]}")
    return asked


def check_refusals(validator):
    """The schema can say no: to a misspelt key anywhere, to a wrong type, to a value out of range."""
    minimal = {"time": {"end": 1}}
    for wrong in ({"tiem": {}}, {"solver": {"metod": "gs"}}, {"solver": {"method": "gauss"}}, {"seed": True},
                  {"materials": {"a": {"density": 0}}}, {"bodies": [{"shapes": [{"sphere": {"radius": -1}}]}]},
                  {"probes": [{"name": "p", "kind": "energy", "body": "b"}]}, {"gravity": [0, 0]}, {"bodies": [{"shapes": [{"cone": {"radius": 1}}]}]},
                  {"bodies": [{"shapes": [{"sphere": {"radius": 1}, "box": {"size": [1, 1, 1]}}]}]},
                  {"bodies": [{"shapes": [{"mesh": {"vertices": [[0, 0, 0]]}}]}]},
                  {"bodies": [{"shapes": [{"compound": {"shapes": []}}]}]},
                  {"joints": [{"kind": "revolute", "bodies": ["a", "b"], "at": [0, 0, 0]}]},
                  {"joints": [{"kind": "spherical", "bodies": ["a", "b"], "at": [0, 0, 0], "friction": 1}]},
                  {"actuators": [{"bodies": ["a", "b"], "points": [[0, 0, 0], [0, 0, 1]]}]},
                  {"springs": [{"joint": "a", "points": [[0, 0, 0], [0, 0, 1]]}]},
                  {"couplings": [{"kind": "gear", "joints": ["a", "b"]}]},
                  {"loads": [{"body": "a"}]}, {"loads": [{"body": "a", "force": [0, 0, {"sine": {"amplitude": 1}}]}]}):
        check(not validator.is_valid({**minimal, **wrong}), f"the schema accepts {wrong}")
    check(not validator.is_valid({}), "the schema accepts a scene without time")


def check_manual(keys):
    manual = (ROOT / "docs/scene.md").read_text()
    for pattern in keys.canonical:
        key = pattern.rsplit(".", 1)[-1]
        check(f"`{key}`" in manual, f"docs/scene.md does not mention `{key}` ({pattern})")
    for node in keys.node.values():
        for word in node.get("enum", []):
            check(f"`{word}`" in manual, f"docs/scene.md does not mention the choice `{word}`")


def check_examples(print_scene, validator):
    """The examples of the manual are scenes, or parts of one."""
    manual = (ROOT / "docs/scene.md").read_text()
    examples = re.findall(r"```json\n(.*?)```", manual, re.S)
    check(len(examples) > 5, "docs/scene.md has hardly any example")
    scratch = tempfile.TemporaryDirectory()
    for file in (ROOT / "tests/io/scenes").iterdir():  # what the examples' files are called
        shutil.copy(file, scratch.name)
    path = pathlib.Path(scratch.name) / "example.json"
    for text in examples:
        try:
            part = json.loads(text)
        except ValueError as error:
            check(False, f"an example of docs/scene.md is not JSON: {error}: {text}")
            continue
        scene = {"time": {"end": 1}, **part}
        for error in validator.iter_errors(scene):
            check(False, f"docs/scene.md: {error.json_path}: {error.message[:200]}")
        path.write_text(json.dumps(scene))
        result = subprocess.run([print_scene, path], capture_output=True, text=True)
        check(result.returncode == 0, f"an example of docs/scene.md cannot be read: {result.stderr.strip()}\n{text}")


def main():
    print_scene = sys.argv[1]
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    validator = jsonschema.Draft202012Validator(SCHEMA)
    keys = Keys()
    asked = check_scenes(print_scene, validator)
    check_keys(keys, asked)
    check_objects(SCHEMA, "schema")
    defaults = ROOT / "tests/io/scenes/defaults.json"
    check_defaults(keys, json.loads(defaults.read_text()), run(print_scene, defaults)[1])
    check_refusals(validator)
    check_manual(keys)
    check_examples(print_scene, validator)
    print(f"{len(keys.canonical)} keys, {len(failures)} failures")
    return 1 if failures else 0


sys.exit(main())
