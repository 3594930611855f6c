// SPDX-License-Identifier: BSD-3-Clause
#include "geometry/surface/sphere_tree.h"

#include <float.h>
#include <limits.h>
#include <string.h>

#include "geometry/surface/four_lanes.h"

static const double COORDINATE_MAX = 1e9, RADIUS_MIN = 1e-9;  // m
enum { SPHERES_MAX = INT_MAX / 4 };

scr_status sphere_set_check(int64_t count, const scr_vec3 *centre, const double *radius, scr_error *error)
{
    if (count < 1) return scr_fail(error, SCR_BAD_INPUT, "a sphere set needs at least one sphere");
    if (count > SPHERES_MAX) return scr_fail(error, SCR_BAD_INPUT, "a sphere set has at most %d spheres", SPHERES_MAX);
    for (int64_t k = 0; k < count; ++k) {
        scr_vec3 c = centre[k];
        double farthest = fmax(fabs(c.x), fmax(fabs(c.y), fabs(c.z)));
        if (!vec3_is_finite(c) || farthest > COORDINATE_MAX)
            return scr_fail(error, SCR_BAD_INPUT,
                            "sphere %lld is at (%g, %g, %g): coordinates must be numbers, at most %g m", (long long)k,
                            c.x, c.y, c.z, COORDINATE_MAX);
        if (!(radius[k] >= RADIUS_MIN && radius[k] <= COORDINATE_MAX))
            return scr_fail(error, SCR_BAD_INPUT, "sphere %lld has the radius %g: it must be from %g m to %g m",
                            (long long)k, radius[k], RADIUS_MIN, COORDINATE_MAX);
    }
    return SCR_OK;
}

static void widen(scr_aabb *box, scr_vec3 centre, double r)
{
    box->low = vec3(fmin(box->low.x, centre.x - r), fmin(box->low.y, centre.y - r), fmin(box->low.z, centre.z - r));
    box->high = vec3(fmax(box->high.x, centre.x + r), fmax(box->high.y, centre.y + r), fmax(box->high.z, centre.z + r));
}

// A tree over boxes about so many spheres each, in the order in which they are given.
static scr_status tree_of_groups(int64_t count, const scr_vec3 *centre, const double *radius, int of_each,
                                 mesh_tree *tree, scr_error *error)
{
    int64_t groups = (count + of_each - 1) / of_each;
    scr_arena scratch = {0};
    scr_status status = scr_arena_reserve(
        &scratch, scr_arena_bytes(sizeof(scr_aabb), groups) + scr_arena_bytes(sizeof(int32_t), groups),
        "a sphere set's tree", error);
    if (status != SCR_OK) return status;
    const scr_aabb nothing = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    scr_arena arena = scratch;
    scr_aabb *box = scr_arena_array(&arena, sizeof *box, groups), all = nothing;
    int32_t *item = scr_arena_array(&arena, sizeof *item, groups);
    for (int64_t k = 0; k < count; ++k) {
        int64_t group = k / of_each;
        if (k % of_each == 0) box[group] = nothing, item[group] = (int32_t)group;
        widen(&box[group], centre[k], radius[k]);
        widen(&all, centre[k], radius[k]);
    }
    status = mesh_tree_of_boxes(&all, &(boxed_items){groups, box, item}, tree, error);
    scr_arena_free(&scratch);
    return status;
}

scr_status sphere_set_order(int64_t count, const scr_vec3 *centre, const double *radius, int32_t *order,
                            scr_error *error)
{
    mesh_tree tree;
    scr_status status = tree_of_groups(count, centre, radius, 1, &tree, error);
    if (status != SCR_OK) return status;
    memcpy(order, tree.triangle, (size_t)count * sizeof *order);
    mesh_tree_free(&tree);
    return SCR_OK;
}

// Single precision loses at most this of a distance between two such points.
static double lost_in_lanes(scr_vec3 at, double r)
{
    return 8.0 * (double)FLT_EPSILON * (fabs(at.x) + fabs(at.y) + fabs(at.z) + r);
}

static scr_status fill_lanes(sphere_tree *t, int64_t count, const scr_vec3 *centre, const double *radius,
                             scr_error *error)
{
    int64_t groups = (count + SPHERE_GROUP - 1) / SPHERE_GROUP;
    scr_status status = scr_make_zeros(&t->lanes, groups, sizeof *t->lanes, "a sphere set's tree", error);
    for (int64_t k = 0; k < count && status == SCR_OK; ++k) {
        sphere_lanes *lanes = &t->lanes[k / SPHERE_GROUP];
        int64_t at = k % SPHERE_GROUP;
        lanes->x[at] = (float)centre[k].x, lanes->y[at] = (float)centre[k].y, lanes->z[at] = (float)centre[k].z;
        lanes->r[at] = (float)(radius[k] + lost_in_lanes(centre[k], radius[k]));
    }
    return status;
}

sphere_probe sphere_probe_of(scr_vec3 point, double reach)
{
    return (sphere_probe){{(float)point.x, (float)point.y, (float)point.z},
                          (float)(reach + lost_in_lanes(point, reach))};
}

unsigned sphere_group_near(const shape_surface *s, int32_t group, const sphere_probe *probe)
{
    const sphere_lanes *lanes = &s->spheres->lanes[group];
    sphere_range range = spheres_of_group(s, group);
    unsigned hits = 0;
    for (int first = 0; first < SPHERE_GROUP; first += FOUR) {
        four dx = load_four(lanes->x + first) - four_of(probe->centre[0]),
             dy = load_four(lanes->y + first) - four_of(probe->centre[1]),
             dz = load_four(lanes->z + first) - four_of(probe->centre[2]),
             near = load_four(lanes->r + first) + four_of(probe->reach);
        hits |= bits_of(dx * dx + dy * dy + dz * dz <= near * near) << first;
    }
    return hits & ((1u << (range.last - range.first)) - 1u);
}

scr_status sphere_tree_build(int64_t count, const scr_vec3 *centre, const double *radius, sphere_tree **out,
                             scr_error *error)
{
    sphere_tree *t = scr_alloc(sizeof *t);
    if (t == NULL) return scr_fail_memory(error, sizeof *t, "a sphere set's tree");
    *t = (sphere_tree){.least = INFINITY};
    for (int64_t k = 0; k < count; ++k) t->least = fmin(t->least, radius[k]), t->largest = fmax(t->largest, radius[k]);
    scr_status status = tree_of_groups(count, centre, radius, SPHERE_GROUP, &t->groups, error);
    if (status == SCR_OK) status = fill_lanes(t, count, centre, radius, error);
    if (status != SCR_OK) {
        sphere_tree_free(t);
        return status;
    }
    *out = t;
    return SCR_OK;
}

void sphere_tree_free(sphere_tree *tree)
{
    if (tree == NULL) return;
    mesh_tree_free(&tree->groups);
    scr_free(tree->lanes);
    scr_free(tree);
}

typedef struct reach_search {
    const shape_surface *set;
    scr_vec3 point;
    double reach;  // m
    bool found;
} reach_search;

static bool try_group(void *context, int32_t group)
{
    reach_search *s = context;
    sphere_range range = spheres_of_group(s->set, group);
    for (int32_t k = range.first; k < range.last && !s->found; ++k) {
        scr_vec3 d = vec3_sub(s->set->triangles.vertex[k], s->point);
        double near = s->reach + s->set->radius_at[k];
        s->found = vec3_dot(d, d) <= near * near;
    }
    return !s->found;
}

bool sphere_set_may_reach(const shape_surface *set, scr_vec3 point, double reach)
{
    reach_search s = {set, point, reach, false};
    ball_test ball = ball_test_of(point, reach);
    mesh_tree_walk(&set->spheres->groups, tree_overlaps_ball, &ball, try_group, &s);
    return s.found;
}
