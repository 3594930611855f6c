#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""studies/study.schema.json, docs/studies.md and the reader know the same keys; what is shipped and what the page shows is
valid and passes the reader."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    print("skipped: python3-jsonschema is not installed")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "studies/study.schema.json").read_text())
PAGE = (ROOT / "docs/studies.md").read_text()
STRANGE = "qqqqqqqqqqqqqqqq"
failures = []

# An object of each kind with all that it needs; {} marks where the strange key goes.
RANGE = {"from": 0.1, "to": 0.9}
FIT = {"parameters": {"a": RANGE}, "targets": [{"summary": "bodies", "value": 1}]}
OBJECTS = {
    "study": lambda more: {"scene": "s", **more},
    "axis": lambda more: {"scene": "s", "vary": {"a": {**RANGE, "count": 2, **more}}},
    "figure": lambda more: {"scene": "s", "collect": [{"probe": "p", **more}]},
    "parameter": lambda more: {"scene": "s", "fit": {**FIT, "parameters": {"a": {**RANGE, **more}}}},
    "target": lambda more: {"scene": "s", "fit": {**FIT, "targets": [{"probe": "p", "value": 1, **more}]}},
    "curve": lambda more: {"scene": "s", "fit": {**FIT, "targets": [{"probe": "p", "curve": "c.csv", **more}]}},
    "fit": lambda more: {"scene": "s", "fit": {**FIT, **more}},
}


def check(good, message):
    if not good:
        failures.append(message)
        print(message)


def complaint(study):
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory, "study.json")
        path.write_text(json.dumps(study))
        return subprocess.run([os.environ["SCREE"], "sweep", path, "-o", f"{directory}/out"], capture_output=True, text=True).stderr


def keys_of_reader(kind):
    """Those that a sentence about a key lists which is like none of them."""
    said = complaint(OBJECTS[kind]({STRANGE: 1}))
    match = re.search(r"the keys of \S+ are (.*)", said)
    check(match, f"{kind}: {said}")
    return set(match[1].split(", ")) if match else set()


def check_keys():
    definitions = {"study": SCHEMA, **SCHEMA["$defs"]}
    target = keys_of_reader("target") | keys_of_reader("curve") | {"summary"}
    for kind in ("study", "axis", "figure", "parameter", "target", "fit"):
        known = target if kind == "target" else keys_of_reader(kind)
        if kind == "axis":
            known = known | {"values"}
        listed = set(definitions[kind]["properties"])
        if kind in ("figure",):
            known = known | {"summary"}
        check(known == listed, f"{kind}: only the reader knows {sorted(known - listed)}, only the schema {sorted(listed - known)}")
        for key in listed - {"$schema", "comment"}:
            check(f"`{key}`" in PAGE, f"docs/studies.md does not explain `{key}` of {kind}")


def check_studies():
    shipped = [path for path in sorted(ROOT.glob("studies/*/*.json")) if path.name != "scene.json"]
    check(len(shipped) >= 3, f"only {len(shipped)} studies")
    blocks = [json.loads(text) for text in re.findall(r"```json\n(.*?)```", PAGE, re.S)]
    studies = [(path, json.loads(path.read_text())) for path in shipped] + [("docs/studies.md", b) for b in blocks if "scene" in b]
    check(len(studies) > len(shipped), "the page shows no study")
    for path, study in studies:
        try:
            jsonschema.validate(study, SCHEMA)
        except jsonschema.ValidationError as error:
            check(False, f"{path}: {error.message}")
    for path in shipped:
        words = ["fit" if "fit" in json.loads(path.read_text()) else "sweep", str(path)]
        with tempfile.TemporaryDirectory() as directory:
            if words[0] == "sweep":
                done = subprocess.run([os.environ["SCREE"], *words, "-o", f"{directory}/out", "--slurm"], capture_output=True, text=True)
                check(done.returncode == 0, f"{path}: {done.stderr}")


def check_mistakes():
    """What the schema refuses the reader refuses."""
    for study in ({}, {"scene": "s", "seeds": []}, {"scene": "s", "vary": {"a": []}}, {"scene": "s", "design": "gird"},
                  {"scene": "s", "collect": []}, {"scene": "s", "vary": {"a": {"from": 1}}}, {"scene": "s", "fit": {}},
                  {"scene": "s", "fit": {**FIT, "tolerance": 0.5}}, {"scene": "s", "collect": [{"name": "x"}]}):
        check(list(jsonschema.Draft202012Validator(SCHEMA).iter_errors(study)), f"the schema accepts {study}")
        check("study.json:1:" in complaint(study), f"the reader accepts {study}: {complaint(study)}")


check_keys()
check_studies()
check_mistakes()
sys.exit(1 if failures else 0)
