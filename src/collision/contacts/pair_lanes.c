// SPDX-License-Identifier: BSD-3-Clause
#include "collision/contacts/pair_lanes.h"

#include "collision/convex/narrow_phase.h"
#include "collision/ellipsoid/ellipsoid_pairs.h"
#include "collision/lanes/box_pairs.h"
#include "collision/lanes/capsule_pairs.h"
#include "collision/narrow/narrow_box.h"

enum { KIND_COUNT = SCR_SPHERE_SET + 1 };

// One more than the entry of lane_kernels; 0: none
static const uint8_t lane_kind[KIND_COUNT][KIND_COUNT] = {
    [SCR_ELLIPSOID][SCR_ELLIPSOID] = TWO_ELLIPSOIDS + 1,
    [SCR_CAPSULE][SCR_CAPSULE] = TWO_CAPSULES + 1,
    [SCR_BOX][SCR_BOX] = TWO_BOXES + 1,
};

static const double ROUNDED_UP = 1.0 + 1e-12;

lane_kernels lane_kernels_for(bool plain)
{
    return (lane_kernels){{[TWO_ELLIPSOIDS] = KERNEL_TO_AVX512_FOR(!plain, ellipsoid_pairs),
                           [TWO_CAPSULES] = KERNEL_TO_AVX512_FOR(!plain, capsule_pairs),
                           [TWO_BOXES] = KERNEL_FOR(!plain, box_pairs)}};
}

bool has_lane_kernel(const colliders *c, int64_t i, int64_t j)
{
    return lane_kind[c->kind[i]][c->kind[j]] != 0 && !c->period.any;
}

// Lanes are for pairs whose bounding balls are in reach: of a neighbour list a quarter is not.
static bool balls_are_near(const ball *a, const ball *b, double reach)
{
    double x = b->x - a->x, y = b->y - a->y, z = b->z - a->z, limit = ROUNDED_UP * (a->r + b->r + reach);
    return limit > 0.0 && x * x + y * y + z * z < limit * limit;
}

void lane_block_empty(lane_block *block)
{
    block->pairs.count = 0;
    for (int kind = 0; kind < LANE_KINDS; ++kind) block->near_count[kind] = 0;
}

void lane_block_add(lane_block *block, const colliders *c, int32_t i, int32_t j, double reach)
{
    shape_pairs *pairs = &block->pairs;
    int k = pairs->count++, kind = lane_kind[c->kind[i]][c->kind[j]] - 1;
    pairs->a[k] = i, pairs->b[k] = j, pairs->reach[k] = reach, pairs->verdict[k] = PAIR_APART;
    if (balls_are_near(&c->ball[i], &c->ball[j], reach)) block->near[kind][block->near_count[kind]++] = k;
}

void lane_block_search(lane_block *block, const colliders *c, const lane_kernels *kernels)
{
    for (int kind = 0; kind < LANE_KINDS; ++kind) {
        int count = block->near_count[kind], *near = block->near[kind];
        if (count == 0) continue;
        for (int spare = 0; spare < LANES_MOST; ++spare) near[count + spare] = near[0];
        kernels->search[kind](c, &block->pairs, near, count);
    }
}

// Of these kinds what touches is as large as the whole.
static double reach_of(const colliders *c, const grain_pairs *pairs, int32_t i, int32_t j)
{
    return pairs->envelope * fmin(c->ball[i].r, c->ball[j].r) + (double)pairs->closing[i] + (double)pairs->closing[j];
}

void lane_block_find(lane_block *block, const colliders *c, const grain_pairs *pairs, const lane_kernels *kernels)
{
    lane_block_empty(block);
    for (int word = 0; word < PAIR_BLOCK / 64; ++word)
        for (uint64_t bits = pairs->is_other[word]; bits != 0; bits &= bits - 1) {
            int k = 64 * word + __builtin_ctzll(bits);
            int32_t i = pairs->a[k], j = pairs->b[k];
            if (has_lane_kernel(c, i, j)) lane_block_add(block, c, i, j, reach_of(c, pairs, i, j));
        }
    lane_block_search(block, c, kernels);
}

const contact_point *lane_block_points(const lane_block *block, const colliders *c, int k,
                                       contact_point memory[MANIFOLD_MAX], int *count)
{
    const shape_pairs *pairs = &block->pairs;
    *count = pairs->verdict[k] == PAIR_TOUCHES;
    if (pairs->verdict[k] != PAIR_OPEN) return &pairs->found[k];
    placed_shape a = collider_placed(c, pairs->a[k]), b = collider_placed(c, pairs->b[k]);
    if (a.kind == SCR_BOX) *count = narrow_box_box_along(&a, &b, pairs->reach[k], pairs->clue[k], memory);
    else *count = narrow_phase(&a, &b, pairs->reach[k], memory);
    return memory;
}
