#!/usr/bin/env python3
"""The public headers: each compiles alone, as C17 and as C++17, without a warning; every function and type is
documented; the version macros are CMake's version; the library defines what they declare.

test_headers.py INCLUDE VERSION LIBRARY...   prints what is wrong; exit code 1 if something is

What RUN_HEADERS declare is in libscree-run, and looked for only where that is one of the libraries.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

RUN_HEADERS = {"problem.h", "scene.h"}
WARNINGS = ["-Wall", "-Wextra", "-pedantic", "-Wshadow", "-Werror"]


def compile_alone(include, header, work):
    """Sentences about a header that a user's compiler does not take."""
    complaints = []
    for compiler, standard, end in (("cc", "c17", "c"), ("c++", "c++17", "cpp")):
        source = work / f"alone.{end}"
        source.write_text(f'#include "scree/{header.name}"\nint main(void) {{ return 0; }}\n')
        command = [compiler, f"-std={standard}", *WARNINGS, f"-I{include}", "-fsyntax-only", str(source)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            complaints.append(f"{header} as {standard}:\n{done.stderr}")
    return complaints


def undocumented(header):
    """Functions, types and macros of the interface without a /// line before them."""
    complaints, lines = [], header.read_text().splitlines()
    for number, line in enumerate(lines):
        if re.match(r"SCR_API \S", line) or re.match(r"typedef (struct|enum|void)\b", line):
            above = lines[number - 1]
            if not above.startswith("///"):
                complaints.append(f"{header}:{number + 1}: no /// before: {line.strip()}")
    return complaints


def declared(header):
    return set(re.findall(r"^SCR_API [^;{(]*?\b(scr_\w+)\(", header.read_text(), re.M))


def main():
    include, version, libraries = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
    headers, complaints, functions = sorted((include / "scree").glob("*.h")), [], set()
    has_run = any("scree-run" in library for library in libraries)
    with tempfile.TemporaryDirectory() as work:
        for header in headers:
            text = header.read_text()
            complaints += compile_alone(include, header, pathlib.Path(work)) + undocumented(header)
            if has_run or header.name not in RUN_HEADERS:
                functions |= declared(header)
            if header.name != "scree.h" and text.count('extern "C"') != 1:
                complaints.append(f'{header}: no extern "C"')
    base = (include / "scree" / "base.h").read_text()
    parts = ("MAJOR", "MINOR", "PATCH")
    macros = ".".join(re.search(rf"#define SCREE_VERSION_{part} (\d+)", base)[1] for part in parts)
    if macros != version:
        complaints.append(f"base.h says version {macros}, CMakeLists.txt {version}")
    defined = set()
    for library in libraries:
        done = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True)
        defined |= set(re.findall(r" T (scr_\w+)", done.stdout))
    complaints += [f"{name} is declared, but no library defines it" for name in sorted(functions - defined)]
    complaints += [f"{name} is in a library, but no header declares it" for name in sorted(defined - functions)]
    print("\n".join(complaints))
    print(f"{len(headers)} headers, {len(functions)} functions, {len(complaints)} complaints")
    sys.exit(1 if complaints or not functions else 0)


main()
