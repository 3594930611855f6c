// SPDX-License-Identifier: BSD-3-Clause
// Deep overlaps of a scene as it begins. All shapes go into bins; then every shape looks at those of its own size and
// larger around it, so each pair is seen. Threads note the pair they would name; the first in the order of bodies wins.
#include "scene/overlap/overlaps.h"

#include <stdio.h>

#include "collision/query/shape_overlap.h"
#include "core/base/threads.h"
#include "core/text/human.h"
#include "dynamics/world/world_state.h"
#include "geometry/surface/sphere_tree.h"
#include "scene/model/groups.h"
#include "scene/model/messages.h"
#include "scene/overlap/shape_bins.h"
#include "scene/overlap/shape_images.h"

enum { BLOCK = 4096 };  // shapes

typedef struct deep_pair {
    uint64_t later, earlier;  // ids of bodies; later is 0 if there is no pair
    double overlap;           // m
    double radius;            // m, the smaller one
} deep_pair;

typedef struct overlap_search {
    const scene *scene;
    const scr_world *world;
    const periodic_cell *period;
    scr_body_view bodies;
    shape_bins bins;  // shape i is the world's shape i, where it is shown
    scr_aabb box;     // of all shapes that have an end
    int32_t *body;    // (shape count) entry in the body view
    int64_t body_capacity;
    body_groups grain;
} overlap_search;

// One shape's look around.
typedef struct look {
    const overlap_search *search;
    int32_t shape;
    placed_shape image;  // of the shape, if space repeats itself; else the shape
    deep_pair *found;
    contact_list *points;  // scratch
} look;

static bool comes_before(const deep_pair *a, const deep_pair *b)
{
    if (a->later == 0 || b->later == 0) return a->later != 0;
    return a->later < b->later || (a->later == b->later && a->earlier < b->earlier);
}

double shape_inner_radius(const placed_shape *shape)
{
    switch (shape->kind) {
    case SCR_SPHERE: return shape->radius;
    case SCR_ELLIPSOID:
    case SCR_BOX: return fmin(fmin(shape->half.x, shape->half.y), shape->half.z);
    case SCR_CAPSULE: return shape->radius;
    case SCR_CYLINDER:
    case SCR_CONE: return fmin(shape->radius, shape->half.z);
    case SCR_HULL: return shape->surface->radius;
    case SCR_SPHERE_SET: return shape->surface->spheres->largest;
    case SCR_MESH:
    case SCR_HEIGHTFIELD:
    case SCR_PLANE: break;
    }
    return INFINITY;
}

static bool are_spheres_apart(const placed_shape *a, const placed_shape *b)
{
    if (a->kind != SCR_SPHERE || b->kind != SCR_SPHERE) return false;
    scr_vec3 d = vec3_sub(b->pose.position, a->pose.position);
    double sum = a->radius + b->radius;
    return vec3_dot(d, d) >= sum * sum;
}

// Bodies of a joint that keeps them from touching may lie in each other as they like.
static bool may_touch(const overlap_search *s, int32_t body_a, int32_t body_b)
{
    if (s->bodies.kind[body_a] != SCR_DYNAMIC && s->bodies.kind[body_b] != SCR_DYNAMIC) return false;
    uint64_t id_a = s->bodies.id[body_a], id_b = s->bodies.id[body_b];
    return groups_touch(groups_of_body(s->scene, id_a, s->grain), groups_of_body(s->scene, id_b, s->grain)) &&
           !world_keeps_apart(s->world, body_a, body_b);
}

static bool note_if_deep(void *context, int32_t other)
{
    look *l = context;
    const overlap_search *s = l->search;
    const placed_shape *a = &l->image, *b = &s->bins.shape[other];
    int32_t body_a = s->body[l->shape], body_b = s->body[other];
    if (body_a == body_b || are_spheres_apart(a, b) || !may_touch(s, body_a, body_b)) return false;
    double overlap = shapes_overlap(a, b, l->points), radius = fmin(shape_inner_radius(a), shape_inner_radius(b));
    if (!(overlap > s->scene->overlap_limit * radius)) return false;
    uint64_t id_a = s->bodies.id[body_a], id_b = s->bodies.id[body_b];
    deep_pair pair = {id_a > id_b ? id_a : id_b, id_a > id_b ? id_b : id_a, overlap, radius};
    if (comes_before(&pair, l->found)) *l->found = pair;
    return false;
}

static void widen(scr_aabb *box, scr_aabb by)
{
    if (!vec3_is_finite(vec3_sub(by.high, by.low))) return;
    box->low = vec3(fmin(box->low.x, by.low.x), fmin(box->low.y, by.low.y), fmin(box->low.z, by.low.z));
    box->high = vec3(fmax(box->high.x, by.high.x), fmax(box->high.y, by.high.y), fmax(box->high.z, by.high.z));
}

static scr_status bin_all_shapes(overlap_search *s, const scr_world *world, scr_error *error)
{
    int64_t count = scr_world_shape_count(world);
    scr_status status = shape_bins_reset(&s->bins, count, error);
    if (status != SCR_OK) return status;
    s->box = (scr_aabb){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    status = scr_grow(&s->body, &s->body_capacity, count, sizeof *s->body, "shapes", error);
    for (int64_t i = 0; i < count && status == SCR_OK; ++i) {
        int64_t body;
        placed_shape placed = world_shown_shape(world, i, &body);
        s->body[i] = (int32_t)body;
        widen(&s->box, placed_aabb(&placed));
        status = shape_bins_add(&s->bins, &placed, error);
    }
    return status;
}

static deep_pair search_block(const overlap_search *s, int64_t first, int64_t last)
{
    deep_pair found = {0};
    contact_list points = {0};
    for (int64_t i = first; i < last; ++i) {
        const placed_shape *shape = &s->bins.shape[i];
        look l = {s, (int32_t)i, *shape, &found, &points};
        if (!s->period->any) {
            shape_bins_visit(&s->bins, shape, true, note_if_deep, &l);
            continue;
        }
        scr_aabb box = placed_aabb(shape);
        shape_images images = images_overlapping(s->period, &box, &s->box);
        for (int64_t k = 0; k < images.count; ++k) {
            l.image = shape_image(&images, shape, k);
            shape_bins_visit(&s->bins, &l.image, true, note_if_deep, &l);
        }
    }
    scr_free(points.point);
    return found;
}

static scr_status find_first_deep_pair(const overlap_search *s, deep_pair *first, int threads, scr_error *error)
{
    int64_t blocks = block_count_of(s->bins.shape_count, BLOCK), capacity = 0;
    deep_pair *found = NULL;
    scr_status status = scr_grow(&found, &capacity, blocks, sizeof *found, "overlaps", error);
    if (status != SCR_OK) return status;
#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (int64_t b = 0; b < blocks; ++b)
        found[b] = search_block(s, b * BLOCK, min_i64((b + 1) * BLOCK, s->bins.shape_count));
    *first = (deep_pair){0};
    for (int64_t b = 0; b < blocks; ++b) {
        if (comes_before(&found[b], first)) *first = found[b];
    }
    scr_free(found);
    return SCR_OK;
}

// Who a body is, for a message: "body 'a'" or "grain 12 of fill 'bed'", and where the scene says so.
typedef struct culprit {
    char text[128];
    scene_location location;
} culprit;
static culprit culprit_of(uint64_t id, const scene *s, const grain_origin *origins, int origin_count)
{
    culprit c;
    if (id <= (uint64_t)s->body_count) {
        snprintf(c.text, sizeof c.text, "%s", label_of_body(s, id).text);
        c.location = s->bodies[id - 1].location;
        return c;
    }
    int k = origin_count - 1;
    while (k > 0 && origins[k].first_id > id) --k;
    const grain_origin *o = &origins[k];
    snprintf(c.text, sizeof c.text, "grain %llu of %s", (unsigned long long)(id - o->first_id + 1),
             label_of(o->kind, o->name, o->index).text);
    c.location = o->location;
    return c;
}

scr_status check_overlaps(scr_world *world, const scene *s, const grain_origin *origins, int origin_count, int threads,
                          scr_error *error)
{
    overlap_search search = {.scene = s,
                             .world = world,
                             .period = world_period(world),
                             .bodies = scr_world_bodies(world),
                             .grain = groups_of_grain()};
    deep_pair pair = {0};
    scr_status status = world_list_apart(world, error);
    if (status == SCR_OK) status = bin_all_shapes(&search, world, error);
    if (status == SCR_OK) status = find_first_deep_pair(&search, &pair, threads, error);
    if (status == SCR_OK && pair.later != 0) {
        culprit later = culprit_of(pair.later, s, origins, origin_count);
        culprit earlier = culprit_of(pair.earlier, s, origins, origin_count);
        status = scene_fail(error, SCR_BAD_INPUT, s, later.location,
                            "%s overlaps %s by %s, %.0f %% of the smaller radius; the limit is %.3g %% "
                            "(contact.overlap_limit)",
                            later.text, earlier.text, human_length(pair.overlap).text,
                            100.0 * pair.overlap / pair.radius, 100.0 * s->overlap_limit);
    }
    shape_bins_free(&search.bins);
    scr_free(search.body);
    return status;
}
