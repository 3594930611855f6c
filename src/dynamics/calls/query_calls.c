// SPDX-License-Identifier: BSD-3-Clause
// The public questions about where things are: each walks the tree of shapes, which is made when it is first asked for.
#include <stdlib.h>

#include "collision/query/nearest.h"
#include "collision/query/ray.h"
#include "collision/query/shape_overlap.h"
#include "dynamics/penalty/stages/penalty_stages.h"
#include "dynamics/world/world.h"
#include "dynamics/world/world_state.h"
#include "scree/query.h"

static placed_shape shape_of_world(const void *world, int64_t k)
{
    int64_t body;
    return world_shown_shape(world, k, &body);
}

static scr_status make_tree(scr_world *world, scr_error *error)
{
    return shape_tree_build(&world->shape_tree, shape_of_world, world, world->colliders.table.count, error);
}

static scr_status prepare(const scr_world *world, int64_t count, scr_error *error)
{
    if (count < 0) return scr_fail(error, SCR_BAD_INPUT, "count must not be negative");
    world_show_bodies(world);
    return world_bring_up(world, &world->self->shape_tree_is_behind, make_tree, error);
}

static const scr_hit NO_HIT = {.shape = -1};

static scr_hit hit_of(const scr_world *world, int32_t shape, double distance, scr_vec3 point, scr_vec3 normal)
{
    return (scr_hit){world->bodies.handle[world->colliders.body[shape]], shape, distance, point, normal};
}

// Of two as near as each other the shape of the lower id is meant: the order of the walk does not matter.
static bool is_nearer(const scr_world *world, const scr_hit *best, double distance, int32_t shape)
{
    if (best->shape < 0 || distance != best->distance) return best->shape < 0 || distance < best->distance;
    return world->colliders.id[shape] < world->colliders.id[best->shape];
}

// ---- rays ----

typedef struct ray_search {
    const scr_world *world;
    uint32_t groups;
    ray ray;
    ray_test test;
    scr_hit best;
} ray_search;

static void try_ray(void *context, int32_t shape)
{
    ray_search *s = context;
    ray_hit hit;
    if (!(s->world->colliders.group[shape] & s->groups)) return;
    placed_shape placed = shape_of_world(s->world, shape);
    if (!ray_hits_shape(&s->ray, &placed, &hit) || !is_nearer(s->world, &s->best, hit.distance, shape)) return;
    scr_vec3 at = vec3_add_scaled(s->ray.origin, hit.distance, s->ray.direction);
    s->best = hit_of(s->world, shape, hit.distance, at, hit.normal);
    s->ray.length = s->test.length = hit.distance;
}

static scr_hit cast_ray(const scr_world *world, const scr_ray *given, uint32_t groups)
{
    scr_vec3 o = given->origin, d = vec3_unit(given->direction);
    ray_search s = {.world = world, .groups = groups, .ray = {o, d, given->length}, .best = NO_HIT};
    s.test = (ray_test){{o.x, o.y, o.z}, {d.x, d.y, d.z}, given->length};
    shape_tree_walk(&world->shape_tree, tree_hits_ray, &s.test, try_ray, &s);
    return s.best;
}

scr_status scr_world_cast_rays(const scr_world *world, int64_t count, const scr_ray *rays, uint32_t groups,
                               scr_hit *hits, scr_error *error)
{
    for (int64_t k = 0; k < count; ++k) {
        double norm = vec3_norm(rays[k].direction);
        if (!vec3_is_finite(rays[k].origin) || !(norm > 0.0) || !isfinite(norm) || !(rays[k].length >= 0.0))
            return scr_fail(error, SCR_BAD_INPUT, "ray %lld has no direction, or is not a number", (long long)k);
    }
    scr_status status = prepare(world, count, error);
    if (status != SCR_OK) return status;
#pragma omp parallel for num_threads(world->threads) schedule(dynamic, 16) if (count > 1)
    for (int64_t k = 0; k < count; ++k) hits[k] = cast_ray(world, &rays[k], groups);
    return SCR_OK;
}

// ---- nearest points ----

typedef struct nearest_search {
    const scr_world *world;
    uint32_t groups;
    scr_vec3 from;
    double reach;
    ball_test ball;
    scr_hit best;
} nearest_search;

static void try_nearest(void *context, int32_t shape)
{
    nearest_search *s = context;
    nearest_point found;
    if (!(s->world->colliders.group[shape] & s->groups)) return;
    placed_shape placed = shape_of_world(s->world, shape);
    if (!nearest_on_shape(s->from, s->reach, &placed, &found) || !is_nearer(s->world, &s->best, found.distance, shape))
        return;
    s->best = hit_of(s->world, shape, found.distance, found.point, found.normal);
    // Another that is as near is not left out: its id decides.
    s->reach = nextafter(found.distance, INFINITY);
    s->ball = ball_test_of(s->from, fmax(0.0, s->reach));
}

static scr_hit find_nearest(const scr_world *world, scr_vec3 from, double reach, uint32_t groups)
{
    nearest_search s = {.world = world,
                        .groups = groups,
                        .from = from,
                        .reach = reach,
                        .ball = ball_test_of(from, reach),
                        .best = NO_HIT};
    shape_tree_walk(&world->shape_tree, tree_overlaps_ball, &s.ball, try_nearest, &s);
    return s.best;
}

scr_status scr_world_nearest(const scr_world *world, int64_t count, const scr_vec3 *points, double reach,
                             uint32_t groups, scr_hit *hits, scr_error *error)
{
    if (!(reach >= 0.0)) return scr_fail(error, SCR_BAD_INPUT, "reach must not be negative, but is %g", reach);
    for (int64_t k = 0; k < count; ++k)
        if (!vec3_is_finite(points[k]))
            return scr_fail(error, SCR_BAD_INPUT, "point %lld is not a number", (long long)k);
    scr_status status = prepare(world, count, error);
    if (status != SCR_OK) return status;
#pragma omp parallel for num_threads(world->threads) schedule(dynamic, 16) if (count > 1)
    for (int64_t k = 0; k < count; ++k) hits[k] = find_nearest(world, points[k], reach, groups);
    return SCR_OK;
}

// ---- overlaps ----

typedef struct found_body {
    uint64_t id;
    scr_body body;
} found_body;

typedef struct overlap_search {
    const scr_world *world;
    uint32_t groups;
    placed_shape shape;
    contact_list points;  // scratch
    found_body *found;
    int64_t count, capacity;
    scr_status status;
    scr_error *error;
} overlap_search;

static void try_overlap(void *context, int32_t shape)
{
    overlap_search *s = context;
    if (!(s->world->colliders.group[shape] & s->groups) || s->status != SCR_OK) return;
    placed_shape placed = shape_of_world(s->world, shape);
    if (!(shapes_overlap(&s->shape, &placed, &s->points) > 0.0)) return;
    s->status = scr_grow(&s->found, &s->capacity, s->count + 1, sizeof *s->found, "overlapping bodies", s->error);
    int32_t body = s->world->colliders.body[shape];
    if (s->status == SCR_OK)
        s->found[s->count++] = (found_body){s->world->bodies.id[body], s->world->bodies.handle[body]};
}

static int by_id(const void *a, const void *b)
{
    uint64_t x = ((const found_body *)a)->id, y = ((const found_body *)b)->id;
    return x < y ? -1 : x > y;
}

// Each body once, though several of its shapes may be met.
static int64_t list_bodies(const overlap_search *s, int64_t capacity, scr_body *to)
{
    int64_t count = 0;
    if (s->count > 0) qsort(s->found, (size_t)s->count, sizeof *s->found, by_id);
    for (int64_t k = 0; k < s->count; ++k) {
        if (k > 0 && s->found[k].id == s->found[k - 1].id) continue;
        if (count < capacity) to[count] = s->found[k].body;
        ++count;
    }
    return count;
}

static scr_status check_query_shape(const scr_world *world, const scr_shape *shape, scr_error *error)
{
    if (!kind_is_convex(shape->kind)) return scr_fail(error, SCR_BAD_INPUT, "only convex shapes can be asked about");
    if (shape->kind == SCR_HULL) {
        const shape_surface *surface = surface_of(&world->surfaces, shape->surface);
        if (surface == NULL || surface->kind != SCR_HULL)
            return scr_fail(error, SCR_BAD_INPUT, "the shape has no hull of this world");
    }
    return shape_check(shape, error);
}

scr_status scr_world_overlapping(const scr_world *world, const scr_shape *shape, uint32_t groups, int64_t capacity,
                                 scr_body *to, int64_t *found, scr_error *error)
{
    *found = 0;
    scr_status status = check_query_shape(world, shape, error);
    if (status == SCR_OK) status = prepare(world, capacity, error);
    if (status != SCR_OK) return status;
    placed_shape placed = shape_place(shape, surface_of(&world->surfaces, shape->surface), POSE_IDENTITY);
    overlap_search s = {.world = world, .groups = groups, .shape = placed, .error = error};
    scr_aabb box = placed_aabb(&placed);
    box_test test = box_test_of(&box);
    shape_tree_walk(&world->shape_tree, tree_overlaps_box, &test, try_overlap, &s);
    if (s.status == SCR_OK && s.points.out_of_memory) s.status = scr_fail_memory(error, 0, "contact points");
    if (s.status == SCR_OK) *found = list_bodies(&s, capacity, to);
    scr_free(s.found);
    scr_free(s.points.point);
    return s.status;
}
