// SPDX-License-Identifier: BSD-3-Clause
// How well a sphere set stands for a part, measured without regard to how it was made.
//
//   protrusion  how far a point of the set is outside the part: the largest; and over each point of the surface how far
//               the set goes on along the outward normal: the mean
//   gap         how far a point of the surface is from the set: the largest, the mean
//   volume      outside: of the set beyond the part; missing: of the part between the surface and the set
// Largest ones are those among very many points: a little less than the true ones.
#ifndef FITTING_MEASURE_H
#define FITTING_MEASURE_H

#include "fitting/part.h"
#include "geometry/sphere_set/sphere_set.h"

typedef struct fit_errors {
    double protrusion, mean_protrusion;     // m
    double gap, mean_gap;                   // m
    double volume_outside, volume_missing;  // m^3
} fit_errors;

static inline double fit_largest_error(const fit_errors *e) { return fmax(e->protrusion, e->gap); }

scr_status fit_measure(const part *p, const sphere_set *set, int threads, fit_errors *out, scr_error *error);

#endif
