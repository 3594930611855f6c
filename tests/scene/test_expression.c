// SPDX-License-Identifier: BSD-3-Clause
// Formulae give the numbers they say, and wrong ones point at the mistake.
#include "check.h"
#include "scene/formula/expression.h"

#include <stdio.h>
#include <string.h>

#include "core/base/memory.h"

static const expression_name known[] = {{"grains", 16000.0}, {"width", 0.2}, {"t0", 1.0}};
enum { KNOWN_COUNT = sizeof known / sizeof *known };

static double value_of(const char *text, double t)
{
    expression *e;
    int error_at;
    scr_error error = {.message = ""};
    scr_status status = expression_compile(text, known, KNOWN_COUNT, true, &e, &error_at, &error);
    if (status != SCR_OK) print_error("%s: %s\n", text, error.message);
    assert_int_equal(status, SCR_OK);
    double value = expression_value(e, t);
    expression_destroy(e);
    return value;
}

static void arithmetic_follows_the_usual_rules(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value;
    } cases[] = {
        {"1", 1.0},
        {" 1.5e3 ", 1500.0},
        {".5", 0.5},
        {"5.", 5.0},
        {"1e-3", 1e-3},
        {"1 + 2 * 3", 7.0},
        {"(1 + 2) * 3", 9.0},
        {"8 - 4 - 2", 2.0},
        {"8 / 4 / 2", 1.0},
        {"2 ^ 3 ^ 2", 512.0},
        {"-2 ^ 2", -4.0},
        {"(-2) ^ 2", 4.0},
        {"2 ^ -1", 0.5},
        {"-2 * -3", 6.0},
        {"--2", 2.0},
        {"+2", 2.0},
        {"3 - -2", 5.0},
        {"1 < 2", 1.0},
        {"2 < 1", 0.0},
        {"2 <= 2", 1.0},
        {"2 > 2", 0.0},
        {"3 >= 2 + 1", 1.0},
        {"(1 < 2) + (3 > 2)", 2.0},
        {"pi", 3.14159265358979323846},
        {"g", 9.81},
        {"grains / 16000", 1.0},
        {"width", 0.2},
        {"t0", 1.0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        assert_near(value_of(cases[i].text, 0.0), cases[i].value, 0.0);
}

static void functions_agree_with_the_c_library(void **state)
{
    (void)state;
    for (double t = 0.1; t < 5.0; t += 0.37) {
        assert_near(value_of("sin(t)", t), sin(t), 1e-15);
        assert_near(value_of("cos(t)", t), cos(t), 1e-15);
        assert_near(value_of("tan(t)", t), tan(t), 1e-14);
        assert_near(value_of("exp(t)", t), exp(t), 1e-15);
        assert_near(value_of("log(t)", t), log(t), 1e-15);
        assert_near(value_of("sqrt(t)", t), sqrt(t), 0.0);
        assert_near(value_of("cbrt(t)", t), cbrt(t), 1e-15);
        assert_near(value_of("t ^ 1.7", t), pow(t, 1.7), 1e-15);
        assert_near(value_of("abs(-t)", t), t, 0.0);
        assert_near(value_of("floor(t)", t), floor(t), 0.0);
        assert_near(value_of("floor(-t)", t), floor(-t), 0.0);
    }
}

static void choices_are_made(void **state)
{
    (void)state;
    assert_near(value_of("min(3, 1, 2)", 0.0), 1.0, 0.0);
    assert_near(value_of("max(3, 1, 2)", 0.0), 3.0, 0.0);
    assert_near(value_of("clamp(t, 1, 2)", 0.5), 1.0, 0.0);
    assert_near(value_of("clamp(t, 1, 2)", 1.5), 1.5, 0.0);
    assert_near(value_of("clamp(t, 1, 2)", 2.5), 2.0, 0.0);
    assert_near(value_of("if(t < 1, 10, 20)", 0.5), 10.0, 0.0);
    assert_near(value_of("if(t < 1, 10, 20)", 1.0), 20.0, 0.0);
    assert_near(value_of("if(t > 0, 1/t, 7)", 0.0), 7.0, 0.0);  // the branch not taken may be infinite
    assert_near(value_of("step(t, t0)", 0.999), 0.0, 0.0);
    assert_near(value_of("step(t, t0)", 1.0), 1.0, 0.0);
    assert_near(value_of("ramp(t, 1, 3)", 0.5), 0.0, 0.0);
    assert_near(value_of("ramp(t, 1, 3)", 1.5), 0.25, 0.0);
    assert_near(value_of("ramp(t, 1, 3)", 3.5), 1.0, 0.0);
    assert_near(value_of("ramp(t, 1, 1)", 1.0), 1.0, 0.0);  // no length: a step
}

static void only_time_makes_a_formula_change(void **state)
{
    (void)state;
    expression *e;
    int error_at;
    assert_int_equal(expression_compile("2*width", known, KNOWN_COUNT, true, &e, &error_at, NULL), SCR_OK);
    assert_true(expression_is_constant(e));
    expression_destroy(e);
    assert_int_equal(expression_compile("2*t", known, KNOWN_COUNT, true, &e, &error_at, NULL), SCR_OK);
    assert_false(expression_is_constant(e));
    expression_destroy(e);
}

static void mistakes_are_pointed_at(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int at;
        const char *message;
    } cases[] = {
        {"", 0, "expected a number or a formula, not an empty text"},
        {"  ", 0, "expected a number or a formula, not an empty text"},
        {"1 +", 3, "expected a number, a name or '(', not the end"},
        {"1 2", 2, "expected an operator, not '2'"},
        {"2x", 1, "expected an operator after the number; write 2*x, not 2x"},
        {"1.2.3", 3, "expected an operator after the number; write 2*x, not 2x"},
        {"1e", 1, "expected an operator after the number; write 2*x, not 2x"},
        {"0x10", 1, "expected an operator after the number; write 2*x, not 2x"},
        {".", 0, "expected digits around the point"},
        {"1e999", 0, "this number is too large"},
        {"2 ** 3", 3, "expected a number, a name or '(', not '*'"},
        {"(1 + 2", 6, "expected an operator or ')', not the end"},
        {"1 + 2)", 5, "expected an operator, not ')'"},
        {"1 < 2 < 3", 6, "expected an operator, not '<'"},
        {"1 = 2", 2, "expected an operator, not '='"},
        {"3 \xc2\xb7 2", 2, "expected an operator, not a strange character"},
        {"2 * widht", 4, "unknown name \"widht\"; did you mean \"width\"?"},
        {"sine(2)", 0, "unknown name \"sine\"; did you mean \"sin\"?"},
        {"xyzzy", 0, "unknown name \"xyzzy\": neither a parameter defined before, nor a function or constant"},
        {"inf", 0, "unknown name \"inf\"; did you mean \"if\"?"},
        {"1 + sin", 4, "\"sin\" is a function: write sin(x)"},
        {"sin()", 4, "expected a number, a name or '(', not ')'"},
        {"sin(1, 2)", 0, "\"sin\" takes 1 value, not 2: sin(x)"},
        {"2 * clamp(1)", 4, "\"clamp\" takes 3 values, not 1: clamp(x, low, high)"},
        {"min(1)", 0, "\"min\" needs two or more values: min(a, b, ...)"},
        {"min(1, 2", 8, "expected ',' or ')', not the end"},
        {"width(3)", 0, "\"width\" is a number, not a function"},
        {"1 + t", 4, "time (t) can be used only in gravity, motions, motors and loads"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        expression *e;
        int error_at;
        scr_error error = {.message = ""};
        assert_int_equal(expression_compile(cases[i].text, known, KNOWN_COUNT, false, &e, &error_at, &error),
                         SCR_BAD_INPUT);
        assert_null(e);
        assert_string_equal(error.message, cases[i].message);
        if (error_at != cases[i].at) print_error("in %s\n", cases[i].text);
        assert_int_equal(error_at, cases[i].at);
    }
}

// Whatever is nested: no recursion and no stack grows with the text.
static void size_is_limited(void **state)
{
    (void)state;
    static const char *const nests[] = {"(", "-", "2^", "1+(", "sin(", "clamp(1,2,", "if(1,2,3+4*"};
    for (size_t i = 0; i < sizeof nests / sizeof *nests; ++i) {
        char text[60001] = "";
        size_t length = strlen(nests[i]);
        for (size_t at = 0; at + length < sizeof text; at += length) strcpy(text + at, nests[i]);
        expression *e;
        int error_at;
        scr_error error;
        assert_int_equal(expression_compile(text, NULL, 0, true, &e, &error_at, &error), SCR_BAD_INPUT);
        assert_non_null(strstr(error.message, "the formula is "));
    }
    char sum[2 * EXPRESSION_LENGTH_MAX] = "1";  // n numbers and n - 1 operations
    for (int n = 1; 2 * n - 1 <= EXPRESSION_LENGTH_MAX; ++n) {
        assert_near(value_of(sum, 0.0), n, 0.0);
        strcat(sum, "+1");
    }
    expression *e;
    int error_at;
    assert_int_equal(expression_compile(sum, NULL, 0, true, &e, &error_at, NULL), SCR_BAD_INPUT);
}

// 1+2*(1+2*(...(1)...)) keeps two numbers a level waiting.
static void numbers_that_wait_are_limited(void **state)
{
    (void)state;
    for (int levels = 31; levels <= 40; levels += 9) {
        char text[400] = "";
        for (int i = 0; i < levels; ++i) strcat(text, "1+2*(");
        strcat(text, "1");
        for (int i = 0; i < levels; ++i) strcat(text, ")");
        if (levels == 31) {
            assert_near(value_of(text, 0.0), ldexp(1.0, levels + 1) - 1.0, 0.0);
        } else {
            expression *e;
            int error_at;
            scr_error error;
            assert_int_equal(expression_compile(text, NULL, 0, true, &e, &error_at, &error), SCR_BAD_INPUT);
            assert_non_null(strstr(error.message, "the formula is too long"));
        }
    }
}

static void parameters_cannot_hide_what_formulae_know(void **state)
{
    (void)state;
    static const char *const taken[] = {"t", "pi", "g", "sin", "if", "ramp", "", "2a", "a-b", "a b", "\xc3\xa4"};
    for (size_t i = 0; i < sizeof taken / sizeof *taken; ++i) assert_false(expression_name_is_free(taken[i]));
    static const char *const names[] = {"a", "t0", "tt", "grain_count", "_x", "Pi", "sinus"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) assert_true(expression_name_is_free(names[i]));
}

static void running_out_of_memory_is_reported(void **state)
{
    (void)state;
    expression *e;
    int error_at;
    scr_error error;
    scr_fail_allocation_in(0);
    scr_status status = expression_compile("1", NULL, 0, true, &e, &error_at, &error);
    scr_fail_allocation_in(-1);
    assert_int_equal(status, SCR_NO_MEMORY);
    assert_null(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arithmetic_follows_the_usual_rules),
        cmocka_unit_test(functions_agree_with_the_c_library),
        cmocka_unit_test(choices_are_made),
        cmocka_unit_test(only_time_makes_a_formula_change),
        cmocka_unit_test(mistakes_are_pointed_at),
        cmocka_unit_test(size_is_limited),
        cmocka_unit_test(numbers_that_wait_are_limited),
        cmocka_unit_test(parameters_cannot_hide_what_formulae_know),
        cmocka_unit_test(running_out_of_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
