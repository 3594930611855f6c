// SPDX-License-Identifier: BSD-3-Clause
// Tables: structures of arrays that know their own columns.
//
// The hash cuts every column into blocks of HASH_BLOCK bytes. A block's hash begins with where the block is, so that
// the sum of all blocks' hashes, which is the same in any order, still tells blocks apart: threads share the work
// without a list to merge.
#include "core/arrays/table.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/base/threads.h"

enum {
    HASH_BLOCK = 1 << 16,    // bytes
    GATHER_BLOCK = 1 << 12,  // entries; fewer than one block never start threads
};

// Odd numbers with no pattern: the fractional bits of sqrt(2) (last bit set), sqrt(3), sqrt(5) and sqrt(7).
static const uint64_t MIX_1 = 0x6a09e667f3bcc909u, MIX_2 = 0xbb67ae8584caa73bu;
static const uint64_t MIX_3 = 0x3c6ef372fe94f82bu, MIX_4 = 0xa54ff53a5f1d36f1u;

static size_t number_size(field_type type)
{
    switch (type) {
    case FIELD_F64:
    case FIELD_I64:
    case FIELD_U64: return 8;
    case FIELD_F32:
    case FIELD_I32:
    case FIELD_U32: return 4;
    case FIELD_U16: return 2;
    case FIELD_U8: return 1;
    }
    return 0;
}

size_t field_size(const field_info *field) { return number_size(field->type) * (size_t)field->width; }

void *table_data(const table *t, const field_info *field)
{
    char *address = (char *)t->owner + field->offset;
    if (field->scalar) return address;
    void *array;
    memcpy(&array, address, sizeof array);  // a pointer of some type: moved as bytes
    return array;
}

scr_status table_reserve(table *t, int64_t count, scr_error *error)
{
    if (count <= t->capacity) return SCR_OK;
    int64_t capacity = count;
    for (int f = 0; f < t->field_count; ++f) {
        const field_info *field = &t->field[f];
        if (field->scalar) continue;
        // Every column grows from the same old capacity to the same new one. If a later column fails, those before
        // it have more room than t->capacity says, which does no harm.
        capacity = t->capacity;
        scr_status status =
            scr_grow((char *)t->owner + field->offset, &capacity, count, field_size(field), t->name, error);
        if (status != SCR_OK) return status;
    }
    t->capacity = capacity;
    return SCR_OK;
}

void table_trim(table *t)
{
    int64_t count = t->count > 0 ? t->count : 1;
    if (count >= t->capacity) return;
    for (int f = 0; f < t->field_count; ++f) {
        const field_info *field = &t->field[f];
        if (field->scalar) continue;
        void *old = table_data(t, field), *fresh = scr_alloc(scr_array_bytes(count, field_size(field)));
        if (fresh == NULL) break;  // those that are shorter now make the capacity
        memcpy(fresh, old, scr_array_bytes(count, field_size(field)));
        memcpy((char *)t->owner + field->offset, &fresh, sizeof fresh);
        scr_free(old);
    }
    t->capacity = count;
}

void table_free(table *t)
{
    for (int f = 0; f < t->field_count; ++f) {
        if (t->field[f].scalar) continue;
        scr_free(table_data(t, &t->field[f]));
        memset((char *)t->owner + t->field[f].offset, 0, sizeof(void *));
    }
    t->count = t->capacity = 0;
}

size_t table_gather_bytes(const table *t, int64_t new_count)
{
    size_t widest = 0;
    for (int f = 0; f < t->field_count; ++f) {
        size_t size = t->field[f].scalar ? 0 : field_size(&t->field[f]);
        if (size > widest) widest = size;
    }
    return scr_arena_bytes(widest, new_count);
}

// Inlined with a constant size: each copy is then one move.
static inline __attribute__((always_inline)) void gather_entries(char *to, const char *column, const int32_t *from,
                                                                 int64_t n, size_t size)
{
    for (int64_t i = 0; i < n; ++i) memcpy(to + (size_t)i * size, column + (size_t)from[i] * size, size);
}

static void gather_block(char *to, const char *column, const int32_t *from, int64_t n, size_t size)
{
    switch (size) {
    case 1: gather_entries(to, column, from, n, 1); break;
    case 2: gather_entries(to, column, from, n, 2); break;
    case 4: gather_entries(to, column, from, n, 4); break;
    case 8: gather_entries(to, column, from, n, 8); break;
    default: gather_entries(to, column, from, n, size);
    }
}

static void gather_column(char *column, size_t size, const int32_t *from, int64_t n, char *scratch, int threads)
{
    int64_t block_count = block_count_of(n, GATHER_BLOCK);
#pragma omp parallel num_threads(threads) if (block_count > 1)
    {
#pragma omp for schedule(static)
        for (int64_t b = 0; b < block_count; ++b) {
            int64_t first = b * GATHER_BLOCK, length = min_i64(GATHER_BLOCK, n - first);
            gather_block(scratch + (size_t)first * size, column, from + first, length, size);
        }
#pragma omp for schedule(static)
        for (int64_t b = 0; b < block_count; ++b) {
            int64_t first = b * GATHER_BLOCK, length = min_i64(GATHER_BLOCK, n - first);
            memcpy(column + (size_t)first * size, scratch + (size_t)first * size, (size_t)length * size);
        }
    }
}

void table_gather(table *t, const int32_t *from, int64_t new_count, scr_arena arena, int threads)
{
    assert(new_count <= t->capacity);
    char *scratch = scr_arena_array(&arena, 1, (int64_t)table_gather_bytes(t, new_count));
    for (int f = 0; f < t->field_count; ++f) {
        const field_info *field = &t->field[f];
        if (!field->scalar) gather_column(table_data(t, field), field_size(field), from, new_count, scratch, threads);
    }
    t->count = new_count;
}

void table_copy_entry(table *t, int64_t from, int64_t to)
{
    for (int f = 0; f < t->field_count; ++f) {
        const field_info *field = &t->field[f];
        size_t size = field_size(field);
        char *data = field->scalar ? NULL : table_data(t, field);
        if (data != NULL) memcpy(data + (size_t)to * size, data + (size_t)from * size, size);
    }
}

// Each step of absorbing a word can be undone, so two inputs that differ in one word never meet again in that lane.
static inline uint64_t absorb(uint64_t lane, uint64_t word)
{
    lane = (lane ^ word) * MIX_1;
    return lane ^ (lane >> 29);
}

static uint64_t finish(uint64_t h)
{
    h = (h ^ (h >> 31)) * MIX_2;
    h = (h ^ (h >> 27)) * MIX_3;
    return h ^ (h >> 33);
}

// Four lanes, so that their multiplications overlap; the last few bytes are padded with zeros after their number.
static uint64_t hash_bytes(const char *data, size_t bytes, uint64_t seed)
{
    uint64_t lane[4] = {seed, seed + MIX_2, seed + MIX_3, seed + MIX_4}, word[4];
    size_t at = 0;
    for (; at + sizeof word <= bytes; at += sizeof word) {
        memcpy(word, data + at, sizeof word);
        for (int l = 0; l < 4; ++l) lane[l] = absorb(lane[l], word[l]);
    }
    memset(word, 0, sizeof word);
    if (bytes > at) memcpy(word, data + at, bytes - at);
    uint64_t h = absorb(finish(seed), bytes);
    for (int l = 0; l < 4; ++l) h = finish(absorb(h, finish(absorb(lane[l], word[l]))));
    return h;
}

static uint64_t hash_text(const char *text, uint64_t seed) { return hash_bytes(text, strlen(text), seed); }

static uint64_t hash_field(const table *t, const field_info *field, uint64_t seed, int threads)
{
    const char *data = table_data(t, field);
    int64_t bytes = (int64_t)field_size(field) * (field->scalar ? 1 : t->count);
    int64_t block_count = block_count_of(bytes, HASH_BLOCK);
    seed = absorb(absorb(hash_text(field->name, seed), field->type), (uint64_t)bytes);
    uint64_t sum = 0;
#pragma omp parallel for num_threads(threads) schedule(static) reduction(+ : sum) if (block_count > 1)
    for (int64_t b = 0; b < block_count; ++b) {
        int64_t first = b * HASH_BLOCK;
        sum += hash_bytes(data + first, (size_t)min_i64(HASH_BLOCK, bytes - first), absorb(seed, (uint64_t)b));
    }
    return absorb(seed, sum);
}

uint64_t tables_hash(const table *const *tables, int table_count, int threads)
{
    uint64_t h = MIX_4;
    for (int k = 0; k < table_count; ++k) {
        const table *t = tables[k];
        if (t->is_optional && t->count == 0) continue;
        h = absorb(hash_text(t->name, h), (uint64_t)t->count);
        for (int f = 0; f < t->field_count; ++f) h = hash_field(t, &t->field[f], h, threads);
    }
    return finish(h);
}

// One number as text, with all its digits.
static void print_number(char *text, size_t size, field_type type, const void *number)
{
    union {
        double f64;
        float f32;
        int64_t i64;
        uint64_t u64;
        int32_t i32;
        uint32_t u32;
        uint16_t u16;
        uint8_t u8;
    } v;
    memcpy(&v, number, number_size(type));
    switch (type) {
    case FIELD_F64: snprintf(text, size, "%.17g", v.f64); break;
    case FIELD_F32: snprintf(text, size, "%.9g", (double)v.f32); break;
    case FIELD_I64: snprintf(text, size, "%" PRId64, v.i64); break;
    case FIELD_U64: snprintf(text, size, "%" PRIu64, v.u64); break;
    case FIELD_I32: snprintf(text, size, "%" PRId32, v.i32); break;
    case FIELD_U32: snprintf(text, size, "%" PRIu32, v.u32); break;
    case FIELD_U16: snprintf(text, size, "%u", (unsigned)v.u16); break;
    case FIELD_U8: snprintf(text, size, "%u", (unsigned)v.u8); break;
    }
}

// "x[12]", "force[12][1]" for the middle of three numbers an entry, "time" for a scalar, "box[2]" for a wide scalar.
static void print_element(char *text, size_t size, const field_info *field, int64_t number)
{
    int64_t entry = number / field->width, component = number % field->width;
    int length = snprintf(text, size, "%s", field->name);
    if (!field->scalar && length < (int)size)
        length += snprintf(text + length, size - (size_t)length, "[%" PRId64 "]", entry);
    if (field->width > 1 && length < (int)size)
        snprintf(text + length, size - (size_t)length, "[%" PRId64 "]", component);
}

static bool field_first_difference(const table *a, const table *b, const field_info *field, char *text, size_t size)
{
    const char *in_a = table_data(a, field), *in_b = table_data(b, field);
    size_t step = number_size(field->type);
    int64_t n = (field->scalar ? 1 : a->count) * field->width, i = 0;
    while (i < n && memcmp(in_a + (size_t)i * step, in_b + (size_t)i * step, step) == 0) ++i;
    if (i == n) return false;
    char element[96], left[40], right[40];
    print_element(element, sizeof element, field, i);
    print_number(left, sizeof left, field->type, in_a + (size_t)i * step);
    print_number(right, sizeof right, field->type, in_b + (size_t)i * step);
    snprintf(text, size, "%s.%s: %s and %s", a->name, element, left, right);
    return true;
}

bool table_first_difference(const table *a, const table *b, char *text, size_t size)
{
    assert(a->field == b->field && a->field_count == b->field_count);
    if (a->count != b->count) {
        snprintf(text, size, "%s.count: %" PRId64 " and %" PRId64, a->name, a->count, b->count);
        return true;
    }
    for (int f = 0; f < a->field_count; ++f) {
        if (field_first_difference(a, b, &a->field[f], text, size)) return true;
    }
    return false;
}
