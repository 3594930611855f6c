// SPDX-License-Identifier: BSD-3-Clause
// Spheres that come to a world, and grains that leave it, while its bed goes on: what that costs follows their number.
//
// A bed stays as it is if it would be loaded so from the bodies as they will be: with one law or many, the same units
// and kernels. Otherwise it is given back, and taken anew in the next step. Which of the two happens changes no bit.
#include "core/base/threads.h"
#include "dynamics/penalty/stages/penalty_stages.h"
#include "dynamics/world/world.h"

static bool sphere_suits(const grain_bed *bed, double radius, double density, uint16_t material)
{
    double inv_mass = 1.0 / sphere_inertia_of(radius, density).mass;
    if (bed->is_uniform)
        return radius == bed->largest_radius && inv_mass == bed->undo.most_inv_mass &&
               material == bed->material[bed->count - 1];
    return radius >= bed->least_radius && radius <= bed->largest_radius && inv_mass >= bed->undo.least_inv_mass &&
           inv_mass <= bed->undo.most_inv_mass;
}

static bool bed_goes_on(const scr_world *world)
{
    const grain_world *g = &world->grains;
    return g->is_loaded && g->bed.steps > 0 && g->bed.has_packs;
}

// Does the general stages' list have no pair, as where all bodies outside the bed are its walls?
static bool nobody_is_at_the_border(const grain_world *g)
{
    return g->has_border && g->collider_count == g->bed.walls.count && g->border_count == 0;
}

// Whoever comes or goes, the lists of the general stages stay without a pair, or are made anew.
static void follow_at_border(scr_world *world)
{
    grain_world *g = &world->grains;
    if (!nobody_is_at_the_border(g)) g->has_border = false;
    world->has_contacts = false;
    world->shape_tree_is_behind = true;
    world->shown_contacts.is_behind = true;
}

scr_status ready_bed_for_spheres(scr_world *world, int64_t count, const double *radius, uint16_t material,
                                 bool *is_ready, scr_error *error)
{
    grain_bed *bed = &world->grains.bed;
    *is_ready = bed_goes_on(world);
    for (int64_t k = 0; k < count && *is_ready; ++k)
        *is_ready = sphere_suits(bed, radius[k], world->materials.density[material], material);
    if (!*is_ready) {
        give_grains_back(world);
        return SCR_OK;
    }
    scr_status status = grain_bed_reserve_changes(bed, count, error);
    return status == SCR_OK ? neighbours_add_empty_rows(&world->neighbours, world->colliders.table.count + count, error)
                            : status;
}

void take_spheres_into_bed(scr_world *world)
{
    grain_source source = bed_source(world);
    grain_bed_take_more(&world->grains.bed, &source);
    follow_at_border(world);
}

bool bed_may_let_go(const scr_world *world, int64_t count)
{
    const grain_world *g = &world->grains;
    return bed_goes_on(world) && g->bed.grain_count - count >= max_i64(g->least_grains, 1);
}

// The cache has contacts at the border, and after it was shown those of the bed, too.
static scr_status renumber_cache(scr_world *world, const body_moves *moves, int32_t **new_number, scr_error *error)
{
    int64_t n = world->colliders.table.count;
    problem_clear(&world->problem);
    scr_status status = scr_arena_reserve(&world->problem.record_memory, scr_arena_bytes(sizeof(int32_t), n),
                                          "grains that leave", error);
    if (status == SCR_OK) status = contact_cache_reserve(&world->cache, n, &world->problem.bundle_memory, error);
    if (status != SCR_OK) return status;
    scr_arena arena = world->problem.record_memory;
    *new_number = scr_arena_array(&arena, sizeof **new_number, n);
    const int32_t *collider = world->bodies.first_collider;
    for (int64_t k = 0; k < n; ++k) (*new_number)[k] = (int32_t)k;
    for (int64_t k = 0; k < moves->gone_count; ++k) (*new_number)[collider[moves->gone[k]]] = -1;
    for (int64_t k = 0; k < moves->hole_count; ++k)
        (*new_number)[collider[moves->filler[k]]] = collider[moves->hole[k]];
    return SCR_OK;
}

scr_status let_grains_go(scr_world *world, const body_moves *moves, scr_error *error)
{
    grain_world *g = &world->grains;
    int32_t *new_number = NULL;
    const bool has_cache = world->cache.table.count > 0;
    scr_status status = grain_bed_reserve_changes(&g->bed, 0, error);
    if (status == SCR_OK && has_cache) status = renumber_cache(world, moves, &new_number, error);
    if (status != SCR_OK) return status;
    int64_t left = world->bodies.table.count - moves->gone_count;
    bodies_fill_holes(&world->bodies, &world->colliders, moves);
    grain_bed_let_go(&g->bed, &(grain_moves){moves->hole, moves->filler, moves->hole_count, left});
    if (has_cache)
        status = contact_cache_renumber(&world->cache, new_number, world->colliders.table.count,
                                        &world->problem.bundle_memory, world->threads, error);
    follow_at_border(world);
    grain_source source = bed_source(world);
    if (!g->bed.is_uniform &&
        (!grain_bed_suits(&g->bed, &source) ||
         grain_kernels_for(&source, world->def.solver.precision, world->def.instruction_set) != g->bed.kernels))
        give_grains_back(world);
    return status;
}
