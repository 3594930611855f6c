// SPDX-License-Identifier: BSD-3-Clause
// Compiled once for every instruction set: SCREE_ISA names it.
#include "dynamics/step/loose_drift.h"

#include "dynamics/bodies/free_lanes.h"

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

// Of those that keep their spin any with one moment of inertia.
static inline real3 inertia_of(const bodies *b, int64_t first, uint32_t steady)
{
    real one = real_set(1.0);
    if (steady == ALL_STEADY) return (real3){one, one, one};
    const real_mask is_steady = {-(int64_t)(steady & 1), -(int64_t)(steady >> 1 & 1), -(int64_t)(steady >> 2 & 1),
                                 -(int64_t)(steady >> 3 & 1)};
    return real3_select(is_steady, (real3){one, one, one}, load3(b->inv_ix, b->inv_iy, b->inv_iz, first));
}

bool KERNEL(drift_loose)(bodies *b, const body_poses *from, const new_motion *m, int64_t first, uint32_t steady,
                         double duration)
{
    real3 v = load_vectors(&m->body[first], offsetof(body_motion, v)),
          w = load_vectors(&m->body[first], offsetof(body_motion, w));
    real_quat q = {real_load(from->qw + first), real_load(from->qx + first), real_load(from->qy + first),
                   real_load(from->qz + first)};
    bool is_slow = true;
    real_rotating end = turn_freely(q, w, inertia_of(b, first, steady), duration, &is_slow);
    if (!is_slow) return false;
    real3 x = load3(from->x, from->y, from->z, first);
    store3(b->x, b->y, b->z, first, real3_add(x, real3_scale(real_set(duration), v)));
    store3(b->vx, b->vy, b->vz, first, v);
    store3(b->wx, b->wy, b->wz, first, end.spin);
    real_store(b->qw + first, end.q.w);
    store3(b->qx, b->qy, b->qz, first, (real3){end.q.x, end.q.y, end.q.z});
    return true;
}
