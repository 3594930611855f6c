// SPDX-License-Identifier: BSD-3-Clause
// Text on plots.
#ifndef VIEW_PLOT_PLOT_TEXT_H
#define VIEW_PLOT_PLOT_TEXT_H

#include <cairo.h>

typedef struct plot_ink {
    double r, g, b;
} plot_ink;

#define PLOT_INK_TEXT                                                                                                  \
    {                                                                                                                  \
        0.13, 0.16, 0.20                                                                                               \
    }
static const double PLOT_TYPE = 12.5;  // points, the height of type
enum { PLOT_TEXT_SIZE = 256 };

void plot_use(cairo_t *c, plot_ink ink);
void plot_use_type(cairo_t *c);  // the usual one
double plot_text_width(cairo_t *c, const char *text);
// share: of the text's width, left of x.
void plot_write_text(cairo_t *c, double x, double y, double share, const char *text);
// A number with its exponent raised; raised may be "".
double plot_raised_width(cairo_t *c, const char *text, const char *raised);
void plot_write_raised(cairo_t *c, double x, double y, double share, const char *text, const char *raised);
// As much of a text as fits, with dots in its middle where something is left out. Bytes that are no UTF-8, at which
// Cairo would stop, become question marks.
void plot_fit_text(cairo_t *c, const char *text, double width, char fitted[PLOT_TEXT_SIZE]);

#endif
