// SPDX-License-Identifier: BSD-3-Clause
// Compiled once for every instruction set: SCREE_ISA names it.
#define LANES_EIGHT
#include "dynamics/detection/grain_motion.h"

#include "dynamics/bodies/motion_lanes.h"

static inline bool are_grains_in_a_row(const int32_t *place, const int32_t *body)
{
    int32_t all = NO_PLACE, astray = 0;
    for (int k = 0; k < REAL_LANES; ++k) {
        all &= place[k];
        astray |= body[k] ^ (body[0] + k);
    }
    return all == NO_PLACE && astray == 0;
}
_Static_assert(NO_PLACE == -1, "all bits are set");

int64_t KERNEL(measure_grains)(grain_measure *m, int64_t first, int64_t last)
{
    const colliders *c = m->c;
    const real look = real_set(1.0001), none = real_set(0.0);
    const real3 drift = {real_set(m->drift.x), real_set(m->drift.y), real_set(m->drift.z)};
    narrow fastest = m->fastest - (narrow){0};
    real smallest = real_set(m->smallest);
    for (; first + REAL_LANES <= last; first += REAL_LANES) {
        if (!are_grains_in_a_row(c->place + first, c->body + first)) break;
        int64_t body = c->body[first];
        real v[4], w[4], radius = real_load(c->radius + first);
        load_velocities(v, m->motion + body);
        load_spins(w, m->motion + body);
        real3 beside = real3_sub((real3){v[0], v[1], v[2]}, drift), spin = {w[0], w[1], w[2]};
        real speed = real_sqrt(real3_dot(beside, beside)) + real_sqrt(real3_dot(spin, spin)) * radius;
        real_mask is_moved = real_load(m->inv_mass + body) > none;
        real known = m->deflection != NULL ? real_of(narrow_load(m->deflection + first)) : none;
        real envelope = real_where(is_moved, real_set(m->envelope) * radius);
        narrow closing = narrow_of(look * (real_set(m->grow) * speed + known));
        narrow travel = narrow_of(real_set(m->time_step) * speed);
        narrow_store(m->closing + first, closing);
        narrow_store(m->reach + first, narrow_of(look * envelope) + closing);
        narrow_store(m->travel + first, travel);
        uint32_t moved = real_bits(is_moved);
        for (int k = 0; k < REAL_LANES; ++k) m->is_moved[first + k] = moved >> k & 1;
        for (int k = 0; k < REAL_LANES; ++k) fastest[k] = travel[k] > fastest[k] ? travel[k] : fastest[k];
        smallest = real_min(radius, smallest);
    }
    for (int k = 0; k < REAL_LANES; ++k) {
        m->fastest = fastest[k] > m->fastest ? fastest[k] : m->fastest;
        m->smallest = smallest[k] < m->smallest ? smallest[k] : m->smallest;
    }
    return first;
}
