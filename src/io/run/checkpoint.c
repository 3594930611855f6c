// SPDX-License-Identifier: BSD-3-Clause
// checkpoint.h5: everything a run needs to go on as if it had never stopped.
#include "io/run/checkpoint.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "io/file/hdf5_table.h"
#include "io/file/hdf5_tools.h"
#include "io/file/sealed_file.h"

static const char FORMAT[] = "scree checkpoint";
enum { FORMAT_VERSION = 2 };

// ---- writing -------------------------------------------------------------------------------------------------------

static herr_t write_contents(hid_t file, table *const *state, int state_count, const table *run, uint64_t state_hash)
{
    uint64_t run_hash = tables_hash(&run, 1, 1);
    if (hdf5_put_text(file, "format", FORMAT) < 0 || hdf5_put_u64(file, "format_version", FORMAT_VERSION) < 0)
        return -1;
    if (hdf5_put_text(file, "scree_version", scr_version()) < 0) return -1;
    if (hdf5_put_u64(file, "state_hash", state_hash) < 0 || hdf5_put_u64(file, "run_hash", run_hash) < 0) return -1;
    hid_t group = hdf5_make_group(file, "state");
    if (group < 0) return -1;
    herr_t result = 0;
    for (int k = 0; result >= 0 && k < state_count; ++k) result = hdf5_write_table(group, state[k]);
    hdf5_close(group);
    return result < 0 ? result : hdf5_write_table(file, run);
}

scr_status checkpoint_write(const char *path, table *const *state, int state_count, const table *run, int threads,
                            uint64_t *state_hash, scr_error *error)
{
    hid_t file;
    scr_status status = sealed_create(path, &file, error);
    if (status != SCR_OK) return status;
    *state_hash = tables_hash((const table *const *)state, state_count, threads);
    if (write_contents(file, state, state_count, run, *state_hash) < 0) status = hdf5_fail(error, path, "cannot write");
    return sealed_finish(path, file, status, error);
}

// ---- reading -------------------------------------------------------------------------------------------------------

static scr_status fail_damaged(scr_error *error, const char *path, const char *what)
{
    H5Eclear2(H5E_DEFAULT);
    return scr_fail(error, SCR_IO, "%s is damaged: %s", path, what);
}

// Opens the file and checks that it is a checkpoint of a format we know.
static scr_status open_checkpoint(const char *path, hid_t *file, scr_error *error)
{
    char format[32];
    uint64_t version;
    bool is_sealed;
    *file = H5I_INVALID_HID;
    scr_status status = sealed_check(path, &is_sealed, error);
    if (status != SCR_OK) return status;
    if (!is_sealed)
        return scr_fail(
            error, SCR_IO,
            "%s: cannot read: it is no checkpoint of this version of scree, or a damaged one: it has no seal", path);
    hid_t access = hdf5_access();
    *file = access < 0 ? access : H5Fopen(path, H5F_ACC_RDONLY, access);
    hdf5_close(access);
    if (*file < 0) return hdf5_fail(error, path, "cannot read");
    if (!hdf5_get_text(*file, "format", format, sizeof format) || strcmp(format, FORMAT) != 0)
        return fail_damaged(error, path, "it does not say that it is a checkpoint");
    if (!hdf5_get_u64(*file, "format_version", &version))
        return fail_damaged(error, path, "it does not say which version it has");
    if (version != FORMAT_VERSION)
        return scr_fail(error, SCR_IO, "%s has version %" PRIu64 "; this scree (%s) reads version %d", path, version,
                        scr_version(), FORMAT_VERSION);
    return SCR_OK;
}

static scr_status read_run(hid_t file, const char *path, table *run, scr_error *error)
{
    uint64_t hash;
    scr_status status = hdf5_read_table(file, path, run, error);
    if (status != SCR_OK) return status;
    const table *read = run;
    if (!hdf5_get_u64(file, "run_hash", &hash) || hash != tables_hash(&read, 1, 1))
        return fail_damaged(error, path, "what it says about the run is not what was saved");
    return SCR_OK;
}

static scr_status read_state(hid_t file, const char *path, table *const *state, int state_count, int threads,
                             scr_error *error)
{
    uint64_t hash;
    hid_t group = H5Gopen2(file, "state", H5P_DEFAULT);
    if (group < 0) return fail_damaged(error, path, "it has no state");
    scr_status status = SCR_OK;
    for (int k = 0; status == SCR_OK && k < state_count; ++k) status = hdf5_read_table(group, path, state[k], error);
    hdf5_close(group);
    if (status != SCR_OK) return status;
    if (!hdf5_get_u64(file, "state_hash", &hash) ||
        hash != tables_hash((const table *const *)state, state_count, threads))
        return fail_damaged(error, path, "the state in it is not the one that was saved");
    return SCR_OK;
}

scr_status checkpoint_read(const char *path, table *const *state, int state_count, table *run, int threads,
                           scr_error *error)
{
    hid_t file;
    scr_status status = open_checkpoint(path, &file, error);
    if (status == SCR_OK) status = read_run(file, path, run, error);
    if (status == SCR_OK) status = read_state(file, path, state, state_count, threads, error);
    hdf5_close(file);
    return status;
}

// Adds up what a table's datasets take on the disk.
static herr_t add_bytes(hid_t group, const char *name, const H5L_info_t *link, void *data)
{
    (void)link;
    int64_t *bytes = data;
    hid_t set = H5Dopen2(group, name, H5P_DEFAULT);
    if (set < 0) return -1;
    *bytes += (int64_t)H5Dget_storage_size(set);
    hdf5_close(set);
    return 0;
}

static herr_t add_table(hid_t state, const char *name, const H5L_info_t *link, void *data)
{
    (void)link;
    checkpoint_contents *contents = data;
    if (contents->table_count == CHECKPOINT_TABLE_MAX) return 1;
    hid_t group = H5Gopen2(state, name, H5P_DEFAULT);
    if (group < 0) return -1;
    uint64_t count = 0;
    int64_t bytes = 0;
    hdf5_get_u64(group, "count", &count);
    herr_t result = H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, NULL, add_bytes, &bytes);
    int k = contents->table_count++;
    snprintf(contents->table[k].name, sizeof contents->table[k].name, "%s", name);
    contents->table[k].count = (int64_t)count;
    contents->table[k].bytes = bytes;
    hdf5_close(group);
    return result < 0 ? result : 0;
}

scr_status checkpoint_list(const char *path, table *run, checkpoint_contents *contents, scr_error *error)
{
    hid_t file;
    *contents = (checkpoint_contents){0};
    scr_status status = open_checkpoint(path, &file, error);
    if (status == SCR_OK) status = read_run(file, path, run, error);
    if (status == SCR_OK) {
        hdf5_get_text(file, "scree_version", contents->version, sizeof contents->version);
        hid_t state = H5Gopen2(file, "state", H5P_DEFAULT);
        if (!hdf5_get_u64(file, "state_hash", &contents->state_hash) || state < 0 ||
            H5Literate(state, H5_INDEX_NAME, H5_ITER_INC, NULL, add_table, contents) < 0)
            status = fail_damaged(error, path, "it has no state");
        hdf5_close(state);
    }
    hdf5_close(file);
    return status;
}
