// SPDX-License-Identifier: BSD-3-Clause
// Smoothing removes noise from flat surfaces and nothing else.
#include <string.h>

#include "check.h"
#include "core/maths/rng.h"
#include "view/render/film.h"

enum { WIDTH = 64, HEIGHT = 48 };
static const float NOISE = 0.02f;  // standard deviation of a pixel's radiance

// A surface half of which, from WIDTH / 2 on, lies in shadow, under noise of which the film knows the size.
static void expose(film *f, uint32_t path)
{
    assert_int_equal(film_init(f, WIDTH, HEIGHT, NULL), SCR_OK);
    for (int i = 0; i < WIDTH * HEIGHT; ++i) {
        float level = i % WIDTH < WIDTH / 2 ? 0.8f : 0.4f;
        float noisy = level + NOISE * (float)scr_normal(5, 0, (uint64_t)i);
        for (int c = 0; c < 3; ++c) f->radiance[3 * i + c] = noisy;
        f->variance[i] = NOISE * NOISE;
        f->path[i] = path;
    }
}

static double deviation(const float *radiance, float level, int from, int to)
{
    double sum = 0.0;
    for (int y = 0; y < HEIGHT; ++y)
        for (int x = from; x < to; ++x) sum += pow(radiance[3 * (y * WIDTH + x)] - level, 2.0);
    return sqrt(sum / (HEIGHT * (to - from)));
}

static void noise_goes_and_the_edge_of_a_shadow_stays(void **state)
{
    (void)state;
    static float smooth[3 * WIDTH * HEIGHT];
    film f;
    expose(&f, 7);
    film_smooth(&f, 2, smooth);
    assert_near(deviation(f.radiance, 0.8f, 0, WIDTH / 2), NOISE, 0.1);
    assert_true(deviation(smooth, 0.8f, 0, WIDTH / 2) < NOISE / 4.0);
    assert_true(deviation(smooth, 0.4f, WIDTH / 2, WIDTH) < NOISE / 4.0);
    assert_true(deviation(smooth, 0.8f, WIDTH / 2 - 1, WIDTH / 2) < NOISE / 2.0);  // the last column in the light
    film_free(&f);
}

static void what_is_not_flat_keeps_every_bit(void **state)
{
    (void)state;
    static float smooth[3 * WIDTH * HEIGHT];
    film f;
    expose(&f, NOT_FLAT);
    film_smooth(&f, 2, smooth);
    assert_memory_equal(smooth, f.radiance, sizeof smooth);
    for (uint32_t i = 0; i < WIDTH * HEIGHT; ++i) f.path[i] = i + 1;  // every pixel sees a surface of its own
    film_smooth(&f, 2, smooth);
    assert_memory_equal(smooth, f.radiance, sizeof smooth);
    film_free(&f);
}

static void a_surface_without_noise_keeps_its_detail(void **state)
{
    (void)state;
    static float smooth[3 * WIDTH * HEIGHT];
    film f;
    expose(&f, 7);
    memset(f.variance, 0, sizeof(float) * WIDTH * HEIGHT);
    film_smooth(&f, 2, smooth);
    assert_memory_equal(smooth, f.radiance, sizeof smooth);
    film_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(noise_goes_and_the_edge_of_a_shadow_stays),
        cmocka_unit_test(what_is_not_flat_keeps_every_bit),
        cmocka_unit_test(a_surface_without_noise_keeps_its_detail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
