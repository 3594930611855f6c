// SPDX-License-Identifier: BSD-3-Clause
// Walking valid JSON text: values are skipped without recursion by counting brackets outside of strings.
#include "io/json/json_locate.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/printable.h"

json_source json_source_of(const char *text, size_t length)
{
    return (json_source){.text = text, .length = length, .location = {1, 1}};
}

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static char char_at(const json_source *source, size_t at) { return at < source->length ? source->text[at] : '\0'; }

static size_t skip_spaces(const json_source *source, size_t at)
{
    while (is_space(char_at(source, at))) ++at;
    return at;
}

// Past the closing quote of the string that begins at `at`.
static size_t skip_string(const json_source *source, size_t at)
{
    for (++at; at < source->length && source->text[at] != '"'; ++at) {
        if (source->text[at] == '\\') ++at;
    }
    return at + 1;
}

// Past the value that begins at `at`.
static size_t skip_value(const json_source *source, size_t at)
{
    int64_t depth = 0;
    while (at < source->length) {
        char c = source->text[at];
        if (c == '"') {
            at = skip_string(source, at);
        } else if (c == '[' || c == '{') {
            ++depth;
            ++at;
        } else if (c == ']' || c == '}') {
            if (depth == 0) return at;  // the end of what holds the value
            --depth;
            ++at;
        } else if (depth == 0) {
            // a number or a word
            while (at < source->length && strchr(",]} \t\r\n", source->text[at]) == NULL) ++at;
        } else {
            ++at;
        }
        if (depth == 0) return at;
    }
    return at;
}

static int hex_value(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return 0;
}

static unsigned hex4(const json_source *source, size_t at)
{
    unsigned value = 0;
    for (size_t i = 0; i < 4; ++i) value = value * 16 + (unsigned)hex_value(char_at(source, at + i));
    return value;
}

// One character of a string as bytes of UTF-8.
typedef struct string_char {
    char bytes[4];
    int byte_count;
    size_t next;  // place of the next character
} string_char;

static string_char utf8_char(unsigned code, size_t next)
{
    string_char c = {.next = next};
    if (code < 0x80) {
        c.bytes[c.byte_count++] = (char)code;
        return c;
    }
    if (code < 0x800) {
        c.bytes[c.byte_count++] = (char)(0xc0 | code >> 6);
    } else {
        if (code < 0x10000) {
            c.bytes[c.byte_count++] = (char)(0xe0 | code >> 12);
        } else {
            c.bytes[c.byte_count++] = (char)(0xf0 | code >> 18);
            c.bytes[c.byte_count++] = (char)(0x80 | (code >> 12 & 0x3f));
        }
        c.bytes[c.byte_count++] = (char)(0x80 | (code >> 6 & 0x3f));
    }
    c.bytes[c.byte_count++] = (char)(0x80 | (code & 0x3f));
    return c;
}

// Decode what is at `at`, inside a string and not its closing quote. Characters written without escapes come byte by
// byte.
static string_char decode(const json_source *source, size_t at)
{
    if (source->text[at] != '\\') return (string_char){{source->text[at]}, 1, at + 1};
    char c = char_at(source, at + 1);
    if (c == 'u') {
        unsigned code = hex4(source, at + 2);
        if (code < 0xd800 || code > 0xdbff) return utf8_char(code, at + 6);
        unsigned low = hex4(source, at + 8);  // the second half of a surrogate pair: \ud83e\udea8
        return utf8_char(0x10000 + ((code & 0x3ff) << 10) + (low & 0x3ff), at + 12);
    }
    static const char written[] = "bfnrt", meant[] = "\b\f\n\r\t";
    const char *found = c != '\0' ? strchr(written, c) : NULL;
    return (string_char){{found != NULL ? meant[found - written] : c}, 1, at + 2};
}

// Does the string at `at` say `expected`?
static bool string_equals(const json_source *source, size_t at, const char *expected)
{
    size_t length = strlen(expected), matched = 0;
    for (++at; at < source->length && source->text[at] != '"';) {
        string_char c = decode(source, at);
        if ((size_t)c.byte_count > length - matched || memcmp(expected + matched, c.bytes, (size_t)c.byte_count) != 0) {
            return false;
        }
        matched += (size_t)c.byte_count;
        at = c.next;
    }
    return matched == length;
}

size_t json_locate_root(const json_source *source) { return skip_spaces(source, 0); }

size_t json_locate_member(const json_source *source, size_t object, const char *key, size_t *key_at)
{
    if (object == NOT_IN_TEXT || char_at(source, object) != '{') return NOT_IN_TEXT;
    size_t at = skip_spaces(source, object + 1);
    while (char_at(source, at) == '"') {
        size_t value = skip_spaces(source, skip_spaces(source, skip_string(source, at)) + 1);  // past the colon
        if (string_equals(source, at, key)) {
            if (key_at != NULL) *key_at = at;
            return value;
        }
        at = skip_spaces(source, skip_value(source, value));
        if (char_at(source, at) == ',') at = skip_spaces(source, at + 1);
    }
    return NOT_IN_TEXT;
}

size_t json_locate_first_entry(const json_source *source, size_t list)
{
    if (list == NOT_IN_TEXT || char_at(source, list) != '[') return NOT_IN_TEXT;
    size_t at = skip_spaces(source, list + 1);
    return char_at(source, at) == ']' ? NOT_IN_TEXT : at;
}

size_t json_locate_next_entry(const json_source *source, size_t entry)
{
    if (entry == NOT_IN_TEXT) return NOT_IN_TEXT;
    size_t at = skip_spaces(source, skip_value(source, entry));
    return char_at(source, at) == ',' ? skip_spaces(source, at + 1) : NOT_IN_TEXT;
}

size_t json_locate_in_string(const json_source *source, size_t string, size_t offset)
{
    if (string == NOT_IN_TEXT || char_at(source, string) != '"') return string;
    size_t at = string + 1, decoded = 0;
    while (at < source->length && source->text[at] != '"') {
        string_char c = decode(source, at);
        decoded += (size_t)c.byte_count;
        if (decoded > offset) break;
        at = c.next;
    }
    return at;
}

scene_location json_line_and_column(json_source *source, size_t at)
{
    if (at > source->length) at = source->length;
    if (at < source->counted_to) *source = json_source_of(source->text, source->length);
    for (; source->counted_to < at; ++source->counted_to) {
        unsigned char c = (unsigned char)source->text[source->counted_to];
        bool continues = (c & 0xc0) == 0x80;  // the second byte of a character or a later one
        if (c == '\n') {
            ++source->location.line;
            source->location.column = 1;
        } else if (!continues) {
            ++source->location.column;
        }
    }
    return source->location;
}

// What the escape at `at` stands for: \\n and the like, or four digits.
static unsigned escaped_code(const char *at)
{
    static const char letters[] = "bfnrt", codes[] = "\b\f\n\r\t";
    char digits[5] = {0};
    const char *letter = strchr(letters, at[1]);
    if (letter != NULL) return (unsigned)codes[letter - letters];
    if (at[1] != 'u') return ' ';  // a quote, a slash
    memcpy(digits, at + 2, 4);
    return (unsigned)strtoul(digits, NULL, 16);
}

size_t json_locate_control(const json_source *source)
{
    bool is_inside = false;
    for (size_t i = 0; i < source->length; ++i) {
        const char *at = source->text + i;
        if (*at == '"') is_inside = !is_inside;
        if (!is_inside) continue;
        if (*at == '\\' ? is_control_code(escaped_code(at)) : control_length(at) > 0) return i;
        if (*at == '\\') ++i;  // whatever it is, not the end of the string
    }
    return NOT_IN_TEXT;
}
