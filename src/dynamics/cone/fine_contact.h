// One contact in double precision, solved exactly while all others stand still: the innermost loop of fine_sweeps.c.
//
// A body holds what it has received so far: an impulse and its moment. Velocities follow when they are needed, so bodies
// of any mass, light, heavy or fixed, are alike. For a contact with impulse y, with u = (N + R) y + r and block B of N + R,
//     convex    z minimises 1/2 (z - y)^T B (z - y) + u . (z - y) over the cone |z_t| <= mu z_n
//     Coulomb   v = u + B (z - y):  0 <= v_n, z_n >= 0, one of them 0;  z_t opposes v_t with |z_t| = mu z_n, or v_t = 0
// Where bodies cohere, z_n + apex stands for z_n in both. Between grains B is diag(b_n, b_t, b_t): convex, one projection in its metric; Coulomb, the normal first, then the disc.
// For other shapes B is full: projected steps until they end.
#ifndef DYNAMICS_CONE_FINE_CONTACT_H
#define DYNAMICS_CONE_FINE_CONTACT_H

#include "dynamics/cone/contact_system.h"

typedef struct body_impulse { scr_vec3 push, turn; } body_impulse;  // N s, N m s

// Between grains, or a grain and something that cannot be moved.
typedef struct fine_grain {
    int32_t a, b;              // bodies; what cannot be moved has an entry of its own and zero factors
    scr_vec3 n, r, g, old;     // old: of the sweep before
    double mu, b_n, b_t;       // 1/kg
    double apex;               // N s; how much it can pull
    double step_n, step_t;     // kg; their inverses
    double slope, edge;        // of the projection: mu b_t / b_n, 1 / (1 + mu slope)
    double soft_n, soft_t;     // 1/kg, of R
    double mass_a, mass_b;     // 1/kg, inverse
    double arm_a, arm_b;       // m, along n
    double spin_a, spin_b;     // 1/(kg m): arm over moment of inertia
    int64_t contact;
} fine_grain;

// Any other.
typedef struct fine_part {
    int32_t a, b;
    scr_vec3 axis[3];          // n and two tangents
    scr_vec3 lever_a, lever_b, r, g, old;
    mat3 block;                // B in these axes
    double apex;               // N s
    double mu, soft[3], step_n, step_t, step_disc;  // kg: steps that never overshoot, alone and of the tangents alone
    mat3 inertia_a, inertia_b; // 1/(kg m^2), inverse
    double mass_a, mass_b;
    int64_t contact;
} fine_part;

typedef struct fine_sums {
    double energy;        // J: sum of r . z + 1/2 z R z
    double change, size;  // J: sum of (z - y) B (z - y), of z B z; parts count with the diagonal of B
} fine_sums;

// still: the body entry of what cannot be moved
fine_grain fine_grain_of(const contact_row *row, const system_body *mass, int32_t still, int64_t contact, scr_vec3 g);
fine_part fine_part_of(const contact_row *row, const system_body *mass, const mat3 *block, int32_t still, int64_t contact, scr_vec3 g);

void fine_grain_push(const fine_grain *c, scr_vec3 impulse, body_impulse *body);
void fine_part_push(const fine_part *c, scr_vec3 impulse, body_impulse *body);

typedef struct fine_mode {
    double beta;   // start from y = g + beta (g - old)
    double omega;  // relaxation of a step
    bool coulomb;
} fine_mode;

void fine_grains_sweep(fine_grain *c, int64_t count, body_impulse *body, const fine_mode *mode, fine_sums *sums);
void fine_parts_sweep(fine_part *c, int64_t count, body_impulse *body, const fine_mode *mode, fine_sums *sums);

#endif
