// SPDX-License-Identifier: BSD-3-Clause
// The linear equations of a step of Newton's method: bodies and joints as in kkt.h, contacts as stiffness between
// bodies.
//
// A contact sees a body's velocity as B (v, w), B = [1 -[lever]x; 0 arm 1] (the second row where rolling is resisted),
// and its slope G (response.h) adds B^T G B to the body's own block and -B_b^T G B_a between the two. Contacts of the
// same two bodies share a block, so that the work follows the pairs of bodies, not their contacts.
#ifndef DYNAMICS_CONE_NEWTON_NEWTON_EQUATIONS_H
#define DYNAMICS_CONE_NEWTON_NEWTON_EQUATIONS_H

#include "dynamics/cone/gradient/rows.h"
#include "dynamics/cone/newton/newton_lanes.h"

// What Newton's method keeps from step to step: the factors' memory, and their order while bodies and pairs stay the
// same.
typedef struct newton_memory newton_memory;
scr_status newton_memory_create(newton_memory **memory, scr_error *error);
void newton_memory_destroy(newton_memory *memory);  // NULL is fine

typedef struct newton_equations {
    kkt *kkt;
    kkt_equations e;
    body_coupling *coupling;
    double *stiffness, *coupling_stiffness;
    int32_t *pair_of;  // (contacts) its coupling, -1 where it touches what cannot be moved
    double *work;
    const struct newton_block_kernels *kernels;  // below
} newton_equations;

size_t newton_equations_bytes(const contact_system *system);
scr_status newton_equations_open(newton_equations *q, newton_memory *memory, rows *s, scr_error *error);
void newton_equations_clear(newton_equations *q);  // no contact resists
// S of contacts by their slopes: all of them where nothing resists rolling, else one by one
void newton_equations_add_all(newton_equations *q, const rows *s, const newton_lanes *lanes);
void newton_equations_add_rolling(newton_equations *q, const contact_row *row, int64_t contact,
                                  const contact_slope *slope);
// Of joints, with their impulses so far: momentum += J^T l, rest = -(J v + C l)
void newton_equations_rest(const newton_equations *q, const double *velocity, const double *joint, double *momentum,
                           double *rest);
// momentum (6 a body) becomes velocities, rows (any) the impulses of joints
// is_rough: but for what redundant rows yield, which the next step sees and has to close
void newton_equations_solve(newton_equations *q, bool is_rough, double *momentum, double *joint_rows);
void newton_equations_solve_again(newton_equations *q, double *momentum, double *joint_rows);  // with the same factors

// Compiled for every instruction set; newton_blocks.c
typedef struct newton_block_kernels {
    void (*add)(const newton_equations *q, const contact_row *row, const newton_lanes *lanes, int64_t count);
    void (*rest)(const newton_equations *q, const double *velocity, const double *joint, double *momentum,
                 double *rest);
} newton_block_kernels;
KERNELS_TO_AVX512(extern const newton_block_kernels, newton_block_kernels);

#endif
