// The contact problem of a step, laid out for sweeps: contacts ordered by colour and packed into bundles.
#ifndef DYNAMICS_PROBLEM_H
#define DYNAMICS_PROBLEM_H

#include "core/colouring.h"
#include "core/memory.h"
#include "dynamics/cone/contact_system.h"
#include "dynamics/cone/rolling.h"

// Groups [first, last) hold the contacts of one colour. The overflow comes last, a contact a group, to be solved one by one.
typedef struct colour_span { int64_t first_group, last_group; } colour_span;

typedef struct bundle_group { int64_t first_bundle, last_bundle; } bundle_group;

// Contacts of one kind, coloured and grouped.
typedef struct contact_order {
    int32_t *contact;       // (count) contact numbers, by colour
    int64_t count, capacity;
    int64_t start[COLOUR_COUNT + 2];       // where a colour begins in `contact`
    colour_span colour[COLOUR_COUNT + 1];  // the last one is the overflow
    bundle_group *group;
    int64_t group_count, group_capacity;
    int64_t bundle_count;
} contact_order;

typedef struct problem {
    contact_order grains, parts;
    grain_bundle *grain;   int64_t grain_capacity;
    part_bundle *part;     int64_t part_capacity;
    bool coheres;
    apex_lanes *grain_apex; int64_t grain_apex_capacity;  // one a bundle of grains, where bodies cohere
    bool rolls;
    rolling_grain *rolling_grain; int64_t rolling_grain_capacity;  // one a bundle, where rolling is resisted
    rolling_part *rolling_part;   int64_t rolling_part_capacity;
    wide_record *record;   int64_t record_capacity;   // bodies, then one that never moves for each group
    wide_record *old;      int64_t old_capacity;      // of the sweep before
    int64_t body_count;
    sweep_sums *sums;      int64_t sums_capacity;     // one a group
    double *block_sum;     int64_t block_sum_capacity;
} problem;

scr_status problem_build(problem *p, const contact_system *system, scr_arena *scratch, scr_error *error);
// Impulses from the bundles into the system's contacts, and the other way.
void problem_collect(const problem *p, const contact_system *system);
void problem_distribute(problem *p, const contact_system *system);
// Where the contacts of a group are in the order.
void group_contacts(const contact_order *order, int64_t group, int64_t *first, int64_t *last);
// What turns an impulse's moment into the scaled spin of sweep.h: L^T, or one over the radius of a grain.
mat3 system_body_root(const contact_system *system, int32_t body);
// A problem of no contacts.
static inline void problem_clear(problem *p) { p->grains.bundle_count = p->parts.bundle_count = 0; }
double problem_elastic_energy(const problem *p);  // J; 1/2 g^T R g
void problem_free(problem *p);

#endif
