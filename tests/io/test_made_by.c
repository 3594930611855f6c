// SPDX-License-Identifier: BSD-3-Clause
// Files that say that scree made them: wherever the remark may stand, it is found, and nothing else is taken for it.
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "core/file/safe_file.h"
#include "io/file/made_by.h"
#include "io/scratch_directory.h"

enum { HEAD = 1 << 20, TAIL = 4096 };  // bytes that are looked at
static const char MARK[] = MADE_BY_SCREE;

// A file of `size` bytes with so much of the mark at `place`.
static bool is_found(const char *directory, size_t size, size_t place, size_t length)
{
    char path[PATH_LENGTH_MAX];
    static char text[3 * HEAD];
    assert_true(size <= sizeof text && place + length <= size);
    memset(text, '.', size);
    memcpy(text + place, MARK, length);
    assert_int_equal(path_join(path, directory, "file", NULL), SCR_OK);
    overwrite_file(path, text, size);
    return file_is_made_by_scree(path);
}

static void the_mark_is_found_at_either_end(void **state)
{
    size_t length = strlen(MARK), size = 3 * HEAD;
    assert_true(is_found(*state, length, 0, length));
    for (size_t place = 4096 - length - 1; place < 4098; ++place) assert_true(is_found(*state, 8192, place, length));
    assert_true(is_found(*state, size, HEAD - length, length));
    assert_true(is_found(*state, size, size - length, length));
    assert_true(is_found(*state, size, size - TAIL, length));
}

static void other_files_are_others(void **state)
{
    size_t length = strlen(MARK), size = 3 * HEAD;
    char path[PATH_LENGTH_MAX];
    assert_false(is_found(*state, 0, 0, 0));
    assert_false(is_found(*state, length - 1, 0, length - 1));
    assert_false(is_found(*state, 8192, 4000, length - 1));
    assert_false(is_found(*state, size, 2 * HEAD, length));
    assert_int_equal(path_join(path, *state, "missing", NULL), SCR_OK);
    assert_false(file_is_made_by_scree(path));
    assert_false(file_is_made_by_scree(*state));  // a directory
}

int main(void)
{
    const struct CMUnitTest tests[] = {scratch_test(the_mark_is_found_at_either_end),
                                       scratch_test(other_files_are_others)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
