// The global problem of FCLIB, the library of frictional contact problems (frictionalcontactlibrary.github.io), and what
// it has to do with ours.
//
//   M v = H r + f,    u = H^T v + w,    u + mu |u_t| e_n  in the dual of the cone, orthogonal to r in the cone
//
// Unknowns v are the bodies' velocities and spins (6 each, world axes); r and u have three components a contact, the
// normal one first. FCLIB knows no compliance. Ours is written as what it is: a further mass 1/(eps a) a component of a
// contact, at rest and pushed by that component alone, moves by eps a r, so that H^T M^-1 H is our N + R. The convex
// form of friction is the problem without the term mu |u_t|.
#ifndef IO_FCLIB_H
#define IO_FCLIB_H

#include "dynamics/cone/saved_system.h"

typedef struct sparse_matrix {
    int32_t rows, columns, entries;
    int32_t *start;  // (columns + 1) where a column begins
    int32_t *row;    // (entries)
    double *value;   // (entries)
} sparse_matrix;

typedef struct fclib_problem {
    sparse_matrix M, H;
    double *f;   // (M.rows)
    double *w;   // (H.columns)
    double *mu;  // (H.columns / 3)
} fclib_problem;

typedef struct fclib_solution { double *v, *u, *r; } fclib_solution;

void sparse_free(sparse_matrix *m);
void fclib_free(fclib_problem *p);
void fclib_solution_free(fclib_solution *s);

scr_status fclib_from_system(const saved_system *s, fclib_problem *p, scr_error *error);
// The impulses g (3 a contact, world axes) in FCLIB's frames, with the velocities they make.
scr_status fclib_solution_of(const saved_system *s, const fclib_problem *p, const double *g, fclib_solution *solution,
                             scr_error *error);

// Contacts between rigid bodies, if that is what the problem holds. Whatever the numbers are: a system that may be
// checked, or a sentence. All sizes are those of the arrays.
scr_status fclib_to_system(const fclib_problem *p, const char *name, saved_system *s, scr_error *error);

#endif
