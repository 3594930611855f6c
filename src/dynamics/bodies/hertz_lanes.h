// SPDX-License-Identifier: BSD-3-Clause
// Hertz' law of two round bodies, for the numbers that core/maths/lanes.h was asked for: F = 4/3 E* sqrt(R*) d^(3/2).
#ifndef DYNAMICS_BODIES_HERTZ_LANES_H
#define DYNAMICS_BODIES_HERTZ_LANES_H

#include "core/maths/lanes.h"

#define REFERENCE_OVERLAP 1e-3  // of the effective radius: where stiffness is taken for what overlaps less

// N/m: F/d at this overlap, or at the reference overlap if that is larger
static inline real hertz_secant(real modulus, real radius, real overlap)
{
    real reference = real_set(4.0 / 3.0 * sqrt(REFERENCE_OVERLAP)) * modulus * radius;
    return reference * real_sqrt(real_max(real_set(1.0), overlap / (real_set(REFERENCE_OVERLAP) * radius)));
}

#endif
