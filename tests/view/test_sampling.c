// SPDX-License-Identifier: BSD-3-Clause
// Sample points are well spread in every pixel, and directions have the density they promise.
#include "check.h"
#include "view/render/sampling.h"

enum { SAMPLES = 16, NET = 4096 };

// `count` points, one in each of count cells, whatever the shape of the cells: columns wide and narrow. This is what
// makes Sobol's sequence what it is, and what scrambling must keep.
static void check_net(const square_point *point, int count)
{
    for (int columns = 1; columns <= count; columns *= 2) {
        static int hits[NET];
        int rows = count / columns;
        for (int cell = 0; cell < count; ++cell) hits[cell] = 0;
        for (int i = 0; i < count; ++i) {
            assert_true(point[i].u >= 0.0f && point[i].u < 1.0f && point[i].v >= 0.0f && point[i].v < 1.0f);
            ++hits[(int)(point[i].u * (float)columns) * rows + (int)(point[i].v * (float)rows)];
        }
        for (int cell = 0; cell < count; ++cell) assert_int_equal(hits[cell], 1);
    }
}

static void every_pixel_is_covered_evenly(void **state)
{
    (void)state;
    for (int pixel = 0; pixel < 50; ++pixel) {
        for (int purpose = SAMPLE_PIXEL; purpose <= SAMPLE_BOUNCE_SUN; ++purpose) {
            square_point point[SAMPLES];
            for (int i = 0; i < SAMPLES; ++i)
                point[i] = sample_square(sample_index(31 * pixel, 17 * pixel, i, SAMPLES), (sample_purpose)purpose);
            check_net(point, SAMPLES);
        }
    }
}

// Neighbouring pixels take neighbouring stretches of one sequence, so that together they are a finer net.
static void neighbouring_pixels_share_a_net(void **state)
{
    (void)state;
    static square_point point[NET];
    for (int i = 0; i < NET; ++i) point[i] = sample_square(3u * NET + (uint32_t)i, SAMPLE_SKY);
    for (int count = 2; count <= NET; count *= 2) check_net(point, count);
    assert_int_equal(sample_index(0, 1, 0, SAMPLES), 2 * SAMPLES);  // the second row of a square of 2 x 2
    assert_int_equal(sample_index(1, 1, 0, SAMPLES), 3 * SAMPLES);
    assert_int_equal(sample_index(2, 0, 0, SAMPLES), 4 * SAMPLES);  // the next square
}

// Points of two purposes are independent: their correlation over many pixels vanishes like the root of the count.
static void purposes_do_not_go_in_step(void **state)
{
    (void)state;
    enum { COUNT = 1 << 14 };
    for (int first = SAMPLE_PIXEL; first <= SAMPLE_BOUNCE_SUN; ++first) {
        for (int second = first + 1; second <= SAMPLE_BOUNCE_SUN; ++second) {
            double correlation = 0.0;
            for (int i = 0; i < COUNT; ++i) {
                uint32_t index = sample_index(i / 16 % 32, i / 16 / 32, i % 16, 16);
                square_point a = sample_square(index, (sample_purpose)first);
                square_point b = sample_square(index, (sample_purpose)second);
                correlation += 12.0 * (a.u - 0.5) * (b.u - 0.5) / COUNT;
            }
            assert_within(correlation, 0.0, 4.0 / sqrt(COUNT));
        }
    }
}

static void directions_have_their_density(void **state)
{
    (void)state;
    enum { COUNT = 4096 };
    vec3f n = vec3f_unit(vec3f_of(0.3f, -0.5f, 0.8f));
    double hemisphere = 0.0, cone = 0.0;
    for (int i = 0; i < COUNT; ++i) {
        square_point p = sample_square((uint32_t)i, SAMPLE_SKY);
        vec3f d = sample_hemisphere(n, p);
        assert_near(vec3f_norm(d), 1.0, 1e-5);
        assert_true(vec3f_dot(d, n) >= 0.0f);
        hemisphere += vec3f_dot(d, n) / COUNT;
        cone += vec3f_dot(sample_cone(n, 0.6f, p), n) / COUNT;
        assert_true(vec3f_dot(sample_cone(n, 0.6f, p), n) >= 0.6f - 1e-5f);
    }
    assert_near(hemisphere, 2.0 / 3.0, 1e-3);  // mean of the cosine, weighed by the cosine
    assert_near(cone, 0.8, 1e-3);              // even over a cap: midway between 0.6 and 1
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pixel_is_covered_evenly),
        cmocka_unit_test(neighbouring_pixels_share_a_net),
        cmocka_unit_test(purposes_do_not_go_in_step),
        cmocka_unit_test(directions_have_their_density),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
