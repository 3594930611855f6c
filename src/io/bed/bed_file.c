// SPDX-License-Identifier: BSD-3-Clause
// A bed in an HDF5 file.
#include "io/bed/bed_file.h"

#include <inttypes.h>
#include <string.h>

#include "io/file/hdf5_table.h"
#include "io/file/hdf5_tools.h"
#include "io/file/made_by.h"
#include "io/file/sealed_file.h"

static const char FORMAT[] = "scree bed";
enum { FORMAT_VERSION = 1 };

static herr_t write_contents(hid_t file, bed *b)
{
    table *tables[BED_TABLE_COUNT];
    bed_tables(b, tables);
    if (hdf5_put_text(file, "comment", MADE_BY_SCREE) < 0 || hdf5_put_text(file, "format", FORMAT) < 0 ||
        hdf5_put_u64(file, "format_version", FORMAT_VERSION) < 0 ||
        hdf5_put_text(file, "scree_version", scr_version()) < 0 || hdf5_put_u64(file, "hash", bed_hash(b)) < 0)
        return -1;
    herr_t result = 0;
    for (int k = 0; result >= 0 && k < BED_TABLE_COUNT; ++k) result = hdf5_write_table(file, tables[k]);
    return result;
}

scr_status bed_file_write(const char *path, const bed *b, scr_error *error)
{
    hid_t file;
    bed view = *b;  // tables know their owner: the same arrays, listed to be read
    scr_status status = sealed_create(path, &file, error);
    if (status != SCR_OK) return status;
    if (write_contents(file, &view) < 0) status = hdf5_fail(error, path, "cannot write");
    return sealed_finish(path, file, status, error);
}

static hid_t open_file(const char *path)
{
    hid_t access = hdf5_access(), file = access < 0 ? access : H5Fopen(path, H5F_ACC_RDONLY, access);
    hdf5_close(access);
    return file;
}

static bool says_it_is_one(hid_t file)
{
    char format[32];
    return hdf5_get_text(file, "format", format, sizeof format) && strcmp(format, FORMAT) == 0;
}

bool bed_file_holds_one(const char *path)
{
    hid_t file = open_file(path);
    bool holds = file >= 0 && says_it_is_one(file);
    hdf5_close(file);
    H5Eclear2(H5E_DEFAULT);
    return holds;
}

static scr_status read_tables(hid_t file, const char *path, bed *b, scr_error *error)
{
    table *tables[BED_TABLE_COUNT];
    uint64_t version, hash;
    scr_status status = SCR_OK;
    bed_tables(b, tables);
    if (!says_it_is_one(file)) return scr_fail(error, SCR_BAD_INPUT, "%s is no bed; `scree bed` makes one", path);
    if (!hdf5_get_u64(file, "format_version", &version) || !hdf5_get_u64(file, "hash", &hash))
        return scr_fail(error, SCR_IO, "%s is damaged: it does not say which version it has", path);
    if (version != FORMAT_VERSION)
        return scr_fail(error, SCR_IO, "%s has version %" PRIu64 "; this scree (%s) reads version %d", path, version,
                        scr_version(), FORMAT_VERSION);
    for (int k = 0; k < BED_TABLE_COUNT && status == SCR_OK; ++k)
        status = hdf5_read_table(file, path, tables[k], error);
    if (status == SCR_OK && hash != bed_hash(b))
        status = scr_fail(error, SCR_IO, "%s is damaged: the numbers in it are not those that were saved", path);
    return status == SCR_OK ? bed_check(b, path, error) : status;
}

scr_status bed_file_read(const char *path, bed *b, scr_error *error)
{
    bool is_sealed;
    scr_status status = sealed_check(path, &is_sealed, error);
    if (status != SCR_OK) return status;
    if (!is_sealed)
        return scr_fail(error, SCR_BAD_INPUT, "%s is no bed, or a damaged one: it has no seal; `scree bed` makes one",
                        path);
    hid_t file = open_file(path);
    if (file < 0) return hdf5_fail(error, path, "cannot read");
    status = read_tables(file, path, b, error);
    hdf5_close(file);
    H5Eclear2(H5E_DEFAULT);
    return status;
}
