// SPDX-License-Identifier: BSD-3-Clause
// A stream into memory holds what was printed, however long and in whatever pieces.
#include "check.h"
#include "core/text/memory_stream.h"

#include <stdlib.h>
#include <string.h>

static void text_is_what_was_printed(void **state)
{
    (void)state;
    for (int count = 0; count < 20000; count = 3 * count + 1) {
        char *text, number[16];
        size_t size, at = 0;
        FILE *out = memory_stream_open(&text, &size);
        assert_non_null(out);
        for (int i = 0; i < count; ++i) fprintf(out, "%d,", i);
        assert_int_equal(fclose(out), 0);
        for (int i = 0; i < count; ++i) {
            int length = snprintf(number, sizeof number, "%d,", i);
            assert_memory_equal(text + at, number, (size_t)length);
            at += (size_t)length;
        }
        assert_int_equal(size, at);
        assert_int_equal(text[size], 0);
        free(text);
    }
}

static void flushed_text_can_be_read_before_the_end(void **state)
{
    (void)state;
    char *text;
    size_t size;
    FILE *out = memory_stream_open(&text, &size);
    assert_string_equal(text, "");
    fputs("a word", out);
    fflush(out);
    assert_string_equal(text, "a word");
    fputs(" and more", out);
    assert_int_equal(fclose(out), 0);
    assert_string_equal(text, "a word and more");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(text_is_what_was_printed),
                                       cmocka_unit_test(flushed_text_can_be_read_before_the_end)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
