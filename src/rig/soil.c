// SPDX-License-Identifier: BSD-3-Clause
// What several tests of one soil say together.
#include "rig/soil.h"

#include <math.h>

#include "core/maths/trig.h"
#include "rig/rig_curve.h"

static const double DEGREES = 57.29577951308232;

soil_strength mohr_coulomb(const double *normal, const double *shear, int count)
{
    rig_line line = line_through(normal, shear, count);
    return (soil_strength){line.offset, DEGREES * scr_atan2(line.slope, 1.0), line.r2};
}

// Means of the logarithms of a curve, and sums of products about them.
typedef struct log_sums {
    double mean_z, mean_p, zz, zp;
} log_sums;

static log_sums sums_of(const sinkage_curve *c)
{
    log_sums s = {0};
    for (int k = 0; k < c->count; ++k)
        s.mean_z += log(c->sinkage[k]) / c->count, s.mean_p += log(c->pressure[k]) / c->count;
    for (int k = 0; k < c->count; ++k) {
        double dz = log(c->sinkage[k]) - s.mean_z;
        s.zz += dz * dz;
        s.zp += dz * (log(c->pressure[k]) - s.mean_p);
    }
    return s;
}

soil_sinkage bekker_of_plates(const sinkage_curve *curve, int count)
{
    double zz = 0.0, zp = 0.0, x[SOIL_TESTS_MAX], k[SOIL_TESTS_MAX];
    for (int i = 0; i < count; ++i) {
        log_sums s = sums_of(&curve[i]);
        zz += s.zz, zp += s.zp;
    }
    double n = zp / zz;
    for (int i = 0; i < count; ++i) {
        log_sums s = sums_of(&curve[i]);
        x[i] = 1.0 / curve[i].width;
        k[i] = exp(s.mean_p - n * s.mean_z);
    }
    rig_line line = line_through(x, k, count);
    return (soil_sinkage){n, line.slope, line.offset, line.r2};
}
