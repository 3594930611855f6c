// SPDX-License-Identifier: BSD-3-Clause
// Compiled once for every instruction set: SCREE_ISA names it.
#define LANES_EIGHT
#include "dynamics/step/loose_drift.h"

#include "dynamics/bodies/free_lanes.h"
#include "dynamics/bodies/motion_lanes.h"

enum { PARTS = DRIFT_LANES / REAL_LANES };
_Static_assert((int)PARTS *(int)REAL_LANES == (int)DRIFT_LANES, "eight doubles, or twice four");

static inline void store3(double *x, double *y, double *z, int64_t first, real3 v)
{
    real_store(x + first, v.x), real_store(y + first, v.y), real_store(z + first, v.z);
}

// Of those that keep their spin any with one moment of inertia.
static inline real3 inertia_of(const bodies *b, int64_t first, uint32_t steady)
{
    const uint32_t all = (1u << REAL_LANES) - 1;
    real one = real_set(1.0);
    if ((steady & all) == all) return (real3){one, one, one};
    real_mask is_steady;
    for (int k = 0; k < REAL_LANES; ++k) is_steady[k] = -(int64_t)(steady >> k & 1);
    return real3_select(is_steady, (real3){one, one, one}, load3(b->inv_ix, b->inv_iy, b->inv_iz, first));
}

// Where some bodies come to.
typedef struct loose_end {
    real3 x, v, spin;
    real_quat q;
} loose_end;

static inline loose_end end_of(const bodies *b, const body_poses *from, const new_motion *m, int64_t first,
                               uint32_t steady, double duration, bool *is_slow)
{
    real v[4], w[4];
    load_velocities(v, &m->body[first]);
    load_spins(w, &m->body[first]);
    real_quat q = {real_load(from->qw + first), real_load(from->qx + first), real_load(from->qy + first),
                   real_load(from->qz + first)};
    real_rotating end = turn_freely(q, (real3){w[0], w[1], w[2]}, inertia_of(b, first, steady), duration, is_slow);
    real3 x = load3(from->x, from->y, from->z, first), straight = {v[0], v[1], v[2]};
    return (loose_end){real3_add(x, real3_scale(real_set(duration), straight)), straight, end.spin, end.q};
}

bool KERNEL(drift_loose)(bodies *b, const body_poses *from, const new_motion *m, int64_t first, uint32_t steady,
                         double duration)
{
    loose_end end[PARTS];
    bool is_slow = true;
    for (int k = 0; k < PARTS; ++k)
        end[k] = end_of(b, from, m, first + k * REAL_LANES, steady >> k * REAL_LANES, duration, &is_slow);
    if (!is_slow) return false;
    for (int k = 0; k < PARTS; ++k, first += REAL_LANES) {
        store3(b->x, b->y, b->z, first, end[k].x);
        store3(b->vx, b->vy, b->vz, first, end[k].v);
        store3(b->wx, b->wy, b->wz, first, end[k].spin);
        real_store(b->qw + first, end[k].q.w);
        store3(b->qx, b->qy, b->qz, first, (real3){end[k].q.x, end[k].q.y, end[k].q.z});
    }
    return true;
}
