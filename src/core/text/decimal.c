// SPDX-License-Identifier: BSD-3-Clause
// Decimal numbers in text.
//
// Nearly all numbers in files have few digits. If the digits make an integer m <= 2^53 and the power of ten is within
// +-22, then m and 10^|p| are doubles without error and one multiplication or division rounds once: the result is the
// nearest double. All other numbers go to the C library, which also rounds correctly.
#include "core/text/decimal.h"

#include <stdint.h>
#include <stdlib.h>

enum {
    EXACT_POWER = 22,       // the largest power of ten that is a double
    DIGITS_IN_WORD = 18,    // digits that fit in 64 bits for certain
    EXPONENT_CAP = 100000,  // beyond it every number is 0 or infinite
};
static const uint64_t EXACT_INTEGER = (uint64_t)1 << 53;
static const double POWER_OF_TEN[EXACT_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                     1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                     1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

// What the text of a number says: (-1)^negative digits * 10^power, if `complete`: all digits fitted.
typedef struct decimal {
    bool negative, complete;
    uint64_t digits;
    int digit_count;  // without leading zeros
    int64_t power;
} decimal;

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Append a run of digits. Returns its end.
static const char *read_digits(const char *text, decimal *d)
{
    for (; is_digit(*text); ++text) {
        if (d->digit_count == DIGITS_IN_WORD) {
            d->complete = false;
            continue;
        }
        d->digits = 10 * d->digits + (uint64_t)(*text - '0');
        if (d->digits > 0) ++d->digit_count;
    }
    return text;
}

// Text begins with an e. Returns the end of the exponent, or text if that e begins something else.
static const char *read_exponent(const char *text, decimal *d)
{
    const char *digits = text + 1 + (text[1] == '+' || text[1] == '-');
    if (!is_digit(*digits)) return text;
    int64_t value = 0;
    for (; is_digit(*digits); ++digits) {
        if (value < EXPONENT_CAP) value = 10 * value + (*digits - '0');
    }
    d->power += text[1] == '-' ? -value : value;
    return digits;
}

// The end of the number at text, or NULL if there is none.
static const char *read_digits_and_exponent(const char *text, decimal *d)
{
    *d = (decimal){.complete = true, .negative = *text == '-'};
    const char *whole = text + (*text == '-' || *text == '+');
    const char *end = read_digits(whole, d);
    bool has_digits = end > whole;
    if (*end == '.') {
        const char *fraction = end + 1;
        end = read_digits(fraction, d);
        d->power -= end - fraction;
        has_digits = has_digits || end > fraction;
    }
    if (!has_digits) return NULL;
    return *end == 'e' || *end == 'E' ? read_exponent(end, d) : end;
}

const char *decimal_read(const char *text, double *value)
{
    decimal d;
    const char *end = read_digits_and_exponent(text, &d);
    if (end == NULL) return NULL;
    bool exact_power = d.power >= -EXACT_POWER && d.power <= EXACT_POWER;
    if (d.complete && d.digits <= EXACT_INTEGER && (exact_power || d.digits == 0)) {
        double digits = (double)d.digits;
        if (d.digits == 0) *value = 0.0;
        else *value = d.power < 0 ? digits / POWER_OF_TEN[-d.power] : digits * POWER_OF_TEN[d.power];
        if (d.negative) *value = -*value;
    } else {
        *value = strtod(text, NULL);
    }
    return end;
}
