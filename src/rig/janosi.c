// SPDX-License-Identifier: BSD-3-Clause
// The curve of Janosi and Hanamoto through points.
#include "rig/janosi.h"

#include <math.h>

// K lies between these shares of the largest displacement: a curve that rises at once, or one that is a straight line.
static const double LEAST = 1e-3, LARGEST = 1e2;
static const double GOLDEN = 0.6180339887498949;
enum { SAMPLES = 60, CUTS = 80 };

typedef struct points {
    const double *j, *stress;
    int count;
} points;

static double share_at(const points *p, int k, double modulus) { return -expm1(-p->j[k] / modulus); }

static double best_strength(const points *p, double modulus)
{
    double up = 0.0, down = 0.0;
    for (int k = 0; k < p->count; ++k) {
        double share = share_at(p, k, modulus);
        up += share * p->stress[k];
        down += share * share;
    }
    return up / down;
}

static double squares_of(const points *p, double modulus)
{
    double strength = best_strength(p, modulus), sum = 0.0;
    for (int k = 0; k < p->count; ++k) {
        double off = p->stress[k] - strength * share_at(p, k, modulus);
        sum += off * off;
    }
    return sum;
}

// The least of the squares between two logarithms of K, where they have one least.
static double golden_section(const points *p, double low, double high)
{
    double a = high - GOLDEN * (high - low), b = low + GOLDEN * (high - low);
    double at_a = squares_of(p, exp(a)), at_b = squares_of(p, exp(b));
    for (int cut = 0; cut < CUTS; ++cut) {
        if (at_a < at_b) {
            high = b, b = a, at_b = at_a;
            a = high - GOLDEN * (high - low), at_a = squares_of(p, exp(a));
        } else {
            low = a, a = b, at_a = at_b;
            b = low + GOLDEN * (high - low), at_b = squares_of(p, exp(b));
        }
    }
    return exp(0.5 * (low + high));
}

janosi_curve janosi_through(const double *j, const double *stress, int count)
{
    const points p = {j, stress, count};
    if (count < 3 || !(j[count - 1] > 0.0)) return (janosi_curve){NAN, NAN, NAN};
    double low = log(LEAST * j[count - 1]), step = log(LARGEST / LEAST) / SAMPLES, least = INFINITY;
    int best = 0;
    for (int k = 0; k <= SAMPLES; ++k) {
        double now = squares_of(&p, exp(low + k * step));
        if (now < least) least = now, best = k;
    }
    double modulus = golden_section(&p, low + (best - 1) * step, low + (best + 1) * step), mean = 0.0, scatter = 0.0;
    for (int k = 0; k < count; ++k) mean += stress[k] / count;
    for (int k = 0; k < count; ++k) scatter += (stress[k] - mean) * (stress[k] - mean);
    return (janosi_curve){best_strength(&p, modulus), modulus,
                          scatter > 0.0 ? 1.0 - squares_of(&p, modulus) / scatter : 1.0};
}
