// Curves on logarithmic axes, by Cairo.
#include "view/plot.h"

#include <cairo-svg.h>
#include <cairo.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "io/safe_file.h"

// Lengths are in points, at 72 an inch; a PNG has PIXELS_PER_POINT.
static const double PANEL_WIDTH = 470.0, PANEL_HEIGHT = 320.0;
static const double LEFT = 62.0, RIGHT = 16.0, TOP = 14.0, BOTTOM = 48.0;  // of the axes inside a panel
static const double HEAD = 62.0, MARGIN = 18.0;                            // title and legend above the panels
static const double TYPE = 12.5, TITLE_TYPE = 16.0;
static const double PIXELS_PER_POINT = 2.0;
enum { COLUMNS = 2, DECADES_MAX = 12 };

typedef struct ink {
    double r, g, b;
} ink;
static const ink TEXT = {0.13, 0.16, 0.20}, FRAME = {0.45, 0.48, 0.52}, GRID = {0.88, 0.89, 0.91};
// Told apart by those who see no red or green as well (after Okabe and Ito).
static const ink CURVES[] = {{0.00, 0.45, 0.70}, {0.84, 0.37, 0.00}, {0.00, 0.62, 0.45}, {0.80, 0.47, 0.65},
                             {0.34, 0.71, 0.91}, {0.90, 0.62, 0.00}, {0.35, 0.35, 0.35}};
enum { CURVE_INKS = sizeof CURVES / sizeof CURVES[0] };

typedef struct axis {
    double low, high;
} axis;  // of log10
typedef struct frame {
    double x, y, width, height;
    axis across, up;
} frame;

static void use(cairo_t *c, ink i) { cairo_set_source_rgb(c, i.r, i.g, i.b); }

static double text_width(cairo_t *c, const char *text)
{
    cairo_text_extents_t extents;
    cairo_text_extents(c, text, &extents);
    return extents.x_advance;
}

static void write_text(cairo_t *c, double x, double y, double share, const char *text)  // share of its width left of x
{
    cairo_move_to(c, x - share * text_width(c, text), y);
    cairo_show_text(c, text);
}

static bool is_shown(const plot_curve *curve, int64_t k)
{
    return curve->x[k] > 0.0 && curve->y[k] > 0.0 && isfinite(curve->x[k]) && isfinite(curve->y[k]);
}

static void widen(axis *a, double value)
{
    a->low = fmin(a->low, log10(value));
    a->high = fmax(a->high, log10(value));
}

// Whole decades up; across just what there is, with a little room.
static void set_axes(frame *f, const plot_panel *panel)
{
    f->across = f->up = (axis){INFINITY, -INFINITY};
    for (int i = 0; i < panel->curve_count; ++i) {
        for (int64_t k = 0; k < panel->curve[i].count; ++k) {
            if (!is_shown(&panel->curve[i], k)) continue;
            widen(&f->across, panel->curve[i].x[k]);
            widen(&f->up, panel->curve[i].y[k]);
        }
    }
    if (!(f->across.low <= f->across.high)) f->across = f->up = (axis){0.0, 1.0};  // nothing to show
    f->across = (axis){f->across.low - 0.03, fmax(f->across.high, f->across.low + 0.5) + 0.06};
    f->up = (axis){floor(f->up.low), fmax(ceil(f->up.high), floor(f->up.low) + 1.0)};
    f->up.low = fmax(f->up.low, f->up.high - DECADES_MAX);
}

static double place_across(const frame *f, double log_value)
{
    return f->x + f->width * (log_value - f->across.low) / (f->across.high - f->across.low);
}
static double place_up(const frame *f, double log_value)
{
    return f->y + f->height * (f->up.high - log_value) / (f->up.high - f->up.low);
}

static void line(cairo_t *c, double x0, double y0, double x1, double y1, double width, ink colour)
{
    cairo_move_to(c, x0, y0);
    cairo_line_to(c, x1, y1);
    use(c, colour);
    cairo_set_line_width(c, width);
    cairo_stroke(c);
}

// 10 with its exponent raised, or the number itself where that is short.
static void write_power(cairo_t *c, double x, double y, double share, int power)
{
    char text[16];
    cairo_set_font_size(c, TYPE);
    if (power >= -2 && power <= 3) {
        snprintf(text, sizeof text, "%g", pow(10.0, power));
        write_text(c, x, y, share, text);
        return;
    }
    double base = text_width(c, "10");
    snprintf(text, sizeof text, "%d", power);
    cairo_set_font_size(c, 0.72 * TYPE);
    double whole = base + text_width(c, text);
    cairo_move_to(c, x - share * whole + base, y - 0.42 * TYPE);
    cairo_show_text(c, text);
    cairo_set_font_size(c, TYPE);
    write_text(c, x - share * whole, y, 0.0, "10");
}

static void draw_up(cairo_t *c, const frame *f)
{
    for (int power = (int)f->up.low; power <= (int)f->up.high; ++power) {
        double y = place_up(f, power);
        line(c, f->x, y, f->x + f->width, y, 0.8, GRID);
        use(c, TEXT);
        write_power(c, f->x - 6.0, y + 0.35 * TYPE, 1.0, power);
    }
}

static void draw_across(cairo_t *c, const frame *f)
{
    for (int power = (int)floor(f->across.low); power <= (int)ceil(f->across.high); ++power) {
        for (int digit = 1; digit < 10; ++digit) {
            double at = power + log10(digit), x = place_across(f, at);
            if (at < f->across.low || at > f->across.high) continue;
            if (digit == 1) line(c, x, f->y, x, f->y + f->height, 0.8, GRID);
            line(c, x, f->y + f->height, x, f->y + f->height + (digit == 1 ? 5.0 : 3.0), 0.8, FRAME);
            use(c, TEXT);
            if (digit == 1) write_power(c, x, f->y + f->height + 8.0 + TYPE, 0.5, power);
        }
    }
}

static void draw_labels(cairo_t *c, const frame *f, const plot_panel *panel)
{
    use(c, TEXT);
    cairo_set_font_size(c, TYPE);
    write_text(c, f->x + 0.5 * f->width, f->y + f->height + BOTTOM - 8.0, 0.5, panel->x_label);
    cairo_save(c);
    cairo_translate(c, f->x - LEFT + 14.0, f->y + 0.5 * f->height);
    cairo_rotate(c, -1.5707963267948966);
    write_text(c, 0.0, 0.0, 0.5, panel->y_label);
    cairo_restore(c);
}

static void draw_curve(cairo_t *c, const frame *f, const plot_curve *curve, ink colour)
{
    int64_t shown = 0;
    double x = 0.0, y = 0.0;
    cairo_new_path(c);
    for (int64_t k = 0; k < curve->count; ++k) {
        if (!is_shown(curve, k)) continue;
        x = place_across(f, log10(curve->x[k]));
        y = place_up(f, log10(curve->y[k]));
        if (shown++ == 0) cairo_move_to(c, x, y);
        else cairo_line_to(c, x, y);
    }
    use(c, colour);
    cairo_set_line_width(c, 1.9);
    cairo_set_line_join(c, CAIRO_LINE_JOIN_ROUND);
    cairo_stroke(c);
    if (shown == 0) return;
    cairo_arc(c, x, y, 2.8, 0.0, 6.283185307179586);  // where it ended
    cairo_fill(c);
}

static void draw_panel(cairo_t *c, double x, double y, const plot_panel *panel)
{
    frame f = {.x = x + LEFT, .y = y + TOP, .width = PANEL_WIDTH - LEFT - RIGHT, .height = PANEL_HEIGHT - TOP - BOTTOM};
    set_axes(&f, panel);
    draw_up(c, &f);
    draw_across(c, &f);
    draw_labels(c, &f, panel);
    cairo_save(c);
    cairo_rectangle(c, f.x, f.y - 3.0, f.width, f.height + 6.0);
    cairo_clip(c);
    for (int i = 0; i < panel->curve_count; ++i) draw_curve(c, &f, &panel->curve[i], CURVES[i % CURVE_INKS]);
    cairo_restore(c);
    cairo_rectangle(c, f.x, f.y, f.width, f.height);
    use(c, FRAME);
    cairo_set_line_width(c, 0.8);
    cairo_stroke(c);
}

static void draw_head(cairo_t *c, const char *title, const plot_panel *panel)
{
    cairo_select_font_face(c, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_BOLD);
    cairo_set_font_size(c, TITLE_TYPE);
    use(c, TEXT);
    write_text(c, MARGIN + LEFT, MARGIN + TITLE_TYPE, 0.0, title);
    cairo_select_font_face(c, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(c, TYPE);
    double x = MARGIN + LEFT, y = MARGIN + TITLE_TYPE + 26.0;
    for (int i = 0; i < panel->curve_count; ++i) {
        line(c, x, y - 0.35 * TYPE, x + 22.0, y - 0.35 * TYPE, 2.6, CURVES[i % CURVE_INKS]);
        use(c, TEXT);
        write_text(c, x + 28.0, y, 0.0, panel->curve[i].name);
        x += 28.0 + text_width(c, panel->curve[i].name) + 22.0;
    }
}

static void draw_page(cairo_t *c, double width, double height, const char *title, const plot_panel *panel,
                      int panel_count)
{
    cairo_set_source_rgb(c, 1.0, 1.0, 1.0);
    cairo_rectangle(c, 0.0, 0.0, width, height);
    cairo_fill(c);
    draw_head(c, title, &panel[0]);
    for (int k = 0; k < panel_count; ++k)
        draw_panel(c, MARGIN + PANEL_WIDTH * (k % COLUMNS), MARGIN + HEAD + PANEL_HEIGHT * (k / COLUMNS), &panel[k]);
}

static bool ends_with(const char *path, const char *end)
{
    size_t length = strlen(path), end_length = strlen(end);
    return length > end_length && strcasecmp(path + length - end_length, end) == 0;
}

scr_status plot_check_name(const char *path, scr_error *error)
{
    if (ends_with(path, ".svg") || ends_with(path, ".png")) return SCR_OK;
    return scr_fail(error, SCR_BAD_INPUT, "a plot goes to a file that ends in .svg or .png, not to %s", path);
}

static cairo_status_t draw_svg(const char *file, double width, double height, const char *title,
                               const plot_panel *panel, int count)
{
    cairo_surface_t *surface = cairo_svg_surface_create(file, width, height);
    cairo_t *c = cairo_create(surface);
    draw_page(c, width, height, title, panel, count);
    cairo_destroy(c);
    cairo_surface_finish(surface);
    cairo_status_t result = cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    return result;
}

static cairo_status_t draw_png(const char *file, double width, double height, const char *title,
                               const plot_panel *panel, int count)
{
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)(PIXELS_PER_POINT * width),
                                                          (int)(PIXELS_PER_POINT * height));
    cairo_t *c = cairo_create(surface);
    cairo_scale(c, PIXELS_PER_POINT, PIXELS_PER_POINT);
    draw_page(c, width, height, title, panel, count);
    cairo_destroy(c);
    cairo_status_t result = cairo_surface_status(surface);
    if (result == CAIRO_STATUS_SUCCESS) result = cairo_surface_write_to_png(surface, file);
    cairo_surface_destroy(surface);
    return result;
}

scr_status plot_write(const char *path, const char *title, const plot_panel *panel, int panel_count, scr_error *error)
{
    char temporary[PATH_LENGTH_MAX];
    scr_status status = plot_check_name(path, error);
    if (status == SCR_OK) status = path_temporary(temporary, path, error);
    if (status != SCR_OK) return status;
    int rows = (panel_count + COLUMNS - 1) / COLUMNS;
    double width = 2.0 * MARGIN + COLUMNS * PANEL_WIDTH, height = 2.0 * MARGIN + HEAD + rows * PANEL_HEIGHT;
    cairo_status_t result = ends_with(path, ".svg") ? draw_svg(temporary, width, height, title, panel, panel_count)
                                                    : draw_png(temporary, width, height, title, panel, panel_count);
    if (result == CAIRO_STATUS_SUCCESS) return file_commit(path, error);
    unlink(temporary);
    return scr_fail(error, SCR_IO, "%s: cannot write: %s", path, cairo_status_to_string(result));
}
