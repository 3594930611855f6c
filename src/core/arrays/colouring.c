// SPDX-License-Identifier: BSD-3-Clause
// Greedy colouring, one pair after the other.
//
// The loop is serial on purpose: a colour depends on all pairs before it. It costs a few nanoseconds a pair, which is
// less than one sweep of the solver over that pair; splitting it over threads would need rounds of repair.
#include "core/arrays/colouring.h"

// Colour every pair and count the colours.
static void take_colours(const body_pair *pair, int64_t n, uint64_t *taken, uint8_t *colour, int64_t *count)
{
    uint64_t nobody = 0;  // stands in for NO_BODY: always free, so the loop body needs no branch
    for (int64_t i = 0; i < n; ++i) {
        uint64_t *a = pair[i].a == NO_BODY ? &nobody : &taken[pair[i].a];
        uint64_t *b = pair[i].b == NO_BODY ? &nobody : &taken[pair[i].b];
        uint64_t free_colours = ~(*a | *b);
        int c = free_colours != 0 ? __builtin_ctzll(free_colours) : COLOUR_OVERFLOW;
        uint64_t bit = free_colours & -free_colours;  // the lowest set bit; 0 for the overflow, which takes nothing
        *a |= bit;
        *b |= bit;
        nobody = 0;
        colour[i] = (uint8_t)c;
        ++count[c];
    }
}

void scr_colour(const body_pair *pair, int64_t n, uint64_t *taken, uint8_t *colour, int64_t start[COLOUR_COUNT + 2])
{
    int64_t count[COLOUR_COUNT + 1] = {0};
    take_colours(pair, n, taken, colour, count);
    start[0] = 0;
    for (int c = 0; c <= COLOUR_COUNT; ++c) start[c + 1] = start[c] + count[c];
}
