// SPDX-License-Identifier: BSD-3-Clause
// A contact problem in double precision as vectors and products: what all solvers stand on but the sweeps in single.
//
// A vector holds 3 numbers a contact: an impulse, or a relative velocity, in world axes. Where rolling is resisted, as
// many follow for the moments q of contact_row.h, or the relative spins that belong to them. Operations run on all
// threads; sums are taken over fixed blocks, and a body adds up its contacts in the order of their numbers, so that the
// bits depend on the problem alone.
#ifndef DYNAMICS_CONE_GRADIENT_ROWS_H
#define DYNAMICS_CONE_GRADIENT_ROWS_H

#include "dynamics/cone/sweeps/problem.h"
#include "dynamics/cone/system/solver.h"

typedef struct rows {
    const contact_system *system;
    const solve_setting *setting;
    int64_t n;             // contacts
    int64_t entries;       // of a vector, 3 numbers each: n, or 2 n with moments
    contact_row *row;      // (n)
    system_body *mass;     // (bodies)
    twist *body;           // (bodies) changes of velocity, W D x of the last product, W being M^-1 without joints
    int64_t *first;        // (bodies + 1) where a body's contacts begin in `touching`
    int32_t *touching;     // contact numbers, negative (~number) where the body is a
    double *r;             // the problem's r, a vector
    double *measured;      // a vector for rows_measure
    joined_bodies joined;  // for products
    double *block_sum;
    double mean_diagonal;     // 1/kg, of N
    double least_compliance;  // as force_error.h counts it
    double doubt;             // there: coulomb_doubt, or 1
    int64_t passes;           // products with N so far
    scr_arena arena;          // what is left, for rows_vector and for the bytes more
    scr_error *error;         // for solvers that may fail
    double began, watching;   // s; when the solve began, how long it was interrupted by watching
    int next_report;
} rows;

// Everything of the problem, and room for so many vectors and bytes more, from the scratch arena (its contents are
// lost).
scr_status rows_open(rows *s, const contact_system *system, const solve_setting *setting, int vectors,
                     size_t more_bytes, scr_arena *scratch, scr_error *error);
double *rows_vector(rows *s);
void rows_first_guess(rows *s, double *g);         // the system's impulses, inside their cones
void rows_take_precise(rows *s, double *g);        // the system's impulses in double precision
void rows_answer(const rows *s, const double *g);  // into the system's impulses

void rows_multiply(rows *s, const double *x, double *result);                                        // (N + R) x
void rows_combine(const rows *s, const double *a, double t, const double *b, double *result);        // a + t b
void rows_extrapolate(const rows *s, const double *a, double t, const double *old, double *result);  // a + t (a - old)
void rows_step(const rows *s, const double *y, double t, const double *gradient, double *result);  // P(y - t gradient)
// The same for contact i alone, taken lambda of the way: g + lambda (P(g - t (product + r)) - g)
void rows_relax(const rows *s, int64_t i, double t, double lambda, const double *g, const double *product,
                double *result);
// The same in the metric of B, the diagonal of N + R along each contact's normal and across it: P(y - t B^-1 gradient)
void rows_scaled_step(const rows *s, const double *y, double t, const double *gradient, double *result);
double rows_size2(rows *s, const double *impulses);         // x . B x
double rows_dual_size2(rows *s, const double *velocities);  // x . B^-1 x
void rows_copy(const rows *s, const double *a, double *result);
double rows_dot(rows *s, const double *a, const double *b);
double rows_slope(rows *s, const double *gradient, const double *a, const double *b);  // gradient . (a - b)
double rows_distance2(rows *s, const double *a, const double *b);                      // |a - b|^2
// 1/2 x . product + r . x
double rows_objective(rows *s, const double *x, const double *product);

double rows_residual(rows *s, const double *g, const double *product);  // cone_residual2
// With a d a million times smaller, as papers on apgd have it: in single precision it shows rounding only.
double rows_published_residual(rows *s, const double *g, const double *product);
double rows_force_error(rows *s, const double *g, const double *product);  // force_error.h
// J; the part of the duality gap that contacts first .. last - 1 make
double rows_gap(rows *s, const double *g, const double *product, int64_t first, int64_t last);
// Whether a solver may stop.
bool rows_solved(rows *s, const double *g, const double *product);
solve_accuracy rows_measure(rows *s, const double *g);
double rows_measure_force(rows *s, const double *g);  // the force error alone
// Tell whoever watches; costs nothing if nobody does.
void rows_report(rows *s, int iterations, const double *g);
// sweeps: impulses are in the bundles; needs room for one vector
void rows_report_single(rows *s, int iterations, const problem *p);

// Solvers on rows. Each leaves its answer in *g.
typedef struct rows_solution {
    scr_status status;  // all else counts only if it is SCR_OK
    double *g;
    int iterations;
    double change;
} rows_solution;

enum { APGD_VECTORS = 7, JACOBI_VECTORS = 4, BB_VECTORS = 7, DOUBLE_VECTORS = 1, NEWTON_VECTORS = 2 };
rows_solution solve_by_apgd(rows *s);           // apgd.c
rows_solution solve_by_jacobi(rows *s);         // jacobi.c
rows_solution solve_by_bb(rows *s);             // bb.c
rows_solution solve_by_double_sweeps(rows *s);  // double_sweeps.c
size_t double_sweeps_bytes(const contact_system *system);

#endif
