// SPDX-License-Identifier: BSD-3-Clause
// Numbers for people: no powers of ten where a unit would do, nothing rounded past its unit, one and many.
#include "check.h"
#include "core/text/human.h"

static void lengths_keep_to_their_unit(void **state)
{
    (void)state;
    static const struct {
        double m;
        const char *text;
    } cases[] = {{0.0, "0"},          {3e-22, "< 1 pm"},  {-3e-22, "> -1 pm"}, {9.2e-7, "920 nm"},
                 {0.9996e-6, "1 um"}, {9.996e-4, "1 mm"}, {0.4217, "422 mm"},  {0.9996, "1 m"},
                 {2.0, "2 m"},        {999.6, "1 km"},    {2e3, "2 km"},       {-0.05, "-50 mm"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        assert_string_equal(human_length(cases[i].m).text, cases[i].text);
}

static void durations_have_no_empty_microseconds(void **state)
{
    (void)state;
    assert_string_equal(human_duration(0.0).text, "0 s");
    assert_string_equal(human_duration(2.5e-6).text, "2.5 us");
    assert_string_equal(human_duration(0.9996e-3).text, "1 ms");
    assert_string_equal(human_duration(185.0).text, "3 min 05 s");
    assert_string_equal(human_time_left(0.0).text, "under 1 s");
    assert_string_equal(human_time_left(0.4).text, "under 1 s");
    assert_string_equal(human_time_left(12.2).text, "12 s");
}

static void one_is_not_many(void **state)
{
    (void)state;
    assert_string_equal(human_things(1, "body", "bodies").text, "1 body");
    assert_string_equal(human_things(0, "body", "bodies").text, "0 bodies");
    assert_string_equal(human_things(2002, "body", "bodies").text, "2,002 bodies");
}

static void figures_are_written_out_up_to_a_million(void **state)
{
    (void)state;
    assert_string_equal(human_figure(2000.0).text, "2,000");
    assert_string_equal(human_figure(999.6).text, "1,000");
    assert_string_equal(human_figure(-123456.0).text, "-123,456");
    assert_string_equal(human_figure(1.25e7).text, "1.25e+07");
    assert_string_equal(human_figure(0.0125).text, "0.0125");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lengths_keep_to_their_unit),
        cmocka_unit_test(durations_have_no_empty_microseconds),
        cmocka_unit_test(one_is_not_many),
        cmocka_unit_test(figures_are_written_out_up_to_a_million),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
