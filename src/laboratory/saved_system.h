// SPDX-License-Identifier: BSD-3-Clause
// A contact problem that stands on its own: all that solvers read of a system, copied out of a world in the middle of a
// step, or read from a file.
#ifndef LABORATORY_SAVED_SYSTEM_H
#define LABORATORY_SAVED_SYSTEM_H

#include "core/arrays/table.h"
#include "dynamics/cone/system/contact_system.h"
#include "scree/world.h"

enum { SAVED_TITLE_SIZE = 128 };

typedef struct saved_system {
    // Bodies
    table bodies;
    double *inv_mass;     // 1/kg; 0: cannot be moved
    double *inv_inertia;  // 1/(kg m^2), 9 each, row by row, world axes
    double *length;       // m; as in system_body
    uint8_t *is_grain;
    double *free_velocity;  // 6 each: m/s, then rad/s in world axes; what the bodies would have without contacts
    // Contacts: the members of contact_row
    table contacts;
    int32_t *a, *b;
    uint8_t *centre_line;
    double *n, *lever_a, *lever_b, *r;  // 3 each
    double *mu, *eps_n, *eps_t, *apex, *a_n, *a_t, *length_a, *length_b;
    double *arm, *roll, *spin, *a_q, *eps_q;  // arms are 0 for all contacts, or for none
    double *r_q;                              // 3 each
    // Mechanisms, numbered from 0: their bodies, their blocks of rows (kkt.h), and the Jacobians of those, all in the
    // order of the mechanisms and of the blocks
    table joined;
    int32_t *joined_mechanism;
    int32_t *joined_body;  // a body that can be moved
    table blocks;
    int32_t *block_mechanism;
    uint8_t *block_rows, *block_jacobians;  // how many
    uint8_t *block_open;                    // as in row_block
    double *block_compliance;               // 6 each
    table jacobians;
    int32_t *jacobian_joined;  // entry of `joined`, NO_BODY: what cannot be moved
    double *jacobian_rows;     // 36 each: BLOCK_ROWS rows of 6
    // Loads, 6 each, world axes, acting on b: an impulse (N s), then an angular impulse (N m s), which is 0 unless
    // rolling is resisted
    float *guess;    // where a warm start begins
    double *answer;  // the best that is known
    // The whole
    table about;
    double time, time_step;  // s; when the step begins, and how long it is; both 0 if that is not known
    char title[SAVED_TITLE_SIZE];
    uint8_t has_answer;  // or all answers are 0
} saved_system;

void saved_system_init(saved_system *s);
void saved_system_free(saved_system *s);
void saved_system_set_title(saved_system *s, const char *title);  // cut to fit
// Room for so many bodies and contacts; their numbers are undefined, those of the answer 0.
scr_status saved_system_resize(saved_system *s, int64_t body_count, int64_t contact_count, scr_error *error);

// Room for joints; their numbers are undefined. saved_system_resize takes all of them away.
scr_status saved_system_resize_joints(saved_system *s, int64_t joined_count, int64_t block_count,
                                      int64_t jacobian_count, scr_error *error);

// All that the system says; free velocities, which it does not know, are 0.
scr_status saved_system_take(saved_system *s, const contact_system *system, scr_error *error);
// The problem of the world's present step, after its contacts are known and before they are solved.
scr_status saved_system_copy(saved_system *s, const scr_world *world, scr_error *error);

// From now on every step leaves its contact problem, as it was before the solve, in *kept; NULL ends it.
scr_status world_keep_problem(scr_world *world, saved_system *kept, scr_error *error);

// True facts only: whatever a file holds, solvers may rely on what this accepts. name begins the sentence of a failure.
scr_status saved_system_check(const saved_system *s, const char *name, scr_error *error);

contact_row saved_system_row(const saved_system *s, int64_t contact);
system_body saved_system_body(const saved_system *s, int64_t body);
bool saved_system_rolls(const saved_system *s);  // rolling is resisted
// For a solver: impulse and angular impulse (3 a contact each) are its own. Without joints, which saved_joints.h
// brings.
contact_system saved_system_view(const saved_system *s, float *impulse, float *angular_impulse, int threads);

#endif
