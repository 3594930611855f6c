// SPDX-License-Identifier: BSD-3-Clause
#include "scene/active/grain_store.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/threads.h"

static const char WHAT[] = "parked grains";

static const field_info grain_fields[STORE_COLUMNS] = {
    FIELD(grain_store, x, FIELD_F64, "m"),
    FIELD(grain_store, y, FIELD_F64, "m"),
    FIELD(grain_store, z, FIELD_F64, "m"),
    FIELD_WIDE(grain_store, rotation, FIELD_F32, 4, ""),
    FIELD(grain_store, radius, FIELD_F64, "m"),
    FIELD(grain_store, id, FIELD_U64, ""),
    FIELD(grain_store, collider_shift, FIELD_I32, ""),
    FIELD(grain_store, material, FIELD_U16, ""),
};

static const field_info chunk_fields[] = {
    FIELD(grain_store, next, FIELD_I32, ""),
    FIELD(grain_store, used, FIELD_I32, ""),
    SCALAR(grain_store, free_list, FIELD_I32, ""),
    SCALAR(grain_store, count, FIELD_I64, ""),
};

void grain_store_init(grain_store *s, double memory_limit)
{
    *s = (grain_store){.free_list = NO_CHUNK,
                       .memory_limit = memory_limit < (double)(SIZE_MAX / 2) ? (size_t)memory_limit : SIZE_MAX};
    s->grains = (table){"parked_grains", grain_fields, STORE_COLUMNS, s, 0, 0, false};
    s->chunks = (table){"parked_chunks", chunk_fields, sizeof chunk_fields / sizeof *chunk_fields, s, 0, 0, false};
    for (int f = 0; f < STORE_COLUMNS; ++f) s->file[f].file = -1;
}

static void set_column(grain_store *s, int f, void *array)
{
    memcpy((char *)s->grains.owner + grain_fields[f].offset, &array, sizeof array);
}

void grain_store_free(grain_store *s)
{
    for (int f = 0; f < STORE_COLUMNS && s->is_mapped; ++f) set_column(s, f, NULL);
    for (int f = 0; f < STORE_COLUMNS; ++f) mapped_array_close(&s->file[f]);
    table_free(&s->grains);
    table_free(&s->chunks);
    free(s->directory);
    s->directory = NULL;
}

// ---- where it lies ------------------------------------------------------------------------------------------------

static size_t bytes_of(int64_t entries)
{
    size_t row = 0;
    for (int f = 0; f < STORE_COLUMNS; ++f) row += field_size(&grain_fields[f]);
    return scr_array_bytes(entries, row);
}

static scr_status grow_files(grain_store *s, int64_t entries, scr_error *error)
{
    for (int f = 0; f < STORE_COLUMNS; ++f) {
        scr_status status =
            mapped_array_grow(&s->file[f], scr_array_bytes(entries, field_size(&grain_fields[f])), WHAT, error);
        if (status != SCR_OK) return status;
        if (s->is_mapped) set_column(s, f, s->file[f].memory);  // those before a failure have moved, and keep all
    }
    return SCR_OK;
}

static scr_status move_into_files(grain_store *s, int64_t entries, scr_error *error)
{
    scr_status status = SCR_OK;
    for (int f = 0; f < STORE_COLUMNS && status == SCR_OK; ++f)
        status = mapped_array_open(&s->file[f], s->directory, error);
    if (status == SCR_OK) status = grow_files(s, entries, error);
    if (status != SCR_OK) {
        for (int f = 0; f < STORE_COLUMNS; ++f) mapped_array_close(&s->file[f]);
        return status;
    }
    for (int f = 0; f < STORE_COLUMNS; ++f) {
        void *column = table_data(&s->grains, &grain_fields[f]);
        if (s->grains.count > 0)
            memcpy(s->file[f].memory, column, scr_array_bytes(s->grains.count, field_size(&grain_fields[f])));
        scr_free(column);
        set_column(s, f, s->file[f].memory);
    }
    s->is_mapped = true;
    s->grains.capacity = entries;
    return SCR_OK;
}

static scr_status reserve_entries(grain_store *s, int64_t entries, scr_error *error)
{
    if (entries <= s->grains.capacity) return SCR_OK;
    if (!s->is_mapped && (s->directory == NULL || bytes_of(entries) <= s->memory_limit))
        return table_reserve(&s->grains, entries, error);
    int64_t grown = max_i64(entries, s->grains.capacity + s->grains.capacity / 2);
    if (!s->is_mapped) return move_into_files(s, grown, error);
    scr_status status = grow_files(s, grown, error);
    if (status == SCR_OK) s->grains.capacity = grown;
    return status;
}

scr_status grain_store_use_directory(grain_store *s, const char *directory, scr_error *error)
{
    char *copy = strdup(directory);
    if (copy == NULL) return scr_fail_memory(error, strlen(directory), "the name of a directory");
    free(s->directory);
    s->directory = copy;
    if (s->is_mapped || s->grains.count == 0 || bytes_of(s->grains.count) <= s->memory_limit) return SCR_OK;
    return move_into_files(s, s->grains.count, error);
}

// ---- chunks -------------------------------------------------------------------------------------------------------

static int64_t free_chunks(const grain_store *s, int64_t enough)
{
    int64_t found = 0;
    for (int32_t c = s->free_list; c != NO_CHUNK && found < enough; c = s->next[c]) ++found;
    return found;
}

scr_status grain_store_reserve(grain_store *s, int64_t more, int64_t lists, scr_error *error)
{
    int64_t needed = more / STORE_CHUNK + min_i64(more, lists) + 1;
    needed -= free_chunks(s, needed);
    if (needed == 0) return SCR_OK;
    if (s->chunks.count + needed > INT32_MAX / STORE_CHUNK)
        return scr_fail(error, SCR_BAD_INPUT, "more grains are parked than a store holds");
    scr_status status = table_reserve(&s->chunks, s->chunks.count + needed, error);
    return status == SCR_OK ? reserve_entries(s, (s->chunks.count + needed) * STORE_CHUNK, error) : status;
}

static void clear_chunk(grain_store *s, int32_t chunk)
{
    for (int f = 0; f < STORE_COLUMNS; ++f) {
        size_t bytes = STORE_CHUNK * field_size(&grain_fields[f]);
        memset((char *)table_data(&s->grains, &grain_fields[f]) + (size_t)chunk * bytes, 0, bytes);
    }
}

// In front of a list.
static void add_chunk(grain_store *s, int32_t *list)
{
    int32_t chunk = s->free_list;
    if (chunk != NO_CHUNK) {
        s->free_list = s->next[chunk];
    } else {
        chunk = (int32_t)s->chunks.count++;
        s->grains.count += STORE_CHUNK;
        clear_chunk(s, chunk);
    }
    s->next[chunk] = *list;
    s->used[chunk] = 0;
    *list = chunk;
}

bool grain_store_fits(const stored_grain *g)
{
    int64_t shift = (int64_t)(g->collider_id - g->id);
    return shift >= INT32_MIN && shift <= INT32_MAX;
}

void grain_store_put(grain_store *s, int32_t *list, const stored_grain *g)
{
    if (*list == NO_CHUNK || s->used[*list] == STORE_CHUNK) add_chunk(s, list);
    int64_t i = (int64_t)*list * STORE_CHUNK + s->used[*list]++;
    s->x[i] = g->position.x, s->y[i] = g->position.y, s->z[i] = g->position.z;
    memcpy(s->rotation + 4 * i, g->rotation, sizeof g->rotation);
    s->radius[i] = g->radius;
    s->id[i] = g->id;
    s->collider_shift[i] = (int32_t)(int64_t)(g->collider_id - g->id);
    s->material[i] = g->material;
    ++s->count;
}

static stored_grain stored_at(const grain_store *s, int64_t i)
{
    stored_grain g = {.position = {s->x[i], s->y[i], s->z[i]},
                      .radius = s->radius[i],
                      .id = s->id[i],
                      .collider_id = s->id[i] + (uint64_t)(int64_t)s->collider_shift[i],
                      .material = s->material[i]};
    memcpy(g.rotation, s->rotation + 4 * i, sizeof g.rotation);
    return g;
}

int64_t grain_store_read(const grain_store *s, int32_t list, stored_grain *g)
{
    int64_t count = 0;
    for (int32_t c = list; c != NO_CHUNK; c = s->next[c])
        for (int32_t k = 0; k < s->used[c]; ++k) g[count++] = stored_at(s, (int64_t)c * STORE_CHUNK + k);
    return count;
}

void grain_store_drop(grain_store *s, int32_t *list)
{
    while (*list != NO_CHUNK) {
        int32_t chunk = *list;
        *list = s->next[chunk];
        s->count -= s->used[chunk];
        clear_chunk(s, chunk);
        s->used[chunk] = 0;
        s->next[chunk] = s->free_list;
        s->free_list = chunk;
    }
}

// ---- after a load -------------------------------------------------------------------------------------------------

bool grain_store_list_is_valid(const grain_store *s, int32_t list, int64_t count)
{
    for (int32_t c = list; c != NO_CHUNK; c = s->next[c]) {
        if (c < 0 || c >= s->chunks.count || s->used[c] <= 0 || s->used[c] > STORE_CHUNK) return false;
        count -= s->used[c];
        if (count < 0) return false;  // an endless list, or one that is too long
        for (int32_t k = 0; k < s->used[c]; ++k) {
            stored_grain g = stored_at(s, (int64_t)c * STORE_CHUNK + k);
            bool is_sane = isfinite(g.position.x) && isfinite(g.position.y) && isfinite(g.position.z);
            double turned = 0.0;
            for (int q = 0; q < 4; ++q) turned += (double)g.rotation[q] * (double)g.rotation[q];
            if (!is_sane || !(g.radius > 0.0) || !isfinite(g.radius) || !(fabs(turned - 1.0) < 1e-6) || g.id == 0)
                return false;
        }
    }
    return count == 0;
}

bool grain_store_is_valid(const grain_store *s)
{
    int64_t chunks = s->chunks.count, seen = 0;
    if (chunks > INT32_MAX / STORE_CHUNK || s->grains.count != chunks * STORE_CHUNK || s->count < 0) return false;
    for (int32_t c = s->free_list; c != NO_CHUNK; c = s->next[c])
        if (c < 0 || c >= chunks || s->used[c] != 0 || ++seen > chunks) return false;
    return true;
}
