// SPDX-License-Identifier: BSD-3-Clause
// Writing a JSON tree through a memory stream.
#include "io/json/json_write.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text/memory_stream.h"
#include "core/text/plain_locale.h"
#include "io/json/json_memory.h"

static const double WHOLE_MAX = 1e15;  // whole numbers below it are written with all their digits

number_text json_number_text(double value)
{
    number_text n;
    bool minus_zero = value == 0.0 && signbit(value);
    if (fabs(value) < WHOLE_MAX && floor(value) == value && !minus_zero) {
        snprintf(n.text, sizeof n.text, "%.0f", value);
        return n;
    }
    for (int digits = 15; digits <= 17; ++digits) {
        snprintf(n.text, sizeof n.text, "%.*g", digits, value);
        if (strtod(n.text, NULL) == value) break;
    }
    // Without a point or an exponent it would read back as an integer, for which there is no -0.
    if (strpbrk(n.text, ".e") == NULL) strcat(n.text, ".0");
    return n;
}

static void write_string(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text != '\0'; ++text) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\') fprintf(out, "\\%c", c);
        else if (c == '\n') fputs("\\n", out);
        else if (c == '\t') fputs("\\t", out);
        else if (c < 0x20) fprintf(out, "\\u%04x", c);
        else fputc(c, out);
    }
    fputc('"', out);
}

static void new_line(FILE *out, int indent) { fprintf(out, "\n%*s", 2 * indent, ""); }

static bool is_plain(const json_t *value) { return !json_is_object(value) && !json_is_array(value); }

static bool all_plain(const json_t *list)
{
    for (size_t i = 0; i < json_array_size(list); ++i) {
        if (!is_plain(json_array_get(list, i))) return false;
    }
    return true;
}

static void write_value(FILE *out, const json_t *value, int indent);

static void write_list(FILE *out, const json_t *list, int indent)
{
    bool one_line = all_plain(list);
    fputc('[', out);
    for (size_t i = 0; i < json_array_size(list); ++i) {
        if (i > 0) fputs(one_line ? ", " : ",", out);
        if (!one_line) new_line(out, indent + 1);
        write_value(out, json_array_get(list, i), indent + 1);
    }
    if (!one_line) new_line(out, indent);
    fputc(']', out);
}

static void write_object(FILE *out, const json_t *object, int indent)
{
    fputc('{', out);
    const char *key, *separator = "";
    json_t *member;
    json_object_foreach((json_t *)object, key, member)
    {
        fputs(separator, out);
        separator = ",";
        new_line(out, indent + 1);
        write_string(out, key);
        fputs(": ", out);
        write_value(out, member, indent + 1);
    }
    if (json_object_size(object) > 0) new_line(out, indent);
    fputc('}', out);
}

// The depth is bounded by Jansson's own limit for texts (JSON_PARSER_MAX_DEPTH).
static void write_value(FILE *out, const json_t *value, int indent)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT: write_object(out, value, indent); break;
    case JSON_ARRAY: write_list(out, value, indent); break;
    case JSON_STRING: write_string(out, json_string_value(value)); break;
    case JSON_INTEGER: fprintf(out, "%" JSON_INTEGER_FORMAT, json_integer_value(value)); break;
    case JSON_REAL: fputs(json_number_text(json_real_value(value)).text, out); break;
    case JSON_TRUE: fputs("true", out); break;
    case JSON_FALSE: fputs("false", out); break;
    case JSON_NULL: fputs("null", out); break;
    }
}

scr_status json_write_text(const json_t *value, char **text, scr_error *error)
{
    *text = NULL;
    size_t length = 0;
    if (json_memory_ran_out()) return scr_fail_memory(error, length, "a JSON tree");  // it has gaps
    plain_locale locale;
    scr_status status = plain_locale_enter(&locale, error);
    if (status != SCR_OK) return status;
    FILE *out = memory_stream_open(text, &length);
    bool complete = out != NULL;
    if (out != NULL) {
        write_value(out, value, 0);
        fputc('\n', out);
        complete = !ferror(out);
        if (fclose(out) != 0) complete = false;
    }
    plain_locale_leave(&locale);
    if (complete) return SCR_OK;
    free(*text);
    *text = NULL;
    return scr_fail_memory(error, length, "JSON text");
}
