// SPDX-License-Identifier: BSD-3-Clause
// A panel's axes on the page.
#include "view/plot/plot_frame.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "view/plot/plot_text.h"

static const double TICK = 4.0, TICK_GAP = 6.0;  // points: marks, and from the frame to their numbers
static const double BELOW_LABELLED = 46.0;       // height of numbers and label under a frame
static const double Y_LABEL_ROOM = 16.0;         // by which a y label may be longer than its frame is high
static const double SMALLEST_LABEL = 0.75;       // of the type: a longer label is written smaller before it is cut
static const plot_ink TEXT = PLOT_INK_TEXT, FRAME = {0.55, 0.58, 0.62}, GRID = {0.90, 0.91, 0.93};

double plot_frame_height_below(const plot_panel *panel) { return panel->x_label != NULL ? BELOW_LABELLED : 0.0; }

static double x_of(const plot_frame *f, double measure)
{
    return f->x + f->width * (measure - f->across.low) / (f->across.high - f->across.low);
}
static double y_of(const plot_frame *f, double measure)
{
    return f->y + f->height * (f->up.high - measure) / (f->up.high - f->up.low);
}

bool plot_frame_shows(const plot_frame *f, const plot_curve *curve, int64_t k)
{
    return plot_axis_shows(&f->across, curve->x[k]) && plot_axis_shows(&f->up, curve->y[k]);
}

plot_point plot_frame_point(const plot_frame *f, const plot_curve *curve, int64_t k)
{
    return (plot_point){x_of(f, plot_axis_measure(&f->across, curve->x[k])),
                        y_of(f, plot_axis_measure(&f->up, curve->y[k]))};
}

static void line(cairo_t *c, double x0, double y0, double x1, double y1, double width, plot_ink colour)
{
    cairo_move_to(c, x0, y0);
    cairo_line_to(c, x1, y1);
    plot_use(c, colour);
    cairo_set_line_width(c, width);
    cairo_stroke(c);
}

static void widen_up(plot_axis *up, const plot_curve *curve, int64_t k)
{
    plot_axis_widen(up, curve->y[k]);
    if (curve->spread == NULL) return;
    for (int sign = -1; sign <= 1; sign += 2) {
        double end = curve->y[k] + sign * curve->spread[k];
        if (plot_axis_shows(up, end)) plot_axis_widen(up, end);
    }
}

void plot_frame_set_axes(plot_frame *f, const plot_page *page, int index)
{
    const plot_panel *panel = &page->panel[index];
    f->across = plot_axis_empty(panel->x_is_log);
    f->up = plot_axis_empty(panel->y_is_log);
    for (int k = index % page->column_count; k < page->panel_count; k += page->column_count) {
        for (int i = 0; i < page->panel[k].curve_count; ++i) {
            const plot_curve *curve = &page->panel[k].curve[i];
            for (int64_t n = 0; n < curve->count; ++n) {
                if (!plot_frame_shows(f, curve, n)) continue;
                plot_axis_widen(&f->across, curve->x[n]);
                if (k == index) widen_up(&f->up, curve, n);
            }
        }
    }
    plot_axis_settle_across(&f->across);
    plot_axis_settle_up(&f->up);
}

static plot_ticks ticks_up(const plot_frame *f) { return plot_axis_ticks(&f->up, f->height, 1.5 * PLOT_TYPE); }
static plot_ticks ticks_across(const plot_frame *f) { return plot_axis_ticks(&f->across, f->width, 4.5 * PLOT_TYPE); }

double plot_frame_numbers_width(cairo_t *c, const plot_frame *f)
{
    double widest = 0.0;
    plot_ticks ticks = ticks_up(f);
    for (int k = 0; k < ticks.count; ++k)
        widest = fmax(widest, plot_raised_width(c, ticks.tick[k].text, ticks.tick[k].raised));
    return widest;
}

static void write_power(cairo_t *c, double x, double y, double share, int power)
{
    char raised[16];
    if (power == 0) return;
    snprintf(raised, sizeof raised, "%s%d", power < 0 ? "\u2212" : "", abs(power));
    plot_write_raised(c, x, y, share, "\u00d710", raised);
}

static void draw_up(cairo_t *c, const plot_frame *f)
{
    plot_ticks ticks = ticks_up(f);
    for (int k = 0; k < ticks.count; ++k) {
        const plot_tick *tick = &ticks.tick[k];
        double y = y_of(f, tick->at);
        if (tick->text[0] == '\0') {
            line(c, f->x - TICK, y, f->x, y, 0.6, FRAME);
            continue;
        }
        line(c, f->x, y, f->x + f->width, y, 0.8, GRID);
        plot_use(c, TEXT);
        plot_write_raised(c, f->x - TICK_GAP, y + 0.35 * PLOT_TYPE, 1.0, tick->text, tick->raised);
    }
    plot_use(c, TEXT);
    write_power(c, f->x, f->y - 5.0, 0.0, ticks.power);
}

static void draw_across(cairo_t *c, const plot_frame *f, bool labelled)
{
    double foot = f->y + f->height;
    plot_ticks ticks = ticks_across(f);
    for (int k = 0; k < ticks.count; ++k) {
        const plot_tick *tick = &ticks.tick[k];
        double x = x_of(f, tick->at);
        bool named = tick->text[0] != '\0';
        if (named) line(c, x, f->y, x, foot, 0.8, GRID);
        if (!labelled) continue;
        line(c, x, foot, x, foot + (named ? TICK : 0.6 * TICK), 0.8, FRAME);
        plot_use(c, TEXT);
        if (named) plot_write_raised(c, x, foot + 8.0 + PLOT_TYPE, 0.5, tick->text, tick->raised);
    }
    plot_use(c, TEXT);
    if (labelled) write_power(c, f->x + f->width, foot + BELOW_LABELLED - 8.0, 1.0, ticks.power);
}

static void draw_labels(cairo_t *c, const plot_frame *f, const plot_panel *panel, double left)
{
    char text[PLOT_TEXT_SIZE];
    plot_use(c, TEXT);
    if (panel->x_label != NULL) {
        plot_fit_text(c, panel->x_label, f->width, text);
        plot_write_text(c, f->x + 0.5 * f->width, f->y + f->height + BELOW_LABELLED - 8.0, 0.5, text);
    }
    double room = f->height + Y_LABEL_ROOM;
    plot_fit_text(c, panel->y_label, room / SMALLEST_LABEL, text);
    cairo_save(c);
    cairo_set_font_size(c, PLOT_TYPE * fmin(1.0, room / plot_text_width(c, text)));
    cairo_translate(c, f->x - left + PLOT_TYPE, f->y + 0.5 * f->height);
    cairo_rotate(c, -1.5707963267948966);
    plot_write_text(c, 0.0, 0.0, 0.5, text);
    cairo_restore(c);
    plot_use_type(c);
}

void plot_frame_draw(cairo_t *c, const plot_frame *f, const plot_panel *panel, double left)
{
    draw_up(c, f);
    draw_across(c, f, panel->x_label != NULL);
    draw_labels(c, f, panel, left);
    cairo_rectangle(c, f->x, f->y, f->width, f->height);
    plot_use(c, FRAME);
    cairo_set_line_width(c, 0.8);
    cairo_stroke(c);
}
