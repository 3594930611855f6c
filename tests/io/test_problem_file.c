// SPDX-License-Identifier: BSD-3-Clause
// Contact problems in files: the bits come back, FCLIB's equations hold in what is written, FCLIB's files are read, and
// damage is found.
#include <hdf5.h>
#include <string.h>

#include "contact_view.h"
#include "core/arrays/colouring.h"
#include "core/file/safe_file.h"
#include "dynamics/mixed_world.h"
#include "dynamics/world/world_state.h"
#include "io/file/hdf5_tools.h"
#include "io/problem/fclib_file.h"
#include "io/problem/problem_file.h"
#include "laboratory/impulse_motion.h"
#include "laboratory/laboratory.h"
#include "scratch_directory.h"

static void path_in(char path[PATH_LENGTH_MAX], void **state)
{
    assert_int_equal(path_join(path, *state, "problem.h5", NULL), SCR_OK);
}

// The problem of a step of spheres, boxes and compound bodies among walls, some steps after the start.
static void keep_problem(saved_system *s, scr_contact_law law, int64_t grains)
{
    scr_world_def def = mixed_def(1);
    def.contact.law = law;
    scr_world *world = mixed_world(&def, grains);
    step(world, 80);
    saved_system_init(s);
    assert_ok(world_keep_problem(world, s, &error));
    step(world, 1);
    scr_world_destroy(world);
    saved_system_set_title(s, "a test");
    for (int64_t i = 0; i < s->contacts.count; i += 3) s->apex[i] = 1e-6;  // some cohere
    assert_true(s->contacts.count > grains / 2);
}

static void assert_same(const saved_system *a, const saved_system *b)
{
    char text[200];
    const table *left[] = {&a->bodies, &a->contacts, &a->joined, &a->blocks, &a->jacobians, &a->about};
    const table *right[] = {&b->bodies, &b->contacts, &b->joined, &b->blocks, &b->jacobians, &b->about};
    for (int k = 0; k < 6; ++k) {
        bool differ = table_first_difference(left[k], right[k], text, sizeof text);
        if (differ) print_error("%s\n", text);
        assert_false(differ);
    }
}

// As if somebody else had written the file: without our group, and without the remark that it is ours.
static void forget_scree(hid_t file)
{
    assert_true(H5Ldelete(file, "scree", H5P_DEFAULT) >= 0);
    assert_true(H5Adelete(file, "comment") >= 0);
}

static void a_problem_comes_back_to_the_bit(void **state)
{
    char path[PATH_LENGTH_MAX];
    path_in(path, state);
    for (int with_answer = 0; with_answer <= 1; ++with_answer) {
        saved_system a, b;
        keep_problem(&a, with_answer ? SCR_RIGID : SCR_COMPLIANT, 200);
        a.has_answer = (uint8_t)with_answer;
        for (int64_t k = 0; with_answer && k < 6 * a.contacts.count; ++k) a.answer[k] = sin((double)k);
        saved_system_init(&b);
        assert_ok(problem_file_write(path, &a, &error));
        assert_ok(problem_file_read(path, &b, &error));
        assert_same(&a, &b);
        saved_system_free(&a);
        saved_system_free(&b);
    }
}

// FCLIB's contacts do not resist rolling: such a problem is in our own group alone.
static void rolling_comes_back_without_fclib(void **state)
{
    char path[PATH_LENGTH_MAX];
    path_in(path, state);
    scr_world_def def = scr_default_world_def();
    scr_material_def grass = scr_default_material_def();
    scr_material material;
    scr_world *world = make_world(&def);
    grass.rolling_friction = 0.05;
    assert_ok(scr_world_add_material(world, &grass, &material, &error));
    add_floor(world, material);
    for (int k = 0; k < 5; ++k) add_sphere(world, material, 0.01, vec3(0.019 * k, 0.0, 0.01), vec3(0.1, 0.02 * k, 0.0));
    step(world, 20);
    saved_system a, b;
    saved_system_init(&a);
    saved_system_init(&b);
    assert_ok(world_keep_problem(world, &a, &error));
    step(world, 1);
    assert_true(saved_system_rolls(&a));
    assert_ok(problem_file_write(path, &a, &error));
    assert_ok(problem_file_read(path, &b, &error));
    assert_same(&a, &b);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_int_equal(H5Lexists(file, "fclib_global", H5P_DEFAULT), 0);
    H5Fclose(file);
    saved_system_free(&a);
    saved_system_free(&b);
    scr_world_destroy(world);
}

static void the_public_call_steps_and_writes(void **state)
{
    char path[PATH_LENGTH_MAX];
    path_in(path, state);
    scr_world_def def = mixed_def(1);
    scr_world *world = mixed_world(&def, 100), *other = mixed_world(&def, 100);
    step(world, 50);
    step(other, 51);
    saved_system s;
    saved_system_init(&s);
    assert_ok(scr_world_save_step(world, path, &error));
    assert_true(scr_world_hash(world) == scr_world_hash(other));
    assert_ok(problem_file_read(path, &s, &error));
    assert_int_equal(s.contacts.count, contact_count(world));
    saved_system_free(&s);
    // No file, but a step.
    scr_error failure = {0};
    assert_int_equal(scr_world_save_step(world, "/nowhere/at/all.h5", &failure), SCR_IO);
    assert_non_null(strstr(failure.message, "/nowhere/at/all.h5: cannot write"));
    assert_int_equal(scr_world_step_count(world), 52);
    scr_world_destroy(world);
    scr_world_destroy(other);
}

// ---- FCLIB ---------------------------------------------------------------------------------------------------------

static hid_t open_file(const char *path, unsigned flags)
{
    hid_t access = hdf5_access(), file = H5Fopen(path, flags, access);
    H5Pclose(access);
    assert_true(file >= 0);
    return file;
}

static void read_doubles(hid_t file, const char *name, int64_t count, double *data)
{
    hid_t set = H5Dopen2(file, name, H5P_DEFAULT), space = H5Dget_space(set);
    assert_int_equal(H5Sget_simple_extent_npoints(space), count);
    assert_true(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
    H5Sclose(space);
    H5Dclose(set);
}

static double *zeros(int64_t count) { return calloc((size_t)count + 1, sizeof(double)); }

static void add_product(const sparse_matrix *m, const double *x, double factor, double *result)
{
    for (int32_t c = 0; c < m->columns; ++c)
        for (int32_t k = m->start[c]; k < m->start[c + 1]; ++k) result[m->row[k]] += factor * m->value[k] * x[c];
}

static void add_transposed(const sparse_matrix *m, const double *x, double *result)
{
    for (int32_t c = 0; c < m->columns; ++c)
        for (int32_t k = m->start[c]; k < m->start[c + 1]; ++k) result[c] += m->value[k] * x[m->row[k]];
}

// In the file alone: M v = H r + f, u = H^T v + w; and, because the answer solves the convex problem of compliant
// contacts, r lies in the cone, u in its dual, at right angles to each other.
static void the_answer_solves_fclibs_equations(void **state)
{
    char path[PATH_LENGTH_MAX];
    path_in(path, state);
    saved_system s;
    laboratory lab;
    solve_result result;
    fcl_problem p;
    keep_problem(&s, SCR_COMPLIANT, 200);
    assert_ok(laboratory_open(&lab, &s, 1, &error));
    assert_ok(laboratory_find_reference(&lab, SCR_FRICTION_CONVEX, 3000, s.answer, &result, &error));
    laboratory_close(&lab);
    s.has_answer = 1;
    assert_ok(problem_file_write(path, &s, &error));
    hid_t file = open_file(path, H5F_ACC_RDONLY);
    assert_ok(fcl_read_problem(file, path, &p, &error));
    int64_t n = p.M.rows, m = p.H.columns;
    assert_int_equal(m, 3 * s.contacts.count);
    double *v = zeros(n), *u = zeros(m), *r = zeros(m), *balance = zeros(n), *speed = zeros(m), size = 0.0, fast = 0.0;
    read_doubles(file, "/solution/v", n, v);
    read_doubles(file, "/solution/u", m, u);
    read_doubles(file, "/solution/r", m, r);
    H5Fclose(file);
    add_product(&p.M, v, 1.0, balance);
    add_product(&p.H, r, -1.0, balance);
    add_transposed(&p.H, v, speed);
    for (int64_t i = 0; i < m; ++i) size = fmax(size, fabs(r[i])), fast = fmax(fast, fabs(u[i]));
    for (int64_t i = 0; i < n; ++i) assert_within(balance[i], p.f[i], 1e-12 * fmax(size, fabs(p.f[i])));
    for (int64_t i = 0; i < m; ++i) assert_within(speed[i] + p.w[i], u[i], 1e-9 * fast);
    int64_t pushing = 0;
    for (int64_t i = 0; i < m / 3; ++i) {
        const double *g = r + 3 * i, *q = u + 3 * i, mu = p.mu[i];
        assert_at_most(hypot(g[1], g[2]) - mu * g[0], 1e-5 * size);
        assert_at_most(mu * hypot(q[1], q[2]) - q[0], 1e-4 * fast);
        assert_within(g[0] * q[0] + g[1] * q[1] + g[2] * q[2], 0.0, 1e-4 * size * fast);
        pushing += g[0] > 1e-3 * size;
    }
    assert_true(pushing > 50);
    fcl_free(&p);
    free(v), free(u), free(r), free(balance), free(speed);
    saved_system_free(&s);
}

// The velocities that bodies have with a system's answer, 6 a body.
static double *answered_velocities(const saved_system *s)
{
    laboratory lab;
    solve_result result;
    double *answer = zeros(6 * s->contacts.count), *change = zeros(6 * s->bodies.count);
    assert_ok(laboratory_open(&lab, s, 1, &error));
    assert_ok(laboratory_find_reference(&lab, SCR_FRICTION_CONVEX, 3000, answer, &result, &error));
    impulse_motion(s, answer, change);
    for (int64_t k = 0; k < 6 * s->bodies.count; ++k) change[k] += s->free_velocity[k];
    laboratory_close(&lab);
    free(answer);
    return change;
}

// Bodies that cannot be moved are not FCLIB's: the others, in order.
static void assert_same_motion(const saved_system *a, const saved_system *b, double share)
{
    double *left = answered_velocities(a), *right = answered_velocities(b), largest = 0.0;
    int64_t at = 0;
    for (int64_t k = 0; k < 6 * a->bodies.count; ++k) largest = fmax(largest, k % 6 < 3 ? fabs(left[k]) : 0.0);
    for (int64_t i = 0; i < a->bodies.count; ++i) {
        if (a->inv_mass[i] == 0.0) continue;
        for (int k = 0; k < 6; ++k) {
            double length = k < 3 ? 1.0 : 0.003;
            assert_within(length * right[6 * at + k], length * left[6 * i + k], share * largest);
        }
        ++at;
    }
    assert_int_equal(at, b->bodies.count);
    free(left);
    free(right);
}

static void a_file_without_our_group_is_the_same_problem(void **state)
{
    char path[PATH_LENGTH_MAX];
    path_in(path, state);
    for (int rigid = 0; rigid <= 1; ++rigid) {
        saved_system a, b;
        keep_problem(&a, rigid ? SCR_RIGID : SCR_COMPLIANT, 150);
        assert_ok(problem_file_write(path, &a, &error));
        hid_t file = open_file(path, H5F_ACC_RDWR);
        forget_scree(file);
        H5Fclose(file);
        saved_system_init(&b);
        assert_ok(problem_file_read(path, &b, &error));
        assert_int_equal(a.contacts.count, b.contacts.count);
        for (int64_t i = 0; i < a.contacts.count; ++i) {
            assert_near(b.a_n[i], a.a_n[i], 1e-9);
            assert_near(b.a_t[i], a.a_t[i], 1e-9);
            assert_within(b.eps_n[i], a.eps_n[i], 1e-9 * a.eps_n[i]);
            assert_within(b.eps_t[i], a.eps_t[i], 1e-9 * a.eps_t[i]);
            assert_true(b.mu[i] == a.mu[i]);
            assert_int_equal(b.centre_line[i], a.centre_line[i]);
        }
        if (!rigid) assert_same_motion(&a, &b, 1e-4);
        saved_system_free(&a);
        saved_system_free(&b);
    }
}

static void replace_array(hid_t group, const char *name, hid_t type, int64_t count, const void *data)
{
    hsize_t size = (hsize_t)count;
    hid_t space = H5Screate_simple(1, &size, NULL);
    assert_true(H5Ldelete(group, name, H5P_DEFAULT) >= 0);
    hid_t set = H5Dcreate2(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
    H5Dclose(set);
    H5Sclose(space);
}

// A matrix as lists of its entries.
typedef struct entries {
    int32_t count, *row, *column, *start;
    double *value;
} entries;

static entries make_entries(const sparse_matrix *m)
{
    entries e = {.count = 0, .value = zeros(m->entries)};
    e.row = calloc((size_t)m->entries, sizeof *e.row);
    e.column = calloc((size_t)m->entries, sizeof *e.column);
    e.start = calloc((size_t)m->rows + 1, sizeof *e.start);
    return e;
}

static void free_entries(entries *e) { free(e->row), free(e->column), free(e->start), free(e->value); }

static void add_column(entries *e, const sparse_matrix *m, int32_t column, int32_t row)  // row -1: all of them
{
    for (int32_t k = m->start[column]; k < m->start[column + 1]; ++k) {
        if (row >= 0 && m->row[k] != row) continue;
        e->row[e->count] = m->row[k];
        e->column[e->count] = column;
        e->value[e->count++] = m->value[k];
    }
}

static entries triplets_backwards(const sparse_matrix *m)
{
    entries e = make_entries(m);
    for (int32_t c = m->columns - 1; c >= 0; --c) add_column(&e, m, c, -1);
    return e;
}

static entries by_rows(const sparse_matrix *m)
{
    entries e = make_entries(m);
    for (int32_t r = 0; r < m->rows; ++r) {
        for (int32_t c = 0; c < m->columns; ++c) add_column(&e, m, c, r);
        e.start[r + 1] = e.count;
    }
    return e;
}

static void write_entries(hid_t file, const entries *e, int32_t nz, int64_t pointers, const int32_t *p,
                          const int32_t *i)
{
    hid_t group = H5Gopen2(file, "fclib_global/H", H5P_DEFAULT);
    replace_array(group, "nz", H5T_NATIVE_INT32, 1, &nz);
    replace_array(group, "p", H5T_NATIVE_INT32, pointers, p);
    replace_array(group, "i", H5T_NATIVE_INT32, e->count, i);
    replace_array(group, "x", H5T_NATIVE_DOUBLE, e->count, e->value);
    H5Gclose(group);
}

// The matrix H in the file does the same to a vector.
static void check_same_matrix(hid_t file, const sparse_matrix *m)
{
    fcl_problem read;
    assert_ok(fcl_read_problem(file, "problem.h5", &read, &error));
    assert_memory_equal(read.H.start, m->start, ((size_t)m->columns + 1) * sizeof *m->start);
    double *x = zeros(m->columns), *left = zeros(m->rows), *right = zeros(m->rows);
    for (int32_t c = 0; c < m->columns; ++c) x[c] = cos((double)c);
    add_product(m, x, 1.0, left);
    add_product(&read.H, x, 1.0, right);
    for (int32_t r = 0; r < m->rows; ++r) assert_within(right[r], left[r], 1e-12);
    free(x), free(left), free(right);
    fcl_free(&read);
}

static void other_forms_of_matrices_are_read(void **state)
{
    char path[PATH_LENGTH_MAX];
    path_in(path, state);
    saved_system s;
    fcl_problem p;
    keep_problem(&s, SCR_COMPLIANT, 100);
    assert_ok(problem_file_write(path, &s, &error));
    hid_t file = open_file(path, H5F_ACC_RDWR);
    assert_ok(fcl_read_problem(file, path, &p, &error));
    entries triplets = triplets_backwards(&p.H), rows = by_rows(&p.H);
    write_entries(file, &triplets, triplets.count, triplets.count, triplets.column, triplets.row);
    check_same_matrix(file, &p.H);
    write_entries(file, &rows, -2, (int64_t)p.H.rows + 1, rows.start, rows.column);
    check_same_matrix(file, &p.H);
    free_entries(&triplets);
    free_entries(&rows);
    fcl_free(&p);
    H5Fclose(file);
    saved_system_free(&s);
}

// ---- what is refused -----------------------------------------------------------------------------------------------

static void check_refused(const char *path, const char *says)
{
    saved_system s;
    scr_error error = {0};
    saved_system_init(&s);
    scr_status status = problem_file_read(path, &s, &error);
    if (status == SCR_OK || strstr(error.message, says) == NULL || strstr(error.message, "problem.h5") == NULL)
        fail_msg("expected \"%s\", not \"%s\"", says, error.message);
    saved_system_free(&s);
}

static void make_groups(const char *path, const char *first, const char *second)
{
    hid_t access = hdf5_access(), file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Gclose(H5Gcreate2(file, first, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    if (second != NULL) H5Gclose(H5Gcreate2(file, second, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Fclose(file);
    H5Pclose(access);
}

static void other_files_are_refused_with_a_sentence(void **state)
{
    char path[PATH_LENGTH_MAX];
    path_in(path, state);
    check_refused(path, "cannot read");
    overwrite_file(path, "no HDF5", 7);
    check_refused(path, "cannot read");
    make_groups(path, "something", NULL);
    check_refused(path, "holds no contact problem");
    make_groups(path, "fclib_local", NULL);
    check_refused(path, "local problem of FCLIB");
    make_groups(path, "scree", NULL);
    check_refused(path, "does not say what it is");
    make_groups(path, "fclib_global", "fclib_global/M");
    check_refused(path, "the space dimension in the problem of FCLIB is damaged or missing");
}

static void put_into(const char *path, const char *name, hid_t type, int64_t count, const void *data)
{
    hid_t file = open_file(path, H5F_ACC_RDWR);
    replace_array(file, name, type, count, data);
    H5Fclose(file);
}

// A problem that is FCLIB's but not one of rigid bodies: changed in one place each time.
static void problems_of_other_bodies_are_refused(void **state)
{
    char path[PATH_LENGTH_MAX], *whole;
    size_t size;
    path_in(path, state);
    saved_system s;
    fcl_problem p;
    keep_problem(&s, SCR_COMPLIANT, 100);
    assert_ok(problem_file_write(path, &s, &error));
    hid_t file = open_file(path, H5F_ACC_RDWR);
    forget_scree(file);
    assert_ok(fcl_read_problem(file, path, &p, &error));
    H5Fclose(file);
    assert_ok(file_read(path, &whole, &size, &error));

    const int32_t two = 2, far = 1 << 30;
    put_into(path, "fclib_global/spacedim", H5T_NATIVE_INT32, 1, &two);
    check_refused(path, "2 dimensions");
    overwrite_file(path, whole, size);
    put_into(path, "fclib_global/M/n", H5T_NATIVE_INT32, 1, &far);
    check_refused(path, "damaged or missing");
    overwrite_file(path, whole, size);
    put_into(path, "fclib_global/H/nzmax", H5T_NATIVE_INT32, 1, &far);
    check_refused(path, "damaged or missing");

    double before = p.M.value[1];
    p.M.value[1] = 2.0 * p.M.value[1];  // a body that is heavier along y
    overwrite_file(path, whole, size);
    put_into(path, "fclib_global/M/x", H5T_NATIVE_DOUBLE, p.M.entries, p.M.value);
    check_refused(path, "body 0 has no mass and inertia");
    p.M.value[1] = before;
    before = p.H.value[0];
    p.H.value[0] += 0.5;  // a normal that is not at right angles to the tangents
    overwrite_file(path, whole, size);
    put_into(path, "fclib_global/H/x", H5T_NATIVE_DOUBLE, p.H.entries, p.H.value);
    check_refused(path, "contact 0");
    p.H.value[0] = NAN;
    overwrite_file(path, whole, size);
    put_into(path, "fclib_global/H/x", H5T_NATIVE_DOUBLE, p.H.entries, p.H.value);
    check_refused(path, "damaged or do not fit");
    p.H.value[0] = before;
    free(whole);
    fcl_free(&p);
    saved_system_free(&s);
}

// Any byte changed, any tail cut off: the problem as it was saved, or a sentence.
static void damage_is_found(void **state)
{
    char path[PATH_LENGTH_MAX], *whole;
    size_t size;
    path_in(path, state);
    saved_system a;
    keep_problem(&a, SCR_COMPLIANT, 60);
    assert_ok(problem_file_write(path, &a, &error));
    assert_ok(file_read(path, &whole, &size, &error));
    int refused = 0, rounds = 600;
    for (int round = 0; round < rounds; ++round) {
        size_t at = size * (size_t)round / (size_t)rounds;
        saved_system b;
        scr_error error = {0};
        saved_system_init(&b);
        char before = whole[at];
        whole[at] = (char)(before ^ (1 << round % 8));
        overwrite_file(path, whole, size);
        whole[at] = before;
        if (problem_file_read(path, &b, &error) == SCR_OK) {
            assert_same(&a, &b);  // a byte of FCLIB's part, or one that nobody uses
        } else {
            assert_non_null(strstr(error.message, "problem.h5"));
            ++refused;
        }
        saved_system_free(&b);
    }
    for (int part = 0; part < 30; ++part) {
        saved_system b;
        saved_system_init(&b);
        overwrite_file(path, whole, size * (size_t)part / 30);
        assert_int_not_equal(problem_file_read(path, &b, NULL), SCR_OK);
        saved_system_free(&b);
    }
    assert_true(refused > rounds / 5);
    free(whole);
    saved_system_free(&a);
}

// Every allocation made to fail, in writing, in reading our own group and in reading FCLIB's.
static void want_of_memory_is_a_sentence(void **state)
{
    char path[PATH_LENGTH_MAX];
    path_in(path, state);
    saved_system a;
    keep_problem(&a, SCR_COMPLIANT, 40);
    assert_ok(problem_file_write(path, &a, &error));
    for (int what = 0; what < 3; ++what) {
        int failures = 0;
        scr_status status = SCR_NO_MEMORY;
        if (what == 2) {
            hid_t file = open_file(path, H5F_ACC_RDWR);
            forget_scree(file);
            H5Fclose(file);
        }
        for (; status == SCR_NO_MEMORY && failures < 200; ++failures) {
            saved_system b;
            scr_error error = {0};
            saved_system_init(&b);
            scr_fail_allocation_in(failures);
            status = what == 0 ? problem_file_write(path, &a, &error) : problem_file_read(path, &b, &error);
            scr_fail_allocation_in(-1);
            assert_true(status == SCR_OK || strstr(error.message, "memory") != NULL);
            saved_system_free(&b);
        }
        assert_int_equal(status, SCR_OK);
        assert_true(failures > 10);
    }
    saved_system_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        scratch_test(a_problem_comes_back_to_the_bit),
        scratch_test(rolling_comes_back_without_fclib),
        scratch_test(the_public_call_steps_and_writes),
        scratch_test(the_answer_solves_fclibs_equations),
        scratch_test(a_file_without_our_group_is_the_same_problem),
        scratch_test(other_forms_of_matrices_are_read),
        scratch_test(other_files_are_refused_with_a_sentence),
        scratch_test(problems_of_other_bodies_are_refused),
        scratch_test(damage_is_found),
        scratch_test(want_of_memory_is_a_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
