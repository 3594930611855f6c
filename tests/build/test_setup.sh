#!/usr/bin/env bash
# The set-up script on machines that are not this one: dpkg-query, apt-get, sudo, id and rm are played by small stand-ins.
set -euo pipefail
setup=$PWD/scripts/setup
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# machine NAME COMMAND...: a PATH with bash and the stand-ins named, and nothing else
machine() {
    bin=$dir/$1
    mkdir "$bin"
    shift
    for real in bash env; do ln -s "$(command -v $real)" "$bin/$real"; done
    for command in "$@"; do mv "$dir/$command" "$bin/$command"; done
}
stand_in() { printf '#!/bin/bash\n%s\n' "$2" > "$dir/$1"; chmod +x "$dir/$1"; }
dpkg_without() {  # a package: it is there for another architecture only
    stand_in dpkg "echo amd64"
    stand_in dpkg-query 'for p in "${@:3}"; do
        [[ $p == '"$1"' ]] && echo "installed $p:arm64" || echo "installed $p:amd64"
    done'
}
apt_get() { stand_in apt-get 'echo "apt-get $*" >> '"$dir/log"; }
user() { stand_in id "echo $1"; }
removing() { stand_in rm 'echo "rm $*" >> '"$dir/log"; }
run() { status=0; output=$(PATH=$bin "$setup" "$@" 2>&1) || status=$?; }
fail() { echo "$1"; echo "exit $status: $output"; cat "$dir/log"; exit 1; }
touch "$dir/log"

dpkg_without nothing; apt_get; user 1000
machine complete dpkg dpkg-query apt-get id
run test
[[ $status -eq 0 && -z "$output" && ! -s "$dir/log" ]] || fail "a complete machine needs nothing"
run tests
[[ $status -eq 2 ]] || fail "an unknown list is an error"

dpkg_without cmake; apt_get; user 0; removing
machine root dpkg dpkg-query apt-get id rm
run build
[[ $status -eq 0 ]] && grep -q 'install.* --no-install-recommends cmake$' "$dir/log" || fail "root installs the missing"
grep -q '^rm .*build.ninja$' "$dir/log" || fail "builds are configured anew"

dpkg_without cmake; apt_get; user 1000; removing; stand_in sudo 'echo sudo >> '"$dir/log"'; "$@"'; : > "$dir/log"
machine sudoer dpkg dpkg-query apt-get id rm sudo
run build
[[ $status -eq 0 ]] && grep -q sudo "$dir/log" && grep -q 'install.* cmake$' "$dir/log" || fail "users go through sudo"

dpkg_without cmake; apt_get; user 1000; : > "$dir/log"
machine powerless dpkg dpkg-query apt-get id
run build
[[ $status -eq 1 && "$output" == *cmake*"no sudo"* && ! -s "$dir/log" ]] || fail "without root or sudo it only tells"

machine foreign
run test
[[ $status -eq 1 && "$output" == *libhdf5-dev*"not a Debian"* ]] || fail "without apt it only tells"
echo "set-up script: fine"
