// SPDX-License-Identifier: BSD-3-Clause
// The contact problem of a step as its solvers see it: bodies that can be moved, and one row block a contact. A world
// in the middle of a step is one; so is a problem read from a file.
#ifndef DYNAMICS_CONE_SYSTEM_CONTACT_SYSTEM_H
#define DYNAMICS_CONE_SYSTEM_CONTACT_SYSTEM_H

#include "core/base/threads.h"
#include "dynamics/cone/system/contact_row.h"
#include "dynamics/cone/system/grain_bundle.h"
#include "dynamics/joints/joint_system.h"

typedef struct contact_ends {
    int32_t a, b;      // bodies, NO_BODY where it cannot be moved
    bool centre_line;  // as in contact_row
} contact_ends;

typedef struct system_body {
    double inv_mass;   // 1/kg; 0: cannot be moved
    mat3 inv_inertia;  // 1/(kg m^2), world axes
    bool is_grain;     // inv_inertia is a number times 1
    double length;     // m; by which solvers scale its spin: a grain's radius, 1 for any other body
} system_body;

// Rows of contacts on the centre line, lane by lane: what contact_row says of them.
typedef struct row_lanes {
    int32_t a[ROW_LANES], b[ROW_LANES];  // bodies, NO_BODY where it cannot be moved
    double n[3][ROW_LANES], r[3][ROW_LANES];
    double lever_a[ROW_LANES], lever_b[ROW_LANES];    // m, along the normal
    double length_a[ROW_LANES], length_b[ROW_LANES];  // m; as in system_body
    double a_n[ROW_LANES], a_t[ROW_LANES], mu[ROW_LANES];
    double eps[ROW_LANES];  // eps_n, which is eps_t
    // Where rolling is resisted.
    double arm[ROW_LANES], roll[ROW_LANES], spin[ROW_LANES], a_q[ROW_LANES], eps_q[ROW_LANES];
    double r_q[3][ROW_LANES];
} row_lanes;

// Rows that are made in one go: square roots and divisions of one four wait for each other, those of several do not.
enum { ROWS_AT_ONCE = 32 };

contact_row contact_row_of_lane(const row_lanes *rows, int lane, bool rolls);

// In single precision, contacts off the centre line, in the letters of general_bundle (sweeps/sweep.h).
typedef struct general_lanes {
    int32_t a[ROW_LANES], b[ROW_LANES];  // bodies, NO_BODY where it cannot be moved
    float n[3][ROW_LANES], r[3][ROW_LANES];
    float angular_a[9][ROW_LANES], angular_b[9][ROW_LANES];
    float block[6][ROW_LANES];
    float cn[ROW_LANES], ct[ROW_LANES];
    float compliance_n[ROW_LANES], compliance_t[ROW_LANES];
    float kappa[ROW_LANES], mu[ROW_LANES];
    float g[3][ROW_LANES];
} general_lanes;

// What turns impulses on a body into changes of its motion, as solvers scale it (sweeps/sweep.h).
typedef struct body_factors {
    double v, s;  // 1/kg
} body_factors;

typedef struct contact_system {
    const void *owner;
    int64_t body_count, contact_count;
    int64_t general_count;  // of the contacts: those off the centre line
    int threads;
    bool coheres;  // some row may have an apex
    contact_ends (*ends)(const void *owner, int64_t contact);
    // The same of contacts first .. first + count - 1; NULL: they are asked for one by one
    void (*list_ends)(const void *owner, int64_t first, int64_t count, contact_ends *ends);
    // What the ends come from, where contacts are kept as pairs of numbered sides of bodies, as of colliders: those of
    // all contacts, and the bodies of sides first .. first + count - 1, NO_BODY where one cannot be moved. NULL: there
    // are none
    const int32_t *side_a, *side_b;
    int64_t side_count;
    void (*side_bodies)(const void *owner, int64_t first, int64_t count, int32_t *body);
    // Where the first guess of contacts is left to whoever packs them, each once: of one contact, before its row is
    // asked for. NULL: `impulse` has them all
    void (*begin)(const void *owner, int64_t contact);
    contact_row (*row)(const void *owner, int64_t contact);
    // Begins, and rows, of at most ROWS_AT_ONCE contacts, into bundles that follow each other; bits of those it has
    // made. contact: the lanes of the last bundle that are after the last one hold a contact, too. NULL: it makes none.
    // exact: NULL where single precision will do
    uint32_t (*rows)(const void *owner, const int32_t *contact, int count, grain_bundle *bundle, row_lanes *exact);
    // Rows of such contacts, of bodies in such a range, will be asked for soon: whatever they are made from may be
    // fetched. A hint; NULL: nothing is far
    void (*fetch)(const void *owner, index_range contacts, index_range bodies);
    // Likewise, off that line, of at most ROW_LANES
    uint32_t (*general_rows)(const void *owner, const int32_t *contact, int count, general_lanes *rows);
    system_body (*body)(const void *owner, int64_t body);
    // What of so many bodies enters records; NULL: the bodies are asked for
    void (*factors)(const void *owner, const int32_t *body, int64_t count, body_factors *factors);
    // N s, 3 a contact, world axes, acting on b: before the solve a first guess, after it the answer
    float *impulse;
    // Contacts that `impulse` has room for, if sweeps may use it as scratch between packing and the answer; else 0
    int64_t impulse_room;
    // Memory that is nobody's while sweeps run, at least so many bytes of it or NULL; and it goes back, what was in it
    // made anew. NULL: there is none
    void *(*lend)(const void *owner, size_t bytes);
    void (*reclaim)(const void *owner);
    // N m s, 3 a contact, likewise: what contacts turn with; NULL where none resists rolling
    float *angular_impulse;
    const joint_system *joints;  // that the bodies obey besides; NULL: none
    // the answer of solvers in double precision, impulses before angular impulses; NULL: not wanted
    double *precise;
} contact_system;

// Ends of contacts first .. first + count - 1; of all contacts, on all threads.
void contact_system_ends(const contact_system *system, int64_t first, int64_t count, contact_ends *ends);
void contact_system_all_ends(const contact_system *system, contact_ends *ends);
// How many loads the contacts have: an impulse each, and an angular impulse where rolling is resisted.
static inline int64_t contact_load_count(const contact_system *system)
{
    return (system->angular_impulse != NULL ? 2 : 1) * system->contact_count;
}

// The diagonal block of N that belongs to a contact, 1/kg, world axes; and what one body adds to it, nothing for
// NO_BODY.
mat3 contact_side_block(const contact_system *system, int32_t body, scr_vec3 lever);
mat3 system_body_block(const system_body *body, scr_vec3 lever);
mat3 contact_row_block(const contact_system *system, const contact_row *row);

#endif
