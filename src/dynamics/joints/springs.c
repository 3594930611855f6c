// SPDX-License-Identifier: BSD-3-Clause
// The law of a spring. With stretch s = length - rest, and stops at lower and upper
//     f(length) = preload + k s - ks max(lower - length, 0) + ks max(length - upper, 0)
// A table of pairs (s, f) takes the place of k s: straight lines between them, the first and the last going on outside.
// The energy is the integral of f from where spring and preload together carry no force, and that of the stops from
// where they begin to press: it is never negative. Of a table it is counted from the lowest point of that integral;
// should it fall without end outside the table, and of a constant force (k = 0), from the lowest pair and from rest.
#include "dynamics/joints/joints.h"

// The line of a table on which a stretch lies: the pair it begins with, and its slope.
static const double *table_line(const double *pair, int64_t count, double s, double *slope)
{
    int64_t low = 0, high = count - 2;  // lines
    while (low < high) {
        int64_t mid = (low + high + 1) / 2;
        if (pair[2 * mid] <= s) low = mid;
        else high = mid - 1;
    }
    const double *p = pair + 2 * low;
    *slope = (p[3] - p[1]) / (p[2] - p[0]);
    return p;
}

// The integral of a table's force from its first pair.
static double table_integral(const double *pair, int64_t count, double s)
{
    double slope, sum = 0.0;
    const double *line = table_line(pair, count, s, &slope);
    for (const double *p = pair; p < line; p += 2) sum += 0.5 * (p[1] + p[3]) * (p[2] - p[0]);
    double d = s - line[0];
    return sum + d * (line[1] + 0.5 * slope * d);
}

// The least of the integral of a table's force and the preload from the first pair: at a pair, or on a rising line
// where the force is zero.
static double least_table_energy(const double *pair, int64_t count, double preload)
{
    double energy = 0.0, least = 0.0;
    for (int64_t i = 0; i < count - 1; ++i) {
        const double *p = pair + 2 * i;
        double length = p[2] - p[0], force = p[1] + preload, slope = (p[3] - p[1]) / length, zero = -force / slope;
        bool is_on_line = slope > 0.0 && (i == 0 || zero >= 0.0) && (i == count - 2 || zero <= length);
        if (is_on_line) least = fmin(least, energy - 0.5 * force * force / slope);
        energy += length * (force + 0.5 * slope * length);
        least = fmin(least, energy);
    }
    return least;
}

// How far a stop is pressed: below the lower one, or beyond the upper one, which pulls.
static double pressed_by(const springs *s, int64_t i, double length)
{
    if (length < s->lower[i]) return length - s->lower[i];
    return length > s->upper[i] ? length - s->upper[i] : 0.0;
}

double spring_force(const springs *s, int64_t i, double length, double *slope)
{
    double stretch = length - s->rest[i], pressed = pressed_by(s, i, length), force = s->stiffness[i] * stretch;
    *slope = s->stiffness[i];
    if (s->pair_count[i] > 0) {
        const double *line = table_line(s->pairs + 2 * s->first_pair[i], s->pair_count[i], stretch, slope);
        force = line[1] + *slope * (stretch - line[0]);
    }
    if (pressed != 0.0) *slope += s->stop_stiffness[i];
    return s->preload[i] + force + s->stop_stiffness[i] * pressed;
}

double spring_damping(const springs *s, int64_t i, double length)
{
    return s->damping[i] + (pressed_by(s, i, length) != 0.0 ? s->stop_damping[i] : 0.0);
}

double spring_energy(const springs *s, int64_t i, double length)
{
    double stretch = length - s->rest[i], pressed = pressed_by(s, i, length), preload = s->preload[i], energy;
    if (s->pair_count[i] > 0) {
        const double *pair = s->pairs + 2 * s->first_pair[i];
        energy = table_integral(pair, s->pair_count[i], stretch) + preload * (stretch - pair[0]) -
                 least_table_energy(pair, s->pair_count[i], preload);
    } else if (s->stiffness[i] > 0.0) {
        double force = preload + s->stiffness[i] * stretch;
        energy = 0.5 * force * force / s->stiffness[i];
    } else {
        energy = preload * stretch;
    }
    return energy + 0.5 * s->stop_stiffness[i] * pressed * pressed;
}
