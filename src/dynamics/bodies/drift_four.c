// SPDX-License-Identifier: BSD-3-Clause
// Compiled once for every instruction set: SCREE_ISA names it.
#include "dynamics/bodies/drift_four.h"

#include "dynamics/bodies/free_lanes.h"

_Static_assert((int)REAL_LANES == (int)DRIFT_FOUR, "four doubles");

// Of four, the numbers first to first + 3 of each
static inline void gather(real v[4], const double *from, int width, int first)
{
    for (int l = 0; l < REAL_LANES; ++l) v[l] = real_load(from + width * l + first);
    real_transpose(v);
}

bool KERNEL(drift_four)(const pose *from, const double *motion, const double *inverse_inertia, double duration,
                        pose *to)
{
    const double *start = (const double *)from;
    double *end = (double *)to;
    const double *i = inverse_inertia;
    real x[4], q[4], v[4], w[4];
    bool is_slow = true;
    gather(x, start, POSE_WIDTH, 0);  // with the first number of the rotation
    gather(q, start, POSE_WIDTH, 3);
    gather(v, motion, 6, 0);
    gather(w, motion, 6, 2);  // with the last number of the velocity
    real3 inertia = {{i[0], i[3], i[6], i[9]}, {i[1], i[4], i[7], i[10]}, {i[2], i[5], i[8], i[11]}};
    real_quat turned =
        turn_freely((real_quat){q[0], q[1], q[2], q[3]}, (real3){w[1], w[2], w[3]}, inertia, duration, &is_slow).q;
    if (!is_slow) return false;
    real3 place = real3_add((real3){x[0], x[1], x[2]}, real3_scale(real_set(duration), (real3){v[0], v[1], v[2]}));
    real first[4] = {place.x, place.y, place.z, turned.w}, last[4] = {turned.w, turned.x, turned.y, turned.z};
    real_transpose(first);
    real_transpose(last);
    for (int l = 0; l < REAL_LANES; ++l) {
        real_store(end + POSE_WIDTH * l, first[l]);
        real_store(end + POSE_WIDTH * l + 3, last[l]);
    }
    return true;
}
