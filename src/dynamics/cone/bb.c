// Spectral projected gradients with the steps of Barzilai and Borwein (Birgin, Martinez and Raydan, 2000):
//     d = P(g - alpha gradient) - g,   g <- g + t d with the first t = 1, 1/2, 1/4, ... for which
//     f(g + t d) <= max of the last MEMORY f + SLOPE t gradient . d
// alpha is one of s.s / s.y and s.y / y.y in turn, s and y being the last changes of g and of the gradient. f is a quadratic:
// one product with N gives its values all along d, and y. The best iterate by the residual is the answer.
#include <math.h>
#include <string.h>

#include "dynamics/cone/rows.h"

enum { MEMORY = 10, REFRESH = 50 };  // products are updated by differences; formed anew this often, against rounding
static const double SLOPE = 1e-4, LEAST_ALPHA = 1e-10, LARGEST_ALPHA = 1e10;  // alpha is over the mean diagonal of N
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

static double clamped(const spectral *b, double alpha)
{
    double d = b->s->mean_diagonal;
    return alpha > 0.0 && isfinite(alpha) ? fmin(fmax(alpha, LEAST_ALPHA / d), LARGEST_ALPHA / d) : 1.0 / d;
}

// One iteration. False: no way is down any more.
static bool descend(spectral *b, int iteration, double *objective)
{
    rows *s = b->s;
    rows_step(s, b->g, b->alpha, b->gradient, b->moved);
    rows_combine(s, b->moved, -1.0, b->g, b->d);
    rows_multiply(s, b->d, b->d_product);
    double slope = rows_dot(s, b->gradient, b->d), curvature = rows_dot(s, b->d, b->d_product), d2 = rows_dot(s, b->d, b->d);
    if (!(slope < 0.0)) return false;
    double bound = largest_recent(b, iteration), t = 1.0;
    while (*objective + t * slope + 0.5 * t * t * curvature > bound + SLOPE * t * slope && t > LEAST_T) t *= 0.5;
    *objective += t * slope + 0.5 * t * t * curvature;
    rows_combine(s, b->g, t, b->d, b->g);
    rows_combine(s, b->product, t, b->d_product, b->product);
    double y2 = rows_dot(s, b->d_product, b->d_product);
    b->alpha = clamped(b, iteration % 2 == 0 ? d2 / curvature : curvature / y2);
    return true;
}

static void start_from(spectral *b, double *objective)
{
    rows_multiply(b->s, b->g, b->product);
    *objective = rows_objective(b->s, b->g, b->product);
}

rows_solution solve_by_bb(rows *s)
{
    const scr_solver_def *def = s->setting->def;
    spectral b = {.s = s, .alpha = 1.0 / s->mean_diagonal};
    double **vectors[BB_VECTORS] = {&b.g, &b.product, &b.gradient, &b.moved, &b.d, &b.d_product, &b.best};
    for (int k = 0; k < BB_VECTORS; ++k) *vectors[k] = rows_vector(s);
    double objective;
    rows_first_guess(s, b.g);
    start_from(&b, &objective);
    rows_copy(s, b.g, b.best);
    double least = rows_residual(s, b.g, b.product, PUBLISHED_STEP);
    int k = 0;
    while (k < def->max_iterations && least >= def->tolerance && least > 0.0) {
        ++k;
        b.recent[(k - 1) % MEMORY] = objective;
        rows_combine(s, b.product, 1.0, s->r, b.gradient);
        if (!descend(&b, k, &objective)) break;
        if (k % REFRESH == 0) start_from(&b, &objective);
        double residual = rows_residual(s, b.g, b.product, PUBLISHED_STEP);
        if (residual < least) {
            least = residual;
            rows_copy(s, b.g, b.best);
        }
        rows_report(s, k, b.best);
    }
    return (rows_solution){.g = b.best, .iterations = k, .change = least};
}
