// SPDX-License-Identifier: BSD-3-Clause
#include "collision/surface/surface_pair.h"

#include "collision/convex/narrow_phase.h"

// Bumps lower than this, in units of the shape's size, are rounding of a flat floor.
static const double NO_BUMP = 1e-9;
// Two places nearer than this, in units of the shape's size, are one; two normals that differ by less, too.
static const double SAME_POSITION = 1e-7, SAME_NORMAL = 1e-6;
// Sines: the normal is the face's own to within what the pair functions resolve; a face is not touched from beyond.
static const double FACE_NORMAL = 1e-7, FACE_LEAN = 1e-3;

typedef bool comes_before(const contact_point *a, const contact_point *b);

static bool is_nearer(const contact_point *a, const contact_point *b)
{
    return a->gap != b->gap ? a->gap < b->gap : a->feature < b->feature;
}

// Along x, then y, then z, then the nearer one.
static bool is_further_west(const contact_point *a, const contact_point *b)
{
    if (a->point.x != b->point.x) return a->point.x < b->point.x;
    if (a->point.y != b->point.y) return a->point.y < b->point.y;
    return a->point.z != b->point.z ? a->point.z < b->point.z : is_nearer(a, b);
}

static bool has_lower_name(const contact_point *a, const contact_point *b)
{
    return a->feature != b->feature ? a->feature < b->feature : is_nearer(a, b);
}

// Shell's sort: in place, and fast enough for the few hundred points that a large shape may find.
static void sort_points(contact_point *point, int64_t count, comes_before *before)
{
    int64_t gap = 1;
    while (gap < count / 9) gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3) {
        for (int64_t k = gap; k < count; ++k) {
            contact_point v = point[k];
            int64_t at = k;
            for (; at >= gap && before(&v, &point[at - gap]); at -= gap) point[at] = point[at - gap];
            point[at] = v;
        }
    }
}

void points_into_world(const placed_shape *frame, bool flip, contact_point *p, int64_t count)
{
    for (int64_t k = 0; k < count; ++k) {
        p[k].point = pose_apply(frame->pose, p[k].point);
        p[k].normal = quat_rotate(frame->pose.rotation, flip ? vec3_neg(p[k].normal) : p[k].normal);
    }
}

void order_by_feature(contact_point *p, int64_t count)
{
    sort_points(p, count, has_lower_name);
    for (int64_t k = 1; k < count; ++k)
        if (p[k].feature <= p[k - 1].feature) p[k].feature = p[k - 1].feature + 1;
}

uint32_t mixed_name(uint32_t surface, uint32_t shape)
{
    uint32_t v = surface ^ (shape * 0x9e3779b1u);
    v = (v ^ (v >> 16)) * 0x85ebca6bu;
    return (v ^ (v >> 13)) >> 1;  // room to count up in when two names meet
}

static bool is_allowed(const surface_pair *m, const surface_feature *feature, scr_vec3 d)
{
    triangle3 t = triangle_corners(&m->surface->triangles, feature->triangle);
    scr_vec3 normal = triangle_normal(&t);
    double along = vec3_dot(d, normal), across = vec3_norm(vec3_cross(d, normal));
    if (across < (feature->kind == SURFACE_FACE ? FACE_LEAN : FACE_NORMAL)) return along > 0.0 || !m->solid;
    if (feature->kind == SURFACE_FACE || !surface_feature_allows(m->surface, feature, d)) return false;
    return !m->solid || vec3_dot(d, surface_feature_normal(m->surface, feature)) > 0.0;
}

void keep_allowed(surface_pair *m, int32_t triangle, const contact_point *found, const surface_feature *feature,
                  int count)
{
    bool reversed = false;
    for (int k = 0; k < count; ++k) {
        if (!is_allowed(m, &feature[k], vec3_neg(found[k].normal))) {
            reversed = reversed || found[k].gap < 0.0;
            continue;
        }
        contact_point c = found[k];
        c.feature = mixed_name((uint32_t)surface_patch(m->surface, triangle), c.feature);
        contact_list_add(m->list, &c);
    }
    if (reversed) add_face_points(m, triangle, true);
}

// The rotation that takes z to n.
static scr_quat rotation_to(scr_vec3 n)
{
    if (n.z < -0.5) {  // by half a turn about x first
        scr_quat q = rotation_to(vec3(n.x, -n.y, -n.z));
        return quat_mul((scr_quat){0.0, 1.0, 0.0, 0.0}, q);
    }
    return quat_unit((scr_quat){1.0 + n.z, -n.y, n.x, 0.0});
}

static bool is_over(const triangle3 *t, scr_vec3 normal, scr_vec3 point, double slack)
{
    for (int k = 0; k < 3; ++k) {
        scr_vec3 inwards = vec3_cross(normal, vec3_unit(vec3_sub(t->corner[next_corner(k)], t->corner[k])));
        if (vec3_dot(inwards, vec3_sub(point, t->corner[k])) < -slack) return false;
    }
    return true;
}

void add_face_points(surface_pair *m, int32_t triangle, bool over_triangle)
{
    triangle3 t = triangle_corners(&m->surface->triangles, triangle);
    scr_vec3 normal = triangle_normal(&t);
    double height = vec3_dot(normal, vec3_sub(m->shape.pose.position, t.corner[0]));
    if (!m->solid && height < 0.0) normal = vec3_neg(normal);
    // Beyond the middle of the shape, it is another face's to push it out.
    if (m->solid && over_triangle && height < -0.5 * m->size) return;
    placed_shape plane = {.kind = SCR_PLANE, .pose.position = t.corner[0], .pose.rotation = rotation_to(normal)};
    contact_point out[MANIFOLD_MAX];
    int count = narrow_phase(&m->shape, &plane, m->reach, out);
    for (int k = 0; k < count; ++k) {
        // What went in at a slant may be deepest beside the triangle it went through.
        double slack = SAME_POSITION * m->size + 2.0 * fmax(0.0, -out[k].gap);
        if (over_triangle && !is_over(&t, triangle_normal(&t), out[k].point, slack)) continue;
        out[k].normal = vec3_neg(normal);
        out[k].feature = mixed_name((uint32_t)surface_patch(m->surface, triangle), out[k].feature);
        contact_list_add(m->list, &out[k]);
    }
}

void drop_behind_nearer(surface_pair *m)
{
    contact_point *p = m->list->point + m->first;
    int64_t count = m->list->count - m->first, kept = 0;
    sort_points(p, count, is_nearer);
    for (int64_t k = 0; k < count; ++k) {
        scr_vec3 point = touched_point(&p[k]);
        bool behind = false;
        for (int64_t n = 0; n < kept && !behind; ++n)
            behind = -vec3_dot(p[n].normal, vec3_sub(point, touched_point(&p[n]))) <= NO_BUMP * m->size;
        if (!behind) p[kept++] = p[k];
    }
    m->list->count = m->first + kept;
}

void drop_doubles(surface_pair *m)
{
    contact_point *p = m->list->point + m->first;
    int64_t count = m->list->count - m->first, kept = 0;
    double near = SAME_POSITION * m->size;
    sort_points(p, count, is_further_west);
    for (int64_t k = 0; k < count; ++k) {
        bool twice = false;
        for (int64_t n = kept - 1; n >= 0 && !twice && p[k].point.x - p[n].point.x <= near; --n)
            twice = vec3_norm(vec3_sub(p[k].point, p[n].point)) <= near &&
                    vec3_norm(vec3_sub(p[k].normal, p[n].normal)) <= SAME_NORMAL;
        if (!twice) p[kept++] = p[k];
    }
    m->list->count = m->first + kept;
}
