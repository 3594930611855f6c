// SPDX-License-Identifier: BSD-3-Clause
// The contact problem of a step, laid out for sweeps: contacts ordered by colour and packed into bundles.
#ifndef DYNAMICS_CONE_SWEEPS_PROBLEM_H
#define DYNAMICS_CONE_SWEEPS_PROBLEM_H

#include "dynamics/cone/sweeps/order.h"
#include "dynamics/cone/sweeps/rolling.h"
#include "dynamics/cone/system/joined.h"

typedef struct problem {
    touched_bodies touched;
    contact_order grains, general;
    grain_bundle *grain;
    old_impulses *grain_old;  // one a bundle of grains; nothing outside accelerated sweeps
    general_bundle *general_bundle;
    bool coheres;
    apex_lanes *grain_apex;  // one a bundle of grains, where bodies cohere
    bool rolls;
    rolling_grain *rolling_grain;  // one a bundle, where rolling is resisted
    rolling_general *rolling_general;
    // bodies that are touched, then one that never moves for each group, then copies of heavy bodies
    wide_record *record;
    wide_record *old;  // of the sweep before; lent while accelerated sweeps run, if old_is_lent
    bool old_is_lent;
    int64_t body_count;  // that are touched
    // Where the bundles lie, and the records. Until a problem is built anybody may use them as scratch: the stages that
    // come before it do, and so does the ordering of its contacts.
    scr_arena bundle_memory, record_memory;
    double mass_ratio;                     // of the lightest to the heaviest body
    double least_compliance;               // as force_error.h counts it
    int32_t grain_copies, general_copies;  // where the copies of either order begin among the records
    sweep_sums *sums;
    int64_t sums_capacity;  // one a group
    double *block_sum;
    int64_t block_sum_capacity;
    joined_bodies joined;           // joined_records.h
    mat3 *joined_momentum_of_spin;  // (its bodies) T of joined_records.h
    scr_arena joined_memory;
} problem;

// Where a part of a problem finds its contacts of grains packed.
typedef struct packed_part {
    const problem *whole;
    const int32_t *lane_of;      // (contacts of the whole) lanes of its bundles, problem_lanes
    const int64_t *contact;      // (contacts) numbers in the whole
    const int32_t *number_of;    // (bodies of the whole) numbers in the part
    const wide_record *outside;  // (bodies) what contacts of the whole that are not in the part have made of v and s
} packed_part;

// Where the contacts of grains lie, bundle after bundle; -1: it is none, or a heavy body is shared out in it.
void problem_lanes(const problem *p, int64_t contact_count, int threads, int32_t *lane_of);
scr_status problem_build(problem *p, const contact_system *system, scr_error *error);
// The same of a part of a problem that is built, from its bundles, with impulses as they are there.
scr_status problem_build_part(problem *p, const contact_system *system, const packed_part *part, scr_error *error);
// Impulses from the bundles into the system's contacts, and the other way.
void problem_collect(const problem *p, const contact_system *system);
void problem_distribute(problem *p, const contact_system *system);
// What turns an impulse's moment into the scaled spin of sweep.h: L^T, or one over the radius of a grain.
mat3 system_body_root(const system_body *body);
body_factors system_body_factors(const system_body *body);  // v_factor, s_factor
// A problem of no contacts.
static inline void problem_clear(problem *p)
{
    p->grains.bundle_count = p->general.bundle_count = 0;
    p->grains.group_count = p->general.group_count = 0;
}
// The record of the body itself, which this is or is a copy of; NO_BODY for what cannot be moved
int32_t problem_own_record(const problem *p, int32_t record);
// J; the sum over contacts of 1/2 g^T R g / share, share(owner, contact) being that of the spring in its compliance
double problem_elastic_energy(const problem *p, const void *owner, double (*share)(const void *owner, int64_t contact));
void problem_free(problem *p);

#endif
