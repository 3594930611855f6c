// SPDX-License-Identifier: BSD-3-Clause
// FCLIB itself reads what we write and writes what we read, and judges our answers.
#include <fclib.h>
#include <string.h>

#include "core/file/safe_file.h"
#include "dynamics/mixed_world.h"
#include "dynamics/world/world_state.h"
#include "io/problem/problem_file.h"
#include "laboratory/laboratory.h"
#include "scratch_directory.h"

static void path_in(char path[PATH_LENGTH_MAX], void **state)
{
    assert_int_equal(path_join(path, *state, "problem.h5", NULL), SCR_OK);
}

// A step of a small mixed heap, its answer under Coulomb's law in the file.
static void write_answered(const char *path, saved_system *s)
{
    scr_world_def def = mixed_def(1);
    scr_world *world = mixed_world(&def, 150);
    laboratory lab;
    solve_result result;
    step(world, 120);
    saved_system_init(s);
    assert_ok(world_keep_problem(world, s, &error));
    step(world, 1);
    scr_world_destroy(world);
    for (int64_t i = 0; i < s->contacts.count; i += 3) s->apex[i] = 1e-6;  // some cohere
    assert_ok(laboratory_open(&lab, s, 1, &error));
    assert_ok(laboratory_find_reference(&lab, SCR_FRICTION_COULOMB, 20000, s->answer, &result, &error));
    laboratory_close(&lab);
    print_message("%d iterations, residual %.1e m/s\n", result.iterations, result.accuracy.residual);
    s->has_answer = 1;
    saved_system_set_title(s, "for FCLIB");
    assert_ok(problem_file_write(path, s, &error));
}

// The columns of A^-1 B by Gauss' elimination, A symmetric and positive definite, both dense and by columns.
static void solve_dense(double *a, double *b, int n, int columns)
{
    for (int k = 0; k < n; ++k) {
        for (int i = k + 1; i < n; ++i) {
            double factor = a[k * n + i] / a[k * n + k];
            if (factor == 0.0) continue;
            for (int j = k; j < n; ++j) a[j * n + i] -= factor * a[j * n + k];
            for (int c = 0; c < columns; ++c) b[c * n + i] -= factor * b[c * n + k];
        }
    }
    for (int c = 0; c < columns; ++c) {
        for (int i = n - 1; i >= 0; --i) {
            for (int j = i + 1; j < n; ++j) b[c * n + i] -= a[j * n + i] * b[c * n + j];
            b[c * n + i] /= a[i * n + i];
        }
    }
}

static double *dense(const struct fclib_matrix *m)
{
    double *d = calloc((size_t)m->m * (size_t)m->n, sizeof *d);
    assert_int_equal(m->nz, -1);
    for (int c = 0; c < m->n; ++c)
        for (int k = m->p[c]; k < m->p[c + 1]; ++k) d[c * m->m + m->i[k]] += m->x[k];
    return d;
}

// W = H^T M^-1 H and q = H^T M^-1 f + w, all entries of W stored.
static struct fclib_local *local_form(const struct fclib_global *p)
{
    int n = p->M->m, m = p->H->n;
    struct fclib_local *local = calloc(1, sizeof *local);
    double *mass = dense(p->M), *h = dense(p->H), *solved = calloc((size_t)n * ((size_t)m + 1), sizeof *solved);
    memcpy(solved, h, (size_t)n * (size_t)m * sizeof *solved);
    memcpy(solved + n * m, p->f, (size_t)n * sizeof *solved);
    solve_dense(mass, solved, n, m + 1);
    *local = (struct fclib_local){
        .mu = p->mu, .spacedim = 3, .q = calloc((size_t)m, sizeof(double)), .W = calloc(1, sizeof *local->W)};
    *local->W = (struct fclib_matrix){.nzmax = m * m,
                                      .m = m,
                                      .n = m,
                                      .nz = -1,
                                      .p = calloc((size_t)m + 1, sizeof(int)),
                                      .i = calloc((size_t)(m * m), sizeof(int)),
                                      .x = calloc((size_t)(m * m), sizeof(double))};
    for (int c = 0; c <= m; ++c) {
        for (int r = 0; r < m; ++r) {
            double sum = 0.0;
            for (int k = 0; k < n; ++k) sum += h[r * n + k] * solved[c * n + k];
            if (c == m) local->q[r] = sum + p->w[r];
            else local->W->x[c * m + r] = sum, local->W->i[c * m + r] = r;
        }
        if (c < m) local->W->p[c + 1] = (c + 1) * m;
    }
    free(mass), free(h), free(solved);
    return local;
}

static void free_local(struct fclib_local *local)
{
    free(local->W->p), free(local->W->i), free(local->W->x), free(local->W), free(local->q);
    free(local);
}

// FCLIB's own merit function, of Coulomb's law without relaxation: nearly nothing for our answer, much for a worse one.
static void fclib_judges_our_answer(void **state)
{
    char path[PATH_LENGTH_MAX];
    path_in(path, state);
    saved_system s;
    write_answered(path, &s);
    int guesses = 0;
    struct fclib_global *p = fclib_read_global(path);
    struct fclib_solution *answer = fclib_read_solution(path), *guess = fclib_read_guesses(path, &guesses);
    assert_non_null(p);
    assert_non_null(answer);
    assert_int_equal(guesses, 1);
    assert_int_equal(p->H->n, 3 * s.contacts.count);
    assert_string_equal(p->info->title, "for FCLIB");
    struct fclib_local *local = local_form(p);
    double right = fclib_merit_local(local, MERIT_1, answer), before = fclib_merit_local(local, MERIT_1, guess);
    print_message("FCLIB's merit: %.2e for the answer, %.2e for the guess\n", right, before);
    assert_at_most(right, 1e-6 * before);
    free_local(local);
    fclib_delete_solutions(answer, 1);
    fclib_delete_solutions(guess, 1);
    fclib_delete_global(p);  // what is in it
    free(p);
    saved_system_free(&s);
}

// A ball of 2 kg, not turning, falls onto a floor at 3 m/s along the slope of a file that FCLIB wrote: it is stopped by
// 6 N s.
static void we_read_what_fclib_writes(void **state)
{
    char path[PATH_LENGTH_MAX];
    path_in(path, state);
    const double mass = 2.0, inertia = 0.008, radius = 0.1, speed = 3.0;
    int mass_start[7], mass_row[6], h_start[4] = {0, 1, 3, 5}, h_row[5] = {2, 0, 4, 1, 3};
    double mass_value[6],
        h_value[5] = {1.0, 1.0, -radius, 1.0, radius};  // n = z; t = x, y; the contact is at -radius z
    double f[6] = {0.0, 0.0, -mass * speed, 0.0, 0.0, 0.0}, w[3] = {0.0, 0.0, 0.0}, mu[1] = {0.5};
    for (int k = 0; k < 6; ++k) mass_start[k] = mass_row[k] = k, mass_value[k] = k < 3 ? mass : inertia;
    mass_start[6] = 6;
    struct fclib_matrix m = {.nzmax = 6, .m = 6, .n = 6, .p = mass_start, .i = mass_row, .x = mass_value, .nz = -1};
    struct fclib_matrix h = {.nzmax = 5, .m = 6, .n = 3, .p = h_start, .i = h_row, .x = h_value, .nz = -1};
    struct fclib_global p = {.M = &m, .H = &h, .mu = mu, .f = f, .w = w, .spacedim = 3};
    assert_int_equal(fclib_write_global(&p, path), 1);

    saved_system s;
    laboratory lab;
    solve_result result;
    double answer[6];
    saved_system_init(&s);
    assert_ok(problem_file_read(path, &s, &error));
    assert_int_equal(s.bodies.count, 1);
    assert_true(s.is_grain[0] && s.centre_line[0]);
    assert_near(s.length[0], radius, 1e-12);
    assert_near(s.lever_b[2], -radius, 1e-12);
    assert_near(s.free_velocity[2], -speed, 1e-12);
    assert_ok(laboratory_open(&lab, &s, 1, &error));
    assert_ok(laboratory_find_reference(&lab, SCR_FRICTION_CONVEX, 10, answer, &result, &error));
    assert_near(answer[2], mass * speed, 1e-12);
    laboratory_close(&lab);
    saved_system_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        scratch_test(fclib_judges_our_answer),
        scratch_test(we_read_what_fclib_writes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
