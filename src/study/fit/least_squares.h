// SPDX-License-Identifier: BSD-3-Clause
// What the residuals around a least-squares solution say about its parameters.
//
// r (count) are the residuals, each over its standard deviation, of  S(p) = sum r_i(p)^2,  and J_ij = d r_i / d p_j at
// the solution. To first order (Gauss and Newton) residuals that are off by e move the solution by  -G e,  with
//   G = (J^T J)^-1 J^T.
// So errors of standard deviation 1 that know nothing of each other give the parameters the covariance (J^T J)^-1.
#ifndef STUDY_FIT_LEAST_SQUARES_H
#define STUDY_FIT_LEAST_SQUARES_H

#include <stdbool.h>
#include <stdint.h>

// (J^T J)^-1 into inverse (n, n). J: (count, n). False if some parameter, or some combination of them, changes nothing.
bool normal_inverse(const double *jacobian, int64_t count, int n, double *inverse);
// The step -G r.
void gauss_newton_step(const double *jacobian, const double *inverse, const double *residual, int64_t count, int n,
                       double *step);

#endif
