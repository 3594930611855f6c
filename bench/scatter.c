// SPDX-License-Identifier: BSD-3-Clause
#include "scatter.h"

#include <math.h>

#include "core/base/threads.h"
#include "core/maths/rng.h"
#include "core/maths/trig.h"

static const double PI = 3.14159265358979323846;

// The i-th number, uniform in [0, 1), of the sequence splitmix64 that a seed starts.
static double uniform(uint64_t seed, uint64_t i)
{
    uint64_t z = seed + (i + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

// Two random points in a cube are nearer than s with probability 4 pi / 3 (s/L)^3 (1 - 9/8 s/L + ...).
double scatter_edge(int64_t count, double contacts_per_ball)
{
    const double s3 = 9.0, s4 = 20.0 + 2.0 / 80.0 + 6.0 / 144.0;  // means of powers of the sum of two radii
    double edge = scr_cbrt(4.0 * PI / 3.0 * s3 / (2.0 * contacts_per_ball) * (double)count);
    for (int k = 0; k < 50; ++k) {
        double p = 4.0 * PI / 3.0 / (edge * edge * edge) * (s3 - 9.0 / 8.0 * s4 / edge);
        edge *= scr_cbrt(p * 0.5 * (double)(count - 1) / contacts_per_ball);
    }
    return edge;
}

static void place(scr_ball *b, uint64_t seed, int64_t i, double edge)
{
    uint64_t at = 4 * (uint64_t)i;
    *b = (scr_ball){edge * uniform(seed, at), edge * uniform(seed, at + 1), edge * uniform(seed, at + 2),
                    uniform(seed, at + 3)};
}

void scatter_equal(scr_ball *balls, int64_t count, uint64_t seed, double edge)
{
    for (int64_t i = 0; i < count; ++i) {
        place(&balls[i], seed, i, edge);
        balls[i].r += 0.5;
    }
}

void scatter_power_law(scr_ball *balls, int64_t count, uint64_t seed)
{
    // Mean of (r1 + r2)^3 = 2 <r^3> + 6 <r> <r^2> with <r> = 2, <r^2> = 2 ln 1000, <r^3> = 2000, for the cut-off at
    // 1000.
    double edge = scr_cbrt(4.0 * PI / 3.0 * (2.0 * 2000.0 + 6.0 * 2.0 * 13.8) / (2.0 * 0.46) * (double)count);
    for (int64_t i = 0; i < count; ++i) {
        place(&balls[i], seed, i, edge);
        balls[i].r = 1.0 / sqrt(1.0 - balls[i].r * (1.0 - 1e-6));
    }
}

void scatter_giants(scr_ball *balls, int64_t count, uint64_t seed)
{
    // The giants' share of the cube, with <r^3> = 4.6875e8, is the share of the small ones that touch a giant.
    double edge = scr_cbrt(100.0 * 4.0 * PI / 3.0 * 4.6875e8 / 0.46);
    for (int64_t i = 0; i < count; ++i) {
        place(&balls[i], seed, i, edge);
        balls[i].r = i < count - 100 ? 0.5 + 0.5 * balls[i].r : 500.0 + 500.0 * balls[i].r;
    }
}

scattered_layers scatter_layers(int64_t layer_count, int64_t balls_a_layer, double contacts_per_ball, int threads)
{
    int64_t count = layer_count * balls_a_layer;
    double edge = scatter_edge(count, contacts_per_ball);
    return (scattered_layers){1, layer_count, balls_a_layer, edge, edge / (double)layer_count, threads};
}

static scr_status measure_layer(void *context, int64_t layer, int64_t *count, double *floor, scr_error *error)
{
    const scattered_layers *s = context;
    (void)error;
    *count = s->balls_a_layer;
    *floor = s->thickness * (double)layer - 1.5;
    return SCR_OK;
}

static scr_status make_layer(void *context, int64_t layer, scr_ball *balls, int64_t *ids, scr_error *error)
{
    const scattered_layers *s = context;
    (void)error;
#pragma omp parallel for num_threads(s->threads) schedule(static)
    for (int64_t k = 0; k < s->balls_a_layer; ++k) {
        int64_t id = layer * s->balls_a_layer + k;
        place(&balls[k], s->seed, id, s->edge);
        balls[k].z = s->thickness * ((double)layer + balls[k].z / s->edge);
        balls[k].r += 0.5;
        ids[k] = id;
    }
    return SCR_OK;
}

scr_ball_layers scattered_source(scattered_layers *s)
{
    return (scr_ball_layers){s, 2, s->layer_count, measure_layer, make_layer};
}
