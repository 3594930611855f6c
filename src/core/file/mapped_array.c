// SPDX-License-Identifier: BSD-3-Clause
#define _GNU_SOURCE  // mremap
#include "core/file/mapped_array.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/file/safe_file.h"

static const char TEMPLATE[] = ".scree-XXXXXX";

scr_status mapped_array_open(mapped_array *a, const char *directory, scr_error *error)
{
    char path[PATH_LENGTH_MAX];
    *a = (mapped_array){.file = -1};
    scr_status status = path_join(path, directory, TEMPLATE, error);
    if (status != SCR_OK) return status;
    a->file = mkostemp(path, O_CLOEXEC);
    if (a->file < 0) return scr_fail(error, SCR_IO, "%s: cannot make a file: %s", directory, strerror(errno));
    unlink(path);
    return SCR_OK;
}

static scr_status map(mapped_array *a, size_t bytes, scr_error *error)
{
    void *memory = a->memory == NULL ? mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, a->file, 0)
                                     : mremap(a->memory, a->bytes, bytes, MREMAP_MAYMOVE);
    if (memory == MAP_FAILED) return scr_fail(error, SCR_NO_MEMORY, "cannot map %zu bytes of a file", bytes);
    a->memory = memory;
    a->bytes = bytes;
    return SCR_OK;
}

scr_status mapped_array_grow(mapped_array *a, size_t bytes, const char *what, scr_error *error)
{
    if (bytes <= a->bytes) return SCR_OK;
    int failure = posix_fallocate(a->file, (off_t)a->bytes, (off_t)(bytes - a->bytes));
    if (failure != 0)
        return scr_fail(error, SCR_IO, "no room on the disk for a file of %zu MB with %s: %s", bytes >> 20, what,
                        strerror(failure));
    return map(a, bytes, error);
}

void mapped_array_close(mapped_array *a)
{
    if (a->memory != NULL) munmap(a->memory, a->bytes);
    if (a->file >= 0) close(a->file);
    *a = (mapped_array){.file = -1};
}
