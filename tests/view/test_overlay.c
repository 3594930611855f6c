// SPDX-License-Identifier: BSD-3-Clause
// What is written on a picture: round ticks, exact times, and ink where it belongs.
#include <string.h>

#include "check.h"
#include "view/picture/overlay.h"

static void check_ticks(double min, double max, int count, double first, double step, int decimals)
{
    double tick[TICKS_MAX];
    int digits;
    assert_int_equal(legend_ticks(min, max, 5, tick, &digits), count);
    assert_int_equal(digits, decimals);
    for (int i = 0; i < count; ++i) assert_within(tick[i], first + i * step, 1e-9 * step);
}

static void ticks_are_round_numbers_inside_the_bar(void **state)
{
    (void)state;
    check_ticks(0.0, 4.0, 5, 0.0, 1.0, 0);
    check_ticks(0.0, 1.5, 8, 0.0, 0.2, 1);
    check_ticks(12.013, 19.98, 3, 14.0, 2.0, 0);
    check_ticks(0.0, 0.001, 6, 0.0, 0.0002, 4);
    check_ticks(-1.0, 1.0, 5, -1.0, 0.5, 1);
    check_ticks(0.0, 30000.0, 7, 0.0, 5000.0, 0);
}

static void times_show_the_digits_they_have(void **state)
{
    (void)state;
    const struct {
        double time;
        const char *text;
    } cases[] = {{0.0, "t = 0.00 s"},          {2.5, "t = 2.50 s"},           {0.1 + 0.2, "t = 0.30 s"},
                 {1.0 / 80.0, "t = 0.0125 s"}, {1.0 / 3.0, "t = 0.333333 s"}, {1200.0, "t = 1200.00 s"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        char text[48];
        overlay_time_text(cases[i].time, text, sizeof text);
        assert_string_equal(text, cases[i].text);
    }
}

static int64_t inked(const picture *p, int x0, int x1, int y0, int y1)
{
    int64_t count = 0;
    for (int y = y0; y < y1; ++y)
        for (int x = x0; x < x1; ++x) count += (p->pixel[y * p->width + x] & 0xffffff) != 0x808080;
    return count;
}

static void caption_is_below_left_and_legend_at_the_right(void **state)
{
    (void)state;
    picture p;
    assert_int_equal(picture_init(&p, 640, 400, NULL), SCR_OK);
    for (int i = 0; i < 640 * 400; ++i) p.pixel[i] = 0x808080;
    palette scale;
    palette_init(&scale, MAP_SCREE);
    legend bar = {.kind = LEGEND_BAR, .title = "Speed", .unit = "m/s", .max = 4.0, .goes_above = true};
    overlay o = {.title = "Silo", .time = 2.5, .legend = &bar, .scale = &scale};
    assert_int_equal(overlay_draw(&o, &p, NULL), SCR_OK);
    int reserved = (int)(640.0 * legend_panel_share(&bar, 640, 400));
    assert_true(inked(&p, 0, 200, 330, 400) > 100);               // title and time
    assert_true(inked(&p, 640 - reserved, 640, 50, 350) > 2000);  // the bar and its panel
    assert_int_equal(inked(&p, 250, 640 - reserved, 0, 400), 0);  // nothing in the middle
    assert_int_equal(inked(&p, 0, 250, 0, 330), 0);
    picture_free(&p);
}

// Dark letters on a picture that is black: their outline must be pale, and the letters dark within it.
static void captions_are_legible_on_a_dark_ground(void **state)
{
    (void)state;
    picture p;
    assert_int_equal(picture_init(&p, 1280, 800, NULL), SCR_OK);
    memset(p.pixel, 0, 1280 * 800 * sizeof *p.pixel);
    palette scale;
    palette_init(&scale, MAP_SCREE);
    legend none = {.kind = LEGEND_NONE};
    overlay o = {.title = "Silo", .time = 2.5, .legend = &none, .scale = &scale};
    assert_int_equal(overlay_draw(&o, &p, NULL), SCR_OK);
    int64_t pale = 0, dark_beside_pale = 0;
    for (int y = 660; y < 800; ++y) {
        for (int x = 1; x < 400; ++x) {
            bool is_pale = (p.pixel[1280 * y + x - 1] & 255) > 0xa0;
            pale += is_pale;
            dark_beside_pale += is_pale && (p.pixel[1280 * y + x] & 255) < 0x70;
        }
    }
    assert_true(pale > 600);
    assert_true(dark_beside_pale > 100);
    picture_free(&p);
}

static void scale_bars_are_round_and_short_enough(void **state)
{
    (void)state;
    const struct {
        double longest, length;
        const char *text;
    } cases[] = {{0.37, 0.2, "0.2 m"}, {1.0, 1.0, "1 m"},       {0.0499, 0.02, "20 mm"}, {6.1e-5, 5e-5, "50 \u00b5m"},
                 {0.1, 0.1, "0.1 m"},  {999.0, 500.0, "500 m"}, {2600.0, 2000.0, "2 km"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        char text[48];
        double length = overlay_scale_length(cases[i].longest);
        assert_near(length, cases[i].length, 1e-12);
        overlay_length_text(length, text, sizeof text);
        assert_string_equal(text, cases[i].text);
    }
}

// 250 pixels a metre, and room for 0.16 of 640 pixels: 0.2 m, which are 50 pixels.
static void a_scale_bar_is_as_long_as_it_says(void **state)
{
    (void)state;
    picture p;
    assert_int_equal(picture_init(&p, 640, 400, NULL), SCR_OK);
    for (int i = 0; i < 640 * 400; ++i) p.pixel[i] = 0x808080;
    palette scale;
    palette_init(&scale, MAP_SCREE);
    legend none = {.kind = LEGEND_NONE};
    overlay o = {.time = 0.0, .legend = &none, .scale = &scale, .pixels_per_metre = 250.0};
    assert_int_equal(overlay_draw(&o, &p, NULL), SCR_OK);
    int longest = 0;  // run of dark pixels in a row, at the lower right
    for (int y = 360; y < 400; ++y) {
        int run = 0;
        for (int x = 320; x < 640; ++x) {
            run = (p.pixel[640 * y + x] & 255) < 0x60 ? run + 1 : 0;
            longest = run > longest ? run : longest;
        }
    }
    assert_within(longest, 50, 1.5);
    picture_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ticks_are_round_numbers_inside_the_bar),
        cmocka_unit_test(times_show_the_digits_they_have),
        cmocka_unit_test(captions_are_legible_on_a_dark_ground),
        cmocka_unit_test(scale_bars_are_round_and_short_enough),
        cmocka_unit_test(a_scale_bar_is_as_long_as_it_says),
        cmocka_unit_test(caption_is_below_left_and_legend_at_the_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
