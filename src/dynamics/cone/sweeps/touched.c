// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/cone/sweeps/touched.h"

#include "core/arrays/scan.h"
#include "core/base/threads.h"

enum { CHUNK = 4096 };      // bodies counted together
enum { ENDS_CHUNK = 256 };  // contacts asked for together

void touched_free(touched_bodies *touched)
{
    scr_free(touched->record_of);
    scr_free(touched->body_of);
}

size_t listed_ends_bytes(int64_t contact_count, int64_t body_count)
{
    return scr_arena_bytes(sizeof(body_pair), contact_count) + scr_arena_bytes(1, contact_count) +
           scr_arena_bytes(sizeof(int64_t), block_count_of(body_count, CHUNK) + 1);
}

// Several threads may mark the same body: with the same mark.
static void mark(int32_t *record_of, int32_t body)
{
    if (body != NO_BODY) __atomic_store_n(&record_of[body], 0, __ATOMIC_RELAXED);
}

static void list_and_mark_some(touched_bodies *touched, const contact_system *system, listed_ends *ends, int64_t first,
                               int64_t count)
{
    contact_ends some[ENDS_CHUNK];
    int32_t *record_of = touched->record_of;
    contact_system_ends(system, first, count, some);
    for (int64_t k = 0; k < count; ++k) {
        ends->pair[first + k] = (body_pair){some[k].a, some[k].b};
        ends->centre_line[first + k] = some[k].centre_line;
        mark(record_of, some[k].a);
        mark(record_of, some[k].b);
    }
}

static void list_and_mark(touched_bodies *touched, const contact_system *system, listed_ends *ends)
{
#pragma omp parallel num_threads(system->threads)
    {
#pragma omp for schedule(static)
        for (int64_t k = 0; k < system->body_count; ++k) touched->record_of[k] = NO_BODY;
#pragma omp for schedule(static)
        for (int64_t first = 0; first < system->contact_count; first += ENDS_CHUNK)
            list_and_mark_some(touched, system, ends, first, min_i64(ENDS_CHUNK, system->contact_count - first));
    }
    for (int64_t k = 0; system->joints != NULL && k < system->joints->mechanism_count; ++k)
        for (int32_t i = 0; i < system->joints->mechanism[k].equations.body_count; ++i)
            mark(touched->record_of, system->joints->mechanism[k].body[i]);
}

static void number_marked(touched_bodies *touched, const contact_system *system, int64_t *start)
{
    int64_t chunks = block_count_of(system->body_count, CHUNK);
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

scr_status find_touched(touched_bodies *touched, const contact_system *system, listed_ends *ends, scr_arena *arena,
                        scr_error *error)
{
    const scr_column columns[] = {{&touched->record_of, sizeof *touched->record_of},
                                  {&touched->body_of, sizeof *touched->body_of}};
    scr_status status = scr_grow_together(columns, sizeof columns / sizeof *columns, &touched->capacity,
                                          system->body_count, "solver bodies", error);
    if (status != SCR_OK) return status;
    ends->pair = scr_arena_array(arena, sizeof *ends->pair, system->contact_count);
    ends->centre_line = scr_arena_array(arena, 1, system->contact_count);
    scr_arena scratch = *arena;
    list_and_mark(touched, system, ends);
    number_marked(touched, system,
                  scr_arena_array(&scratch, sizeof(int64_t), block_count_of(system->body_count, CHUNK) + 1));
#pragma omp parallel for num_threads(system->threads) schedule(static)
    for (int64_t i = 0; i < system->contact_count; ++i) {
        body_pair *pair = &ends->pair[i];
        *pair = (body_pair){record_of_body(touched, pair->a), record_of_body(touched, pair->b)};
    }
    return SCR_OK;
}
