// Title, time and legend, by Cairo.
#include "view/overlay.h"

#include <cairo.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "view/light.h"

// Lengths below are in units of a thousandth of the picture's height (or of what a 16:10 picture of its width would
// be high, if that is less), so that the type keeps its share of the picture.
static const double MARGIN = 34.0;
static const double TYPE_SIZE = 22.0, TITLE_SIZE = 24.0;
static const double LINE = 1.45;  // of the type size, from one line to the next
static const double BAR_WIDTH = 20.0, BAR_HEIGHT = 430.0, BAR_POINT = 20.0;  // the point says: values go on
static const double TICK_LENGTH = 7.0, TICK_GAP = 7.0;
static const double PANEL_PADDING = 20.0;
static const double LEGEND_WIDTH = 186.0;  // about what a bar with title, ticks and panel takes
static const double SWATCH = 20.0;
static const char *const FAMILY = "sans-serif";

typedef struct ink {
    double r, g, b, a;
} ink;
static const ink INK_TEXT = {0.13, 0.16, 0.20, 1.0};
static const ink INK_QUIET = {0.13, 0.16, 0.20, 0.72};
static const ink INK_PANEL = {1.0, 1.0, 1.0, 0.50};
static const ink INK_HALO = {1.0, 1.0, 1.0, 0.30};

typedef struct sheet {
    cairo_t *cairo;
    double width, height;  // in units
} sheet;

static double unit_of(int width, int height) { return fmin(height, 0.625 * width) / 1000.0; }
static void use(const sheet *s, ink i) { cairo_set_source_rgba(s->cairo, i.r, i.g, i.b, i.a); }

static void use_linear(const sheet *s, vec3f linear)
{
    vec3f c = light_developed(linear);
    cairo_set_source_rgb(s->cairo, srgb_encoded(c[0]), srgb_encoded(c[1]), srgb_encoded(c[2]));
}

static void set_type(const sheet *s, double size, bool bold)
{
    cairo_select_font_face(s->cairo, FAMILY, CAIRO_FONT_SLANT_NORMAL,
                           bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(s->cairo, size);
}

static double text_width(const sheet *s, const char *text)
{
    cairo_text_extents_t extents;
    cairo_text_extents(s->cairo, text, &extents);
    return extents.x_advance;
}

static void write_text(const sheet *s, double x, double baseline, const char *text, ink colour)
{
    cairo_move_to(s->cairo, x, baseline);
    use(s, colour);
    cairo_show_text(s->cairo, text);
}

// Text that stays legible on any ground: with a pale outline behind it.
static void write_with_halo(const sheet *s, double x, double baseline, const char *text, ink colour)
{
    cairo_move_to(s->cairo, x, baseline);
    cairo_text_path(s->cairo, text);
    use(s, INK_HALO);
    cairo_set_line_width(s->cairo, 5.0);
    cairo_set_line_join(s->cairo, CAIRO_LINE_JOIN_ROUND);
    cairo_stroke(s->cairo);
    write_text(s, x, baseline, text, colour);
}

static void rounded_rectangle(const sheet *s, double x, double y, double width, double height, double radius)
{
    const double quarter = 1.5707963267948966;  // rad
    cairo_new_sub_path(s->cairo);
    cairo_arc(s->cairo, x + width - radius, y + radius, radius, -quarter, 0.0);
    cairo_arc(s->cairo, x + width - radius, y + height - radius, radius, 0.0, quarter);
    cairo_arc(s->cairo, x + radius, y + height - radius, radius, quarter, 2.0 * quarter);
    cairo_arc(s->cairo, x + radius, y + radius, radius, 2.0 * quarter, 3.0 * quarter);
    cairo_close_path(s->cairo);
}

static void draw_panel(const sheet *s, double x, double y, double width, double height)
{
    rounded_rectangle(s, x, y, width, height, 12.0);
    use(s, INK_PANEL);
    cairo_fill(s->cairo);
}

int overlay_ticks(double min, double max, int wanted, double tick[TICKS_MAX], int *decimals)
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

void overlay_time_text(double time, char *text, size_t size)
{
    int decimals = 2;
    for (double scaled = 100.0 * time; decimals < 6 && fabs(scaled - round(scaled)) > 1e-6 * fmax(fabs(scaled), 1.0);
         scaled *= 10.0)
        ++decimals;
    snprintf(text, size, "t = %.*f s", decimals, time);
}

static void bar_path(const sheet *s, const legend *l, double x, double top)
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

static void draw_bar(const sheet *s, const overlay *o, double x, double top)
{
    const legend *l = o->legend;
    cairo_save(s->cairo);
    bar_path(s, l, x, top);
    cairo_clip(s->cairo);
    enum { BANDS = PALETTE_STEPS };
    for (int i = 0; i < BANDS; ++i) {
        use_linear(s, palette_at(o->scale, (float)i / (BANDS - 1)));
        // Each band reaches down to the end, and the next covers the rest: no seams. The first fills the lower point.
        double low = i == 0 ? top + BAR_HEIGHT + BAR_POINT : top + BAR_HEIGHT * (1.0 - (double)i / BANDS);
        cairo_rectangle(s->cairo, x, top - BAR_POINT, BAR_WIDTH, low - (top - BAR_POINT));
        cairo_fill(s->cairo);
    }
    cairo_restore(s->cairo);
    bar_path(s, l, x, top);
    use(s, INK_QUIET);
    cairo_set_line_width(s->cairo, 1.0);
    cairo_stroke(s->cairo);
}

static void draw_bar_legend(const sheet *s, const overlay *o)
{
    const legend *l = o->legend;
    double tick[TICKS_MAX], widest = 0.0;
    int decimals, count = overlay_ticks(l->min, l->max, 5, tick, &decimals);
    char label[TICKS_MAX][32], title[64];
    snprintf(title, sizeof title, "%s (%s)", l->title, l->unit);

    set_type(s, TYPE_SIZE, false);
    for (int i = 0; i < count; ++i) {
        snprintf(label[i], sizeof label[i], "%.*f", decimals, tick[i]);
        widest = fmax(widest, text_width(s, label[i]));
    }
    double inside = fmax(BAR_WIDTH + TICK_LENGTH + TICK_GAP + widest, text_width(s, title));
    double above = l->goes_above ? BAR_POINT : 0.0, below = l->goes_below ? BAR_POINT : 0.0;
    double width = inside + 2.0 * PANEL_PADDING;
    double height = 2.0 * PANEL_PADDING + 1.9 * TYPE_SIZE + above + BAR_HEIGHT + below;
    double x = s->width - MARGIN - width, y = 0.5 * (s->height - height);
    draw_panel(s, x, y, width, height);
    x += PANEL_PADDING;
    y += PANEL_PADDING;
    write_text(s, x, y + 0.85 * TYPE_SIZE, title, INK_TEXT);
    y += 1.9 * TYPE_SIZE + above;
    draw_bar(s, o, x, y);
    for (int i = 0; i < count; ++i) {
        double level = y + BAR_HEIGHT * (1.0 - (tick[i] - l->min) / (l->max - l->min));
        cairo_move_to(s->cairo, x + BAR_WIDTH, level);
        cairo_rel_line_to(s->cairo, TICK_LENGTH, 0.0);
        use(s, INK_QUIET);
        cairo_set_line_width(s->cairo, 1.4);
        cairo_stroke(s->cairo);
        write_text(s, x + BAR_WIDTH + TICK_LENGTH + TICK_GAP, level + 0.36 * TYPE_SIZE, label[i], INK_TEXT);
    }
}

static void material_label(const overlay *o, uint32_t material, char *text, size_t size)
{
    if (o->material_name != NULL && (int64_t)material < o->material_count)
        snprintf(text, size, "%s", o->material_name[material]);
    else snprintf(text, size, "material %u", material + 1u);
}

static void draw_material_legend(const sheet *s, const overlay *o)
{
    const legend *l = o->legend;
    if (l->swatch_count == 0) return;
    char label[LEGEND_SWATCHES][64];
    double widest = 0.0, line = LINE * TYPE_SIZE;
    set_type(s, TYPE_SIZE, false);
    for (int i = 0; i < l->swatch_count; ++i) {
        material_label(o, l->swatch[i], label[i], sizeof label[i]);
        widest = fmax(widest, text_width(s, label[i]));
    }
    double width = 2.0 * PANEL_PADDING + SWATCH + 2.0 * TICK_GAP + widest;
    double height = 2.0 * PANEL_PADDING + line * (l->swatch_count - 1) + SWATCH;
    double x = s->width - MARGIN - width, y = MARGIN;
    draw_panel(s, x, y, width, height);
    for (int i = 0; i < l->swatch_count; ++i) {
        double top = y + PANEL_PADDING + line * i;
        rounded_rectangle(s, x + PANEL_PADDING, top, SWATCH, SWATCH, 0.5 * SWATCH);
        use_linear(s, palette_category(l->swatch[i]));
        cairo_fill(s->cairo);
        write_text(s, x + PANEL_PADDING + SWATCH + 2.0 * TICK_GAP, top + 0.5 * SWATCH + 0.36 * TYPE_SIZE, label[i],
                   INK_TEXT);
    }
}

double overlay_legend_share(const legend *l, int width, int height)
{
    return l->kind == LEGEND_BAR ? (MARGIN + LEGEND_WIDTH) * unit_of(width, height) / width : 0.0;
}

static void draw_caption(const sheet *s, const overlay *o)
{
    char time[48];
    overlay_time_text(o->time, time, sizeof time);
    double baseline = s->height - MARGIN;
    set_type(s, TYPE_SIZE, false);
    write_with_halo(s, MARGIN, baseline, time, INK_QUIET);
    if (o->title == NULL || o->title[0] == '\0') return;
    set_type(s, TITLE_SIZE, true);
    write_with_halo(s, MARGIN, baseline - LINE * TYPE_SIZE, o->title, INK_TEXT);
}

scr_status overlay_draw(const overlay *o, picture *p, scr_error *error)
{
    cairo_surface_t *surface = cairo_image_surface_create_for_data((unsigned char *)p->pixel, CAIRO_FORMAT_RGB24,
                                                                   p->width, p->height, 4 * p->width);
    double unit = unit_of(p->width, p->height);
    sheet s = {cairo_create(surface), p->width / unit, p->height / unit};
    cairo_scale(s.cairo, unit, unit);
    draw_caption(&s, o);
    if (o->legend->kind == LEGEND_BAR) draw_bar_legend(&s, o);
    if (o->legend->kind == LEGEND_MATERIALS) draw_material_legend(&s, o);
    cairo_status_t result = cairo_status(s.cairo);
    cairo_destroy(s.cairo);
    cairo_surface_flush(surface);
    cairo_surface_destroy(surface);
    if (result == CAIRO_STATUS_SUCCESS) return SCR_OK;
    return scr_fail(error, result == CAIRO_STATUS_NO_MEMORY ? SCR_NO_MEMORY : SCR_IO,
                    "writing the captions on the picture failed: %s", cairo_status_to_string(result));
}
