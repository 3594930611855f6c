// SPDX-License-Identifier: BSD-3-Clause
// HDF5 files with a checksum that is looked at before HDF5 sees them.
#include "io/file/sealed_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/memory.h"
#include "core/file/temporary_file.h"
#include "core/text/checksum.h"
#include "io/file/hdf5_tools.h"

enum { SEAL_USED = 40, PIECE = 1 << 20 };  // bytes
static const char MARK[16] = "scree seal 1\n";

static scr_status fail_path(scr_error *error, const char *path, const char *what)
{
    return scr_fail(error, SCR_IO, "%s: %s: %s", path, what, strerror(errno));
}

static void put_u64(unsigned char *to, uint64_t value)
{
    for (int k = 0; k < 8; ++k) to[k] = (unsigned char)(value >> 8 * k);
}

static uint64_t get_u64(const unsigned char *from)
{
    uint64_t value = 0;
    for (int k = 0; k < 8; ++k) value |= (uint64_t)from[k] << 8 * k;
    return value;
}

// All bytes from the present place on; how many in *size.
static scr_status read_checksum(int file, const char *path, uint64_t *value, uint64_t *size, scr_error *error)
{
    scr_status status = SCR_OK;
    char *piece = scr_alloc(PIECE);
    if (piece == NULL) return scr_fail_memory(error, PIECE, path);
    checksum c = checksum_begin();
    for (ssize_t length = 1; length != 0;) {
        length = read(file, piece, PIECE);
        if (length < 0 && errno == EINTR) continue;
        if (length < 0) {
            status = fail_path(error, path, "cannot read");
            break;
        }
        checksum_add(&c, piece, (size_t)length);
    }
    *value = checksum_value(&c);
    *size = c.total;
    scr_free(piece);
    return status;
}

static scr_status write_seal(int file, const char *path, scr_error *error)
{
    unsigned char seal[SEAL_USED];
    uint64_t value, size;
    if (lseek(file, SEAL_BYTES, SEEK_SET) < 0) return fail_path(error, path, "cannot read");
    scr_status status = read_checksum(file, path, &value, &size, error);
    if (status != SCR_OK) return status;
    memcpy(seal, MARK, sizeof MARK);
    put_u64(seal + 16, SEAL_BYTES + size);
    put_u64(seal + 24, value);
    put_u64(seal + 32, checksum_of(seal, 32));
    errno = ENOSPC;  // what a short count would mean
    return pwrite(file, seal, sizeof seal, 0) == (ssize_t)sizeof seal ? SCR_OK : fail_path(error, path, "cannot write");
}

// name: where the file is; path: what it is called in sentences
static scr_status seal_as(const char *name, const char *path, scr_error *error)
{
    int file = open(name, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0) return fail_path(error, path, "cannot write");
    scr_status status = write_seal(file, path, error);
    if (close(file) != 0 && status == SCR_OK) status = fail_path(error, path, "cannot write");
    return status;
}

scr_status sealed_seal(const char *path, scr_error *error) { return seal_as(path, path, error); }

scr_status sealed_create(const char *path, hid_t *file, scr_error *error)
{
    char temporary[PATH_LENGTH_MAX];
    *file = H5I_INVALID_HID;
    scr_status status = file_begin(path, temporary, error);
    if (status != SCR_OK) return status;
    hid_t access = hdf5_access(), creation = hdf5_creation(H5P_FILE_CREATE);
    if (access >= 0 && creation >= 0 && H5Pset_userblock(creation, SEAL_BYTES) >= 0)
        *file = H5Fcreate(temporary, H5F_ACC_TRUNC, creation, access);
    if (*file < 0) status = hdf5_fail(error, path, "cannot write");
    hdf5_close(creation);
    hdf5_close(access);
    if (status != SCR_OK) file_abandon(path);
    return status;
}

scr_status sealed_finish(const char *path, hid_t file, scr_status status, scr_error *error)
{
    char temporary[PATH_LENGTH_MAX];
    if (H5Fclose(file) < 0 && status == SCR_OK) status = hdf5_fail(error, path, "cannot write");
    if (status == SCR_OK) status = path_temporary(temporary, path, error);
    if (status == SCR_OK) status = seal_as(temporary, path, error);
    if (status == SCR_OK) return file_commit(path, error);
    file_abandon(path);
    return status;
}

static scr_status check(int file, const char *path, bool *is_sealed, scr_error *error)
{
    unsigned char seal[SEAL_BYTES] = {0};
    struct stat info;
    uint64_t value, size;
    if (fstat(file, &info) != 0 || read(file, seal, sizeof seal) < 0) return fail_path(error, path, "cannot read");
    *is_sealed = memcmp(seal, MARK, sizeof MARK) == 0;
    if (!*is_sealed) return SCR_OK;
    if (get_u64(seal + 32) != checksum_of(seal, 32))
        return scr_fail(error, SCR_IO, "%s is damaged: its seal is broken", path);
    if (get_u64(seal + 16) != (uint64_t)info.st_size)
        return scr_fail(error, SCR_IO, "%s is damaged: %lld bytes were written, and %lld are there", path,
                        (long long)get_u64(seal + 16), (long long)info.st_size);
    scr_status status = read_checksum(file, path, &value, &size, error);
    if (status == SCR_OK && value != get_u64(seal + 24))
        status = scr_fail(error, SCR_IO, "%s is damaged: its checksum is not that of what was written", path);
    return status;
}

scr_status sealed_check(const char *path, bool *is_sealed, scr_error *error)
{
    *is_sealed = false;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return fail_path(error, path, "cannot read");
    scr_status status = check(file, path, is_sealed, error);
    close(file);
    return status;
}
