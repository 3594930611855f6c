#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# scree render: makes the same picture on any number of threads, and says what is wrong in a sentence.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

# refused CODE WORDS ARGUMENT...: the command ends with this code, says these words, and writes no picture.
refused() {
    code=$1 words=$2
    shift 2
    got=0
    "$SCREE" render "$@" >out.txt 2>err.txt || got=$?
    [ "$got" -eq "$code" ] || fail "render $*: exit code $got, not $code: $(cat err.txt)"
    grep -qF -- "$words" err.txt || fail "render $*: \"$words\" is not in: $(cat err.txt)"
    [ -z "$(find . -name '*.png*')" ] || fail "render $*: left a file behind"
}

cat >scene.json <<'SCENE'
{
  "title": "Three balls",
  "time": {"step": 0.001, "end": 0.04},
  "materials": {"rubber": {}},
  "bodies": [
    {"kind": "fixed", "shapes": [{"plane": {}, "material": "rubber"}]},
    {"position": [0, 0, 1], "shapes": [{"sphere": {"radius": 0.2}, "material": "rubber"}]},
    {"position": [1, 0, 1], "shapes": [{"sphere": {"radius": 0.3}, "material": "rubber"}]},
    {"position": [0, 1, 1], "shapes": [{"sphere": {"radius": 0.4}, "material": "rubber"}]}
  ],
  "output": {"frame_interval": 0.01},
  "view": {"colour": "radius"}
}
SCENE
"$SCREE" run scene.json -o run >/dev/null 2>&1 || fail "the run"

refused 2 "run has no frame at t = 7 s: there are 5 frames from 0 s to 0.04 s" run --time 7
refused 2 "numbered from 0 to 4" run --frame 5
refused 2 "numbered from 0 to 4" run --frame -1
refused 2 "not both" run --frame 1 --time 0.01
refused 2 "--size 1600x1000" run --size 1600
refused 2 "not 9 x 9" run --size 9x9
refused 2 "did you mean \"speed\"?" run --colour sped
refused 2 "--range belongs to" run --colour body --range 0,1
refused 2 "from 2 to 1" run --range 2,1
refused 2 "--eye x,y,z" run --eye 1,2
refused 2 "different points" run --eye 1,1,1 --target 1,1,1
refused 2 "did you mean --samples?" run --sample 4
refused 2 "there is no directory nowhere" run -o nowhere/a.png
refused 2 "ends in .png" run -o run
refused 2 "ends in .png" run -o /dev/full
mkdir directory.PNG
ln -s /dev/full full.PNG
refused 2 "is no file" run -o directory.PNG
refused 2 "is no file" run -o full.PNG
refused 2 "nothing" nothing
mkdir empty
refused 2 "empty holds no trajectory.h5" empty

# A disk that is full, or a limit on the size of files: the run is untouched and no half picture stays.
(
    ulimit -f 4
    refused 1 "a.png: the picture cannot be written: File too large" run --size 400x250 --samples 1 -o a.png
)

"$SCREE" render run --time 0.021 --size 160x100 --samples 4 -j 1 -o one.png >said.txt
grep -q "frame 2 at t = 0.02 s, 3 spheres" said.txt || fail "said: $(cat said.txt)"
"$SCREE" render run --frame 2 --size 160x100 --samples 4 -j 4 -o four.png >/dev/null
cmp one.png four.png || fail "one thread and four make different pictures"
"$SCREE" render run --size 160x100 --samples 4 >/dev/null
[ -s run/frame-00004.png ] || fail "the last frame is not in run/frame-00004.png"

# The view that was printed can be typed.
again=$(sed -n 's/^this view again: //p' said.txt)
"$SCREE" render run --frame 2 --size 160x100 --samples 4 -o again.png $again >/dev/null
"$SCREE" render run --frame 2 --size 160x100 --samples 4 --colour speed -o speed.png >/dev/null
cmp -s one.png speed.png && fail "colours by radius and by speed are the same"
exit 0
