// SPDX-License-Identifier: BSD-3-Clause
// Arrays that lie in a file instead of memory: the file has no name, so nothing is left of it when the program ends,
// however it ends. Its space is taken when the array grows: a full disk is an error then, not a signal later.
#ifndef CORE_FILE_MAPPED_ARRAY_H
#define CORE_FILE_MAPPED_ARRAY_H

#include "core/base/status.h"

typedef struct mapped_array {
    int file;  // descriptor
    void *memory;
    size_t bytes;  // of the file, all of them mapped
} mapped_array;

scr_status mapped_array_open(mapped_array *a, const char *directory, scr_error *error);  // 0 bytes long
// At least so many bytes; what is there is kept, new ones are 0. After a failure it is as it was. what: "grains".
scr_status mapped_array_grow(mapped_array *a, size_t bytes, const char *what, scr_error *error);
void mapped_array_close(mapped_array *a);  // also of one that could not be opened

#endif
