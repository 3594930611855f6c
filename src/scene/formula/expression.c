// SPDX-License-Identifier: BSD-3-Clause
// Expressions: a recursive-descent compiler to a postfix program, and its evaluation on a fixed stack.
//
//   comparison = sum [ ("<" | "<=" | ">" | ">=") sum ]
//   sum        = product { ("+" | "-") product }
//   product    = signed { ("*" | "/") signed }
//   signed     = ("-" | "+") signed | power
//   power      = primary [ "^" signed ]                  so -2^2 is -4, 2^-1 is 0.5 and 2^3^2 is 2^9
//   primary    = number | name | name "(" comparison { "," comparison } ")" | "(" comparison ")"
//
// All arguments of a function are evaluated, also both branches of if(): nothing has side effects, so a value that is
// not taken cannot do harm. The compiler keeps count of the stack, so that evaluation needs no checks.
#include "scene/formula/expression.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/maths/trig.h"
#include "core/text/decimal.h"
#include "core/text/nearest_name.h"
#include "core/text/plain_locale.h"

typedef enum opcode {
    OP_NUMBER,
    OP_TIME,
    OP_NEGATE,
    OP_ADD,
    OP_SUBTRACT,
    OP_MULTIPLY,
    OP_DIVIDE,
    OP_POWER,
    OP_LESS,
    OP_LESS_EQUAL,
    OP_GREATER,
    OP_GREATER_EQUAL,
    OP_SIN,
    OP_COS,
    OP_TAN,
    OP_EXP,
    OP_LOG,
    OP_SQRT,
    OP_CBRT,
    OP_ABS,
    OP_FLOOR,
    OP_MIN,
    OP_MAX,
    OP_CLAMP,
    OP_IF,
    OP_STEP,
    OP_RAMP,
} opcode;

typedef struct instruction {
    opcode code;
    int inputs;     // numbers it takes from the stack; it leaves one
    double number;  // OP_NUMBER
} instruction;

enum { STACK_MAX = 64 };  // numbers

struct expression {
    bool uses_time;
    int length;
    instruction program[];
};

typedef struct function_info {
    const char *name;
    opcode code;
    int argument_count;  // MANY: two or more
    const char *usage;
} function_info;

enum { MANY = -2 };

static const function_info functions[] = {
    {"sin", OP_SIN, 1, "sin(x)"},
    {"cos", OP_COS, 1, "cos(x)"},
    {"tan", OP_TAN, 1, "tan(x)"},
    {"exp", OP_EXP, 1, "exp(x)"},
    {"log", OP_LOG, 1, "log(x)"},
    {"sqrt", OP_SQRT, 1, "sqrt(x)"},
    {"cbrt", OP_CBRT, 1, "cbrt(x)"},
    {"abs", OP_ABS, 1, "abs(x)"},
    {"floor", OP_FLOOR, 1, "floor(x)"},
    {"min", OP_MIN, MANY, "min(a, b, ...)"},
    {"max", OP_MAX, MANY, "max(a, b, ...)"},
    {"clamp", OP_CLAMP, 3, "clamp(x, low, high)"},
    {"if", OP_IF, 3, "if(condition, then, else)"},
    {"step", OP_STEP, 2, "step(t, t0)"},
    {"ramp", OP_RAMP, 3, "ramp(t, t0, t1)"},
};
enum { FUNCTION_COUNT = sizeof functions / sizeof *functions };

static const expression_name constants[] = {{"pi", 3.14159265358979323846}, {"g", 9.81}};
enum { CONSTANT_COUNT = sizeof constants / sizeof *constants };

// Not isalpha() and its kin: they depend on the locale.
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static const function_info *find_function(const char *name, size_t length)
{
    for (int i = 0; i < FUNCTION_COUNT; ++i) {
        if (strlen(functions[i].name) == length && memcmp(functions[i].name, name, length) == 0) return &functions[i];
    }
    return NULL;
}

static const expression_name *find_name(const expression_name *names, int count, const char *name, size_t length)
{
    for (int i = 0; i < count; ++i) {
        if (strlen(names[i].name) == length && memcmp(names[i].name, name, length) == 0) return &names[i];
    }
    return NULL;
}

bool expression_name_is_free(const char *name)
{
    if (!is_letter(name[0]) || strcmp(name, "t") == 0) return false;
    size_t length = 1;
    while (is_letter(name[length]) || is_digit(name[length])) ++length;
    return name[length] == '\0' && find_function(name, length) == NULL &&
           find_name(constants, CONSTANT_COUNT, name, length) == NULL;
}

typedef struct compiler {
    const char *text;
    int at;     // offset of the next character
    int depth;  // of the recursion
    int stack;  // numbers on the stack after the program so far
    const expression_name *known;
    int known_count;
    bool allow_time, uses_time;
    int length;
    instruction program[EXPRESSION_LENGTH_MAX];
    scr_status status;  // of the first failure; nothing is read after it
    int error_at;
    scr_error *error;
} compiler;

// Keep the first failure and where it is.
__attribute__((format(printf, 3, 4))) static void compile_fail(compiler *c, int at, const char *format, ...)
{
    if (c->status != SCR_OK) return;
    char message[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    c->error_at = at;
    c->status = scr_fail(c->error, SCR_BAD_INPUT, "%s", message);
}

static char skip_spaces(compiler *c)
{
    while (is_space(c->text[c->at])) ++c->at;
    return c->text[c->at];
}

// Take the given character if it comes next.
static bool accept(compiler *c, char wanted)
{
    if (c->status != SCR_OK || skip_spaces(c) != wanted) return false;
    ++c->at;
    return true;
}

static void emit(compiler *c, opcode code, double number, int inputs)
{
    if (c->status != SCR_OK) return;
    c->stack += 1 - inputs;
    if (c->length == EXPRESSION_LENGTH_MAX || c->stack > STACK_MAX) {
        compile_fail(c, c->at, "the formula is too long: at most %d numbers and operations, %d of them open",
                     EXPRESSION_LENGTH_MAX, STACK_MAX);
        return;
    }
    c->program[c->length++] = (instruction){code, inputs, number};
}

// What stands at the present place, for messages.
typedef struct found_text {
    char text[24];
} found_text;
static found_text found(const compiler *c)
{
    found_text f;
    unsigned char next = (unsigned char)c->text[c->at];
    if (next == '\0') snprintf(f.text, sizeof f.text, "the end");
    else if (next < 0x20 || next >= 0x7f) snprintf(f.text, sizeof f.text, "a strange character");
    else snprintf(f.text, sizeof f.text, "'%c'", next);
    return f;
}

static void compile_comparison(compiler *c);

static void compile_number(compiler *c)
{
    plain_locale locale;
    c->status = plain_locale_enter(&locale, c->error);
    if (c->status != SCR_OK) return;
    double value;
    const char *first = c->text + c->at, *end = decimal_read(first, &value);
    plain_locale_leave(&locale);
    if (end == NULL) {
        compile_fail(c, c->at, "expected digits around the point");
        return;
    }
    if (!isfinite(value)) compile_fail(c, c->at, "this number is too large");
    c->at += (int)(end - first);
    if (is_letter(*end) || *end == '.')
        compile_fail(c, c->at, "expected an operator after the number; write 2*x, not 2x");
    emit(c, OP_NUMBER, value, 0);
}

static void compile_call(compiler *c, const function_info *function, int name_at)
{
    if (!accept(c, '(')) {
        compile_fail(c, name_at, "\"%s\" is a function: write %s", function->name, function->usage);
        return;
    }
    int count = 0;
    do {
        compile_comparison(c);
        ++count;
        if (function->argument_count == MANY && count > 1) emit(c, function->code, 0.0, 2);
    } while (accept(c, ','));
    if (!accept(c, ')')) compile_fail(c, c->at, "expected ',' or ')', not %s", found(c).text);
    if (function->argument_count == MANY) {
        if (count < 2) compile_fail(c, name_at, "\"%s\" needs two or more values: %s", function->name, function->usage);
        return;
    }
    if (count != function->argument_count) {
        compile_fail(c, name_at, "\"%s\" takes %d value%s, not %d: %s", function->name, function->argument_count,
                     function->argument_count == 1 ? "" : "s", count, function->usage);
        return;
    }
    emit(c, function->code, 0.0, count);
}

static void fail_unknown_name(compiler *c, int name_at, int length)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", length, c->text + name_at);
    nearest_name nearest = nearest_to(name);
    for (int i = 0; i < c->known_count; ++i) nearest_offer(&nearest, c->known[i].name);
    for (int i = 0; i < FUNCTION_COUNT; ++i) nearest_offer(&nearest, functions[i].name);
    for (int i = 0; i < CONSTANT_COUNT; ++i) nearest_offer(&nearest, constants[i].name);
    if (nearest.best != NULL) {
        compile_fail(c, name_at, "unknown name \"%s\"; did you mean \"%s\"?", name, nearest.best);
    } else {
        compile_fail(c, name_at, "unknown name \"%s\": neither a parameter defined before, nor a function or constant",
                     name);
    }
}

static void compile_name(compiler *c)
{
    int name_at = c->at;
    const char *name = c->text + name_at;
    while (is_letter(c->text[c->at]) || is_digit(c->text[c->at])) ++c->at;
    int length = c->at - name_at;

    const function_info *function = find_function(name, (size_t)length);
    if (function != NULL) {
        compile_call(c, function, name_at);
        return;
    }
    const expression_name *value = find_name(c->known, c->known_count, name, (size_t)length);
    if (value == NULL) value = find_name(constants, CONSTANT_COUNT, name, (size_t)length);
    if (value != NULL) {
        emit(c, OP_NUMBER, value->value, 0);
    } else if (length == 1 && name[0] == 't') {
        if (!c->allow_time) {
            compile_fail(c, name_at, "time (t) can be used only in gravity, motions, motors and loads");
        }
        c->uses_time = true;
        emit(c, OP_TIME, 0.0, 0);
    } else {
        fail_unknown_name(c, name_at, length);
    }
    if (accept(c, '(')) compile_fail(c, name_at, "\"%.*s\" is a number, not a function", length, name);
}

static void compile_primary(compiler *c)
{
    char next = skip_spaces(c);
    if (is_digit(next) || next == '.') {
        compile_number(c);
    } else if (is_letter(next)) {
        compile_name(c);
    } else if (accept(c, '(')) {
        compile_comparison(c);
        if (!accept(c, ')')) compile_fail(c, c->at, "expected an operator or ')', not %s", found(c).text);
    } else {
        compile_fail(c, c->at, "expected a number, a name or '(', not %s", found(c).text);
    }
}

// Every way to nest leads through here: parentheses, arguments, signs and powers.
static void compile_signed(compiler *c)
{
    if (c->status != SCR_OK) return;
    if (++c->depth > EXPRESSION_DEPTH_MAX) {
        compile_fail(c, c->at, "the formula is nested too deeply: at most %d levels", EXPRESSION_DEPTH_MAX);
        return;
    }
    if (accept(c, '-')) {
        compile_signed(c);
        emit(c, OP_NEGATE, 0.0, 1);
    } else if (accept(c, '+')) {
        compile_signed(c);
    } else {
        compile_primary(c);
        if (accept(c, '^')) {
            compile_signed(c);
            emit(c, OP_POWER, 0.0, 2);
        }
    }
    --c->depth;
}

static void compile_product(compiler *c)
{
    compile_signed(c);
    while (c->status == SCR_OK) {
        opcode code;
        if (accept(c, '*')) code = OP_MULTIPLY;
        else if (accept(c, '/')) code = OP_DIVIDE;
        else return;
        compile_signed(c);
        emit(c, code, 0.0, 2);
    }
}

static void compile_sum(compiler *c)
{
    compile_product(c);
    while (c->status == SCR_OK) {
        opcode code;
        if (accept(c, '+')) code = OP_ADD;
        else if (accept(c, '-')) code = OP_SUBTRACT;
        else return;
        compile_product(c);
        emit(c, code, 0.0, 2);
    }
}

static void compile_comparison(compiler *c)
{
    compile_sum(c);
    opcode code;
    // "<=" is '<' with '=' right behind it
    if (accept(c, '<')) code = c->text[c->at] == '=' ? OP_LESS_EQUAL : OP_LESS;
    else if (accept(c, '>')) code = c->text[c->at] == '=' ? OP_GREATER_EQUAL : OP_GREATER;
    else return;
    if (c->text[c->at] == '=') ++c->at;
    compile_sum(c);
    emit(c, code, 0.0, 2);
}

scr_status expression_compile(const char *text, const expression_name *known, int known_count, bool allow_time,
                              expression **result, int *error_at, scr_error *error)
{
    *result = NULL;
    *error_at = 0;
    compiler c = {.text = text, .known = known, .known_count = known_count, .allow_time = allow_time, .error = error};
    if (skip_spaces(&c) == '\0') compile_fail(&c, 0, "expected a number or a formula, not an empty text");
    compile_comparison(&c);
    if (c.status == SCR_OK && skip_spaces(&c) != '\0') {
        compile_fail(&c, c.at, "expected an operator, not %s", found(&c).text);
    }
    *error_at = c.error_at;
    if (c.status != SCR_OK) return c.status;
    assert(c.stack == 1);

    size_t bytes = sizeof(expression) + (size_t)c.length * sizeof(instruction);
    expression *e = scr_alloc(bytes);
    if (e == NULL) return scr_fail_memory(error, bytes, "a formula");
    e->uses_time = c.uses_time;
    e->length = c.length;
    memcpy(e->program, c.program, (size_t)c.length * sizeof(instruction));
    *result = e;
    return SCR_OK;
}

static double sine(double x)
{
    double s, c;
    scr_sincos(x, &s, &c);
    return s;
}

static double cosine(double x)
{
    double s, c;
    scr_sincos(x, &s, &c);
    return c;
}

static double tangent(double x)
{
    double s, c;
    scr_sincos(x, &s, &c);
    return s / c;
}

static double ramp(double t, double t0, double t1)
{
    if (t < t0) return 0.0;
    return t < t1 ? (t - t0) / (t1 - t0) : 1.0;
}

// The value of an operation on the numbers from x[0] on.
static double operate(opcode code, const double *x)
{
    switch (code) {
    case OP_NEGATE: return -x[0];
    case OP_ADD: return x[0] + x[1];
    case OP_SUBTRACT: return x[0] - x[1];
    case OP_MULTIPLY: return x[0] * x[1];
    case OP_DIVIDE: return x[0] / x[1];
    case OP_POWER: return scr_pow(x[0], x[1]);
    case OP_LESS: return x[0] < x[1] ? 1.0 : 0.0;
    case OP_LESS_EQUAL: return x[0] <= x[1] ? 1.0 : 0.0;
    case OP_GREATER: return x[0] > x[1] ? 1.0 : 0.0;
    case OP_GREATER_EQUAL: return x[0] >= x[1] ? 1.0 : 0.0;
    case OP_SIN: return sine(x[0]);
    case OP_COS: return cosine(x[0]);
    case OP_TAN: return tangent(x[0]);
    case OP_EXP: return scr_exp(x[0]);
    case OP_LOG: return scr_log(x[0]);
    case OP_SQRT: return sqrt(x[0]);
    case OP_CBRT: return scr_cbrt(x[0]);
    case OP_ABS: return fabs(x[0]);
    case OP_FLOOR: return floor(x[0]);
    case OP_MIN: return x[1] < x[0] ? x[1] : x[0];
    case OP_MAX: return x[1] > x[0] ? x[1] : x[0];
    case OP_CLAMP: return x[0] < x[1] ? x[1] : x[0] > x[2] ? x[2] : x[0];
    case OP_IF: return x[0] != 0.0 ? x[1] : x[2];
    case OP_STEP: return x[0] < x[1] ? 0.0 : 1.0;
    case OP_RAMP: return ramp(x[0], x[1], x[2]);
    case OP_NUMBER:
    case OP_TIME: break;
    }
    return 0.0;
}

double expression_value(const expression *e, double t)
{
    double stack[STACK_MAX];
    int top = 0;  // numbers on the stack
    for (int i = 0; i < e->length; ++i) {
        const instruction *next = &e->program[i];
        top -= next->inputs;
        if (next->code == OP_NUMBER) stack[top] = next->number;
        else if (next->code == OP_TIME) stack[top] = t;
        else stack[top] = operate(next->code, stack + top);
        ++top;
    }
    return stack[0];
}

bool expression_is_constant(const expression *e) { return !e->uses_time; }

void expression_destroy(expression *e) { scr_free(e); }
