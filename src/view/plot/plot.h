// SPDX-License-Identifier: BSD-3-Clause
// Curves on axes, several panels on a page, as SVG or PNG.
#ifndef VIEW_PLOT_PLOT_H
#define VIEW_PLOT_PLOT_H

#include "core/base/status.h"

typedef enum plot_style {
    PLOT_LINE,
    PLOT_ENDING,  // a line with a dot where it ends
    PLOT_PALE,    // behind another one of the same ink
    PLOT_POINTS,  // a dot for each point, and no line
    PLOT_DOTTED,  // a line with such dots
} plot_style;

typedef struct plot_curve {
    const char *name;     // in the legend; NULL: not there
    const double *x, *y;  // (count) what has no place on an axis is left out and breaks the line
    int64_t count;
    int ink;  // curves of one number look alike; from 0
    plot_style style;
    const double *spread;  // (count) error bars reach so far up and down; NULL: none
} plot_curve;

typedef struct plot_panel {
    const char *x_label, *y_label;  // x_label NULL: the panel below has the same axis, and its numbers
    bool x_is_log, y_is_log;
    const plot_curve *curve;
    int curve_count;
} plot_panel;

// Where the names of curves stand: once above all panels, or beside each one.
typedef enum plot_legend { PLOT_LEGEND_ABOVE, PLOT_LEGEND_BESIDE } plot_legend;

typedef struct plot_page {
    const char *title, *note;  // NULL: none
    const plot_panel *panel;   // from the left to the right, then down; the axis across is one for all in a column
    int panel_count, column_count;
    plot_legend legend;    // above: that of the first panel, for all
    double width, height;  // points
} plot_page;

enum { PLOT_PIXELS_PER_POINT = 2 };  // of a PNG

// The end of the name says which kind of picture: .svg or .png.
scr_status plot_write(const char *path, const plot_page *page, scr_error *error);
// Asked before the work is done: can a plot go to a file of this name?
scr_status plot_check_name(const char *path, scr_error *error);

#endif
