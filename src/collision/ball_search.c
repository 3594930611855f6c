// Compiled once for every instruction set: SCREE_ISA names it.
#include "collision/ball_search.h"

#include "core/wide.h"

#define PASTE(a, b) a##b
#define NAME(a, b) PASTE(a, b)

uint64_t NAME(ball_search_, SCREE_ISA)(const ball_lanes *lanes, int64_t first, int64_t count, float x, float y, float z, float r)
{
    wide bx = wide_set(x), by = wide_set(y), bz = wide_set(z), br = wide_set(r);
    uint64_t hits = 0;
    for (int64_t k = 0; k < count; k += LANES) {
        wide dx = wide_load(lanes->x + first + k) - bx, dy = wide_load(lanes->y + first + k) - by;
        wide dz = wide_load(lanes->z + first + k) - bz, sum = wide_load(lanes->r + first + k) + br;
        wide_mask near = dx * dx + dy * dy + dz * dz < sum * sum;
        hits |= (uint64_t)wide_bits(near) << k;
    }
    return count < SEARCH_RUN_MAX ? hits & (((uint64_t)1 << count) - 1) : hits;
}
