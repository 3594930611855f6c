// SPDX-License-Identifier: BSD-3-Clause
// Neighbours in the world become neighbours in memory: bodies are ordered along a Hilbert curve now and then.
//
// When is a matter of the step count alone, and the order of the positions alone, so a resumed run sorts as the
// unbroken one does. Under the penalty law, whose steps are short, it is seldom done, and whatever is no grain that
// moves comes first: a bed of grains (bed/grain_world.h) takes the rest.
#include "core/arrays/radix_sort.h"
#include "core/base/threads.h"
#include "core/maths/hilbert.h"
#include "dynamics/penalty/stages/penalty_stages.h"
#include "dynamics/step/stages.h"
#include "dynamics/world/world.h"

enum { SORT_INTERVAL = 128, PENALTY_SORT_INTERVAL = 1024, AXIS_BITS = HILBERT_BITS };

typedef struct sort_cells {
    double low[3], inverse_edge;
} sort_cells;

// Cells as large as a typical body, as far as 2^AXIS_BITS of them reach.
static sort_cells choose_sort_cells(const scr_world *world)
{
    const bodies *b = &world->bodies;
    double extent = 0.0, radius = 0.0;
    int64_t finite_count = 0;
    sort_cells cells;
    scr_vec3 low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
    for (int64_t i = 0; i < b->table.count; ++i) {
        scr_vec3 x = period_wrapped(&world->colliders.period, body_position(b, i));
        low = vec3(fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z));
        high = vec3(fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z));
    }
    cells.low[0] = low.x, cells.low[1] = low.y, cells.low[2] = low.z;
    extent = fmax(high.x - low.x, fmax(high.y - low.y, high.z - low.z));
    for (int64_t k = 0; k < world->colliders.table.count; ++k)
        if (isfinite(world->colliders.radius[k])) radius += world->colliders.radius[k], ++finite_count;
    double edge = fmax(finite_count > 0 ? 2.0 * radius / (double)finite_count : 1.0, extent / ((1 << AXIS_BITS) - 1));
    cells.inverse_edge = 1.0 / edge;
    return cells;
}

static uint64_t sort_key(const scr_world *world, const sort_cells *cells, int64_t i)
{
    const bodies *b = &world->bodies;
    scr_vec3 at = period_wrapped(&world->colliders.period, body_position(b, i));
    const double x[3] = {at.x, at.y, at.z};
    uint32_t cell[3];
    for (int axis = 0; axis < 3; ++axis) {
        double c = (x[axis] - cells->low[axis]) * cells->inverse_edge;
        cell[axis] = c >= (1 << AXIS_BITS) - 1 ? (1u << AXIS_BITS) - 1 : (uint32_t)c;
    }
    uint64_t group = world_is_penalty(world) && body_is_bedded(b, &world->colliders, i);
    return (group << (3 * AXIS_BITS)) | hilbert_index(cell);
}

// Its scratch lies where the contact problem of the last step was, which no longer fits the bodies: the numbers that
// colliders get where its records were.
scr_status world_reorder(scr_world *world, const int32_t *from, int64_t kept, scr_error *error)
{
    scr_arena *scratch = &world->problem.bundle_memory;
    int64_t collider_count = world->colliders.table.count;
    give_grains_back(world);
    problem_clear(&world->problem);
    scr_status status = scr_arena_reserve(&world->problem.record_memory,
                                          scr_arena_bytes(sizeof(int32_t), collider_count), "re-sorting bodies", error);
    // All memory comes first: bodies in a new order with a cache in the old one would be no state at all.
    if (status == SCR_OK) status = contact_cache_reserve(&world->cache, collider_count, scratch, error);
    if (status == SCR_OK) {
        scr_arena arena = world->problem.record_memory;
        int32_t *new_number = scr_arena_array(&arena, sizeof *new_number, collider_count);
        status =
            bodies_reorder(&world->bodies, &world->colliders, from, kept, new_number, scratch, world->threads, error);
        if (status == SCR_OK)
            status = contact_cache_renumber(&world->cache, new_number, world->colliders.table.count, scratch,
                                            world->threads, error);
    }
    neighbours_invalidate(&world->neighbours);
    world->has_contacts = false;
    world->shape_tree_is_behind = true;
    return status;
}

static bool is_sorting_step(const scr_world *world)
{
    int64_t interval = world_is_penalty(world) ? PENALTY_SORT_INTERVAL : SORT_INTERVAL;
    return world->step_count % interval == 0 || bed_needs_sorting(world);
}

scr_status sort_in_space(scr_world *world, scr_error *error)
{
    world->was_sorted = is_sorting_step(world);
    if (!world->was_sorted) return SCR_OK;
    world_show_state(world);
    int64_t n = world->bodies.table.count;
    scr_arena *scratch = &world->problem.bundle_memory;
    // The order, and the way back, must survive the scratch that the reordering takes: they have an arena of their own.
    scr_status status =
        scr_arena_reserve(&world->sort_scratch, 2 * scr_arena_bytes(sizeof(int32_t), n), "sorting bodies", error);
    if (status == SCR_OK)
        status = scr_arena_reserve(scratch, scr_arena_bytes(sizeof(uint64_t), n) + scr_radix_sort_bytes(n),
                                   "sorting bodies", error);
    if (status != SCR_OK) return status;
    scr_arena kept = world->sort_scratch, arena = *scratch;
    uint64_t *key = scr_arena_array(&arena, sizeof *key, n);
    int32_t *from = scr_arena_array(&kept, sizeof *from, n);
    sort_cells cells = choose_sort_cells(world);
#pragma omp parallel for num_threads(world->threads) schedule(static)
    for (int64_t i = 0; i < n; ++i) {
        key[i] = sort_key(world, &cells, i);
        from[i] = (int32_t)i;
    }
    scr_radix_sort(key, (uint32_t *)from, n, 3 * AXIS_BITS + 1, arena, world->threads);
    return world_reorder(world, from, n, error);
}

void undo_sort(scr_world *world)
{
    if (!world->was_sorted) return;
    int64_t n = world->bodies.table.count;
    scr_arena arena = world->sort_scratch;  // laid out as sort_in_space left it
    int32_t *from = scr_arena_array(&arena, sizeof *from, n), *back = scr_arena_array(&arena, sizeof *back, n);
    for (int64_t i = 0; i < n; ++i) back[from[i]] = (int32_t)i;
    world_reorder(world, back, n, NULL);  // the memory it needs is there since the sort
}
