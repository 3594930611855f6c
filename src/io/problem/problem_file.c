// SPDX-License-Identifier: BSD-3-Clause
// The contact problem of a step in a file.
#include "io/problem/problem_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/base/printable.h"
#include "core/file/temporary_file.h"
#include "dynamics/world/world_state.h"
#include "io/file/hdf5_table.h"
#include "io/file/hdf5_tools.h"
#include "io/file/made_by.h"
#include "io/problem/fclib_file.h"
#include "scree/problem.h"

enum { FORMAT_VERSION = 3, TABLE_COUNT = 6 };
static const char REMARK[] = "comment";

static uint64_t hash_of(const saved_system *s)
{
    const table *tables[TABLE_COUNT] = {&s->bodies, &s->contacts, &s->joined, &s->blocks, &s->jacobians, &s->about};
    return tables_hash(tables, TABLE_COUNT, 1);
}

static herr_t write_own(hid_t file, const saved_system *s)
{
    hid_t group = hdf5_make_group(file, "scree");
    if (group < 0) return -1;
    bool good = hdf5_put_u64(group, "format_version", FORMAT_VERSION) >= 0 &&
                hdf5_put_text(group, "scree_version", scr_version()) >= 0 &&
                hdf5_put_u64(group, "hash", hash_of(s)) >= 0 && hdf5_write_table(group, &s->bodies) >= 0 &&
                hdf5_write_table(group, &s->contacts) >= 0 && hdf5_write_table(group, &s->joined) >= 0 &&
                hdf5_write_table(group, &s->blocks) >= 0 && hdf5_write_table(group, &s->jacobians) >= 0 &&
                hdf5_write_table(group, &s->about) >= 0;
    hdf5_close(group);
    return good ? 0 : -1;
}

typedef struct fcl_contents {
    fcl_problem problem;
    fcl_solution guess, answer;
} fcl_contents;

static scr_status make_fclib(const saved_system *s, fcl_contents *f, scr_error *error)
{
    size_t bytes = scr_array_bytes(6 * s->contacts.count + 1, sizeof(double));
    double *guess = scr_alloc(bytes);
    if (guess == NULL) return scr_fail_memory(error, bytes, "the first guess");
    for (int64_t i = 0; i < 6 * s->contacts.count; ++i) guess[i] = (double)s->guess[i];
    scr_status status = fcl_from_system(s, &f->problem, error);
    if (status == SCR_OK) status = fcl_solution_of(s, &f->problem, guess, &f->guess, error);
    if (status == SCR_OK && s->has_answer) status = fcl_solution_of(s, &f->problem, s->answer, &f->answer, error);
    scr_free(guess);
    return status;
}

static herr_t write_fclib(hid_t file, const saved_system *s, const fcl_contents *f)
{
    if (fcl_write_problem(file, &f->problem, s->title) < 0 || fcl_write_guess(file, &f->problem, &f->guess) < 0)
        return -1;
    return s->has_answer ? fcl_write_solution(file, "solution", &f->problem, &f->answer) : 0;
}

scr_status problem_file_write(const char *path, const saved_system *s, scr_error *error)
{
    char temporary[PATH_LENGTH_MAX];
    fcl_contents contents = {0};
    scr_status status = SCR_OK;
    bool has_fclib = !saved_system_rolls(s) && s->joined.count == 0;  // as problem_file.h says
    if (has_fclib) status = make_fclib(s, &contents, error);
    if (status == SCR_OK) status = file_begin(path, temporary, error);
    if (status == SCR_OK) {
        hid_t access = hdf5_access();
        hid_t file = access < 0 ? access : H5Fcreate(temporary, H5F_ACC_TRUNC, H5P_DEFAULT, access);
        if (file < 0 || hdf5_put_text(file, REMARK, MADE_BY_SCREE) < 0 ||
            (has_fclib && write_fclib(file, s, &contents) < 0) || write_own(file, s) < 0)
            status = hdf5_fail(error, path, "cannot write");
        if (file >= 0 && H5Fclose(file) < 0 && status == SCR_OK) status = hdf5_fail(error, path, "cannot write");
        hdf5_close(access);
        if (status == SCR_OK) status = file_commit(path, error);
        else file_abandon(path);
    }
    fcl_free(&contents.problem);
    fcl_solution_free(&contents.guess);
    fcl_solution_free(&contents.answer);
    return status;
}

static scr_status read_own(hid_t file, const char *path, saved_system *s, scr_error *error)
{
    uint64_t version, hash;
    hid_t group = H5Gopen2(file, "scree", H5P_DEFAULT);
    scr_status status = SCR_OK;
    if (group < 0 || !hdf5_get_u64(group, "format_version", &version) || !hdf5_get_u64(group, "hash", &hash))
        status = scr_fail(error, SCR_IO, "%s is damaged: its group scree does not say what it is", path);
    else if (version != FORMAT_VERSION)
        status = scr_fail(error, SCR_IO, "%s has version %" PRIu64 "; this scree (%s) reads version %d", path, version,
                          scr_version(), FORMAT_VERSION);
    if (status == SCR_OK) status = hdf5_read_table(group, path, &s->bodies, error);
    if (status == SCR_OK) status = hdf5_read_table(group, path, &s->contacts, error);
    if (status == SCR_OK) status = hdf5_read_table(group, path, &s->joined, error);
    if (status == SCR_OK) status = hdf5_read_table(group, path, &s->blocks, error);
    if (status == SCR_OK) status = hdf5_read_table(group, path, &s->jacobians, error);
    if (status == SCR_OK) status = hdf5_read_table(group, path, &s->about, error);
    if (status == SCR_OK && hash_of(s) != hash)
        status = scr_fail(error, SCR_IO, "%s is damaged: the numbers in it are not those that were saved", path);
    hdf5_close(group);
    H5Eclear2(H5E_DEFAULT);
    return status;
}

static scr_status read_fclib(hid_t file, const char *path, saved_system *s, scr_error *error)
{
    fcl_problem problem;
    scr_status status = fcl_read_problem(file, path, &problem, error);
    if (status != SCR_OK) return status;
    status = fcl_to_system(&problem, path, s, error);
    fcl_free(&problem);
    return status;
}

static hid_t open_file(const char *path)
{
    hid_t access = hdf5_access(), file = access < 0 ? access : H5Fopen(path, H5F_ACC_RDONLY, access);
    hdf5_close(access);
    return file;
}

// By our group, or by the remark: a file of ours that lost its group is damaged, not one of FCLIB's. 1 or 0; negative
// if it cannot be read.
static htri_t is_own(hid_t file)
{
    char remark[sizeof MADE_BY_SCREE];
    htri_t has_group = H5Lexists(file, "scree", H5P_DEFAULT);
    if (has_group != 0) return has_group;
    htri_t has_remark = H5Aexists(file, REMARK);
    if (has_remark <= 0) return has_remark;
    return hdf5_get_text(file, REMARK, remark, sizeof remark) && strcmp(remark, MADE_BY_SCREE) == 0;
}

bool problem_file_holds_one(const char *path)
{
    hid_t file = open_file(path);
    bool holds = file >= 0 && (is_own(file) > 0 || fcl_is_global(file) || fcl_is_local(file));
    hdf5_close(file);
    H5Eclear2(H5E_DEFAULT);
    return holds;
}

scr_status problem_file_read(const char *path, saved_system *s, scr_error *error)
{
    hid_t file = open_file(path);
    if (file < 0) return hdf5_fail(error, path, "cannot read");
    scr_status status;
    htri_t own = is_own(file);
    if (own < 0) status = hdf5_fail(error, path, "cannot read");
    else if (own > 0) status = read_own(file, path, s, error);
    else if (fcl_is_global(file)) status = read_fclib(file, path, s, error);
    else if (fcl_is_local(file))
        status = scr_fail(
            error, SCR_BAD_INPUT,
            "%s holds a local problem of FCLIB, contacts without bodies; scree solves the global form (M, H, f, w)",
            path);
    else status = scr_fail(error, SCR_BAD_INPUT, "%s holds no contact problem: neither of scree nor of FCLIB", path);
    H5Eclear2(H5E_DEFAULT);
    hdf5_close(file);
    s->title[sizeof s->title - 1] = '\0';
    make_printable(s->title);
    return status == SCR_OK ? saved_system_check(s, path, error) : status;
}

scr_status scr_world_save_step(scr_world *world, const char *path, scr_error *error)
{
    saved_system kept;
    char title[80];
    saved_system_init(&kept);
    snprintf(title, sizeof title, "step %" PRId64 ", t = %g s", scr_world_step_count(world) + 1, scr_world_time(world));
    saved_system_set_title(&kept, title);
    scr_status status = world_keep_problem(world, &kept, error);
    if (status == SCR_OK) status = scr_world_step(world, error);
    if (status == SCR_OK) status = problem_file_write(path, &kept, error);
    world_keep_problem(world, NULL, NULL);
    saved_system_free(&kept);
    return status;
}
