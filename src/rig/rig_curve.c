// SPDX-License-Identifier: BSD-3-Clause
// What a rig measured.
#include "rig/rig_curve.h"

#include <math.h>

bool curve_has(const rig_curve *c, int bin) { return c->steps[bin] > 0.0; }

double curve_bin(const rig_curve *c, int bin, int column)
{
    return c->sum[RIG_COLUMNS_MAX * bin + column] / c->steps[bin];
}

int curve_filled(const rig_curve *c)
{
    int count = 0;
    while (count < RIG_BINS && curve_has(c, count)) ++count;
    return count;
}

static double mean_of_bins(const rig_curve *c, int column, int first, int last)
{
    double sum = 0.0, steps = 0.0;
    for (int k = first; k < last; ++k) {
        sum += c->sum[RIG_COLUMNS_MAX * k + column];
        steps += c->steps[k];
    }
    return sum / steps;
}

rig_mean curve_mean(const rig_curve *c, int column, int first)
{
    int last = curve_filled(c), count = last - first;
    if (count < 1) return (rig_mean){NAN, NAN};
    rig_mean mean = {mean_of_bins(c, column, first, last), NAN};
    int batches = count < RIG_BATCHES ? count : RIG_BATCHES;
    if (batches < 3) return mean;
    double squares = 0.0;
    for (int b = 0; b < batches; ++b) {
        double off = mean_of_bins(c, column, first + b * count / batches, first + (b + 1) * count / batches);
        off -= mean.value;
        squares += off * off;
    }
    mean.error = sqrt(squares / (batches * (batches - 1.0)));
    return mean;
}

rig_line line_through(const double *x, const double *y, int count)
{
    double mx = 0.0, my = 0.0, xx = 0.0, xy = 0.0, yy = 0.0;
    for (int k = 0; k < count; ++k) mx += x[k] / count, my += y[k] / count;
    for (int k = 0; k < count; ++k) {
        double dx = x[k] - mx, dy = y[k] - my;
        xx += dx * dx, xy += dx * dy, yy += dy * dy;
    }
    if (count < 2 || !(xx > 0.0)) return (rig_line){NAN, NAN, NAN, count};
    double slope = xy / xx;
    return (rig_line){slope, my - slope * mx, yy > 0.0 ? xy * xy / (xx * yy) : 1.0, count};
}
