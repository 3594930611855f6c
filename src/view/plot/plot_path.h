// SPDX-License-Identifier: BSD-3-Clause
// A line through many points.
//
// Of points that follow one another in one narrow column of the page, the first, the lowest, the highest and the last
// look like all of them: a million points make no larger a file than a few thousand.
#ifndef VIEW_PLOT_PLOT_PATH_H
#define VIEW_PLOT_PLOT_PATH_H

#include <cairo.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct plot_point {
    double x, y;  // on the page
} plot_point;

typedef struct plot_path {
    cairo_t *cairo;
    int64_t point_count;  // since the line began; 0: there is none
    double column;        // the number of the present column, ...
    int64_t in_column;    // ... how many points it has so far,
    plot_point low, high, last;
    int64_t low_at, high_at;  // ... and which of them are these
} plot_path;

plot_path plot_path_begin(cairo_t *cairo);
void plot_path_add(plot_path *path, plot_point point);
void plot_path_end(plot_path *path);  // the line; a next point begins another. A line of one point is a dot

#endif
