// SPDX-License-Identifier: BSD-3-Clause
// Mass, centre and motion of some bodies together. Squares are taken beside the velocity of the first one, which keeps
// the difference to those of the mean well known however fast all are.
#ifndef DYNAMICS_BODIES_MOMENTS_H
#define DYNAMICS_BODIES_MOMENTS_H

#include "core/maths/quads.h"

// The fourth numbers only fill up vectors. Velocities are beside a flow.
typedef struct body_moments {
    double mass;         // kg; 0: there is no body
    double place[4];     // kg m
    double base[4];      // m/s: velocity of the first
    double momentum[4];  // kg m/s, beside that
    double along[4];     // kg m^2/s^2: xx, yy, zz, likewise
    double across[4];    // xy, yz, zx
} body_moments;

// As it is added up, in registers.
typedef struct moment_sums {
    double mass;
    quad place, base, momentum, along, across;
} moment_sums;

static inline void moments_add(moment_sums *s, double mass, quad x, quad velocity)
{
    if (s->mass == 0.0) s->base = velocity;
    const quad c = velocity - s->base, momentum = mass * c, turned = {c[1], c[2], c[0], 0.0};
    s->mass += mass;
    s->place = s->place + mass * x;
    s->momentum = s->momentum + momentum;
    s->along = s->along + momentum * c;
    s->across = s->across + momentum * turned;
}

static inline body_moments moments_of(const moment_sums *s)
{
    body_moments m = {.mass = s->mass};
    quad_store(m.place, s->place);
    quad_store(m.base, s->base);
    quad_store(m.momentum, s->momentum);
    quad_store(m.along, s->along);
    quad_store(m.across, s->across);
    return m;
}

#endif
