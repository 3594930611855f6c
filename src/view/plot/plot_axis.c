// SPDX-License-Identifier: BSD-3-Clause
// Axes of a plot.
#include "view/plot/plot_axis.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "view/picture/legend_panel.h"

enum { DECADES_MAX = 12, LINEAR_TICKS = 7 };
static const double FLAT = 1e-12;     // a range so much smaller than its values is rounding
static const double NEAR_ZERO = 0.3;  // an axis begins at zero if the least value is below this share of the largest
static const double ROOM = 0.05;      // above and below, as a share of the range
static const double LARGEST = 1e300, LEAST = 1e-290;  // beyond them a range, or a power of ten, would be no number

plot_axis plot_axis_empty(bool is_log) { return (plot_axis){is_log, INFINITY, -INFINITY}; }

bool plot_axis_shows(const plot_axis *axis, double value)
{
    return fabs(value) < LARGEST && (value > 0.0 || !axis->is_log);
}

double plot_axis_measure(const plot_axis *axis, double value) { return axis->is_log ? log10(value) : value; }

void plot_axis_widen(plot_axis *axis, double value)
{
    double measure = plot_axis_measure(axis, value);
    axis->low = fmin(axis->low, measure);
    axis->high = fmax(axis->high, measure);
}

static bool is_empty(const plot_axis *axis) { return !(axis->low <= axis->high); }

static void set(plot_axis *axis, double low, double high)
{
    axis->low = low;
    axis->high = high;
}

// A linear axis over one value, or over what is one but for rounding.
static bool open_flat(plot_axis *axis)
{
    double size = fmax(fabs(axis->low), fabs(axis->high)), middle = 0.5 * (axis->low + axis->high);
    if (size > LEAST && axis->high - axis->low > FLAT * size) return false;
    double half = size > LEAST ? 0.5 * size : 1.0;
    set(axis, middle - half, middle + half);
    return true;
}

void plot_axis_settle_across(plot_axis *axis)
{
    if (is_empty(axis)) set(axis, 0.0, 1.0);
    else if (axis->is_log) set(axis, axis->low - 0.03, fmax(axis->high, axis->low + 0.5) + 0.06);
    else open_flat(axis);
}

void plot_axis_settle_up(plot_axis *axis)
{
    if (is_empty(axis)) {
        set(axis, 0.0, 1.0);
    } else if (axis->is_log) {
        set(axis, floor(axis->low), fmax(ceil(axis->high), floor(axis->low) + 1.0));
        axis->low = fmax(axis->low, axis->high - DECADES_MAX);
    } else if (!open_flat(axis)) {
        double room = ROOM * (axis->high - axis->low);
        bool from_zero = axis->low >= 0.0 && axis->low < NEAR_ZERO * axis->high;
        bool to_zero = axis->high <= 0.0 && axis->high > NEAR_ZERO * axis->low;
        set(axis, from_zero ? 0.0 : axis->low - room, to_zero ? 0.0 : axis->high + room);
    }
}

static plot_tick *add_tick(plot_ticks *ticks, double at)
{
    plot_tick *tick = &ticks->tick[ticks->count++];
    *tick = (plot_tick){.at = at};
    return tick;
}

// Very large and very small numbers share a power of ten, written once.
static int common_power(const plot_axis *axis)
{
    double size = fmax(fabs(axis->low), fabs(axis->high));
    if (size >= 1e-2 && size < 1e5) return 0;
    return 3 * (int)floor(log10(size) / 3.0);
}

static const char *sign_of(double number) { return number < 0.0 ? "\u2212" : ""; }  // a minus, longer than a hyphen

static void add_linear_ticks(plot_ticks *ticks, const plot_axis *axis, int wanted)
{
    double round_number[TICKS_MAX];
    int decimals;
    ticks->power = common_power(axis);
    double unit = pow(10.0, ticks->power);
    int count = legend_ticks(axis->low / unit, axis->high / unit, wanted, round_number, &decimals);
    for (int k = 0; k < count; ++k) {
        plot_tick *tick = add_tick(ticks, round_number[k] * unit);
        snprintf(tick->text, sizeof tick->text, "%s%.*f", sign_of(round_number[k]), decimals, fabs(round_number[k]));
    }
}

// 10 with its exponent raised, or the number itself on an axis whose numbers are short.
static void write_power(plot_tick *tick, int power, int digit, bool in_full)
{
    if (in_full) {
        snprintf(tick->text, sizeof tick->text, "%g", digit * pow(10.0, power));
    } else {
        if (digit == 1) snprintf(tick->text, sizeof tick->text, "10");
        else snprintf(tick->text, sizeof tick->text, "%d\u00b710", digit);
        snprintf(tick->raised, sizeof tick->raised, "%s%d", sign_of(power), abs(power));
    }
}

// Powers of ten, every so many of them where they are crowded; 2 and 5 as well where there is room, and marks between.
static void add_log_ticks(plot_ticks *ticks, const plot_axis *axis, double length, double label)
{
    double decade = length / (axis->high - axis->low);  // points
    int stride = (int)fmax(1.0, ceil(label / decade));
    bool in_full = axis->low >= -3.1 && axis->high <= 4.1;
    bool names_digits = decade > 4.0 * label, has_marks = decade > 30.0;
    for (int power = (int)floor(axis->low); power <= (int)ceil(axis->high); ++power) {
        for (int digit = 1; digit < (has_marks ? 10 : 2); ++digit) {
            double at = power + log10(digit);
            if (at < axis->low || at > axis->high || ticks->count == PLOT_TICKS_MAX) continue;
            plot_tick *tick = add_tick(ticks, at);
            bool named = digit == 1 ? power % stride == 0 : names_digits && (digit == 2 || digit == 5);
            if (named) write_power(tick, power, digit, in_full);
        }
    }
}

plot_ticks plot_axis_ticks(const plot_axis *axis, double length, double label)
{
    plot_ticks ticks = {.count = 0};
    int fitting = (int)(length / (1.5 * label));
    if (axis->is_log) add_log_ticks(&ticks, axis, length, label);
    else add_linear_ticks(&ticks, axis, fitting < 2 ? 2 : fitting > LINEAR_TICKS ? LINEAR_TICKS : fitting);
    return ticks;
}
