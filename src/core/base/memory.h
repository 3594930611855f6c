// SPDX-License-Identifier: BSD-3-Clause
// Memory: every allocation of the library goes through here.
//
// Two patterns cover a step. State and lists live in grow-only buffers: they are enlarged between stages, never in a
// parallel loop, and never shrink, so a steady step allocates nothing. Scratch comes from an arena; a copy of the
// arena by value gives the memory back when the copy goes out of scope.
#ifndef CORE_BASE_MEMORY_H
#define CORE_BASE_MEMORY_H

#include "core/base/status.h"

// Bytes of count entries of the given size, or SIZE_MAX if that does not fit: the one place where sizes are multiplied.
size_t scr_array_bytes(int64_t count, size_t size);

// 64-byte aligned memory; large blocks ask for huge pages. NULL if there is none. scr_free(NULL) is fine.
void *scr_alloc(size_t bytes);
void scr_free(void *memory);

// Memory that this machine has, bytes: what a limit may be a share of.
int64_t scr_machine_bytes(void);

// A new array of count zeros into *array, at least one so that it is never NULL.
scr_status scr_make_zeros(void *array, int64_t count, size_t size, const char *what, scr_error *error);

// Tests count allocations, and make the n-th one from now fail (0: the next one; negative: none).
int64_t scr_allocation_count(void);
void scr_fail_allocation_in(int64_t n);

// Grow *array so that it holds at least need entries of the given size; old entries are kept, new ones undefined.
// Growth is by half at least, so that adding one by one stays linear. *capacity is in entries.
scr_status scr_grow(void *array, int64_t *capacity, int64_t need, size_t size, const char *what, scr_error *error);

// The same for arrays of equally many entries that share one capacity.
typedef struct scr_column {
    void *array;  // where the pointer to its entries is
    size_t size;
} scr_column;
scr_status scr_grow_together(const scr_column *column, size_t count, int64_t *capacity, int64_t need, const char *what,
                             scr_error *error);

// As scr_grow for what is made anew each time: the old entries are lost, so both never need room at once. After a
// failure the array is empty (NULL, capacity 0).
scr_status scr_grow_anew(void *array, int64_t *capacity, int64_t need, size_t size, const char *what, scr_error *error);

// A linear arena over one block. Copy it by value to open a scope.
typedef struct scr_arena {
    char *base;
    size_t used, capacity;
} scr_arena;

// Make the block hold at least bytes; what was in it is lost.
scr_status scr_arena_reserve(scr_arena *arena, size_t bytes, const char *what, scr_error *error);
void scr_arena_free(scr_arena *arena);
// Take count entries, 64-byte aligned. The caller has reserved enough: running out is a broken promise (assert).
void *scr_arena_array(scr_arena *arena, size_t size, int64_t count);
// What scr_arena_array will use for such an array, for adding up a reservation.
size_t scr_arena_bytes(size_t size, int64_t count);

#endif
