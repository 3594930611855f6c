// SPDX-License-Identifier: BSD-3-Clause
// What several tests of one soil say together.
//
//   strength   Mohr and Coulomb: shear = c + normal tan(phi), the straight line through tests under several loads
//   sinkage    Bekker: p = (k_c / b + k_phi) z^n of plates whose smaller sides are b. One exponent for all: the lines
//              log p = log k_i + n log z have the same slope, by least squares; then k_i over 1 / b_i is a line
#ifndef RIG_SOIL_H
#define RIG_SOIL_H

typedef struct soil_strength {
    double cohesion;        // Pa
    double friction_angle;  // degrees
    double r2;              // of the line
} soil_strength;
// Not numbers if all loads are the same.
soil_strength mohr_coulomb(const double *normal, const double *shear, int count);

typedef struct sinkage_curve {
    double width;                      // m: b
    const double *sinkage, *pressure;  // m, Pa: (count), all above 0
    int count;
} sinkage_curve;
typedef struct soil_sinkage {
    double n, k_c, k_phi;  // 1, N/m^(n+1), N/m^(n+2)
    double r2;             // of k over 1 / b
} soil_sinkage;
// At most SOIL_TESTS_MAX curves; not numbers if all plates are as wide.
enum { SOIL_TESTS_MAX = 256 };
soil_sinkage bekker_of_plates(const sinkage_curve *curve, int count);

#endif
