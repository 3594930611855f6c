// SPDX-License-Identifier: BSD-3-Clause
// Spectral projected gradients with the steps of Barzilai and Borwein (Birgin, Martinez and Raydan, 2000):
//     d = P(g - alpha B^-1 gradient) - g,   g <- g + t d with the first t = 1, 1/2, 1/4, ... for which
//     f(g + t d) <= max of the last MEMORY f + SLOPE t gradient . d
// alpha is one of s.Bs / s.y and s.y / y.B^-1 y in turn, s and y being the last changes of g and of the gradient, B the
// diagonal of N + R along each contact's normal and across it: without it unequal masses would ask for unequal steps. f
// is a quadratic: one product with N gives its values all along d, and y. f may rise for a while: the answer is the
// iterate of least f.
#include <math.h>
#include <string.h>

#include "core/base/interruption.h"
#include "dynamics/cone/gradient/rows.h"

enum { MEMORY = 10, REFRESH = 50 };  // products are updated by differences; formed anew this often, against rounding
static const double SLOPE = 1e-4, LEAST_ALPHA = 1e-10, LARGEST_ALPHA = 1e10;
static const double LEAST_T = 0x1p-60;

typedef struct spectral {
    rows *s;
    double *g, *product, *gradient, *moved, *d, *d_product, *best;
    double recent[MEMORY];  // values of f
    double alpha;
} spectral;

static double largest_recent(const spectral *b, int iteration)
{
    int count = iteration < MEMORY ? iteration : MEMORY;
    double largest = b->recent[0];
    for (int k = 1; k < count; ++k) largest = fmax(largest, b->recent[k]);
    return largest;
}

static double clamped(double alpha)
{
    return alpha > 0.0 && isfinite(alpha) ? fmin(fmax(alpha, LEAST_ALPHA), LARGEST_ALPHA) : 1.0;
}

// One iteration. False: no way is down any more.
static bool descend(spectral *b, int iteration, double *objective)
{
    rows *s = b->s;
    rows_scaled_step(s, b->g, b->alpha, b->gradient, b->moved);
    rows_combine(s, b->moved, -1.0, b->g, b->d);
    rows_multiply(s, b->d, b->d_product);
    double slope = rows_dot(s, b->gradient, b->d), curvature = rows_dot(s, b->d, b->d_product);
    if (!(slope < 0.0)) return false;
    // Both sides less f(g): what is compared are differences, without the rounding of f.
    double allowed = largest_recent(b, iteration) - *objective, t = 1.0;
    while ((1.0 - SLOPE) * t * slope + 0.5 * t * t * curvature > allowed && t > LEAST_T) t *= 0.5;
    *objective += t * slope + 0.5 * t * t * curvature;
    rows_combine(s, b->g, t, b->d, b->g);
    rows_combine(s, b->product, t, b->d_product, b->product);
    b->alpha =
        clamped(iteration % 2 == 0 ? rows_size2(s, b->d) / curvature : curvature / rows_dual_size2(s, b->d_product));
    return true;
}

// From g alone: what was updated by differences is formed anew.
static void start_from(spectral *b, double *objective)
{
    rows_multiply(b->s, b->g, b->product);
    *objective = rows_objective(b->s, b->g, b->product);
}

rows_solution solve_by_bb(rows *s)
{
    const scr_solver_def *def = s->setting->def;
    spectral b = {.s = s, .alpha = 1.0};
    double **vectors[BB_VECTORS] = {&b.g, &b.product, &b.gradient, &b.moved, &b.d, &b.d_product, &b.best};
    for (int k = 0; k < BB_VECTORS; ++k) *vectors[k] = rows_vector(s);
    double objective, least, residual;
    rows_first_guess(s, b.g);
    rows_copy(s, b.g, b.best);
    start_from(&b, &objective);
    least = objective;
    residual = rows_published_residual(s, b.g, b.product);
    int k = 0, refreshed = 0;
    bool solved = rows_solved(s, b.g, b.product);
    while (k < def->max_iterations && !interruption_is_overdue() && !solved && residual > 0.0) {
        ++k;
        b.recent[(k - 1) % MEMORY] = objective;
        rows_combine(s, b.product, 1.0, s->r, b.gradient);
        bool down = descend(&b, k, &objective);
        if (!down && refreshed == k - 1) break;
        if (!down) b.alpha = 1.0;
        if (!down || k % REFRESH == 0) start_from(&b, &objective), refreshed = k;
        residual = rows_published_residual(s, b.g, b.product);
        solved = rows_solved(s, b.g, b.product);
        if (objective < least || solved) {
            least = objective;
            rows_copy(s, b.g, b.best);
        }
        rows_report(s, k, b.best);
    }
    return (rows_solution){.g = b.best, .iterations = k, .change = residual};
}
