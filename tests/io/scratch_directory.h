// SPDX-License-Identifier: BSD-3-Clause
// A directory of its own for a test, gone afterwards with the files in it.
#ifndef TESTS_IO_SCRATCH_DIRECTORY_H
#define TESTS_IO_SCRATCH_DIRECTORY_H

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"

// cmocka set-up and tear-down: *state is the path.
static inline int make_scratch(void **state)
{
    char *path = malloc(64);
    if (path == NULL) return -1;
    const char *parent = getenv("TMPDIR");
    snprintf(path, 64, "%.40s/scree-XXXXXX", parent != NULL ? parent : "/tmp");
    *state = mkdtemp(path);
    return *state == NULL ? -1 : 0;
}

static inline int remove_scratch(void **state)
{
    DIR *directory = opendir(*state);
    if (directory != NULL) {
        for (struct dirent *entry; (entry = readdir(directory)) != NULL;) unlinkat(dirfd(directory), entry->d_name, 0);
        closedir(directory);
    }
    rmdir(*state);
    free(*state);
    return 0;
}

// Write a file just so: hundreds of damaged ones need not be brought to the disk.
static inline void overwrite_file(const char *path, const char *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

#define scratch_test(function) cmocka_unit_test_setup_teardown(function, make_scratch, remove_scratch)

#endif
