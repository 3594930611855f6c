// SPDX-License-Identifier: BSD-3-Clause
// Elementary functions against the C library's long double ones, in units of the last place.
#include "core/maths/trig.h"

#include <string.h>

#include "check.h"
#include "core/maths/rng.h"

enum { SAMPLES = 200000 };

static double between(double low, double high, uint64_t stream, int sample)
{
    return low + (high - low) * scr_uniform(3, stream, (uint64_t)sample);
}

// A positive number whose logarithm is uniform over all exponents, subnormals included.
static double any_magnitude(uint64_t stream, int sample)
{
    return ldexp(between(1.0, 2.0, stream, sample), (int)between(-1074.0, 1024.0, stream + 1, sample));
}

#define assert_ulps(value, exact, limit, x) check_ulps((value), (exact), (limit), (x), #value, __LINE__)
static void check_ulps(double value, long double exact, double limit, double x, const char *what, int line)
{
    int exponent;
    frexpl(exact, &exponent);
    if (exponent < -1021) exponent = -1021;  // subnormals have the spacing of the smallest normal numbers
    double ulps = (double)(fabsl((long double)value - exact) / ldexpl(1.0L, exponent - 53));
    if (ulps <= limit) return;
    print_error("%s at %.17g is %.17g, off by %.3f ulp from %.21Lg\n", what, x, value, ulps, exact);
    _fail(__FILE__, line);
}

static void check_sincos(double x)
{
    double s, c;
    scr_sincos(x, &s, &c);
    assert_ulps(s, sinl((long double)x), 1.0, x);
    assert_ulps(c, cosl((long double)x), 1.0, x);
}

static void sine_and_cosine_are_good_to_one_ulp(void **state)
{
    (void)state;
    for (int i = 0; i < SAMPLES; ++i) {
        check_sincos(between(-10.0, 10.0, 0, i));
        check_sincos(between(-1e5, 1e5, 1, i));
        check_sincos(ldexp(between(-1.0, 1.0, 2, i), -(i % 60)));
    }
}

// Where almost all digits of the reduced angle cancel.
static void multiples_of_a_quarter_turn_are_no_worse(void **state)
{
    (void)state;
    for (int n = -63000; n <= 63000; ++n) {
        double x = n * 1.5707963267948966;
        check_sincos(x);
        check_sincos(nextafter(x, INFINITY));
    }
}

static void far_angles_still_lie_on_the_circle(void **state)
{
    (void)state;
    for (int i = 0; i < SAMPLES; ++i) {
        double s, c, x = any_magnitude(3, i);
        scr_sincos(x, &s, &c);
        assert_near(s * s + c * c, 1.0, 1e-15);
        if (x < 1e9) assert_within(s, (double)sinl((long double)x), 2.3e-16 * x + 1e-15);
    }
}

static void special_angles(void **state)
{
    (void)state;
    double s, c;
    scr_sincos(-0.0, &s, &c);
    assert_true(s == 0.0 && signbit(s) && c == 1.0);
    scr_sincos(0x1p-1074, &s, &c);
    assert_true(s == 0x1p-1074 && c == 1.0);
    const double undefined[] = {INFINITY, -INFINITY, NAN};
    for (int i = 0; i < 3; ++i) {
        scr_sincos(undefined[i], &s, &c);
        assert_true(isnan(s) && isnan(c));
    }
}

static void exponential_is_good_to_one_ulp(void **state)
{
    (void)state;
    for (int i = 0; i < SAMPLES; ++i) {
        double x = between(-708.0, 709.78, 5, i), near_zero = ldexp(between(-1.0, 1.0, 6, i), -(i % 60));
        assert_ulps(scr_exp(x), expl((long double)x), 1.0, x);
        assert_ulps(scr_exp(near_zero), expl((long double)near_zero), 1.0, near_zero);
        double deep = between(-745.0, -708.0, 7, i);  // subnormal results are rounded twice
        assert_ulps(scr_exp(deep), expl((long double)deep), 1.5, deep);
    }
}

static void exponential_ends_in_zero_and_infinity(void **state)
{
    (void)state;
    assert_true(scr_exp(0.0) == 1.0);
    assert_true(scr_exp(709.782712893384) < INFINITY);
    assert_true(scr_exp(709.7827128933841) == INFINITY);
    assert_true(scr_exp(1e300) == INFINITY && scr_exp(INFINITY) == INFINITY);
    assert_true(scr_exp(-745.0) == 0x1p-1074);
    assert_true(scr_exp(-745.2) == 0.0 && scr_exp(-1e300) == 0.0 && scr_exp(-INFINITY) == 0.0);
    assert_true(isnan(scr_exp(NAN)));
}

static void logarithm_is_good_to_one_ulp(void **state)
{
    (void)state;
    for (int i = 0; i < SAMPLES; ++i) {
        double x = any_magnitude(8, i), middle = between(0.5, 2.0, 10, i);
        double near_one = 1.0 + ldexp(between(-1.0, 1.0, 11, i), -(i % 50) - 1);
        assert_ulps(scr_log(x), logl((long double)x), 1.0, x);
        assert_ulps(scr_log(middle), logl((long double)middle), 1.0, middle);
        assert_ulps(scr_log(near_one), logl((long double)near_one), 1.0, near_one);
    }
}

static void logarithm_at_its_ends(void **state)
{
    (void)state;
    assert_true(scr_log(1.0) == 0.0);
    assert_true(scr_log(0.0) == -INFINITY && scr_log(-0.0) == -INFINITY);
    assert_true(isnan(scr_log(-1.0)) && isnan(scr_log(-INFINITY)) && isnan(scr_log(NAN)));
    assert_true(scr_log(INFINITY) == INFINITY);
    assert_ulps(scr_log(0x1p-1074), logl(0x1p-1074L), 1.0, 0x1p-1074);
}

static void power_is_good_to_two_ulp(void **state)
{
    (void)state;
    for (int i = 0; i < SAMPLES; ++i) {
        double x = any_magnitude(12, i), y = between(-700.0, 700.0, 14, i) / log(x);
        assert_ulps(scr_pow(x, y), powl((long double)x, (long double)y), 2.0, x);
        double m = between(0.5, 2.0, 15, i), large = between(-700.0, 700.0, 16, i) / log(m);
        assert_ulps(scr_pow(m, large), powl((long double)m, (long double)large), 2.0, m);
        double usual = between(0.0, 10.0, 17, i);
        assert_ulps(scr_pow(usual, 1.5), powl((long double)usual, 1.5L), 1.0, usual);
    }
}

static void whole_powers_are_rounded_products(void **state)
{
    (void)state;
    for (int n = -64; n <= 64; ++n) {
        for (int i = 0; i < 500; ++i) {
            double x = between(0.01, 100.0, 18, 500 * (n + 64) + i);
            assert_ulps(scr_pow(x, n), powl((long double)x, n), 0.51, x);
            assert_true(scr_pow(-x, n) == (n % 2 != 0 ? -scr_pow(x, n) : scr_pow(x, n)));
        }
    }
}

static void whole_powers_of_whole_numbers_are_exact(void **state)
{
    (void)state;
    for (int base = 1; base <= 100; ++base) {
        double product = 1.0;
        for (int n = 0; n <= 64 && product < 0x1p53; ++n, product *= base) assert_true(scr_pow(base, n) == product);
    }
    for (int n = -1074; n <= 1023; ++n) assert_true(scr_pow(2.0, n) == ldexp(1.0, n));
    assert_true(scr_pow(9.0, 0.5) == 3.0 && scr_pow(4.0, 1.5) == 8.0 && scr_pow(4.0, -0.5) == 0.5);
}

static void special_powers_follow_the_c_standard(void **state)
{
    (void)state;
    const double special[] = {0.0,
                              -0.0,
                              0.5,
                              -0.5,
                              1.0,
                              -1.0,
                              2.0,
                              -2.0,
                              3.0,
                              -3.0,
                              1e300,
                              -1e300,
                              INFINITY,
                              -INFINITY,
                              1e-300,
                              -1e-300,
                              0x1p53,
                              0x1p53 - 1.0,
                              -(0x1p53 - 1.0),
                              0x1p-1074,
                              NAN};
    const int count = sizeof special / sizeof *special;
    for (int i = 0; i < count; ++i) {
        for (int j = 0; j < count; ++j) {
            double x = special[i], y = special[j], seen = scr_pow(x, y), expected = pow(x, y);
            if (isnan(expected) && isnan(seen)) continue;
            bool near = seen == expected || fabs(seen - expected) <= 4e-16 * fabs(expected);
            if (near && signbit(seen) == signbit(expected)) continue;
            fail_msg("pow(%.17g, %.17g) is %.17g, not %.17g", x, y, seen, expected);
        }
    }
}

static void cube_root_is_good_to_one_ulp(void **state)
{
    (void)state;
    for (int i = 0; i < SAMPLES; ++i) {
        double x = any_magnitude(19, i);
        assert_ulps(scr_cbrt(x), cbrtl((long double)x), 0.6, x);
        assert_true(scr_cbrt(-x) == -scr_cbrt(x));
    }
    for (int n = -1000; n <= 1000; ++n) assert_true(scr_cbrt((double)n * n * n) == n);
}

static void special_cube_roots(void **state)
{
    (void)state;
    assert_true(scr_cbrt(0.0) == 0.0 && signbit(scr_cbrt(-0.0)));
    assert_true(scr_cbrt(INFINITY) == INFINITY && scr_cbrt(-INFINITY) == -INFINITY);
    assert_true(isnan(scr_cbrt(NAN)));
}

static void check_atan2(double y, double x)
{
    assert_ulps(scr_atan2(y, x), atan2l((long double)y, (long double)x), 1.0, y / x);
}

static void angle_of_a_vector_is_good_to_one_ulp(void **state)
{
    (void)state;
    for (int i = 0; i < SAMPLES; ++i) {
        double x = between(-1.0, 1.0, 30, i), y = between(-1.0, 1.0, 31, i);
        check_atan2(y, x);
        check_atan2(ldexp(y, -(i % 70)), x);
        check_atan2(y, ldexp(x, -(i % 70)));
        double far = any_magnitude(32, i), wide = any_magnitude(34, i);
        check_atan2(i % 2 == 0 ? far : -far, i % 3 == 0 ? wide : -wide);
    }
    for (int i = -64; i <= 64; ++i) {  // where the series changes its base
        double t = i / 16.0;
        check_atan2(t, 1.0);
        check_atan2(nextafter(t, INFINITY), 1.0);
        check_atan2(1.0, nextafter(t, INFINITY));
    }
}

static void special_angles_of_vectors_follow_the_c_standard(void **state)
{
    (void)state;
    const double special[] = {0.0, -0.0, 1.0, -1.0, INFINITY, -INFINITY, 0x1p-1074, -0x1p-1074, 1.7e308, -1.7e308, NAN};
    const int count = sizeof special / sizeof *special;
    for (int i = 0; i < count; ++i) {
        for (int j = 0; j < count; ++j) {
            double y = special[i], x = special[j], seen = scr_atan2(y, x), expected = atan2(y, x);
            if (isnan(expected) && isnan(seen)) continue;
            bool near = fabs(seen - expected) <= 3e-16 * fabs(expected);
            if (near && signbit(seen) == signbit(expected)) continue;
            fail_msg("atan2(%.17g, %.17g) is %.17g, not %.17g", y, x, seen, expected);
        }
    }
}

static uint64_t add_bits(uint64_t hash, double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    hash = (hash ^ bits) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 32;
}

// The reason why these functions exist. The numbers were the same with gcc and clang, -O0 to -O3, with and without
// -march=native; they may change only when a formula does.
static void every_processor_gives_the_same_bits(void **state)
{
    (void)state;
    uint64_t hash = 0;
    for (int i = 0; i < SAMPLES; ++i) {
        double s, c, x = any_magnitude(21, i), y = between(-5.0, 5.0, 23, i);
        scr_sincos(between(-1e5, 1e5, 24, i), &s, &c);
        hash = add_bits(add_bits(hash, s), c);
        hash = add_bits(hash, scr_exp(between(-740.0, 709.0, 25, i)));
        hash = add_bits(add_bits(hash, scr_log(x)), scr_cbrt(x));
        hash = add_bits(add_bits(hash, scr_pow(x, y)), scr_pow(x, (int)y));
    }
    assert_true(hash == 0x905a37d206aa145fu);
    uint64_t angles = 0;
    for (int i = 0; i < SAMPLES; ++i)
        angles = add_bits(angles, scr_atan2(between(-1.0, 1.0, 36, i), between(-1.0, 1.0, 37, i)));
    assert_true(angles == 0xacb21f9697cb9793u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sine_and_cosine_are_good_to_one_ulp),
        cmocka_unit_test(multiples_of_a_quarter_turn_are_no_worse),
        cmocka_unit_test(far_angles_still_lie_on_the_circle),
        cmocka_unit_test(special_angles),
        cmocka_unit_test(exponential_is_good_to_one_ulp),
        cmocka_unit_test(exponential_ends_in_zero_and_infinity),
        cmocka_unit_test(logarithm_is_good_to_one_ulp),
        cmocka_unit_test(logarithm_at_its_ends),
        cmocka_unit_test(power_is_good_to_two_ulp),
        cmocka_unit_test(whole_powers_are_rounded_products),
        cmocka_unit_test(whole_powers_of_whole_numbers_are_exact),
        cmocka_unit_test(special_powers_follow_the_c_standard),
        cmocka_unit_test(cube_root_is_good_to_one_ulp),
        cmocka_unit_test(special_cube_roots),
        cmocka_unit_test(angle_of_a_vector_is_good_to_one_ulp),
        cmocka_unit_test(special_angles_of_vectors_follow_the_c_standard),
        cmocka_unit_test(every_processor_gives_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
