// The reader of particle tables: one pass over the text, a line at a time, no copies.
//
// The text ends with a NUL, and no scan passes over one, so none leaves the text.
#include "scene/particle_table.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/decimal.h"
#include "core/plain_locale.h"
#include "core/text_file.h"

enum { X, Y, Z, R, VX, VY, VZ, COLUMN_COUNT };
static const char *const COLUMN_NAME[COLUMN_COUNT] = {"x", "y", "z", "r", "vx", "vy", "vz"};
enum {
    REQUIRED_COUNT = R + 1,
    QUOTE_MAX = 24,  // characters of the user's text that a message shows
};
static const char BYTE_ORDER_MARK[] = "\xEF\xBB\xBF";  // some programs begin UTF-8 text with it

typedef struct reader {
    const char *path;
    const char *at, *end;  // of the text
    const char *line_start;
    int64_t line;               // from 1
    int meaning[COLUMN_COUNT];  // meaning[i] is the column that the i-th field of a row gives
    int field_count;            // fields of a row
    scr_error *error;
} reader;

__attribute__((format(printf, 3, 4))) static scr_status fail_at(const reader *r, const char *place, const char *format,
                                                                ...)
{
    char sentence[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    return scr_fail(r->error, SCR_BAD_INPUT, "%s:%lld:%lld: %s", r->path, (long long)r->line,
                    (long long)(place - r->line_start) + 1, sentence);
}

static void skip_blanks(reader *r)
{
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\r')) ++r->at;
}

static bool is_line_end(const reader *r, const char *place)
{
    return place == r->end || *place == '\n' || *place == '#';
}

// What stands at `at` up to the next comma or the end of the line, as a message shows it.
typedef struct quote {
    char text[QUOTE_MAX + 8];
} quote;
static quote quote_field(const reader *r)
{
    const char *end = r->at;
    while (!is_line_end(r, end) && *end != ',') ++end;
    while (end > r->at && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r')) --end;
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

// Go to the next line that says something; false at the end of the text.
static bool next_line(reader *r)
{
    for (;;) {
        skip_blanks(r);
        if (!is_line_end(r, r->at)) return true;
        const char *line_feed = memchr(r->at, '\n', (size_t)(r->end - r->at));
        if (line_feed == NULL) return false;
        r->at = r->line_start = line_feed + 1;
        ++r->line;
    }
}

// The next field of a row begins where this one ends: at a comma.
static scr_status next_field(reader *r, int field)
{
    if (field == 0) return SCR_OK;
    skip_blanks(r);
    if (is_line_end(r, r->at)) return fail_at(r, r->at, "expected %d columns, found %d", r->field_count, field);
    if (*r->at != ',') return fail_at(r, r->at, "expected a comma, found %s", quote_field(r).text);
    ++r->at;
    skip_blanks(r);
    return SCR_OK;
}

static int column_named(const char *name, size_t length)
{
    for (int c = 0; c < COLUMN_COUNT; ++c) {
        if (strlen(COLUMN_NAME[c]) == length && memcmp(COLUMN_NAME[c], name, length) == 0) return c;
    }
    return COLUMN_COUNT;
}

static scr_status read_header_field(reader *r, bool present[COLUMN_COUNT])
{
    const char *end = r->at;
    while ((*end >= 'a' && *end <= 'z') || (*end >= 'A' && *end <= 'Z') || *end == '_') ++end;
    int column = column_named(r->at, (size_t)(end - r->at));
    if (column == COLUMN_COUNT) {
        return fail_at(r, r->at, "unknown column %s; the columns are x, y, z, r and, for velocities, vx, vy, vz",
                       quote_field(r).text);
    }
    if (present[column]) return fail_at(r, r->at, "column %s is there twice", COLUMN_NAME[column]);
    present[column] = true;
    r->meaning[r->field_count++] = column;
    r->at = end;
    skip_blanks(r);
    return SCR_OK;
}

// Columns may be named in any order; present[] ends up saying which there are.
static scr_status read_header(reader *r, bool present[COLUMN_COUNT])
{
    scr_status status = read_header_field(r, present);
    while (status == SCR_OK && !is_line_end(r, r->at)) {
        status = next_field(r, r->field_count);
        if (status == SCR_OK) status = read_header_field(r, present);
    }
    for (int c = 0; c < REQUIRED_COUNT && status == SCR_OK; ++c) {
        if (!present[c]) status = fail_at(r, r->line_start, "column %s is missing", COLUMN_NAME[c]);
    }
    return status;
}

// A first line that begins with a letter is a header; otherwise the columns are the required ones.
static scr_status find_columns(reader *r, bool *has_velocity)
{
    bool present[COLUMN_COUNT] = {false};
    char first = (char)(*r->at | 0x20);  // lower case
    if (first >= 'a' && first <= 'z') {
        scr_status status = read_header(r, present);
        *has_velocity = present[VX] || present[VY] || present[VZ];
        return status;
    }
    for (int c = 0; c < REQUIRED_COUNT; ++c) r->meaning[c] = c;
    r->field_count = REQUIRED_COUNT;
    *has_velocity = false;
    return SCR_OK;
}

static scr_status read_number(reader *r, const char *name, double *value)
{
    const char *start = r->at, *end = decimal_read(start, value);
    if (end != NULL) {
        r->at = end;
        skip_blanks(r);
    }
    if (end == NULL || !(is_line_end(r, r->at) || *r->at == ',')) {
        r->at = start;
        return fail_at(r, start, "expected a number for %s, found %s", name, quote_field(r).text);
    }
    if (!isfinite(*value)) return fail_at(r, start, "the number for %s is too large", name);
    return SCR_OK;
}

static scr_status read_row(reader *r, double value[COLUMN_COUNT])
{
    for (int f = 0; f < r->field_count; ++f) {
        scr_status status = next_field(r, f);
        const char *start = r->at;
        int column = r->meaning[f];
        if (status == SCR_OK) status = read_number(r, COLUMN_NAME[column], &value[column]);
        if (status != SCR_OK) return status;
        if (column == R && !(value[R] > 0.0)) return fail_at(r, start, "r must be positive, not %g", value[R]);
    }
    if (!is_line_end(r, r->at)) return fail_at(r, r->at, "expected %d columns, found more", r->field_count);
    return SCR_OK;
}

static scr_status append(particle_table *t, const double value[COLUMN_COUNT], bool has_velocity, scr_error *error)
{
    int64_t need = t->count + 1;
    scr_status status = scr_grow(&t->place, &t->place_capacity, need, sizeof *t->place, "grains of a table", error);
    if (status != SCR_OK) return status;
    status = scr_grow(&t->radius, &t->radius_capacity, need, sizeof *t->radius, "grains of a table", error);
    if (status != SCR_OK) return status;
    if (has_velocity) {
        status = scr_grow(&t->velocity, &t->velocity_capacity, need, sizeof *t->velocity, "grains of a table", error);
        if (status != SCR_OK) return status;
        t->velocity[t->count] = (scr_vec3){value[VX], value[VY], value[VZ]};
    }
    t->place[t->count] = (scr_vec3){value[X], value[Y], value[Z]};
    t->radius[t->count] = value[R];
    ++t->count;
    return SCR_OK;
}

static scr_status read_table(const char *text, size_t length, const char *path, particle_table *t, scr_error *error)
{
    reader r = {.path = path, .at = text, .end = text + length, .line_start = text, .line = 1, .error = error};
    size_t mark_length = sizeof BYTE_ORDER_MARK - 1;
    if (length >= mark_length && memcmp(text, BYTE_ORDER_MARK, mark_length) == 0) r.at = r.line_start += mark_length;

    scr_status status = SCR_OK;
    bool has_velocity = false, more = next_line(&r);
    if (more) {
        status = find_columns(&r, &has_velocity);
        if (status == SCR_OK) more = next_line(&r);
    }
    while (more && status == SCR_OK) {
        double value[COLUMN_COUNT] = {0.0};
        status = read_row(&r, value);
        if (status == SCR_OK) status = append(t, value, has_velocity, error);
        more = next_line(&r);
    }
    if (status == SCR_OK && t->count == 0)
        status = scr_fail(error, SCR_BAD_INPUT, "%s: there are no grains in it", path);
    return status;
}

scr_status particle_table_read_text(const char *text, size_t length, const char *path, particle_table *t,
                                    scr_error *error)
{
    plain_locale locale;
    scr_status status = plain_locale_enter(&locale, error);
    if (status != SCR_OK) return status;
    status = read_table(text, length, path, t, error);
    plain_locale_leave(&locale);
    return status;
}

scr_status particle_table_read_file(const char *path, particle_table *t, scr_error *error)
{
    char *text = NULL;
    size_t length = 0;
    scr_status status = text_file_read(path, &text, &length, error);
    if (status == SCR_OK) status = particle_table_read_text(text, length, path, t, error);
    scr_free(text);
    return status;
}

void particle_table_free(particle_table *t)
{
    scr_free(t->place);
    scr_free(t->radius);
    scr_free(t->velocity);
    *t = (particle_table){0};
}
