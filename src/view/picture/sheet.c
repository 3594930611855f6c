// Type, panels and lines, by Cairo.
#include "view/picture/sheet.h"

#include <math.h>

#include "view/stage/light.h"
#include "view/colour/palette.h"

static const char *const FAMILY = "sans-serif";

double sheet_unit(int width, int height) { return fmin(height, 0.625 * width) / 1000.0; }

void sheet_use(const sheet *s, ink i) { cairo_set_source_rgba(s->cairo, i.r, i.g, i.b, i.a); }

void sheet_use_linear(const sheet *s, vec3f linear)
{
    vec3f c = light_developed(linear);
    cairo_set_source_rgb(s->cairo, srgb_encoded(c[0]), srgb_encoded(c[1]), srgb_encoded(c[2]));
}

void sheet_set_type(const sheet *s, double size, bool bold)
{
    cairo_select_font_face(s->cairo, FAMILY, CAIRO_FONT_SLANT_NORMAL,
                           bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(s->cairo, size);
}

double sheet_text_width(const sheet *s, const char *text)
{
    cairo_text_extents_t extents;
    cairo_text_extents(s->cairo, text, &extents);
    return extents.x_advance;
}

void sheet_write(const sheet *s, double x, double baseline, const char *text, ink colour)
{
    cairo_move_to(s->cairo, x, baseline);
    sheet_use(s, colour);
    cairo_show_text(s->cairo, text);
}

void sheet_write_with_halo(const sheet *s, double x, double baseline, const char *text, ink colour)
{
    cairo_move_to(s->cairo, x, baseline);
    cairo_text_path(s->cairo, text);
    sheet_use(s, INK_HALO);
    cairo_set_line_width(s->cairo, 5.0);
    cairo_set_line_join(s->cairo, CAIRO_LINE_JOIN_ROUND);
    cairo_stroke(s->cairo);
    sheet_write(s, x, baseline, text, colour);
}

void sheet_rounded_rectangle(const sheet *s, double x, double y, double width, double height, double radius)
{
    const double quarter = 1.5707963267948966;  // rad
    cairo_new_sub_path(s->cairo);
    cairo_arc(s->cairo, x + width - radius, y + radius, radius, -quarter, 0.0);
    cairo_arc(s->cairo, x + width - radius, y + height - radius, radius, 0.0, quarter);
    cairo_arc(s->cairo, x + radius, y + height - radius, radius, quarter, 2.0 * quarter);
    cairo_arc(s->cairo, x + radius, y + radius, radius, 2.0 * quarter, 3.0 * quarter);
    cairo_close_path(s->cairo);
}

void sheet_panel(const sheet *s, double x, double y, double width, double height)
{
    sheet_rounded_rectangle(s, x, y, width, height, 12.0);
    sheet_use(s, INK_PANEL);
    cairo_fill(s->cairo);
}
