#!/usr/bin/env bash
# The program in docs/hello.md compiles against the public headers alone and prints what the page says.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
awk '/^```c$/ { on = 1; next } /^```$/ { on = 0 } on' docs/hello.md > "$work/hello.c"
cached() { sed -n "s/^$1:[A-Z]*=//p" "$SCREE_BUILD/CMakeCache.txt"; }
sanitizers=$(cached SCREE_SANITIZE)  # a library with them wants a program with them
"$(cached CMAKE_C_COMPILER)" -std=c17 -Wall -Wextra -Werror ${sanitizers:+-fsanitize=$sanitizers} -Iinclude "$work/hello.c" -o "$work/hello" -L"$SCREE_BUILD/lib" -lscree -Wl,-rpath,"$SCREE_BUILD/lib"
said=$("$work/hello")
promised=$(sed -n 's/^    \(The ball of .*\)$/\1/p' docs/hello.md)
[ "$said" = "$promised" ] || { printf 'it prints:  %s\nthe page:   %s\n' "$said" "$promised"; exit 1; }
