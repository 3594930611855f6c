# SPDX-License-Identifier: BSD-3-Clause
"""A case: one fault, judged. Its name says which, and is enough to run it alone."""
import dataclasses
import random
import typing


@dataclasses.dataclass(frozen=True)
class Case:
    name: str                  # family/verb/... , unique
    run: typing.Callable       # (stage, directory of its own that is not there yet, random.Random)
    short: bool = False        # one of the few that `make test` runs
    needs_root: bool = False   # to mount a small disk
    needs_inject: bool = False  # the preloaded library, which sanitizers do not bear

    def chance(self):
        """Random numbers that depend on the name alone."""
        return random.Random(self.name)


def spread(total, point, points):
    """The `point`th of `points` numbers from 1 to total, evenly apart, both ends among them."""
    return 1 + (total - 1) * point // max(points - 1, 1)
