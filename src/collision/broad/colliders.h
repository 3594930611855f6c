// SPDX-License-Identifier: BSD-3-Clause
// Colliders: the shapes of all bodies as the collision stages see them, in the order of their bodies.
//
// A grain is one sphere at its body's centre and needs no more than a radius. Any other shape has an entry in `places`
// with its pose in the body, its sizes and its surface. Where a collider is now is derived at the start of every step.
#ifndef COLLISION_BROAD_COLLIDERS_H
#define COLLISION_BROAD_COLLIDERS_H

#include "core/arrays/table.h"
#include "core/maths/period.h"
#include "geometry/shape/placed_shape.h"
#include "geometry/surface/sphere_tree.h"
#include "geometry/surface/surfaces.h"
#include "scree/detect.h"

enum { NO_PLACE = -1 };

typedef scr_ball ball;  // m; centre and bounding radius in the world

typedef struct collider_frames {
    table table;
    double *position;  // m, 3 each, in the body
    double *rotation;  // 4 each, in the body
    double *half;      // m, 3 each: as scr_shape; capsules, cylinders, cones: radius, radius, half the axis
    int32_t *surface;  // entry in the world's surfaces, or -1
} collider_frames;

typedef struct colliders {
    table table;
    // State, written when bodies are added, removed or re-sorted
    int32_t *body;            // entry in the body table
    uint8_t *kind;            // scr_shape_kind
    uint16_t *material;       // index from 0
    uint32_t *group;          // bits
    uint32_t *collides_with;  // bits
    double *radius;           // m; bounding radius, infinite for a plane
    int32_t *place;           // entry in places, or NO_PLACE: a sphere at the body's centre
    uint64_t *id;             // 1, 2, 3, ... in the order of creation: survives re-sorting
    uint64_t next_id;         // scalar
    collider_frames places;
    const surfaces *surfaces;  // the world's
    periodic_cell period;      // of the space they are in
    // Derived at the start of every step by colliders_place
    ball *ball;
    scr_quat *rotation;  // (place count) in the world
    int64_t ball_capacity, rotation_capacity;
} colliders;

// The poses of bodies that colliders_place reads.
typedef struct body_poses {
    const double *x, *y, *z, *qw, *qx, *qy, *qz;
} body_poses;

static inline pose body_poses_at(const body_poses *b, int64_t i)
{
    return (pose){{b->x[i], b->y[i], b->z[i]}, {b->qw[i], b->qx[i], b->qy[i], b->qz[i]}};
}
// Of entry p of the places: in the body.
static inline pose collider_frame_pose(const colliders *c, int64_t p)
{
    const double *at = c->places.position + 3 * p, *q = c->places.rotation + 4 * p;
    return (pose){{at[0], at[1], at[2]}, {q[0], q[1], q[2], q[3]}};
}

void colliders_init(colliders *c);
void colliders_free(colliders *c);
scr_status colliders_place(colliders *c, const body_poses *bodies, int threads, scr_error *error);
// The first so many of them; the others stay where they are.
scr_status colliders_place_first(colliders *c, const body_poses *bodies, int64_t count, int threads, scr_error *error);
placed_shape collider_placed(const colliders *c, int64_t i);
// m: of the smallest and the largest sphere of a set; of other colliders the bounding radius. What touches is as large
// as that.
static inline const sphere_tree *collider_spheres(const colliders *c, int64_t i)
{
    return c->surfaces->item[c->places.surface[c->place[i]]].spheres;
}
static inline double collider_least_size(const colliders *c, int64_t i)
{
    return c->kind[i] != SCR_SPHERE_SET ? c->radius[i] : collider_spheres(c, i)->least;
}
static inline double collider_largest_size(const colliders *c, int64_t i)
{
    return c->kind[i] != SCR_SPHERE_SET ? c->radius[i] : collider_spheres(c, i)->largest;
}
// May anything inside ball b be nearer to collider i, which is no plane, than reach? Its bounding ball is known to be;
// a shape that does not fill that ball is looked at more closely.
bool collider_may_reach(const colliders *c, int64_t i, const ball *b, double reach);
// Ellipsoids and capsules: how far they reach along a direction says much.
static inline bool collider_is_oval(const colliders *c, int64_t i)
{
    return c->kind[i] == SCR_ELLIPSOID || c->kind[i] == SCR_CAPSULE;
}
// May two of them be nearer to each other than reach? Not if they are that far apart along their centre line.
bool ovals_may_touch(const colliders *c, int64_t i, int64_t j, double reach);

// Of collider j the image that is nearest to collider i; planes have no images.
static inline ball collider_nearest(const colliders *c, int64_t i, int64_t j)
{
    ball b = c->ball[j];
    if (!c->period.any || c->kind[i] == SCR_PLANE || c->kind[j] == SCR_PLANE) return b;
    const ball *a = &c->ball[i];
    scr_vec3 at = period_nearest(&c->period, vec3(a->x, a->y, a->z), vec3(b.x, b.y, b.z));
    return (ball){at.x, at.y, at.z, b.r};
}
placed_shape collider_placed_near(const colliders *c, int64_t i, int64_t j);  // as a shape

// May i and j touch at all: not of one body, and each accepts the other's groups. Whether one of them can move is up
// to the caller.
static inline bool colliders_may_touch(const colliders *c, int64_t i, int64_t j)
{
    return c->body[i] != c->body[j] && (c->group[i] & c->collides_with[j]) && (c->group[j] & c->collides_with[i]);
}

static inline bool colliders_have_sets(const colliders *c)
{
    return c->surfaces != NULL && c->surfaces->spheres.table.count > 0;
}

// A grain is one sphere at its body's centre, a general collider any other shape but a plane.
static inline bool collider_is_grain(const colliders *c, int64_t i) { return c->place[i] == NO_PLACE; }
static inline int collider_rank(const colliders *c, int64_t i)
{
    return collider_is_grain(c, i) ? 0 : c->kind[i] == SCR_PLANE ? 2 : 1;
}
// Who of a pair owns it, so that it is listed once and its normal keeps its sense: grains before general colliders
// before planes, among equals the one that was made first.
static inline bool collider_owns(const colliders *c, int64_t i, int64_t j)
{
    int rank_i = collider_rank(c, i), rank_j = collider_rank(c, j);
    return rank_i != rank_j ? rank_i < rank_j : c->id[i] < c->id[j];
}

#endif
