// SPDX-License-Identifier: BSD-3-Clause
// The store of parked grains: 62 bytes a grain, in chunks of STORE_CHUNK that hang together in lists, one list a cell.
// Chunks that are given back are used again first, so leaving and coming back does not make the store longer.
//
// It is state: two tables, saved and hashed as all others; what is not in use in a chunk is zero. The grains' columns
// lie in memory or, when they are larger than asked and there is a directory for it, in files (mapped_array.h).
#ifndef SCENE_ACTIVE_GRAIN_STORE_H
#define SCENE_ACTIVE_GRAIN_STORE_H

#include "core/arrays/table.h"
#include "core/file/mapped_array.h"
#include "dynamics/world/fixed_grains.h"

enum { STORE_CHUNK = 16, STORE_COLUMNS = 8, NO_CHUNK = -1 };

typedef struct grain_store {
    table grains;             // "parked_grains": entries STORE_CHUNK * c and those after it are chunk c's
    double *x, *y, *z;        // m
    float *rotation;          // 4 each
    double *radius;           // m
    uint64_t *id;             // of the body
    int32_t *collider_shift;  // id of the collider less that of the body
    uint16_t *material;
    table chunks;       // "parked_chunks"
    int32_t *next;      // in the list; NO_CHUNK at its end
    int32_t *used;      // grains in it
    int32_t free_list;  // scalar: chunks that no cell has
    int64_t count;      // scalar: grains
    // where it lies
    size_t memory_limit;  // bytes
    char *directory;      // of files; NULL: there is none
    bool is_mapped;
    mapped_array file[STORE_COLUMNS];
} grain_store;

void grain_store_init(grain_store *s, double memory_limit);
void grain_store_free(grain_store *s);
// From now on the store may lie in files there; it moves if it is larger than asked already.
scr_status grain_store_use_directory(grain_store *s, const char *directory, scr_error *error);
bool grain_store_is_valid(const grain_store *s);                                    // numbers, and the free list
bool grain_store_list_is_valid(const grain_store *s, int32_t list, int64_t count);  // of so many grains

// Room for more grains in so many lists: putting them then cannot fail.
scr_status grain_store_reserve(grain_store *s, int64_t more, int64_t lists, scr_error *error);
bool grain_store_fits(const stored_grain *g);  // are its ids near enough to each other for the table?
void grain_store_put(grain_store *s, int32_t *list, const stored_grain *g);
// All grains of a list, from its head on; their number.
int64_t grain_store_read(const grain_store *s, int32_t list, stored_grain *g);
void grain_store_drop(grain_store *s, int32_t *list);  // give its chunks back

#endif
