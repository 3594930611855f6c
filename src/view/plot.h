// Curves on logarithmic axes, several panels on a page, as SVG or PNG.
#ifndef VIEW_PLOT_H
#define VIEW_PLOT_H

#include "core/status.h"

typedef struct plot_curve {
    const char *name;
    const double *x, *y;  // (count) what is not positive, or no number, is left out
    int64_t count;
} plot_curve;

typedef struct plot_panel {
    const char *x_label, *y_label;
    const plot_curve *curve;
    int curve_count;
} plot_panel;

// Panels from the left to the right, two in a row; the legend, shared by all, is that of the first. The end of the name
// says which kind of picture: .svg or .png.
scr_status plot_write(const char *path, const char *title, const plot_panel *panel, int panel_count, scr_error *error);
// Asked before the work is done: can a plot go to a file of this name?
scr_status plot_check_name(const char *path, scr_error *error);

#endif
