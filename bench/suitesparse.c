// SPDX-License-Identifier: BSD-3-Clause
#include "suitesparse.h"

#include <cholmod.h>
#include <math.h>
#include <string.h>
#include <umfpack.h>

#include "core/base/stopwatch.h"
#include "dynamics/kkt/kkt_factor.h"

const char *const SPARSE_NAMES[SPARSE_METHODS] = {"CHOLMOD, simplicial LDL^T", "CHOLMOD, supernodal", "UMFPACK"};

enum { N = BODY_NUMBERS, LU_SHARE = 20 };  // fewer rounds of UMFPACK: it takes far longer

// ---- the equations as numbers ----

static void body_matrix(const kkt_equations *e, int32_t body, double m[N][N])
{
    for (int r = 0; r < N; ++r)
        for (int c = 0; c < N; ++c) {
            m[r][c] = r < 3 || c < 3 ? (r == c ? e->body[body].mass : 0.0) : e->body[body].inertia.m[r - 3][c - 3];
            if (e->stiffness != NULL) m[r][c] += e->stiffness[BODY_BLOCK * (int64_t)body + N * c + r];
        }
}

// M^-1 row^T, where nothing but joints acts
static void inverse_mass_times(const body_inertia *body, const double *row, double out[N])
{
    for (int k = 0; k < 3; ++k) {
        out[k] = row[k] / body->mass;
        out[3 + k] = 0.0;
        for (int c = 0; c < 3; ++c) out[3 + k] += body->inv_inertia.m[k][c] * row[3 + c];
    }
}

static bool is_open(const row_block *block, int row) { return block->open >> row & 1; }

// What a row yields: its compliance, and next to nothing where rows are redundant.
static double row_compliance(const kkt_equations *e, const row_block *block, int row)
{
    double sum = 0.0, moved[N];
    for (int64_t a = block->first_jacobian; a < block->first_jacobian + block->jacobian_count && e->is_redundant; ++a) {
        if (!is_movable(e, e->jacobian[a].body)) continue;
        inverse_mass_times(&e->body[e->jacobian[a].body], e->jacobian[a].row[row], moved);
        for (int k = 0; k < N; ++k) sum += e->jacobian[a].row[row][k] * moved[k];
    }
    return block->compliance[row] + COMPLIANT_SHARE * sum;
}

// ---- matrices: entries of the lower triangle, those at one place add up ----

static void put(cholmod_triplet *t, int64_t row, int64_t column, double value)
{
    ((int *)t->i)[t->nnz] = (int)(row > column ? row : column);
    ((int *)t->j)[t->nnz] = (int)(row > column ? column : row);
    ((double *)t->x)[t->nnz++] = value;
}

static cholmod_sparse *to_sparse(cholmod_triplet *t, cholmod_common *common)
{
    cholmod_sparse *lower = cholmod_triplet_to_sparse(t, t->nnz, common);
    cholmod_free_triplet(&t, common);
    return lower;
}

static void put_bodies(cholmod_triplet *t, const kkt_equations *e)
{
    double m[N][N];
    for (int32_t i = 0; i < e->body_count; ++i) {
        body_matrix(e, i, m);
        for (int r = 0; r < N; ++r)
            for (int c = 0; c <= r; ++c)
                if (m[r][c] != 0.0) put(t, N * (int64_t)i + r, N * (int64_t)i + c, m[r][c]);
    }
    for (int64_t k = 0; k < e->coupling_count; ++k)
        for (int c = 0; c < N; ++c)
            for (int r = 0; r < N; ++r)
                put(t, N * (int64_t)e->coupling[k].b + r, N * (int64_t)e->coupling[k].a + c,
                    e->coupling_stiffness[BODY_BLOCK * k + N * c + r]);
}

// M + S, -J^T; J, C, with the sign of l changed: symmetric
static cholmod_sparse *whole_matrix(const kkt_equations *e, cholmod_common *common)
{
    size_t n = (size_t)(N * e->body_count + e->row_count);
    size_t most = (size_t)(BODY_BLOCK * (e->body_count + e->coupling_count + e->jacobian_count) + e->row_count);
    cholmod_triplet *t = cholmod_allocate_triplet(n, n, most, -1, CHOLMOD_REAL, common);
    put_bodies(t, e);
    for (const row_block *b = e->block; b < e->block + e->block_count; ++b)
        for (int r = 0; r < b->row_count; ++r) {
            int64_t row = N * e->body_count + b->first_row + r;
            put(t, row, row, is_open(b, r) ? -1.0 : -row_compliance(e, b, r));
            for (int64_t a = b->first_jacobian; a < b->first_jacobian + b->jacobian_count && !is_open(b, r); ++a)
                for (int k = 0; k < N && is_movable(e, e->jacobian[a].body); ++k)
                    if (e->jacobian[a].row[r][k] != 0.0)
                        put(t, row, N * (int64_t)e->jacobian[a].body + k, e->jacobian[a].row[r][k]);
        }
    return to_sparse(t, common);
}

// J M^-1 J^T + C
static cholmod_sparse *row_matrix(const kkt_equations *e, cholmod_common *common)
{
    size_t n = (size_t)(N * e->body_count), m = (size_t)e->row_count;
    cholmod_triplet *j =
        cholmod_allocate_triplet(m, n, (size_t)(BODY_BLOCK * e->jacobian_count), 0, CHOLMOD_REAL, common);
    cholmod_triplet *w =
        cholmod_allocate_triplet(n, m, (size_t)(BODY_BLOCK * e->jacobian_count), 0, CHOLMOD_REAL, common);
    cholmod_triplet *c = cholmod_allocate_triplet(m, m, m, 0, CHOLMOD_REAL, common);
    for (const row_block *b = e->block; b < e->block + e->block_count; ++b)
        for (int r = 0; r < b->row_count; ++r) {
            int64_t row = b->first_row + r;
            double moved[N];
            put(c, row, row, is_open(b, r) ? 1.0 : row_compliance(e, b, r));
            for (int64_t a = b->first_jacobian; a < b->first_jacobian + b->jacobian_count && !is_open(b, r); ++a) {
                if (!is_movable(e, e->jacobian[a].body)) continue;
                inverse_mass_times(&e->body[e->jacobian[a].body], e->jacobian[a].row[r], moved);
                for (int k = 0; k < N; ++k) {
                    int number = N * e->jacobian[a].body + k;
                    ((int *)j->i)[j->nnz] = (int)row, ((int *)j->j)[j->nnz] = number;
                    ((double *)j->x)[j->nnz++] = e->jacobian[a].row[r][k];
                    ((int *)w->i)[w->nnz] = number, ((int *)w->j)[w->nnz] = (int)row;
                    ((double *)w->x)[w->nnz++] = moved[k];
                }
            }
        }
    cholmod_sparse *left = to_sparse(j, common), *right = to_sparse(w, common), *yield = to_sparse(c, common);
    cholmod_sparse *product = cholmod_ssmult(left, right, 0, 1, 0, common);
    double one[2] = {1.0, 0.0};
    cholmod_sparse *sum = cholmod_add(product, yield, one, one, 1, 0, common),
                   *lower = cholmod_copy(sum, -1, 1, common);
    cholmod_drop(0.0, lower, common);
    cholmod_sparse *done[] = {left, right, yield, product, sum};
    for (size_t i = 0; i < sizeof done / sizeof *done; ++i) cholmod_free_sparse(&done[i], common);
    return lower;
}

// ---- right-hand sides and answers ----

// l from (c - J M^-1 p) and back: v = M^-1 (p + J^T l)
static void momentum_to_velocity(const kkt_equations *e, double *momentum)
{
    for (int32_t i = 0; i < e->body_count; ++i) {
        double moved[N];
        inverse_mass_times(&e->body[i], momentum + N * (int64_t)i, moved);
        memcpy(momentum + N * (int64_t)i, moved, sizeof moved);
    }
}

static void add_rows(const kkt_equations *e, double *body, double *row, double sign, bool to_bodies)
{
    for (const row_block *b = e->block; b < e->block + e->block_count; ++b)
        for (int r = 0; r < b->row_count; ++r)
            for (int64_t a = b->first_jacobian; a < b->first_jacobian + b->jacobian_count && !is_open(b, r); ++a)
                for (int k = 0; k < N && is_movable(e, e->jacobian[a].body); ++k) {
                    double *v = body + N * (int64_t)e->jacobian[a].body + k, *l = row + b->first_row + r;
                    if (to_bodies) *v += sign * e->jacobian[a].row[r][k] * *l;
                    else *l += sign * e->jacobian[a].row[r][k] * *v;
                }
}

static void add_stiffness(const kkt_equations *e, known_answer *known)
{
    double m[N][N];
    for (int32_t i = 0; i < e->body_count; ++i) {
        body_matrix(e, i, m);
        for (int r = 0; r < N; ++r)
            for (int c = 0; c < N; ++c) known->momentum[N * i + r] += m[r][c] * known->velocity[N * i + c];
    }
    for (int64_t k = 0; k < e->coupling_count; ++k)
        for (int c = 0; c < N; ++c)
            for (int r = 0; r < N; ++r) {
                double s = e->coupling_stiffness[BODY_BLOCK * k + N * c + r];
                int64_t a = N * (int64_t)e->coupling[k].a + c, b = N * (int64_t)e->coupling[k].b + r;
                known->momentum[b] += s * known->velocity[a];
                known->momentum[a] += s * known->velocity[b];
            }
}

void known_right_side(const kkt_equations *e, known_answer *known)
{
    add_stiffness(e, known);
    for (const row_block *b = e->block; b < e->block + e->block_count; ++b)
        for (int r = 0; r < b->row_count; ++r) {
            if (is_open(b, r)) known->impulse[b->first_row + r] = 0.0;
            known->row_velocity[b->first_row + r] = b->compliance[r] * known->impulse[b->first_row + r];
        }
    add_rows(e, known->velocity, known->row_velocity, 1.0, false);
    add_rows(e, known->momentum, known->impulse, -1.0, true);
}

double velocity_error(const kkt_equations *e, const known_answer *known, const double *velocity)
{
    double most = 0.0, largest = 0.0;
    for (int64_t i = 0; i < N * e->body_count; ++i) {
        most = fmax(most, fabs(velocity[i] - known->velocity[i]));
        largest = fmax(largest, fabs(known->velocity[i]));
    }
    return most / largest;
}

// ---- CHOLMOD ----

static int *order_of_numbers(const kkt_equations *e, cholmod_common *common)
{
    elimination order = {0};
    bool is_over = false;
    scr_error error;
    int *number = cholmod_malloc((size_t)(N * e->body_count + e->row_count), sizeof *number, common);
    int64_t at = 0;
    if (elimination_find(&order, e, INT64_MAX, &is_over, &error) != SCR_OK) return number;
    for (int32_t p = 0; p < order.count; ++p) {
        int32_t node = order.node[p];
        const row_block *b = node < e->body_count ? NULL : &e->block[node - e->body_count];
        int64_t first = b == NULL ? N * (int64_t)node : N * (int64_t)e->body_count + b->first_row;
        for (int k = 0; k < (b == NULL ? N : b->row_count); ++k) number[at++] = (int)(first + k);
    }
    elimination_free(&order);
    return number;
}

static solve_times time_cholmod(cholmod_sparse *matrix, cholmod_factor *factor, cholmod_dense *right, int rounds,
                                cholmod_dense **answer, cholmod_common *common)
{
    solve_times t = {true, INFINITY, INFINITY, NAN};
    cholmod_dense *y = NULL, *z = NULL;
    for (int k = 0; k < rounds; ++k) {
        double start = scr_now();
        cholmod_factorize(matrix, factor, common);
        double middle = scr_now();
        cholmod_solve2(CHOLMOD_A, factor, right, NULL, answer, NULL, &y, &z, common);
        t.factor = fmin(t.factor, middle - start);
        t.solve = fmin(t.solve, scr_now() - middle);
    }
    cholmod_free_dense(&y, common);
    cholmod_free_dense(&z, common);
    return t;
}

static solve_times measure_ldl(const kkt_equations *e, const known_answer *known, int rounds, cholmod_common *common)
{
    int64_t bodies = N * (int64_t)e->body_count, n = bodies + e->row_count;
    common->supernodal = CHOLMOD_SIMPLICIAL;
    common->nmethods = 1;
    common->method[0].ordering = CHOLMOD_GIVEN;
    common->postorder = 0;
    cholmod_sparse *matrix = whole_matrix(e, common);
    int *order = order_of_numbers(e, common);
    cholmod_factor *factor = cholmod_analyze_p(matrix, order, NULL, 0, common);
    cholmod_dense *right = cholmod_zeros((size_t)n, 1, CHOLMOD_REAL, common), *answer = NULL;
    memcpy(right->x, known->momentum, (size_t)bodies * sizeof(double));
    memcpy((double *)right->x + bodies, known->row_velocity, (size_t)e->row_count * sizeof(double));
    solve_times t = time_cholmod(matrix, factor, right, rounds, &answer, common);
    t.error = velocity_error(e, known, answer->x);
    cholmod_free((size_t)n, sizeof *order, order, common);
    cholmod_free_factor(&factor, common);
    cholmod_free_dense(&right, common);
    cholmod_free_dense(&answer, common);
    cholmod_free_sparse(&matrix, common);
    return t;
}

static solve_times measure_supernodal(const kkt_equations *e, const known_answer *known, int rounds,
                                      cholmod_common *common)
{
    bool of_rows = e->row_count > 0;
    if (of_rows && e->stiffness != NULL) return (solve_times){0};
    size_t bodies = N * (size_t)e->body_count, n = of_rows ? (size_t)e->row_count : bodies;
    common->supernodal = CHOLMOD_SUPERNODAL;
    cholmod_sparse *matrix = of_rows ? row_matrix(e, common) : whole_matrix(e, common);
    cholmod_factor *factor = cholmod_analyze(matrix, common);
    cholmod_dense *right = cholmod_zeros(n, 1, CHOLMOD_REAL, common), *answer = NULL;
    cholmod_dense *body = cholmod_zeros(bodies, 1, CHOLMOD_REAL, common);
    memcpy(body->x, known->momentum, bodies * sizeof(double));
    if (of_rows) {
        momentum_to_velocity(e, body->x);
        memcpy(right->x, known->row_velocity, n * sizeof(double));
        add_rows(e, body->x, right->x, -1.0, false);
    } else memcpy(right->x, body->x, n * sizeof(double));
    solve_times t = time_cholmod(matrix, factor, right, rounds, &answer, common);
    if (of_rows) {
        memcpy(body->x, known->momentum, bodies * sizeof(double));
        add_rows(e, body->x, answer->x, 1.0, true);
        momentum_to_velocity(e, body->x);
    }
    t.error = velocity_error(e, known, of_rows ? body->x : answer->x);
    cholmod_free_factor(&factor, common);
    cholmod_free_dense(&body, common);
    cholmod_free_dense(&right, common);
    cholmod_free_dense(&answer, common);
    cholmod_free_sparse(&matrix, common);
    return t;
}

// ---- UMFPACK ----

static solve_times measure_lu(const kkt_equations *e, const known_answer *known, int rounds, cholmod_common *common)
{
    size_t bodies = N * (size_t)e->body_count, n = bodies + (size_t)e->row_count;
    cholmod_sparse *lower = whole_matrix(e, common), *matrix = cholmod_copy(lower, 0, 1, common);
    cholmod_dense *right = cholmod_zeros(n, 1, CHOLMOD_REAL, common);
    cholmod_dense *answer = cholmod_zeros(n, 1, CHOLMOD_REAL, common);
    double control[UMFPACK_CONTROL];
    void *symbolic = NULL, *numeric = NULL;
    solve_times t = {true, INFINITY, INFINITY, NAN};
    memcpy(right->x, known->momentum, bodies * sizeof(double));
    memcpy((double *)right->x + bodies, known->row_velocity, (size_t)e->row_count * sizeof(double));
    umfpack_di_defaults(control);
    control[UMFPACK_STRATEGY] = UMFPACK_STRATEGY_SYMMETRIC;
    control[UMFPACK_IRSTEP] = 0.0;
    umfpack_di_symbolic((int)n, (int)n, matrix->p, matrix->i, matrix->x, &symbolic, control, NULL);
    for (int k = 0; k < rounds / LU_SHARE + 1; ++k) {
        double start = scr_now();
        umfpack_di_free_numeric(&numeric);
        umfpack_di_numeric(matrix->p, matrix->i, matrix->x, symbolic, &numeric, control, NULL);
        double middle = scr_now();
        umfpack_di_solve(UMFPACK_A, matrix->p, matrix->i, matrix->x, answer->x, right->x, numeric, control, NULL);
        t.factor = fmin(t.factor, middle - start);
        t.solve = fmin(t.solve, scr_now() - middle);
    }
    t.error = velocity_error(e, known, answer->x);
    umfpack_di_free_numeric(&numeric);
    umfpack_di_free_symbolic(&symbolic);
    cholmod_free_dense(&right, common);
    cholmod_free_dense(&answer, common);
    cholmod_free_sparse(&matrix, common);
    cholmod_free_sparse(&lower, common);
    return t;
}

solve_times sparse_measure(const kkt_equations *e, const known_answer *known, sparse_method method, int rounds)
{
    static solve_times (*const measure[])(const kkt_equations *, const known_answer *, int, cholmod_common *) = {
        [SPARSE_LDL] = measure_ldl, [SPARSE_SUPERNODAL] = measure_supernodal, [SPARSE_LU] = measure_lu};
    cholmod_common common;
    cholmod_start(&common);
    solve_times t = measure[method](e, known, rounds, &common);
    cholmod_finish(&common);
    return t;
}
