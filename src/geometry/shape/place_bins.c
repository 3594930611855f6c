// SPDX-License-Identifier: BSD-3-Clause
#include "geometry/shape/place_bins.h"

#include "core/base/interruption.h"
#include "core/base/memory.h"

enum { LOOKS_BETWEEN = 1024 };
static const double CELL_BUDGET = 2e8;  // bins

static int64_t bin_along(const place_bins *b, int axis, double x)
{
    double low = axis == 0 ? b->bounds.low.x : axis == 1 ? b->bounds.low.y : b->bounds.low.z;
    int64_t bin = (int64_t)((x - low) / b->width);
    return bin < 0 ? 0 : bin >= b->bins[axis] ? b->bins[axis] - 1 : bin;
}

static int64_t bin_of(const place_bins *b, scr_vec3 p)
{
    return (bin_along(b, 2, p.z) * b->bins[1] + bin_along(b, 1, p.y)) * b->bins[0] + bin_along(b, 0, p.x);
}

static bool bin_is_free(const place_bins *b, int64_t bin, scr_vec3 p, double half)
{
    const packed_grains *g = b->grains;
    for (int32_t i = b->first[bin]; i >= 0; i = b->next[i]) {
        scr_vec3 d = vec3_sub(g->position[i], p);
        double sum = g->radius[i] + half;
        if (vec3_dot(d, d) < sum * sum) return false;
    }
    return true;
}

bool place_is_free(const place_bins *b, scr_vec3 p, double half)
{
    int64_t at[3] = {bin_along(b, 0, p.x), bin_along(b, 1, p.y), bin_along(b, 2, p.z)}, low[3], high[3];
    for (int k = 0; k < 3; ++k) {
        low[k] = at[k] > 0 ? at[k] - 1 : 0;
        high[k] = at[k] + 1 < b->bins[k] ? at[k] + 1 : at[k];
    }
    for (int64_t z = low[2]; z <= high[2]; ++z)
        for (int64_t y = low[1]; y <= high[1]; ++y)
            for (int64_t x = low[0]; x <= high[0]; ++x)
                if (!bin_is_free(b, (z * b->bins[1] + y) * b->bins[0] + x, p, half)) return false;
    return true;
}

scr_status place_add(place_bins *b, scr_vec3 p, double half, scr_error *error)
{
    packed_grains *g = b->grains;
    scr_status status = packed_grains_reserve(g, g->count + 1, error);
    if (status == SCR_OK)
        status = scr_grow(&b->next, &b->next_capacity, g->count + 1, sizeof *b->next, "places", error);
    if (status == SCR_OK && g->count % LOOKS_BETWEEN == 0 && interruption_is_overdue())
        status = interruption_fail(error);
    if (status != SCR_OK) return status;
    int64_t bin = bin_of(b, p);
    g->position[g->count] = p;
    g->radius[g->count] = half;
    b->next[g->count] = b->first[bin];
    b->first[bin] = (int32_t)g->count++;
    return SCR_OK;
}

scr_status place_bins_begin(place_bins *b, scr_error *error)
{
    b->grains->count = 0;
    scr_vec3 edge = vec3_sub(b->bounds.high, b->bounds.low);
    b->bins[0] = 1 + (int64_t)fmin(edge.x / b->width, CELL_BUDGET);
    b->bins[1] = 1 + (int64_t)fmin(edge.y / b->width, CELL_BUDGET);
    b->bins[2] = 1 + (int64_t)fmin(edge.z / b->width, CELL_BUDGET);
    double bins = (double)b->bins[0] * (double)b->bins[1] * (double)b->bins[2];
    if (!(bins <= CELL_BUDGET)) {
        b->grains->count = PACKING_TOO_LARGE;
        return SCR_OK;
    }
    size_t bytes = scr_array_bytes((int64_t)bins, sizeof *b->first);
    b->first = scr_alloc(bytes);
    if (b->first == NULL) return scr_fail_memory(error, bytes, "places");
    for (int64_t i = 0; i < (int64_t)bins; ++i) b->first[i] = -1;
    return SCR_OK;
}

void place_bins_free(place_bins *b)
{
    scr_free(b->first);
    scr_free(b->next);
}
