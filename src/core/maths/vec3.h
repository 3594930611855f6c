// SPDX-License-Identifier: BSD-3-Clause
// Vectors of three doubles.
#ifndef CORE_MATHS_VEC3_H
#define CORE_MATHS_VEC3_H

#include <math.h>

#include "scree/base.h"

static inline scr_vec3 vec3(double x, double y, double z) { return (scr_vec3){x, y, z}; }
static inline scr_vec3 vec3_add(scr_vec3 a, scr_vec3 b) { return vec3(a.x + b.x, a.y + b.y, a.z + b.z); }
static inline scr_vec3 vec3_sub(scr_vec3 a, scr_vec3 b) { return vec3(a.x - b.x, a.y - b.y, a.z - b.z); }
static inline scr_vec3 vec3_neg(scr_vec3 a) { return vec3(-a.x, -a.y, -a.z); }
static inline scr_vec3 vec3_scale(double s, scr_vec3 a) { return vec3(s * a.x, s * a.y, s * a.z); }
// by component
static inline scr_vec3 vec3_mul(scr_vec3 a, scr_vec3 b) { return vec3(a.x * b.x, a.y * b.y, a.z * b.z); }
static inline scr_vec3 vec3_add_scaled(scr_vec3 a, double s, scr_vec3 b) { return vec3_add(a, vec3_scale(s, b)); }
static inline double vec3_dot(scr_vec3 a, scr_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline scr_vec3 vec3_cross(scr_vec3 a, scr_vec3 b)
{
    return vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
static inline double vec3_norm(scr_vec3 a) { return sqrt(vec3_dot(a, a)); }
static inline scr_vec3 vec3_abs(scr_vec3 a) { return vec3(fabs(a.x), fabs(a.y), fabs(a.z)); }
// The unit vector along a, or x if a is zero.
static inline scr_vec3 vec3_unit(scr_vec3 a)
{
    double norm = vec3_norm(a);
    return norm > 0.0 ? vec3_scale(1.0 / norm, a) : vec3(1.0, 0.0, 0.0);
}
static inline bool vec3_is_finite(scr_vec3 a) { return isfinite(a.x) && isfinite(a.y) && isfinite(a.z); }

#endif
