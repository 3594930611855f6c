// SPDX-License-Identifier: BSD-3-Clause
// Number tables: rows of equally many numbers, however they stand apart; anything else is a sentence with its place.
#include <string.h>

#include "check.h"
#include "scene/formula/number_table.h"

static void separators_do_not_matter(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "1 2 3\n4 5 6\n",
        "1,2,3\n4,5,6",
        "# heights\n\n 1; 2 ;3 # the first\n\t4\t5\t6\r\n\n",
        "\xEF\xBB\xBF"
        "1 , 2 , 3\n4e0 5.0 +6\n",
    };
    for (size_t k = 0; k < sizeof texts / sizeof *texts; ++k) {
        number_table t = {0};
        scr_error error = {.message = ""};
        if (number_table_read_text(texts[k], strlen(texts[k]), "t.csv", &t, &error) != SCR_OK)
            fail_msg("%s", error.message);
        assert_int_equal(t.rows, 2);
        assert_int_equal(t.columns, 3);
        for (int i = 0; i < 6; ++i) assert_near(t.value[i], i + 1.0, 0.0);
        number_table_free(&t);
    }
}

static void mistakes_have_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } wrong[] = {
        {"", "t.csv: there are no numbers in it"},
        {"# nothing\n\n", "t.csv: there are no numbers in it"},
        {"1 2\n3 x\n", "t.csv:2:3: expected a number, found 'x'"},
        {"1 2\n3 4 5\n", "t.csv:2:5: expected 2 numbers, found more"},
        {"1 2\n3\n", "t.csv:2:2: expected 2 numbers, found 1"},
        {"1,,2\n", "t.csv:1:3: expected a number, found nothing"},
        {"1 2,\n", "t.csv:1:5: expected a number, found nothing"},
        {"1 1e999\n", "t.csv:1:3: the number is too large"},
        {"1 2z\n", "t.csv:1:3: expected a number, found '2z'"},
        {"nan 1\n", "t.csv:1:1: expected a number, found 'nan'"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
        number_table t = {0};
        scr_error error = {.message = ""};
        assert_int_equal(number_table_read_text(wrong[k].text, strlen(wrong[k].text), "t.csv", &t, &error),
                         SCR_BAD_INPUT);
        assert_string_equal(error.message, wrong[k].message);
        number_table_free(&t);
    }
}

static void a_file_that_is_not_there_is_named(void **state)
{
    (void)state;
    number_table t = {0};
    scr_error error = {.message = ""};
    assert_int_equal(number_table_read_file("/nowhere/t.csv", &t, &error), SCR_BAD_INPUT);
    assert_string_equal(error.message, "/nowhere/t.csv: No such file or directory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(separators_do_not_matter),
        cmocka_unit_test(mistakes_have_their_place),
        cmocka_unit_test(a_file_that_is_not_there_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
