// SPDX-License-Identifier: BSD-3-Clause
// Scenes from C: what the calls of scree/scene.h promise.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "core/file/safe_file.h"
#include "io/scratch_directory.h"
#include "scree/scene.h"

static const char SCENE[] =
    "{\"title\": \"a few grains\", \"time\": {\"end\": 0.1},\n"
    " \"bodies\": [{\"name\": \"floor\", \"kind\": \"fixed\", \"shapes\": [{\"plane\": {}}]},\n"
    "              {\"name\": \"plate\", \"position\": [1, 0, 0.2],\n"
    "               \"shapes\": [{\"box\": {\"size\": [0.2, 0.1, 0.1]}}]}],\n"
    " \"fills\": [{\"region\": {\"box\": {\"low\": [0, 0, 0], \"high\": [0.1, 0.1, 0.1]}}, \"radius\": 0.01}],\n"
    " \"probes\": [{\"name\": \"floor\", \"kind\": \"body_force\", \"body\": \"floor\"},\n"
    "              {\"name\": \"plate\", \"kind\": \"body_state\", \"body\": \"plate\"}],\n"
    " \"output\": {\"frame_interval\": 0.01, \"probe_interval\": 0.004}}\n";

static char directory[128], path[192], run[192];

static int set_up(void **state)
{
    if (make_scratch(state) != 0) return -1;
    snprintf(directory, sizeof directory, "%s", (const char *)*state);
    snprintf(path, sizeof path, "%s/scene.json", directory);
    snprintf(run, sizeof run, "%s/run", directory);
    return file_replace(path, SCENE, strlen(SCENE), NULL) == SCR_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    void *inner = strdup(run);
    remove_scratch(&inner);
    return remove_scratch(state);
}

static scr_scene *opened(void)
{
    scr_scene *scene = NULL;
    scr_error error = {0};
    scr_scene_def def = scr_default_scene_def();
    def.path = path;
    def.thread_count = 1;
    if (scr_scene_open(&def, &scene, &error) != SCR_OK) fail_msg("%s", error.message);
    return scene;
}

static void steps(scr_scene *scene, int64_t until)
{
    scr_error error;
    while (!scr_scene_is_done(scene) && scr_world_step_count(scr_scene_world(scene)) < until)
        if (scr_scene_step(scene, &error) != SCR_OK) fail_msg("%s", error.message);
}

static char *text_of(const char *name)
{
    char file[256], *text = NULL;
    snprintf(file, sizeof file, "%s/%s", run, name);
    assert_int_equal(file_read(file, &text, NULL, NULL), SCR_OK);
    return text;
}

// Stopped and gone on with, and asked for its probes on the way: the same bits as if nothing had happened.
static void a_resumed_run_has_the_bits_of_an_unbroken_one(void **state)
{
    (void)state;
    scr_error error;
    scr_run_summary whole, rest;
    scr_scene *scene = opened();
    assert_int_equal(scr_scene_begin_run(scene, run, false, &error), SCR_OK);
    steps(scene, INT64_MAX);
    assert_int_equal(scr_scene_end_run(scene, SCR_RUN_DONE, NULL, &whole, &error), SCR_OK);
    assert_true(whole.state_hash == scr_scene_hash(scene));
    assert_int_equal(whole.record.frame_count, 11);
    assert_int_equal(scr_scene_close(scene, &error), SCR_OK);
    char *rows = text_of("probes.csv");

    scene = opened();
    assert_int_equal(scr_scene_begin_run(scene, run, false, &error), SCR_BAD_INPUT);  // a run is there
    assert_int_equal(scr_scene_begin_run(scene, run, true, &error), SCR_OK);
    steps(scene, 37);
    assert_int_equal(scr_scene_end_run(scene, SCR_RUN_INTERRUPTED, NULL, NULL, &error), SCR_OK);
    assert_near(scr_scene_saved_time(scene), 0.037, 1e-12);
    assert_int_equal(scr_scene_close(scene, &error), SCR_OK);

    scr_run_progress found;
    scr_resume_def def = {.directory = run, .thread_count = 1};
    assert_int_equal(scr_scene_resume(&def, &scene, &found, &error), SCR_OK);
    assert_non_null(scene);
    assert_near(found.time, 0.037, 1e-12);
    assert_false(found.is_complete);
    double *values = calloc((size_t)scr_scene_probe_count(scene), sizeof *values);
    while (!scr_scene_is_done(scene)) {
        scr_scene_read_probes(scene, values);
        assert_int_equal(scr_scene_step(scene, &error), SCR_OK);
    }
    free(values);
    assert_int_equal(scr_scene_end_run(scene, SCR_RUN_DONE, NULL, &rest, &error), SCR_OK);
    assert_int_equal(scr_scene_close(scene, &error), SCR_OK);
    assert_true(rest.state_hash == whole.state_hash);
    assert_int_equal(rest.record.frame_count, 11);
    char *rows_again = text_of("probes.csv");
    assert_string_equal(rows, rows_again);
    free(rows);
    free(rows_again);

    // There is nothing left to do, unless it is to go further.
    assert_int_equal(scr_scene_resume(&def, &scene, &found, &error), SCR_OK);
    assert_null(scene);
    assert_true(found.is_complete);
    def.end_time = 0.12;
    assert_int_equal(scr_scene_resume(&def, &scene, &found, &error), SCR_OK);
    steps(scene, INT64_MAX);
    assert_int_equal(scr_world_step_count(scr_scene_world(scene)), 120);
    assert_int_equal(scr_scene_close(scene, NULL), SCR_OK);
}

// A run that its program forgot to end goes on from where it was saved last.
static void a_run_that_was_not_ended_can_be_resumed(void **state)
{
    (void)state;
    scr_error error;
    scr_scene *scene = opened();
    assert_int_equal(scr_scene_begin_run(scene, run, true, &error), SCR_OK);
    steps(scene, 20);
    assert_int_equal(scr_scene_save_run(scene, &error), SCR_OK);
    steps(scene, 30);
    assert_int_equal(scr_scene_close(scene, NULL), SCR_OK);
    scr_resume_def def = {.directory = run};
    scr_run_progress found;
    assert_int_equal(scr_scene_resume(&def, &scene, &found, &error), SCR_OK);
    assert_near(found.time, 0.02, 1e-12);
    assert_int_equal(scr_world_step_count(scr_scene_world(scene)), 20);
    assert_int_equal(scr_scene_close(scene, NULL), SCR_OK);
}

// A force of one's own acts beside those of the scene: a plate that is carried does not fall.
static void what_is_done_to_the_world_counts(void **state)
{
    (void)state;
    scr_error error;
    scr_body plate;
    scr_scene *scene = opened();
    scr_world *world = scr_scene_world(scene);
    assert_int_equal(scr_scene_find_body(scene, "plate", &plate, &error), SCR_OK);
    scr_vec3 weight = {0.0, 0.0, 9.81 * scr_body_mass(world, plate)};
    while (!scr_scene_is_done(scene)) {
        assert_int_equal(scr_body_apply_force(world, plate, weight, (scr_vec3){0}, &error), SCR_OK);
        assert_int_equal(scr_scene_step(scene, &error), SCR_OK);
    }
    double values[32];
    assert_true(scr_scene_probe_count(scene) <= 32);
    scr_scene_read_probes(scene, values);
    int z = scr_scene_find_probe(scene, "plate.z");
    assert_string_equal(scr_scene_probe_name(scene, z), "plate.z");
    assert_string_equal(scr_scene_probe_unit(scene, z), "m");
    assert_near(values[z], 0.2, 1e-12);
    assert_int_equal(scr_scene_find_probe(scene, "plate.weight"), -1);
    assert_int_equal(scr_scene_close(scene, NULL), SCR_OK);
}

static void mistakes_are_sentences(void **state)
{
    (void)state;
    scr_error error;
    scr_scene *scene = NULL;
    const char *changes[] = {"fills.0.radius=-1"};
    scr_scene_def def = scr_default_scene_def();
    assert_int_equal(scr_scene_open(&def, &scene, &error), SCR_BAD_INPUT);
    def.path = path;
    def.overrides = changes;
    def.override_count = 1;
    assert_int_equal(scr_scene_open(&def, &scene, &error), SCR_BAD_INPUT);
    assert_null(scene);
    assert_non_null(strstr(error.message, "--set fills.0.radius=-1: "));
    changes[0] = "radius";
    assert_int_equal(scr_scene_open(&def, &scene, &error), SCR_BAD_INPUT);
    def.override_count = 0;
    def.end_time = 1e-9;  // less than a step
    assert_int_equal(scr_scene_open(&def, &scene, &error), SCR_BAD_INPUT);

    char wrong[224];
    snprintf(wrong, sizeof wrong, "%s/wrong.json", directory);
    assert_int_equal(file_replace(wrong, "{\"time\":\n  {\"end\": 1, \"stop\": 2}}\n", 34, NULL), SCR_OK);
    def = scr_default_scene_def();
    def.path = wrong;
    assert_int_equal(scr_scene_open(&def, &scene, &error), SCR_BAD_INPUT);
    assert_non_null(strstr(error.message, "wrong.json:2:14: "));

    scr_body body;
    scene = opened();
    assert_int_equal(scr_scene_find_body(scene, "plat", &body, &error), SCR_BAD_INPUT);
    assert_string_equal(error.message, "the scene has no body 'plat'; did you mean 'plate'?");
    assert_int_equal(scr_scene_save_run(scene, &error), SCR_BAD_INPUT);  // there is no run
    assert_int_equal(scr_scene_end_run(scene, SCR_RUN_DONE, NULL, NULL, &error), SCR_BAD_INPUT);
    assert_null(scr_scene_run_record(scene));
    assert_int_equal(scr_scene_begin_run(scene, directory, true, &error), SCR_BAD_INPUT);  // the scene itself is there
    assert_non_null(strstr(error.message, "would be replaced by the run"));
    steps(scene, 1);
    assert_int_equal(scr_scene_begin_run(scene, run, true, &error), SCR_BAD_INPUT);  // too late
    assert_string_equal(scr_scene_probe_name(scene, 99), "");
    assert_string_equal(scr_scene_material(scene, 99), "");
    assert_string_equal(scr_scene_joint_label(scene, 0).text, "");
    assert_int_equal(scr_scene_close(scene, NULL), SCR_OK);
    assert_int_equal(scr_scene_close(NULL, NULL), SCR_OK);
}

// A file of the run that somebody takes away ends the run at its next look, with its state saved.
static void a_run_notices_that_its_files_are_gone(void **state)
{
    (void)state;
    scr_error error;
    scr_run_summary summary;
    scr_scene *scene = opened();
    assert_int_equal(scr_scene_begin_run(scene, run, true, &error), SCR_OK);
    steps(scene, 10);
    char file[256];
    snprintf(file, sizeof file, "%s/probes.csv", run);
    assert_int_equal(unlink(file), 0);
    assert_int_equal(scr_scene_check_run(scene, &error), SCR_IO);
    assert_int_equal(scr_scene_end_run(scene, SCR_RUN_FAILED, error.message, &summary, &error), SCR_OK);
    assert_non_null(strstr(summary.reason, "probes.csv was removed"));
    assert_near(scr_scene_saved_time(scene), 0.01, 1e-12);
    assert_int_equal(scr_scene_close(scene, NULL), SCR_OK);
    scr_resume_def def = {.directory = run};
    assert_int_equal(scr_scene_resume(&def, &scene, NULL, &error), SCR_BAD_INPUT);
    def.without_lost = true;
    assert_int_equal(scr_scene_resume(&def, &scene, NULL, &error), SCR_OK);
    assert_int_equal(scr_scene_close(scene, NULL), SCR_OK);
}

// Asked to stop, nothing happens any more. The last test: a request is for the whole program.
static void an_interrupted_step_does_not_happen(void **state)
{
    (void)state;
    scr_error error;
    scr_scene *scene = opened();
    steps(scene, 5);
    uint64_t hash = scr_scene_hash(scene);
    scr_interrupt();
    assert_int_equal(scr_scene_step(scene, &error), SCR_INTERRUPTED);
    assert_true(scr_scene_hash(scene) == hash);
    assert_int_equal(scr_scene_close(scene, NULL), SCR_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_resumed_run_has_the_bits_of_an_unbroken_one),
        cmocka_unit_test(a_run_that_was_not_ended_can_be_resumed),
        cmocka_unit_test(what_is_done_to_the_world_counts),
        cmocka_unit_test(mistakes_are_sentences),
        cmocka_unit_test(a_run_notices_that_its_files_are_gone),
        cmocka_unit_test(an_interrupted_step_does_not_happen),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
