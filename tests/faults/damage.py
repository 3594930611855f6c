# SPDX-License-Identifier: BSD-3-Clause
"""Bytes that are not as they were written: bits flipped, stretches zeroed, noise, files cut short."""
import functools

import stage as staging
from cases import Case
from judge import BAD_INPUT, DONE, FAILED, Place, check_ending, require, run
from verbs import VERBS, mask_numbers

# Which verbs read a file, and whether an answer they give must be the right one: where the file carries a checksum, or
# is not needed for it. Elsewhere a changed digit is another number that nobody can tell from the one that was written;
# then the answer must be complete.
READERS = {
    "half/checkpoint.h5": {"resume": True, "problem": True, "info_checkpoint": True},
    "whole/checkpoint.h5": {"info": False, "report": False},
    "half/trajectory.h5": {"resume": False},
    "whole/trajectory.h5": {"info": False, "info_trajectory": False, "render": False, "export_csv": False,
                            "export_vtu": False, "export_lammps": False, "export_povray": False, "report": False},
    "problem.h5": {"solve": False, "info_problem": False},
    "half/probes.csv": {"resume": False},
    "whole/probes.csv": {"plot": False, "plot_list": False, "plot_csv": False, "report": False},
    "half/summary.json": {"resume": True},
    "whole/summary.json": {"info": False, "report": False, "plot": False},
    "half/scene.json": {"resume": False, "problem": False, "check_run": False},
    "whole/scene.json": {"info": False, "render": False, "report": False, "export_povray": False, "plot": False},
    "handful.json": {"check": False, "contacts": False},
}
SEEDS = 10


def flip(data, chance):
    for _ in range(chance.choice((1, 1, 1, 2, 8))):
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)


def zero(data, chance):
    at, length = chance.randrange(len(data)), chance.choice((1, 4, 8, 64, 512, 4096))
    data[at:at + length] = bytes(len(data[at:at + length]))


def noise(data, chance):
    at, length = chance.randrange(len(data)), chance.choice((1, 4, 8, 64, 512))
    data[at:at + length] = chance.randbytes(len(data[at:at + length]))


def cut(data, chance):
    del data[chance.choice((0, 1, 8, chance.randrange(len(data)), chance.randrange(len(data)), len(data) - 1)):]


def head(data, chance):
    """Where HDF5 keeps what it is, and text its first keys."""
    data[chance.randrange(min(len(data), 512))] = chance.randrange(256)


KINDS = {damage.__name__: damage for damage in (flip, zero, noise, cut, head)}


def check_resumed(place, result, file):
    """The state is right however the files of output fared, and they can be read."""
    ours, right = (staging.figures(place.path(name))["state_hash"] for name in ("half", "whole"))
    require(ours == right, f"another state after damage: {result}")
    try:
        seen = staging.frames(place.path("half"))
    except OSError as error:  # frames are not all read again to go on; whoever reads them is told
        require(file.endswith("trajectory.h5") and "damaged: frame" in str(error), f"{error}: {result}")
        return
    if file.endswith("trajectory.h5"):
        require(len(seen) == len(place.stage.whole_frames), f"frames are missing: {result}")
    else:
        require(seen == place.stage.whole_frames, f"frames differ: {result}")


def one(file, verb, must_be_right, damage, stage, where, chance):
    place = Place(stage, where)
    data = bytearray(place.before[file])
    damage(data, chance)
    with open(place.path(file), "wb") as out:
        out.write(data)
    result = run(where, verb.words)
    check_ending(result, (DONE, FAILED, BAD_INPUT))
    place.check_others(verb, damaged=(file,))
    if result.code != DONE:
        require(mask_numbers(result.said).count("\n") <= 4, f"more than a few sentences: {result}")
        return
    if must_be_right or bytes(data) == place.before[file]:
        place.check_outputs(verb, result)
        if verb.makes_run:
            place.check_same_run(verb.run)
    elif verb.name == "resume":
        check_resumed(place, result, file)
    else:
        place.check_outputs(verb, result, exactly=False)


def cases():
    for file, readers in READERS.items():
        for name, must_be_right in readers.items():
            for kind, damage in KINDS.items():
                for seed in range(SEEDS):
                    short = seed == 0 and kind == ("flip", "cut", "zero")[len(name) % 3]
                    yield Case(f"damage/{file.replace('/', '_')}/{name}/{kind}/{seed + 1}",
                               functools.partial(one, file, VERBS[name], must_be_right, damage), short)
