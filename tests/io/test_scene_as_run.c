// SPDX-License-Identifier: BSD-3-Clause
// The scene as run: every default filled in, every formula of parameters replaced by its value, and once read again it
// is the same scene.
#include "io/scene_text.h"

#include <jansson.h>
#include <locale.h>
#include <stdio.h>
#include <unistd.h>

static const char *const everything = SCREE_SOURCE_DIR "/tests/io/scenes/everything.json";

static char *as_run_of(const char *text, const char *path, const scene_override *overrides, int override_count)
{
    scene *s;
    char *as_run;
    scr_error error = {.message = ""};
    scr_status status = text != NULL
                            ? scene_read_text(text, strlen(text), path, overrides, override_count, &s, &as_run, &error)
                            : scene_read_file(path, overrides, override_count, &s, &as_run, &error);
    if (status != SCR_OK) print_error("%s\n", error.message);
    assert_int_equal(status, SCR_OK);
    scene_destroy(s);
    return as_run;
}

static void assert_reads_back(char *as_run)
{
    char *again = as_run_of(as_run, "elsewhere/scene.json", NULL, 0);
    assert_string_equal(again, as_run);
    free(again);
}

static void reading_it_again_changes_nothing(void **state)
{
    (void)state;
    const char *paths[] = {everything, SCREE_SOURCE_DIR "/tests/io/scenes/minimal.json"};
    for (int i = 0; i < 2; ++i) {
        char *as_run = as_run_of(NULL, paths[i], NULL, 0);
        assert_reads_back(as_run);
        free(as_run);
    }
}

// A value of the scene as run, by a path of keys and indices.
static json_t *value_at(json_t *root, const char *path)
{
    char copy[200], *rest = NULL;
    snprintf(copy, sizeof copy, "%s", path);
    for (char *key = strtok_r(copy, ".", &rest); key != NULL; key = strtok_r(NULL, ".", &rest)) {
        root = json_is_array(root) ? json_array_get(root, (size_t)atoi(key)) : json_object_get(root, key);
    }
    if (root == NULL) print_error("there is no %s\n", path);
    assert_non_null(root);
    return root;
}

static json_t *parsed(char *as_run)
{
    json_t *root = json_loads(as_run, 0, NULL);
    assert_non_null(root);
    free(as_run);
    return root;
}

static void defaults_are_filled_in(void **state)
{
    (void)state;
    char *text = with_quotes("{'time': {'end': 3}, 'bodies': [{'shapes': [{'sphere': {'radius': 1}}]}]}", '\'', '"');
    json_t *root = parsed(as_run_of(text, "s.json", NULL, 0));
    free(text);
    assert_string_equal(json_string_value(value_at(root, "solver.method")), "auto");
    assert_int_equal(json_integer_value(value_at(root, "solver.max_iterations")), 5000);
    assert_near(json_number_value(value_at(root, "gravity.2")), -9.81, 0.0);
    assert_near(json_number_value(value_at(root, "materials.default.density")), 2500.0, 0.0);
    assert_string_equal(json_string_value(value_at(root, "bodies.0.kind")), "dynamic");
    assert_string_equal(json_string_value(value_at(root, "bodies.0.shapes.0.material")), "default");
    assert_true(json_is_null(value_at(root, "bodies.0.remove_at")));
    assert_true(json_is_null(value_at(root, "bodies.0.appearance.colour")));
    assert_true(json_is_null(value_at(root, "bodies.0.appearance.opacity")));
    assert_true(json_is_true(value_at(root, "bodies.0.appearance.visible")));
    assert_int_equal(json_array_size(value_at(root, "fills")), 0);
    assert_near(json_number_value(value_at(root, "output.frame_interval")), 0.03, 1e-15);
    json_decref(root);
}

static void formulae_of_time_stay_and_others_become_numbers(void **state)
{
    (void)state;
    json_t *root = parsed(as_run_of(NULL, everything, NULL, 0));
    assert_near(json_number_value(value_at(root, "time.end")), 0.8, 1e-15);
    assert_int_equal(json_integer_value(value_at(root, "fills.0.count")), 1000);
    assert_near(json_number_value(value_at(root, "gravity.2")), -9.81, 0.0);
    assert_string_equal(json_string_value(value_at(root, "gravity.0")), "0.5*sin(beat*t)");
    assert_true(json_is_real(value_at(root, "parameters.beat")));  // so that the formula can be compiled again
    json_decref(root);
}

static void options_are_part_of_it(void **state)
{
    (void)state;
    scene_override options[] = {{"parameters.grains", "8000", NULL},    {"solver.method", "gs", NULL},
                                {"gravity", "[0, 0, \"-1.62\"]", NULL}, {"fills.1.radius", "0.002", NULL},
                                {"bodies.3.mass", "2*3", NULL},         {"limits", "{\"speed\": 5}", NULL}};
    char *as_run = as_run_of(NULL, everything, options, 6);
    assert_reads_back(as_run);
    json_t *root = parsed(as_run);
    assert_near(json_number_value(value_at(root, "parameters.width")), 0.4, 1e-15);
    assert_int_equal(json_integer_value(value_at(root, "fills.0.count")), 8000);
    assert_string_equal(json_string_value(value_at(root, "solver.method")), "gs");
    assert_near(json_number_value(value_at(root, "gravity.2")), -1.62, 0.0);
    assert_near(json_number_value(value_at(root, "fills.1.radius")), 0.002, 0.0);
    assert_near(json_number_value(value_at(root, "bodies.3.mass")), 6.0, 0.0);
    assert_near(json_number_value(value_at(root, "limits.speed")), 5.0, 0.0);
    json_decref(root);
}

// A run directory may be carried to another machine, where the scene's tables are not.
static void a_run_outlives_its_tables(void **state)
{
    (void)state;
    char path[] = "/tmp/scree-run-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    static const char text[] = "{\"time\": {\"end\": 1}, \"tables\": [{\"file\": \"/no/such/grains.csv\"}]}";
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
    scene *s;
    scr_error error;
    assert_int_equal(scene_read_file(path, NULL, 0, &s, NULL, &error), SCR_BAD_INPUT);
    assert_non_null(strstr(error.message, ":1:42: cannot open the table \"/no/such/grains.csv\": No such file"));
    assert_int_equal(scene_read_run_file(path, &s, &error), SCR_OK);
    assert_string_equal(s->tables[0].path, "/no/such/grains.csv");
    scene_destroy(s);
    unlink(path);
}

// The order is the user's, then that of the reader; formatting is for people.
static void text_is_for_people(void **state)
{
    (void)state;
    char *text = with_quotes(
        "{'view': {}, 'title': 'Sand \\u00e4 \\\"\\n', 'comment': [1, {'x': []}], 'time': {'end': 1}}", '\'', '"');
    char *as_run = as_run_of(text, "s.json", NULL, 0);
    const char *begin = "{\n"
                        "  \"view\": {\n"
                        "    \"eye\": null,\n";
    assert_memory_equal(as_run, begin, strlen(begin));
    assert_non_null(strstr(as_run, "  \"title\": \"Sand \xc3\xa4 \\\"\\n\",\n"));
    assert_non_null(strstr(as_run, "  \"comment\": [\n    1,\n    {\n      \"x\": []\n    }\n  ],\n"));
    assert_non_null(strstr(as_run, "  \"gravity\": [0, 0, -9.81],\n"));
    assert_int_equal(as_run[strlen(as_run) - 1], '\n');
    free(as_run);
    free(text);
}

// A program in another language may use the library: numbers have a point all the same.
static void the_locale_does_not_matter(void **state)
{
    (void)state;
    char *plain = as_run_of(NULL, everything, NULL, 0);
    const char *names[] = {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8", "fr_FR"};
    bool found = false;
    for (int i = 0; i < 4 && !found; ++i) found = setlocale(LC_ALL, names[i]) != NULL;
    char *translated = as_run_of(NULL, everything, NULL, 0);
    setlocale(LC_ALL, "C");
    assert_string_equal(translated, plain);
    free(translated);
    free(plain);
    if (!found) skip();  // no language with a decimal comma is installed
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reading_it_again_changes_nothing),
        cmocka_unit_test(defaults_are_filled_in),
        cmocka_unit_test(formulae_of_time_stay_and_others_become_numbers),
        cmocka_unit_test(options_are_part_of_it),
        cmocka_unit_test(a_run_outlives_its_tables),
        cmocka_unit_test(text_is_for_people),
        cmocka_unit_test(the_locale_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
