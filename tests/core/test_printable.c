// SPDX-License-Identifier: BSD-3-Clause
// What a terminal obeys is found and replaced; all else stays as it is.
#include <string.h>

#include "check.h"
#include "core/base/printable.h"
#include "core/base/status.h"

static void control_characters_become_question_marks(void **state)
{
    (void)state;
    char text[] = "a\x1b[2Jb\x07\x7f\r\xc2\x9b"
                  "31mc";
    make_printable(text);
    assert_string_equal(text, "a?[2Jb?????31mc");
}

static void text_of_any_language_stays(void **state)
{
    (void)state;
    char text[] = "Gr\xc3\xbc\xc3\x9f"
                  "e \xc2\xa0 \xe7\xa0\x82\n\t\xf0\x9f\x98\x80 \xc2",
         before[sizeof text];
    memcpy(before, text, sizeof text);
    make_printable(text);
    assert_string_equal(text, before);
}

static void no_sentence_holds_a_control_character(void **state)
{
    (void)state;
    scr_error error;
    scr_fail(&error, SCR_IO, "%s: cannot read", "\x1b[31m.json");
    assert_string_equal(error.message, "?[31m.json: cannot read");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(control_characters_become_question_marks),
        cmocka_unit_test(text_of_any_language_stays),
        cmocka_unit_test(no_sentence_holds_a_control_character),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
