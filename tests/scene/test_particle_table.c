// SPDX-License-Identifier: BSD-3-Clause
// Particle tables: numbers are the nearest doubles, columns come in any order, and mistakes are told with their place.
#include "scene/populate/particle_table.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "core/maths/rng.h"
#include "core/text/decimal.h"

static scr_status read_text(const char *text, particle_table *t, scr_error *error)
{
    *t = (particle_table){0};
    return particle_table_read_text(text, strlen(text), "bed.csv", t, error);
}

static void assert_reads_two_grains(const char *text)
{
    particle_table t;
    scr_error error;
    if (read_text(text, &t, &error) != SCR_OK) fail_msg("%s", error.message);
    assert_int_equal(t.count, 2);
    assert_true(t.position[0].x == 0.1 && t.position[0].y == -0.2 && t.position[0].z == 3e-3 && t.radius[0] == 0.005);
    assert_true(t.position[1].x == 1.0 && t.position[1].y == 2.0 && t.position[1].z == 3.0 && t.radius[1] == 0.5);
    particle_table_free(&t);
}

static void rows_are_read_in_every_layout(void **state)
{
    (void)state;
    assert_reads_two_grains("0.1,-0.2,3e-3,0.005\n1,2,3,0.5\n");
    assert_reads_two_grains("0.1,-0.2,3e-3,0.005\n1,2,3,0.5");
    assert_reads_two_grains("x,y,z,r\r\n0.1,-.2,3E-3,5e-3\r\n+1.,2.0,3,0.5\r\n");
    assert_reads_two_grains("r, z, y, x\n0.005, 3e-3, -0.2, 0.1\n0.5, 3, 2, 1\n");
    assert_reads_two_grains("\xEF\xBB\xBFx,y,z,r\n0.1,-0.2,3e-3,0.005\n1,2,3,0.5\n");
    assert_reads_two_grains(
        "# a bed\n\n  \t\n x , y,\tz,r # columns\n0.1,-0.2,3e-3,0.005 # first\n\n#\n1,2,3,0.5\n# end");
}

static void velocities_are_optional_one_by_one(void **state)
{
    (void)state;
    particle_table t;
    scr_error error;
    assert_int_equal(read_text("x,y,z,r\n1,2,3,4\n", &t, &error), SCR_OK);
    assert_null(t.velocity);
    particle_table_free(&t);
    assert_int_equal(read_text("vz,x,y,z,r,vx\n-7,1,2,3,4,5\n", &t, &error), SCR_OK);
    assert_true(t.velocity[0].x == 5.0 && t.velocity[0].y == 0.0 && t.velocity[0].z == -7.0);
    particle_table_free(&t);
}

static void mistakes_are_told_with_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"x,y,z,r\n1,2,3,4\n1,2,3,abc\n", "bed.csv:3:7: expected a number for r, found 'abc'"},
        {"1,2,3,4\n1, 2,3x,4\n", "bed.csv:2:6: expected a number for z, found '3x'"},
        {"1,2,,4\n", "bed.csv:1:5: expected a number for z, found nothing"},
        {"1,2,3,0x10\n", "bed.csv:1:7: expected a number for r, found '0x10'"},
        {"1,2,3,inf\n", "bed.csv:1:7: expected a number for r, found 'inf'"},
        {"1 2 3 4\n", "bed.csv:1:1: expected a number for x, found '1 2 3 4'"},
        {"1;2;3;4\n", "bed.csv:1:1: expected a number for x, found '1;2;3;4'"},
        {"1,2,3\n", "bed.csv:1:6: expected 4 columns, found 3"},
        {"x,y,z,r\n1,2,3,4,5\n", "bed.csv:2:8: expected 4 columns, found more"},
        {"1,2,3,0\n", "bed.csv:1:7: r must be positive, not 0"},
        {"1,2,3,-0.5\n", "bed.csv:1:7: r must be positive, not -0.5"},
        {"1e999,2,3,4\n", "bed.csv:1:1: the number for x is too large"},
        {"x,y,z\n1,2,3\n", "bed.csv:1:1: column r is missing"},
        {"x,y,z,r,y\n", "bed.csv:1:9: column y is there twice"},
        {"x,y,z,radius\n",
         "bed.csv:1:7: unknown column 'radius'; the columns are x, y, z, r and, for velocities, vx, vy, vz"},
        {"x y z r\n", "bed.csv:1:3: expected a comma, found 'y z r'"},
        {"1,2,3,\x01\xFF"
         "abcdefghijklmnopqrstuvwxyz\n",
         "bed.csv:1:7: expected a number for r, found '\?\?abcdefghijklmnopqrstuv...'"},
        {"", "bed.csv: there are no grains in it"},
        {"x,y,z,r\n", "bed.csv: there are no grains in it"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        particle_table t;
        scr_error error;
        assert_int_equal(read_text(cases[i].text, &t, &error), SCR_BAD_INPUT);
        assert_string_equal(error.message, cases[i].message);
        particle_table_free(&t);
    }
}

static void a_missing_file_is_bad_input(void **state)
{
    (void)state;
    particle_table t = {0};
    scr_error error;
    assert_int_equal(particle_table_read_file("/nowhere/bed.csv", &t, &error), SCR_BAD_INPUT);
    assert_string_equal(error.message, "/nowhere/bed.csv: No such file or directory");
    assert_int_equal(particle_table_read_file("/", &t, &error), SCR_BAD_INPUT);
    assert_string_equal(error.message, "/: Is a directory");
}

// Doubles of all kinds, printed with more or fewer digits, are read as strtod reads them.
static void numbers_are_the_nearest_doubles(void **state)
{
    (void)state;
    static const char *const hard[] = {"0",
                                       "-0",
                                       "9007199254740993",
                                       "9007199254740992e22",
                                       "1e22",
                                       "1e23",
                                       "1e-22",
                                       "1e-23",
                                       "0.1e-22",
                                       "2.2250738585072011e-308",
                                       "4.9e-324",
                                       "2e-324",
                                       "1.7976931348623157e308",
                                       "123456789012345678901234567890",
                                       "0.000000000000000000000000000000000000000000001",
                                       "1e-400",
                                       "0e999999999999",
                                       "179769313486231580793e289",
                                       "8.5e-1",
                                       "1.e1",
                                       ".5",
                                       "000000000000000000000000000001.5"};
    for (size_t i = 0; i < sizeof hard / sizeof *hard; ++i) {
        double value;
        const char *end = decimal_read(hard[i], &value);
        assert_ptr_equal(end, hard[i] + strlen(hard[i]));
        assert_true(value == strtod(hard[i], NULL) && signbit(value) == signbit(strtod(hard[i], NULL)));
    }
    for (uint64_t i = 0; i < 200000; ++i) {
        char text[64];
        double u[2], value;
        scr_uniform2(1, 1, i, u);
        snprintf(text, sizeof text, "%.*g", 1 + (int)(i % 21), (u[0] - 0.5) * pow(10.0, 60.0 * (u[1] - 0.5)));
        assert_non_null(decimal_read(text, &value));
        if (value != strtod(text, NULL)) fail_msg("%s is read as %.17g", text, value);
    }
    double value;
    assert_null(decimal_read("", &value));
    assert_null(decimal_read(".", &value));
    assert_null(decimal_read("-e5", &value));
    assert_string_equal(decimal_read("1e+", &value), "e+");
}

// A language with a decimal comma must not matter: 17 digits go the long way, through strtod.
static void the_locale_does_not_matter(void **state)
{
    (void)state;
    static const char *const with_comma[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "es_ES.UTF-8"};
    bool found = false;
    for (int i = 0; i < 3 && !found; ++i) found = setlocale(LC_ALL, with_comma[i]) != NULL;
    if (!found) skip();
    particle_table t;
    scr_error error;
    assert_int_equal(read_text("0.12345678901234567,1,2,0.5\n", &t, &error), SCR_OK);
    assert_true(t.position[0].x == 0.12345678901234567);
    particle_table_free(&t);
    assert_int_equal(read_text("0,1,2,-0.5\n", &t, &error), SCR_BAD_INPUT);
    assert_string_equal(error.message, "bed.csv:1:7: r must be positive, not -0.5");
    particle_table_free(&t);
    setlocale(LC_ALL, "C");
}

static void a_million_rows_are_read_quickly(void **state)
{
    (void)state;
    enum { ROWS = 1000000 };
    char path[] = "/tmp/scree-table-XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    FILE *file = fdopen(descriptor, "w");
    fprintf(file, "x,y,z,r\n");
    for (int i = 0; i < ROWS; ++i) fprintf(file, "%.6f,%.6f,%.9g,0.0025\n", i * 1e-3, -i * 2e-3, i / 3.0);
    fclose(file);

    particle_table t = {0};
    scr_error error;
    clock_t start = clock();
    scr_status status = particle_table_read_file(path, &t, &error);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    unlink(path);
    assert_int_equal(status, SCR_OK);
    assert_int_equal(t.count, ROWS);
    print_message("%d rows in %.2f s of processor time\n", ROWS, seconds);
    assert_true(seconds < 3.0);  // about 0.3 s; more with sanitizers
    particle_table_free(&t);
}

static void every_failed_allocation_is_reported(void **state)
{
    (void)state;
    for (int64_t n = 0;; ++n) {
        particle_table t;
        scr_error error;
        scr_fail_allocation_in(n);
        scr_status status = read_text("x,y,z,r,vx\n1,2,3,4,5\n", &t, &error);
        scr_fail_allocation_in(-1);
        particle_table_free(&t);
        if (status == SCR_OK) break;
        assert_int_equal(status, SCR_NO_MEMORY);
        assert_true(n < 10);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_read_in_every_layout),      cmocka_unit_test(velocities_are_optional_one_by_one),
        cmocka_unit_test(mistakes_are_told_with_their_place), cmocka_unit_test(a_missing_file_is_bad_input),
        cmocka_unit_test(numbers_are_the_nearest_doubles),    cmocka_unit_test(the_locale_does_not_matter),
        cmocka_unit_test(a_million_rows_are_read_quickly),    cmocka_unit_test(every_failed_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
