// SPDX-License-Identifier: BSD-3-Clause
// Accelerated projected gradient descent, line by line as in Melanz, Jayakumar and Negrut (2016), appendix A.
//
// Unscaled, in double precision, on the problem  min 1/2 g^T N g + r^T g  (with N + R where contacts are compliant).
// Numbers in brackets are the lines of the published algorithm.
#include <math.h>

#include "core/base/interruption.h"
#include "dynamics/cone/gradient/rows.h"

typedef struct apgd {
    rows *s;
    double *g, *g_next, *y, *best, *gradient, *product, *product_next;
    double lipschitz, t;
} apgd;

// (5): |N (g0 - 1)| / |g0 - 1|, a first estimate of the Lipschitz constant; 1 is taken in world axes.
static double first_lipschitz(apgd *a)
{
    for (int64_t k = 0; k < 3 * a->s->entries; ++k) a->y[k] = a->g[k] - 1.0;
    rows_multiply(a->s, a->y, a->product);
    double norm2 = rows_dot(a->s, a->y, a->y);
    double lipschitz = norm2 > 0.0 ? sqrt(rows_dot(a->s, a->product, a->product) / norm2) : 1.0;
    return lipschitz > 0.0 ? lipschitz : 1.0;
}

// (9) - (14): a step from y that is as short as its Lipschitz constant L asks for. f is a quadratic, so the published
// test f(g) >= f(y) + gradient . (g - y) + L/2 |g - y|^2 is d . N d >= L d . d for d = g - y: without the rounding of
// f.
static void step_from_y(apgd *a)
{
    rows *s = a->s;
    for (;;) {
        rows_step(s, a->y, a->t, a->gradient, a->g_next);
        rows_multiply(s, a->g_next, a->product_next);
        double distance2 = rows_distance2(s, a->g_next, a->y);
        double curvature = rows_slope(s, a->product_next, a->g_next, a->y) - rows_slope(s, a->product, a->g_next, a->y);
        if (!(curvature >= a->lipschitz * distance2) || a->lipschitz > 1e300) break;
        // At a fixed point both sides are nothing but rounding: doubling on would never end.
        if (distance2 <= 1e-32 * rows_dot(s, a->g_next, a->g_next)) break;
        a->lipschitz *= 2.0;
        a->t = 1.0 / a->lipschitz;
    }
}

static void swap(double **a, double **b)
{
    double *t = *a;
    *a = *b;
    *b = t;
}

// (7) - (32). Returns iterations; *residual is that of the best iterate.
static int iterate(apgd *a, double *residual)
{
    rows *s = a->s;
    const scr_solver_def *def = s->setting->def;
    a->lipschitz = first_lipschitz(a);
    a->t = 1.0 / a->lipschitz;
    double theta = 1.0, least = INFINITY;
    rows_copy(s, a->g, a->best);
    rows_copy(s, a->g, a->y);
    rows_multiply(s, a->y, a->product);
    int k = 0;
    while (k < def->max_iterations && !interruption_is_overdue()) {
        ++k;
        rows_combine(s, a->product, 1.0, s->r, a->gradient);  // (8)
        // (9) - (14)
        step_from_y(a);
        double theta_next = 0.5 * (-theta * theta + theta * sqrt(theta * theta + 4.0));  // (15)
        double beta = theta * (1.0 - theta) / (theta * theta + theta_next);              // (16)
        double r = rows_published_residual(s, a->g_next, a->product_next);               // (18)
        // (19) - (22)
        if (r < least) {
            least = r;
            rows_copy(s, a->g_next, a->best);
        }
        bool restart = rows_slope(s, a->gradient, a->g_next, a->g) > 0.0;  // (26)
        // (27), (28)
        if (restart) beta = 0.0, theta_next = 1.0;
        rows_extrapolate(s, a->g_next, beta, a->g, a->y);  // (17)
        swap(&a->g, &a->g_next);
        rows_report(s, k, a->best);
        // (23) - (25)
        if (rows_solved(s, a->g, a->product_next)) {
            rows_copy(s, a->g, a->best);
            break;
        }
        rows_multiply(s, a->y, a->product);
        theta = theta_next;
        // (30), (31)
        a->lipschitz *= 0.9;
        a->t = 1.0 / a->lipschitz;
    }
    *residual = least;
    return k;
}

rows_solution solve_by_apgd(rows *s)
{
    apgd a = {.s = s};
    double **vectors[APGD_VECTORS] = {&a.g, &a.g_next, &a.y, &a.best, &a.gradient, &a.product, &a.product_next};
    for (int k = 0; k < APGD_VECTORS; ++k) *vectors[k] = rows_vector(s);
    // (1), or the warm start
    rows_first_guess(s, a.g);
    rows_solution solution = {.g = a.best};
    solution.iterations = iterate(&a, &solution.change);
    return solution;  // (33)
}
