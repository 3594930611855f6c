// SPDX-License-Identifier: BSD-3-Clause
// Small mechanisms for tests of the joint equations, and their solution by dense elimination in long double.
//
// The dense solution shares nothing with the engine but the meaning of kkt_equations: S = J M^-1 J^T + C is written
// out, reduced with full pivoting, and among all solutions the one of least l^T D l is taken, D the diagonal of J M^-1
// J^T.
#ifndef TESTS_DYNAMICS_JOINTED_H
#define TESTS_DYNAMICS_JOINTED_H

#include <stdlib.h>
#include <string.h>

#include "core/maths/rng.h"
#include "core/maths/vec3.h"
#include "dynamics/kkt/kkt.h"

enum { GROUND = -1 };

typedef struct jointed {
    int32_t body_count;
    int64_t block_count, row_count, jacobian_count;
    body_inertia *body;
    scr_vec3 *place;
    row_block *block;
    joint_jacobian *jacobian;
    kkt *kkt;
    double *work;
} jointed;

static inline jointed jointed_create(int64_t bodies, int64_t blocks)
{
    jointed j = {0};
    j.body = calloc((size_t)bodies, sizeof *j.body);
    j.place = calloc((size_t)bodies, sizeof *j.place);
    j.block = calloc((size_t)blocks, sizeof *j.block);
    j.jacobian = calloc((size_t)(BLOCK_JACOBIANS * blocks), sizeof *j.jacobian);
    assert_int_equal(kkt_create(&j.kkt, NULL), SCR_OK);
    return j;
}

static inline void jointed_destroy(jointed *j)
{
    free(j->body), free(j->place), free(j->block), free(j->jacobian), free(j->work);
    kkt_destroy(j->kkt);
}

static inline int32_t add_body(jointed *j, double mass, scr_vec3 inertia, scr_quat turn, scr_vec3 place)
{
    body_inertia *b = &j->body[j->body_count];
    b->mass = mass;
    b->inertia = mat3_rotated_diagonal(turn, inertia);
    b->inv_inertia = mat3_rotated_diagonal(turn, (scr_vec3){1.0 / inertia.x, 1.0 / inertia.y, 1.0 / inertia.z});
    j->place[j->body_count] = place;
    return j->body_count++;
}

static inline void add_jacobian(jointed *j, int32_t body)
{
    j->jacobian[j->jacobian_count] = (joint_jacobian){.body = body};
    ++j->jacobian_count;
    ++j->block[j->block_count - 1].jacobian_count;
}

static inline row_block *add_block(jointed *j, int32_t a, int32_t b)
{
    row_block *block = &j->block[j->block_count++];
    *block = (row_block){.first_jacobian = j->jacobian_count, .first_row = j->row_count};
    add_jacobian(j, a);
    add_jacobian(j, b);
    return block;
}

// The velocity of b's point against a's, along n; and the turning of b against a about n.
static inline void add_row(jointed *j, row_block *block, scr_vec3 point, scr_vec3 n, bool rotating)
{
    for (int side = 0; side < 2; ++side) {
        joint_jacobian *jacobian = &j->jacobian[block->first_jacobian + side];
        double *row = jacobian->row[block->row_count], sign = side == 0 ? -1.0 : 1.0;
        bool is_moved = jacobian->body >= 0 && jacobian->body < j->body_count;
        scr_vec3 at = is_moved ? vec3_sub(point, j->place[jacobian->body]) : point,
                 t = rotating ? n : vec3_cross(at, n);
        scr_vec3 push = rotating ? (scr_vec3){0.0, 0.0, 0.0} : n;
        row[0] = sign * push.x, row[1] = sign * push.y, row[2] = sign * push.z;
        row[3] = sign * t.x, row[4] = sign * t.y, row[5] = sign * t.z;
    }
    ++block->row_count;
    ++j->row_count;
}

static inline row_block *add_ball(jointed *j, int32_t a, int32_t b, scr_vec3 point)
{
    row_block *block = add_block(j, a, b);
    add_row(j, block, point, (scr_vec3){1, 0, 0}, false);
    add_row(j, block, point, (scr_vec3){0, 1, 0}, false);
    add_row(j, block, point, (scr_vec3){0, 0, 1}, false);
    return block;
}

static inline row_block *add_hinge(jointed *j, int32_t a, int32_t b, scr_vec3 point, scr_vec3 axis)
{
    row_block *block = add_ball(j, a, b, point);
    scr_vec3 other = fabs(axis.x) < 0.6 * vec3_norm(axis) ? (scr_vec3){1, 0, 0} : (scr_vec3){0, 1, 0};
    scr_vec3 u = vec3_cross(axis, other);
    u = vec3_scale(1.0 / vec3_norm(u), u);
    scr_vec3 w = vec3_cross(axis, u);
    add_row(j, block, point, u, true);
    add_row(j, block, point, vec3_scale(1.0 / vec3_norm(w), w), true);
    block->turning_count = 2;
    return block;
}

static inline kkt_equations jointed_equations(const jointed *j)
{
    return (kkt_equations){.body_count = j->body_count,
                           .block_count = j->block_count,
                           .row_count = j->row_count,
                           .jacobian_count = j->jacobian_count,
                           .body = j->body,
                           .block = j->block,
                           .jacobian = j->jacobian,
                           .is_counted = true};
}

static inline void jointed_factor(jointed *j)
{
    kkt_equations e = jointed_equations(j);
    assert_int_equal(kkt_order(j->kkt, &e, NULL), SCR_OK);
    j->work = realloc(j->work, (size_t)kkt_work_count(j->kkt) * sizeof *j->work);
    kkt_factor(j->kkt, &e);
}

static inline long double *zeros(int64_t count) { return calloc(count > 0 ? (size_t)count : 1, sizeof(long double)); }

// The turning of b against a about n, geared to that of c against b about m: a body has two arms.
static inline void add_gear(jointed *j, int32_t a, int32_t b, int32_t c, scr_vec3 n, scr_vec3 m)
{
    row_block *block = add_block(j, a, b);
    add_row(j, block, n, n, true);
    scr_vec3 turn[2] = {vec3_neg(m), m};
    for (int k = 0; k < 2; ++k) {
        add_jacobian(j, k == 0 ? b : c);
        double *row = j->jacobian[j->jacobian_count - 1].row[0];
        row[3] = turn[k].x, row[4] = turn[k].y, row[5] = turn[k].z;
    }
}

// J as a dense matrix, (row_count x 6 body_count); rows that are open are 0.
static inline long double *dense_rows(const jointed *j)
{
    int64_t n = 6 * (int64_t)j->body_count;
    long double *dense = zeros(j->row_count * n);
    for (int64_t b = 0; b < j->block_count; ++b) {
        const row_block *block = &j->block[b];
        for (int64_t a = block->first_jacobian; a < block->first_jacobian + block->jacobian_count; ++a)
            for (int r = 0; r < block->row_count; ++r) {
                if (j->jacobian[a].body < 0 || j->jacobian[a].body >= j->body_count || (block->open >> r & 1)) continue;
                for (int d = 0; d < 6; ++d)
                    dense[(block->first_row + r) * n + 6 * (int64_t)j->jacobian[a].body + d] +=
                        j->jacobian[a].row[r][d];
            }
    }
    return dense;
}

// M^-1 of six numbers, by Cramer's rule
static inline void unweigh(const body_inertia *body, const long double *p, long double *v)
{
    long double i[3][3], inverse[3][3], determinant = 0.0L;
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) i[r][c] = body->inertia.m[r][c];
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) {
            int r1 = (r + 1) % 3, r2 = (r + 2) % 3, c1 = (c + 1) % 3, c2 = (c + 2) % 3;
            inverse[c][r] = i[r1][c1] * i[r2][c2] - i[r1][c2] * i[r2][c1];
        }
    for (int c = 0; c < 3; ++c) determinant += i[0][c] * inverse[c][0];
    for (int r = 0; r < 3; ++r) {
        v[r] = p[r] / (long double)body->mass;
        v[3 + r] = 0.0L;
        for (int c = 0; c < 3; ++c) v[3 + r] += inverse[r][c] / determinant * p[3 + c];
    }
}

// Solve the symmetric A x = b (n x n, destroyed) with full pivoting; columns of pivots below the share of the first are
// free. Returns their count; null (n x free) becomes a basis of what A does not see.
static inline int64_t dense_solve(int64_t n, long double *a, long double *b, long double *x, long double *null)
{
    int64_t *column = calloc(n > 0 ? (size_t)n : 1, sizeof *column), rank = 0;
    for (int64_t i = 0; i < n; ++i) column[i] = i;
    long double first = 0.0L;
    for (; rank < n; ++rank) {
        int64_t pr = rank, pc = rank;
        for (int64_t r = rank; r < n; ++r)
            for (int64_t c = rank; c < n; ++c)
                if (fabsl(a[r * n + c]) > fabsl(a[pr * n + pc])) pr = r, pc = c;
        if (rank == 0) first = fabsl(a[pr * n + pc]);
        if (fabsl(a[pr * n + pc]) <= 1e-14L * first) break;
        for (int64_t c = 0; c < n; ++c) {
            long double t = a[rank * n + c];
            a[rank * n + c] = a[pr * n + c], a[pr * n + c] = t;
        }
        for (int64_t r = 0; r < n; ++r) {
            long double t = a[r * n + rank];
            a[r * n + rank] = a[r * n + pc], a[r * n + pc] = t;
        }
        long double tb = b[rank];
        b[rank] = b[pr], b[pr] = tb;
        int64_t tc = column[rank];
        column[rank] = column[pc], column[pc] = tc;
        for (int64_t r = rank + 1; r < n; ++r) {
            long double s = a[r * n + rank] / a[rank * n + rank];
            if (s == 0.0L) continue;
            for (int64_t c = rank; c < n; ++c) a[r * n + c] -= s * a[rank * n + c];
            b[r] -= s * b[rank];
        }
    }
    int64_t free_count = n - rank;
    for (int64_t k = -1; k < free_count; ++k) {  // -1: the solution; then the basis
        long double *y = zeros(n);
        if (k >= 0) y[rank + k] = 1.0L;
        for (int64_t r = rank - 1; r >= 0; --r) {
            long double sum = k < 0 ? b[r] : 0.0L;
            for (int64_t c = r + 1; c < n; ++c) sum -= a[r * n + c] * y[c];
            y[r] = sum / a[r * n + r];
        }
        for (int64_t i = 0; i < n; ++i) {
            if (k < 0) x[column[i]] = y[i];
            else null[column[i] * free_count + k] = y[i];
        }
        free(y);
    }
    free(column);
    return free_count;
}

typedef struct dense_answer {
    long double *v, *l;
    long double *diagonal;  // of J M^-1 J^T
    long double *null;      // (row_count x free_count) impulses that move nothing; an open row is one of them
    int64_t free_count;
} dense_answer;

static inline void dense_destroy(dense_answer *d) { free(d->v), free(d->l), free(d->diagonal), free(d->null); }

// Take the part along the null space out of l, in the metric of the diagonal.
static inline void dense_shorten(dense_answer *d, int64_t n)
{
    int64_t f = d->free_count;
    if (f == 0) return;
    long double *gram = zeros(f * f), *rhs = zeros(f);
    long double *x = zeros(f), *none = zeros(f * f);
    for (int64_t a = 0; a < f; ++a)
        for (int64_t i = 0; i < n; ++i) {
            long double weight = d->diagonal[i] > 0.0L ? d->diagonal[i] : 1.0L;
            for (int64_t b = 0; b < f; ++b) gram[a * f + b] += d->null[i * f + a] * weight * d->null[i * f + b];
            rhs[a] += d->null[i * f + a] * weight * d->l[i];
        }
    assert_int_equal(dense_solve(f, gram, rhs, x, none), 0);
    for (int64_t i = 0; i < n; ++i)
        for (int64_t a = 0; a < f; ++a) d->l[i] -= d->null[i * f + a] * x[a];
    free(gram), free(rhs), free(x), free(none);
}

static inline dense_answer dense_answer_of(const jointed *j, const double *p, const double *c)
{
    int64_t n = j->row_count, m = 6 * (int64_t)j->body_count;
    dense_answer d = {calloc((size_t)m, sizeof(long double)), calloc((size_t)n + 1, sizeof(long double)),
                      calloc((size_t)n + 1, sizeof(long double)), calloc((size_t)(n * n) + 1, sizeof(long double)), 0};
    long double *rows = dense_rows(j), *wide = zeros(n * m);  // J M^-1
    long double *s = zeros(n * n), *b = zeros(n);
    for (int64_t r = 0; r < n; ++r)
        for (int32_t i = 0; i < j->body_count; ++i) unweigh(&j->body[i], rows + r * m + 6 * i, wide + r * m + 6 * i);
    for (int64_t r = 0; r < n; ++r) {
        for (int64_t q = 0; q < n; ++q)
            for (int64_t i = 0; i < m; ++i)
                if (rows[q * m + i] != 0.0L) s[r * n + q] += wide[r * m + i] * rows[q * m + i];
        d.diagonal[r] = s[r * n + r];
        b[r] = c[r];
        for (int64_t i = 0; i < m; ++i) b[r] -= wide[r * m + i] * p[i];
    }
    for (int64_t k = 0; k < j->block_count; ++k)
        for (int r = 0; r < j->block[k].row_count; ++r) {
            int64_t at = j->block[k].first_row + r;
            if (j->block[k].open >> r & 1) b[at] = 0.0L;
            else s[at * n + at] += j->block[k].compliance[r];
        }
    d.free_count = dense_solve(n, s, b, d.l, d.null);
    dense_shorten(&d, n);
    for (int32_t i = 0; i < j->body_count; ++i) {
        long double push[6];
        for (int k = 0; k < 6; ++k) {
            push[k] = p[6 * i + k];
            for (int64_t r = 0; r < n; ++r) push[k] += rows[r * m + 6 * i + k] * d.l[r];
        }
        unweigh(&j->body[i], push, d.v + 6 * i);
    }
    free(rows), free(wide), free(s), free(b);
    return d;
}

#endif
