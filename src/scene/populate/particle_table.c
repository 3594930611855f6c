// SPDX-License-Identifier: BSD-3-Clause
// The reader of particle tables: one pass over the text, a line at a time, no copies.
#include "scene/populate/particle_table.h"

#include <math.h>
#include <string.h>

#include "core/text/decimal.h"
#include "scene/formula/row_reader.h"

enum { X, Y, Z, R, VX, VY, VZ, COLUMN_COUNT };
static const char *const COLUMN_NAME[COLUMN_COUNT] = {"x", "y", "z", "r", "vx", "vy", "vz"};
enum {
    REQUIRED_COUNT = R + 1,
    QUOTE_MAX = 24,  // characters of the user's text that a message shows
};

typedef struct column_list {
    int count;                  // fields of a row
    int meaning[COLUMN_COUNT];  // meaning[i] is the column that the i-th field of a row gives
    bool has[COLUMN_COUNT];
} column_list;

// What stands at `at` up to the next comma or the end of the line, as a message shows it.
typedef struct quote {
    char text[QUOTE_MAX + 8];
} quote;
static quote quote_field(const row_reader *r)
{
    const char *end = r->at;
    while (!is_row_end(r, end) && *end != ',') ++end;
    while (end > r->at && is_blank(end[-1])) --end;
    if (end == r->at) return (quote){"nothing"};
    int length = end - r->at < QUOTE_MAX ? (int)(end - r->at) : QUOTE_MAX;
    quote q = {"'"};
    for (int i = 0; i < length; ++i) {
        bool printable = r->at[i] >= ' ' && r->at[i] <= '~';
        q.text[i + 1] = (char)(printable ? r->at[i] : '?');
    }
    strcpy(q.text + length + 1, end - r->at > QUOTE_MAX ? "...'" : "'");
    return q;
}

// The next field of a row begins where this one ends: at a comma.
static scr_status next_field(row_reader *r, const column_list *columns, int field)
{
    if (field == 0) return SCR_OK;
    pass_blanks(r);
    if (is_row_end(r, r->at)) return fail_at(r, r->at, "expected %d columns, found %d", columns->count, field);
    if (*r->at != ',') return fail_at(r, r->at, "expected a comma, found %s", quote_field(r).text);
    ++r->at;
    pass_blanks(r);
    return SCR_OK;
}

static int column_named(const char *name, size_t length)
{
    for (int c = 0; c < COLUMN_COUNT; ++c) {
        if (strlen(COLUMN_NAME[c]) == length && memcmp(COLUMN_NAME[c], name, length) == 0) return c;
    }
    return COLUMN_COUNT;
}

static scr_status read_header_field(row_reader *r, column_list *columns)
{
    const char *end = r->at;
    while ((*end >= 'a' && *end <= 'z') || (*end >= 'A' && *end <= 'Z') || *end == '_') ++end;
    int column = column_named(r->at, (size_t)(end - r->at));
    if (column == COLUMN_COUNT) {
        return fail_at(r, r->at, "unknown column %s; the columns are x, y, z, r and, for velocities, vx, vy, vz",
                       quote_field(r).text);
    }
    if (columns->has[column]) return fail_at(r, r->at, "column %s is there twice", COLUMN_NAME[column]);
    columns->has[column] = true;
    columns->meaning[columns->count++] = column;
    r->at = end;
    pass_blanks(r);
    return SCR_OK;
}

// Columns may be named in any order.
static scr_status read_header(row_reader *r, column_list *columns)
{
    scr_status status = read_header_field(r, columns);
    while (status == SCR_OK && !is_row_end(r, r->at)) {
        status = next_field(r, columns, columns->count);
        if (status == SCR_OK) status = read_header_field(r, columns);
    }
    for (int c = 0; c < REQUIRED_COUNT && status == SCR_OK; ++c) {
        if (!columns->has[c]) status = fail_at(r, r->line_start, "column %s is missing", COLUMN_NAME[c]);
    }
    return status;
}

// A first line that begins with a letter is a header; otherwise the columns are the required ones.
static const double FASTEST = 1e9;  // m/s, as for all velocities of a scene

static scr_status find_columns(row_reader *r, column_list *columns)
{
    char first = (char)(*r->at | 0x20);  // lower case
    if (first >= 'a' && first <= 'z') return read_header(r, columns);
    for (int c = 0; c < REQUIRED_COUNT; ++c) columns->meaning[c] = c, columns->has[c] = true;
    columns->count = REQUIRED_COUNT;
    return SCR_OK;
}

static scr_status read_number(row_reader *r, const char *name, double *value)
{
    const char *start = r->at, *end = decimal_read(start, value);
    if (end != NULL) {
        r->at = end;
        pass_blanks(r);
    }
    if (end == NULL || !(is_row_end(r, r->at) || *r->at == ',')) {
        r->at = start;
        return fail_at(r, start, "expected a number for %s, found %s", name, quote_field(r).text);
    }
    if (!isfinite(*value)) return fail_at(r, start, "the number for %s is too large", name);
    return SCR_OK;
}

static scr_status read_row(row_reader *r, const column_list *columns, double value[COLUMN_COUNT])
{
    for (int f = 0; f < columns->count; ++f) {
        scr_status status = next_field(r, columns, f);
        const char *start = r->at;
        int column = columns->meaning[f];
        if (status == SCR_OK) status = read_number(r, COLUMN_NAME[column], &value[column]);
        if (status != SCR_OK) return status;
        if (column == R && !(value[R] > 0.0)) return fail_at(r, start, "r must be positive, not %g", value[R]);
        if ((column == VX || column == VY || column == VZ) && !(fabs(value[column]) <= FASTEST))
            return fail_at(r, start, "%s must be from -%g to %g m/s, not %g", COLUMN_NAME[column], FASTEST, FASTEST,
                           value[column]);
    }
    if (!is_row_end(r, r->at)) return fail_at(r, r->at, "expected %d columns, found more", columns->count);
    return SCR_OK;
}

static scr_status append(particle_table *t, const double value[COLUMN_COUNT], bool has_velocity, scr_error *error)
{
    int64_t need = t->count + 1;
    scr_status status =
        scr_grow(&t->position, &t->position_capacity, need, sizeof *t->position, "grains of a table", error);
    if (status != SCR_OK) return status;
    status = scr_grow(&t->radius, &t->radius_capacity, need, sizeof *t->radius, "grains of a table", error);
    if (status != SCR_OK) return status;
    if (has_velocity) {
        status = scr_grow(&t->velocity, &t->velocity_capacity, need, sizeof *t->velocity, "grains of a table", error);
        if (status != SCR_OK) return status;
        t->velocity[t->count] = (scr_vec3){value[VX], value[VY], value[VZ]};
    }
    t->position[t->count] = (scr_vec3){value[X], value[Y], value[Z]};
    t->radius[t->count] = value[R];
    ++t->count;
    return SCR_OK;
}

static scr_status read_rows(row_reader *r, void *table)
{
    particle_table *t = table;
    column_list columns = {0};
    scr_status status = SCR_OK;
    bool more = next_row(r);
    if (more) {
        status = find_columns(r, &columns);
        if (status == SCR_OK) more = next_row(r);
    }
    bool has_velocity = columns.has[VX] || columns.has[VY] || columns.has[VZ];
    while (more && status == SCR_OK) {
        double value[COLUMN_COUNT] = {0.0};
        status = read_row(r, &columns, value);
        if (status == SCR_OK) status = append(t, value, has_velocity, r->error);
        more = next_row(r);
    }
    if (status == SCR_OK && t->count == 0)
        status = scr_fail(r->error, SCR_BAD_INPUT, "%s: there are no grains in it", r->path);
    return status;
}

scr_status particle_table_read_text(const char *text, size_t length, const char *path, particle_table *t,
                                    scr_error *error)
{
    return read_rows_of_text(text, length, path, read_rows, t, error);
}

scr_status particle_table_read_file(const char *path, particle_table *t, scr_error *error)
{
    return read_rows_of_file(path, read_rows, t, error);
}

void particle_table_free(particle_table *t)
{
    scr_free(t->position);
    scr_free(t->radius);
    scr_free(t->velocity);
    *t = (particle_table){0};
}
