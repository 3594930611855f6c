// SPDX-License-Identifier: BSD-3-Clause
// Title, time, scale and legend, by Cairo.
#include "view/picture/overlay.h"

#include <math.h>
#include <stdio.h>

#include "view/picture/fonts.h"

// In units of the canvas.
static const double TITLE_SIZE = 24.0;
static const double TIME_BAR = 190.0, TIME_BAR_HEIGHT = 3.0, TIME_BAR_DROP = 13.0;  // below the line of the time
static const double SCALE_SHARE = 0.16;  // of the width, at most, that a scale bar takes
static const double SCALE_TICK = 6.0;

void overlay_time_text(double time, char *text, size_t size)
{
    int decimals = 2;
    for (double scaled = 100.0 * time; decimals < 6 && fabs(scaled - round(scaled)) > 1e-6 * fmax(fabs(scaled), 1.0);
         scaled *= 10.0)
        ++decimals;
    snprintf(text, size, "t = %.*f s", decimals, time);
}

void overlay_length_text(double length, char *text, size_t size)
{
    static const struct {
        double below, scale;
        const char *unit;
    } units[] = {{1e-4, 1e6, "\u00b5m"}, {0.1, 1e3, "mm"}, {1e3, 1.0, "m"}, {INFINITY, 1e-3, "km"}};
    int k = 0;
    while (k < 3 && length >= (1.0 - 1e-9) * units[k].below) ++k;
    snprintf(text, size, "%g %s", length * units[k].scale, units[k].unit);
}

double overlay_scale_length(double longest)
{
    double power = pow(10.0, floor(log10(longest) + 1e-9)), share = longest / power;
    return (share >= 5.0 ? 5.0 : share >= 2.0 ? 2.0 : 1.0) * power;
}

static void draw_time_bar(const canvas *s, const overlay *o, double baseline)
{
    double share = fmin(fmax((o->time - o->first_time) / (o->last_time - o->first_time), 0.0), 1.0);
    cairo_rectangle(s->cairo, CANVAS_MARGIN, baseline + TIME_BAR_DROP, TIME_BAR, TIME_BAR_HEIGHT);
    canvas_use(s, (ink){INK_TEXT.r, INK_TEXT.g, INK_TEXT.b, 0.20});
    cairo_fill(s->cairo);
    cairo_rectangle(s->cairo, CANVAS_MARGIN, baseline + TIME_BAR_DROP, TIME_BAR * share, TIME_BAR_HEIGHT);
    canvas_use(s, INK_QUIET);
    cairo_fill(s->cairo);
}

static void draw_caption(const canvas *s, const overlay *o)
{
    char time[48];
    overlay_time_text(o->time, time, sizeof time);
    double baseline = s->height - CANVAS_MARGIN;
    canvas_set_type(s, CANVAS_TYPE, false);
    canvas_write_with_halo(s, CANVAS_MARGIN, baseline, time, INK_QUIET);
    if (o->last_time > o->first_time) draw_time_bar(s, o, baseline);
    if (o->title == NULL || o->title[0] == '\0') return;
    canvas_set_type(s, TITLE_SIZE, true);
    canvas_write_with_halo(s, CANVAS_MARGIN, baseline - CANVAS_LINE * CANVAS_TYPE, o->title, INK_TEXT);
}

// A bar with small ends, and its length above it.
static void draw_scale_bar(const canvas *s, double unit, double pixels_per_metre)
{
    double units_per_metre = pixels_per_metre / unit;
    if (!(units_per_metre > 0.0 && isfinite(units_per_metre))) return;
    double length = overlay_scale_length(SCALE_SHARE * s->width / units_per_metre), width = length * units_per_metre;
    double right = s->width - CANVAS_MARGIN, y = s->height - CANVAS_MARGIN + SCALE_TICK;
    char text[48];
    overlay_length_text(length, text, sizeof text);
    const ink inks[2] = {{1.0, 1.0, 1.0, 0.45}, INK_TEXT};
    const double widths[2] = {6.0, 2.4};
    for (int k = 0; k < 2; ++k) {
        cairo_move_to(s->cairo, right - width, y - SCALE_TICK);
        cairo_rel_line_to(s->cairo, 0.0, SCALE_TICK);
        cairo_rel_line_to(s->cairo, width, 0.0);
        cairo_rel_line_to(s->cairo, 0.0, -SCALE_TICK);
        canvas_use(s, inks[k]);
        cairo_set_line_width(s->cairo, widths[k]);
        cairo_set_line_join(s->cairo, CAIRO_LINE_JOIN_MITER);
        cairo_stroke(s->cairo);
    }
    canvas_set_type(s, CANVAS_TYPE, false);
    canvas_write_with_halo(s, right - 0.5 * width - 0.5 * canvas_text_width(s, text), y - 0.6 * CANVAS_TYPE, text,
                           INK_QUIET);
}

scr_status overlay_draw(const overlay *o, picture *p, scr_error *error)
{
    scr_status status = fonts_find(error);
    if (status != SCR_OK) return status;
    cairo_surface_t *surface = cairo_image_surface_create_for_data((unsigned char *)p->pixel, CAIRO_FORMAT_RGB24,
                                                                   p->width, p->height, 4 * p->width);
    double unit = canvas_unit(p->width, p->height);
    canvas s = {cairo_create(surface), p->width / unit, p->height / unit};
    cairo_scale(s.cairo, unit, unit);
    draw_caption(&s, o);
    draw_scale_bar(&s, unit, o->pixels_per_metre);
    legend_panel_draw(&s, o->legend, o->scale, &o->names);
    cairo_status_t result = cairo_status(s.cairo);
    cairo_destroy(s.cairo);
    cairo_surface_flush(surface);
    cairo_surface_destroy(surface);
    if (result == CAIRO_STATUS_SUCCESS) return SCR_OK;
    return scr_fail(error, result == CAIRO_STATUS_NO_MEMORY ? SCR_NO_MEMORY : SCR_IO,
                    "writing the captions on the picture failed: %s", cairo_status_to_string(result));
}
