// SPDX-License-Identifier: BSD-3-Clause
// Compiled once for every instruction set: SCREE_ISA names it.
#include "collision/lanes/box_pairs.h"

#include "collision/lanes/placed_lanes.h"
#include "collision/narrow/box_axes.h"
#include "collision/narrow/narrow_box.h"

static inline void find_lanes(const colliders *c, shape_pairs *pairs, const int which[REAL_LANES])
{
    placed_pairs p = placed_pairs_load(c, pairs, which);
    box_lanes boxes = box_lanes_of(p.a.rotation, p.b.rotation, real3_sub(p.b.at, p.a.at), p.a.half, p.b.half);
    box_best best;
    real_mask near = find_box_axes(&boxes, p.reach, real_set(0.0) == real_set(0.0), &best);
    if (real_bits(near) == 0) return;
    for (int k = 0; k < REAL_LANES; ++k) {
        if (!near[k]) continue;
        pairs->verdict[which[k]] = PAIR_OPEN;
        pairs->clue[which[k]] = box_axes_clue((int)best.face[k], (int)best.edge[k]);
    }
}

void KERNEL(box_pairs)(const colliders *c, shape_pairs *pairs, const int *which, int count)
{
    for (int first = 0; first < count; first += REAL_LANES) find_lanes(c, pairs, which + first);
}
