// SPDX-License-Identifier: BSD-3-Clause
// Contacts by the pack: what the law reads and writes for as many of them as there are lanes.
#ifndef DYNAMICS_PENALTY_LAW_PACK_H
#define DYNAMICS_PENALTY_LAW_PACK_H

#include "core/base/kernels.h"
#include "dynamics/penalty/law/law.h"

typedef struct contact_pack {
    law_lanes law;
    real overlap;         // m
    real3 n, u, w;        // normal; m/s and rad/s of b less a
    real_mask in_touch;   // in the last step, then in this one
    real3 spring, roll;   // m, rad: the last step's, then this one's
    real3 force, torque;  // N, N m on b: the answer
    real energy;          // J, stored
} contact_pack;

typedef void pack_law(const law_options *options, contact_pack *pack);

KERNELS(pack_law, pack_law_of);

#endif
