// SPDX-License-Identifier: BSD-3-Clause
// The directory of a study.
#include "study/runs/study_directory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/base/interruption.h"
#include "core/base/memory.h"
#include "core/text/checksum.h"
#include "io/run/output_checks.h"
#include "io/run/run_files.h"

static const char MARKER[] = "scree-study.txt", SIGNATURE[] = "scree study directory 1\n";
static const char *const OWN_FILES[] = {"runs",
                                        "study.csv",
                                        "runs.csv",
                                        "times.csv",
                                        "study.svg",
                                        "study.png",
                                        "study.html",
                                        "study.slurm",
                                        "fit.json",
                                        "fit.csv",
                                        "fit.svg",
                                        "fit.png",
                                        "fit_targets.csv",
                                        "evaluations.csv",
                                        "fit_parameters.svg",
                                        "fit_parameters.png",
                                        "fit.html"};
enum { OWN_FILE_COUNT = sizeof OWN_FILES / sizeof *OWN_FILES, POLL_MILLISECONDS = 100 };

scr_status study_file_path(const study_directory *d, const char *name, char path[PATH_LENGTH_MAX], scr_error *error)
{
    return path_join(path, d->path, name, error);
}

scr_status study_run_path(const study_directory *d, int64_t number, const char *ending, char path[PATH_LENGTH_MAX],
                          scr_error *error)
{
    char name[64];
    snprintf(name, sizeof name, "runs/%04lld%s", (long long)number, ending);
    return path_join(path, d->path, name, error);
}

void study_directory_name(const char *study, char path[PATH_LENGTH_MAX])
{
    const char *slash = strrchr(study, '/'), *name = slash != NULL ? slash + 1 : study, *dot = strrchr(name, '.');
    size_t length = dot != NULL && dot != name ? (size_t)(dot - name) : strlen(name);
    snprintf(path, PATH_LENGTH_MAX, "runs/%.*s", length < 255 ? (int)length : 255, name);
}

// ---- whose directory it is -----------------------------------------------------------------------------------------

static scr_status read_marker(const char *directory, bool *is_marked, scr_error *error)
{
    char path[PATH_LENGTH_MAX], text[sizeof SIGNATURE] = "";
    scr_status status = path_join(path, directory, MARKER, error);
    if (status != SCR_OK) return status;
    FILE *file = fopen(path, "rb");
    *is_marked = file != NULL && fread(text, 1, sizeof SIGNATURE - 1, file) > 0 && strcmp(text, SIGNATURE) == 0;
    if (file != NULL) fclose(file);
    if (!*is_marked && path_exists(path))
        return scr_fail(error, SCR_BAD_INPUT, "%s is not the marker of a study of scree", path);
    return SCR_OK;
}

static scr_status refuse_strangers(const char *directory, scr_error *error)
{
    char path[PATH_LENGTH_MAX];
    struct stat info;
    for (int k = 0; k < OWN_FILE_COUNT; ++k) {
        scr_status status = path_join(path, directory, OWN_FILES[k], error);
        if (status != SCR_OK) return status;
        if (lstat(path, &info) == 0)
            return scr_fail(error, SCR_BAD_INPUT,
                            "%s is there and is no file of a study of scree: choose another directory with -o DIR",
                            path);
    }
    if (run_files_are_marked(directory))
        return scr_fail(error, SCR_BAD_INPUT, "%s holds a run: choose another directory with -o DIR", directory);
    return SCR_OK;
}

static scr_status refuse_inputs(const char *directory, const char *const *inputs, int64_t count, scr_error *error)
{
    char path[PATH_LENGTH_MAX];
    for (int64_t i = 0; i < count; ++i) {
        for (int k = 0; inputs[i] != NULL && k < OWN_FILE_COUNT; ++k) {
            scr_status status = path_join(path, directory, OWN_FILES[k], error);
            if (status != SCR_OK) return status;
            if (is_same_file(inputs[i], path))
                return scr_fail(error, SCR_BAD_INPUT,
                                "%s would be replaced by the study: choose another directory with -o DIR", inputs[i]);
        }
    }
    return SCR_OK;
}

scr_status study_directory_check(const char *path, const char *const *inputs, int64_t input_count, scr_error *error)
{
    bool is_marked = false;
    scr_status status = check_output_directory(path, error);
    if (status == SCR_OK) status = read_marker(path, &is_marked, error);
    if (status == SCR_OK && !is_marked) status = refuse_strangers(path, error);
    return status == SCR_OK ? refuse_inputs(path, inputs, input_count, error) : status;
}

static scr_status mark(const char *directory, scr_error *error)
{
    char path[PATH_LENGTH_MAX], text[1024];
    bool is_marked;
    scr_status status = read_marker(directory, &is_marked, error);
    if (status == SCR_OK && is_marked) return SCR_OK;
    if (status == SCR_OK) status = path_join(path, directory, MARKER, error);
    if (status != SCR_OK) return status;
    int length = snprintf(text, sizeof text, "%sThis directory holds a study of scree, which replaces these files:\n",
                          SIGNATURE);
    for (int k = 0; k < OWN_FILE_COUNT; ++k)
        length += snprintf(text + length, sizeof text - (size_t)length, "%s\n", OWN_FILES[k]);
    return file_replace(path, text, (size_t)length, error);
}

// ---- locks ---------------------------------------------------------------------------------------------------------

static scr_status take_lock(study_directory *d, bool is_shared, scr_error *error)
{
    char path[PATH_LENGTH_MAX];
    scr_status status = study_file_path(d, MARKER, path, error);
    if (status != SCR_OK) return status;
    d->lock = open(path, O_RDONLY | O_CLOEXEC);
    if (d->lock < 0) return scr_fail(error, SCR_IO, "%s: cannot open: %s", path, strerror(errno));
    if (flock(d->lock, (is_shared ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0 || errno != EWOULDBLOCK) return SCR_OK;
    return scr_fail(error, SCR_BAD_INPUT, "%s: another scree is at work there; wait for it or stop it first", d->path);
}

// Not closed when a run starts: the run holds it too.
static scr_status wait_for_runs(study_directory *d, bool is_shared, void (*waiting)(void), scr_error *error)
{
    char path[PATH_LENGTH_MAX];
    const struct timespec pause = {.tv_nsec = POLL_MILLISECONDS * 1000000L};
    scr_status status = study_file_path(d, "runs", path, error);
    if (status == SCR_OK) status = directory_create(path, error);
    if (status != SCR_OK) return status;
    d->runs_lock = open(path, O_RDONLY | O_DIRECTORY);
    if (d->runs_lock < 0) return scr_fail(error, SCR_IO, "%s: cannot open: %s", path, strerror(errno));
    for (bool first = true; flock(d->runs_lock, (is_shared ? LOCK_SH : LOCK_EX) | LOCK_NB) != 0; first = false) {
        if (errno != EWOULDBLOCK && errno != EINTR) return SCR_OK;  // a file system without locks
        if (interruption_is_requested()) return interruption_fail(error);
        if (first && waiting != NULL) waiting();
        nanosleep(&pause, NULL);
    }
    return SCR_OK;
}

// ---- the runs that stand there -------------------------------------------------------------------------------------

uint64_t run_fingerprint(const char *directory)
{
    char path[PATH_LENGTH_MAX], *text = NULL;
    size_t size = 0;
    if (path_join(path, directory, RUN_FILE_NAMES[RUN_SCENE], NULL) != SCR_OK || !path_exists(path)) return 0;
    uint64_t sum = file_read(path, &text, &size, NULL) == SCR_OK ? checksum_of(text, size) : 0;
    free(text);
    return sum;
}

static scr_status note_standing(study_directory *d, const char *name, scr_error *error)
{
    char *end, path[PATH_LENGTH_MAX];
    long long number = strtoll(name, &end, 10);
    if (number < 1 || *end != '\0' || name[0] < '0' || name[0] > '9') return SCR_OK;  // not one of ours
    scr_status status = study_run_path(d, number, "", path, error);
    uint64_t fingerprint = status == SCR_OK ? run_fingerprint(path) : 0;
    if (status != SCR_OK || fingerprint == 0) return status;
    status = scr_grow(&d->standing, &d->standing_capacity, d->standing_count + 1, sizeof *d->standing, "runs", error);
    if (status == SCR_OK) d->standing[d->standing_count++] = (standing_run){number, fingerprint};
    return status;
}

static int by_number(const void *a, const void *b)
{
    int64_t p = ((const standing_run *)a)->number, q = ((const standing_run *)b)->number;
    return p < q ? -1 : p > q;
}

static scr_status find_standing(study_directory *d, scr_error *error)
{
    char path[PATH_LENGTH_MAX];
    scr_status status = study_file_path(d, "runs", path, error);
    DIR *list = status == SCR_OK ? opendir(path) : NULL;
    if (status == SCR_OK && list == NULL)
        status = scr_fail(error, SCR_IO, "%s: cannot read: %s", path, strerror(errno));
    for (struct dirent *entry; status == SCR_OK && (entry = readdir(list)) != NULL;)
        status = note_standing(d, entry->d_name, error);
    if (list != NULL) closedir(list);
    if (d->standing_count > 0) qsort(d->standing, (size_t)d->standing_count, sizeof *d->standing, by_number);
    return status;
}

scr_status study_directory_open(const char *path, bool is_shared, void (*waiting)(void), study_directory *d,
                                scr_error *error)
{
    *d = (study_directory){.lock = -1, .runs_lock = -1};
    if (snprintf(d->path, sizeof d->path, "%s", path) >= (int)sizeof d->path)
        return scr_fail(error, SCR_BAD_INPUT, "the name %.80s... is too long for a directory", path);
    scr_status status = directory_create(path, error);
    if (status == SCR_OK) status = mark(path, error);
    if (status == SCR_OK) status = take_lock(d, is_shared, error);
    if (status == SCR_OK) status = wait_for_runs(d, is_shared, waiting, error);
    return status == SCR_OK ? find_standing(d, error) : status;
}

void study_directory_close(study_directory *d)
{
    if (d->lock >= 0) close(d->lock);
    if (d->runs_lock >= 0) close(d->runs_lock);
    scr_free(d->standing);
    *d = (study_directory){.lock = -1, .runs_lock = -1};
}

static const standing_run *find_fingerprint(const study_directory *d, uint64_t fingerprint)
{
    for (int64_t k = 0; k < d->standing_count; ++k) {
        if (d->standing[k].fingerprint == fingerprint) return &d->standing[k];
    }
    return NULL;
}

static bool is_number_taken(const study_directory *d, int64_t number)
{
    return d->standing_count > 0 && bsearch(&(standing_run){.number = number}, d->standing, (size_t)d->standing_count,
                                            sizeof *d->standing, by_number) != NULL;
}

scr_status study_directory_place(study_directory *d, const uint64_t *fingerprint, int64_t count, int64_t *number,
                                 scr_error *error)
{
    int64_t next = 1, before = d->standing_count;
    scr_status status =
        scr_grow(&d->standing, &d->standing_capacity, before + count, sizeof *d->standing, "runs", error);
    for (int64_t k = 0; k < count && status == SCR_OK; ++k) {
        const standing_run *there = find_fingerprint(d, fingerprint[k]);
        while (there == NULL && is_number_taken(d, next)) ++next;
        number[k] = there != NULL ? there->number : next++;
    }
    // From now on they stand there.
    for (int64_t k = 0; k < count && status == SCR_OK; ++k) {
        if (find_fingerprint(d, fingerprint[k]) == NULL)
            d->standing[d->standing_count++] = (standing_run){number[k], fingerprint[k]};
    }
    if (d->standing_count > 0) qsort(d->standing, (size_t)d->standing_count, sizeof *d->standing, by_number);
    return status;
}
