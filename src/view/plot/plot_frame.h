// SPDX-License-Identifier: BSD-3-Clause
// A panel's axes on the page: what they span, their frame, grid, numbers and labels.
#ifndef VIEW_PLOT_PLOT_FRAME_H
#define VIEW_PLOT_PLOT_FRAME_H

#include <cairo.h>

#include "view/plot/plot.h"
#include "view/plot/plot_axis.h"
#include "view/plot/plot_path.h"

typedef struct plot_frame {
    double x, y, width, height;  // points
    plot_axis across, up;
} plot_frame;

// The axes of a panel: up its own, across that of its column.
void plot_frame_set_axes(plot_frame *f, const plot_page *page, int index);
bool plot_frame_shows(const plot_frame *f, const plot_curve *curve, int64_t k);        // has its point k a place?
plot_point plot_frame_point(const plot_frame *f, const plot_curve *curve, int64_t k);  // that it shows
double plot_frame_numbers_width(cairo_t *c, const plot_frame *f);                      // of the axis up
double plot_frame_height_below(const plot_panel *panel);                               // of numbers and label
// left: from the y label's edge to the frame.
void plot_frame_draw(cairo_t *c, const plot_frame *f, const plot_panel *panel, double left);

#endif
