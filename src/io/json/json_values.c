// SPDX-License-Identifier: BSD-3-Clause
// The typed getters of a cursor: numbers, formulae, words, vectors.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text/nearest_name.h"
#include "io/json/json_cursor.h"
#include "io/json/json_write.h"

const number_range RANGE_ANY = {-INFINITY, INFINITY, false, false};
const number_range RANGE_POSITIVE = {0.0, INFINITY, true, false};
const number_range RANGE_NOT_NEGATIVE = {0.0, INFINITY, false, false};
const number_range RANGE_SHARE = {0.0, 1.0, false, false};
const number_range RANGE_COUNT = {0.0, 0x1p53 - 1.0, false, false};
const number_range RANGE_COORDINATE = {-1e9, 1e9, false, false};
const number_range RANGE_SPEED = {-1e9, 1e9, false, false};
const number_range RANGE_LENGTH = {1e-9, 1e9, false, false};

// A formula that should give a whole number may miss it by rounding: cbrt(8) * 1000. Relative.
static const double WHOLE_TOLERANCE = 1e-9;

// "from 0 to 1", "above 0 and at most 5", "at least 0"
typedef struct range_text {
    char text[96];
} range_text;
static range_text describe(number_range range)
{
    range_text r = {""};
    bool has_min = isfinite(range.min), has_max = isfinite(range.max);
    if (has_min && has_max && !range.above_min && !range.below_max) {
        snprintf(r.text, sizeof r.text, "from %g to %g", range.min, range.max);
        return r;
    }
    int length = 0;
    if (has_min) length = snprintf(r.text, sizeof r.text, "%s %g", range.above_min ? "above" : "at least", range.min);
    if (has_max) {
        snprintf(r.text + length, sizeof r.text - (size_t)length, "%s%s %g", has_min ? " and " : "",
                 range.below_max ? "below" : "at most", range.max);
    }
    return r;
}

static void expect_in_range(json_cursor *at, double value, number_range range)
{
    bool too_low = range.above_min ? !(value > range.min) : !(value >= range.min);
    bool too_high = range.below_max ? !(value < range.max) : !(value <= range.max);
    if (!too_low && !too_high) return;
    cursor_fail(at, "\"%s\" must be %s, not %s", cursor_shown_name(at).text, describe(range).text,
                json_number_text(value).text);
}

// Compile the text at the cursor; NULL after a failure. The value (at t = 0 if it depends on time) is finite.
static expression *compile(json_cursor *at, const char *text, bool allow_time, double *value)
{
    json_document *document = at->document;
    expression *e;
    int error_at;
    scr_error reason;
    scr_status status = expression_compile(text, document->parameters, (int)document->parameter_count, allow_time, &e,
                                           &error_at, &reason);
    if (status == SCR_NO_MEMORY) {
        cursor_fail_memory(at, 0, "a formula");
        return NULL;
    }
    char sentence[sizeof reason.message + 128];
    if (status != SCR_OK) {
        snprintf(sentence, sizeof sentence, "in the formula of \"%s\": %s", cursor_shown_name(at).text, reason.message);
        cursor_fail_in_text(at, error_at, sentence);
        return NULL;
    }
    *value = expression_value(e, 0.0);
    if (!isfinite(*value)) {
        cursor_fail(at, "the formula of \"%s\" gives no finite number%s: %s", cursor_shown_name(at).text,
                    expression_is_constant(e) ? "" : " at t = 0", shown(text).text);
        expression_destroy(e);
        return NULL;
    }
    return e;
}

static void fail_not_a_number(json_cursor *at)
{
    cursor_fail(at, "\"%s\" must be a number or a formula, not %s", cursor_shown_name(at).text,
                json_type_name(at->value));
}

// The number at the cursor; a formula is replaced by its value in the tree. *is_formula (may be NULL) says which it
// was.
static double value_number(json_cursor *at, bool *is_formula)
{
    if (is_formula != NULL) *is_formula = false;
    if (!cursor_is_ok(at)) return 0.0;
    if (json_is_number(at->value)) return json_number_value(at->value);
    if (!json_is_string(at->value)) {
        fail_not_a_number(at);
        return 0.0;
    }
    double value = 0.0;
    expression *e = compile(at, json_string_value(at->value), false, &value);
    if (e == NULL) return 0.0;
    expression_destroy(e);
    cursor_store(at, json_real(value));
    if (is_formula != NULL) *is_formula = true;
    return value;
}

double cursor_value_number(json_cursor *at, number_range range)
{
    double value = value_number(at, NULL);
    if (cursor_is_ok(at)) expect_in_range(at, value, range);
    return value;
}

double cursor_needed_number(json_cursor *at, const char *key, number_range range)
{
    json_cursor member = cursor_member(at, key);
    if (member.value == NULL) {
        cursor_fail_missing(at, key, "a number or a formula");
        return 0.0;
    }
    return cursor_value_number(&member, range);
}

double cursor_number(json_cursor *at, const char *key, double fallback, number_range range)
{
    json_cursor member = cursor_member(at, key);
    if (member.value == NULL) {
        cursor_store(&member, json_real(fallback));
        return fallback;
    }
    return cursor_value_number(&member, range);
}

double cursor_number_or_null(json_cursor *at, const char *key, double absent, number_range range)
{
    json_cursor member = cursor_member(at, key);
    if (member.value == NULL) cursor_store(&member, json_null());
    if (!cursor_is_ok(at) || json_is_null(member.value)) return absent;
    return cursor_value_number(&member, range);
}

int64_t cursor_whole(json_cursor *at, const char *key, int64_t fallback, number_range range)
{
    json_cursor member = cursor_member(at, key);
    if (member.value == NULL) {
        cursor_store(&member, json_integer(fallback));
        return fallback;
    }
    bool is_formula;
    double value = value_number(&member, &is_formula), nearest = floor(value + 0.5);
    double tolerance = is_formula ? WHOLE_TOLERANCE * fmax(1.0, fabs(value)) : 0.0;
    if (cursor_is_ok(at) && !(fabs(value - nearest) <= tolerance)) {
        cursor_fail(&member, "\"%s\" must be a whole number, not %s", key, json_number_text(value).text);
    }
    if (cursor_is_ok(at)) expect_in_range(&member, nearest, range);
    if (!cursor_is_ok(at)) return fallback;
    if (!json_is_integer(member.value)) cursor_store(&member, json_integer((json_int_t)nearest));
    return (int64_t)nearest;
}

int64_t cursor_needed_whole(json_cursor *at, const char *key, number_range range)
{
    if (cursor_is_ok(at) && !cursor_has(at, key)) cursor_fail_missing(at, key, "a whole number");
    return cursor_whole(at, key, 0, range);
}

bool cursor_flag(json_cursor *at, const char *key, bool fallback)
{
    json_cursor member = cursor_member(at, key);
    if (member.value == NULL) cursor_store(&member, json_boolean(fallback));
    if (!cursor_is_ok(at)) return fallback;
    if (!json_is_boolean(member.value)) {
        cursor_fail(&member, "\"%s\" must be true or false, not %s", key, json_type_name(member.value));
    }
    return json_is_true(member.value);
}

const char *cursor_value_text(json_cursor *at)
{
    if (!cursor_is_ok(at)) return "";
    if (json_is_string(at->value)) return json_string_value(at->value);
    cursor_fail(at, "\"%s\" must be text in quotes, not %s", cursor_shown_name(at).text, json_type_name(at->value));
    return "";
}

const char *cursor_text(json_cursor *at, const char *key, const char *fallback)
{
    json_cursor member = cursor_member(at, key);
    if (member.value == NULL && fallback == NULL) cursor_fail_missing(at, key, "text in quotes");
    if (member.value == NULL && fallback != NULL) cursor_store(&member, json_string(fallback));
    return cursor_value_text(&member);
}

// "ags, gs or apgd"
typedef struct word_list {
    char text[256];
} word_list;
static word_list list_words(const char *const *words, int count)
{
    word_list list = {""};
    for (int i = 0; i < count; ++i) {
        size_t length = strlen(list.text);
        const char *separator = i == 0 ? "" : i == count - 1 ? " or " : ", ";
        snprintf(list.text + length, sizeof list.text - length, "%s%s", separator, words[i]);
    }
    return list;
}

int cursor_choice(json_cursor *at, const char *key, const char *const *words, int word_count, int fallback)
{
    json_cursor member = cursor_member(at, key);
    if (member.value == NULL && fallback < 0) cursor_fail_missing(at, key, list_words(words, word_count).text);
    if (member.value == NULL && fallback >= 0) cursor_store(&member, json_string(words[fallback]));
    const char *given = cursor_value_text(&member);
    if (!cursor_is_ok(at)) return fallback < 0 ? 0 : fallback;

    nearest_name nearest = nearest_to(given);
    for (int i = 0; i < word_count; ++i) {
        if (strcmp(words[i], given) == 0) return i;
        nearest_offer(&nearest, words[i]);
    }
    char hint[64] = "";
    if (nearest.best != NULL) snprintf(hint, sizeof hint, "; did you mean \"%s\"?", nearest.best);
    cursor_fail(&member, "\"%s\" must be %s, not \"%s\"%s", key, list_words(words, word_count).text, shown(given).text,
                hint);
    return fallback < 0 ? 0 : fallback;
}

void cursor_expect_list(json_cursor *at, size_t count, const char *what)
{
    if (!cursor_is_ok(at)) return;
    if (!json_is_array(at->value)) {
        cursor_fail(at, "\"%s\" must be a list of %s, not %s", cursor_shown_name(at).text, what,
                    json_type_name(at->value));
    } else if (json_array_size(at->value) != count) {
        cursor_fail(at, "\"%s\" must be a list of %s, not of %zu", cursor_shown_name(at).text, what,
                    json_array_size(at->value));
    }
    at->count = count;
}

// The list of three numbers under a key; a default is written there first.
static json_cursor vector_list(json_cursor *at, const char *key, const scr_vec3 *fallback)
{
    json_cursor member = cursor_member(at, key);
    if (member.value == NULL && fallback == NULL) {
        cursor_fail_missing(at, key, "a list of three numbers");
    } else if (member.value == NULL) {
        cursor_store(&member, json_pack("[f,f,f]", fallback->x, fallback->y, fallback->z));
    }
    cursor_expect_list(&member, 3, "three numbers");
    return member;
}

scr_vec3 cursor_vector(json_cursor *at, const char *key, const scr_vec3 *fallback, number_range range)
{
    json_cursor list = vector_list(at, key, fallback);
    double component[3];
    for (size_t i = 0; i < 3; ++i) {
        json_cursor entry = cursor_entry(&list, i);
        component[i] = cursor_value_number(&entry, range);
    }
    return (scr_vec3){component[0], component[1], component[2]};
}

// A formula of time at the cursor. One that does not depend on time is replaced by its value in the tree.
expression *cursor_value_of_time(json_cursor *at)
{
    if (!cursor_is_ok(at)) return NULL;
    double value = 0.0;
    if (json_is_number(at->value))
        return compile(at, json_number_text(json_number_value(at->value)).text, false, &value);
    if (!json_is_string(at->value)) {
        fail_not_a_number(at);
        return NULL;
    }
    expression *e = compile(at, json_string_value(at->value), true, &value);
    if (e != NULL && expression_is_constant(e)) cursor_store(at, json_real(value));
    return e;
}
