// SPDX-License-Identifier: BSD-3-Clause
// Compiled once for every instruction set: SCREE_ISA names it.
#include "dynamics/penalty/law/pack.h"

#include "dynamics/penalty/law/adhesion.h"
#include "dynamics/penalty/law/rolling.h"

void KERNEL(pack_law_of)(const law_options *options, contact_pack *p)
{
    const law_lanes *k = &p->law;
    real h = real_set(options->stretch_time);
    normal_response normal;
    p->force = law_force(normal_law_of(options), k, h, p->overlap, p->n, p->u, p->in_touch, &p->spring, &normal);
    p->torque = (real3){0};
    if (options->rolling) p->torque = rolling_torque(options, k, &normal, p->n, p->w, &p->roll);
    p->in_touch = normal.touch;
    p->energy = normal.energy + tangential_energy(k, &normal, p->spring);
}
