// SPDX-License-Identifier: BSD-3-Clause
// Taking grains into the bed, and giving them back.
#include "dynamics/penalty/bed/grain_world.h"

#include <string.h>

#include "core/arrays/radix_sort.h"
#include "core/base/threads.h"
#include "dynamics/penalty/stages/penalty_stages.h"
#include "dynamics/world/world.h"

// Does space repeat itself in a way that a bed knows?
static bool space_is_known(const scr_world *world)
{
    const periodic_cell *p = &world->colliders.period;
    double largest = 0.0;
    if (!p->any) return true;
    for (int64_t i = 0; i < world->bodies.table.count; ++i)
        if (body_is_bedded(&world->bodies, &world->colliders, i))
            largest = fmax(largest, world->colliders.radius[world->bodies.first_collider[i]]);
    return space_suits_bed(p, largest, longest_neck(&world->materials, &world->def.contact, largest));
}

static bool wants_bed(const scr_world *world)
{
    int64_t grains = 0, least = world->grains.least_grains;
    if (!world_is_penalty(world)) return false;
    for (int64_t i = 0; i < world->bodies.table.count && grains < least; ++i)
        grains += body_is_bedded(&world->bodies, &world->colliders, i);
    return grains >= least && space_is_known(world);
}

bool bed_needs_sorting(const scr_world *world)
{
    const bodies *b = &world->bodies;
    if (world->grains.is_loaded || !wants_bed(world)) return false;
    for (int64_t i = 1; i < b->table.count; ++i)
        if (body_is_bedded(b, &world->colliders, i - 1) && !body_is_bedded(b, &world->colliders, i)) return true;
    return false;
}

grain_source bed_source(const scr_world *world)
{
    return (grain_source){.bodies = &world->bodies,
                          .colliders = &world->colliders,
                          .materials = &world->materials,
                          .contact = &world->def.contact,
                          .time_step = world->def.time_step,
                          .follow_rotations = world->def.follow_rotations,
                          .shear_offset = world->shear_offset,
                          .cell_length = world->cell_length};
}

// ---- springs: from the cache to the bed and back ----

static bool is_bedded(const scr_world *world, int32_t collider)
{
    return body_is_bedded(&world->bodies, &world->colliders, world->colliders.body[collider]);
}

static bool entry_is_of_pair(const scr_world *world, int64_t k)
{
    return is_bedded(world, world->cache.a[k]) && is_bedded(world, world->cache.b[k]);
}

// The wall that side b of an entry is, if side a is a grain of the bed; or -1.
static int32_t wall_of_entry(const scr_world *world, int64_t k)
{
    const grain_walls *walls = &world->grains.bed.walls;
    for (int32_t w = 0; w < walls->count; ++w)
        if (walls->wall[w].collider == world->cache.b[k]) return is_bedded(world, world->cache.a[k]) ? w : -1;
    return -1;
}

static grain_spring spring_of_entry(const contact_cache *cache, int64_t k, int32_t a, int32_t b, double sign)
{
    grain_spring s = {.a = a, .b = b, .in_touch = cache->in_touch[k] != 0};
    for (int axis = 0; axis < 3; ++axis)
        s.stretch[axis] = sign * cache->spring[3 * k + axis], s.roll[axis] = sign * cache->roll[3 * k + axis];
    return s;
}

// Behind those of pairs, in the order of the cache: by grain, then by wall.
static void load_wall_springs(scr_world *world)
{
    grain_bed *bed = &world->grains.bed;
    const contact_cache *cache = &world->cache;
    for (int64_t k = 0; k < cache->table.count; ++k) {
        int32_t wall = wall_of_entry(world, k);
        if (wall >= 0)
            bed->spring[bed->spring_count++] =
                spring_of_entry(cache, k, world->colliders.body[cache->a[k]], -1 - wall, 1.0);
    }
}

// Springs by the lower slot first: keys and entries of the cache, in that order.
static scr_status load_springs(scr_world *world, scr_error *error)
{
    grain_world *g = &world->grains;
    const contact_cache *cache = &world->cache;
    const int32_t *body = world->colliders.body;
    int64_t n = cache->table.count, count = 0;
    scr_status status = scr_arena_reserve(&g->scratch,
                                          scr_arena_bytes(sizeof(uint64_t), n) + scr_arena_bytes(sizeof(uint32_t), n) +
                                              scr_radix_sort_bytes(n),
                                          "springs of grains", error);
    if (status != SCR_OK) return status;
    scr_arena arena = g->scratch;
    uint64_t *key = scr_arena_array(&arena, sizeof *key, n);
    uint32_t *entry = scr_arena_array(&arena, sizeof *entry, n);
    int bits = scr_bits_for(world->bodies.table.count);
    for (int64_t k = 0; k < n; ++k) {
        if (!entry_is_of_pair(world, k)) continue;
        int64_t a = body[cache->a[k]], b = body[cache->b[k]];
        key[count] = ((uint64_t)min_i64(a, b) << bits) | (uint64_t)max_i64(a, b);
        entry[count++] = (uint32_t)k;
    }
    scr_radix_sort(key, entry, count, 2 * bits, arena, world->threads);
    status = grain_bed_reserve_springs(&g->bed, n, error);
    g->bed.spring_count = count;
    for (int64_t k = 0; k < count && status == SCR_OK; ++k) {
        int32_t a = body[cache->a[entry[k]]], b = body[cache->b[entry[k]]];
        g->bed.spring[k] = spring_of_entry(cache, entry[k], a < b ? a : b, a < b ? b : a, a < b ? 1.0 : -1.0);
    }
    if (status == SCR_OK) load_wall_springs(world);
    return status;
}

// Memory for giving everything back, taken in the step: giving back cannot fail.
static scr_status reserve_for_show(scr_world *world, scr_error *error)
{
    grain_world *g = &world->grains;
    int64_t pairs = grain_bed_pair_count(&g->bed);
    if (pairs > g->contacts.capacity) pairs += pairs / 8;  // blocks whose packs are made anew may list a few more
    scr_status status = table_reserve(&world->cache.table, world->contacts.count + pairs, error);
    if (status == SCR_OK && pairs > g->bed.spring_capacity) status = grain_bed_reserve_springs(&g->bed, pairs, error);
    if (status == SCR_OK)
        status = scr_grow_anew(&g->contacts.contact, &g->contacts.capacity, pairs, sizeof *g->contacts.contact,
                               "contacts of grains", error);
    if (status == SCR_OK)
        status = scr_arena_reserve(&g->scratch,
                                   scr_arena_bytes(sizeof(uint64_t), pairs) + scr_arena_bytes(sizeof(uint32_t), pairs) +
                                       scr_radix_sort_bytes(pairs),
                                   "springs of grains", error);
    return status;
}

static void write_entry(contact_cache *cache, int64_t to, int32_t a, int32_t b, const grain_spring *s, double sign)
{
    cache->a[to] = a, cache->b[to] = b;
    cache->feature[to] = 0;
    for (int axis = 0; axis < 3; ++axis) {
        cache->impulse[3 * to + axis] = 0.0f;
        cache->spring[3 * to + axis] = sign * s->stretch[axis];
        cache->roll[3 * to + axis] = sign * s->roll[axis];
    }
    cache->in_touch[to] = 1;
}

static void move_entry(contact_cache *cache, int64_t to, int64_t from)
{
    cache->a[to] = cache->a[from], cache->b[to] = cache->b[from];
    cache->feature[to] = cache->feature[from];
    cache->in_touch[to] = cache->in_touch[from];
    memmove(cache->impulse + 3 * to, cache->impulse + 3 * from, 3 * sizeof *cache->impulse);
    memmove(cache->spring + 3 * to, cache->spring + 3 * from, 3 * sizeof *cache->spring);
    memmove(cache->roll + 3 * to, cache->roll + 3 * from, 3 * sizeof *cache->roll);
}

// Merge the springs into the cache, which has the other contacts: from the back, so that nothing is overwritten.
static scr_status give_springs(scr_world *world, scr_error *error)
{
    grain_world *g = &world->grains;
    contact_cache *cache = &world->cache;
    const int32_t *collider = g->bed.collider;
    grain_bed_springs(&g->bed, false, world->threads);
    grain_bed_rename_springs(&g->bed);
    int64_t n = g->bed.spring_count, left = cache->table.count, to = left + n;
    scr_arena arena = g->scratch;
    uint64_t *key = scr_arena_array(&arena, sizeof *key, n);
    uint32_t *order = scr_arena_array(&arena, sizeof *order, n);
    int bits = scr_bits_for(world->colliders.table.count);
    for (int64_t k = 0; k < n; ++k) {
        const grain_spring *s = &g->bed.spring[k];
        int32_t a = collider[s->a], b = s->b >= 0 ? collider[s->b] : g->bed.walls.wall[-1 - s->b].collider;
        bool as_is = collider_owns(&world->colliders, a, b);
        key[k] = ((uint64_t)(as_is ? a : b) << bits) | (uint64_t)(as_is ? b : a);
        order[k] = (uint32_t)k;
    }
    scr_radix_sort(key, order, n, 2 * bits, arena, world->threads);
    cache->table.count = to;
    for (int64_t k = n - 1; k >= 0; --k) {
        int32_t a = (int32_t)(key[k] >> bits), b = (int32_t)(key[k] & (((uint64_t)1 << bits) - 1));
        while (left > 0 && (cache->a[left - 1] > a || (cache->a[left - 1] == a && cache->b[left - 1] > b)))
            move_entry(cache, --to, --left);
        const grain_spring *s = &g->bed.spring[order[k]];
        write_entry(cache, --to, a, b, s, collider[s->a] == a ? 1.0 : -1.0);
    }
    return contact_cache_index(cache, world->colliders.table.count, error);
}

// ---- taking and giving back ----

// The bed may know a larger grain that has left: that costs a look at all.
static bool cell_has_shrunk(const scr_world *world)
{
    const grain_bed *bed = &world->grains.bed;
    const periodic_cell *p = &world->colliders.period;
    if (!world->grains.is_loaded || !p->is_stretched) return false;
    return !space_suits_bed(p, bed->largest_radius, bed->neck) && !space_is_known(world);
}

scr_status take_grains_into_bed(scr_world *world, scr_error *error)
{
    grain_world *g = &world->grains;
    if (cell_has_shrunk(world)) give_grains_back(world);
    if (g->is_loaded || !wants_bed(world)) return SCR_OK;
    grain_source source = bed_source(world);
    scr_status status = grain_bed_load(
        &g->bed, &source, grain_kernels_for(&source, world->def.solver.precision, world->def.instruction_set), error);
    if (status == SCR_OK) status = load_springs(world, error);
    if (status != SCR_OK) return status;
    grain_bed_index_springs(&g->bed);
    int64_t outside = 0;
    while (g->bed.collider[outside] < 0) ++outside;
    g->body_count = outside;
    g->collider_count = world->bodies.first_collider[outside];
    g->has_border = false;
    g->bodies_are_behind = g->cache_is_behind = false;
    g->is_loaded = true;
    neighbours_invalidate(&world->neighbours);
    return SCR_OK;
}

static scr_status store_bodies(scr_world *world, scr_error *error)
{
    (void)error;
    grain_bed_store(&world->grains.bed, &world->bodies, world->def.time_step, world->threads);
    return SCR_OK;
}

void world_show_bodies(const scr_world *world)
{
    world_bring_up(world, &world->self->grains.bodies_are_behind, store_bodies, NULL);
}

void world_show_state(const scr_world *world)
{
    world_show_bodies(world);
    world_bring_up(world, &world->self->grains.cache_is_behind, give_springs, NULL);
}

void give_grains_back(scr_world *world)
{
    world_show_state(world);
    forget_bed(world);
}

void show_bed_the_cells(scr_world *world)
{
    grain_source source = bed_source(world);
    if (world->grains.is_loaded) grain_bed_write_lines(&world->grains.bed, &source, world->threads);
}

void ready_bed_for_stretch(scr_world *world)
{
    const grain_bed *bed = &world->grains.bed;
    if (world->grains.is_loaded && (bed->steps == 0 || bed->changes.count > 0)) give_grains_back(world);
}

void stretch_bed(scr_world *world, const double share[3], scr_vec3 centre)
{
    grain_world *g = &world->grains;
    if (!g->is_loaded) return;
    grain_source source = bed_source(world);
    grain_bed_stretch(&g->bed, &source, share, centre, world->threads);
    g->bodies_are_behind = true;
}

void forget_bed(scr_world *world)
{
    grain_world *g = &world->grains;
    if (g->is_loaded) neighbours_invalidate(&world->neighbours);  // they have no pairs of grains
    g->is_loaded = false;
    g->bodies_are_behind = g->cache_is_behind = g->contacts_are_behind = false;
    world->shown_contacts.is_behind = true;
}

// ---- the step ----

static scr_status blame_grain(const scr_world *world, scr_error *error)
{
    double speed = world->grains.bed.offending_speed, limit = world->def.max_speed;
    int64_t i = world->grains.bed.offender;
    world_show_bodies(world);
    scr_vec3 at = body_position(&world->bodies, i);
    long long step = (long long)world->step_count + 1;
    const char *how = isfinite(speed) ? "moves too fast" : "has a velocity that is not a number";
    return scr_fail(error, SCR_DIVERGED,
                    "step %lld, t = %g s: body %llu at (%.4g, %.4g, %.4g) m %s: %.4g m/s; the limit is %g m/s", step,
                    (double)step * world->def.time_step, (unsigned long long)world->bodies.id[i], at.x, at.y, at.z, how,
                    speed, limit);
}

scr_status step_grains(scr_world *world, scr_error *error)
{
    grain_world *g = &world->grains;
    if (!g->is_loaded) return SCR_OK;
    grain_source source = bed_source(world);
    grain_forces forces = {scr_world_gravity(world), g->push, g->push_count, world->def.max_speed};
    scr_status status = grain_bed_keep_lists(&g->bed, &source, world->threads, error);
    if (status == SCR_OK) status = reserve_for_show(world, error);
    if (status == SCR_OK) status = grain_bed_step(&g->bed, &source, &forces, world->threads, error);
    if (status == SCR_DIVERGED) return blame_grain(world, error);
    if (status != SCR_OK) return status;
    g->border_travel += world->def.time_step * grain_bed_border_speed(&g->bed);
    g->bodies_are_behind = g->cache_is_behind = g->contacts_are_behind = true;
    world->report.touching_count += g->bed.touching;
    world->report.max_speed = fmax(world->report.max_speed, g->bed.top_speed);
    return SCR_OK;
}
