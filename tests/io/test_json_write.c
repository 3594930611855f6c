// SPDX-License-Identifier: BSD-3-Clause
// Numbers as text: the shortest form, and the same bits when read again.
#include "check.h"
#include "io/json/json_write.h"

#include <stdlib.h>
#include <string.h>

#include "core/maths/rng.h"

static void numbers_are_short(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } cases[] = {
        {0.1, "0.1"},
        {-9.81, "-9.81"},
        {5.0, "5"},
        {-3.0, "-3"},
        {0.0, "0"},
        {-0.0, "-0.0"},
        {1e-3, "0.001"},
        {1e15, "1e+15"},
        {1e300, "1e+300"},
        {123456789012345.0, "123456789012345"},
        {1.0 / 3.0, "0.3333333333333333"},
        {0.1 + 0.2, "0.30000000000000004"},
        {5e-324, "4.94065645841247e-324"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        assert_string_equal(json_number_text(cases[i].value).text, cases[i].text);
    }
}

// Any finite double, whatever its bits.
static void numbers_read_back_to_the_same_bits(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 100000; ++i) {
        uint32_t counter[4] = {(uint32_t)i, 0, 0, 0}, key[2] = {7, 7};
        scr_random4 random = scr_philox(counter, key);
        double value, again;
        memcpy(&value, random.v, sizeof value);
        if (!isfinite(value)) continue;
        json_t *parsed = json_loads(json_number_text(value).text, JSON_DECODE_ANY, NULL);
        assert_non_null(parsed);
        again = json_number_value(parsed);
        assert_memory_equal(&again, &value, sizeof value);
        json_decref(parsed);
    }
}

static void strings_read_back(void **state)
{
    (void)state;
    json_t *value = json_object();
    char awkward[200];
    int length = 0;
    for (int c = 1; c < 128; ++c) awkward[length++] = (char)c;
    strcpy(awkward + length, "\xc3\xa4\xf0\x9f\xaa\xa8");
    json_object_set_new(value, awkward, json_string(awkward));
    char *text;
    assert_int_equal(json_write_text(value, &text, NULL), SCR_OK);
    json_t *again = json_loads(text, 0, NULL);
    assert_non_null(again);
    assert_true(json_equal(value, again));
    json_decref(again);
    json_decref(value);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_short),
        cmocka_unit_test(numbers_read_back_to_the_same_bits),
        cmocka_unit_test(strings_read_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
