// SPDX-License-Identifier: BSD-3-Clause
// Where a run may be written.
#include "io/run/output_checks.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/file/safe_file.h"
#include "io/run/run_files.h"

bool is_same_file(const char *a, const char *b)
{
    struct stat in_a, in_b;
    return stat(a, &in_a) == 0 && stat(b, &in_b) == 0 && in_a.st_dev == in_b.st_dev && in_a.st_ino == in_b.st_ino;
}

bool is_file_of(const char *path, const char *input)
{
    char file[PATH_LENGTH_MAX];
    if (is_same_file(path, input)) return true;
    if (!path_is_directory(input)) return false;
    for (int k = 0; k < RUN_FILE_COUNT; ++k) {
        if (path_join(file, input, RUN_FILE_NAMES[k], NULL) == SCR_OK && is_same_file(path, file)) return true;
    }
    return false;
}

scr_status fail_unwritable(const char *path, const char *directory, scr_error *error)
{
    return scr_fail(error, SCR_BAD_INPUT, "%s cannot be written: you may not write to the directory %s", path,
                    directory);
}

scr_status check_output_directory(const char *path, scr_error *error)
{
    char parent[PATH_LENGTH_MAX];
    if (snprintf(parent, sizeof parent, "%s", path) >= (int)sizeof parent)
        return scr_fail(error, SCR_BAD_INPUT, "the name %.80s... is too long for a directory", path);
    if (path[0] == '\0') return scr_fail(error, SCR_BAD_INPUT, "the name of the directory is empty");
    // The nearest above it that is there, if only as a link that leads nowhere.
    struct stat info;
    while (lstat(parent, &info) != 0) {
        char *slash = strrchr(parent, '/');
        if (slash == NULL) strcpy(parent, ".");
        else slash[slash == parent] = '\0';
    }
    if (!path_is_directory(parent))
        return scr_fail(error, SCR_BAD_INPUT, "%s: cannot make this directory: %s is none", path, parent);
    if (access(parent, W_OK | X_OK) != 0) return fail_unwritable(path, parent, error);
    return SCR_OK;
}

scr_status check_run_inputs(const char *directory, const char *const *inputs, int64_t count, scr_error *error)
{
    for (int64_t k = 0; k < count; ++k) {
        if (!path_is_directory(inputs[k]) && is_file_of(inputs[k], directory))
            return scr_fail(error, SCR_BAD_INPUT,
                            "%s would be replaced by the run: choose another directory with -o DIR", inputs[k]);
    }
    return SCR_OK;
}
