// SPDX-License-Identifier: BSD-3-Clause
// Unit quaternions (w, x, y, z); they rotate body vectors into the world.
#ifndef CORE_MATHS_QUAT_H
#define CORE_MATHS_QUAT_H

#include "core/maths/vec3.h"

static const scr_quat QUAT_IDENTITY = {1.0, 0.0, 0.0, 0.0};

static inline scr_quat quat_mul(scr_quat a, scr_quat b)
{
    return (scr_quat){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
static inline scr_quat quat_conj(scr_quat q) { return (scr_quat){q.w, -q.x, -q.y, -q.z}; }
static inline double quat_norm2(scr_quat q) { return q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z; }
static inline scr_quat quat_unit(scr_quat q)
{
    double s = 1.0 / sqrt(quat_norm2(q));
    return (scr_quat){s * q.w, s * q.x, s * q.y, s * q.z};
}
// v + 2 w (u x v) + 2 u x (u x v), with u the vector part
static inline scr_vec3 quat_rotate(scr_quat q, scr_vec3 v)
{
    scr_vec3 u = vec3(q.x, q.y, q.z), t = vec3_scale(2.0, vec3_cross(u, v));
    return vec3_add(vec3_add_scaled(v, q.w, t), vec3_cross(u, t));
}
static inline scr_vec3 quat_unrotate(scr_quat q, scr_vec3 v) { return quat_rotate(quat_conj(q), v); }
static inline scr_vec3 quat_z(scr_quat q) { return quat_rotate(q, vec3(0.0, 0.0, 1.0)); }  // the rotated z axis

#endif
