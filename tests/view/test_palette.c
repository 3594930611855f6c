// SPDX-License-Identifier: BSD-3-Clause
// Colours mean what they say: more is lighter, equal steps look equal, different things look different.
#include "check.h"
#include "view/colour/palette.h"

// The forward direction of OKLab, from its definition, as an oracle for the inverse that palette.c uses.
static vec3f oklab_of(vec3f rgb)
{
    float l = cbrtf(0.4122214708f * rgb[0] + 0.5363325363f * rgb[1] + 0.0514459929f * rgb[2]);
    float m = cbrtf(0.2119034982f * rgb[0] + 0.6806995451f * rgb[1] + 0.1073969566f * rgb[2]);
    float s = cbrtf(0.0883024619f * rgb[0] + 0.2817188376f * rgb[1] + 0.6299787005f * rgb[2]);
    return vec3f_of(0.2104542553f * l + 0.7936177850f * m - 0.0040720468f * s,
                    1.9779984951f * l - 2.4285922050f * m + 0.4505937099f * s,
                    0.0259040371f * l + 0.7827717662f * m - 0.8086757660f * s);
}

static const colour_map OWN[2] = {MAP_SCREE, MAP_EARTH};

static float luminance_of(vec3f linear) { return vec3f_dot(linear, vec3f_of(0.2126f, 0.7152f, 0.0722f)); }

static void more_is_lighter(void **state)
{
    (void)state;
    for (int k = 0; k < 2; ++k) {
        palette p;
        palette_init(&p, OWN[k]);
        for (int i = 1; i < PALETTE_STEPS; ++i) assert_true(luminance_of(p.colour[i]) > luminance_of(p.colour[i - 1]));
        assert_true(luminance_of(p.colour[PALETTE_STEPS - 1]) > 6.0f * luminance_of(p.colour[0]));
    }
}

static void check_equal_steps(colour_map map)
{
    palette p;
    palette_init(&p, map);
    float step[16], mean = 0.0f;
    for (int i = 0; i < 16; ++i) {
        vec3f a = oklab_of(palette_at(&p, (float)i / 16.0f)), b = oklab_of(palette_at(&p, (float)(i + 1) / 16.0f));
        step[i] = vec3f_norm(b - a);
        mean += step[i] / 16.0f;
    }
    for (int i = 0; i < 16; ++i) assert_near(step[i], mean, 0.05);
}

static void equal_steps_look_equal(void **state)
{
    (void)state;
    for (int k = 0; k < 2; ++k) check_equal_steps(OWN[k]);
}

static void no_colour_of_the_scale_is_clipped(void **state)
{
    (void)state;
    for (int k = 0; k < 2; ++k) {
        palette p;
        palette_init(&p, OWN[k]);
        for (int i = 0; i < PALETTE_STEPS; ++i)
            for (int c = 0; c < 3; ++c) assert_true(p.colour[i][c] > 0.0f && p.colour[i][c] < 1.0f);
    }
}

static void values_outside_the_scale_take_its_ends(void **state)
{
    (void)state;
    palette p;
    palette_init(&p, MAP_SCREE);
    for (int c = 0; c < 3; ++c) {
        assert_true(palette_at(&p, -3.0f)[c] == p.colour[0][c]);
        assert_true(palette_at(&p, 7.0f)[c] == p.colour[PALETTE_STEPS - 1][c]);
    }
}

// The published maps: first, middle and last colour as their authors list them.
static void published_maps_have_their_colours(void **state)
{
    (void)state;
    const struct {
        colour_map map;
        double rgb[3][3];  // sRGB, 0 to 1, of numbers 0, 128 and 255 of 256
    } published[] = {
        {MAP_VIRIDIS, {{0.267004, 0.004874, 0.329415}, {0.127568, 0.566949, 0.550556}, {0.993248, 0.906157, 0.143936}}},
        {MAP_CIVIDIS, {{0.0, 0.135112, 0.304751}, {0.488697, 0.485318, 0.471008}, {0.995737, 0.909344, 0.217772}}},
        {MAP_INFERNO, {{0.001462, 0.000466, 0.013866}, {0.735683, 0.215906, 0.330245}, {0.988362, 0.998364, 0.644924}}},
        {MAP_MAGMA, {{0.001462, 0.000466, 0.013866}, {0.716387, 0.214982, 0.475290}, {0.987053, 0.991438, 0.749504}}},
    };
    const int number[3] = {0, 128, 255};
    for (size_t m = 0; m < sizeof published / sizeof published[0]; ++m) {
        palette p;
        palette_init(&p, published[m].map);
        for (int k = 0; k < 3; ++k)
            for (int c = 0; c < 3; ++c)
                assert_within(srgb_encoded(p.colour[number[k]][c]), published[m].rgb[k][c], 2.0 / 255.0);
        for (int i = 1; i < PALETTE_STEPS; ++i)
            assert_true(luminance_of(p.colour[i]) >= luminance_of(p.colour[i - 1]) - 1e-4f);
    }
}

static void the_first_categories_can_be_told_apart(void **state)
{
    (void)state;
    for (uint32_t a = 0; a < 8; ++a)
        for (uint32_t b = 0; b < a; ++b)
            assert_true(vec3f_norm(oklab_of(palette_category(a)) - oklab_of(palette_category(b))) > 0.08f);
}

static void grains_are_sand_but_not_all_alike(void **state)
{
    (void)state;
    float lightest = 0.0f, darkest = 1.0f;
    for (uint32_t id = 1; id <= 1000; ++id) {
        vec3f lab = oklab_of(palette_sand(id));
        assert_true(lab[2] > 0.03f && lab[2] > lab[1]);  // warm: more yellow than red
        lightest = fmaxf(lightest, lab[0]);
        darkest = fminf(darkest, lab[0]);
    }
    assert_true(lightest - darkest > 0.1f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(more_is_lighter),
        cmocka_unit_test(equal_steps_look_equal),
        cmocka_unit_test(no_colour_of_the_scale_is_clipped),
        cmocka_unit_test(published_maps_have_their_colours),
        cmocka_unit_test(values_outside_the_scale_take_its_ends),
        cmocka_unit_test(the_first_categories_can_be_told_apart),
        cmocka_unit_test(grains_are_sand_but_not_all_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
