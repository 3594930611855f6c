// SPDX-License-Identifier: BSD-3-Clause
// Lines and columns against a text in which every value says where it is.
#include "check.h"
#include "io/json/json_locate.h"

#include <string.h>

static const char *const text = "{\n"
                                "  \"a\": 1, \"b\" : [ 10,\t{\"c\": \"x\\\"}]\"} ,\n"
                                "            [[]], 12 ],\n"
                                "  \"w\xc3\xa4rme\": {\"\\u0065\\ud83e\\udea8\": true},\n"
                                "  \"s\": \"1\\t+\\u00e4 * \xc3\xa4 / x\"}\n";

static json_source source_of(const char *s) { return json_source_of(s, strlen(s)); }

static void assert_place(json_source *source, size_t at, int line, int column)
{
    assert_true(at != NOT_IN_TEXT);
    scene_location location = json_line_and_column(source, at);
    assert_int_equal(location.line, line);
    assert_int_equal(location.column, column);
}

static void members_and_entries_are_found(void **state)
{
    (void)state;
    json_source source = source_of(text);
    size_t root = json_locate_root(&source), key;
    assert_place(&source, root, 1, 1);
    assert_place(&source, json_locate_member(&source, root, "a", &key), 2, 8);
    assert_place(&source, key, 2, 3);
    size_t b = json_locate_member(&source, root, "b", &key);
    assert_place(&source, key, 2, 11);
    assert_place(&source, b, 2, 17);
    size_t entry = json_locate_first_entry(&source, b);
    assert_place(&source, entry, 2, 19);
    entry = json_locate_next_entry(&source, entry);
    assert_place(&source, entry, 2, 23);
    assert_place(&source, json_locate_member(&source, entry, "c", NULL), 2, 29);
    entry = json_locate_next_entry(&source, entry);
    assert_place(&source, entry, 3, 13);
    size_t inner = json_locate_first_entry(&source, entry);
    assert_place(&source, inner, 3, 14);
    assert_true(json_locate_first_entry(&source, inner) == NOT_IN_TEXT);
    assert_true(json_locate_next_entry(&source, inner) == NOT_IN_TEXT);
    entry = json_locate_next_entry(&source, entry);
    assert_place(&source, entry, 3, 19);
    assert_true(json_locate_next_entry(&source, entry) == NOT_IN_TEXT);
    assert_true(json_locate_member(&source, root, "c", NULL) == NOT_IN_TEXT);
    assert_true(json_locate_member(&source, root, "", NULL) == NOT_IN_TEXT);
    assert_true(json_locate_member(&source, b, "a", NULL) == NOT_IN_TEXT);
    assert_true(json_locate_member(&source, NOT_IN_TEXT, "a", NULL) == NOT_IN_TEXT);
}

// Keys may be written with escapes, and columns count characters.
static void keys_are_compared_by_what_they_mean(void **state)
{
    (void)state;
    json_source source = source_of(text);
    size_t warm = json_locate_member(&source, json_locate_root(&source), "w\xc3\xa4rme", NULL);
    assert_place(&source, warm, 4, 12);
    assert_place(&source, json_locate_member(&source, warm, "e\xf0\x9f\xaa\xa8", NULL), 4, 35);
    assert_true(json_locate_member(&source, warm, "e\xf0\x9f\xaa", NULL) == NOT_IN_TEXT);
    assert_true(json_locate_member(&source, warm, "e\xf0\x9f\xaa\xa8 ", NULL) == NOT_IN_TEXT);
}

// Offsets in the value of a string become places in the text, however the characters before them are written.
static void places_inside_strings_are_found(void **state)
{
    (void)state;
    json_source source = source_of(text);
    size_t s = json_locate_member(&source, json_locate_root(&source), "s", NULL);
    const char *value = "1\t+\xc3\xa4 * \xc3\xa4 / x";
    assert_place(&source, json_locate_in_string(&source, s, 0), 5, 9);
    assert_place(&source, json_locate_in_string(&source, s, (size_t)(strchr(value, '+') - value)), 5, 12);
    assert_place(&source, json_locate_in_string(&source, s, (size_t)(strchr(value, '*') - value)), 5, 20);
    assert_place(&source, json_locate_in_string(&source, s, (size_t)(strchr(value, 'x') - value)), 5, 26);
    assert_place(&source, json_locate_in_string(&source, s, strlen(value)), 5, 27);
}

// Asking backwards gives the same answers.
static void order_does_not_matter(void **state)
{
    (void)state;
    json_source once = source_of(text), again = source_of(text);
    size_t length = strlen(text);
    for (size_t i = 0; i <= length; ++i) {
        scene_location forward = json_line_and_column(&once, i);
        json_line_and_column(&again, length);
        scene_location back = json_line_and_column(&again, i);
        assert_int_equal(forward.line, back.line);
        assert_int_equal(forward.column, back.column);
    }
    assert_int_equal(json_line_and_column(&once, SIZE_MAX).line, 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_and_entries_are_found),
        cmocka_unit_test(keys_are_compared_by_what_they_mean),
        cmocka_unit_test(places_inside_strings_are_found),
        cmocka_unit_test(order_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
