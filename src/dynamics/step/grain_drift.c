// SPDX-License-Identifier: BSD-3-Clause
// Compiled once for every instruction set: SCREE_ISA names it.
#include "dynamics/step/grain_drift.h"

#include "dynamics/bodies/drift_lanes.h"

_Static_assert((int)REAL_LANES == (int)DRIFT_LANES, "four doubles");

static inline real3 load3(const double *x, const double *y, const double *z, int64_t first)
{
    return (real3){real_load(x + first), real_load(y + first), real_load(z + first)};
}

static inline void store3(double *x, double *y, double *z, int64_t first, real3 v)
{
    real_store(x + first, v.x), real_store(y + first, v.y), real_store(z + first, v.z);
}

// Vectors of four bodies in a row.
static inline real3 load_vectors(const body_motion *first, size_t offset)
{
    const char *from = (const char *)first + offset;
    real row[REAL_LANES];
    for (int k = 0; k < REAL_LANES; ++k) row[k] = real_load((const double *)(from + (size_t)k * sizeof *first));
    real_transpose(row);
    return (real3){row[0], row[1], row[2]};
}

bool KERNEL(drift_grains)(bodies *b, const body_poses *from, const new_motion *m, int64_t first, double duration)
{
    real3 v = load_vectors(&m->body[first], offsetof(body_motion, v)),
          w = load_vectors(&m->body[first], offsetof(body_motion, w));
    real3 half = real3_scale(real_set(0.5 * duration), w);
    real angle2 = real3_dot(half, half);
    if (real_bits(angle2 < real_set(SERIES_ANGLE2)) != (1u << REAL_LANES) - 1) return false;
    real_quat q = {real_load(from->qw + first), real_load(from->qx + first), real_load(from->qy + first),
                   real_load(from->qz + first)};
    real_quat end = rotation_advanced(q, half, sine_over_angle_series(angle2), cosine_series(angle2));
    real_mask rests = angle2 == real_set(0.0);
    end = (real_quat){real_select(rests, q.w, end.w), real_select(rests, q.x, end.x), real_select(rests, q.y, end.y),
                      real_select(rests, q.z, end.z)};
    real3 x = load3(from->x, from->y, from->z, first);
    store3(b->x, b->y, b->z, first, real3_add(x, real3_scale(real_set(duration), v)));
    store3(b->vx, b->vy, b->vz, first, v);
    store3(b->wx, b->wy, b->wz, first, real_quat_rotate(real_quat_conj(end), w));
    real_store(b->qw + first, end.w);
    store3(b->qx, b->qy, b->qz, first, (real3){end.x, end.y, end.z});
    return true;
}
