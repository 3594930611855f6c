// SPDX-License-Identifier: BSD-3-Clause
// Contacts of Newton's method side by side, four at a time: what their springs answer a velocity with (response.h), and
// how much of E they give along a step.
#ifndef DYNAMICS_CONE_NEWTON_NEWTON_LANES_H
#define DYNAMICS_CONE_NEWTON_NEWTON_LANES_H

#include "core/base/kernels.h"
#include "core/base/memory.h"
#include "dynamics/cone/system/response.h"

enum { NEWTON_LANES = 4, SLOPE_NUMBERS = 6 };

// Loads, or the velocities that belong to them. q stays 0 where nothing resists rolling.
typedef struct load_lanes {
    double g[3][NEWTON_LANES], q[3][NEWTON_LANES];
} load_lanes;

typedef struct newton_lanes {
    double n[3][NEWTON_LANES];
    double mu[NEWTON_LANES], roll[NEWTON_LANES], spin[NEWTON_LANES], apex[NEWTON_LANES];
    double inverse_n[NEWTON_LANES], inverse_t[NEWTON_LANES], inverse_q[NEWTON_LANES];  // kg; 1/R'
    double kappa_t[NEWTON_LANES], kappa_q[NEWTON_LANES];                               // the metric of the cone
    double lever_a[3][NEWTON_LANES], lever_b[3][NEWTON_LANES], arm[NEWTON_LANES];      // m
    int32_t a[NEWTON_LANES], b[NEWTON_LANES];  // where the bodies' velocities begin: 6 numbers each
    load_lanes r;                              // r'
    load_lanes u, along;                       // at dv, and what it grows by along the step
    load_lanes load;                           // g(u)
    // kg; G at u where nothing resists rolling: xx, xy, xz, yy, yz, zz. All 0: open
    double slope[SLOPE_NUMBERS][NEWTON_LANES];
} newton_lanes;

static inline contact_load load_lanes_at(const load_lanes *l, int k)
{
    return (contact_load){vec3(l->g[0][k], l->g[1][k], l->g[2][k]), vec3(l->q[0][k], l->q[1][k], l->q[2][k])};
}
static inline void load_lanes_put(load_lanes *l, int k, contact_load x)
{
    l->g[0][k] = x.g.x, l->g[1][k] = x.g.y, l->g[2][k] = x.g.z;
    l->q[0][k] = x.q.x, l->q[1][k] = x.q.y, l->q[2][k] = x.q.z;
}

typedef struct newton_kernels {
    // At the velocities v of bodies (6 a body, and 6 of nothing for what cannot be moved): u = D^T v + r', or
    // along = D^T v
    void (*see)(newton_lanes *lanes, int64_t count, bool rolls, const double *v);
    void (*see_along)(newton_lanes *lanes, int64_t count, bool rolls, const double *v);
    void (*respond)(newton_lanes *lanes, int64_t count, bool rolls);  // u -> load
    // u, load -> slope, of contacts where nothing resists rolling
    void (*slopes)(newton_lanes *lanes, int64_t count);
    // momentum (6 a body, and 6 that nobody reads) += D load
    void (*push)(const newton_lanes *lanes, int64_t count, bool rolls, double *momentum);
    // sum of g(u + a along) . along over all contacts: what E's slope has of them, negative
    double (*pull)(const newton_lanes *lanes, int64_t count, bool rolls, double a);
    double (*pull_now)(const newton_lanes *lanes, int64_t count, bool rolls);  // the same for a = 0
} newton_kernels;

KERNELS_TO_AVX512(extern const newton_kernels, newton_kernels);

#endif
