#include "collision/spatial_grid.h"

#include <string.h>

#include "core/radix_sort.h"
#include "core/scan.h"
#include "core/threads.h"

enum { OCTAVE_COUNT = 2200, OCTAVE_ZERO = 1100 }; // powers of two that a double can be
static const double WIDE_RATIO = 4.0;             // a ball this many typical radii large is wide
static const double BOX_DEVIATIONS = 4.0;         // outliers beyond this are clamped into the outermost cells
enum { BOX_CUTS = 8 };
static const double EXTENT_MAX = 1e300; // m; keeps the arithmetic finite, whatever a user writes
static const double EDGE_GROWTH = 1.1; // the edge of the cells grows in such steps until there are few enough

void spatial_grid_free(spatial_grid *grid)
{
    void *arrays[] = {grid->cell_start, grid->lanes.x, grid->lanes.y, grid->lanes.z, grid->lanes.r, grid->collider,
                      grid->wide, grid->plane, grid->mark_start, grid->mark, grid->is_small};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i) scr_free(arrays[i]);
}

static double margin_radius(const colliders *c, const float *margin, int64_t i)
{
    return c->radius[i] + (double)margin[i];
}

// The power of two just above the median radius: half of the balls are no larger.
static double typical_radius(const colliders *c, const float *margin)
{
    int64_t octave[OCTAVE_COUNT] = {0}, finite_count = 0, below = 0;
    for (int64_t i = 0; i < c->table.count; ++i) {
        double r = margin_radius(c, margin, i);
        if (!isfinite(r)) continue;
        int exponent;
        frexp(r, &exponent);
        ++octave[exponent + OCTAVE_ZERO];
        ++finite_count;
    }
    for (int k = 0; k < OCTAVE_COUNT; ++k) {
        below += octave[k];
        if (2 * below >= finite_count) return ldexp(1.0, k - OCTAVE_ZERO);
    }
    return 1.0;
}

static scr_status grow_lists(spatial_grid *grid, int64_t n, scr_error *error)
{
    float **lanes[] = {&grid->lanes.x, &grid->lanes.y, &grid->lanes.z, &grid->lanes.r};
    int64_t capacity = grid->lane_capacity;
    scr_status status = SCR_OK;
    for (int k = 0; k < 4 && status == SCR_OK; ++k) {
        capacity = grid->lane_capacity;
        status = scr_grow(lanes[k], &capacity, n + SEARCH_PADDING, sizeof(float), "grid", error);
    }
    if (status == SCR_OK) grid->lane_capacity = capacity;
    if (status == SCR_OK)
        status = scr_grow(&grid->collider, &grid->collider_capacity, n, sizeof *grid->collider, "grid", error);
    if (status == SCR_OK)
        status = scr_grow(&grid->is_small, &grid->small_flag_capacity, n, sizeof *grid->is_small, "grid", error);
    return status;
}

// Sort colliders into small, wide and planes; the largest margin radius among the small ones.
static scr_status classify(spatial_grid *grid, const colliders *c, const float *margin, scr_error *error)
{
    double cutoff = WIDE_RATIO * typical_radius(c, margin);
    grid->small_radius = 0.0;
    grid->small_count = grid->wide_count = grid->plane_count = 0;
    for (int64_t i = 0; i < c->table.count; ++i) {
        double r = margin_radius(c, margin, i);
        grid->is_small[i] = r <= cutoff;
        scr_status status = SCR_OK;
        if (grid->is_small[i]) {
            grid->collider[grid->small_count++] = (int32_t)i;
            grid->small_radius = fmax(grid->small_radius, r);
        } else if (c->kind[i] == SCR_PLANE) {
            status = scr_grow(&grid->plane, &grid->plane_capacity, grid->plane_count + 1, sizeof *grid->plane, "planes",
                              error);
            if (status == SCR_OK) grid->plane[grid->plane_count++] = (int32_t)i;
        } else {
            status = scr_grow(&grid->wide, &grid->wide_capacity, grid->wide_count + 1, sizeof *grid->wide,
                              "wide shapes", error);
            if (status == SCR_OK) grid->wide[grid->wide_count++] = (int32_t)i;
        }
        if (status != SCR_OK) return status;
    }
    return SCR_OK;
}

typedef struct cell_box { double low[3], high[3]; } cell_box;

// The box of all small balls' centres.
static cell_box outer_box(const spatial_grid *grid, const colliders *c)
{
    cell_box box = {{0}, {0}};
    for (int64_t k = 0; k < grid->small_count; ++k) {
        const ball *b = &c->ball[grid->collider[k]];
        const double at[3] = {b->x, b->y, b->z};
        for (int axis = 0; axis < 3; ++axis) {
            box.low[axis] = k == 0 ? at[axis] : fmin(box.low[axis], at[axis]);
            box.high[axis] = k == 0 ? at[axis] : fmax(box.high[axis], at[axis]);
        }
    }
    return box;
}

// Cut the box down to some deviations from the mean of the balls in it. Whether there was something to cut.
static bool cut_box(cell_box *box, const spatial_grid *grid, const colliders *c)
{
    double mean[3] = {0}, square[3] = {0}, middle[3];
    int64_t n = 0;
    for (int axis = 0; axis < 3; ++axis) middle[axis] = 0.5 * (box->low[axis] + box->high[axis]);
    for (int64_t k = 0; k < grid->small_count; ++k) {
        const ball *b = &c->ball[grid->collider[k]];
        const double at[3] = {b->x, b->y, b->z};
        bool inside = true;
        for (int axis = 0; axis < 3; ++axis) inside &= at[axis] >= box->low[axis] && at[axis] <= box->high[axis];
        if (!inside) continue;
        for (int axis = 0; axis < 3; ++axis) {
            double d = at[axis] - middle[axis];
            mean[axis] += d;
            square[axis] += d * d;
        }
        ++n;
    }
    bool cut = false;
    for (int axis = 0; axis < 3 && n > 0; ++axis) {
        double m = mean[axis] / (double)n, deviation = sqrt(fmax(0.0, square[axis] / (double)n - m * m));
        double low = middle[axis] + m - BOX_DEVIATIONS * deviation, high = middle[axis] + m + BOX_DEVIATIONS * deviation;
        cut |= low > box->low[axis] || high < box->high[axis];
        box->low[axis] = fmax(box->low[axis], low);
        box->high[axis] = fmin(box->high[axis], high);
    }
    return cut;
}

static double cells_along(const cell_box *box, int axis, double radius, double edge)
{
    double extent = fmin(fmax(box->high[axis] - box->low[axis], 0.0), EXTENT_MAX);
    return floor((extent + 2.0 * radius) / edge) + 1.0;
}

// Not finer than half a ball a cell: the table of cells stays linear in the balls.
static bool cells_are_few(const spatial_grid *grid, const cell_box *box, double edge)
{
    double cells = 1.0;
    for (int axis = 0; axis < 3; ++axis) cells *= cells_along(box, axis, grid->small_radius, edge);
    return cells <= 2.0 * (double)grid->small_count + 64.0;
}

// The cells cover the box of all small balls. Where that is too large for cells as small as the balls, it is cut, so
// that one grain that flew away does not make all cells large: until nothing is left to cut, because a far grain weighs
// in the deviation that should leave it out. What still does not fit gets larger cells.
static void choose_cells(spatial_grid *grid, const colliders *c)
{
    cell_box box = outer_box(grid, c);
    double edge = grid->small_radius > 0.0 ? 2.0 * grid->small_radius * (1.0 + 1e-6) : 1.0;
    for (int cut = 0; cut < BOX_CUTS && !cells_are_few(grid, &box, edge); ++cut)
        if (!cut_box(&box, grid, c)) break;
    while (!cells_are_few(grid, &box, edge)) edge *= EDGE_GROWTH;

    grid->inverse_edge = 1.0 / edge;
    grid->cell_count = 1;
    for (int axis = 0; axis < 3; ++axis) {
        grid->low[axis] = box.low[axis] - grid->small_radius;
        grid->size[axis] = (int32_t)cells_along(&box, axis, grid->small_radius, edge);
        grid->cell_count *= grid->size[axis];
    }
}

static void set_lane(spatial_grid *grid, int64_t k, const ball *b, double radius)
{
    grid_lane lane = grid_lane_of(grid, b, radius);
    grid->lanes.x[k] = lane.x, grid->lanes.y[k] = lane.y, grid->lanes.z[k] = lane.z, grid->lanes.r[k] = lane.r;
}

// Order the small balls by cell, stably: within a cell by collider number.
static scr_status sort_into_cells(spatial_grid *grid, const colliders *c, const float *margin, scr_arena *scratch,
                                  int threads, scr_error *error)
{
    int64_t n = grid->small_count;
    scr_status status = scr_grow(&grid->cell_start, &grid->cell_capacity, grid->cell_count + 1,
                                 sizeof *grid->cell_start, "grid cells", error);
    if (status == SCR_OK)
        status = scr_arena_reserve(scratch, scr_arena_bytes(sizeof(uint64_t), n) + scr_radix_sort_bytes(n), "grid sort",
                                   error);
    if (status != SCR_OK) return status;
    scr_arena arena = *scratch;
    uint64_t *key = scr_arena_array(&arena, sizeof *key, n);

#pragma omp parallel for num_threads(threads) schedule(static)
    for (int64_t k = 0; k < n; ++k) {
        const ball *b = &c->ball[grid->collider[k]];
        key[k] = (uint64_t)grid_cell(grid, grid_coordinate(grid, b->x, 0), grid_coordinate(grid, b->y, 1),
                                     grid_coordinate(grid, b->z, 2));
    }
    scr_radix_sort(key, (uint32_t *)grid->collider, n, scr_bits_for(grid->cell_count), arena, threads);

#pragma omp parallel num_threads(threads)
    {
#pragma omp for schedule(static)
        for (int64_t k = 0; k < n; ++k) {
            int32_t i = grid->collider[k];
            set_lane(grid, k, &c->ball[i], margin_radius(c, margin, i));
            // Every cell from the one after the previous ball's up to this one's begins here.
            int64_t first = k == 0 ? 0 : (int64_t)key[k - 1] + 1;
            for (int64_t cell = first; cell <= (int64_t)key[k]; ++cell) grid->cell_start[cell] = (int32_t)k;
        }
    }
    int64_t first_empty = n == 0 ? 0 : (int64_t)key[n - 1] + 1;
    for (int64_t cell = first_empty; cell <= grid->cell_count; ++cell) grid->cell_start[cell] = (int32_t)n;
    return SCR_OK;
}

// Distance from a point to a box or sphere, 0 inside.
static double distance_to(const placed_shape *shape, scr_vec3 point)
{
    scr_vec3 d = vec3_sub(point, shape->position);
    if (shape->kind == SCR_SPHERE) return fmax(0.0, vec3_norm(d) - shape->radius);
    scr_vec3 local = vec3_abs(quat_unrotate(shape->rotation, d));
    return vec3_norm(vec3(fmax(0.0, local.x - shape->half.x), fmax(0.0, local.y - shape->half.y),
                          fmax(0.0, local.z - shape->half.z)));
}

cell_range cells_near(const spatial_grid *grid, const placed_shape *shape, double reach)
{
    scr_aabb box = placed_aabb(shape);
    const double low[3] = {box.low.x, box.low.y, box.low.z}, high[3] = {box.high.x, box.high.y, box.high.z};
    cell_range range;
    for (int axis = 0; axis < 3; ++axis) {
        range.first[axis] = grid_coordinate(grid, low[axis] - reach, axis);
        range.last[axis] = grid_coordinate(grid, high[axis] + reach, axis);
    }
    return range;
}

// Outermost cells stand for all the space beyond them, so only inner ones may be left out by distance.
static bool cell_is_outermost(const spatial_grid *grid, int32_t ix, int32_t iy, int32_t iz)
{
    return ix == 0 || iy == 0 || iz == 0 || ix == grid->size[0] - 1 || iy == grid->size[1] - 1 ||
           iz == grid->size[2] - 1;
}

// Visit the cells in which a small ball may be nearer to the shape than reach: count them, or fill them in.
static void mark_cells(spatial_grid *grid, const placed_shape *shape, double reach, int32_t number, bool fill)
{
    double edge = 1.0 / grid->inverse_edge, half_diagonal = 0.5 * sqrt(3.0) * edge;
    cell_range range = cells_near(grid, shape, reach);
    for (int32_t iz = range.first[2]; iz <= range.last[2]; ++iz) {
        for (int32_t iy = range.first[1]; iy <= range.last[1]; ++iy) {
            for (int32_t ix = range.first[0]; ix <= range.last[0]; ++ix) {
                scr_vec3 middle = vec3(grid->low[0] + (ix + 0.5) * edge, grid->low[1] + (iy + 0.5) * edge,
                                       grid->low[2] + (iz + 0.5) * edge);
                if (!cell_is_outermost(grid, ix, iy, iz) && distance_to(shape, middle) > reach + half_diagonal)
                    continue;
                int64_t *slot = &grid->mark_start[grid_cell(grid, ix, iy, iz)];
                if (fill) grid->mark[*slot] = number;
                ++*slot;
            }
        }
    }
}

// Count, scan, fill. Filling moves every start to the next cell's; shifting the array back restores them.
static scr_status mark_wide(spatial_grid *grid, const colliders *c, const float *margin, scr_error *error)
{
    scr_status status = scr_grow(&grid->mark_start, &grid->mark_start_capacity, grid->cell_count + 1,
                                 sizeof *grid->mark_start, "grid marks", error);
    if (status != SCR_OK) return status;
    memset(grid->mark_start, 0, (size_t)(grid->cell_count + 1) * sizeof *grid->mark_start);
    for (int pass = 0; pass < 2; ++pass) {
        bool fill = pass == 1;
        for (int64_t k = 0; k < grid->wide_count; ++k) {
            placed_shape shape = collider_placed(c, grid->wide[k]);
            mark_cells(grid, &shape, grid->small_radius + (double)margin[grid->wide[k]], grid->wide[k], fill);
        }
        if (fill) break;
        int64_t total = scr_scan_i64(grid->mark_start, grid->cell_count, 1);
        status = scr_grow(&grid->mark, &grid->mark_capacity, total, sizeof *grid->mark, "grid marks", error);
        if (status != SCR_OK) return status;
    }
    memmove(grid->mark_start + 1, grid->mark_start, (size_t)grid->cell_count * sizeof *grid->mark_start);
    grid->mark_start[0] = 0;
    return SCR_OK;
}

scr_status spatial_grid_build(spatial_grid *grid, const colliders *c, const float *margin, scr_arena *scratch,
                              int threads, scr_error *error)
{
    scr_status status = grow_lists(grid, c->table.count, error);
    if (status == SCR_OK) status = classify(grid, c, margin, error);
    if (status != SCR_OK) return status;
    choose_cells(grid, c);
    status = sort_into_cells(grid, c, margin, scratch, threads, error);
    return status == SCR_OK ? mark_wide(grid, c, margin, error) : status;
}
