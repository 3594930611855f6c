// SPDX-License-Identifier: BSD-3-Clause
// Tables: structures of arrays that know their own columns.
//
// State is listed once. A struct of arrays is described by a constant list of fields (name, type, unit, place in the
// struct); growing, permuting, compacting, saving, loading, comparing and hashing all walk that list, so no field can
// be saved and forgotten by the hash. A field is either a pointer to an array of `count` entries (FIELD), or plain
// numbers inside the struct (SCALAR), which belong to the table as a whole.
#ifndef CORE_ARRAYS_TABLE_H
#define CORE_ARRAYS_TABLE_H

#include "core/base/memory.h"

typedef enum field_type {
    FIELD_F64,
    FIELD_F32,
    FIELD_I64,
    FIELD_U64,
    FIELD_I32,
    FIELD_U32,
    FIELD_U16,
    FIELD_U8
} field_type;

typedef struct field_info {
    const char *name;
    field_type type;
    const char *unit;  // "" if it has none
    int width;         // numbers an entry: 3 for a vector stored as one
    size_t offset;     // in the struct
    bool scalar;
} field_info;

// clang-format off
#define FIELD(type, member, kind, unit) {#member, kind, unit, 1, offsetof(type, member), false}
#define FIELD_WIDE(type, member, kind, width, unit) {#member, kind, unit, width, offsetof(type, member), false}
#define SCALAR(type, member, kind, unit) {#member, kind, unit, 1, offsetof(type, member), true}
#define SCALAR_WIDE(type, member, kind, width, unit) {#member, kind, unit, width, offsetof(type, member), true}
// clang-format on

typedef struct table {
    const char *name;  // "bodies"
    const field_info *field;
    int field_count;
    void *owner;              // the struct the offsets refer to
    int64_t count, capacity;  // entries of the array fields
    bool is_optional;         // most worlds have no entry in it: while it is empty it is neither hashed nor saved
} table;

size_t field_size(const field_info *field);                 // bytes an entry
void *table_data(const table *t, const field_info *field);  // where its numbers are now

scr_status table_reserve(table *t, int64_t count, scr_error *error);  // room for count entries; keeps what is there
void table_trim(
    table *t);  // give back the memory of entries that there are not; if there is none to do it with, nothing
void table_free(table *t);
// Reorder: entry i of the result is entry from[i]; count becomes new_count (fewer drops entries).
// Uses scratch of table_gather_bytes().
size_t table_gather_bytes(const table *t, int64_t new_count);
void table_gather(table *t, const int32_t *from, int64_t new_count, scr_arena arena, int threads);
void table_copy_entry(table *t, int64_t from, int64_t to);

// A fingerprint of name, count and all numbers of the tables, but for empty optional ones, in fixed blocks, the same
// for any thread count.
// -0.0 and 0.0 differ, as do NaNs: it is about bits.
uint64_t tables_hash(const table *const *tables, int table_count, int threads);

// The first difference between two tables of the same fields, as "bodies.vx[12]: 0.5 and 0.25"; false if there is none.
bool table_first_difference(const table *a, const table *b, char *text, size_t size);

#endif
