// SPDX-License-Identifier: BSD-3-Clause
// Failing with a sentence.
#include "core/base/status.h"

#include <string.h>

#include "check.h"

static void failure_carries_status_and_sentence(void **state)
{
    (void)state;
    scr_error error = {0};
    assert_int_equal(scr_fail(&error, SCR_IO, "%s:%d: %s", "shoe.obj", 12, "no vertex 9"), SCR_IO);
    assert_int_equal(error.status, SCR_IO);
    assert_string_equal(error.message, "shoe.obj:12: no vertex 9");
}

static void nobody_has_to_listen(void **state)
{
    (void)state;
    assert_int_equal(scr_fail(NULL, SCR_DIVERGED, "step %d", 7), SCR_DIVERGED);
    assert_int_equal(scr_fail_memory(NULL, 10, "contacts"), SCR_NO_MEMORY);
}

static void long_sentence_is_cut_and_ended(void **state)
{
    (void)state;
    scr_error error;
    char longer[2 * sizeof error.message];
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    scr_fail(&error, SCR_BAD_INPUT, "%s", longer);
    assert_int_equal(strlen(error.message), sizeof error.message - 1);
}

static void memory_failure_names_size_and_purpose(void **state)
{
    (void)state;
    scr_error error = {0};
    assert_int_equal(scr_fail_memory(&error, 3 << 20, "contacts"), SCR_NO_MEMORY);
    assert_int_equal(error.status, SCR_NO_MEMORY);
    assert_string_equal(error.message, "out of memory: 3.0 MiB for contacts");
    scr_fail_memory(&error, SIZE_MAX, "contacts");
    assert_string_equal(error.message, "too many contacts: their size does not fit");
}

static void version_is_that_of_the_project(void **state)
{
    (void)state;
    assert_string_equal(scr_version(), "0.1.0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failure_carries_status_and_sentence), cmocka_unit_test(nobody_has_to_listen),
        cmocka_unit_test(long_sentence_is_cut_and_ended),      cmocka_unit_test(memory_failure_names_size_and_purpose),
        cmocka_unit_test(version_is_that_of_the_project),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
