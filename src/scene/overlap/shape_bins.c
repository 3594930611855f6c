// SPDX-License-Identifier: BSD-3-Clause
// Shapes in bins.
#include "scene/overlap/shape_bins.h"

#include <string.h>

#include "core/base/threads.h"

enum {
    LEVEL_MIN = -BIN_LEVELS / 2,  // cells of 2^-48 m and less are not told apart
    CELLS_OF_SHAPE = 8,
    BUCKETS_PER_SHAPE = 4,  // about as many cells as grains of a dense bed occupy
    BUCKETS_MIN = 1 << 8,
    BUCKETS_MAX = 1 << 28,
};
static const double CELL_LIMIT = 0x1p50;  // cells further out are one: whole numbers are exact up to here
// Rows of cells along x stay together in memory; y and z are spread by odd numbers without a pattern.
static const uint64_t SPREAD_Y = 0x9E3779B97F4A7C15u, SPREAD_Z = 0xC2B2AE3D27D4EB4Fu,
                      SPREAD_LEVEL = 0x165667B19E3779F9u;

typedef struct cell_box {
    int64_t low[3], high[3];
} cell_box;

static int64_t cell_along(double x, double inverse_edge)
{
    double cell = floor(x * inverse_edge);
    return (int64_t)fmin(fmax(cell, -CELL_LIMIT), CELL_LIMIT);
}

static cell_box cells_of(const scr_aabb *box, int level)
{
    double inverse_edge = ldexp(1.0, -(level + LEVEL_MIN));
    return (cell_box){{cell_along(box->low.x, inverse_edge), cell_along(box->low.y, inverse_edge),
                       cell_along(box->low.z, inverse_edge)},
                      {cell_along(box->high.x, inverse_edge), cell_along(box->high.y, inverse_edge),
                       cell_along(box->high.z, inverse_edge)}};
}

static double cell_count(const cell_box *c)
{
    double count = 1.0;
    for (int a = 0; a < 3; ++a) count *= (double)(c->high[a] - c->low[a] + 1);
    return count;
}

static int64_t bucket_of(const shape_bins *bins, int64_t x, int64_t y, int64_t z, int level)
{
    uint64_t h = (uint64_t)y * SPREAD_Y + (uint64_t)z * SPREAD_Z + (uint64_t)level * SPREAD_LEVEL;
    return (int64_t)(((h >> 20) + (uint64_t)x) & (uint64_t)(bins->bucket_count - 1));
}

// The octave of a shape, or -1 if it is endless: the smallest whose cells are not smaller than the shape.
static int level_of(const scr_aabb *box)
{
    double extent = fmax(fmax(box->high.x - box->low.x, box->high.y - box->low.y), box->high.z - box->low.z);
    int level;
    frexp(extent, &level);  // extent < 2^level
    if (!(extent < ldexp(1.0, BIN_LEVELS + LEVEL_MIN))) return -1;
    return (int)max_i64(level - LEVEL_MIN, 0);
}

scr_status shape_bins_reset(shape_bins *bins, int64_t expected_count, scr_error *error)
{
    int64_t buckets = BUCKETS_MIN;
    while (buckets < BUCKETS_PER_SHAPE * expected_count && buckets < BUCKETS_MAX) buckets *= 2;
    scr_status status = scr_grow(&bins->bucket, &bins->bucket_capacity, buckets, sizeof *bins->bucket, "bins", error);
    if (status != SCR_OK) return status;
    bins->bucket_count = buckets;
    memset(bins->bucket, 0xFF, (size_t)buckets * sizeof *bins->bucket);  // all -1
    memset(bins->level_count, 0, sizeof bins->level_count);
    bins->shape_count = bins->endless_count = bins->entry_count = 0;
    return SCR_OK;
}

static void enter(shape_bins *bins, int32_t shape, int64_t bucket)
{
    bins->entry[bins->entry_count] = (bin_entry){shape, bins->bucket[bucket]};
    bins->bucket[bucket] = (int32_t)bins->entry_count++;
}

scr_status shape_bins_add(shape_bins *bins, const placed_shape *shape, scr_error *error)
{
    int64_t number = bins->shape_count;
    if (bins->entry_count > INT32_MAX - CELLS_OF_SHAPE)
        return scr_fail(error, SCR_NO_MEMORY, "%lld shapes are too many to look for overlaps", (long long)number);
    scr_status status = scr_grow(&bins->shape, &bins->shape_capacity, number + 1, sizeof *shape, "bins", error);
    if (status != SCR_OK) return status;
    status = scr_grow(&bins->entry, &bins->entry_capacity, bins->entry_count + CELLS_OF_SHAPE, sizeof *bins->entry,
                      "bins", error);
    if (status != SCR_OK) return status;
    status = scr_grow(&bins->endless, &bins->endless_capacity, bins->endless_count + 1, sizeof *bins->endless, "bins",
                      error);
    if (status != SCR_OK) return status;

    scr_aabb box = placed_aabb(shape);
    int level = level_of(&box);
    bins->shape[bins->shape_count++] = *shape;
    if (level < 0) {
        bins->endless[bins->endless_count++] = (int32_t)number;
        return SCR_OK;
    }
    ++bins->level_count[level];
    cell_box c = cells_of(&box, level);
    for (int64_t z = c.low[2]; z <= c.high[2]; ++z)
        for (int64_t y = c.low[1]; y <= c.high[1]; ++y)
            for (int64_t x = c.low[0]; x <= c.high[0]; ++x)
                enter(bins, (int32_t)number, bucket_of(bins, x, y, z, level));
    return SCR_OK;
}

void shape_bins_free(shape_bins *bins)
{
    scr_free(bins->shape);
    scr_free(bins->endless);
    scr_free(bins->bucket);
    scr_free(bins->entry);
    *bins = (shape_bins){0};
}

static bool visit_all(const shape_bins *bins, shape_visit visit, void *context)
{
    for (int64_t i = 0; i < bins->shape_count; ++i) {
        if (visit(context, (int32_t)i)) return true;
    }
    return false;
}

static bool visit_cells(const shape_bins *bins, const cell_box *c, int level, shape_visit visit, void *context)
{
    for (int64_t z = c->low[2]; z <= c->high[2]; ++z) {
        for (int64_t y = c->low[1]; y <= c->high[1]; ++y) {
            for (int64_t x = c->low[0]; x <= c->high[0]; ++x) {
                int32_t e = bins->bucket[bucket_of(bins, x, y, z, level)];
                for (; e >= 0; e = bins->entry[e].next) {
                    if (visit(context, bins->entry[e].shape)) return true;
                }
            }
        }
    }
    return false;
}

bool shape_bins_visit(const shape_bins *bins, const placed_shape *shape, bool only_larger, shape_visit visit,
                      void *context)
{
    scr_aabb box = placed_aabb(shape);
    int own = level_of(&box);
    if (own < 0 && !only_larger) return visit_all(bins, visit, context);
    for (int64_t i = 0; i < bins->endless_count; ++i) {
        if (visit(context, bins->endless[i])) return true;
    }
    if (own < 0) return false;
    for (int level = only_larger ? own : 0; level < BIN_LEVELS; ++level) {
        if (bins->level_count[level] == 0) continue;
        cell_box c = cells_of(&box, level);
        // A large shape among small ones may cover more cells than there are shapes to look at.
        if (cell_count(&c) > (double)bins->shape_count) return visit_all(bins, visit, context);
        if (visit_cells(bins, &c, level, visit, context)) return true;
    }
    return false;
}
