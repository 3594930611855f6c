// SPDX-License-Identifier: BSD-3-Clause
// The next version of a file.
#include "core/file/temporary_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char SUFFIX[] = ".tmp";

enum { IN_THE_MAKING_MAX = 8 };  // more than ever are at once; one too many is not listed

// Read by signal handlers: a name is whole before its flag is set, and not changed before it is cleared.
static struct {
    atomic_bool is_there;
    char name[PATH_LENGTH_MAX];
} in_the_making[IN_THE_MAKING_MAX];

static void list_name(const char *name)
{
    for (int k = 0; k < IN_THE_MAKING_MAX; ++k) {
        if (atomic_load(&in_the_making[k].is_there)) continue;
        snprintf(in_the_making[k].name, PATH_LENGTH_MAX, "%s", name);
        atomic_store(&in_the_making[k].is_there, true);
        return;
    }
}

static void unlist_name(const char *name)
{
    for (int k = 0; k < IN_THE_MAKING_MAX; ++k) {
        if (atomic_load(&in_the_making[k].is_there) && strcmp(in_the_making[k].name, name) == 0)
            atomic_store(&in_the_making[k].is_there, false);
    }
}

void files_abandon(void)
{
    for (int k = 0; k < IN_THE_MAKING_MAX; ++k)
        if (atomic_load(&in_the_making[k].is_there)) unlink(in_the_making[k].name);
}

static scr_status fail_path(scr_error *error, const char *path, const char *what)
{
    return scr_fail(error, SCR_IO, "%s: %s: %s", path, what, strerror(errno));
}

scr_status path_temporary(char temporary[PATH_LENGTH_MAX], const char *path, scr_error *error)
{
    if (snprintf(temporary, PATH_LENGTH_MAX, "%s.%ld%s", path, (long)getpid(), SUFFIX) >= PATH_LENGTH_MAX)
        return scr_fail(error, SCR_IO, "the name %.80s... is too long for a file", path);
    return SCR_OK;
}

// The process that such a name is of, or 0 if it is no temporary name of `base`.
static long process_of_name(const char *name, const char *base)
{
    size_t length = strlen(base);
    if (strncmp(name, base, length) != 0 || name[length] != '.') return 0;
    const char *digits = name + length + 1;
    if (*digits < '1' || *digits > '9') return 0;
    char *end;
    errno = 0;
    long process = strtol(digits, &end, 10);
    return errno == 0 && strcmp(end, SUFFIX) == 0 ? process : 0;
}

// What processes that are no more have left of this file.
static void remove_left_over(const char *path)
{
    char in_parent[PATH_LENGTH_MAX], in_base[PATH_LENGTH_MAX], left[PATH_LENGTH_MAX];
    snprintf(in_parent, sizeof in_parent, "%s", path);
    snprintf(in_base, sizeof in_base, "%s", path);
    const char *parent = dirname(in_parent), *base = basename(in_base);
    DIR *directory = opendir(parent);
    for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;) {
        long process = process_of_name(entry->d_name, base);
        bool is_dead = process > 0 && (process == (long)getpid() || (kill((pid_t)process, 0) != 0 && errno == ESRCH));
        if (is_dead && path_join(left, parent, entry->d_name, NULL) == SCR_OK) unlink(left);
    }
    if (directory != NULL) closedir(directory);
}

static scr_status make(const char *path, char temporary[PATH_LENGTH_MAX], int *file, scr_error *error)
{
    scr_status status = path_temporary(temporary, path, error);
    if (status != SCR_OK) return status;
    remove_left_over(path);
    *file = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (*file < 0) return fail_path(error, path, "cannot write");
    list_name(temporary);
    return SCR_OK;
}

scr_status file_begin(const char *path, char temporary[PATH_LENGTH_MAX], scr_error *error)
{
    int file = -1;
    scr_status status = make(path, temporary, &file, error);
    if (status == SCR_OK) close(file);
    return status;
}

scr_status file_open(const char *path, FILE **out, scr_error *error)
{
    char temporary[PATH_LENGTH_MAX];
    int file = -1;
    scr_status status = make(path, temporary, &file, error);
    if (status != SCR_OK) return status;
    *out = fdopen(file, "wb");
    if (*out != NULL) return SCR_OK;
    status = fail_path(error, path, "cannot write");
    close(file);
    file_abandon(path);
    return status;
}

void file_abandon(const char *path)
{
    char temporary[PATH_LENGTH_MAX];
    if (path_temporary(temporary, path, NULL) != SCR_OK) return;
    unlink(temporary);
    unlist_name(temporary);
}

static scr_status sync_path(const char *path, int flags, scr_error *error)
{
    int file = open(path, flags | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0) return fail_path(error, path, "cannot open");
    scr_status status = SCR_OK;
    // Some file systems cannot sync a directory and say EINVAL: there is nothing more we could do there.
    if (fsync(file) != 0 && errno != EINVAL) status = fail_path(error, path, "cannot bring to the disk");
    close(file);
    return status;
}

static scr_status sync_parent(const char *path, scr_error *error)
{
    char parent[PATH_LENGTH_MAX], real[PATH_LENGTH_MAX];
    snprintf(parent, sizeof parent, "%s", path);
    if (realpath(dirname(parent), real) == NULL) return fail_path(error, path, "cannot open its directory");
    return sync_path(real, O_RDONLY | O_DIRECTORY, error);
}

// A rename replaces a file in one stroke, but only the names: without fsync before it, a power cut could leave the
// new name on an empty file; without fsync of the directory after it, the old file could come back.
// Give the file its name, in place of another of that name or not at all if there is one. File systems without hard
// links are asked first, which leaves a moment for somebody else.
static int take_name(const char *temporary, const char *path, bool replaces)
{
    if (replaces) return rename(temporary, path);
    if (link(temporary, path) == 0) return unlink(temporary);
    if (errno == EEXIST) return -1;
    struct stat there;
    if (lstat(path, &there) == 0) {
        errno = EEXIST;
        return -1;
    }
    return rename(temporary, path);
}

static scr_status commit(const char *path, bool replaces, scr_error *error)
{
    char temporary[PATH_LENGTH_MAX];
    scr_status status = path_temporary(temporary, path, error);
    if (status == SCR_OK) status = sync_path(temporary, O_RDONLY, error);
    if (status == SCR_OK && take_name(temporary, path, replaces) != 0)
        status = fail_path(error, path, replaces ? "cannot replace" : "cannot create");
    if (status != SCR_OK) {
        file_abandon(path);
        return status;
    }
    unlist_name(temporary);
    return sync_parent(path, error);
}

scr_status file_commit(const char *path, scr_error *error) { return commit(path, true, error); }
scr_status file_commit_new(const char *path, scr_error *error) { return commit(path, false, error); }
