// SPDX-License-Identifier: BSD-3-Clause
// The global problem of FCLIB, the library of frictional contact problems (frictionalcontactlibrary.github.io), and
// what it has to do with ours.
//
//   M v = H r + f,    u = H^T v + w,    u + mu |u_t| e_n  in the dual of the cone, orthogonal to r in the cone
//
// Unknowns v are the bodies' velocities and spins (6 each, world axes); r and u have three components a contact, the
// normal one first. FCLIB knows no compliance. Ours is written as what it is: a further mass 1/(eps a) a component of a
// contact, at rest and pushed by that component alone, moves by eps a r, so that H^T M^-1 H is our N + R. A cohesive
// contact that can pull with c has r = g + c n, and -H c in f. The convex form of friction is the problem without the
// term mu |u_t|.
#ifndef IO_PROBLEM_FCLIB_H
#define IO_PROBLEM_FCLIB_H

#include "laboratory/saved_system.h"

typedef struct sparse_matrix {
    int32_t rows, columns, entries;
    int32_t *start;  // (columns + 1) where a column begins
    int32_t *row;    // (entries)
    double *value;   // (entries)
} sparse_matrix;

typedef struct fcl_problem {
    sparse_matrix M, H;
    double *f;   // (M.rows)
    double *w;   // (H.columns)
    double *mu;  // (H.columns / 3)
} fcl_problem;

typedef struct fcl_solution {
    double *v, *u, *r;
} fcl_solution;

void sparse_free(sparse_matrix *m);
void fcl_free(fcl_problem *p);
void fcl_solution_free(fcl_solution *s);

scr_status fcl_from_system(const saved_system *s, fcl_problem *p, scr_error *error);
// The loads g (6 a contact, of which FCLIB knows the impulses) in FCLIB's frames, with the velocities they make.
scr_status fcl_solution_of(const saved_system *s, const fcl_problem *p, const double *g, fcl_solution *solution,
                           scr_error *error);

// Contacts between rigid bodies, if that is what the problem holds. Whatever the numbers are: a system that may be
// checked, or a sentence. All sizes are those of the arrays.
scr_status fcl_to_system(const fcl_problem *p, const char *name, saved_system *s, scr_error *error);

#endif
