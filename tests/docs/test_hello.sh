#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The program in docs/hello.md compiles against the public headers alone, as C and as C++, and prints what the page says.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
awk '/^```c$/ { on = 1; next } /^```$/ { on = 0 } on' docs/hello.md > "$work/hello.c"
cp "$work/hello.c" "$work/hello.cpp"
cached() { sed -n "s/^$1:[A-Z]*=//p" "$SCREE_BUILD/CMakeCache.txt"; }
sanitizers=$(cached SCREE_SANITIZE)  # a library with them wants a program with them
promised=$(sed -n 's/^    \(The ball of .*\)$/\1/p' docs/hello.md)
compiler=$(cached CMAKE_C_COMPILER)
compile() {  # language standard, source
    "$compiler" -x "$1" -std="$2" -Wall -Wextra -pedantic -Werror ${sanitizers:+-fsanitize=$sanitizers} -Iinclude "$3" -x none \
        -o "$work/hello" -L"$SCREE_BUILD/lib" -lscree -Wl,-rpath,"$SCREE_BUILD/lib"
    said=$("$work/hello")
    [ "$said" = "$promised" ] || { printf 'it prints:  %s\nthe page:   %s\n' "$said" "$promised"; exit 1; }
}
compile c c17 "$work/hello.c"
compile c++ c++17 "$work/hello.cpp"
