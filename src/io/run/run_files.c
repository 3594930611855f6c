// SPDX-License-Identifier: BSD-3-Clause
// Which files of a directory are a run's own.
#include "io/run/run_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/file/safe_file.h"

const char *const RUN_FILE_NAMES[RUN_FILE_COUNT] = {"scene.json", "checkpoint.h5", "summary.json",
                                                    "probes.csv", "trajectory.h5", "trajectory.xdmf"};
const char RUN_MARKER[] = "scree-run.txt";

static const char SIGNATURE[] = "scree run directory 1\n";
static const char ABOUT[] = "This directory holds a run of scree. These files are the run's: scree replaces them.\n";
enum { MARKER_SIZE_MAX = 4096 };  // bytes: nobody's but a marker's are read

scr_status run_files_read(const char *directory, bool *is_marked, run_files *files, scr_error *error)
{
    char path[PATH_LENGTH_MAX], text[MARKER_SIZE_MAX], *rest = text;
    *is_marked = false;
    *files = 0;
    scr_status status = path_join(path, directory, RUN_MARKER, error);
    if (status != SCR_OK) return status;
    FILE *file = fopen(path, "rb");
    if (file == NULL && !path_exists(path)) return SCR_OK;
    size_t length = file != NULL ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file != NULL) fclose(file);
    text[length] = '\0';
    if (strncmp(text, SIGNATURE, strlen(SIGNATURE)) != 0)
        return scr_fail(error, SCR_BAD_INPUT, "%s is not the marker of a run of scree", path);
    *is_marked = true;
    for (char *line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
        for (int k = 0; k < RUN_FILE_COUNT; ++k) {
            if (strcmp(line, RUN_FILE_NAMES[k]) == 0) *files |= 1u << k;
        }
    }
    return SCR_OK;
}

scr_status run_files_write(const char *directory, run_files files, scr_error *error)
{
    char path[PATH_LENGTH_MAX], text[MARKER_SIZE_MAX];
    int length = snprintf(text, sizeof text, "%s%s", SIGNATURE, ABOUT);
    for (int k = 0; k < RUN_FILE_COUNT; ++k) {
        if (files & 1u << k) length += snprintf(text + length, sizeof text - (size_t)length, "%s\n", RUN_FILE_NAMES[k]);
    }
    scr_status status = path_join(path, directory, RUN_MARKER, error);
    return status == SCR_OK ? file_replace(path, text, (size_t)length, error) : status;
}

bool run_files_are_marked(const char *directory)
{
    bool is_marked;
    run_files files;
    return run_files_read(directory, &is_marked, &files, NULL) == SCR_OK && is_marked;
}

bool run_files_have_name(const char *name)
{
    for (int k = 0; k < RUN_FILE_COUNT; ++k) {
        if (strcmp(name, RUN_FILE_NAMES[k]) == 0) return true;
    }
    return strcmp(name, RUN_MARKER) == 0;
}

// Links are in the way even if they lead nowhere.
static scr_status refuse_present(const char *path, scr_error *error)
{
    struct stat info;
    if (lstat(path, &info) != 0) return SCR_OK;
    return scr_fail(error, SCR_BAD_INPUT,
                    "%s is there and is no file of a run of scree: choose another directory with -o DIR", path);
}

scr_status run_files_find_room(const char *directory, run_files listed, scr_error *error)
{
    char path[PATH_LENGTH_MAX];
    scr_status status = SCR_OK;
    for (int k = 0; k < RUN_FILE_COUNT && status == SCR_OK; ++k) {
        if (listed & 1u << k) continue;
        status = path_join(path, directory, RUN_FILE_NAMES[k], error);
        if (status == SCR_OK) status = refuse_present(path, error);
    }
    return status;
}

void run_files_remove(const char *directory, run_files listed)
{
    char path[PATH_LENGTH_MAX];
    for (int k = 0; k < RUN_FILE_COUNT; ++k) {
        if ((listed & 1u << k) && path_join(path, directory, RUN_FILE_NAMES[k], NULL) == SCR_OK) unlink(path);
    }
}
