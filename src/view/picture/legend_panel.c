// SPDX-License-Identifier: BSD-3-Clause
// Bars and swatches.
#include "view/picture/legend_panel.h"

#include <math.h>
#include <stdio.h>

// In units of the canvas.
static const double BAR_WIDTH = 20.0, BAR_HEIGHT = 430.0, BAR_POINT = 20.0;  // the point says: values go on
static const double TICK_LENGTH = 7.0, TICK_GAP = 7.0;
static const double LEGEND_WIDTH = 186.0;  // about what a bar with title, ticks and panel takes
static const double SWATCH = 20.0;

int legend_ticks(double min, double max, int wanted, double tick[TICKS_MAX], int *decimals)
{
    double rough = (max - min) / wanted, power = pow(10.0, floor(log10(rough))), share = rough / power;
    double step = (share < 1.5 ? 1.0 : share < 3.5 ? 2.0 : share < 7.5 ? 5.0 : 10.0) * power;
    int digits = (int)-floor(log10(step) + 1e-9);
    *decimals = digits > 0 ? digits : 0;
    int count = 0;
    for (double k = ceil(min / step - 1e-6); k * step <= max + 1e-6 * step && count < TICKS_MAX; k += 1.0)
        tick[count++] = k * step + 0.0;  // + 0.0: no minus zero
    return count;
}

static void bar_path(const canvas *s, const legend *l, double x, double top)
{
    cairo_new_path(s->cairo);
    cairo_move_to(s->cairo, x, top);
    if (l->goes_above) cairo_line_to(s->cairo, x + 0.5 * BAR_WIDTH, top - BAR_POINT);
    cairo_line_to(s->cairo, x + BAR_WIDTH, top);
    cairo_line_to(s->cairo, x + BAR_WIDTH, top + BAR_HEIGHT);
    if (l->goes_below) cairo_line_to(s->cairo, x + 0.5 * BAR_WIDTH, top + BAR_HEIGHT + BAR_POINT);
    cairo_line_to(s->cairo, x, top + BAR_HEIGHT);
    cairo_close_path(s->cairo);
}

static void draw_bar(const canvas *s, const legend *l, const palette *scale, double x, double top)
{
    cairo_save(s->cairo);
    bar_path(s, l, x, top);
    cairo_clip(s->cairo);
    enum { BANDS = PALETTE_STEPS };
    for (int i = 0; i < BANDS; ++i) {
        canvas_use_linear(s, palette_at(scale, (float)i / (BANDS - 1)));
        // Each band reaches down to the end, and the next covers the rest: no seams. The first fills the lower point.
        double low = i == 0 ? top + BAR_HEIGHT + BAR_POINT : top + BAR_HEIGHT * (1.0 - (double)i / BANDS);
        cairo_rectangle(s->cairo, x, top - BAR_POINT, BAR_WIDTH, low - (top - BAR_POINT));
        cairo_fill(s->cairo);
    }
    cairo_restore(s->cairo);
    bar_path(s, l, x, top);
    canvas_use(s, INK_QUIET);
    cairo_set_line_width(s->cairo, 1.0);
    cairo_stroke(s->cairo);
}

static void draw_bar_legend(const canvas *s, const legend *l, const palette *scale)
{
    double tick[TICKS_MAX], widest = 0.0;
    int decimals, count = legend_ticks(l->min, l->max, 5, tick, &decimals);
    char label[TICKS_MAX][32], title[64];
    snprintf(title, sizeof title, "%s (%s)", l->title, l->unit);

    canvas_set_type(s, CANVAS_TYPE, false);
    for (int i = 0; i < count; ++i) {
        snprintf(label[i], sizeof label[i], "%.*f", decimals, tick[i]);
        widest = fmax(widest, canvas_text_width(s, label[i]));
    }
    double inside = fmax(BAR_WIDTH + TICK_LENGTH + TICK_GAP + widest, canvas_text_width(s, title));
    double above = l->goes_above ? BAR_POINT : 0.0, below = l->goes_below ? BAR_POINT : 0.0;
    double width = inside + 2.0 * CANVAS_PADDING;
    double height = 2.0 * CANVAS_PADDING + 1.9 * CANVAS_TYPE + above + BAR_HEIGHT + below;
    double x = s->width - CANVAS_MARGIN - width, y = 0.5 * (s->height - height);
    canvas_panel(s, x, y, width, height);
    x += CANVAS_PADDING;
    y += CANVAS_PADDING;
    canvas_write(s, x, y + 0.85 * CANVAS_TYPE, title, INK_TEXT);
    y += 1.9 * CANVAS_TYPE + above;
    draw_bar(s, l, scale, x, y);
    for (int i = 0; i < count; ++i) {
        double level = y + BAR_HEIGHT * (1.0 - (tick[i] - l->min) / (l->max - l->min));
        cairo_move_to(s->cairo, x + BAR_WIDTH, level);
        cairo_rel_line_to(s->cairo, TICK_LENGTH, 0.0);
        canvas_use(s, INK_QUIET);
        cairo_set_line_width(s->cairo, 1.4);
        cairo_stroke(s->cairo);
        canvas_write(s, x + BAR_WIDTH + TICK_LENGTH + TICK_GAP, level + 0.36 * CANVAS_TYPE, label[i], INK_TEXT);
    }
}

static void swatch_label(const kind_names *names, uint32_t kind, char *text, size_t size)
{
    if (names->name != NULL && (int64_t)kind < names->count) snprintf(text, size, "%s", names->name[kind]);
    else snprintf(text, size, "%s %u", names->noun, kind + 1u);
}

static void draw_swatches(const canvas *s, const legend *l, const kind_names *names)
{
    if (l->swatch_count == 0) return;
    char label[LEGEND_SWATCHES][64];
    double widest = 0.0, line = CANVAS_LINE * CANVAS_TYPE;
    canvas_set_type(s, CANVAS_TYPE, false);
    for (int i = 0; i < l->swatch_count; ++i) {
        swatch_label(names, l->swatch[i], label[i], sizeof label[i]);
        widest = fmax(widest, canvas_text_width(s, label[i]));
    }
    double width = 2.0 * CANVAS_PADDING + SWATCH + 2.0 * TICK_GAP + widest;
    double height = 2.0 * CANVAS_PADDING + line * (l->swatch_count - 1) + SWATCH;
    double x = s->width - CANVAS_MARGIN - width, y = CANVAS_MARGIN;
    canvas_panel(s, x, y, width, height);
    for (int i = 0; i < l->swatch_count; ++i) {
        double top = y + CANVAS_PADDING + line * i;
        canvas_rounded_rectangle(s, x + CANVAS_PADDING, top, SWATCH, SWATCH, 0.5 * SWATCH);
        canvas_use_linear(s, palette_category(l->swatch[i]));
        cairo_fill(s->cairo);
        canvas_write(s, x + CANVAS_PADDING + SWATCH + 2.0 * TICK_GAP, top + 0.5 * SWATCH + 0.36 * CANVAS_TYPE, label[i],
                     INK_TEXT);
    }
}

double legend_panel_share(const legend *l, int width, int height)
{
    return l->kind == LEGEND_BAR ? (CANVAS_MARGIN + LEGEND_WIDTH) * canvas_unit(width, height) / width : 0.0;
}

void legend_panel_draw(const canvas *s, const legend *l, const palette *scale, const kind_names *names)
{
    if (l->kind == LEGEND_BAR) draw_bar_legend(s, l, scale);
    if (l->kind == LEGEND_SWATCHES_OF_NAMES) draw_swatches(s, l, names);
}
