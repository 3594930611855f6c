#!/usr/bin/env python3
"""Same bits on every machine starts with the compiler: reads how each file of src/ was compiled."""
import json
import os
import pathlib
import shlex
import sys

build = pathlib.Path(os.environ["SCREE_BUILD"])
src = pathlib.Path("src").resolve()
commands = json.loads((build / "compile_commands.json").read_text())
commands = [command for command in commands if src in pathlib.Path(command["file"]).parents]
broken = 0
for command in commands:
    flags = shlex.split(command["command"])
    is_kernel = any(flag.startswith("-DSCREE_ISA=") for flag in flags)
    wrong = [flag for flag in flags if flag.startswith(("-ffast-math", "-Ofast", "-funsafe-math", "-march="))]
    wrong += [flag for flag in flags if flag.startswith(("-mavx", "-mfma")) and not is_kernel]
    if "-ffp-contract=off" not in flags:
        wrong.append("no -ffp-contract=off")
    if wrong:
        broken += 1
        print(f'{command["file"]}: {" ".join(wrong)}')
print(f"{len(commands)} files, {broken} compiled wrongly")
sys.exit(1 if broken or not commands else 0)
