// SPDX-License-Identifier: BSD-3-Clause
// Projected Jacobi iteration, as in Tasora, Negrut and Anitescu (2008) and Mazhar, Heyn and Negrut (2011):
//     g_i <- lambda P(g_i - omega eta_i u_i) + (1 - lambda) g_i,      eta_i = 3 / trace of the contact's block of N + R
// for all contacts at once. There omega is the user's to find. The more contacts a body has the smaller it must be:
// when f rises, the iteration is taken back and goes on with half of omega, so that f never rises.
#include <math.h>

#include "core/base/interruption.h"
#include "dynamics/cone/gradient/rows.h"

static const double USUAL_OMEGA = 0.3;  // holds for most beds
static const double LEAST_OMEGA = 1e-12;

typedef struct jacobi {
    rows *s;
    double *g, *product, *next, *next_product;
} jacobi;

static void relax(const jacobi *j, double omega, double lambda)
{
    const rows *s = j->s;
#pragma omp parallel for num_threads(s->system->threads) schedule(static)
    for (int64_t i = 0; i < s->n; ++i) {
        const contact_row *row = &s->row[i];
        double trace = (1.0 + row->eps_n) * row->a_n + 2.0 * (1.0 + row->eps_t) * row->a_t, numbers = 3.0;
        if (s->entries > s->n) trace += 3.0 * (1.0 + row->eps_q) * row->a_q, numbers = 6.0;
        rows_relax(s, i, omega * numbers / trace, lambda, j->g, j->product, j->next);
    }
}

static void swap(double **a, double **b)
{
    double *t = *a;
    *a = *b;
    *b = t;
}

rows_solution solve_by_jacobi(rows *s)
{
    const scr_solver_def *def = s->setting->def;
    double omega = def->omega > 0.0 ? def->omega : USUAL_OMEGA, lambda = def->lambda > 0.0 ? def->lambda : 1.0;
    jacobi j = {.s = s};
    double **vectors[JACOBI_VECTORS] = {&j.g, &j.product, &j.next, &j.next_product};
    for (int k = 0; k < JACOBI_VECTORS; ++k) *vectors[k] = rows_vector(s);
    rows_first_guess(s, j.g);
    rows_multiply(s, j.g, j.product);
    double objective = rows_objective(s, j.g, j.product), residual = INFINITY;
    int k = 0;
    while (k < def->max_iterations && !interruption_is_overdue() && omega > LEAST_OMEGA) {
        ++k;
        relax(&j, omega, lambda);
        rows_multiply(s, j.next, j.next_product);
        double next = rows_objective(s, j.next, j.next_product);
        // Where f has reached its least value it is known to rounding only.
        if (!(next <= objective + 1e-14 * fabs(objective))) {
            omega *= 0.5;
            continue;
        }
        objective = next;
        swap(&j.g, &j.next);
        swap(&j.product, &j.next_product);
        rows_report(s, k, j.g);
        residual = rows_published_residual(s, j.g, j.product);
        if (rows_solved(s, j.g, j.product)) break;
    }
    return (rows_solution){.g = j.g, .iterations = k, .change = residual};
}
