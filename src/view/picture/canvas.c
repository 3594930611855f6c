// SPDX-License-Identifier: BSD-3-Clause
// Type, panels and lines, by Cairo.
#include "view/picture/canvas.h"

#include <math.h>

#include "view/colour/palette.h"
#include "view/picture/fonts.h"
#include "view/stage/light.h"

double canvas_unit(int width, int height) { return fmin(height, 0.625 * width) / 1000.0; }

void canvas_use(const canvas *s, ink i) { cairo_set_source_rgba(s->cairo, i.r, i.g, i.b, i.a); }

void canvas_use_linear(const canvas *s, vec3f linear)
{
    vec3f c = light_developed(linear);
    cairo_set_source_rgb(s->cairo, srgb_encoded(c[0]), srgb_encoded(c[1]), srgb_encoded(c[2]));
}

void canvas_set_type(const canvas *s, double size, bool bold) { fonts_use(s->cairo, bold, size); }

double canvas_text_width(const canvas *s, const char *text)
{
    cairo_text_extents_t extents;
    cairo_text_extents(s->cairo, text, &extents);
    return extents.x_advance;
}

void canvas_write(const canvas *s, double x, double baseline, const char *text, ink colour)
{
    cairo_move_to(s->cairo, x, baseline);
    canvas_use(s, colour);
    cairo_show_text(s->cairo, text);
}

void canvas_write_with_halo(const canvas *s, double x, double baseline, const char *text, ink colour)
{
    cairo_move_to(s->cairo, x, baseline);
    cairo_text_path(s->cairo, text);
    canvas_use(s, INK_HALO);
    cairo_set_line_width(s->cairo, 5.0);
    cairo_set_line_join(s->cairo, CAIRO_LINE_JOIN_ROUND);
    cairo_stroke_preserve(s->cairo);
    cairo_fill(s->cairo);  // ink that is not opaque is pale inside, too
    canvas_write(s, x, baseline, text, colour);
}

void canvas_rounded_rectangle(const canvas *s, double x, double y, double width, double height, double radius)
{
    const double quarter = 1.5707963267948966;  // rad
    cairo_new_sub_path(s->cairo);
    cairo_arc(s->cairo, x + width - radius, y + radius, radius, -quarter, 0.0);
    cairo_arc(s->cairo, x + width - radius, y + height - radius, radius, 0.0, quarter);
    cairo_arc(s->cairo, x + radius, y + height - radius, radius, quarter, 2.0 * quarter);
    cairo_arc(s->cairo, x + radius, y + radius, radius, 2.0 * quarter, 3.0 * quarter);
    cairo_close_path(s->cairo);
}

void canvas_panel(const canvas *s, double x, double y, double width, double height)
{
    canvas_rounded_rectangle(s, x, y, width, height, 12.0);
    canvas_use(s, INK_PANEL);
    cairo_fill(s->cairo);
}
