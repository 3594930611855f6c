// SPDX-License-Identifier: BSD-3-Clause
// The nearest name: what a person would have suggested.
#include "check.h"
#include "core/text/nearest_name.h"

#include <string.h>

static void distance_counts_typing_errors(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        int distance;
    } cases[] = {
        {"", "", 0},
        {"", "abc", 3},
        {"same", "same", 0},
        {"frction", "friction", 1},
        {"ab", "ba", 1},
        {"Friction", "friction", 0},
        {"kitten", "sitting", 3},
        {"raduis", "radius", 1},
        {"color", "colour", 1},
        {"abcd", "badc", 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        assert_int_equal(edit_distance(cases[i].a, cases[i].b), cases[i].distance);
        assert_int_equal(edit_distance(cases[i].b, cases[i].a), cases[i].distance);
    }
}

static void long_words_are_compared_by_their_beginnings(void **state)
{
    (void)state;
    char a[200], b[200];
    memset(a, 'a', sizeof a);
    memset(b, 'b', sizeof b);
    a[199] = b[199] = '\0';
    assert_int_equal(edit_distance(a, b), EDIT_WORD_MAX);
    assert_int_equal(edit_distance(a, "a"), EDIT_WORD_MAX - 1);
}

static const char *suggest(const char *word)
{
    static const char *const names[] = {"density", "friction", "restitution", "young", "poisson", "gs", "ags", "apgd"};
    nearest_name nearest = nearest_to(word);
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) nearest_offer(&nearest, names[i]);
    return nearest.best;
}

static void likely_names_are_suggested_and_others_are_not(void **state)
{
    (void)state;
    assert_string_equal(suggest("densty"), "density");
    assert_string_equal(suggest("Friktion"), "friction");
    assert_string_equal(suggest("poison"), "poisson");
    assert_string_equal(suggest("youngs"), "young");
    assert_string_equal(suggest("apdg"), "apgd");
    assert_null(suggest("colour"));
    assert_null(suggest("x"));
    assert_null(suggest(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distance_counts_typing_errors),
        cmocka_unit_test(long_words_are_compared_by_their_beginnings),
        cmocka_unit_test(likely_names_are_suggested_and_others_are_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
