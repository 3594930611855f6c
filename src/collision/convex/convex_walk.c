// SPDX-License-Identifier: BSD-3-Clause
#include "collision/convex/convex_walk.h"

static const double NOTHING = 4e-15;  // distances below this are rounding, in units of the larger shape
enum { STEP_MAX = 80, IDLE_MAX = 4 };

static scr_vec3 difference(const pair_view *view, scr_vec3 a, scr_vec3 b)
{
    if (view->scale_a != 1.0) a = vec3_add_scaled(view->a->centre, view->scale_a, vec3_sub(a, view->a->centre));
    if (view->scale_b != 1.0) b = vec3_add_scaled(view->b->centre, view->scale_b, vec3_sub(b, view->b->centre));
    return vec3_add(vec3_sub(b, a), view->shift);
}

static simplex_point support(pair_view *view, scr_vec3 n)
{
    support_point a = convex_support(view->a, n, view->corner[0]);
    support_point b = convex_support(view->b, vec3_neg(n), view->corner[1]);
    view->corner[0] = a.corner;
    view->corner[1] = b.corner;
    return (simplex_point){a.at, b.at, difference(view, a.at, b.at)};
}

// The point of a simplex's face nearest to the origin: which corners, and how much of each.
typedef struct nearest_feature {
    int count, corner[3];
    double share[3];
    scr_vec3 at;
    double square;
} nearest_feature;

static void keep_nearer(nearest_feature *best, const nearest_feature *other)
{
    if (other->square < best->square) *best = *other;
}

// What rounding has left of a vector along another that it should be square to is taken away: of a short vector between
// long ones this is most of the error of its direction.
static scr_vec3 squared_to(scr_vec3 v, scr_vec3 along, double square)
{
    return vec3_add_scaled(v, -vec3_dot(v, along) / square, along);
}

static nearest_feature nearest_on_line(const simplex_point *p, int i, int j)
{
    scr_vec3 along = vec3_sub(p[j].w, p[i].w);
    double length = vec3_dot(along, along), t = -vec3_dot(p[i].w, along);
    nearest_feature near;
    if (!(t > 0.0)) near = (nearest_feature){1, {i}, {1.0}, p[i].w, 0.0};
    else if (t >= length) near = (nearest_feature){1, {j}, {1.0}, p[j].w, 0.0};
    else {
        t /= length;
        scr_vec3 at = squared_to(vec3_add_scaled(p[i].w, t, along), along, length);
        near = (nearest_feature){2, {i, j}, {1.0 - t, t}, at, 0.0};
    }
    near.square = vec3_dot(near.at, near.at);
    return near;
}

// Inside the triangle, or on its sides; a sliver has no inside. Round shapes make triangles a million times as long as
// high: measured as base and height, both as vectors, they keep their digits, where normal equations would square the
// ratio. The base is the longest side.
static nearest_feature nearest_on_triangle(const simplex_point *p, int i, int j, int k)
{
    scr_vec3 ij = vec3_sub(p[j].w, p[i].w), ik = vec3_sub(p[k].w, p[i].w), jk = vec3_sub(p[k].w, p[j].w);
    double square_ij = vec3_dot(ij, ij), square_ik = vec3_dot(ik, ik), square_jk = vec3_dot(jk, jk);
    int from = i, to = j, top = k;
    scr_vec3 base = ij, side = ik;
    double square = square_ij;
    if (square_ik > square) from = i, to = k, top = j, base = ik, side = ij, square = square_ik;
    if (square_jk > square) from = j, to = k, top = i, base = jk, side = vec3_neg(ij), square = square_jk;

    double lean = vec3_dot(side, base) / square;
    scr_vec3 height = vec3_add_scaled(side, -lean, base);
    double height_square = vec3_dot(height, height);
    if (height_square > 1e-28 * square) {
        double t = -vec3_dot(p[from].w, height) / height_square;
        double s = -vec3_dot(p[from].w, base) / square - t * lean;
        if (t > 0.0 && s > 0.0 && s + t < 1.0) {
            scr_vec3 at = vec3_add_scaled(vec3_add_scaled(p[from].w, s + t * lean, base), t, height);
            at = squared_to(squared_to(at, height, height_square), base, square);
            return (nearest_feature){3, {from, to, top}, {1.0 - s - t, s, t}, at, vec3_dot(at, at)};
        }
    }
    nearest_feature best = nearest_on_line(p, i, j), other = nearest_on_line(p, i, k);
    keep_nearer(&best, &other);
    other = nearest_on_line(p, j, k);
    keep_nearer(&best, &other);
    return best;
}

// The three faces that contain the last point; false if the origin is behind all of them, inside the tetrahedron.
static bool nearest_on_tetrahedron(const simplex_point *p, nearest_feature *best)
{
    bool outside = false;
    *best = (nearest_feature){.square = INFINITY};
    for (int k = 0; k < 3; ++k) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        scr_vec3 normal = vec3_cross(vec3_sub(p[i].w, p[3].w), vec3_sub(p[j].w, p[3].w));
        double origin = -vec3_dot(normal, p[3].w), opposite = vec3_dot(normal, vec3_sub(p[k].w, p[3].w));
        if (origin * opposite > 0.0) continue;
        nearest_feature near = nearest_on_triangle(p, 3, i, j);
        keep_nearer(best, &near);
        outside = true;
    }
    return outside;
}

// The part of the simplex that is nearest to the origin; false if the origin is inside.
static bool nearest_on_simplex(const simplex *s, nearest_feature *near)
{
    switch (s->count) {
    case 1: *near = (nearest_feature){1, {0}, {1.0}, s->p[0].w, 0.0}; return true;
    case 2: *near = nearest_on_line(s->p, 0, 1); return true;
    case 3: *near = nearest_on_triangle(s->p, 0, 1, 2); return true;
    default: return nearest_on_tetrahedron(s->p, near);
    }
}

static void reduce_to(simplex *s, const nearest_feature *near)
{
    bool needed[4] = {false};
    for (int k = 0; k < near->count; ++k) needed[near->corner[k]] = true;
    int new_index[4] = {0}, count = 0;
    for (int k = 0; k < s->count; ++k) {
        if (!needed[k]) continue;
        new_index[k] = count;
        if (count != k) s->p[count] = s->p[k];
        ++count;
    }
    for (int k = 0; k < near->count; ++k) s->share[new_index[near->corner[k]]] = near->share[k];
    s->count = count;
    s->nearest = near->at;
}

static bool is_in(const simplex *s, const simplex_point *p)
{
    for (int k = 0; k < s->count; ++k)
        if (s->p[k].w.x == p->w.x && s->p[k].w.y == p->w.y && s->p[k].w.z == p->w.z) return true;
    return false;
}

// Begin with the points there are, seen in this view, or with the one along the line of centres.
static void begin_walk(pair_view *view, simplex *s)
{
    for (int k = 0; k < s->count; ++k) s->p[k].w = difference(view, s->p[k].a, s->p[k].b);
    if (s->count == 0) {
        scr_vec3 between = vec3_add(vec3_sub(view->b->centre, view->a->centre), view->shift);
        s->p[s->count++] = support(view, vec3_unit(between));
    }
    nearest_feature near;
    nearest_on_simplex(s, &near);
    reduce_to(s, &near);
}

// Near the end the distance is level where the lower bound is steep: a direction off by t changes the first by t^2 and
// the second by t. So a step that seems to bring nothing may still turn the direction right, and some are allowed.
walk_end convex_walk(pair_view *view, simplex *s, double reach, double accuracy, scr_vec3 *normal)
{
    double best = -INFINITY;
    int idle = 0;
    begin_walk(view, s);
    for (int step = 0; step < STEP_MAX; ++step) {
        double distance = vec3_norm(s->nearest);
        if (!(distance > NOTHING * view->large)) return best > 0.0 ? WALK_APART : WALK_OVERLAP;
        scr_vec3 n = vec3_scale(1.0 / distance, s->nearest);
        simplex_point next = support(view, n);
        double lower = vec3_dot(n, next.w);
        if (lower > best) {
            best = lower;
            *normal = n;
        }
        if (vec3_dot(n, vec3_add(vec3_sub(next.b, next.a), view->shift)) >= reach) return WALK_FAR;
        if (distance - lower <= accuracy || is_in(s, &next)) return WALK_APART;
        nearest_feature near;
        s->p[s->count++] = next;
        bool outside = nearest_on_simplex(s, &near);
        if (outside && !(near.square < distance * distance)) ++idle;
        if (!outside || idle > IDLE_MAX) {
            s->count -= 1;  // rounding: no way on, or an origin that seems inside though a plane separates it
            return best > 0.0 || outside ? WALK_APART : WALK_OVERLAP;
        }
        reduce_to(s, &near);
    }
    return WALK_APART;
}

double convex_separation(pair_view *view, scr_vec3 n)
{
    support_point a = convex_support(view->a, n, view->corner[0]);
    support_point b = convex_support(view->b, vec3_neg(n), view->corner[1]);
    view->corner[0] = a.corner;
    view->corner[1] = b.corner;
    return vec3_dot(n, vec3_sub(b.at, a.at));
}

void simplex_nearest_points(const simplex *s, scr_vec3 *on_a, scr_vec3 *on_b)
{
    *on_a = *on_b = vec3(0.0, 0.0, 0.0);
    for (int k = 0; k < s->count; ++k) {
        *on_a = vec3_add_scaled(*on_a, s->share[k], s->p[k].a);
        *on_b = vec3_add_scaled(*on_b, s->share[k], s->p[k].b);
    }
}
