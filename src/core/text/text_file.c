// SPDX-License-Identifier: BSD-3-Clause
#include "core/text/text_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { FIRST_BYTES = 1 << 16 };  // of a file whose size is not known beforehand

static scr_status read_all(FILE *file, const char *path, char **text, size_t *length, scr_error *error)
{
    struct stat about;
    int64_t capacity = 0, need = FIRST_BYTES;
    if (fstat(fileno(file), &about) == 0 && S_ISREG(about.st_mode)) need = (int64_t)about.st_size + 2;
    *length = 0;
    do {
        scr_status status = scr_grow(text, &capacity, need, 1, "the text of a file", error);
        if (status != SCR_OK) return status;
        *length += fread(*text + *length, 1, (size_t)capacity - 1 - *length, file);
        need = capacity + 1;
    } while (*length == (size_t)capacity - 1);
    if (ferror(file)) return scr_fail(error, SCR_BAD_INPUT, "%s: %s", path, strerror(errno));
    (*text)[*length] = '\0';
    return SCR_OK;
}

scr_status text_file_read(const char *path, char **text, size_t *length, scr_error *error)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) return scr_fail(error, SCR_BAD_INPUT, "%s: %s", path, strerror(errno));
    scr_status status = read_all(file, path, text, length, error);
    fclose(file);
    return status;
}
