// SPDX-License-Identifier: BSD-3-Clause
// What a run's probes.csv holds.
#include "app/plot/probe_list.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/command/bar.h"
#include "core/text/human.h"

enum { SPARK_WIDTH = 28 };
static const double FLAT = 1e-9;  // a range so much smaller than its values shows rounding

typedef struct column_range {
    double least, largest, last;  // NaN if there is no number at all
} column_range;

static column_range range_of(const double *value, int64_t count)
{
    column_range r = {NAN, NAN, NAN};
    for (int64_t k = 0; k < count; ++k) {
        if (!isfinite(value[k])) continue;
        r.least = fmin(r.least, value[k]);
        r.largest = fmax(r.largest, value[k]);
    }
    if (count > 0) r.last = value[count - 1];
    return r;
}

// The mean in each of SPARK_WIDTH equal parts of the run. A part without a row is as the row before it.
static void find_means(const probes_table *t, const double *value, double mean[SPARK_WIDTH])
{
    const double *time = t->column[0].value;
    double span = time[t->row_count - 1] - time[0];
    int64_t row = 0;
    for (int i = 0; i < SPARK_WIDTH; ++i) {
        double end = i + 1 < SPARK_WIDTH ? time[0] + span * (i + 1) / SPARK_WIDTH : INFINITY, sum = 0.0;
        int64_t first = row, count = 0;
        for (; row < t->row_count && time[row] < end; ++row) {
            if (!isfinite(value[row])) continue;
            sum += value[row];
            ++count;
        }
        if (row == first && row > 0) sum = value[row - 1], count = 1;
        mean[i] = count > 0 ? sum / (double)count : NAN;
    }
}

static void print_spark(const probes_table *t, const double *value)
{
    static const char *const blocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    static const char *const plain[] = {"_", ".", ",", "-", "=", "+", "*", "#"};
    double mean[SPARK_WIDTH];
    find_means(t, value, mean);
    column_range range = range_of(mean, SPARK_WIDTH);
    double height = range.largest - range.least, size = fmax(fabs(range.least), fabs(range.largest));
    bool is_flat = !(height > FLAT * size);
    const char *const *levels = bar_shows_blocks() ? blocks : plain;
    for (int i = 0; i < SPARK_WIDTH; ++i) {
        double share = is_flat ? 0.0 : (mean[i] - range.least) / height;
        fputs(isfinite(mean[i]) ? levels[(int)fmin(8.0 * share, 7.0)] : " ", stdout);
    }
}

// Characters on the screen: bytes that continue a character take no place.
static int shown_length(const char *text)
{
    int length = 0;
    for (; *text != '\0'; ++text) length += ((unsigned char)*text & 0xc0) != 0x80;
    return length;
}

static void print_padded(const char *text, int width) { printf("  %s%*s", text, width - shown_length(text), ""); }

static void print_figure(double value)
{
    if (isfinite(value)) printf("  %10.5g", value);
    else printf("  %10s", "-");
}

static void print_rows_line(const char *directory, const probes_table *t)
{
    const double *time = t->column[0].value;
    printf("%s: %s, %s", directory, human_things(t->column_count - 1, "column", "columns").text,
           human_things(t->row_count, "row", "rows").text);
    if (t->row_count > 0) printf(", t = %g to %g s", time[0], time[t->row_count - 1]);
    printf("%s\n", t->cut_short ? "; one more is being written" : "");
}

void print_probe_list(const char *directory, const probes_table *t)
{
    int name_width = (int)strlen("column"), unit_width = (int)strlen("unit");
    for (int64_t c = 1; c < t->column_count; ++c) {
        name_width = (int)fmax(name_width, shown_length(t->column[c].name));
        unit_width = (int)fmax(unit_width, shown_length(t->column[c].unit));
    }
    print_rows_line(directory, t);
    print_padded("column", name_width);
    print_padded("unit", unit_width);
    printf("  %10s  %10s  %10s  %s\n", "least", "largest", "last", t->row_count > 1 ? "over time" : "");
    for (int64_t c = 1; c < t->column_count; ++c) {
        const probes_column *column = &t->column[c];
        column_range range = range_of(column->value, t->row_count);
        print_padded(column->name, name_width);
        print_padded(column->unit, unit_width);
        print_figure(range.least);
        print_figure(range.largest);
        print_figure(range.last);
        printf("  ");
        if (t->row_count > 1) print_spark(t, column->value);
        printf("\n");
    }
}
