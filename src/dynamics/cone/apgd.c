// Accelerated projected gradient descent, line by line as in Melanz, Jayakumar and Negrut (2016), appendix A.
//
// Unscaled, in double precision, on the problem  min 1/2 g^T N g + r^T g  (with N + R where contacts are compliant).
// Numbers in brackets are the lines of the published algorithm. Products with N are formed body by body in the order
// of the contacts' colours, so that the bits do not depend on the number of threads.
#include <math.h>
#include <string.h>

#include "core/threads.h"
#include "dynamics/cone/contact_row.h"
#include "dynamics/cone/solve.h"

static const double RESIDUAL_STEP = 1e-6;  // gd over the inverse of the mean diagonal of N

typedef struct spatial { scr_vec3 v, w; } spatial;  // a body's velocity change: m/s, rad/s

typedef struct apgd {
    const problem *p;   // its colours order the sums
    const contact_system *system;
    const scr_solver_def *def;
    int64_t n;          // contacts
    contact_row *row;   // by contact number
    system_body *mass;
    spatial *body;      // M^-1 D x of the last product
    scr_vec3 *g, *g_next, *y, *best, *gradient, *product, *product_next;
    double *block_sum;
    double gd;
} apgd;

static void push_rows(apgd *s, const contact_order *order, const scr_vec3 *x, int64_t from, int64_t to)
{
    for (int64_t k = from; k < to; ++k) {
        int64_t i = order->contact[k];
        const contact_row *row = &s->row[i];
        const int32_t body[2] = {row->a, row->b};
        const scr_vec3 lever[2] = {row->lever_a, row->lever_b}, impulse[2] = {vec3_neg(x[i]), x[i]};
        for (int side = 0; side < 2; ++side) {
            if (body[side] == NO_BODY) continue;
            spatial *to_body = &s->body[body[side]];
            const system_body *mass = &s->mass[body[side]];
            to_body->v = vec3_add_scaled(to_body->v, mass->inv_mass, impulse[side]);
            to_body->w = vec3_add(to_body->w, mat3_times(&mass->inv_inertia, vec3_cross(lever[side], impulse[side])));
        }
    }
}

static void push_order(apgd *s, const contact_order *order, const scr_vec3 *x)
{
    for (int c = 0; c <= COLOUR_COUNT; ++c) {
        if (order->start[c] == order->start[c + 1]) continue;
        if (c == COLOUR_COUNT) {
#pragma omp single
            push_rows(s, order, x, order->start[c], order->start[c + 1]);
        } else {
#pragma omp for schedule(static)
            for (int64_t k = order->start[c]; k < order->start[c + 1]; ++k) push_rows(s, order, x, k, k + 1);
        }
    }
}

// result = (N + R) x
static void multiply(apgd *s, const scr_vec3 *x, scr_vec3 *result)
{
#pragma omp parallel num_threads(s->system->threads)
    {
#pragma omp for schedule(static)
        for (int64_t i = 0; i < s->system->body_count; ++i) s->body[i] = (spatial){0};
        push_order(s, &s->p->grains, x);
        push_order(s, &s->p->parts, x);
#pragma omp for schedule(static)
        for (int64_t i = 0; i < s->n; ++i) {
            const contact_row *row = &s->row[i];
            scr_vec3 u = {0};
            if (row->b != NO_BODY) u = vec3_add(s->body[row->b].v, vec3_cross(s->body[row->b].w, row->lever_b));
            if (row->a != NO_BODY) u = vec3_sub(u, vec3_add(s->body[row->a].v, vec3_cross(s->body[row->a].w, row->lever_a)));
            double xn = vec3_dot(x[i], row->n);
            scr_vec3 xt = vec3_add_scaled(x[i], -xn, row->n);
            u = vec3_add_scaled(u, row->eps_n * row->a_n * xn, row->n);
            result[i] = vec3_add_scaled(u, row->eps_t * row->a_t, xt);
        }
    }
}

typedef double (*term)(const apgd *s, const scr_vec3 *a, const scr_vec3 *b, int64_t i);

// Sum of a term over all contacts, in fixed blocks.
static double sum_of(apgd *s, term t, const scr_vec3 *a, const scr_vec3 *b)
{
    int64_t blocks = block_count_of(s->n, SUM_BLOCK);
#pragma omp parallel for num_threads(s->system->threads) schedule(static)
    for (int64_t k = 0; k < blocks; ++k) {
        double sum = 0.0;
        for (int64_t i = k * SUM_BLOCK; i < min_i64((k + 1) * SUM_BLOCK, s->n); ++i) sum += t(s, a, b, i);
        s->block_sum[k] = sum;
    }
    double total = 0.0;
    for (int64_t k = 0; k < blocks; ++k) total += s->block_sum[k];
    return total;
}

static double dot_term(const apgd *s, const scr_vec3 *a, const scr_vec3 *b, int64_t i) { (void)s; return vec3_dot(a[i], b[i]); }
static double r_term(const apgd *s, const scr_vec3 *a, const scr_vec3 *b, int64_t i) { (void)b; return vec3_dot(a[i], s->row[i].r); }
static double distance_term(const apgd *s, const scr_vec3 *a, const scr_vec3 *b, int64_t i)
{
    (void)s;
    scr_vec3 d = vec3_sub(a[i], b[i]);
    return vec3_dot(d, d);
}
static double slope_term(const apgd *s, const scr_vec3 *a, const scr_vec3 *b, int64_t i)  // gradient . (a - b)
{
    return vec3_dot(s->gradient[i], vec3_sub(a[i], b[i]));
}
// |(g - P(g - gd (N g + r))) / gd|^2; b is N g
static double residual_term(const apgd *s, const scr_vec3 *a, const scr_vec3 *b, int64_t i)
{
    const contact_row *row = &s->row[i];
    scr_vec3 moved = vec3_add_scaled(a[i], -s->gd, vec3_add(b[i], row->r));
    scr_vec3 f = vec3_scale(1.0 / s->gd, vec3_sub(a[i], cone_project(moved, row->n, row->mu, 1.0)));
    return vec3_dot(f, f);
}

static void step_from_y(apgd *s, double t)  // g_next = P(y - t gradient)
{
#pragma omp parallel for num_threads(s->system->threads) schedule(static)
    for (int64_t i = 0; i < s->n; ++i)
        s->g_next[i] = cone_project(vec3_add_scaled(s->y[i], -t, s->gradient[i]), s->row[i].n, s->row[i].mu, 1.0);
}

static double objective(apgd *s, const scr_vec3 *x, const scr_vec3 *nx) { return 0.5 * sum_of(s, dot_term, x, nx) + sum_of(s, r_term, x, NULL); }

// (5): |N (g0 - 1)| / |g0 - 1|, a first estimate of the Lipschitz constant; 1 is taken in each contact's frame.
static double first_lipschitz(apgd *s)
{
    for (int64_t i = 0; i < s->n; ++i) s->y[i] = vec3_sub(s->g[i], vec3(1.0, 1.0, 1.0));
    multiply(s, s->y, s->product);
    double norm2 = sum_of(s, dot_term, s->y, s->y);
    double lipschitz = norm2 > 0.0 ? sqrt(sum_of(s, dot_term, s->product, s->product) / norm2) : 1.0;
    return lipschitz > 0.0 ? lipschitz : 1.0;
}

static void swap(scr_vec3 **a, scr_vec3 **b)
{
    scr_vec3 *t = *a;
    *a = *b;
    *b = t;
}

// (7) - (32). Returns iterations; *residual is that of the best iterate.
static int iterate(apgd *s, double *residual)
{
    const scr_solver_def *def = s->def;
    double lipschitz = first_lipschitz(s), t = 1.0 / lipschitz, theta = 1.0, least = INFINITY;
    memcpy(s->y, s->g, (size_t)s->n * sizeof *s->y);
    multiply(s, s->y, s->product);  // N y; afterwards by linearity
    int k = 0;
    while (k < def->max_iterations) {
        ++k;
        for (int64_t i = 0; i < s->n; ++i) s->gradient[i] = vec3_add(s->product[i], s->row[i].r);                 // (8)
        double at_y = objective(s, s->y, s->product);
        for (;;) {                                                                                               // (9) - (14)
            step_from_y(s, t);
            multiply(s, s->g_next, s->product_next);
            double bound = at_y + sum_of(s, slope_term, s->g_next, s->y) + 0.5 * lipschitz * sum_of(s, distance_term, s->g_next, s->y);
            if (!(objective(s, s->g_next, s->product_next) >= bound) || lipschitz > 1e300) break;
            // At a fixed point both sides are equal to rounding: doubling on would never end.
            if (sum_of(s, distance_term, s->g_next, s->y) <= 1e-32 * sum_of(s, dot_term, s->g_next, s->g_next)) break;
            lipschitz *= 2.0;
            t = 1.0 / lipschitz;
        }
        double theta_next = 0.5 * (-theta * theta + theta * sqrt(theta * theta + 4.0));                          // (15)
        double beta = theta * (1.0 - theta) / (theta * theta + theta_next);                                      // (16)
        double r = sqrt(sum_of(s, residual_term, s->g_next, s->product_next));                                   // (18)
        if (r < least) {                                                                                         // (19) - (22)
            least = r;
            memcpy(s->best, s->g_next, (size_t)s->n * sizeof *s->best);
        }
        bool restart = sum_of(s, slope_term, s->g_next, s->g) > 0.0;                                             // (26)
        if (restart) beta = 0.0, theta_next = 1.0;                                                               // (27), (28)
        for (int64_t i = 0; i < s->n; ++i) s->y[i] = vec3_add_scaled(s->g_next[i], beta, vec3_sub(s->g_next[i], s->g[i]));  // (17)
        swap(&s->g, &s->g_next);
        if (r < def->tolerance) break;                                                                           // (23) - (25)
        multiply(s, s->y, s->product);
        theta = theta_next;
        lipschitz *= 0.9;                                                                                        // (30), (31)
        t = 1.0 / lipschitz;
    }
    *residual = least;
    return k;
}

static scr_status set_up(apgd *s, const problem *p, const contact_system *system, const scr_solver_def *def, scr_arena *scratch,
                         scr_error *error)
{
    int64_t n = system->contact_count, body_count = system->body_count;
    *s = (apgd){.p = p, .system = system, .def = def, .n = n};
    scr_status status = scr_arena_reserve(scratch,
                                          scr_arena_bytes(sizeof *s->row, n) + scr_arena_bytes(sizeof *s->body, body_count) +
                                              scr_arena_bytes(sizeof *s->mass, body_count) + 7 * scr_arena_bytes(sizeof(scr_vec3), n) +
                                              scr_arena_bytes(sizeof(double), block_count_of(n, SUM_BLOCK)),
                                          "apgd", error);
    if (status != SCR_OK) return status;
    scr_arena arena = *scratch;
    s->row = scr_arena_array(&arena, sizeof *s->row, n);
    s->body = scr_arena_array(&arena, sizeof *s->body, body_count);
    s->mass = scr_arena_array(&arena, sizeof *s->mass, body_count);
    scr_vec3 **vectors[] = {&s->g, &s->g_next, &s->y, &s->best, &s->gradient, &s->product, &s->product_next};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; ++k) *vectors[k] = scr_arena_array(&arena, sizeof(scr_vec3), n);
    s->block_sum = scr_arena_array(&arena, sizeof(double), block_count_of(n, SUM_BLOCK));
    for (int64_t i = 0; i < body_count; ++i) s->mass[i] = system->body(system->owner, i);
    double trace = 0.0;
    for (int64_t i = 0; i < n; ++i) {
        s->row[i] = system->row(system->owner, i);
        trace += s->row[i].a_n + 2.0 * s->row[i].a_t;
        const float *g = system->impulse + 3 * i;
        s->g[i] = cone_project(vec3((double)g[0], (double)g[1], (double)g[2]), s->row[i].n, s->row[i].mu, 1.0);  // (1), or the warm start
    }
    s->gd = n > 0 ? RESIDUAL_STEP * 3.0 * (double)n / trace : 1.0;
    return SCR_OK;
}

scr_status solve_by_apgd(problem *p, const contact_system *system, const scr_solver_def *def, scr_arena *scratch,
                         solve_result *result, scr_error *error)
{
    apgd s;
    *result = (solve_result){0};
    scr_status status = set_up(&s, p, system, def, scratch, error);
    if (status != SCR_OK || s.n == 0) return status;
    result->iterations = iterate(&s, &result->change);
    for (int64_t i = 0; i < s.n; ++i) {                                                                          // (33)
        float *g = system->impulse + 3 * i;
        g[0] = (float)s.best[i].x, g[1] = (float)s.best[i].y, g[2] = (float)s.best[i].z;
    }
    problem_distribute(p, system);
    return SCR_OK;
}
