// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/bodies/damping.h"

#include <math.h>
#include <stdbool.h>

#include "core/maths/trig.h"

static const double LEAST_RESTITUTION = 0.05;
static const double PI = 3.14159265358979323846;
enum { BISECTIONS = 60 };

static double under_damped(double p, double *beta)
{
    double cosine;
    scr_sincos(p, beta, &cosine);
    return *beta / cosine * (PI - 2.0 * p);
}

static double over_damped(double q, double *beta)
{
    double grown = scr_exp(q), shrunk = scr_exp(-q);
    *beta = 0.5 * (grown + shrunk);
    return 2.0 * q * (grown + shrunk) / (grown - shrunk);
}

double damping_ratio(double restitution)
{
    double loss = -scr_log(fmax(restitution, LEAST_RESTITUTION)), beta = 0.0;
    bool over = loss > 2.0;  // at beta = 1
    double low = 0.0, high = over ? 3.0 : 0.5 * PI;
    if (restitution >= 1.0) return 0.0;
    for (int k = 0; k < BISECTIONS; ++k) {
        double middle = 0.5 * (low + high);
        if ((over ? over_damped(middle, &beta) : under_damped(middle, &beta)) < loss) low = middle;
        else high = middle;
    }
    return beta;
}
