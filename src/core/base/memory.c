// SPDX-License-Identifier: BSD-3-Clause
// Memory: the allocator, grow-only arrays and arenas.
#include "core/base/memory.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    ALIGNMENT = 64,  // a cache line, and the widest vector
    HUGE_PAGE = 2 << 20,
    HUGE_BLOCK = 2 * HUGE_PAGE,  // blocks from this size on are worth huge pages: fewer misses of the address cache
    FIRST_CAPACITY = 16,         // entries of an array that was empty
};

// The only state of the library outside a world: tests watch and steer allocations with it.
static atomic_int_fast64_t allocation_count;
static atomic_int_fast64_t allocations_until_failure = -1;

int64_t scr_allocation_count(void) { return atomic_load(&allocation_count); }
void scr_fail_allocation_in(int64_t n) { atomic_store(&allocations_until_failure, n < 0 ? -1 : n); }

// True for the one allocation that a test asked to fail. The hook is read first: normally nobody writes it.
static bool must_fail(void)
{
    if (atomic_load_explicit(&allocations_until_failure, memory_order_relaxed) < 0) return false;
    return atomic_fetch_sub(&allocations_until_failure, 1) == 0;
}

int64_t scr_machine_bytes(void)
{
    int64_t pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0 ? pages * page : INT64_MAX;  // a system that does not say: no limit of ours
}

size_t scr_array_bytes(int64_t count, size_t size)
{
    size_t bytes;
    if (count < 0 || __builtin_mul_overflow((size_t)count, size, &bytes)) return SIZE_MAX;
    return bytes;
}

// bytes up to the next multiple of alignment (a power of two), or SIZE_MAX if that does not fit.
static size_t round_up(size_t bytes, size_t alignment)
{
    if (bytes > SIZE_MAX - alignment) return SIZE_MAX;
    return (bytes + alignment - 1) & ~(alignment - 1);
}

void *scr_alloc(size_t bytes)
{
    size_t alignment = bytes >= HUGE_BLOCK ? HUGE_PAGE : ALIGNMENT;
    size_t rounded = round_up(bytes > 0 ? bytes : 1, alignment);
    if (rounded > PTRDIFF_MAX || must_fail()) return NULL;
    void *memory = aligned_alloc(alignment, rounded);
    if (memory == NULL) return NULL;
    atomic_fetch_add_explicit(&allocation_count, 1, memory_order_relaxed);
    if (alignment == HUGE_PAGE) madvise(memory, rounded, MADV_HUGEPAGE);  // advice only: a refusal changes nothing
    return memory;
}

void scr_free(void *memory) { free(memory); }

scr_status scr_make_zeros(void *array, int64_t count, size_t size, const char *what, scr_error *error)
{
    size_t bytes = scr_array_bytes(count > 0 ? count : 1, size);
    void *memory = scr_alloc(bytes);
    if (memory == NULL) return scr_fail_memory(error, bytes, what);
    memset(memory, 0, bytes);
    memcpy(array, &memory, sizeof memory);  // a pointer of some type: moved as bytes
    return SCR_OK;
}

scr_status scr_grow(void *array, int64_t *capacity, int64_t need, size_t size, const char *what, scr_error *error)
{
    if (need <= *capacity) return SCR_OK;
    int64_t grown = *capacity <= INT64_MAX - *capacity / 2 ? *capacity + *capacity / 2 : need;
    if (grown < FIRST_CAPACITY) grown = FIRST_CAPACITY;
    if (grown < need) grown = need;
    size_t bytes = scr_array_bytes(grown, size);
    void *fresh = bytes == SIZE_MAX ? NULL : scr_alloc(bytes);
    if (fresh == NULL) return scr_fail_memory(error, bytes, what);

    // The pointer's type is the caller's: it is moved as bytes, so that no rule about types is bent.
    void *old;
    memcpy(&old, array, sizeof old);
    if (*capacity > 0) memcpy(fresh, old, (size_t)*capacity * size);
    memcpy(array, &fresh, sizeof fresh);
    *capacity = grown;
    scr_free(old);
    return SCR_OK;
}

scr_status scr_grow_together(const scr_column *column, size_t count, int64_t *capacity, int64_t need, const char *what,
                             scr_error *error)
{
    int64_t grown = *capacity;
    for (size_t k = 0; k < count; ++k) {
        grown = *capacity;  // each grows from the same old one
        scr_status status = scr_grow(column[k].array, &grown, need, column[k].size, what, error);
        if (status != SCR_OK) return status;
    }
    *capacity = grown;
    return SCR_OK;
}

scr_status scr_grow_anew(void *array, int64_t *capacity, int64_t need, size_t size, const char *what, scr_error *error)
{
    if (need <= *capacity) return SCR_OK;
    void *old, *none = NULL;
    memcpy(&old, array, sizeof old);
    memcpy(array, &none, sizeof none);
    scr_free(old);
    *capacity = 0;
    int64_t generous = need <= INT64_MAX - need / 8 ? need + need / 8 : need;
    return scr_grow(array, capacity, generous, size, what, error);
}

scr_status scr_arena_reserve(scr_arena *arena, size_t bytes, const char *what, scr_error *error)
{
    arena->used = 0;
    if (bytes <= arena->capacity) return SCR_OK;
    // A quarter more than asked for: a slowly growing world does not come back every step.
    size_t generous = bytes <= SIZE_MAX - bytes / 4 ? bytes + bytes / 4 : bytes;
    char *fresh = bytes == SIZE_MAX ? NULL : scr_alloc(generous);
    if (fresh == NULL) return scr_fail_memory(error, bytes, what);
    scr_free(arena->base);
    *arena = (scr_arena){fresh, 0, generous};
    return SCR_OK;
}

void scr_arena_free(scr_arena *arena)
{
    scr_free(arena->base);
    *arena = (scr_arena){0};
}

size_t scr_arena_bytes(size_t size, int64_t count) { return round_up(scr_array_bytes(count, size), ALIGNMENT); }

void *scr_arena_array(scr_arena *arena, size_t size, int64_t count)
{
    size_t bytes = scr_arena_bytes(size, count);
    assert(bytes <= arena->capacity - arena->used);
    char *memory = arena->base + arena->used;
    arena->used += bytes;
    return memory;
}
