// SPDX-License-Identifier: BSD-3-Clause
// Vectors, quaternions and matrices agree with each other.
#include "core/maths/mat3.h"

#include "check.h"
#include "core/maths/rng.h"

enum { SAMPLES = 2000 };

static double random_number(int64_t sample, int which)
{
    return 2.0 * scr_uniform(1, (uint64_t)which, (uint64_t)sample) - 1.0;
}

static scr_vec3 random_vector(int64_t sample, int which)
{
    return vec3(random_number(sample, 3 * which), random_number(sample, 3 * which + 1),
                random_number(sample, 3 * which + 2));
}

static scr_quat random_rotation(int64_t sample)
{
    return quat_unit((scr_quat){scr_normal(2, 0, (uint64_t)sample), scr_normal(2, 1, (uint64_t)sample),
                                scr_normal(2, 2, (uint64_t)sample), scr_normal(2, 3, (uint64_t)sample)});
}

static double distance(scr_vec3 a, scr_vec3 b) { return vec3_norm(vec3_sub(a, b)); }

static double largest_difference(const mat3 *a, const mat3 *b)
{
    double largest = 0.0;
    for (int i = 0; i < 9; ++i) largest = fmax(largest, fabs(a->m[i / 3][i % 3] - b->m[i / 3][i % 3]));
    return largest;
}

static double determinant(const mat3 *a)
{
    scr_vec3 r0 = vec3(a->m[0][0], a->m[0][1], a->m[0][2]), r1 = vec3(a->m[1][0], a->m[1][1], a->m[1][2]);
    return vec3_dot(vec3_cross(r0, r1), vec3(a->m[2][0], a->m[2][1], a->m[2][2]));
}

static void quarter_turn_about_z_takes_x_to_y(void **state)
{
    (void)state;
    scr_quat q = {sqrt(0.5), 0.0, 0.0, sqrt(0.5)};
    mat3 r = mat3_from_quat(q);
    assert_within(distance(mat3_times(&r, vec3(1, 0, 0)), vec3(0, 1, 0)), 0.0, 1e-15);
    assert_within(distance(quat_rotate(q, vec3(1, 0, 0)), vec3(0, 1, 0)), 0.0, 1e-15);
    assert_within(distance(quat_unrotate(q, vec3(0, 1, 0)), vec3(1, 0, 0)), 0.0, 1e-15);
}

static void matrix_and_quaternion_rotate_alike(void **state)
{
    (void)state;
    for (int s = 0; s < SAMPLES; ++s) {
        scr_quat q = random_rotation(s);
        scr_vec3 v = random_vector(s, 0);
        mat3 r = mat3_from_quat(q);
        assert_within(distance(mat3_times(&r, v), quat_rotate(q, v)), 0.0, 2e-15);
        assert_within(determinant(&r), 1.0, 1e-14);
    }
}

static void product_of_quaternions_is_product_of_matrices(void **state)
{
    (void)state;
    for (int s = 0; s < SAMPLES; ++s) {
        scr_quat p = random_rotation(s), q = random_rotation(s + SAMPLES);
        mat3 rp = mat3_from_quat(p), rq = mat3_from_quat(q), rpq = mat3_from_quat(quat_mul(p, q));
        mat3 product = mat3_mul(&rp, &rq);
        assert_within(largest_difference(&product, &rpq), 0.0, 4e-15);
    }
}

static void transpose_undoes_a_rotation(void **state)
{
    (void)state;
    const mat3 identity = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    for (int s = 0; s < SAMPLES; ++s) {
        mat3 r = mat3_from_quat(random_rotation(s)), back = mat3_transpose(&r), product = mat3_mul(&back, &r);
        mat3 conjugate = mat3_from_quat(quat_conj(random_rotation(s)));
        assert_within(largest_difference(&product, &identity), 0.0, 4e-15);
        assert_within(largest_difference(&back, &conjugate), 0.0, 1e-15);
    }
}

// Up to sign, which is the same rotation. Half turns are where a naive formula divides by zero.
static void quaternion_survives_the_way_through_a_matrix(void **state)
{
    (void)state;
    const scr_quat special[] = {{1, 0, 0, 0},    {0, 1, 0, 0},    {0, 0, 1, 0},     {0, 0, 0, 1},     {1e-9, 1, 0, 0},
                                {1e-9, 0, 1, 0}, {1e-9, 0, 0, 1}, {0, 0.6, 0.8, 0}, {0, 0.6, 0, 0.8}, {0, 0, 0.6, 0.8}};
    const int special_count = sizeof special / sizeof *special;
    for (int s = 0; s < SAMPLES; ++s) {
        scr_quat q = s < special_count ? special[s] : random_rotation(s);
        mat3 r = mat3_from_quat(q);
        scr_quat p = quat_from_mat3(&r);
        double sign = p.w * q.w + p.x * q.x + p.y * q.y + p.z * q.z < 0.0 ? -1.0 : 1.0;
        assert_within(sign * p.w, q.w, 1e-15);
        assert_within(sign * p.x, q.x, 1e-15);
        assert_within(sign * p.y, q.y, 1e-15);
        assert_within(sign * p.z, q.z, 1e-15);
    }
}

static void rotated_diagonal_is_r_d_r_transposed(void **state)
{
    (void)state;
    for (int s = 0; s < SAMPLES; ++s) {
        scr_quat q = random_rotation(s);
        scr_vec3 d = random_vector(s, 1);
        mat3 r = mat3_from_quat(q), rt = mat3_transpose(&r), diagonal = {{{d.x, 0, 0}, {0, d.y, 0}, {0, 0, d.z}}};
        mat3 rd = mat3_mul(&r, &diagonal), expected = mat3_mul(&rd, &rt), seen = mat3_rotated_diagonal(q, d);
        assert_within(largest_difference(&seen, &expected), 0.0, 4e-15);
        mat3 mirrored = mat3_transpose(&seen);
        assert_true(largest_difference(&seen, &mirrored) == 0.0);
    }
}

static double largest_entry(const mat3 *a)
{
    const mat3 zero = {0};
    return largest_difference(a, &zero);
}

static void check_eigen(mat3 a)
{
    scr_vec3 values;
    scr_quat axes;
    mat3_eigen_symmetric(&a, &values, &axes);
    assert_within(quat_norm2(axes), 1.0, 1e-14);
    mat3 again = mat3_rotated_diagonal(axes, values);
    assert_within(largest_difference(&again, &a), 0.0, 2e-14 * largest_entry(&a));
}

static void eigenvectors_rebuild_the_matrix(void **state)
{
    (void)state;
    for (int s = 0; s < SAMPLES; ++s) {
        scr_vec3 d = random_vector(s, 0), o = random_vector(s, 1);
        check_eigen((mat3){{{d.x, o.x, o.y}, {o.x, d.y, o.z}, {o.y, o.z, d.z}}});
    }
}

static void eigenvalues_may_repeat_vanish_or_differ_wildly(void **state)
{
    (void)state;
    check_eigen((mat3){{{2, 0, 0}, {0, 2, 0}, {0, 0, 2}}});
    check_eigen((mat3){{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}});
    check_eigen((mat3){{{1e12, 1, 1}, {1, 1e-6, 1e-7}, {1, 1e-7, 1}}});
    check_eigen((mat3){{{1, 1e-200, 0}, {1e-200, 2, 0}, {0, 0, 3}}});
    check_eigen((mat3){{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}});
}

static void principal_moments_of_a_rotated_body_come_back(void **state)
{
    (void)state;
    for (int s = 0; s < SAMPLES; ++s) {
        mat3 inertia = mat3_rotated_diagonal(random_rotation(s), vec3(1.0, 2.0, 4.0));
        scr_vec3 v;
        scr_quat axes;
        mat3_eigen_symmetric(&inertia, &v, &axes);
        assert_near(v.x + v.y + v.z, 7.0, 1e-14);
        assert_near(v.x * v.y * v.z, 8.0, 1e-14);
        assert_near(fmax(v.x, fmax(v.y, v.z)), 4.0, 1e-14);
    }
}

static void unit_vector_of_nothing_is_x(void **state)
{
    (void)state;
    assert_true(distance(vec3_unit(vec3(0, 0, 0)), vec3(1, 0, 0)) == 0.0);
    assert_within(vec3_norm(vec3_unit(vec3(3, -4, 12))), 1.0, 1e-15);
    assert_false(vec3_is_finite(vec3(0, NAN, 0)));
    assert_false(vec3_is_finite(vec3(0, 0, INFINITY)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quarter_turn_about_z_takes_x_to_y),
        cmocka_unit_test(matrix_and_quaternion_rotate_alike),
        cmocka_unit_test(product_of_quaternions_is_product_of_matrices),
        cmocka_unit_test(transpose_undoes_a_rotation),
        cmocka_unit_test(quaternion_survives_the_way_through_a_matrix),
        cmocka_unit_test(rotated_diagonal_is_r_d_r_transposed),
        cmocka_unit_test(eigenvectors_rebuild_the_matrix),
        cmocka_unit_test(eigenvalues_may_repeat_vanish_or_differ_wildly),
        cmocka_unit_test(principal_moments_of_a_rotated_body_come_back),
        cmocka_unit_test(unit_vector_of_nothing_is_x),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
