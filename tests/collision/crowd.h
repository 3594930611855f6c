// SPDX-License-Identifier: BSD-3-Clause
// What the tests of detection share: crowds of colliders made without a world, and telling by brute force who is near
// whom. Ids are dealt at random, so that the owner of a pair is not simply the one with the lower number.
#ifndef TESTS_COLLISION_CROWD_H
#define TESTS_COLLISION_CROWD_H

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "collision/contacts/contacts.h"
#include "narrow_shapes.h"

enum { CROWD_MAX = 2048 };  // bodies, and colliders

typedef struct crowd {
    colliders c;
    // By body
    int64_t body_count;
    double x[CROWD_MAX], y[CROWD_MAX], z[CROWD_MAX];  // m
    double qw[CROWD_MAX], qx[CROWD_MAX], qy[CROWD_MAX], qz[CROWD_MAX];
    double vx[CROWD_MAX], vy[CROWD_MAX], vz[CROWD_MAX];  // m/s
    double wx[CROWD_MAX], wy[CROWD_MAX], wz[CROWD_MAX];  // rad/s, world axes
    body_motion motion[CROWD_MAX];                       // the same, as crowd_approach was last called
    uint8_t is_dynamic[CROWD_MAX];
    // By collider
    float closing[CROWD_MAX], reach[CROWD_MAX], travel[CROWD_MAX];  // m
    uint8_t is_moved[CROWD_MAX];
} crowd;

static inline void must(scr_status status, const scr_error *error)
{
    if (status != SCR_OK) fail_msg("%s", error->message);
}

static inline crowd *crowd_create(void)
{
    crowd *w = calloc(1, sizeof *w);
    assert_non_null(w);
    scr_error error;
    colliders_init(&w->c);
    must(table_reserve(&w->c.table, CROWD_MAX, &error), &error);
    must(table_reserve(&w->c.places.table, CROWD_MAX, &error), &error);
    return w;
}

static inline void crowd_destroy(crowd *w)
{
    colliders_free(&w->c);
    free(w);
}

static inline int32_t add_body(crowd *w, bool dynamic, scr_vec3 at, scr_quat rotation)
{
    int64_t i = w->body_count++;
    assert_true(i < CROWD_MAX);
    w->x[i] = at.x, w->y[i] = at.y, w->z[i] = at.z;
    w->qw[i] = rotation.w, w->qx[i] = rotation.x, w->qy[i] = rotation.y, w->qz[i] = rotation.z;
    w->is_dynamic[i] = dynamic;
    return (int32_t)i;
}

static inline int64_t add_collider(crowd *w, int32_t body, scr_shape_kind kind, double radius)
{
    colliders *c = &w->c;
    int64_t k = c->table.count++;
    assert_true(k < CROWD_MAX);
    c->body[k] = body;
    c->kind[k] = (uint8_t)kind;
    c->material[k] = 0;
    c->group[k] = 1u;
    c->collides_with[k] = ~0u;
    c->radius[k] = radius;
    c->place[k] = NO_PLACE;
    c->id[k] = c->next_id++;
    w->is_moved[k] = w->is_dynamic[body];
    return k;
}

// A shape that is not a grain, with its pose in the body.
static inline int64_t add_shape(crowd *w, int32_t body, const scr_shape *shape)
{
    colliders *c = &w->c;
    int64_t k = add_collider(w, body, shape->kind, shape_bounding_radius(shape, NULL)), p = c->places.table.count++;
    const scr_vec3 at = shape->position, half = shape->half;
    const scr_quat q = shape->rotation;
    memcpy(c->places.position + 3 * p, (const double[]){at.x, at.y, at.z}, 3 * sizeof(double));
    memcpy(c->places.rotation + 4 * p, (const double[]){q.w, q.x, q.y, q.z}, 4 * sizeof(double));
    memcpy(c->places.half + 3 * p, (const double[]){half.x, half.y, half.z}, 3 * sizeof(double));
    c->places.surface[p] = -1;
    c->place[k] = (int32_t)p;
    return k;
}

static inline int64_t add_grain(crowd *w, bool dynamic, scr_vec3 at, double radius)
{
    return add_collider(w, add_body(w, dynamic, at, QUAT_IDENTITY), SCR_SPHERE, radius);
}
static inline int64_t add_box(crowd *w, bool dynamic, scr_vec3 at, scr_quat rotation, scr_vec3 half)
{
    scr_shape shape = scr_box(half, (scr_material){1});
    return add_shape(w, add_body(w, dynamic, at, rotation), &shape);
}
static inline int64_t add_plane(crowd *w, scr_vec3 at, scr_quat rotation)
{
    scr_shape shape = scr_plane((scr_material){1});
    return add_shape(w, add_body(w, false, at, rotation), &shape);
}

static inline void shuffle_ids(crowd *w, draws *d)
{
    for (int64_t k = w->c.table.count - 1; k > 0; --k) {
        int64_t other = (int64_t)draw(d, 0.0, (double)(k + 1));
        uint64_t id = w->c.id[k];
        w->c.id[k] = w->c.id[other], w->c.id[other] = id;
    }
}

static inline void place(crowd *w, int threads)
{
    scr_error error;
    body_poses poses = {w->x, w->y, w->z, w->qw, w->qx, w->qy, w->qz};
    must(colliders_place(&w->c, &poses, threads, &error), &error);
}

static inline scr_vec3 vector_of(const double *x, const double *y, const double *z, int64_t i)
{
    return vec3(x[i], y[i], z[i]);
}

// How far the farthest point of a collider moves in a step, and how far it looks: far enough for every contact of the
// law in contacts.h, as the stage of the step does it.
static inline void set_motion(crowd *w, double time_step, double envelope, double friction)
{
    for (int64_t k = 0; k < w->c.table.count; ++k) {
        int32_t b = w->c.body[k];
        double v = vec3_norm(vector_of(w->vx, w->vy, w->vz, b)),
               rotation = vec3_norm(vector_of(w->wx, w->wy, w->wz, b));
        scr_vec3 arm = vec3_sub(vec3(w->c.ball[k].x, w->c.ball[k].y, w->c.ball[k].z), vector_of(w->x, w->y, w->z, b));
        if (rotation > 0.0) v += rotation * (vec3_norm(arm) + w->c.radius[k]);
        double near = w->is_moved[k] ? envelope * w->c.radius[k] : 0.0;
        w->closing[k] = (float)(1.0001 * time_step * (1.0 + friction) * v);
        w->reach[k] = (float)(1.0001 * near) + w->closing[k];
        w->travel[k] = (float)(time_step * v);
    }
}

static inline approach crowd_approach(crowd *w, double time_step, double envelope, double friction)
{
    for (int64_t b = 0; b < w->body_count; ++b)
        motion_set_twist(&w->motion[b], (twist){vector_of(w->vx, w->vy, w->vz, b), vector_of(w->wx, w->wy, w->wz, b)});
    return (approach){w->motion,  w->x,      w->y,     w->z,     &w->c.period, w->is_dynamic,
                      w->closing, time_step, envelope, friction, NULL};
}

// The rules of who meets whom, written down once more.
static inline bool pair_counts(const crowd *w, int64_t i, int64_t j)
{
    const colliders *c = &w->c;
    if (c->body[i] == c->body[j] || !(w->is_moved[i] || w->is_moved[j])) return false;
    return (c->group[i] & c->collides_with[j]) != 0 && (c->group[j] & c->collides_with[i]) != 0;
}
static inline int64_t owner_of(const crowd *w, int64_t i, int64_t j)
{
    const colliders *c = &w->c;
    int rank[2];
    for (int s = 0; s < 2; ++s) {
        int64_t k = s == 0 ? i : j;
        rank[s] = c->kind[k] == SCR_PLANE ? 2 : c->place[k] == NO_PLACE ? 0 : 1;  // planes, grains, parts
    }
    if (rank[0] != rank[1]) return rank[0] < rank[1] ? i : j;
    return c->id[i] < c->id[j] ? i : j;
}

// Are the two nearer than reach? What lies within rounding of it may be answered either way: *close_call.
static inline bool are_near(const crowd *w, int64_t i, int64_t j, double reach, bool *close_call)
{
    placed_shape a = collider_placed(&w->c, i), b = collider_placed(&w->c, j);
    contact_point points[MANIFOLD_MAX];
    // Positions are rounded to so much, and distances between them with it.
    double largest = fmax(vec3_norm(a.pose.position), vec3_norm(b.pose.position));
    double rounding = 1e-15 * largest + 1e-12 * fabs(reach);
    *close_call = false;
    // Balls around both that are far apart spare the narrow phase; a plane's is infinite.
    if (vec3_norm(vec3_sub(b.pose.position, a.pose.position)) > 1.0001 * (w->c.radius[i] + w->c.radius[j] + reach))
        return false;
    bool loose = narrow_phase(&a, &b, reach + rounding, points) > 0;
    bool tight = narrow_phase(&a, &b, reach - rounding, points) > 0;
    *close_call = loose != tight;
    return tight;
}

// ---- contacts of two detections, bit by bit ----

static inline void assert_same_geometry(contact_geometry x, contact_geometry y)
{
    assert_true(x.normal.x == y.normal.x && x.normal.y == y.normal.y && x.normal.z == y.normal.z && x.gap == y.gap);
    assert_true(x.point.x == y.point.x && x.point.y == y.point.y && x.point.z == y.point.z);
    assert_true(x.on_centre_line == y.on_centre_line && x.feature == y.feature);
}

static inline void assert_same_contacts(const contacts *x, const contacts *y, const colliders *c)
{
    assert_int_equal(x->count, y->count);
    assert_int_equal(x->kept_count, y->kept_count);
    assert_int_equal(x->general_count, y->general_count);
    assert_true(x->max_penetration == y->max_penetration);
    for (int64_t k = 0; k <= c->table.count && c->table.count > 0; ++k) assert_int_equal(x->start[k], y->start[k]);
    for (int64_t i = 0; i < x->count; ++i) {
        assert_true(x->a[i] == y->a[i] && x->b[i] == y->b[i]);
        assert_int_equal(x->kept[i], y->kept[i]);
        assert_same_geometry(contact_geometry_of(x, c, i), contact_geometry_of(y, c, i));
    }
}

#endif
