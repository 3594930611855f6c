// SPDX-License-Identifier: BSD-3-Clause
// Poses, and the motion of points that follows from that of a body.
//
// A pose is where a frame is in another: it takes points of the frame to the other one. Directions are rotated by its
// rotation alone (quat_rotate, quat_unrotate).
#ifndef CORE_MATHS_POSE_H
#define CORE_MATHS_POSE_H

#include "core/maths/quat.h"

typedef scr_pose pose;
static const pose POSE_IDENTITY = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}};
enum { POSE_WIDTH = 7 };  // numbers of a pose in a table: position, then rotation w, x, y, z

static inline scr_vec3 pose_apply(pose p, scr_vec3 local)
{
    return vec3_add(p.position, quat_rotate(p.rotation, local));
}
static inline scr_vec3 pose_unapply(pose p, scr_vec3 point)
{
    return quat_unrotate(p.rotation, vec3_sub(point, p.position));
}
// `inner` is given in the frame of `outer`: where it is where outer's pose is given.
static inline pose pose_compose(pose outer, pose inner)
{
    return (pose){pose_apply(outer, inner.position), quat_mul(outer.rotation, inner.rotation)};
}
static inline pose pose_inverse(pose p)
{
    return (pose){vec3_neg(quat_unrotate(p.rotation, p.position)), quat_conj(p.rotation)};
}
// p as the frame of `from` sees it: the inverse of `from`, then p, in one.
static inline pose pose_relative(pose from, pose p)
{
    return (pose){pose_unapply(from, p.position), quat_mul(quat_conj(from.rotation), p.rotation)};
}
static inline pose pose_load(const double *from)
{
    return (pose){{from[0], from[1], from[2]}, {from[3], from[4], from[5], from[6]}};
}
static inline void pose_store(double *to, pose p)
{
    to[0] = p.position.x, to[1] = p.position.y, to[2] = p.position.z;
    to[3] = p.rotation.w, to[4] = p.rotation.x, to[5] = p.rotation.y, to[6] = p.rotation.z;
}

typedef struct twist {
    scr_vec3 v, w;  // m/s, rad/s: of a body's centre, and its spin, or a change of both
} twist;

// A body's twist in an array of them, and what resists a change of it: a cache line, which lanes load as two vectors.
typedef struct body_motion {
    double v[3], inv_mass;     // m/s, 1/kg
    double w[3], inv_inertia;  // rad/s, world axes; 1/(kg m^2), of a grain
} body_motion;

static inline twist motion_twist(const body_motion *m)
{
    return (twist){{m->v[0], m->v[1], m->v[2]}, {m->w[0], m->w[1], m->w[2]}};
}
static inline void motion_set_twist(body_motion *m, twist t)
{
    m->v[0] = t.v.x, m->v[1] = t.v.y, m->v[2] = t.v.z;
    m->w[0] = t.w.x, m->w[1] = t.w.y, m->w[2] = t.w.z;
}
static inline void motion_add_twist(body_motion *m, scr_vec3 v, scr_vec3 w)
{
    m->v[0] += v.x, m->v[1] += v.y, m->v[2] += v.z;
    m->w[0] += w.x, m->w[1] += w.y, m->w[2] += w.z;
}

// v + w x r: the velocity of a point of the body that is r from its centre.
static inline scr_vec3 point_velocity(twist t, scr_vec3 r) { return vec3_add(t.v, vec3_cross(t.w, r)); }

#endif
