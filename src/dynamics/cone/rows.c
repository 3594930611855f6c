#include "dynamics/cone/rows.h"

#include <math.h>
#include <string.h>

#include "core/stopwatch.h"
#include "core/threads.h"

static scr_vec3 at(const double *v, int64_t i) { return vec3(v[3 * i], v[3 * i + 1], v[3 * i + 2]); }
static void put(double *v, int64_t i, scr_vec3 x) { v[3 * i] = x.x, v[3 * i + 1] = x.y, v[3 * i + 2] = x.z; }

// ---- set up ----

static void list_contacts_of_bodies(rows *s)
{
    int64_t bodies = s->system->body_count;
    memset(s->first, 0, (size_t)(bodies + 1) * sizeof *s->first);
    for (int64_t i = 0; i < s->n; ++i) {
        if (s->row[i].a != NO_BODY) ++s->first[s->row[i].a + 1];
        if (s->row[i].b != NO_BODY) ++s->first[s->row[i].b + 1];
    }
    for (int64_t k = 0; k < bodies; ++k) s->first[k + 1] += s->first[k];
    for (int64_t i = 0; i < s->n; ++i) {
        if (s->row[i].a != NO_BODY) s->touching[s->first[s->row[i].a]++] = ~(int32_t)i;
        if (s->row[i].b != NO_BODY) s->touching[s->first[s->row[i].b]++] = (int32_t)i;
    }
    for (int64_t k = bodies; k > 0; --k) s->first[k] = s->first[k - 1];
    s->first[0] = 0;
}

// Between two bodies that cannot be moved: nothing to solve.
static void ignore(contact_row *row)
{
    row->a_n = row->a_t = 1.0;
    row->r = vec3(0.0, 0.0, 0.0);
}

scr_status rows_open(rows *s, const contact_system *system, const solve_setting *setting, int vectors, size_t more_bytes,
                     scr_arena *scratch, scr_error *error)
{
    int64_t n = system->contact_count, bodies = system->body_count, blocks = block_count_of(n, SUM_BLOCK);
    size_t vector_bytes = scr_arena_bytes(3 * sizeof(double), n);
    size_t bytes = scr_arena_bytes(sizeof *s->row, n) + scr_arena_bytes(sizeof *s->mass, bodies) +
                   scr_arena_bytes(sizeof *s->body, bodies) + scr_arena_bytes(sizeof *s->first, bodies + 1) +
                   scr_arena_bytes(sizeof *s->touching, 2 * n) + scr_arena_bytes(sizeof *s->block_sum, blocks) +
                   (size_t)(vectors + 2) * vector_bytes + more_bytes;
    scr_status status = scr_arena_reserve(scratch, bytes, "solver in double precision", error);
    if (status != SCR_OK) return status;
    *s = (rows){.system = system, .setting = setting, .n = n, .arena = *scratch, .mean_diagonal = 1.0, .began = scr_now(), .next_report = 1};
    s->row = scr_arena_array(&s->arena, sizeof *s->row, n);
    s->mass = scr_arena_array(&s->arena, sizeof *s->mass, bodies);
    s->body = scr_arena_array(&s->arena, sizeof *s->body, bodies);
    s->first = scr_arena_array(&s->arena, sizeof *s->first, bodies + 1);
    s->touching = scr_arena_array(&s->arena, sizeof *s->touching, 2 * n);
    s->block_sum = scr_arena_array(&s->arena, sizeof *s->block_sum, blocks);
    s->r = rows_vector(s);
    s->measured = rows_vector(s);
    double trace = 0.0;
    for (int64_t k = 0; k < bodies; ++k) s->mass[k] = system->body(system->owner, k);
    for (int64_t i = 0; i < n; ++i) {
        s->row[i] = system->row(system->owner, i);
        if (s->row[i].a_n <= 0.0) ignore(&s->row[i]);
        put(s->r, i, s->row[i].r);
        trace += s->row[i].a_n + 2.0 * s->row[i].a_t;
    }
    if (trace > 0.0) s->mean_diagonal = trace / (3.0 * (double)n);
    list_contacts_of_bodies(s);
    return SCR_OK;
}

double *rows_vector(rows *s) { return scr_arena_array(&s->arena, 3 * sizeof(double), s->n); }

void rows_first_guess(rows *s, double *g)
{
    for (int64_t i = 0; i < s->n; ++i) {
        const float *guess = s->system->impulse + 3 * i;
        put(g, i, contact_row_nearest(&s->row[i], vec3((double)guess[0], (double)guess[1], (double)guess[2]), 1.0));
    }
}

void rows_answer(const rows *s, const double *g)
{
    for (int64_t k = 0; k < 3 * s->n; ++k) s->system->impulse[k] = (float)g[k];
    if (s->system->precise != NULL && s->n > 0) memcpy(s->system->precise, g, 3 * (size_t)s->n * sizeof *g);
}

// ---- products ----

static spatial pushed_body(const rows *s, int64_t body, const double *x)
{
    scr_vec3 push = {0}, turn = {0};
    for (int64_t k = s->first[body]; k < s->first[body + 1]; ++k) {
        bool is_a = s->touching[k] < 0;
        int64_t i = is_a ? ~s->touching[k] : s->touching[k];
        scr_vec3 impulse = is_a ? vec3_neg(at(x, i)) : at(x, i);
        push = vec3_add(push, impulse);
        turn = vec3_add(turn, vec3_cross(is_a ? s->row[i].lever_a : s->row[i].lever_b, impulse));
    }
    return (spatial){vec3_scale(s->mass[body].inv_mass, push), mat3_times(&s->mass[body].inv_inertia, turn)};
}

static scr_vec3 velocity_at(const rows *s, int32_t body, scr_vec3 lever)
{
    if (body == NO_BODY) return vec3(0.0, 0.0, 0.0);
    return vec3_add(s->body[body].v, vec3_cross(s->body[body].w, lever));
}

static void multiply(rows *s, const double *x, double *result)
{
#pragma omp parallel num_threads(s->system->threads)
    {
#pragma omp for schedule(static)
        for (int64_t k = 0; k < s->system->body_count; ++k) s->body[k] = pushed_body(s, k, x);
#pragma omp for schedule(static)
        for (int64_t i = 0; i < s->n; ++i) {
            const contact_row *row = &s->row[i];
            scr_vec3 u = vec3_sub(velocity_at(s, row->b, row->lever_b), velocity_at(s, row->a, row->lever_a));
            double xn = vec3_dot(at(x, i), row->n);
            scr_vec3 xt = vec3_add_scaled(at(x, i), -xn, row->n);
            u = vec3_add_scaled(u, row->eps_n * row->a_n * xn, row->n);
            put(result, i, vec3_add_scaled(u, row->eps_t * row->a_t, xt));
        }
    }
}

void rows_multiply(rows *s, const double *x, double *result)
{
    multiply(s, x, result);
    ++s->passes;
}

// ---- vectors ----

void rows_combine(const rows *s, const double *a, double t, const double *b, double *result)
{
#pragma omp parallel for num_threads(s->system->threads) schedule(static)
    for (int64_t k = 0; k < 3 * s->n; ++k) result[k] = a[k] + t * b[k];
}

void rows_extrapolate(const rows *s, const double *a, double t, const double *old, double *result)
{
#pragma omp parallel for num_threads(s->system->threads) schedule(static)
    for (int64_t k = 0; k < 3 * s->n; ++k) result[k] = a[k] + t * (a[k] - old[k]);
}

void rows_step(const rows *s, const double *y, double t, const double *gradient, double *result)
{
#pragma omp parallel for num_threads(s->system->threads) schedule(static)
    for (int64_t i = 0; i < s->n; ++i)
        put(result, i, contact_row_nearest(&s->row[i], vec3_add_scaled(at(y, i), -t, at(gradient, i)), 1.0));
}

void rows_scaled_step(const rows *s, const double *y, double t, const double *gradient, double *result)
{
#pragma omp parallel for num_threads(s->system->threads) schedule(static)
    for (int64_t i = 0; i < s->n; ++i) {
        const contact_row *row = &s->row[i];
        double b_n = (1.0 + row->eps_n) * row->a_n, b_t = (1.0 + row->eps_t) * row->a_t;
        double un = vec3_dot(at(gradient, i), row->n);
        scr_vec3 ut = vec3_add_scaled(at(gradient, i), -un, row->n);
        scr_vec3 moved = vec3_add_scaled(vec3_add_scaled(at(y, i), -t * un / b_n, row->n), -t / b_t, ut);
        put(result, i, contact_row_nearest(row, moved, b_t / b_n));
    }
}

void rows_copy(const rows *s, const double *a, double *result)
{
    if (s->n > 0) memcpy(result, a, 3 * (size_t)s->n * sizeof *a);
}

// ---- sums ----

typedef double (*term)(const rows *s, const double *a, const double *b, const double *c, int64_t i);

// Sum of a term over all contacts, in fixed blocks.
static double sum_of(rows *s, term t, const double *a, const double *b, const double *c)
{
    int64_t blocks = block_count_of(s->n, SUM_BLOCK);
#pragma omp parallel for num_threads(s->system->threads) schedule(static)
    for (int64_t k = 0; k < blocks; ++k) {
        double sum = 0.0;
        for (int64_t i = k * SUM_BLOCK; i < min_i64((k + 1) * SUM_BLOCK, s->n); ++i) sum += t(s, a, b, c, i);
        s->block_sum[k] = sum;
    }
    double total = 0.0;
    for (int64_t k = 0; k < blocks; ++k) total += s->block_sum[k];
    return total;
}

static double dot_term(const rows *s, const double *a, const double *b, const double *c, int64_t i)
{
    (void)s, (void)c;
    return vec3_dot(at(a, i), at(b, i));
}

static double slope_term(const rows *s, const double *gradient, const double *a, const double *b, int64_t i)
{
    (void)s;
    return vec3_dot(at(gradient, i), vec3_sub(at(a, i), at(b, i)));
}

static double distance_term(const rows *s, const double *a, const double *b, const double *c, int64_t i)
{
    (void)s, (void)c;
    scr_vec3 d = vec3_sub(at(a, i), at(b, i));
    return vec3_dot(d, d);
}

double rows_dot(rows *s, const double *a, const double *b) { return sum_of(s, dot_term, a, b, NULL); }
double rows_slope(rows *s, const double *gradient, const double *a, const double *b) { return sum_of(s, slope_term, gradient, a, b); }
double rows_distance2(rows *s, const double *a, const double *b) { return sum_of(s, distance_term, a, b, NULL); }
double rows_objective(rows *s, const double *x, const double *product) { return 0.5 * rows_dot(s, x, product) + rows_dot(s, s->r, x); }

// x . B x and x . B^-1 x with B the diagonal of N + R along the normal and across it.
static double block_norm2(const contact_row *row, scr_vec3 x)
{
    double xn = vec3_dot(x, row->n);
    scr_vec3 xt = vec3_add_scaled(x, -xn, row->n);
    return (1.0 + row->eps_n) * row->a_n * xn * xn + (1.0 + row->eps_t) * row->a_t * vec3_dot(xt, xt);
}

static double size_term(const rows *s, const double *g, const double *b, const double *c, int64_t i)
{
    (void)b, (void)c;
    return block_norm2(&s->row[i], at(g, i));
}

static double dual_size_term(const rows *s, const double *u, const double *b, const double *c, int64_t i)
{
    (void)b, (void)c;
    const contact_row *row = &s->row[i];
    double un = vec3_dot(at(u, i), row->n);
    scr_vec3 ut = vec3_add_scaled(at(u, i), -un, row->n);
    return un * un / ((1.0 + row->eps_n) * row->a_n) + vec3_dot(ut, ut) / ((1.0 + row->eps_t) * row->a_t);
}

double rows_size2(rows *s, const double *impulses) { return sum_of(s, size_term, impulses, NULL, NULL); }
double rows_dual_size2(rows *s, const double *velocities) { return sum_of(s, dual_size_term, velocities, NULL, NULL); }

// ---- accuracy ----

// What must be complementary to g: the gradient, with the sliding speed added along the normal where friction is Coulomb's.
static scr_vec3 dual_velocity(const rows *s, const double *product, int64_t i)
{
    const contact_row *row = &s->row[i];
    scr_vec3 u = vec3_add(at(product, i), row->r);
    if (s->setting->friction == SCR_FRICTION_CONVEX) return u;
    double un = vec3_dot(u, row->n);
    return vec3_add_scaled(u, row->mu * vec3_norm(vec3_add_scaled(u, -un, row->n)), row->n);
}

static double residual_term(const rows *s, const double *g, const double *product, const double *step, int64_t i)
{
    const contact_row *row = &s->row[i];
    scr_vec3 moved = vec3_add_scaled(at(g, i), -*step, dual_velocity(s, product, i));
    scr_vec3 f = vec3_scale(1.0 / *step, vec3_sub(at(g, i), contact_row_nearest(row, moved, 1.0)));
    return vec3_dot(f, f);
}

double rows_residual(rows *s, const double *g, const double *product, double step)
{
    double d = step / s->mean_diagonal;
    return sqrt(sum_of(s, residual_term, g, product, &d));
}

static double block_step_term(const rows *s, const double *g, const double *product, const double *c, int64_t i)
{
    (void)c;
    const contact_row *row = &s->row[i];
    scr_vec3 u = dual_velocity(s, product, i);
    double un = vec3_dot(u, row->n), an = (1.0 + row->eps_n) * row->a_n, at_ = (1.0 + row->eps_t) * row->a_t;
    scr_vec3 step = vec3_add_scaled(vec3_scale(un / an, row->n), 1.0 / at_, vec3_add_scaled(u, -un, row->n));
    return block_norm2(row, vec3_sub(contact_row_nearest(row, vec3_sub(at(g, i), step), at_ / an), at(g, i)));
}

solve_accuracy rows_measure(rows *s, const double *g)
{
    multiply(s, g, s->measured);
    double size = rows_size2(s, g), step = sum_of(s, block_step_term, g, s->measured, NULL);
    return (solve_accuracy){
        .residual = rows_residual(s, g, s->measured, PUBLISHED_STEP),
        .natural = rows_residual(s, g, s->measured, 1.0),
        .force_error = size > 0.0 ? sqrt(step / size) : step > 0.0 ? 1.0 : 0.0,
        .objective = rows_objective(s, g, s->measured),
    };
}

// ---- watching ----

bool solve_watch_is_due(int iterations, int *next)
{
    if (iterations < *next) return false;
    *next = iterations + (int)max_i64(1, iterations / 20);
    return true;
}

static void report(rows *s, int iterations, int64_t passes, const double *g, double since)
{
    solve_progress progress = {.iterations = iterations, .passes = passes, .seconds = since - s->began - s->watching,
                               .accuracy = rows_measure(s, g), .impulse = g};
    s->setting->watch->see(s->setting->watch->context, &progress);
    s->watching += scr_now() - since;
}

void rows_report(rows *s, int iterations, const double *g)
{
    if (s->setting->watch == NULL || !solve_watch_is_due(iterations, &s->next_report)) return;
    report(s, iterations, s->passes, g, scr_now());
}

void rows_report_single(rows *s, int iterations, const problem *p)
{
    if (!solve_watch_is_due(iterations, &s->next_report)) return;
    scr_arena arena = s->arena;
    double since = scr_now(), *g = scr_arena_array(&arena, 3 * sizeof *g, s->n);
    problem_collect(p, s->system);
    rows_first_guess(s, g);
    report(s, iterations, iterations, g, since);
}
