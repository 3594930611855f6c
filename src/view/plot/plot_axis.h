// SPDX-License-Identifier: BSD-3-Clause
// Axes of a plot: what they span, and where their ticks are. A logarithmic axis measures log10 of values.
#ifndef VIEW_PLOT_PLOT_AXIS_H
#define VIEW_PLOT_PLOT_AXIS_H

#include <stdbool.h>

typedef struct plot_axis {
    bool is_log;
    double low, high;  // measures
} plot_axis;

typedef struct plot_tick {
    double at;        // measure
    char text[32];    // "" where only a mark is
    char raised[16];  // an exponent behind the text
} plot_tick;

enum { PLOT_TICKS_MAX = 200 };
typedef struct plot_ticks {
    plot_tick tick[PLOT_TICKS_MAX];
    int count;
    int power;  // of ten, by which all texts are to be multiplied; 0 on a logarithmic axis
} plot_ticks;

plot_axis plot_axis_empty(bool is_log);
bool plot_axis_shows(const plot_axis *axis, double value);  // is it a number that has a place?
double plot_axis_measure(const plot_axis *axis, double value);
void plot_axis_widen(plot_axis *axis, double value);  // which it shows
// Once all values are in: the ends. Across, just what there is; up, with room, from zero or over whole decades.
void plot_axis_settle_across(plot_axis *axis);
void plot_axis_settle_up(plot_axis *axis);
// For an axis so long, whose labels take up so much each (points).
plot_ticks plot_axis_ticks(const plot_axis *axis, double length, double label);

#endif
