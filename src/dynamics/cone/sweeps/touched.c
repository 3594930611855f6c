// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/cone/sweeps/touched.h"

#include <string.h>

#include "core/arrays/scan.h"
#include "core/base/threads.h"

enum { CHUNK = 4096 };      // bodies, or sides, that a thread looks at in one go
enum { ENDS_CHUNK = 256 };  // contacts asked for together

void touched_free(touched_bodies *touched)
{
    scr_free(touched->record_of);
    scr_free(touched->body_of);
}

// Where few of many sides touch anything, looking at all of them takes longer than asking contact by contact.
static bool has_sides(const contact_system *system)
{
    return system->side_bodies != NULL && system->side_count <= 2 * system->contact_count;
}

size_t listed_ends_bytes(const contact_system *system)
{
    size_t sides = has_sides(system)
                       ? scr_arena_bytes(sizeof(int32_t), system->side_count) + scr_arena_bytes(1, system->side_count)
                       : 2 * scr_arena_bytes(sizeof(int32_t), system->contact_count);
    return sides + scr_arena_bytes(1, system->contact_count) +
           scr_arena_bytes(sizeof(int64_t), block_count_of(system->body_count, CHUNK) + 1);
}

// Several threads may mark the same body: with the same mark.
static inline void mark(int32_t *record_of, int32_t body)
{
    if (body != NO_BODY) __atomic_store_n(&record_of[body], 0, __ATOMIC_RELAXED);
}

// By the byte: marks of all sides are in a core's cache.
static void mark_sides(uint8_t *is_touched, const contact_system *system)
{
    const int32_t *a = system->side_a, *b = system->side_b;
#pragma omp for schedule(static)
    for (int64_t i = 0; i < system->contact_count; ++i) {
        __atomic_store_n(&is_touched[a[i]], 1, __ATOMIC_RELAXED);
        __atomic_store_n(&is_touched[b[i]], 1, __ATOMIC_RELAXED);
    }
}

// Whose the sides are, of those that are touched.
static void mark_bodies_of_sides(int32_t *record_of, const uint8_t *is_touched, int32_t *side,
                                 const contact_system *system)
{
    int64_t count = system->side_count;
#pragma omp for schedule(static)
    for (int64_t first = 0; first < count; first += CHUNK) {
        int64_t last = min_i64(first + CHUNK, count);
        system->side_bodies(system->owner, first, last - first, side + first);
        for (int64_t k = first; k < last; ++k) {
            side[k] = is_touched[k] ? side[k] : NO_BODY;
            mark(record_of, side[k]);
        }
    }
}

// Kinds, and, if they are wanted, bodies in place of sides; the number behind the last body stands for NO_BODY.
static void list_some(const contact_system *system, int32_t *a, int32_t *b, uint8_t *kind, int64_t first, int64_t count)
{
    contact_ends some[ENDS_CHUNK];
    int32_t nobody = (int32_t)system->body_count;
    contact_system_ends(system, first, count, some);
    for (int64_t k = 0; k < count; ++k) kind[first + k] = some[k].centre_line ? ON_CENTRE_LINE : OFF_CENTRE_LINE;
    for (int64_t k = 0; a != NULL && k < count; ++k) {
        a[first + k] = some[k].a == NO_BODY ? nobody : some[k].a;
        b[first + k] = some[k].b == NO_BODY ? nobody : some[k].b;
    }
}

static void list_all(const contact_system *system, int32_t *a, int32_t *b, uint8_t *kind)
{
#pragma omp for schedule(static)
    for (int64_t first = 0; first < system->contact_count; first += ENDS_CHUNK)
        list_some(system, a, b, kind, first, min_i64(ENDS_CHUNK, system->contact_count - first));
}

static void mark_bodies(int32_t *record_of, const int32_t *a, const int32_t *b, const contact_system *system)
{
    int32_t nobody = (int32_t)system->body_count;
#pragma omp for schedule(static)
    for (int64_t i = 0; i < system->contact_count; ++i) {
        mark(record_of, a[i] == nobody ? NO_BODY : a[i]);
        mark(record_of, b[i] == nobody ? NO_BODY : b[i]);
    }
}

static void mark_joined(int32_t *record_of, const joint_system *joints)
{
    for (int64_t k = 0; joints != NULL && k < joints->mechanism_count; ++k)
        for (int32_t i = 0; i < joints->mechanism[k].equations.body_count; ++i)
            mark(record_of, joints->mechanism[k].body[i]);
}

static void number_marked(touched_bodies *touched, const contact_system *system, scr_arena scratch)
{
    int64_t chunks = block_count_of(system->body_count, CHUNK);
    int64_t *start = scr_arena_array(&scratch, sizeof *start, chunks + 1);
#pragma omp parallel for num_threads(system->threads) schedule(static)
    for (int64_t c = 0; c < chunks; ++c) {
        start[c] = 0;
        for (int64_t k = c * CHUNK; k < min_i64((c + 1) * CHUNK, system->body_count); ++k)
            start[c] += touched->record_of[k] != NO_BODY;
    }
    touched->count = scr_scan_i64(start, chunks, 1);
#pragma omp parallel for num_threads(system->threads) schedule(static)
    for (int64_t c = 0; c < chunks; ++c) {
        int64_t next = start[c];
        for (int64_t k = c * CHUNK; k < min_i64((c + 1) * CHUNK, system->body_count); ++k) {
            if (touched->record_of[k] == NO_BODY) continue;
            touched->body_of[next] = (int32_t)k;
            touched->record_of[k] = (int32_t)next++;
        }
    }
}

static void clear_records(touched_bodies *touched, const contact_system *system)
{
#pragma omp for schedule(static)
    for (int64_t k = 0; k <= system->body_count; ++k) touched->record_of[k] = NO_BODY;
}

// The system's own sides: first whose they are, then the records of these.
static void find_by_sides(touched_bodies *touched, const contact_system *system, listed_ends *ends, scr_arena *arena)
{
    int64_t count = system->side_count;
    int32_t *side = scr_arena_array(arena, sizeof *side, count);
    scr_arena scratch = *arena;
    uint8_t *is_touched = scr_arena_array(&scratch, 1, count);
    memset(is_touched, 0, (size_t)count);
#pragma omp parallel num_threads(system->threads)
    {
        clear_records(touched, system);
        mark_sides(is_touched, system);
        mark_bodies_of_sides(touched->record_of, is_touched, side, system);
        if (!ends->are_alike) list_all(system, NULL, NULL, ends->kind);
    }
    mark_joined(touched->record_of, system->joints);
    number_marked(touched, system, scratch);
#pragma omp parallel for num_threads(system->threads) schedule(static)
    for (int64_t k = 0; k < count; ++k) side[k] = side[k] == NO_BODY ? NO_BODY : touched->record_of[side[k]];
    ends->a = system->side_a, ends->b = system->side_b;
    ends->record = side;
}

// Bodies in place of sides.
static void find_by_ends(touched_bodies *touched, const contact_system *system, listed_ends *ends, scr_arena *arena)
{
    int32_t *a = scr_arena_array(arena, sizeof *a, ends->count), *b = scr_arena_array(arena, sizeof *b, ends->count);
#pragma omp parallel num_threads(system->threads)
    {
        clear_records(touched, system);
        list_all(system, a, b, ends->kind);
        mark_bodies(touched->record_of, a, b, system);
    }
    mark_joined(touched->record_of, system->joints);
    number_marked(touched, system, *arena);
    ends->a = a, ends->b = b;
    ends->record = touched->record_of;
}

scr_status find_touched(touched_bodies *touched, const contact_system *system, listed_ends *ends, scr_arena *arena,
                        scr_error *error)
{
    const scr_column columns[] = {{&touched->record_of, sizeof *touched->record_of},
                                  {&touched->body_of, sizeof *touched->body_of}};
    scr_status status = scr_grow_together(columns, sizeof columns / sizeof *columns, &touched->capacity,
                                          system->body_count + 1, "solver bodies", error);
    if (status != SCR_OK) return status;
    int64_t count = system->contact_count;
    *ends = (listed_ends){.count = count,
                          .are_alike = system->general_count == 0 || system->general_count == count,
                          .kind = scr_arena_array(arena, 1, count)};
    if (has_sides(system)) find_by_sides(touched, system, ends, arena);
    else find_by_ends(touched, system, ends, arena);
    return SCR_OK;
}
