// SPDX-License-Identifier: BSD-3-Clause
// Roughness as a sum of waves.
//
// ISO 8608 describes the profile along a track by its one-sided density of n cycles a metre,
//   G(n) = G0 (n / n0)^-2,   n0 = 0.1 / m,   G0 = 16e-6 m^3 for class A and four times more from class to class.
// A surface that is the same in all directions has a density S(k) over the plane of wave vectors, and a straight
// section of it G(n) / 2 = integral of S(sqrt(n^2 + m^2)) dm. For S = A / k^3 that is 2 A / n^2: A = G0 n0^2 / 4.
//
// The wave numbers between those of the longest and the shortest wave are cut into bands of equal ratio, the half plane
// of directions into equal angles. Of each cell one wave is drawn, with a random phase and the variance of the cell,
//   2 A (1/k0 - 1/k1) angle,   or for an extruded profile   G0 n0^2 (1/k0 - 1/k1),
// and the amplitude sqrt(2 variance). cos(a x + b y + c) is taken apart into factors of x and y alone.
#include "scene/terrain/roughness.h"

#include "core/maths/rng.h"
#include "core/maths/trig.h"

enum { BANDS = 48, DIRECTIONS = 24, PROFILE_BANDS = 512, ROW_BLOCK = 4096 };
static const double PI = 0x1.921fb54442d18p1;
static const double N0 = 0.1, CLASS_A = 16e-6, CLASS_RATIO = 4.0;

static double density_constant(int iso_class)
{
    double g0 = CLASS_A;
    for (int k = 0; k < iso_class; ++k) g0 *= CLASS_RATIO;
    return g0 * N0 * N0;
}

double iso8608_density(int iso_class, double n) { return density_constant(iso_class) / (n * n); }

typedef struct wave {
    double kx, ky, phase, amplitude;  // rad/m, rad/m, rad, m
} wave;

static void add_wave(const wave *w, height_grid *g)
{
    for (int64_t iy = 0; iy < g->size[1]; ++iy) {
        double sine_y, cosine_y, step_sine, step_cosine, sine, cosine;
        scr_sincos(w->ky * height_grid_y(g, iy) + w->phase, &sine_y, &cosine_y);
        scr_sincos(w->kx * g->spacing[0], &step_sine, &step_cosine);
        double *row = g->height + iy * g->size[0];
        for (int64_t ix = 0; ix < g->size[0]; ++ix) {
            if (ix % ROW_BLOCK == 0) {  // afresh, before the rounding of many small rotations is seen
                scr_sincos(w->kx * height_grid_x(g, ix), &sine, &cosine);
                double both = cosine * cosine_y - sine * sine_y;
                sine = sine * cosine_y + cosine * sine_y;
                cosine = both;
            }
            row[ix] += w->amplitude * cosine;
            double next = cosine * step_cosine - sine * step_sine;
            sine = sine * step_cosine + cosine * step_sine;
            cosine = next;
        }
    }
}

void roughness_add(const ground_roughness *r, uint64_t seed, uint64_t stream, height_grid *grid)
{
    int bands = r->is_extruded ? PROFILE_BANDS : BANDS, directions = r->is_extruded ? 1 : DIRECTIONS;
    double low = 1.0 / r->longest, ratio = scr_log(r->longest / r->shortest) / bands,
           c = density_constant(r->iso_class);
    for (int band = 0; band < bands; ++band) {
        double k0 = low * scr_exp(ratio * band), k1 = low * scr_exp(ratio * (band + 1)), spread = 1.0 / k0 - 1.0 / k1;
        for (int direction = 0; direction < directions; ++direction) {
            double u[4], sine = 0.0, cosine = 1.0, variance = c * spread;
            uint64_t index = 2 * (uint64_t)(band * directions + direction);
            scr_uniform2(seed, stream, index, u);
            scr_uniform2(seed, stream, index + 1, u + 2);
            if (!r->is_extruded) {
                scr_sincos(PI * (direction + u[2]) / directions, &sine, &cosine);
                variance = 0.5 * c * spread * PI / directions;
            }
            double k = 2.0 * PI * k0 * scr_exp(ratio * u[0]);
            wave w = {k * cosine, k * sine, 2.0 * PI * u[1], sqrt(2.0 * variance)};
            add_wave(&w, grid);
        }
    }
}
