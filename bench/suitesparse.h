// SPDX-License-Identifier: BSD-3-Clause
// SuiteSparse on the equations of dynamics/kkt, as favourably as it can be had: the numbers already stand in its
// matrix, the pattern is analysed, and neither is timed.
//   LDL         CHOLMOD, simplicial, of the whole indefinite matrix. It does not pivot, and an order of its own (AMD)
//               meets rows before their bodies, pivots of 0: it is given the order of dynamics/kkt.
//   supernodal  CHOLMOD's dense kernels, for definite matrices: J M^-1 J^T + C of the rows where nothing but joints
//               acts, M + S where there are no joints
//   LU          UMFPACK, symmetric strategy, of the whole matrix; it pivots; no refinement
// Where rows are redundant all of them are given the softness that dynamics/kkt gives them.
#ifndef BENCH_SUITESPARSE_H
#define BENCH_SUITESPARSE_H

#include "dynamics/kkt/kkt.h"

typedef enum sparse_method { SPARSE_LDL, SPARSE_SUPERNODAL, SPARSE_LU, SPARSE_METHODS } sparse_method;
extern const char *const SPARSE_NAMES[SPARSE_METHODS];

typedef struct solve_times {
    bool is_apt;           // the method applies to these equations
    double factor, solve;  // s, the least of several rounds
    double error;          // of velocities, largest difference over the largest velocity
} solve_times;

// A motion, and the right-hand side that it answers.
typedef struct known_answer {
    double *velocity, *impulse;       // (6 body_count), (row_count)
    double *momentum, *row_velocity;  // p and c of kkt.h
} known_answer;

void known_right_side(const kkt_equations *e, known_answer *known);  // velocity, impulse -> momentum, row_velocity
double velocity_error(const kkt_equations *e, const known_answer *known, const double *velocity);
solve_times sparse_measure(const kkt_equations *e, const known_answer *known, sparse_method method, int rounds);

#endif
