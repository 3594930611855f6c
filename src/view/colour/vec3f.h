// SPDX-License-Identifier: BSD-3-Clause
// Vectors and colours of three floats for pictures, with the compiler's own operators: a + t * b. The fourth lane is
// padding and stays finite.
#ifndef VIEW_COLOUR_VEC3F_H
#define VIEW_COLOUR_VEC3F_H

#include <math.h>

typedef float vec3f __attribute__((vector_size(16)));

static inline vec3f vec3f_of(float x, float y, float z) { return (vec3f){x, y, z, 0.0f}; }
static inline vec3f vec3f_load(const float *v) { return (vec3f){v[0], v[1], v[2], 0.0f}; }
static inline vec3f vec3f_all(float s) { return (vec3f){s, s, s, 0.0f}; }
static inline float vec3f_dot(vec3f a, vec3f b)
{
    vec3f p = a * b;
    return p[0] + p[1] + p[2];
}
static inline vec3f vec3f_cross(vec3f a, vec3f b)
{
    return vec3f_of(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]);
}
static inline float vec3f_norm(vec3f a) { return sqrtf(vec3f_dot(a, a)); }
static inline vec3f vec3f_unit(vec3f a)
{
    float norm = vec3f_norm(a);
    return norm > 0.0f ? a * (1.0f / norm) : vec3f_of(1.0f, 0.0f, 0.0f);
}
static inline vec3f vec3f_mix(vec3f a, vec3f b, float share_of_b) { return a + share_of_b * (b - a); }
// One instruction each, unlike fminf() and fmaxf(), which look for NaN first.
static inline float lesser(float a, float b) { return a < b ? a : b; }
static inline float greater(float a, float b) { return a > b ? a : b; }
static inline vec3f vec3f_min(vec3f a, vec3f b)
{
    return vec3f_of(lesser(a[0], b[0]), lesser(a[1], b[1]), lesser(a[2], b[2]));
}
static inline vec3f vec3f_max(vec3f a, vec3f b)
{
    return vec3f_of(greater(a[0], b[0]), greater(a[1], b[1]), greater(a[2], b[2]));
}
// v rotated by the unit quaternion q = (w, x, y, z): v + 2 w (u x v) + 2 u x (u x v), with u the vector part.
static inline vec3f vec3f_rotate(const float q[4], vec3f v)
{
    vec3f u = vec3f_of(q[1], q[2], q[3]), t = 2.0f * vec3f_cross(u, v);
    return v + q[0] * t + vec3f_cross(u, t);
}
static inline vec3f vec3f_unrotate(const float q[4], vec3f v)
{
    return vec3f_rotate((const float[4]){q[0], -q[1], -q[2], -q[3]}, v);
}
// 0 below `from`, 1 above `to`, smooth between.
static inline float smooth_step(float from, float to, float x)
{
    float t = lesser(greater((x - from) / (to - from), 0.0f), 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

#endif
