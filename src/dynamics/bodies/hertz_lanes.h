// SPDX-License-Identifier: BSD-3-Clause
// Hertz' law of two round bodies, for the numbers that core/maths/lanes.h was asked for: F = 4/3 E* sqrt(R*) d^(3/2).
// Where both are flat it is a flat punch: F = 2 E* a d, a the radius of a disc as large as the face, nearly.
#ifndef DYNAMICS_BODIES_HERTZ_LANES_H
#define DYNAMICS_BODIES_HERTZ_LANES_H

#include "core/maths/lanes.h"

#define REFERENCE_OVERLAP 1e-3  // of the effective radius: where stiffness is taken for what overlaps less
#define HERTZ_TANGENT 1.5       // dF/dd over F/d
#define FLAT_SHARE (2.0 / 3.0)  // of a shape's bounding radius: that of the disc
#define FLAT_POINTS 4.0         // that share a face

// N/m: F/d at this overlap, or at the reference overlap if that is larger
static inline real hertz_secant(real modulus, real radius, real overlap)
{
    real reference = real_set(4.0 / 3.0 * sqrt(REFERENCE_OVERLAP)) * modulus * radius;
    return reference * real_sqrt(real_max(real_set(1.0), overlap / (real_set(REFERENCE_OVERLAP) * radius)));
}

// N/m, of one of the points of a face; size: the bounding radius of the smaller shape
static inline real flat_punch(real modulus, real size)
{
    return real_set(2.0) * modulus * real_set(FLAT_SHARE) * size / real_set(FLAT_POINTS);
}

#endif
