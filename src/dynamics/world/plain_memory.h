// SPDX-License-Identifier: BSD-3-Clause
// What contacts are made from, several at a time (cone/stages/plain_contacts.h).
#ifndef DYNAMICS_WORLD_PLAIN_MEMORY_H
#define DYNAMICS_WORLD_PLAIN_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "collision/contacts/contacts.h"
#include "dynamics/bodies/materials.h"
#include "dynamics/cone/system/step_law.h"

// What contacts off the centre line need to know besides. The inverse inertia is factor root^T root, world axes.
typedef struct contact_inertia {
    double at[3], factor;       // m, centre of mass; s_factor of cone/sweeps/sweep.h
    double old_w[3], unused_w;  // rad/s; nothing of a grain, whose spin moves no contact along its normal
    double root[6], unused[2];  // xx xy xz yy yz zz: system_body_root of cone/sweeps/problem.h
} contact_inertia;

// A collider's surface, where that is no grain's, or touches off the centre line.
typedef struct contact_curve {
    double radius, curvature;  // m, 1/m: of the ball around a collider; where it touches
    double thrown;             // m: its radius if hover.c counts how high it is thrown, else infinite
    double unused;
} contact_curve;

// What the kernels read, besides the contacts.
typedef struct plain_view {
    const body_motion *body;         // (body count) new_motion
    const double *old_v[3];          // m/s (body count): as the step began
    const contact_inertia *inertia;  // (body count), where some contact is off the centre line
    const contact_curve *curve;      // (collider count), where some contact is off the centre line
    const colliders *colliders;
    const material_pair *pair;  // (material count squared)
    int64_t material_count;
    const uint8_t *is_new;  // (contact count)
    // where the first guess of plain contacts is still to be made, into these, as they are packed; NULL: it is made
    contacts *unbegun;
    const double *hover;  // m/s (contact count); NULL: all are 0
    step_law law;
} plain_view;

typedef struct plain_memory {
    bool is_open;  // in this step some contacts may be plain, and there are records
    plain_view view;
    contact_inertia *inertia;
    uint8_t *is_plain;   // bits: which contacts of the body may be (plain_contacts.h)
    bool all_are_plain;  // every contact is, on the centre line
    contact_curve *curve;
    int64_t is_plain_capacity, inertia_capacity, curve_capacity;
} plain_memory;

#endif
