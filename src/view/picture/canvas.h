// SPDX-License-Identifier: BSD-3-Clause
// A canvas to write on: a picture under Cairo, in units that keep type and lines at their share of it.
//
// A unit is a thousandth of the picture's height, or of what a 16:10 picture of its width would be high, if that is
// less.
#ifndef VIEW_PICTURE_CANVAS_H
#define VIEW_PICTURE_CANVAS_H

#include <cairo.h>

#include "core/base/status.h"
#include "view/colour/vec3f.h"

typedef struct ink {
    double r, g, b, a;
} ink;
static const ink INK_TEXT = {0.13, 0.16, 0.20, 1.0};
static const ink INK_QUIET = {0.13, 0.16, 0.20, 0.72};
static const ink INK_PANEL = {1.0, 1.0, 1.0, 0.50};
static const ink INK_HALO = {1.0, 1.0, 1.0, 0.72};

#define CANVAS_MARGIN 34.0   // units, along the edges
#define CANVAS_TYPE 22.0     // size of type
#define CANVAS_LINE 1.45     // of the size of type, from one line to the next
#define CANVAS_PADDING 20.0  // inside a panel

typedef struct canvas {
    cairo_t *cairo;
    double width, height;  // in units
} canvas;

double canvas_unit(int width, int height);  // pixels a unit, for a picture of so many pixels

void canvas_use(const canvas *s, ink i);
void canvas_use_linear(const canvas *s, vec3f linear);  // a colour of bodies, as it is developed
void canvas_set_type(const canvas *s, double size, bool bold);
double canvas_text_width(const canvas *s, const char *text);
void canvas_write(const canvas *s, double x, double baseline, const char *text, ink colour);
// Text that stays legible on any ground: with a pale outline behind it.
void canvas_write_with_halo(const canvas *s, double x, double baseline, const char *text, ink colour);
void canvas_rounded_rectangle(const canvas *s, double x, double y, double width, double height, double radius);
void canvas_panel(const canvas *s, double x, double y, double width, double height);

#endif
