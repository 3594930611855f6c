// SPDX-License-Identifier: BSD-3-Clause
// The curve of Janosi and Hanamoto for shear stress over shear displacement j:
//   stress = strength (1 - exp(-j / K))        K: the shear modulus of the soil, a length
// by least squares. For a given K the best strength is a quotient of sums; K itself is searched.
#ifndef RIG_JANOSI_H
#define RIG_JANOSI_H

typedef struct janosi_curve {
    double strength;  // Pa
    double modulus;   // K, m
    double r2;        // 1: it goes through all points. All are not a number where there are too few points
} janosi_curve;

// j in m, rising; at least 3 points above 0.
janosi_curve janosi_through(const double *j, const double *stress, int count);

#endif
