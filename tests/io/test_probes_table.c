// SPDX-License-Identifier: BSD-3-Clause
// The reader of probes.csv: values to the bit, runs that go on, and a sentence for every kind of damage.
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "io/run/probes_table.h"

static scr_status read(const char *text, probes_table *t, scr_error *error)
{
    *t = (probes_table){0};
    return probes_table_read_text(text, strlen(text), "p.csv", t, error);
}

static void columns_have_names_units_and_values(void **state)
{
    (void)state;
    probes_table t;
    assert_int_equal(read("time [s],a.mass [kg],a.turn [N m],count.n,odd [x].n\n"
                          "0,1.5,-2,3,4\n"
                          "0.1,0.30000000000000004,nan,-inf,5e-324\n"
                          "0.1,-nan,inf,7,8\n",
                          &t, NULL),
                     SCR_OK);
    static const char *const names[] = {"time", "a.mass", "a.turn", "count.n", "odd [x].n"};
    static const char *const units[] = {"s", "kg", "N m", "", ""};
    assert_int_equal(t.column_count, 5);
    assert_int_equal(t.row_count, 3);
    assert_false(t.cut_short);
    for (int c = 0; c < 5; ++c) {
        assert_string_equal(t.column[c].name, names[c]);
        assert_string_equal(t.column[c].unit, units[c]);
    }
    assert_true(t.column[0].value[2] == 0.1 && t.column[1].value[0] == 1.5 && t.column[2].value[0] == -2.0);
    assert_true(t.column[1].value[1] == 0.1 + 0.2 && t.column[4].value[1] == 5e-324);
    assert_true(isnan(t.column[2].value[1]) && isnan(t.column[1].value[2]));
    assert_true(t.column[3].value[1] == -INFINITY && t.column[2].value[2] == INFINITY);
    probes_table_free(&t);
}

// Wherever a writer may have been stopped: all whole rows and nothing else.
static void a_file_that_ends_anywhere_has_its_whole_rows(void **state)
{
    (void)state;
    const char whole[] = "time [s],a.x [m]\r\n0,11\r\n1,12.25\r\n2,13e1\r\n";
    size_t names = strlen("time [s],a.x [m]\r\n");
    for (size_t length = 0; length <= strlen(whole); ++length) {
        char text[sizeof whole];
        scr_error error = {0};
        probes_table t;
        snprintf(text, length + 1, "%s", whole);
        scr_status status = read(text, &t, &error);
        assert_int_equal(status, length < names ? SCR_BAD_INPUT : SCR_OK);
        if (status == SCR_OK) {
            static const double value[] = {11.0, 12.25, 130.0};
            int64_t rows = 0;
            for (const char *c = text + names; (c = strchr(c, '\n')) != NULL; ++c) ++rows;
            assert_int_equal(t.row_count, rows);
            assert_int_equal(t.cut_short, length > names && text[length - 1] != '\n');
            for (int64_t k = 0; k < rows; ++k) assert_true(t.column[1].value[k] == value[k]);
        } else {
            assert_string_equal(error.message, "p.csv: there is no line of names in it yet");
        }
        probes_table_free(&t);
    }
}

static void damage_is_found_where_it_is(void **state)
{
    (void)state;
    static const struct {
        const char *text, *sentence;
    } cases[] = {
        {"", "p.csv: there is no line of names"},
        {"\n", "p.csv:1:1: expected the names of columns"},
        {"0,1\n0,1\n", "p.csv:1:1: expected the names of columns"},
        {"time [s],,a\n", "p.csv:1:9: expected a name, found nothing"},
        {"time [s],a,\n", "p.csv:1:11: expected a name"},
        {"time [s],a\x1b[2J\n", "p.csv:1:11: a name holds a character"},
        {"time [s],a.x\n0,1\n1,abc\n", "p.csv:3:3: expected a number, found 'abc'"},
        {"time [s],a.x\n0,1\n1,2x\n", "p.csv:3:3: expected a number, found '2x'"},
        {"time [s],a.x\n0,1\n1,\n", "p.csv:3:3: expected a number, found nothing"},
        {"time [s],a.x\n0,1\n1\n", "p.csv:3:2: expected 2 numbers, found 1"},
        {"time [s],a.x\n0,1\n1,2,3\n", "p.csv:3:4: expected 2 numbers, found more"},
        {"time [s],a.x\n0,1\n\n1,2\n", "p.csv:3:1: expected a number, found nothing"},
        {"time [s],a.x\n\n\n\n", "p.csv:2:1: expected a number, found nothing"},
        {"time [s],a.x\n0,1e999\n", "p.csv:2:3: the number is too large"},
        {"time [s],a.x\n0,1\rx\n", "p.csv:2:4: expected a number"},
        {"time [s],a.x\n0.2,1\n0.1,1\n", "p.csv:3:1: time goes back from 0.2 to 0.1 s"},
        {"time [s],a.x\nnan,1\n", "p.csv:2:1: the time is no number"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        probes_table t;
        scr_error error = {0};
        assert_int_equal(read(cases[i].text, &t, &error), SCR_BAD_INPUT);
        if (strncmp(error.message, cases[i].sentence, strlen(cases[i].sentence)) != 0)
            fail_msg("\"%s\" and not \"%s\"", error.message, cases[i].sentence);
        probes_table_free(&t);
    }
}

static void a_nul_is_damage_too(void **state)
{
    (void)state;
    const char text[] = "time [s],a.x\n0,1\n\0\0\0,\0\n";
    probes_table t = {0};
    scr_error error = {0};
    assert_int_equal(probes_table_read_text(text, sizeof text - 1, "p.csv", &t, &error), SCR_BAD_INPUT);
    assert_non_null(strstr(error.message, "p.csv:3:1: expected a number"));
    probes_table_free(&t);
}

static void want_of_memory_is_a_failure_and_no_crash(void **state)
{
    (void)state;
    for (int n = 0; n < 3; ++n) {
        probes_table t;
        scr_error error = {0};
        scr_fail_allocation_in(n);
        assert_int_equal(read("time [s],a.x\n0,1\n", &t, &error), SCR_NO_MEMORY);
        probes_table_free(&t);
    }
    scr_fail_allocation_in(-1);
}

static void a_missing_file_is_named(void **state)
{
    (void)state;
    probes_table t = {0};
    scr_error error = {0};
    assert_int_equal(probes_table_read_file("/nowhere/probes.csv", &t, &error), SCR_BAD_INPUT);
    assert_non_null(strstr(error.message, "/nowhere/probes.csv: "));
    probes_table_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_have_names_units_and_values),
        cmocka_unit_test(a_file_that_ends_anywhere_has_its_whole_rows),
        cmocka_unit_test(damage_is_found_where_it_is),
        cmocka_unit_test(a_nul_is_damage_too),
        cmocka_unit_test(want_of_memory_is_a_failure_and_no_crash),
        cmocka_unit_test(a_missing_file_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
