// SPDX-License-Identifier: BSD-3-Clause
// Paths, and files that are read and replaced as a whole.
#include "core/file/safe_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/file/temporary_file.h"

static scr_status fail_path(scr_error *error, const char *path, const char *what)
{
    return scr_fail(error, SCR_IO, "%s: %s: %s", path, what, strerror(errno));
}

scr_status path_join(char path[PATH_LENGTH_MAX], const char *directory, const char *name, scr_error *error)
{
    size_t length = strlen(directory);
    const char *slash = length > 0 && directory[length - 1] == '/' ? "" : "/";
    if (snprintf(path, PATH_LENGTH_MAX, "%s%s%s", directory, slash, name) >= PATH_LENGTH_MAX)
        return scr_fail(error, SCR_IO, "the name %.80s... is too long for a directory", directory);
    return SCR_OK;
}

bool path_exists(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0;
}

bool path_is_directory(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

int64_t file_size(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) ? (int64_t)info.st_size : -1;
}

scr_status file_check_limit(const char *path, scr_error *error)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return SCR_OK;
    if (file_size(path) <= (int64_t)limit.rlim_cur) return SCR_OK;
    return scr_fail(error, SCR_IO, "%s: cannot be written: it is larger than files may be here (ulimit -f)", path);
}

scr_status directory_create(const char *path, scr_error *error)
{
    char parent[PATH_LENGTH_MAX];
    if (snprintf(parent, sizeof parent, "%s", path) >= (int)sizeof parent)
        return scr_fail(error, SCR_IO, "the name %.80s... is too long for a directory", path);
    // mkdir each leading part in turn; those that exist already say so.
    for (char *c = parent + 1;; ++c) {
        if (*c != '/' && *c != '\0') continue;
        char kept = *c;
        *c = '\0';
        if (mkdir(parent, 0777) != 0 && errno != EEXIST) {
            // A place that cannot be used is the caller's mistake, a disk that cannot take it is not.
            scr_status status = errno == ENOSPC || errno == EDQUOT || errno == EIO ? SCR_IO : SCR_BAD_INPUT;
            return scr_fail(error, status, "%s: cannot make this directory: %s", parent, strerror(errno));
        }
        *c = kept;
        if (kept == '\0') break;
    }
    if (!path_is_directory(path))
        return scr_fail(error, SCR_BAD_INPUT, "%s: cannot make this directory: %s", path, strerror(ENOTDIR));
    return SCR_OK;
}

scr_status file_replace(const char *path, const char *data, size_t size, scr_error *error)
{
    FILE *file;
    scr_status status = file_open(path, &file, error);
    if (status != SCR_OK) return status;
    bool is_written = fwrite(data, 1, size, file) == size && fflush(file) == 0;
    if (!is_written) status = fail_path(error, path, "cannot write");
    if (fclose(file) != 0 && is_written) status = fail_path(error, path, "cannot write");
    if (status == SCR_OK) return file_commit(path, error);
    file_abandon(path);
    return status;
}

scr_status file_read(const char *path, char **text, size_t *size, scr_error *error)
{
    *text = NULL;
    scr_status status = SCR_OK;
    size_t length = 0, capacity = 0;
    char *data = NULL;
    FILE *file = fopen(path, "rb");
    if (file == NULL) return fail_path(error, path, "cannot read");
    // Read to the end rather than ask for the size first: that works for pipes as well.
    do {
        if (length + 1 >= capacity) {
            capacity = capacity == 0 ? 1 << 16 : 2 * capacity;
            char *more = realloc(data, capacity);
            if (more == NULL) {
                status = scr_fail_memory(error, capacity, path);
                goto done;
            }
            data = more;
        }
        length += fread(data + length, 1, capacity - 1 - length, file);
    } while (!feof(file) && !ferror(file));
    if (ferror(file)) {
        status = fail_path(error, path, "cannot read");
        goto done;
    }
    data[length] = '\0';
    *text = data;
    if (size != NULL) *size = length;
    data = NULL;
done:
    free(data);
    fclose(file);
    return status;
}
