// SPDX-License-Identifier: BSD-3-Clause
// A Gaussian filter over samples at any times.
#include "view/plot/gaussian_filter.h"

#include <math.h>
#include <stdbool.h>

static const double REACH = 4.0;  // sigmas; the weight there is 3e-4 of the largest

typedef struct samples {
    const double *time, *value;
    int64_t count;
    double sigma;
} samples;

// Moments of the weights in a window, of u = (t_j - t_i) / sigma and of v = y_j - y_i.
typedef struct moments {
    double one, u, uu, v, uv;
} moments;

// Twice the time that sample j stands for; a sample at an end as much as if its neighbour were on both sides.
static double share_of(const samples *s, int64_t j)
{
    double before = j > 0 ? s->time[j] - s->time[j - 1] : -1.0;
    double after = j + 1 < s->count ? s->time[j + 1] - s->time[j] : -1.0;
    if (before < 0.0) before = after;
    if (after < 0.0) after = before;
    return before + after;
}

static moments moments_around(const samples *s, int64_t i, int64_t first)
{
    moments m = {0};
    for (int64_t j = first; j < s->count && s->time[j] - s->time[i] <= REACH * s->sigma; ++j) {
        if (!isfinite(s->value[j])) continue;
        double u = (s->time[j] - s->time[i]) / s->sigma, v = s->value[j] - s->value[i];
        double weight = share_of(s, j) * exp(-0.5 * u * u);
        m.one += weight;
        m.u += weight * u;
        m.uu += weight * u * u;
        m.v += weight * v;
        m.uv += weight * u * v;
    }
    return m;
}

// The difference that the filter makes to a sample.
static double change_of(const moments *m, bool inside)
{
    if (!(m->one > 0.0)) return 0.0;  // alone at its time
    double mean = m->v / m->one, spread = m->one * m->uu - m->u * m->u;
    if (!inside || !(spread > 1e-12 * m->one * m->one)) return mean;
    double slope = (m->one * m->uv - m->u * m->v) / spread;
    return mean - slope * m->u / m->one;
}

void gaussian_filter(const double *time, const double *value, int64_t count, double sigma, double *result)
{
    const samples s = {time, value, count, sigma};
    int64_t begin = 0, end = count - 1, first = 0;
    while (begin < count && !isfinite(value[begin])) ++begin;
    while (end > begin && !isfinite(value[end])) --end;
    for (int64_t i = 0; i < count; ++i) {
        result[i] = value[i];
        if (!isfinite(value[i])) continue;
        while (time[i] - time[first] > REACH * sigma) ++first;
        bool inside = time[i] - time[begin] >= REACH * sigma && time[end] - time[i] >= REACH * sigma;
        moments m = moments_around(&s, i, first);
        result[i] += change_of(&m, inside);
    }
}
