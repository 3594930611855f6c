// SPDX-License-Identifier: BSD-3-Clause
// The law of a contact (contact_row.h), for the numbers that core/maths/lanes.h was asked for: one contact, or four.
#ifndef DYNAMICS_CONE_STAGES_CONTACT_LAW_LANES_H
#define DYNAMICS_CONE_STAGES_CONTACT_LAW_LANES_H

#include "core/maths/lanes.h"
#include "dynamics/cone/system/step_law.h"

// m/N: 1/k of a contact whose materials' own spring has the stiffness k. inverse_mass is what a compliance that is
// given relative to masses refers to.
static inline real law_inverse_stiffness(const step_law *law, real stiffness, real_mask has_own, real inverse_mass)
{
    if (law->is_rigid) return real_set(0.0);
    real own = real_set(1.0) / stiffness;
    if (law->compliance <= 0.0) return own;
    return real_select(has_own, own, real_set(law->h * law->h * law->compliance) * inverse_mass);
}

// s: the damping time tau. own2: m*/k; overlap: of the spring, m; speed: |u_n| as the step began
static inline real law_damping_time(const step_law *law, real own2, real ratio, real restitution, real overlap,
                                    real speed)
{
    real zero = real_set(0.0), own = real_set(2.0) * real_min(real_set(1.0), ratio) * real_sqrt(own2);
    if (law->gravity <= 0.0) return own;
    real loaded = real_set(2.0) * real_sqrt(own2 + overlap / real_set(law->gravity));
    real held = real_select(loaded * speed <= overlap, loaded, real_max(own, overlap / speed));
    return real_select((restitution <= zero) & (overlap > zero), held, own);
}

// s of contact_row.h: what a damper leaves of a spring's compliance
static inline real law_spring_share(const step_law *law, real tau)
{
    return real_set(law->h) / (real_set(law->h) + tau);
}

// m/s: what the gap adds to the right-hand side along the normal. eps: the contact's compliance, 0 where it is stiff;
// open: the gap that its spring knows
static inline real law_bias(const step_law *law, real eps, real gap, real open, real share, real_mask pulls)
{
    real zero = real_set(0.0), h = real_set(law->h);
    real spring = real_select((open <= zero) | pulls, share * open, open) / h;
    return real_select(eps > zero, spring, real_max(gap / h, real_set(-law->recovery)));
}

// The normal part of one vector with the tangential part of another.
static inline real3 law_joined(real3 normal, real3 tangent, real3 n)
{
    return real3_add(tangent, real3_scale(real3_dot(real3_sub(normal, tangent), n), n));
}

// m: what is left in this step of overlap that did not come from motion (warm_start.c). kept: what was left in the last
// one; smaller: the smaller radius
static inline real law_allowance(const step_law *law, real gap, real_mask is_new, real smaller, real kept)
{
    real zero = real_set(0.0), overlap = real_max(zero, -gap), undone = real_set(law->h * law->recovery);
    real fresh = real_max(zero, overlap - real_min(real_set(EASY_OVERLAP) * smaller, undone));
    return real_select(is_new, fresh, real_min(real_max(zero, kept - undone), overlap));
}

// What a contact starts a step with, of the impulses of the last two.
typedef struct law_start {
    real3 guess;  // not yet projected onto the cone
    real3 kept;   // what the step keeps as the last one's
} law_start;

static inline law_start law_start_of(const step_law *law, real3 last, real3 before, real3 n)
{
    law_start start = {last, last};
    if (law->has_dampers) {
        start.kept = law_joined(last, before, n);
        before = law_joined(before, last, n);
    }
    if (!law->is_rigid) start.guess = real3_add(last, real3_scale(real_set(law->lead), real3_sub(last, before)));
    return start;
}

#endif
