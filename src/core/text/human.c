// SPDX-License-Identifier: BSD-3-Clause
// Numbers as people like to read them.
#include "core/text/human.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

human_text human_count(int64_t n)
{
    human_text h;
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%" PRId64, n), out = 0;
    for (int i = 0; i < length; ++i) {
        h.text[out++] = digits[i];
        int left = length - 1 - i;
        if (left > 0 && left % 3 == 0 && digits[i] != '-') h.text[out++] = ',';
    }
    h.text[out] = '\0';
    return h;
}

human_text human_things(int64_t n, const char *one, const char *many)
{
    human_text h;
    snprintf(h.text, sizeof h.text, "%.30s %.40s", human_count(n).text, n == 1 ? one : many);
    return h;
}

human_text human_bytes(int64_t bytes)
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
    human_text h;
    double value = (double)bytes;
    int unit = 0;
    while (value >= 999.5 && unit < 6) {
        value /= 1000.0;
        ++unit;
    }
    snprintf(h.text, sizeof h.text, unit > 0 && value < 9.95 ? "%.1f %s" : "%.0f %s", value, units[unit]);
    return h;
}

human_text human_duration(double s)
{
    human_text h;
    if (!isfinite(s) || s > 1e12) {
        strcpy(h.text, "for ever");
        return h;
    }
    long long whole = llround(s);
    if (s == 0.0) strcpy(h.text, "0 s");
    else if (s < 0.9995e-3) snprintf(h.text, sizeof h.text, "%.3g us", 1e6 * s);
    else if (s < 0.9995) snprintf(h.text, sizeof h.text, "%.3g ms", 1e3 * s);
    else if (s < 9.995) snprintf(h.text, sizeof h.text, "%.2f s", s);
    else if (whole < 60) snprintf(h.text, sizeof h.text, "%lld s", whole);
    else if (whole < 3600) snprintf(h.text, sizeof h.text, "%lld min %02lld s", whole / 60, whole % 60);
    else if (whole < 86400) snprintf(h.text, sizeof h.text, "%lld h %02lld min", whole / 3600, whole / 60 % 60);
    else snprintf(h.text, sizeof h.text, "%lld days %lld h", whole / 86400, whole / 3600 % 24);
    return h;
}

human_text human_clock(double s)
{
    if (!isfinite(s) || s > 1e12) return human_duration(s);
    human_text h;
    long long whole = llround(s);
    if (whole < 3600) snprintf(h.text, sizeof h.text, "%lld:%02lld", whole / 60, whole % 60);
    else snprintf(h.text, sizeof h.text, "%lld:%02lld:%02lld", whole / 3600, whole / 60 % 60, whole % 60);
    return h;
}

human_text human_time_left(double s)
{
    if (s >= 1.0) return human_duration(s);
    return (human_text){"under 1 s"};
}

// Up to the next unit, less what would be rounded to it: 999.6 um is 1 mm, not 1e+03 um.
human_text human_length(double m)
{
    human_text h;
    if (!isfinite(m)) return human_figure(m);
    double size = fabs(m);
    if (size == 0.0) strcpy(h.text, "0");
    else if (size < 1e-12) snprintf(h.text, sizeof h.text, "%s1 pm", m < 0.0 ? "> -" : "< ");
    else if (size < 0.9995e-6) snprintf(h.text, sizeof h.text, "%.3g nm", 1e9 * m);
    else if (size < 0.9995e-3) snprintf(h.text, sizeof h.text, "%.3g um", 1e6 * m);
    else if (size < 0.9995) snprintf(h.text, sizeof h.text, "%.3g mm", 1e3 * m);
    else if (size < 999.5) snprintf(h.text, sizeof h.text, "%.3g m", m);
    else snprintf(h.text, sizeof h.text, "%.30s km", human_figure(1e-3 * m).text);
    return h;
}

human_text human_figure(double value)
{
    human_text h;
    double size = fabs(value);
    if (!isfinite(value)) strcpy(h.text, "-");
    else if (size >= 999.5 && size < 999999.5) return human_count(llround(value));
    else snprintf(h.text, sizeof h.text, "%.3g", value);
    return h;
}
