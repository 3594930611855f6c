// SPDX-License-Identifier: BSD-3-Clause
#include "fitting/ball_crowd.h"

#include "fitting/near_walk.h"

static scr_aabb sphere_box(const set_sphere *s)
{
    scr_vec3 r = {s->radius, s->radius, s->radius};
    return (scr_aabb){vec3_sub(s->centre, r), vec3_add(s->centre, r)};
}

static scr_aabb joined(const scr_aabb *a, const scr_aabb *b)
{
    return (scr_aabb){vec3(fmin(a->low.x, b->low.x), fmin(a->low.y, b->low.y), fmin(a->low.z, b->low.z)),
                      vec3(fmax(a->high.x, b->high.x), fmax(a->high.y, b->high.y), fmax(a->high.z, b->high.z))};
}

scr_status ball_crowd_make(const sphere_set *set, ball_crowd *out, scr_error *error)
{
    scr_aabb *box = NULL, all = {0};
    int32_t *item = NULL;
    int64_t boxes = 0, items = 0;
    *out = (ball_crowd){.set = set};
    scr_status status = scr_grow(&box, &boxes, set->count + 1, sizeof *box, "spheres", error);
    if (status == SCR_OK) status = scr_grow(&item, &items, set->count + 1, sizeof *item, "spheres", error);
    for (int64_t k = 0; k < set->count && status == SCR_OK; ++k) {
        box[k] = sphere_box(&set->sphere[k]);
        item[k] = (int32_t)k;
        all = k == 0 ? box[0] : joined(&all, &box[k]);
    }
    if (status == SCR_OK) status = mesh_tree_of_boxes(&all, &(boxed_items){set->count, box, item}, &out->tree, error);
    scr_free(box);
    scr_free(item);
    return status;
}

void ball_crowd_free(ball_crowd *crowd)
{
    mesh_tree_free(&crowd->tree);
    *crowd = (ball_crowd){0};
}

typedef struct gap_search {
    const set_sphere *sphere;
    scr_vec3 point;
    double gap;
} gap_search;

static void try_gap(void *context, int32_t k, near_walk *walk)
{
    gap_search *s = context;
    double gap = vec3_norm(vec3_sub(s->point, s->sphere[k].centre)) - s->sphere[k].radius;
    if (!(gap < s->gap)) return;
    s->gap = fmax(gap, 0.0);
    near_walk_narrow(walk, gap > 0.0 ? gap : -1.0);
}

double crowd_gap(const ball_crowd *crowd, scr_vec3 point)
{
    gap_search s = {crowd->set->sphere, point, INFINITY};
    near_walk_run(&crowd->tree, point, INFINITY, try_gap, &s);
    return s.gap;
}

typedef struct segment_search {
    const set_sphere *sphere;
    scr_vec3 a, way;
    double square;  // of the way
    bool found;
} segment_search;

static bool try_segment(void *context, int32_t k)
{
    segment_search *s = context;
    scr_vec3 to = vec3_sub(s->sphere[k].centre, s->a);
    double share = s->square > 0.0 ? fmin(fmax(vec3_dot(to, s->way) / s->square, 0.0), 1.0) : 0.0;
    scr_vec3 miss = vec3_add_scaled(to, -share, s->way);
    s->found = vec3_dot(miss, miss) < s->sphere[k].radius * s->sphere[k].radius;
    return !s->found;
}

bool crowd_meets_segment(const ball_crowd *crowd, scr_vec3 a, scr_vec3 b)
{
    scr_aabb box = joined(&(scr_aabb){a, a}, &(scr_aabb){b, b});
    box_test test = box_test_of(&box);
    scr_vec3 way = vec3_sub(b, a);
    segment_search s = {crowd->set->sphere, a, way, vec3_dot(way, way), false};
    mesh_tree_walk(&crowd->tree, tree_overlaps_box, &test, try_segment, &s);
    return s.found;
}

typedef struct exit_search {
    const set_sphere *sphere;
    scr_vec3 point, direction;
    double exit;  // m
} exit_search;

static bool try_exit(void *context, int32_t k)
{
    exit_search *s = context;
    scr_vec3 to = vec3_sub(s->sphere[k].centre, s->point);
    double along = vec3_dot(to, s->direction), radius = s->sphere[k].radius;
    double inside = radius * radius - vec3_dot(to, to);
    if (inside >= 0.0) s->exit = fmax(s->exit, along + sqrt(along * along + inside));
    return true;
}

double crowd_exit(const ball_crowd *crowd, scr_vec3 point, scr_vec3 direction)
{
    enum { SPHERES_IN_A_ROW_MAX = 64 };
    double exit = 0.0;
    for (int k = 0; k < SPHERES_IN_A_ROW_MAX; ++k) {
        scr_vec3 at = vec3_add_scaled(point, exit, direction);
        box_test test = box_test_of(&(scr_aabb){at, at});
        exit_search s = {crowd->set->sphere, at, direction, 0.0};
        mesh_tree_walk(&crowd->tree, tree_overlaps_box, &test, try_exit, &s);
        if (!(s.exit > 1e-9 * (1e-3 + exit))) break;
        exit += s.exit;
    }
    return exit;
}
