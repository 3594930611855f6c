// SPDX-License-Identifier: BSD-3-Clause
// What every test includes: cmocka with its prerequisites, and checks for numbers that print what they saw.
#ifndef TESTS_CHECK_H
#define TESTS_CHECK_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>  // after the headers above, which it needs

// What takes long is done whole by `make long`; other runs of the tests do a part of it.
static inline bool is_long(void) { return getenv("SCREE_LONG") != NULL; }
static inline void only_if_long(void)
{
    if (!is_long()) skip();
}

// |a - b| <= relative |b|; where b is 0 the distance itself counts.
#define assert_near(a, b, relative) check_near((a), (b), (relative), #a, __FILE__, __LINE__)
// |a - b| <= distance
#define assert_within(a, b, distance) check_within((a), (b), (distance), #a, __FILE__, __LINE__)

static inline void check_within(double a, double b, double distance, const char *what, const char *file, int line)
{
    if (fabs(a - b) <= distance) return;  // false for a NaN
    print_error("%s is %.17g, not within %.3g of %.17g\n", what, a, distance, b);
    _fail(file, line);
}

static inline void check_near(double a, double b, double relative, const char *what, const char *file, int line)
{
    check_within(a, b, b != 0.0 ? relative * fabs(b) : relative, what, file, line);
}

#endif
