// SPDX-License-Identifier: BSD-3-Clause
// A failed step did not happen: what a step of a bed overwrites, put aside where it might fail.
//
// Springs, and in single precision the records of grains, are written where they were read: two copies of them, in
// turns, would take a step a quarter more of the memory's time. What a step can do to speeds is bounded beforehand:
//     overlaps     d <= d_last + 2 h v               v the largest speed, forces act where grains are midway
//     contacts     |F| <= (1 + mu) (F_el(d) + 2 c_n(d) v + 2 F_c) + pull      with the stiffest pair's coefficients
//     speeds       v' <= v + h (g + (contacts of a grain |F| + pushes) / least mass)
// Only where that exceeds the largest speed allowed, and in the first step, before which neither overlaps nor springs
// are known, is there a copy.
#ifndef DYNAMICS_PENALTY_BED_GRAIN_UNDO_H
#define DYNAMICS_PENALTY_BED_GRAIN_UNDO_H

#include "core/base/memory.h"
#include "dynamics/penalty/bed/grain_pass.h"

typedef struct grain_bed grain_bed;
typedef struct grain_forces grain_forces;

typedef struct grain_undo {
    law_coefficients stiffest;             // no pair or wall has larger ones
    double most_inv_mass, least_inv_mass;  // 1/kg
    int64_t most_contacts;                 // that the lists allow a grain
    double spins;                          // m/s: no surface is faster; not a number if a spin is none
    scr_arena aside;
    int64_t copies;  // made so far, for the report
} grain_undo;

// Grains and materials of a bed are known.
void grain_undo_measure(grain_bed *bed, const materials *m, const scr_contact_def *contact);
// m/s: no grain will be faster after the next step; infinite if that cannot be said.
double grain_speed_bound(const grain_bed *bed, const grain_forces *forces, double time_step);
// Put aside what the next step overwrites; and bring it back.
scr_status grain_undo_keep(grain_bed *bed, scr_error *error);
void grain_undo_restore(grain_bed *bed);

#endif
