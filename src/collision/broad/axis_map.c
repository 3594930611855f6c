// SPDX-License-Identifier: BSD-3-Clause
#include "collision/broad/axis_map.h"

#include <math.h>

static const double LENGTH_MAX = 1e300;      // keeps the arithmetic finite, whatever a user writes
static const double GAP_SHARE = 1.0 / 32.0;  // of what is left of the axis: a gap this wide is cut out
static const double GAP_CELLS = 8.0;         // what a gap gets at most: strays that the sample did not see

static double length_between(double low, double high) { return fmin(fmax(high - low, 0.0), LENGTH_MAX); }

axis_pieces axis_whole(double low, double high)
{
    return (axis_pieces){1, {low}, {length_between(low, high)}, {false}};
}

typedef struct gap {
    double low, high;
} gap;

// Put g among the widest gaps, which are in falling order of width.
static int keep_widest(gap *widest, int count, gap g)
{
    int at = count < AXIS_CUTS ? count++ : AXIS_CUTS;
    for (; at > 0 && widest[at - 1].high - widest[at - 1].low < g.high - g.low; --at)
        if (at < AXIS_CUTS) widest[at] = widest[at - 1];
    if (at < AXIS_CUTS) widest[at] = g;
    return count;
}

static void sort_by_position(gap *g, int count)
{
    for (int k = 1; k < count; ++k)
        for (int at = k; at > 0 && g[at - 1].low > g[at].low; --at) {
            gap swap = g[at];
            g[at] = g[at - 1];
            g[at - 1] = swap;
        }
}

static void add_piece(axis_pieces *pieces, double low, double high, bool is_gap)
{
    int k = pieces->count++;
    pieces->low[k] = low;
    pieces->length[k] = length_between(low, high);
    pieces->is_gap[k] = is_gap;
}

axis_pieces axis_cut(double low, double high, const double *sample, int64_t sample_count)
{
    gap widest[AXIS_CUTS];
    int count = 0, cuts = 0;
    for (int64_t k = 0; k <= sample_count; ++k)
        count = keep_widest(widest, count, (gap){k == 0 ? low : sample[k - 1], k == sample_count ? high : sample[k]});
    double left = length_between(low, high);
    while (cuts < count && widest[cuts].high - widest[cuts].low > GAP_SHARE * left) {
        left -= widest[cuts].high - widest[cuts].low;
        ++cuts;
    }
    sort_by_position(widest, cuts);

    axis_pieces pieces = {0};
    double from = low;
    for (int k = 0; k < cuts; ++k) {
        if (widest[k].low > from || pieces.count == 0) add_piece(&pieces, from, widest[k].low, false);
        add_piece(&pieces, widest[k].low, widest[k].high, true);
        from = widest[k].high;
    }
    if (high > from || pieces.count == 0) add_piece(&pieces, from, high, false);
    return pieces;
}

static double piece_cells(const axis_pieces *pieces, int k, double edge)
{
    double cells = fmax(1.0, floor(pieces->length[k] / edge));
    return pieces->is_gap[k] ? fmin(cells, GAP_CELLS) : cells;
}

double axis_cells(const axis_pieces *pieces, double edge)
{
    double cells = 0.0;
    for (int k = 0; k < pieces->count; ++k) cells += piece_cells(pieces, k, edge);
    return cells;
}

bool axis_is_wide(const axis_pieces *pieces, double edge)
{
    bool wide = true;
    for (int k = 0; k < pieces->count; ++k) wide &= pieces->length[k] >= edge;
    return wide || (pieces->count == 1 && piece_cells(pieces, 0, edge) == 1.0);
}

axis_map axis_map_of(const axis_pieces *pieces, double edge, double unit)
{
    axis_map map = {.count = pieces->count};
    for (int k = 0; k < pieces->count; ++k) {
        double cells = piece_cells(pieces, k, edge);
        map.low[k] = pieces->low[k] * unit;
        map.inverse[k] = pieces->length[k] > 0.0 ? cells / (pieces->length[k] * unit) : 0.0;
        map.last[k] = cells - 1.0;
        map.base[k] = map.size;
        map.size += (int32_t)cells;
    }
    return map;
}
