// SPDX-License-Identifier: BSD-3-Clause
#include "core/file/table_bytes.h"

#include <string.h>

#include "core/text/checksum.h"

static const uint32_t ORDER_MARK = 0x01020304u;
enum {
    MAGIC_BYTES = 8,
    HEADER_BYTES = MAGIC_BYTES + 2 * sizeof(uint32_t) + sizeof(uint64_t),
    CHECKSUM_BYTES = sizeof(uint64_t)
};

static uint64_t data_bytes(const table *t, const field_info *field)
{
    return (uint64_t)field_size(field) * (uint64_t)(field->scalar ? 1 : t->count);
}

static bool is_left_out(const table *t) { return t->is_optional && t->count == 0; }

// ---- writing ----

// Counts where to is NULL, else writes.
typedef struct byte_sink {
    char *to;
    size_t count;
} byte_sink;

static void put(byte_sink *s, const void *data, size_t size)
{
    if (s->to != NULL && size > 0) memcpy(s->to + s->count, data, size);
    s->count += size;
}

static void put_u32(byte_sink *s, uint32_t value) { put(s, &value, sizeof value); }
static void put_u64(byte_sink *s, uint64_t value) { put(s, &value, sizeof value); }

static void put_name(byte_sink *s, const char *name)
{
    put_u32(s, (uint32_t)strlen(name));
    put(s, name, strlen(name));
}

static void put_table(byte_sink *s, const table *t)
{
    put_name(s, t->name);
    put_u64(s, (uint64_t)t->count);
    put_u32(s, (uint32_t)t->field_count);
    for (int f = 0; f < t->field_count; ++f) {
        const field_info *field = &t->field[f];
        put_name(s, field->name);
        put_u32(s, (uint32_t)field->type);
        put_u32(s, (uint32_t)field->width);
        put_u32(s, field->scalar);
        put_u64(s, data_bytes(t, field));
        put(s, table_data(t, field), data_bytes(t, field));
    }
}

size_t tables_byte_count(const table *const *tables, int count)
{
    byte_sink s = {NULL, HEADER_BYTES};
    for (int k = 0; k < count; ++k)
        if (!is_left_out(tables[k])) put_table(&s, tables[k]);
    return s.count + CHECKSUM_BYTES;
}

void tables_to_bytes(bytes_kind kind, const table *const *tables, int count, void *to)
{
    byte_sink s = {to, 0};
    put(&s, kind.magic, MAGIC_BYTES);
    put_u32(&s, kind.format);
    put_u32(&s, ORDER_MARK);
    put_u64(&s, tables_byte_count(tables, count));
    for (int k = 0; k < count; ++k)
        if (!is_left_out(tables[k])) put_table(&s, tables[k]);
    put_u64(&s, checksum_of(to, s.count));
}

// ---- reading ----

typedef struct byte_source {
    const char *at, *end;
    const char *name;
    scr_error *error;
} byte_source;

// The next bytes, or NULL if there are not so many.
static const char *take(byte_source *s, uint64_t size)
{
    if (size > (uint64_t)(s->end - s->at)) return NULL;
    const char *data = s->at;
    s->at += size;
    return data;
}

static bool take_u32(byte_source *s, uint32_t *value)
{
    const char *data = take(s, sizeof *value);
    if (data != NULL) memcpy(value, data, sizeof *value);
    return data != NULL;
}

static bool take_u64(byte_source *s, uint64_t *value)
{
    const char *data = take(s, sizeof *value);
    if (data != NULL) memcpy(value, data, sizeof *value);
    return data != NULL;
}

static bool take_name(byte_source *s, const char *name)
{
    uint32_t length;
    if (!take_u32(s, &length)) return false;
    const char *letters = take(s, length);
    return letters != NULL && length == strlen(name) && memcmp(letters, name, length) == 0;
}

// Whether the next table is that one. Nothing is taken.
static bool comes_next(const byte_source *s, const char *name)
{
    byte_source copy = *s;
    return take_name(&copy, name);
}

static bool take_field_kind(byte_source *s, const field_info *field)
{
    uint32_t type, width, scalar;
    return take_name(s, field->name) && take_u32(s, &type) && take_u32(s, &width) && take_u32(s, &scalar) &&
           type == (uint32_t)field->type && width == (uint32_t)field->width && scalar == (uint32_t)field->scalar;
}

static scr_status take_field(byte_source *s, const table *t, const field_info *field)
{
    uint64_t bytes = 0;
    const char *data = NULL;
    if (take_field_kind(s, field) && take_u64(s, &bytes) && bytes == data_bytes(t, field)) data = take(s, bytes);
    if (data == NULL)
        return scr_fail(s->error, SCR_IO, "%s: %s.%s is damaged or missing, or was written by another version of scree",
                        s->name, t->name, field->name);
    if (bytes > 0) memcpy(table_data(t, field), data, bytes);
    return SCR_OK;
}

static scr_status take_table(byte_source *s, table *t)
{
    uint64_t count;
    uint32_t field_count;
    if (is_left_out(t) && !comes_next(s, t->name)) return SCR_OK;
    // No entry takes less than a byte: a count beyond what is left is damage, not a reason to ask for memory.
    bool is_good = take_name(s, t->name) && take_u64(s, &count) && take_u32(s, &field_count) &&
                   field_count == (uint32_t)t->field_count && count <= (uint64_t)(s->end - s->at);
    if (!is_good)
        return scr_fail(s->error, SCR_IO,
                        "%s: the table %s is damaged or missing, or was written by another version of scree", s->name,
                        t->name);
    scr_status status = table_reserve(t, (int64_t)count, s->error);
    if (status == SCR_OK) t->count = (int64_t)count;
    for (int f = 0; f < t->field_count && status == SCR_OK; ++f) status = take_field(s, t, &t->field[f]);
    return status;
}

static scr_status take_header(byte_source *s, bytes_kind kind, size_t size)
{
    const char *magic = take(s, MAGIC_BYTES);
    uint32_t format, order;
    uint64_t stated, sum;
    if (magic == NULL || memcmp(magic, kind.magic, MAGIC_BYTES) != 0)
        return scr_fail(s->error, SCR_IO, "%s: this is not %s", s->name, kind.what);
    if (!take_u32(s, &format) || !take_u32(s, &order) || !take_u64(s, &stated) || stated > size ||
        size < HEADER_BYTES + CHECKSUM_BYTES)
        return scr_fail(s->error, SCR_IO, "%s: it is cut off", s->name);
    if (order != ORDER_MARK)
        return scr_fail(s->error, SCR_IO, "%s: it was written on a machine with another byte order", s->name);
    if (format != kind.format)
        return scr_fail(s->error, SCR_IO, "%s: it has format %u, and this version of scree reads format %u", s->name,
                        format, kind.format);
    if (stated != size) return scr_fail(s->error, SCR_IO, "%s: there is something behind its end", s->name);
    s->end -= CHECKSUM_BYTES;
    memcpy(&sum, s->end, sizeof sum);
    if (sum != checksum_of(s->end - (size - CHECKSUM_BYTES), size - CHECKSUM_BYTES))
        return scr_fail(s->error, SCR_IO, "%s: it is damaged: its checksum does not fit", s->name);
    return SCR_OK;
}

scr_status tables_from_bytes(bytes_kind kind, const void *data, size_t size, const char *name, bytes_extent extent,
                             table *const *tables, int count, scr_error *error)
{
    byte_source s = {data, (const char *)data + size, name, error};
    scr_status status = take_header(&s, kind, size);
    for (int k = 0; k < count && status == SCR_OK; ++k) status = take_table(&s, tables[k]);
    if (status == SCR_OK && extent == ALL_TABLES && s.at != s.end)
        status = scr_fail(error, SCR_IO, "%s: it holds a table that is not known", name);
    return status;
}
