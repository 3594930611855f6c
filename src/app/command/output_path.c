// SPDX-License-Identifier: BSD-3-Clause
// Where a verb writes what it makes.
#include "app/command/output_path.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/file/safe_file.h"
#include "io/file/made_by.h"
#include "io/run/run_files.h"

const char FORCE_HELP[] = "replace a file that is there, even if scree did not make it";

static scr_status refuse_inputs(const char *path, const output_rule *rule, scr_error *error)
{
    for (int64_t k = 0; k < rule->input_count; ++k) {
        const char *input = rule->inputs[k];
        if (input != NULL && is_file_of(path, input))
            return scr_fail(error, SCR_BAD_INPUT, "%s cannot be written: it is what this command reads (%s)", path,
                            input);
    }
    return SCR_OK;
}

// "a/b" in "a", "b" in ".", "/b" in "/".
static scr_status split(const char *path, char parent[PATH_LENGTH_MAX], const char **name, scr_error *error)
{
    if (snprintf(parent, PATH_LENGTH_MAX, "%s", path) >= PATH_LENGTH_MAX)
        return scr_fail(error, SCR_BAD_INPUT, "the name %.80s... is too long for a file", path);
    char *slash = strrchr(parent, '/');
    *name = slash == NULL ? path : path + (slash - parent) + 1;
    if ((*name)[0] == '\0') return scr_fail(error, SCR_BAD_INPUT, "\"%s\" is not the name of a file", path);
    if (slash == NULL) strcpy(parent, ".");
    else slash[slash == parent] = '\0';
    return SCR_OK;
}

static scr_status check_parent(const char *path, const char *parent, scr_error *error)
{
    if (!path_is_directory(parent))
        return scr_fail(error, SCR_BAD_INPUT, "%s cannot be written: there is no directory %s", path, parent);
    if (access(parent, W_OK | X_OK) != 0) return fail_unwritable(path, parent, error);
    return SCR_OK;
}

static scr_status refuse_runs_own(const char *path, const char *parent, const char *name, scr_error *error)
{
    if (!run_files_have_name(name) || !run_files_are_marked(parent)) return SCR_OK;
    return scr_fail(error, SCR_BAD_INPUT, "%s cannot be written: it belongs to the run in %s", path, parent);
}

// A link counts as what it is, not as what it leads to; a device must not be replaced by a file.
static scr_status refuse_others(const char *path, scr_error *error)
{
    struct stat info;
    if (lstat(path, &info) != 0 || S_ISREG(info.st_mode)) return SCR_OK;
    return scr_fail(error, SCR_BAD_INPUT, "%s is there already and is no file: choose another name", path);
}

static scr_status refuse_foreign(const char *path, const char *cure, scr_error *error)
{
    if (!path_exists(path) || file_is_made_by_scree(path)) return SCR_OK;
    return scr_fail(error, SCR_BAD_INPUT, "%s is there already and does not say that scree made it: %s", path, cure);
}

scr_status check_output_file(const char *path, const output_rule *rule, scr_error *error)
{
    char parent[PATH_LENGTH_MAX];
    const char *name;
    scr_status status = split(path, parent, &name, error);
    if (status == SCR_OK) status = check_parent(path, parent, error);
    if (status == SCR_OK) status = refuse_others(path, error);
    if (status == SCR_OK) status = refuse_inputs(path, rule, error);
    if (status == SCR_OK) status = refuse_runs_own(path, parent, name, error);
    if (status == SCR_OK && !rule->force) status = refuse_foreign(path, "--force replaces it", error);
    return status;
}

scr_status check_outputs_differ(const char *a, const char *b, scr_error *error)
{
    char in_a[PATH_LENGTH_MAX], in_b[PATH_LENGTH_MAX];
    const char *name_a = NULL, *name_b = NULL;
    if (a == NULL || b == NULL || split(a, in_a, &name_a, NULL) != SCR_OK || split(b, in_b, &name_b, NULL) != SCR_OK)
        return SCR_OK;
    if (strcmp(name_a, name_b) != 0 || !is_same_file(in_a, in_b)) return SCR_OK;
    return scr_fail(error, SCR_BAD_INPUT, "%s is asked for twice: give the two outputs two names", b);
}

static bool matches(const char *name, const char *const *patterns)
{
    for (; *patterns != NULL; ++patterns) {
        if (fnmatch(*patterns, name, 0) == 0) return true;
    }
    return false;
}

static scr_status check_member(const char *directory, const char *name, const output_rule *rule, scr_error *error)
{
    char path[PATH_LENGTH_MAX];
    scr_status status = path_join(path, directory, name, error);
    if (status == SCR_OK) status = refuse_others(path, error);
    if (status == SCR_OK) status = refuse_inputs(path, rule, error);
    if (status == SCR_OK) status = refuse_foreign(path, "choose another directory with -o", error);
    return status;
}

scr_status check_output_members(const char *directory, const char *const *patterns, const output_rule *rule,
                                scr_error *error)
{
    DIR *list = opendir(directory);
    if (list == NULL && errno == ENOENT) return SCR_OK;
    if (list == NULL) return scr_fail(error, SCR_BAD_INPUT, "%s: cannot read: %s", directory, strerror(errno));
    scr_status status = SCR_OK;
    for (struct dirent *entry; status == SCR_OK && (entry = readdir(list)) != NULL;) {
        if (matches(entry->d_name, patterns)) status = check_member(directory, entry->d_name, rule, error);
    }
    closedir(list);
    return status;
}
