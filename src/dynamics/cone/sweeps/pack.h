// SPDX-License-Identifier: BSD-3-Clause
// From the rows of contacts to bundles: each contact into its lane, with the impulse that sweeps start from. Rows come
// by the bundle where the system makes them so, else one by one.
#ifndef DYNAMICS_CONE_SWEEPS_PACK_H
#define DYNAMICS_CONE_SWEEPS_PACK_H

#include "dynamics/cone/sweeps/problem.h"

// Into bundles that are laid out, in the order of the problem; its records are made.
// part: NULL, or where they are packed already.
void pack_bundles(problem *p, const contact_system *system, const packed_part *part);

#endif
