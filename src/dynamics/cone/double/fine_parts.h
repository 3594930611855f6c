// A contact off the centre line in double precision. Its block B is full: projected steps, with a majorant of B for the
// convex law, and normal first, then the disc, for Coulomb's, until they end. The problem is that of fine_grains.h.
#ifndef DYNAMICS_CONE_DOUBLE_FINE_PARTS_H
#define DYNAMICS_CONE_DOUBLE_FINE_PARTS_H

#include "dynamics/cone/double/fine_grains.h"

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

// still: the body entry of what cannot be moved
fine_part fine_part_of(const contact_row *row, const system_body *mass, const mat3 *block, int32_t still, int64_t contact, scr_vec3 g);
void fine_part_push(const fine_part *c, scr_vec3 impulse, body_impulse *body);
void fine_parts_sweep(fine_part *c, int64_t count, body_impulse *body, const fine_mode *mode, fine_sums *sums);

#endif
