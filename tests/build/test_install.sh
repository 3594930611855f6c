#!/usr/bin/env bash
# Installs into an empty directory and uses scree from there as a stranger would: with pkg-config, with CMake against
# the shared and the static library, and as a command with its manual page, completion, scenes and documentation.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# DESTDIR is where a packager collects the files; the tree is then moved to another place and must still work.
DESTDIR=$dir/stage cmake --install "$SCREE_BUILD" --prefix /opt/scree > "$dir/log"
mv "$dir/stage/opt/scree" "$dir/scree"
prefix=$dir/scree

cat > "$dir/hello.c" <<'END'
#include <scree/scree.h>
#include <stdio.h>
int main(void) { printf("scree %s\n", scr_version()); }
END
cat > "$dir/open.c" <<'END'
#include <scree/scene.h>
#include <stdio.h>
int main(void)
{
    scr_scene_def def = scr_default_scene_def();
    scr_scene *scene;
    scr_error error;
    def.path = "/no/such/scene.json";
    if (scr_scene_open(&def, &scene, &error) != SCR_IO) return 1;
    printf("scree %s\n", scr_version());
}
END
check() { [[ "$("$@")" == "scree "[0-9]*.[0-9]*.[0-9]* ]] || { echo "$* did not say its version"; exit 1; }; }

echo "pkg-config"
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig LD_LIBRARY_PATH=$prefix/lib
read -ra flags <<< "$(pkg-config --cflags --libs scree)"
cc -std=c17 -pedantic -Wall -Werror "$dir/hello.c" "${flags[@]}" -o "$dir/hello"
check "$dir/hello"
read -ra flags <<< "$(pkg-config --cflags --libs scree-run)"
cc -std=c17 -pedantic -Wall -Werror "$dir/open.c" "${flags[@]}" -o "$dir/open"
check "$dir/open"

echo "find_package"
cat > "$dir/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(hello C)
find_package(scree REQUIRED)
add_executable(hello_shared hello.c)
target_link_libraries(hello_shared PRIVATE scree::scree)
add_executable(hello_static hello.c)
target_link_libraries(hello_static PRIVATE scree::static)
add_executable(open_shared open.c)
target_link_libraries(open_shared PRIVATE scree::scree-run)
add_executable(open_static open.c)
target_link_libraries(open_static PRIVATE scree::static-run)
END
cmake -G Ninja -S "$dir" -B "$dir/build" -DCMAKE_PREFIX_PATH="$prefix" > "$dir/log" || { cat "$dir/log"; exit 1; }
cmake --build "$dir/build" > "$dir/log" || { cat "$dir/log"; exit 1; }
check "$dir/build/hello_shared"
check "$dir/build/open_shared"
unset LD_LIBRARY_PATH  # the static program and the command must do without libscree.so
check "$dir/build/hello_static"
check "$dir/build/open_static"

echo "the command"
check "$prefix/bin/scree" --version

echo "what comes with it"
for file in man/man1/scree.1 bash-completion/completions/scree zsh/site-functions/_scree \
    scree/scenes/scene.schema.json scree/scenes/silo/demo.json scree/scenes/shapes/ring.obj \
    doc/scree/README.md doc/scree/CHANGELOG.md doc/scree/LICENSE doc/scree/docs/scene.md doc/scree/docs/images/silo.png; do
    [[ -s $prefix/share/$file ]] || { echo "share/$file is missing or empty"; exit 1; }
done
"$prefix/bin/scree" check "$prefix/share/scree/scenes/silo/demo.json" > "$dir/log"
"$prefix/bin/scree" check "$prefix/share/scree/scenes/robot/flat.json" > "$dir/log"  # its vehicle is there, too
man --warnings -l "$prefix/share/man/man1/scree.1" 2>&1 | grep -q '^ *scree run$' || { echo "man shows no scree run"; exit 1; }
version=$("$prefix/bin/scree" --version | awk 'NR == 1 { print $2 }')
grep -q "^## $version$" "$prefix/share/doc/scree/CHANGELOG.md" || { echo "CHANGELOG.md has no version $version"; exit 1; }

echo "symbols"
for library in libscree libscree-run; do
  for names in "$(nm -D --defined-only "$prefix/lib/$library.so")" "$(nm -g --defined-only "$prefix/lib/$library.a")"; do
    awk 'NF == 3 { ++count; if ($3 !~ /^scr_/) { print $3 " is visible from outside"; wrong = 1 } }
         END { print count " symbols"; exit wrong || !count }' <<< "$names"
  done
done
