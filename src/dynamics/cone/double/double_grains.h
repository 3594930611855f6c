// SPDX-License-Identifier: BSD-3-Clause
// Contacts between grains in double precision, four at a time, each solved exactly while all others stand still: the
// innermost loop of double_sweeps.c.
//
// A body holds what it has received so far: an impulse and its moment. Velocities follow when they are needed, so
// bodies of any mass, light, heavy or fixed, are alike. For a contact with impulse y, with u = (N + R) y + r and block
// B of N + R,
//     convex    z minimises 1/2 (z - y)^T B (z - y) + u . (z - y) over the cone |z_t| <= mu z_n
//     Coulomb   v = u + B (z - y):  0 <= v_n, z_n >= 0, one of them 0;  z_t opposes v_t with |z_t| = mu z_n, or v_t = 0
// Where bodies cohere, z_n + apex stands for z_n in both. Between grains B is diag(b_n, b_t, b_t): convex, one
// projection in its metric; Coulomb, the normal first, then the disc.
//
// Where rolling is resisted, a contact has the second unknown q of rolling.h, and its block couples q to the tangent. A
// few projected steps in the diagonal majorant of rolling.h then stand for the solution: their fixed point is the same.
// Between equal spheres nothing is coupled and the first one is exact; on floors, on whatever is large, the sweeps do
// the rest.
//
// A bundle holds four contacts that share no body. Bundles are filled in the order of the contacts, a few at a time, so
// that sweeps go through space as the contacts do.
#ifndef DYNAMICS_CONE_DOUBLE_DOUBLE_GRAINS_H
#define DYNAMICS_CONE_DOUBLE_DOUBLE_GRAINS_H

#include "core/base/kernels.h"
#include "dynamics/cone/system/contact_system.h"

enum { DOUBLE_LANES = 4 };

// One aligned vector each: what was received, and the factor that makes a velocity of it.
typedef struct body_impulse {
    double linear[3], inv_mass;      // N s; 1/kg
    double angular[3], inv_inertia;  // N m s; 1/(kg m^2), of a grain
} body_impulse;
_Static_assert(sizeof(body_impulse) == 64, "two vectors of four");

static inline scr_vec3 body_linear_impulse(const body_impulse *body)
{
    return vec3(body->linear[0], body->linear[1], body->linear[2]);
}
static inline scr_vec3 body_angular_impulse(const body_impulse *body)
{
    return vec3(body->angular[0], body->angular[1], body->angular[2]);
}
// The change of velocity that it makes.
static inline twist impulse_twist(const body_impulse *body, double inv_mass, const mat3 *inv_inertia)
{
    return (twist){vec3_scale(inv_mass, body_linear_impulse(body)),
                   mat3_times(inv_inertia, body_angular_impulse(body))};
}
static inline void body_receive(body_impulse *body, scr_vec3 linear, scr_vec3 angular)
{
    body->linear[0] += linear.x, body->linear[1] += linear.y, body->linear[2] += linear.z;
    body->angular[0] += angular.x, body->angular[1] += angular.y, body->angular[2] += angular.z;
}

typedef struct double_bundle {
    int32_t a[DOUBLE_LANES], b[DOUBLE_LANES];  // bodies; what cannot be moved has an entry of its own with zero factors
    // old: of the sweep before
    double n[3][DOUBLE_LANES], r[3][DOUBLE_LANES], g[3][DOUBLE_LANES], old[3][DOUBLE_LANES];
    // apex: N s, how much it can pull
    double mu[DOUBLE_LANES], apex[DOUBLE_LANES];
    double b_n[DOUBLE_LANES], b_t[DOUBLE_LANES], step_n[DOUBLE_LANES], step_t[DOUBLE_LANES];  // 1/kg, and kg: inverses
    double compliance_n[DOUBLE_LANES], compliance_t[DOUBLE_LANES];                            // 1/kg, of R
    double arm_a[DOUBLE_LANES], arm_b[DOUBLE_LANES];                                          // m, along n
    int32_t contact[DOUBLE_LANES];                                                            // -1: a lane without one
} double_bundle;

// Rolling of the contacts of a bundle, lane by lane. Letters are those of rolling.h.
typedef struct double_rolling {
    double q[3][DOUBLE_LANES], old[3][DOUBLE_LANES], w[3][DOUBLE_LANES];        // N s; m/s without contacts
    double arm[DOUBLE_LANES];                                                   // m
    double roll[DOUBLE_LANES], spin[DOUBLE_LANES];                              // limits of q, as in friction_cone
    double b_q[DOUBLE_LANES], cross[DOUBLE_LANES], compliance_q[DOUBLE_LANES];  // 1/kg; compliance_q: of R
    double step_t[DOUBLE_LANES], step_q[DOUBLE_LANES];                          // kg; inverses of the majorant
} double_rolling;

typedef struct double_sums {
    double energy;        // J: sum of r . z + 1/2 z R z
    double change, size;  // J: sum of (z - y) B (z - y), of z B z; blocks that couple count with the diagonal of B
} double_sums;

typedef struct double_mode {
    double beta;   // start from y = g + beta (g - old)
    double omega;  // relaxation of a step
    bool coulomb;
} double_mode;

// Where contacts go. place (contact count) receives bundle times DOUBLE_LANES plus lane of those on the centre line;
// NULL: only count. Returns the number of bundles.
int64_t double_bundling(const contact_system *system, int32_t *lane_of);
void double_bundle_clear(double_bundle *bundle, int32_t still);
void double_bundle_set(double_bundle *bundle, int lane, const contact_row *row, int32_t still, int32_t contact,
                       scr_vec3 g);
void double_rolling_clear(double_rolling *rolling);
// After double_bundle_set of the lane.
void double_rolling_set(double_rolling *rolling, const double_bundle *bundle, int lane, const contact_row *row,
                        const system_body *mass, scr_vec3 q);
// Add to the bodies what the impulses of a lane bring them; and what its moments do.
void double_lane_push(const double_bundle *c, int lane, const double impulse[3][DOUBLE_LANES], body_impulse *body);
void double_lane_twist(const double_bundle *c, const double_rolling *rolling, int lane, const double q[3][DOUBLE_LANES],
                       body_impulse *body);

// double_sweep.c, compiled for several instruction sets. rolling: NULL where nothing resists it.
typedef void (*double_sweep)(double_bundle *bundle, double_rolling *rolling, int64_t count, body_impulse *body,
                             const double_mode *mode, double_sums *sums);
KERNELS(extern const double_sweep, double_sweep_of);

#endif
