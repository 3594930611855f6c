// SPDX-License-Identifier: BSD-3-Clause
// Tables (core/arrays/table.h) as one block of bytes that says what is in it, for a file or for memory.
//
//   magic                 8 bytes, of the kind of file
//   format, byte order    2 x u32; the second is ORDER_MARK as the writing machine has it
//   size                  u64, of everything
//   each table            name, count (u64), number of fields (u32), and each field: name, type, width, whether it is a
//                         scalar (3 x u32), its bytes (u64) and these
//   checksum              u64: XXH64 of all before it
// A name is its length (u32) and its letters. Numbers are those of the machine; one of the other byte order is refused.
// Fields are matched by name, type and width: a table that is another one today is refused with a sentence, as is
// anything that is cut off, changed or invented. Tables that are optional may be missing.
#ifndef CORE_FILE_TABLE_BYTES_H
#define CORE_FILE_TABLE_BYTES_H

#include "core/arrays/table.h"

typedef struct bytes_kind {
    const char *what;   // "a saved world"
    const char *magic;  // 8 characters
    uint32_t format;    // a number that changes with the layout
} bytes_kind;

size_t tables_byte_count(const table *const *tables, int count);
void tables_to_bytes(bytes_kind kind, const table *const *tables, int count, void *to);
// Fill the tables; what they hold after a failure is undefined. name is what a failure calls the bytes. Where not all
// are asked for, what comes after those is not looked at.
typedef enum bytes_extent { ALL_TABLES, FIRST_TABLES } bytes_extent;
scr_status tables_from_bytes(bytes_kind kind, const void *data, size_t size, const char *name, bytes_extent extent,
                             table *const *tables, int count, scr_error *error);

#endif
