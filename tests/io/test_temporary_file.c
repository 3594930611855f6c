// SPDX-License-Identifier: BSD-3-Clause
// Files in the making are ours alone, and nothing of them stays behind.
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "check.h"
#include "core/file/temporary_file.h"
#include "io/scratch_directory.h"

static void paths_in(char path[PATH_LENGTH_MAX], char temporary[PATH_LENGTH_MAX], void **state)
{
    assert_int_equal(path_join(path, *state, "out.txt", NULL), SCR_OK);
    assert_int_equal(path_temporary(temporary, path, NULL), SCR_OK);
}

static void a_link_in_the_way_is_not_followed(void **state)
{
    char path[PATH_LENGTH_MAX], temporary[PATH_LENGTH_MAX], precious[PATH_LENGTH_MAX], *text;
    paths_in(path, temporary, state);
    assert_int_equal(path_join(precious, *state, "precious", NULL), SCR_OK);
    assert_int_equal(file_replace(precious, "kept", 4, NULL), SCR_OK);
    assert_int_equal(symlink(precious, temporary), 0);
    assert_int_equal(file_replace(path, "new", 3, NULL), SCR_OK);
    assert_int_equal(file_read(precious, &text, NULL, NULL), SCR_OK);
    assert_string_equal(text, "kept");
    free(text);
    assert_int_equal(file_read(path, &text, NULL, NULL), SCR_OK);
    assert_string_equal(text, "new");
    free(text);
    struct stat info;
    assert_int_equal(lstat(path, &info), 0);
    assert_true(S_ISREG(info.st_mode));
}

static void what_a_killed_process_left_is_removed_and_nothing_else(void **state)
{
    char path[PATH_LENGTH_MAX], left[PATH_LENGTH_MAX + 32],
        others[][24] = {"out.txt.tmp", "out.txt.x1.tmp", "out.txt.1.tmp"};
    char unused[PATH_LENGTH_MAX], other[PATH_LENGTH_MAX];
    paths_in(path, unused, state);
    pid_t child = fork();
    if (child == 0) _exit(0);
    waitpid(child, NULL, 0);
    snprintf(left, sizeof left, "%s.%ld.tmp", path, (long)child);
    fclose(fopen(left, "w"));
    for (int k = 0; k < 3; ++k) {  // names of others; process 1 lives
        assert_int_equal(path_join(other, *state, others[k], NULL), SCR_OK);
        fclose(fopen(other, "w"));
    }
    assert_int_equal(file_replace(path, "new", 3, NULL), SCR_OK);
    assert_false(path_exists(left));
    for (int k = 0; k < 3; ++k) {
        assert_int_equal(path_join(other, *state, others[k], NULL), SCR_OK);
        assert_true(path_exists(other));
    }
}

static void files_in_the_making_can_be_abandoned_at_once(void **state)
{
    char path[PATH_LENGTH_MAX], temporary[PATH_LENGTH_MAX], *text;
    paths_in(path, temporary, state);
    assert_int_equal(file_replace(path, "old", 3, NULL), SCR_OK);
    FILE *out;
    assert_int_equal(file_open(path, &out, NULL), SCR_OK);
    fputs("half", out);
    assert_true(path_exists(temporary));
    files_abandon();
    assert_false(path_exists(temporary));
    fclose(out);
    file_abandon(path);
    files_abandon();  // the finished file is none of them
    assert_int_equal(file_read(path, &text, NULL, NULL), SCR_OK);
    assert_string_equal(text, "old");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        scratch_test(a_link_in_the_way_is_not_followed),
        scratch_test(what_a_killed_process_left_is_removed_and_nothing_else),
        scratch_test(files_in_the_making_can_be_abandoned_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
