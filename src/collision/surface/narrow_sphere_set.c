// SPDX-License-Identifier: BSD-3-Clause
// One sphere set meeting one shape, in the frame of the set: which spheres are near is asked of the set's tree, and of
// each of them the pair function of a sphere.
//
// What has many parts itself, a mesh or another set, is asked in turn: a box of the tree is followed only if it holds
// a part of the other. So both are walked down together, and the work follows the region where they are near.
#include "collision/surface/narrow_sphere_set.h"

#include "collision/convex/narrow_phase.h"
#include "collision/narrow/narrow_sphere.h"
#include "collision/surface/narrow_surface.h"
#include "collision/surface/surface_pair.h"
#include "geometry/surface/sphere_tree.h"
#include "geometry/surface/surface_query.h"

static const double ROUNDING = 1.0 + 1e-6;

typedef struct set_pair {
    const shape_surface *set;
    placed_shape other;  // in the frame of the set
    scr_aabb box;        // m, about it, with reach
    box_test box_test;   // the same
    double reach;        // m
    bool set_is_a;
    contact_list *list;
} set_pair;

static placed_shape sphere_at(scr_vec3 centre, double radius)
{
    return (placed_shape){.kind = SCR_SPHERE, .pose = {centre, QUAT_IDENTITY}, .radius = radius};
}

static placed_shape sphere_of(const set_pair *m, int32_t k)
{
    return sphere_at(m->set->triangles.vertex[k], m->set->radius_at[k]);
}

static void add_point(const set_pair *m, contact_point *p, int32_t sphere, double other_radius, uint32_t feature)
{
    p->feature = feature;
    p->radius[m->set_is_a ? 0 : 1] = m->set->radius_at[sphere];
    p->radius[m->set_is_a ? 1 : 0] = other_radius;
    contact_list_add(m->list, p);
}

// ---- against a sphere ----

static void meet_one(const set_pair *m, int32_t k)
{
    scr_vec3 at = m->other.pose.position, centre = m->set->triangles.vertex[k], d = vec3_sub(at, centre);
    double r = m->set->radius_at[k], near = r + m->other.radius + m->reach;
    contact_point p;
    if (vec3_dot(d, d) > ROUNDING * near * near) return;
    bool touches = m->set_is_a ? sphere_sphere(centre, r, at, m->other.radius, m->reach, &p)
                               : sphere_sphere(at, m->other.radius, centre, r, m->reach, &p);
    if (touches) add_point(m, &p, k, 0.0, (uint32_t)k);
}

static bool meet_sphere(void *context, int32_t group)
{
    const set_pair *m = context;
    sphere_range range = spheres_of_group(m->set, group);
    for (int32_t k = range.first; k < range.last; ++k) meet_one(m, k);
    return true;
}

// ---- against a plane and other convex shapes ----

static bool is_near_box(const scr_aabb *box, scr_vec3 centre, double radius)
{
    return centre.x + radius >= box->low.x && centre.x - radius <= box->high.x && centre.y + radius >= box->low.y &&
           centre.y - radius <= box->high.y && centre.z + radius >= box->low.z && centre.z - radius <= box->high.z;
}

static bool meet_convex(void *context, int32_t group)
{
    const set_pair *m = context;
    sphere_range range = spheres_of_group(m->set, group);
    for (int32_t k = range.first; k < range.last; ++k) {
        placed_shape sphere = sphere_of(m, k);
        contact_point out[MANIFOLD_MAX];
        if (!is_near_box(&m->box, sphere.pose.position, sphere.radius)) continue;
        int count = m->set_is_a ? narrow_phase(&sphere, &m->other, m->reach, out)
                                : narrow_phase(&m->other, &sphere, m->reach, out);
        for (int n = 0; n < count; ++n)
            add_point(m, &out[n], k, 0.0, n == 0 ? (uint32_t)k : mixed_name((uint32_t)k, (uint32_t)n));
    }
    return true;
}

// ---- against meshes, heightfields and other sets ----

static bool note_any(void *context, int32_t item)
{
    (void)item;
    *(bool *)context = true;
    return false;
}

// Is any triangle, or group of spheres, of the surface in the box?
static bool has_parts_in(const shape_surface *s, const scr_aabb *box)
{
    bool found = false;
    if (s->kind != SCR_SPHERE_SET) {
        surface_walk(s, box, note_any, &found);
        return found;
    }
    box_test test = box_test_of(box);
    mesh_tree_walk(&s->spheres->groups, tree_overlaps_box, &test, note_any, &found);
    return found;
}

// The boxes of a node that hold a part of the other.
static unsigned tree_holds_parts(const void *context, const tree_node *node)
{
    const set_pair *m = context;
    unsigned hits = tree_overlaps_box(&m->box_test, node), kept = 0;
    for (; hits != 0; hits &= hits - 1) {
        int k = __builtin_ctz(hits);
        scr_vec3 low = vec3((double)node->low[0][k], (double)node->low[1][k], (double)node->low[2][k]),
                 high = vec3((double)node->high[0][k], (double)node->high[1][k], (double)node->high[2][k]),
                 margin = vec3(m->reach, m->reach, m->reach);
        placed_shape own = {.kind = SCR_BOX,
                            .pose = {vec3_scale(0.5, vec3_add(low, high)), QUAT_IDENTITY},
                            .half = vec3_add(margin, vec3_scale(0.5, vec3_sub(high, low)))};
        own.pose = pose_relative(m->other.pose, own.pose);
        scr_aabb seen = placed_aabb(&own);
        if (m->other.kind == SCR_HEIGHTFIELD) seen.high.z = INFINITY;  // what is below it is lifted
        kept |= (unsigned)has_parts_in(m->other.surface, &seen) << k;
    }
    return kept;
}

static bool meet_triangles(void *context, int32_t group)
{
    const set_pair *m = context;
    sphere_range range = spheres_of_group(m->set, group);
    for (int32_t k = range.first; k < range.last; ++k) {
        placed_shape sphere = sphere_of(m, k);
        scr_vec3 local = pose_unapply(m->other.pose, sphere.pose.position);
        if (!surface_may_reach(m->other.surface, local, sphere.radius + m->reach)) continue;
        int64_t first = m->list->count, count = 0;
        if (m->set_is_a) narrow_surface(&sphere, &m->other, m->reach, m->list);
        else narrow_surface(&m->other, &sphere, m->reach, m->list);
        count = m->list->count - first;
        m->list->count = first;
        for (int64_t n = first; n < first + count; ++n) {
            contact_point p = m->list->point[n];
            add_point(m, &p, k, 0.0, mixed_name((uint32_t)k, p.feature));
        }
    }
    return true;
}

// One sphere of the set against those of the other.
typedef struct sphere_search {
    const set_pair *pair;
    int32_t sphere;
    scr_vec3 local;  // its centre in the other's frame
} sphere_search;

static bool meet_other_spheres(void *context, int32_t group)
{
    const sphere_search *s = context;
    const set_pair *m = s->pair;
    const shape_surface *other = m->other.surface;
    sphere_range range = spheres_of_group(other, group);
    scr_vec3 centre = m->set->triangles.vertex[s->sphere];
    double r = m->set->radius_at[s->sphere];
    for (int32_t k = range.first; k < range.last; ++k) {
        scr_vec3 d = vec3_sub(other->triangles.vertex[k], s->local);
        double other_r = other->radius_at[k], near = r + other_r + m->reach;
        contact_point p;
        if (vec3_dot(d, d) > ROUNDING * near * near) continue;
        scr_vec3 at = pose_apply(m->other.pose, other->triangles.vertex[k]);
        if (sphere_sphere(centre, r, at, other_r, m->reach, &p))  // the set is a
            add_point(m, &p, s->sphere, other_r, mixed_name((uint32_t)s->sphere, (uint32_t)k));
    }
    return true;
}

static bool meet_set(void *context, int32_t group)
{
    const set_pair *m = context;
    sphere_range range = spheres_of_group(m->set, group);
    for (int32_t k = range.first; k < range.last; ++k) {
        sphere_search s = {m, k, pose_unapply(m->other.pose, m->set->triangles.vertex[k])};
        ball_test ball = ball_test_of(s.local, m->set->radius_at[k] + m->reach);
        mesh_tree_walk(&m->other.surface->spheres->groups, tree_overlaps_ball, &ball, meet_other_spheres, &s);
    }
    return true;
}

// ---- the choice by kind ----

static void meet_by_kind(set_pair *m)
{
    const mesh_tree *tree = &m->set->spheres->groups;
    scr_vec3 at = m->other.pose.position, up = quat_z(m->other.pose.rotation);
    if (m->other.kind == SCR_SPHERE) {
        ball_test ball = ball_test_of(at, m->other.radius + m->reach);
        mesh_tree_walk(tree, tree_overlaps_ball, &ball, meet_sphere, m);
    } else if (m->other.kind == SCR_PLANE) {
        slope_test below = {up, vec3_dot(up, at) + m->reach};
        mesh_tree_walk(tree, tree_below_slope, &below, meet_convex, m);
    } else if (kind_is_convex(m->other.kind)) {
        mesh_tree_walk(tree, tree_overlaps_box, &m->box_test, meet_convex, m);
    } else {
        mesh_tree_walk(tree, tree_holds_parts, m, m->other.kind == SCR_SPHERE_SET ? meet_set : meet_triangles, m);
    }
}

static set_pair begin_pair(const placed_shape *a, const placed_shape *b, double reach, contact_list *list)
{
    bool set_is_a = a->kind == SCR_SPHERE_SET;
    const placed_shape *set = set_is_a ? a : b;
    set_pair m = {.set = set->surface, .other = set_is_a ? *b : *a, .reach = reach, .set_is_a = set_is_a, .list = list};
    m.other.pose = pose_relative(set->pose, m.other.pose);
    return m;
}

void narrow_listed_groups(const placed_shape *a, const placed_shape *b, double reach, const int32_t *group,
                          int64_t count, contact_list *list)
{
    int64_t first = list->count;
    set_pair m = begin_pair(a, b, reach, list);
    sphere_probe probe = sphere_probe_of(m.other.pose.position, ROUNDING * (m.other.radius + reach));
    for (int64_t k = 0; k < count; ++k)
        for (unsigned hits = sphere_group_near(m.set, group[k], &probe); hits != 0; hits &= hits - 1)
            meet_one(&m, SPHERE_GROUP * group[k] + __builtin_ctz(hits));
    points_into_world(m.set_is_a ? a : b, false, list->point + first, list->count - first);
}

void narrow_sphere_set(const placed_shape *a, const placed_shape *b, double reach, contact_list *list)
{
    int64_t first = list->count;
    set_pair m = begin_pair(a, b, reach, list);
    scr_aabb box = placed_aabb(&m.other);
    scr_vec3 margin = vec3(reach, reach, reach);
    m.box = (scr_aabb){vec3_sub(box.low, margin), vec3_add(box.high, margin)};
    m.box_test = box_test_of(&m.box);
    meet_by_kind(&m);
    points_into_world(m.set_is_a ? a : b, false, list->point + first, list->count - first);
    order_by_feature(list->point + first, list->count - first);
}
