// SPDX-License-Identifier: BSD-3-Clause
// Where a ray enters a shape: in the shape's own frame, where x = o + t d.
//
// The surface of a solid is looked at piece by piece (a cylinder's side, its two discs). A convex solid is entered at
// the one place where the ray meets a piece from outside: d . n < 0 and t >= 0.
//   sphere      |x|^2 = r^2:  t = -o.d - sqrt(r^2 - |o - (o.d) d|^2)
//   ellipsoid   the same of x / semi-axes
//   cylinder    the same of (x, y) for |z| <= l; z = +-l for x^2 + y^2 <= r^2
//   cone        x^2 + y^2 = k^2 (l - z)^2, k = r / (2 l), for |z| <= l; z = -l for x^2 + y^2 <= r^2
//   box, hull   the last of the planes that it goes through inwards, if it has not gone out through another before
#include "collision/query/ray.h"

#include <math.h>

#include "core/maths/quat.h"
#include "geometry/surface/surface_query.h"

typedef struct cast {
    scr_vec3 o, d;    // m; in the shape's frame, d of unit length
    double length;    // m; to the nearest hit so far
    scr_vec3 normal;  // of that
    bool is_hit;
} cast;

static scr_vec3 along(const cast *c, double t) { return vec3_add_scaled(c->o, t, c->d); }

// A place on the surface with an outward normal of any length.
static void try_hit(cast *c, double t, scr_vec3 normal)
{
    if (!(t >= 0.0 && t <= c->length && vec3_dot(c->d, normal) < 0.0)) return;
    c->length = t;
    c->normal = normal;
    c->is_hit = true;
}

// ---- round solids ----

static void cast_ellipsoid(cast *c, scr_vec3 semi)
{
    scr_vec3 over = vec3(1.0 / semi.x, 1.0 / semi.y, 1.0 / semi.z), o = vec3_mul(over, c->o), d = vec3_mul(over, c->d);
    double a = vec3_dot(d, d), b = vec3_dot(o, d);
    scr_vec3 nearest = vec3_add_scaled(o, -b / a, d);
    double left = 1.0 - vec3_dot(nearest, nearest);
    if (left < 0.0) return;
    double t = (-b - sqrt(a * left)) / a;
    try_hit(c, t, vec3_mul(over, vec3_add_scaled(o, t, d)));
}

// At z of its centre; only what is beyond it, on the side of the sign.
static void cast_cap(cast *c, double r, double z, double sign)
{
    scr_vec3 o = vec3(c->o.x, c->o.y, c->o.z - z);
    double b = vec3_dot(o, c->d);
    scr_vec3 nearest = vec3_add_scaled(o, -b, c->d);
    double left = r * r - vec3_dot(nearest, nearest);
    if (left < 0.0) return;
    double t = -b - sqrt(left);
    scr_vec3 normal = vec3_add_scaled(o, t, c->d);
    if (sign * normal.z >= 0.0) try_hit(c, t, normal);
}

static void cast_side(cast *c, double r, double l)
{
    double a = c->d.x * c->d.x + c->d.y * c->d.y, b = c->o.x * c->d.x + c->o.y * c->d.y;
    double cross = c->o.x * c->d.y - c->o.y * c->d.x, left = a * r * r - cross * cross;
    if (a == 0.0 || left < 0.0) return;
    double t = (-b - sqrt(left)) / a;
    scr_vec3 at = along(c, t);
    if (fabs(at.z) <= l) try_hit(c, t, vec3(at.x, at.y, 0.0));
}

static void cast_disc(cast *c, double r, double z, double sign)
{
    if (c->d.z == 0.0) return;
    double t = (z - c->o.z) / c->d.z;
    scr_vec3 at = along(c, t);
    if (at.x * at.x + at.y * at.y <= r * r) try_hit(c, t, vec3(0.0, 0.0, sign));
}

static void try_cone(cast *c, double t, double k, double l)
{
    scr_vec3 at = along(c, t);
    if (fabs(at.z) <= l) try_hit(c, t, vec3(at.x, at.y, k * k * (l - at.z)));
}

static void cast_cone(cast *c, double r, double l)
{
    double k = 0.5 * r / l, w = l - c->o.z;
    double a = c->d.x * c->d.x + c->d.y * c->d.y - k * k * c->d.z * c->d.z;
    double b = c->o.x * c->d.x + c->o.y * c->d.y + k * k * w * c->d.z;
    double left = c->o.x * c->o.x + c->o.y * c->o.y - k * k * w * w, disc = b * b - a * left;
    if (a == 0.0 && b != 0.0) try_cone(c, -0.5 * left / b, k, l);
    if (a != 0.0 && disc >= 0.0) {
        double q = -(b + copysign(sqrt(disc), b));  // the root that does not cancel; the other by the product of both
        try_cone(c, q / a, k, l);
        if (q != 0.0) try_cone(c, left / q, k, l);
    }
    cast_disc(c, r, -l, -1.0);
}

// ---- flat solids ----

typedef struct clip {
    double enter, leave;
    scr_vec3 normal;
} clip;

// All below n . x = offset is solid.
static void clip_plane(const cast *c, clip *s, scr_vec3 n, double offset)
{
    double height = vec3_dot(n, c->o) - offset, slope = vec3_dot(n, c->d);
    if (slope == 0.0) {
        if (height > 0.0) s->leave = -INFINITY;
        return;
    }
    double t = -height / slope;
    if (slope > 0.0) s->leave = fmin(s->leave, t);
    else if (t > s->enter) s->enter = t, s->normal = n;
}

static void end_clip(cast *c, const clip *s)
{
    if (s->enter <= s->leave) try_hit(c, s->enter, s->normal);
}

static void cast_box(cast *c, scr_vec3 half)
{
    clip s = {-INFINITY, INFINITY, {0.0, 0.0, 0.0}};
    for (int sign = -1; sign <= 1; sign += 2) {
        clip_plane(c, &s, vec3(sign, 0.0, 0.0), half.x);
        clip_plane(c, &s, vec3(0.0, sign, 0.0), half.y);
        clip_plane(c, &s, vec3(0.0, 0.0, sign), half.z);
    }
    end_clip(c, &s);
}

static void cast_hull(cast *c, const scr_triangles *faces)
{
    clip s = {-INFINITY, INFINITY, {0.0, 0.0, 0.0}};
    for (int64_t k = 0; k < faces->triangle_count; ++k) {
        triangle3 t = triangle_corners(faces, k);
        scr_vec3 n = triangle_normal(&t);
        if (vec3_dot(n, n) > 0.0) clip_plane(c, &s, n, vec3_dot(n, t.corner[0]));
    }
    end_clip(c, &s);
}

// ---- surfaces ----

typedef struct surface_cast {
    cast *cast;
    ray_test *test;  // made shorter with every hit; NULL where there is no tree
    const scr_triangles *triangles;
    bool is_solid;
} surface_cast;

// Moeller and Trumbore's test. Edges belong to both triangles, to rounding.
static bool cast_triangle(void *context, int32_t k)
{
    static const double EDGE = 1e-12;
    surface_cast *s = context;
    triangle3 t = triangle_corners(s->triangles, k);
    scr_vec3 e1 = vec3_sub(t.corner[1], t.corner[0]), e2 = vec3_sub(t.corner[2], t.corner[0]), n = vec3_cross(e1, e2);
    scr_vec3 p = vec3_cross(s->cast->d, e2), from = vec3_sub(s->cast->o, t.corner[0]), q = vec3_cross(from, e1);
    double det = vec3_dot(e1, p);
    if (det == 0.0) return true;
    double u = vec3_dot(from, p) / det, v = vec3_dot(s->cast->d, q) / det;
    if (u < -EDGE || v < -EDGE || u + v > 1.0 + EDGE) return true;
    bool from_behind = vec3_dot(n, s->cast->d) > 0.0;
    if (from_behind && s->is_solid) return true;
    try_hit(s->cast, vec3_dot(e2, q) / det, from_behind ? vec3_neg(n) : n);
    if (s->test != NULL) s->test->length = s->cast->length;
    return true;
}

static void cast_mesh(cast *c, const shape_surface *s)
{
    ray_test test = {{c->o.x, c->o.y, c->o.z}, {c->d.x, c->d.y, c->d.z}, c->length};
    surface_cast job = {c, &test, &s->triangles, surface_is_solid(s)};
    mesh_tree_walk(&s->mesh->tree, tree_hits_ray, &test, cast_triangle, &job);
}

// The interval of a ray over the grid, in pieces of a few cells, until one is hit.
static void cast_heightfield(cast *c, const shape_surface *s)
{
    enum { CELLS = 4 };
    clip over = {0.0, c->length, {0.0, 0.0, 0.0}};
    const scr_aabb *box = &s->box;
    clip_plane(c, &over, vec3(1.0, 0.0, 0.0), box->high.x), clip_plane(c, &over, vec3(-1.0, 0.0, 0.0), -box->low.x);
    clip_plane(c, &over, vec3(0.0, 1.0, 0.0), box->high.y), clip_plane(c, &over, vec3(0.0, -1.0, 0.0), -box->low.y);
    clip_plane(c, &over, vec3(0.0, 0.0, 1.0), box->high.z), clip_plane(c, &over, vec3(0.0, 0.0, -1.0), -box->low.z);
    if (!(over.enter <= over.leave)) return;
    surface_cast job = {c, NULL, &s->triangles, true};
    double piece = CELLS * fmin(s->heightfield->spacing[0], s->heightfield->spacing[1]);
    double slope = hypot(c->d.x, c->d.y), interval = slope > 0.0 ? piece / slope : INFINITY;
    int64_t count = (int64_t)fmin(ceil((over.leave - over.enter) / interval), 1e9) + 1;
    for (int64_t k = 0; k < count && !c->is_hit; ++k) {
        double first = over.enter + (over.leave - over.enter) * (double)k / (double)count;
        double last = over.enter + (over.leave - over.enter) * (double)(k + 1) / (double)count, slack = 1e-9 * piece;
        scr_vec3 a = along(c, first), b = along(c, last);
        scr_aabb near = {{fmin(a.x, b.x) - slack, fmin(a.y, b.y) - slack, fmin(a.z, b.z) - slack},
                         {fmax(a.x, b.x) + slack, fmax(a.y, b.y) + slack, fmax(a.z, b.z) + slack}};
        surface_walk(s, &near, cast_triangle, &job);
    }
}

typedef struct set_job {
    cast *c;
    const shape_surface *set;
    ray_test test;  // made shorter with every hit
} set_job;

static bool cast_spheres(void *context, int32_t group)
{
    set_job *job = context;
    sphere_range range = spheres_of_group(job->set, group);
    for (int32_t k = range.first; k < range.last; ++k) {
        cast from = *job->c;
        double r = job->set->radius_at[k];
        from.o = vec3_sub(from.o, job->set->triangles.vertex[k]);
        cast_ellipsoid(&from, vec3(r, r, r));
        job->c->length = from.length, job->c->normal = from.normal, job->c->is_hit = from.is_hit;
    }
    job->test.length = job->c->length;
    return true;
}

static void cast_set(cast *c, const shape_surface *s)
{
    set_job job = {c, s, {{c->o.x, c->o.y, c->o.z}, {c->d.x, c->d.y, c->d.z}, c->length}};
    mesh_tree_walk(&s->spheres->groups, tree_hits_ray, &job.test, cast_spheres, &job);
}

static void cast_plane(cast *c)
{
    if (c->d.z < 0.0) try_hit(c, -c->o.z / c->d.z, vec3(0.0, 0.0, 1.0));
}

static void cast_shape(cast *c, const placed_shape *shape)
{
    double r = shape->radius, l = shape->half.z;
    switch (shape->kind) {
    case SCR_SPHERE: cast_ellipsoid(c, vec3(r, r, r)); break;
    case SCR_ELLIPSOID: cast_ellipsoid(c, shape->half); break;
    case SCR_BOX: cast_box(c, shape->half); break;
    case SCR_CAPSULE: cast_side(c, r, l), cast_cap(c, r, l, 1.0), cast_cap(c, r, -l, -1.0); break;
    case SCR_CYLINDER: cast_side(c, r, l), cast_disc(c, r, l, 1.0), cast_disc(c, r, -l, -1.0); break;
    case SCR_CONE: cast_cone(c, r, l); break;
    case SCR_HULL: cast_hull(c, &shape->surface->triangles); break;
    case SCR_MESH: cast_mesh(c, shape->surface); break;
    case SCR_HEIGHTFIELD: cast_heightfield(c, shape->surface); break;
    case SCR_PLANE: cast_plane(c); break;
    case SCR_SPHERE_SET: cast_set(c, shape->surface); break;
    }
}

bool ray_hits_shape(const ray *r, const placed_shape *shape, ray_hit *hit)
{
    cast c = {.o = pose_unapply(shape->pose, r->origin),
              .d = quat_unrotate(shape->pose.rotation, r->direction),
              .length = r->length};
    cast_shape(&c, shape);
    if (c.is_hit) *hit = (ray_hit){c.length, quat_rotate(shape->pose.rotation, vec3_unit(c.normal))};
    return c.is_hit;
}
