// SPDX-License-Identifier: BSD-3-Clause
// Contact problems with joints in files: the bits come back, and solvers find the answer they find without a file;
// damage is refused with a sentence.
#include <hdf5.h>

#include "core/file/safe_file.h"
#include "dynamics/small_joints.h"
#include "io/problem/problem_file.h"
#include "laboratory/laboratory.h"
#include "scratch_directory.h"

static const scr_vec3 UP = {0.0, 0.0, 1.0}, ZERO = {0.0, 0.0, 0.0};

static void path_in(char path[PATH_LENGTH_MAX], void **state)
{
    assert_int_equal(path_join(path, *state, "problem.h5", NULL), SCR_OK);
}

// Two chains of three blocks on a floor: one of hinges, the other hung on the ground by springs.
static void make_chains(small_system *s, small_joints *j)
{
    *s = (small_system){0};
    *j = (small_joints){0};
    for (int k = 0; k < 6; ++k) {
        small_block(s, 1.0 + k, vec3(0.1, 0.2, 0.15), vec3(0.3, 0.1 * k, -1.0), vec3(0.5, 0.0, 0.1 * k));
        small_contact(s, NO_BODY, k, UP, ZERO, vec3(0.1, 0.05 * k, -0.2), false, 0.4, 0.01);
    }
    small_mechanism *hinged = small_mechanism_new(j), *hung = small_mechanism_new(j);
    for (int32_t k = 0; k < 2; ++k)
        small_joint(hinged, s, k, k + 1, vec3(0.2, 0.0, 0.0), vec3(-0.2, 0.0, 0.05), 5, 0.0);
    small_joint(hung, s, NO_BODY, 3, ZERO, vec3(0.0, 0.0, 0.3), 3, 0.2)->open = 1;
    for (int32_t k = 3; k < 5; ++k) small_joint(hung, s, k, k + 1, vec3(0.2, 0.0, 0.0), vec3(-0.2, 0.1, 0.0), 3, 0.0);
    small_join(j, s);
}

static void save(saved_system *saved, small_system *s)
{
    contact_system system = system_of(s, 1);
    saved_system_init(saved);
    assert_ok(saved_system_take(saved, &system, &error));
    saved_system_set_title(saved, "chains");
}

static void joints_come_back_to_the_bit(void **state)
{
    char path[PATH_LENGTH_MAX], text[200];
    static small_system s;
    static small_joints joints;
    saved_system a, b;
    path_in(path, state);
    make_chains(&s, &joints);
    save(&a, &s);
    saved_system_init(&b);
    assert_ok(problem_file_write(path, &a, &error));
    assert_ok(problem_file_read(path, &b, &error));
    assert_int_equal(b.joined.count, 6);
    const table *left[] = {&a.bodies, &a.contacts, &a.joined, &a.blocks, &a.jacobians, &a.about};
    const table *right[] = {&b.bodies, &b.contacts, &b.joined, &b.blocks, &b.jacobians, &b.about};
    for (int k = 0; k < 6; ++k) assert_false(table_first_difference(left[k], right[k], text, sizeof text));
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_int_equal(H5Lexists(file, "fclib_global", H5P_DEFAULT), 0);
    H5Fclose(file);
    saved_system_free(&a);
    saved_system_free(&b);
    small_joints_free(&joints);
}

static void solvers_find_the_same_answer_from_a_file(void **state)
{
    char path[PATH_LENGTH_MAX];
    static small_system s;
    static small_joints joints;
    const solver_way way = {"fine ags", SCR_SOLVER_AGS, SCR_PRECISION_DOUBLE, 1e-13, 50000, SCR_BEST};
    saved_system saved, read;
    path_in(path, state);
    make_chains(&s, &joints);
    save(&saved, &s);
    saved_system_init(&read);
    assert_ok(problem_file_write(path, &saved, &error));
    assert_ok(problem_file_read(path, &read, &error));
    small_solve(&s, &way, SCR_FRICTION_CONVEX);

    laboratory lab;
    trial t = {0};
    double reference[6 * SMALL_CONTACTS];
    solve_result result;
    assert_ok(laboratory_open(&lab, &read, 1, &error));
    assert_ok(laboratory_find_reference(&lab, SCR_FRICTION_CONVEX, 50000, reference, &result, &error));
    for (int64_t i = 0; i < s.contact_count; ++i)
        assert_within3(vec3(reference[6 * i], reference[6 * i + 1], reference[6 * i + 2]), small_impulse(&s, i), 1e-11);
    laboratory_set_reference(&lab, reference);
    for (int kind = SCR_SOLVER_AGS; kind <= SCR_SOLVER_NEWTON; ++kind) {
        const trial_setting setting = {
            .solver = {.kind = (scr_solver_kind)kind, .max_iterations = 20000, .tolerance = 1e-7}};
        assert_ok(laboratory_watch(&lab, &setting, &t, &error));
        assert_at_most(t.point[t.count - 1].velocity_error, 1e-5);
    }
    trial_free(&t);
    laboratory_close(&lab);
    saved_system_free(&saved);
    saved_system_free(&read);
    small_joints_free(&joints);
}

static void wrong_joints_are_refused_with_a_sentence(void **state)
{
    (void)state;
    static small_system s;
    static small_joints joints;
    const char *sentence[] = {"joined body 4 is a body that is joined already",
                              "joined body 2 belongs to a mechanism out of turn",
                              "joint block 1 holds a body of another mechanism",
                              "joint block 0 has no proper number of rows and Jacobians",
                              "joint block 2 opens rows that it does not have",
                              "joint block 3 has no proper compliance",
                              "joint block 4 holds something that is no number, or far too large",
                              "joint block 2 has a row that no body feels",
                              "joint block 0 holds a body twice"};
    make_chains(&s, &joints);
    for (int k = 0; k < (int)(sizeof sentence / sizeof *sentence); ++k) {
        saved_system saved;
        scr_error failure = {0};
        save(&saved, &s);
        if (k == 0) saved.joined_body[4] = saved.joined_body[3];
        if (k == 1) saved.joined_mechanism[2] = 2;
        if (k == 2) saved.jacobian_joined[2] = 5;
        if (k == 3) saved.block_rows[0] = 7;
        if (k == 4) saved.block_open[2] = 8;
        if (k == 5) saved.block_compliance[3 * BLOCK_ROWS + 1] = -1.0;
        if (k == 6) saved.jacobian_rows[36 * 8 + 3] = NAN;
        if (k == 7)
            for (int i = 0; i < 6; ++i) saved.jacobian_rows[36 * 5 + 6 + i] = 0.0;
        if (k == 8) saved.jacobian_joined[1] = saved.jacobian_joined[0];
        assert_int_equal(saved_system_check(&saved, "chains.h5", &failure), SCR_BAD_INPUT);
        print_message("%s\n", failure.message);
        assert_non_null(strstr(failure.message, sentence[k]));
        saved_system_free(&saved);
    }
    small_joints_free(&joints);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        scratch_test(joints_come_back_to_the_bit),
        scratch_test(solvers_find_the_same_answer_from_a_file),
        cmocka_unit_test(wrong_joints_are_refused_with_a_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
