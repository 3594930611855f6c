// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/cone/gradient/rows.h"

#include <math.h>
#include <string.h>

#include "core/base/stopwatch.h"
#include "core/base/threads.h"
#include "dynamics/cone/system/force_error.h"
#include "dynamics/cone/system/response.h"

static scr_vec3 at(const double *v, int64_t i) { return vec3(v[3 * i], v[3 * i + 1], v[3 * i + 2]); }
static void put(double *v, int64_t i, scr_vec3 x) { v[3 * i] = x.x, v[3 * i + 1] = x.y, v[3 * i + 2] = x.z; }

static bool rolls(const rows *s) { return s->entries > s->n; }

// The load of contact i in a vector, or in its place.
static contact_load load_at(const rows *s, const double *v, int64_t i)
{
    contact_load load = {.g = at(v, i)};
    if (rolls(s)) load.q = at(v, s->n + i);
    return load;
}

static void put_load(const rows *s, double *v, int64_t i, contact_load load)
{
    put(v, i, load.g);
    if (rolls(s)) put(v, s->n + i, load.q);
}

static contact_load nearest_load(const rows *s, int64_t i, contact_load load, double kappa_t, double kappa_q)
{
    friction_cone cone = contact_row_cone(&s->row[i]);
    if (rolls(s)) return cone_project_load(&cone, load, kappa_t, kappa_q);
    return (contact_load){.g = cone_project(&cone, load.g, kappa_t)};
}

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
    row->a_n = row->a_t = row->a_q = 1.0;
    row->r = vec3(0.0, 0.0, 0.0);
}

scr_status rows_open(rows *s, const contact_system *system, const solve_setting *setting, int vectors,
                     size_t more_bytes, scr_arena *scratch, scr_error *error)
{
    int64_t n = system->contact_count, bodies = system->body_count, blocks = block_count_of(n, SUM_BLOCK);
    int64_t entries = system->angular_impulse != NULL ? 2 * n : n;
    size_t vector_bytes = scr_arena_bytes(3 * sizeof(double), entries);
    size_t bytes = scr_arena_bytes(sizeof *s->row, n) + scr_arena_bytes(sizeof *s->mass, bodies) +
                   scr_arena_bytes(sizeof *s->body, bodies) + scr_arena_bytes(sizeof *s->first, bodies + 1) +
                   scr_arena_bytes(sizeof *s->touching, 2 * n) + scr_arena_bytes(sizeof *s->block_sum, blocks) +
                   joined_bytes(system->joints) + (size_t)(vectors + 2) * vector_bytes + more_bytes;
    scr_status status = scr_arena_reserve(scratch, bytes, "solver in double precision", error);
    if (status != SCR_OK) return status;
    *s = (rows){.system = system,
                .setting = setting,
                .n = n,
                .entries = entries,
                .arena = *scratch,
                .error = error,
                .mean_diagonal = 1.0,
                .began = scr_now(),
                .next_report = 1};
    s->row = scr_arena_array(&s->arena, sizeof *s->row, n);
    s->mass = scr_arena_array(&s->arena, sizeof *s->mass, bodies);
    s->body = scr_arena_array(&s->arena, sizeof *s->body, bodies);
    s->first = scr_arena_array(&s->arena, sizeof *s->first, bodies + 1);
    s->touching = scr_arena_array(&s->arena, sizeof *s->touching, 2 * n);
    s->block_sum = scr_arena_array(&s->arena, sizeof *s->block_sum, blocks);
    s->joined = joined_of(system->joints, &s->arena);
    s->r = rows_vector(s);
    s->measured = rows_vector(s);
    double trace = 0.0, friction = 0.0;
    for (int64_t k = 0; k < bodies; ++k) s->mass[k] = system->body(system->owner, k);
    for (int64_t i = 0; i < n; ++i) {
        s->row[i] = system->row(system->owner, i);
        if (s->row[i].a_n <= 0.0) ignore(&s->row[i]);
        put(s->r, i, s->row[i].r);
        if (rolls(s)) put(s->r, n + i, s->row[i].r_q);
        trace += s->row[i].a_n + 2.0 * s->row[i].a_t;
        friction = fmax(friction, s->row[i].mu);
    }
    double lightest = INFINITY, heaviest = 0.0;
    for (int64_t k = 0; k < bodies; ++k) {
        if (s->mass[k].inv_mass == 0.0) continue;
        lightest = fmin(lightest, 1.0 / s->mass[k].inv_mass);
        heaviest = fmax(heaviest, 1.0 / s->mass[k].inv_mass);
    }
    s->least_compliance = least_compliance(heaviest > 0.0 ? lightest / heaviest : 1.0);
    s->doubt = setting->friction == SCR_FRICTION_COULOMB ? coulomb_doubt(friction) : 1.0;
    if (trace > 0.0) s->mean_diagonal = trace / (3.0 * (double)n);
    list_contacts_of_bodies(s);
    return SCR_OK;
}

double *rows_vector(rows *s) { return scr_arena_array(&s->arena, 3 * sizeof(double), s->entries); }

void rows_first_guess(rows *s, double *g)
{
    for (int64_t i = 0; i < s->n; ++i) {
        const float *guess = s->system->impulse + 3 * i;
        contact_load load = {.g = vec3((double)guess[0], (double)guess[1], (double)guess[2])};
        if (rolls(s)) {
            const float *angular_impulse = s->system->angular_impulse + 3 * i;
            load.q = vec3_scale(1.0 / s->row[i].arm, vec3((double)angular_impulse[0], (double)angular_impulse[1],
                                                          (double)angular_impulse[2]));
        }
        put_load(s, g, i, nearest_load(s, i, load, 1.0, 1.0));
    }
}

void rows_take_precise(rows *s, double *g)
{
    const double *precise = s->system->precise;
    memcpy(g, precise, 3 * (size_t)s->n * sizeof *g);
    for (int64_t k = 3 * s->n; k < 3 * s->entries; ++k) g[k] = precise[k] / s->row[k / 3 - s->n].arm;
}

void rows_answer(const rows *s, const double *g)
{
    double *precise = s->system->precise;
    for (int64_t k = 0; k < 3 * s->n; ++k) s->system->impulse[k] = (float)g[k];
    if (precise != NULL && s->n > 0) memcpy(precise, g, 3 * (size_t)s->n * sizeof *g);
    for (int64_t k = 3 * s->n; k < 3 * s->entries; ++k) {
        double angular_impulse = s->row[k / 3 - s->n].arm * g[k];
        s->system->angular_impulse[k - 3 * s->n] = (float)angular_impulse;
        if (precise != NULL) precise[k] = angular_impulse;
    }
}

// ---- products ----

static twist pushed_body(const rows *s, int64_t body, const double *x)
{
    scr_vec3 linear = {0}, angular = {0};
    for (int64_t k = s->first[body]; k < s->first[body + 1]; ++k) {
        bool is_a = s->touching[k] < 0;
        int64_t i = is_a ? ~s->touching[k] : s->touching[k];
        scr_vec3 impulse = is_a ? vec3_neg(at(x, i)) : at(x, i);
        linear = vec3_add(linear, impulse);
        angular = vec3_add(angular, vec3_cross(is_a ? s->row[i].lever_a : s->row[i].lever_b, impulse));
        if (rolls(s)) angular = vec3_add_scaled(angular, is_a ? -s->row[i].arm : s->row[i].arm, at(x, s->n + i));
    }
    return (twist){vec3_scale(s->mass[body].inv_mass, linear), mat3_times(&s->mass[body].inv_inertia, angular)};
}

static scr_vec3 velocity_at(const rows *s, int32_t body, scr_vec3 lever)
{
    return body == NO_BODY ? vec3(0.0, 0.0, 0.0) : point_velocity(s->body[body], lever);
}

static scr_vec3 spin_of(const rows *s, int32_t body) { return body == NO_BODY ? vec3(0.0, 0.0, 0.0) : s->body[body].w; }

// The bodies of a mechanism move on as its joints allow.
static void step_joints(rows *s, joined_mechanism *one)
{
    const joint_mechanism *joints = one->joints;
    for (int32_t i = 0; i < joints->equations.body_count; ++i) {
        const twist *change = &s->body[joints->body[i]];
        const body_inertia *mass = &joints->equations.body[i];
        put(one->body, 2 * i, vec3_scale(mass->mass, change->v));
        put(one->body, 2 * i + 1, mat3_times(&mass->inertia, change->w));
    }
    joined_begin(one);
    for (int32_t i = 0; i < joints->equations.body_count; ++i)
        s->body[joints->body[i]] = (twist){at(one->body, 2 * i), at(one->body, 2 * i + 1)};
}

static void multiply(rows *s, const double *x, double *result)
{
#pragma omp parallel num_threads(s->system->threads)
    {
#pragma omp for schedule(static)
        for (int64_t k = 0; k < s->system->body_count; ++k) s->body[k] = pushed_body(s, k, x);
#pragma omp for schedule(static)
        for (int64_t k = 0; k < s->joined.mechanism_count; ++k) step_joints(s, &s->joined.mechanism[k]);
#pragma omp for schedule(static)
        for (int64_t i = 0; i < s->n; ++i) {
            const contact_row *row = &s->row[i];
            scr_vec3 u = vec3_sub(velocity_at(s, row->b, row->lever_b), velocity_at(s, row->a, row->lever_a));
            double xn = vec3_dot(at(x, i), row->n);
            scr_vec3 xt = vec3_add_scaled(at(x, i), -xn, row->n);
            u = vec3_add_scaled(u, row->eps_n * row->a_n * xn, row->n);
            put(result, i, vec3_add_scaled(u, row->eps_t * row->a_t, xt));
            if (!rolls(s)) continue;
            scr_vec3 w = vec3_scale(row->arm, vec3_sub(spin_of(s, row->b), spin_of(s, row->a)));
            put(result, s->n + i, vec3_add_scaled(w, row->eps_q * row->a_q, at(x, s->n + i)));
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
    for (int64_t k = 0; k < 3 * s->entries; ++k) result[k] = a[k] + t * b[k];
}

void rows_extrapolate(const rows *s, const double *a, double t, const double *old, double *result)
{
#pragma omp parallel for num_threads(s->system->threads) schedule(static)
    for (int64_t k = 0; k < 3 * s->entries; ++k) result[k] = a[k] + t * (a[k] - old[k]);
}

void rows_step(const rows *s, const double *y, double t, const double *gradient, double *result)
{
#pragma omp parallel for num_threads(s->system->threads) schedule(static)
    for (int64_t i = 0; i < s->n; ++i)
        put_load(s, result, i, nearest_load(s, i, load_plus(load_at(s, y, i), -t, load_at(s, gradient, i)), 1.0, 1.0));
}

void rows_relax(const rows *s, int64_t i, double t, double lambda, const double *g, const double *product,
                double *result)
{
    contact_load load = load_at(s, g, i), u = load_plus(load_at(s, product, i), 1.0, load_at(s, s->r, i));
    contact_load p = nearest_load(s, i, load_plus(load, -t, u), 1.0, 1.0);
    put_load(s, result, i, load_plus(load, lambda, load_plus(p, -1.0, load)));
}

// B, the diagonal of N + R along the normal, across it, and of the moment.
typedef struct block_diagonal {
    double n, t, q;
} block_diagonal;

static block_diagonal block_of(const rows *s, const contact_row *row)
{
    return (block_diagonal){(1.0 + row->eps_n) * row->a_n, (1.0 + row->eps_t) * row->a_t,
                            rolls(s) ? (1.0 + row->eps_q) * row->a_q : 1.0};
}

// b x.n along n, and so on
static contact_load block_times(block_diagonal b, scr_vec3 n, contact_load x)
{
    double xn = vec3_dot(x.g, n);
    return (contact_load){vec3_add_scaled(vec3_scale(b.n * xn, n), b.t, vec3_add_scaled(x.g, -xn, n)),
                          vec3_scale(b.q, x.q)};
}

static contact_load block_solve(block_diagonal b, scr_vec3 n, contact_load u)
{
    return block_times((block_diagonal){1.0 / b.n, 1.0 / b.t, 1.0 / b.q}, n, u);
}

// P(load - t B^-1 u) in the metric of B
static contact_load block_step(const rows *s, int64_t i, contact_load load, double t, contact_load u)
{
    block_diagonal b = block_of(s, &s->row[i]);
    return nearest_load(s, i, load_plus(load, -t, block_solve(b, s->row[i].n, u)), b.t / b.n, b.q / b.n);
}

void rows_scaled_step(const rows *s, const double *y, double t, const double *gradient, double *result)
{
#pragma omp parallel for num_threads(s->system->threads) schedule(static)
    for (int64_t i = 0; i < s->n; ++i)
        put_load(s, result, i, block_step(s, i, load_at(s, y, i), t, load_at(s, gradient, i)));
}

void rows_copy(const rows *s, const double *a, double *result)
{
    if (s->n > 0) memcpy(result, a, 3 * (size_t)s->entries * sizeof *a);
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
    (void)c;
    return load_dot(load_at(s, a, i), load_at(s, b, i));
}

static double slope_term(const rows *s, const double *gradient, const double *a, const double *b, int64_t i)
{
    return load_dot(load_at(s, gradient, i), load_plus(load_at(s, a, i), -1.0, load_at(s, b, i)));
}

static double distance_term(const rows *s, const double *a, const double *b, const double *c, int64_t i)
{
    (void)c;
    contact_load d = load_plus(load_at(s, a, i), -1.0, load_at(s, b, i));
    return load_dot(d, d);
}

double rows_dot(rows *s, const double *a, const double *b) { return sum_of(s, dot_term, a, b, NULL); }
double rows_slope(rows *s, const double *gradient, const double *a, const double *b)
{
    return sum_of(s, slope_term, gradient, a, b);
}
double rows_distance2(rows *s, const double *a, const double *b) { return sum_of(s, distance_term, a, b, NULL); }
double rows_objective(rows *s, const double *x, const double *product)
{
    return 0.5 * rows_dot(s, x, product) + rows_dot(s, s->r, x);
}

static double size_term(const rows *s, const double *g, const double *b, const double *c, int64_t i)
{
    (void)b, (void)c;
    contact_load load = load_at(s, g, i);
    return load_dot(load, block_times(block_of(s, &s->row[i]), s->row[i].n, load));
}

static double dual_size_term(const rows *s, const double *velocities, const double *b, const double *c, int64_t i)
{
    (void)b, (void)c;
    contact_load u = load_at(s, velocities, i);
    return load_dot(u, block_solve(block_of(s, &s->row[i]), s->row[i].n, u));
}

double rows_size2(rows *s, const double *impulses) { return sum_of(s, size_term, impulses, NULL, NULL); }
double rows_dual_size2(rows *s, const double *velocities) { return sum_of(s, dual_size_term, velocities, NULL, NULL); }

// ---- accuracy ----

// What must be complementary to the load: the gradient, with what slips added along the normal where friction is
// Coulomb's.
static contact_load dual_velocity(const rows *s, const double *product, int64_t i)
{
    friction_cone cone = contact_row_cone(&s->row[i]);
    contact_load u = load_plus(load_at(s, product, i), 1.0, load_at(s, s->r, i));
    if (s->setting->friction == SCR_FRICTION_COULOMB) u.g = vec3_add_scaled(u.g, cone_slip(&cone, u), cone.n);
    return u;
}

static double residual_term(const rows *s, const double *g, const double *product, const double *d, int64_t i)
{
    friction_cone cone = contact_row_cone(&s->row[i]);
    return cone_residual2(&cone, load_at(s, g, i), dual_velocity(s, product, i), rolls(s), *d);
}

static double residual_of(rows *s, const double *g, const double *product, double d)
{
    return sqrt(sum_of(s, residual_term, g, product, &d));
}

double rows_residual(rows *s, const double *g, const double *product)
{
    return residual_of(s, g, product, 1.0 / s->mean_diagonal);
}

double rows_published_residual(rows *s, const double *g, const double *product)
{
    return residual_of(s, g, product, 1e-6 / s->mean_diagonal);
}

static contact_load compliance_times(const load_compliance *compliance, scr_vec3 n, contact_load g)
{
    return block_times((block_diagonal){compliance->n, compliance->t, compliance->q}, n, g);
}

static double gap_term(const rows *s, const double *g, const double *product, const double *c, int64_t i)
{
    (void)c;
    const contact_row *row = &s->row[i];
    friction_cone cone = contact_row_cone(row);
    double least = s->least_compliance;
    load_compliance compliance = {fmax(row->eps_n, least) * row->a_n, fmax(row->eps_t, least) * row->a_t,
                                  rolls(s) ? fmax(row->eps_q, least) * row->a_q : 1.0};
    contact_load load = load_at(s, g, i),
                 u = load_plus(dual_velocity(s, product, i), -1.0, compliance_times(&compliance, row->n, load));
    return contact_duality_gap(&cone, &compliance, rolls(s), u, load);
}

// g . N g
static double motion_term(const rows *s, const double *g, const double *product, const double *c, int64_t i)
{
    (void)c;
    const contact_row *row = &s->row[i];
    load_compliance compliance = {row->eps_n * row->a_n, row->eps_t * row->a_t, row->eps_q * row->a_q};
    contact_load load = load_at(s, g, i);
    return load_dot(load, load_plus(load_at(s, product, i), -1.0, compliance_times(&compliance, row->n, load)));
}

double rows_force_error(rows *s, const double *g, const double *product)
{
    double gap = sum_of(s, gap_term, g, product, NULL), kinetic = 0.5 * sum_of(s, motion_term, g, product, NULL);
    return s->doubt * stated_force_error(gap, kinetic + s->setting->cell_energy);
}

double rows_gap(rows *s, const double *g, const double *product, int64_t first, int64_t last)
{
    double sum = 0.0;
    for (int64_t i = first; i < last; ++i) sum += gap_term(s, g, product, NULL, i);
    return sum;
}

bool rows_solved(rows *s, const double *g, const double *product)
{
    double tolerance = s->setting->def->tolerance;
    return tolerance > 0.0 && rows_force_error(s, g, product) <= tolerance;
}

double rows_measure_force(rows *s, const double *g)
{
    multiply(s, g, s->measured);
    return rows_force_error(s, g, s->measured);
}

solve_accuracy rows_measure(rows *s, const double *g)
{
    multiply(s, g, s->measured);
    return (solve_accuracy){
        .residual = rows_residual(s, g, s->measured),
        .published_residual = rows_published_residual(s, g, s->measured),
        .force_error = rows_force_error(s, g, s->measured),
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
    solve_progress progress = {.iterations = iterations,
                               .passes = passes,
                               .seconds = since - s->began - s->watching,
                               .accuracy = rows_measure(s, g),
                               .impulse = g};
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
    double since = scr_now(), *g = scr_arena_array(&arena, 3 * sizeof *g, s->entries);
    problem_collect(p, s->system);
    rows_first_guess(s, g);
    report(s, iterations, iterations, g, since);
}
