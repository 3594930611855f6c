// SPDX-License-Identifier: BSD-3-Clause
// What a rig measured: the means of its columns over equal parts, bins, of the measurement. Grains give forces that
// jump from step to step; means over a bin are what strength and fits are read off, so that they do not depend on how
// often rows are written.
//
// Scatter of a mean over bins: neighbouring bins are alike, so bins are taken together in a few batches, which are not:
//   error^2 = sum (b_k - b)^2 / (n (n - 1))   over the means b_k of n batches
#ifndef RIG_RIG_CURVE_H
#define RIG_RIG_CURVE_H

#include "rig/rig_kinds.h"

enum { RIG_BINS = 50, RIG_BATCHES = 10 };

typedef struct rig_curve {
    const double *steps;  // (RIG_BINS) so many in each bin
    const double *sum;    // (RIG_BINS x RIG_COLUMNS_MAX) of each column over them
} rig_curve;

double curve_bin(const rig_curve *c, int bin, int column);  // mean of a bin, which is not empty
bool curve_has(const rig_curve *c, int bin);
int curve_filled(const rig_curve *c);  // how many bins are not empty, from the first on

typedef struct rig_mean {
    double value, error;  // the error is that of the mean; not a number if there are too few bins
} rig_mean;
// Over the bins from `first` on.
rig_mean curve_mean(const rig_curve *c, int column, int first);

// The straight line y = slope x + offset that fits best, and how well: 1 for a line, 0 for a cloud.
typedef struct rig_line {
    double slope, offset, r2;
    int count;
} rig_line;
rig_line line_through(const double *x, const double *y, int count);

#endif
