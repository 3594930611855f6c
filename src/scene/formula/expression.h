// SPDX-License-Identifier: BSD-3-Clause
// Expressions: numbers in a scene that are written as formulae of parameters and of time.
//
// A formula is compiled once and evaluated without allocation. It can do arithmetic and nothing else: no loops, no
// assignments, no access to anything outside. Same bits on every machine (core/maths/trig.h).
//   numbers, + - * / ^, parentheses, unary minus, comparisons < <= > >= (1 or 0), constants pi and g (9.81 m/s^2)
//   sin cos tan exp log sqrt cbrt abs floor min(a, b, ...) max(a, b, ...) clamp(x, low, high) if(condition, then, else)
//   step(t, t0): 0 before t0, then 1; ramp(t, t0, t1): 0 before t0, linear, 1 after t1
//
// Why not a library: they call libm, whose sine is not the same on every processor (glibc 2.36 with and without fused
// multiply-add: 720 of a million sines and 658 exponentials differ). libmatheval 1.1.11 (GPL) is as fast (45 to 109 ns
// a value, here 82 to 102), but a mistake is NULL without a word or position, an unknown name is no mistake, and there
// is no min, if or ramp. muParser 2.3.3 (78 to 89 ns) says where a mistake is, calls "1+ +" an internal error, and is
// C++. tinyexpr is not in Debian.
#ifndef SCENE_FORMULA_EXPRESSION_H
#define SCENE_FORMULA_EXPRESSION_H

#include "core/base/status.h"

typedef struct expression expression;

typedef struct expression_name {
    const char *name;
    double value;
} expression_name;

// Limits of a formula, so that evaluation needs no allocation and compilation no deep recursion.
enum { EXPRESSION_LENGTH_MAX = 256, EXPRESSION_DEPTH_MAX = 48 };  // instructions; nested operations

// True if a parameter may have this name: letters, digits and _, not beginning with a digit, and not one of the names
// above.
bool expression_name_is_free(const char *name);

// Compile text. Names in `known` become constants; the name "t" is time if allow_time. On failure error->message says
// what was expected, and *error_at is the offset in text.
scr_status expression_compile(const char *text, const expression_name *known, int known_count, bool allow_time,
                              expression **result, int *error_at, scr_error *error);
double expression_value(const expression *e, double t);
bool expression_is_constant(const expression *e);
void expression_destroy(expression *e);

#endif
