// SPDX-License-Identifier: BSD-3-Clause
// Bed files: what is read is what was written, or there is a sentence; a scene that begins with one goes on at rest.
#include <string.h>

#include "core/file/safe_file.h"
#include "core/file/temporary_file.h"
#include "io/bed/bed_file.h"
#include "io/file/sealed_file.h"
#include "io/scene_text.h"
#include "io/scratch_directory.h"
#include "scene/bed/bed_world.h"
#include "scene/run/simulation.h"

enum { GRAINS = 500, SETTLING = 900, STEPS = 50 };
static const double RADIUS = 0.01, DENSITY = 2500.0, GRAVITY = 9.81;

static const char HEAD[] = "{'time': {'step': 0.001, 'end': 10},"
                           " 'materials': {'sand': {}, 'wall': {}},"
                           " 'bodies': [{'name': 'box', 'kind': 'fixed', 'shapes': ["
                           "  {'plane': {}, 'material': 'wall'},"
                           "  {'plane': {}, 'material': 'wall', 'rotation': {'axis': [0, 1, 0], 'angle_degrees': 90}},"
                           "  {'plane': {}, 'material': 'wall', 'position': [0.16, 0, 0],"
                           "   'rotation': {'axis': [0, 1, 0], 'angle_degrees': -90}},"
                           "  {'plane': {}, 'material': 'wall', 'rotation': {'axis': [1, 0, 0], 'angle_degrees': -90}},"
                           "  {'plane': {}, 'material': 'wall', 'position': [0, 0.16, 0],"
                           "   'rotation': {'axis': [1, 0, 0], 'angle_degrees': 90}}]}],";

typedef struct started {
    scene *scene;
    simulation *simulation;
    scr_world *world;
} started;

static scr_status start(const char *rest, started *s, scr_error *error)
{
    char text[4096];
    snprintf(text, sizeof text, "%s%s}", HEAD, rest);
    *s = (started){0};
    scr_status status = read_quoted(text, NULL, 0, &s->scene, NULL, error);
    if (status == SCR_OK) status = simulation_create(s->scene, true, 1, &s->simulation, error);
    if (status == SCR_OK) s->world = simulation_world(s->simulation);
    return status;
}

static void stop(started *s)
{
    simulation_destroy(s->simulation);
    scene_destroy(s->scene);
}

static started start_well(const char *rest)
{
    started s;
    scr_error error = {0};
    if (start(rest, &s, &error) != SCR_OK) fail_msg("%s", error.message);
    return s;
}

static void step(const started *s, int count)
{
    scr_error error = {0};
    for (int k = 0; k < count; ++k)
        if (simulation_step(s->simulation, &error) != SCR_OK) fail_msg("%s", error.message);
}

static void take(const started *s, bed *b)
{
    const char *names[] = {"sand", "wall"};
    const bed_choice choice = {.listed = 1, .material = names};
    bed_init(b);
    assert_int_equal(bed_take(s->world, &choice, b, NULL), SCR_OK);
}

// Poured into the box and left until it rests.
static void write_settled(const char *path, int steps)
{
    bed b;
    char fill[256];
    snprintf(fill, sizeof fill,
             "'fills': [{'region': {'box': {'low': [0, 0, 0], 'high': [0.16, 0.16, 1]}},"
             " 'radius': %g, 'count': %d, 'material': 'sand'}]",
             RADIUS, GRAINS);
    started s = start_well(fill);
    step(&s, steps);
    take(&s, &b);
    assert_int_equal(b.grains.count, GRAINS);
    assert_int_equal(bed_file_write(path, &b, NULL), SCR_OK);
    bed_free(&b);
    stop(&s);
}

static void path_in(char path[PATH_LENGTH_MAX], void **state)
{
    assert_int_equal(path_join(path, *state, "bed.h5", NULL), SCR_OK);
}

static void a_bed_comes_back_to_the_bit(void **state)
{
    char path[PATH_LENGTH_MAX];
    bed b, again;
    path_in(path, state);
    write_settled(path, 30);
    bed_init(&b);
    bed_init(&again);
    assert_int_equal(bed_file_read(path, &b, NULL), SCR_OK);
    assert_true(bed_file_holds_one(path));
    assert_string_equal(b.name[0], "sand");
    assert_int_equal(b.materials.count, 1);  // of the walls there is nothing in it
    assert_int_equal(bed_file_write(path, &b, NULL), SCR_OK);
    assert_int_equal(bed_file_read(path, &again, NULL), SCR_OK);
    assert_true(bed_hash(&b) == bed_hash(&again));
    bed_free(&b);
    bed_free(&again);
}

// Any single byte changed, any tail cut off.
static void damage_is_found(void **state)
{
    char path[PATH_LENGTH_MAX], *whole;
    size_t size;
    bed b;
    path_in(path, state);
    write_settled(path, 5);
    assert_int_equal(file_read(path, &whole, &size, NULL), SCR_OK);
    for (int round = 0; round < 400; ++round) {
        size_t at = size * (size_t)round / 400;
        scr_error error = {0};
        char before = whole[at];
        bool is_cut = round % 4 == 3;
        whole[at] = (char)(before ^ (1 << round % 8));
        overwrite_file(path, whole, is_cut ? at : size);
        whole[at] = before;
        bed_init(&b);
        if (bed_file_read(path, &b, &error) != SCR_OK) assert_non_null(strstr(error.message, "bed.h5"));
        else assert_true(!is_cut && at < SEAL_BYTES);  // a byte that nobody uses
        bed_free(&b);
    }
    free(whole);
}

// Sealed all the same, with numbers that cannot be.
static void what_cannot_be_is_refused(void **state)
{
    char path[PATH_LENGTH_MAX];
    scr_error error = {0};
    bed b, read;
    path_in(path, state);
    write_settled(path, 100);
    bed_init(&b);
    assert_int_equal(bed_file_read(path, &b, NULL), SCR_OK);
    assert_true(b.contacts.count > 0);
    b.b[0] = (int32_t)b.shapes.count;
    assert_int_equal(bed_file_write(path, &b, NULL), SCR_OK);
    bed_init(&read);
    assert_int_equal(bed_file_read(path, &read, &error), SCR_IO);
    assert_non_null(strstr(error.message, "bed.h5 is damaged: its contacts cannot be"));
    bed_free(&read);
    bed_free(&b);
}

typedef struct rest_figures {
    double kinetic;  // J a grain
    double floor;    // N, mean over the steps
    int first_sweeps;
} rest_figures;

static rest_figures step_at_rest(const started *s)
{
    rest_figures f = {0};
    for (int k = 0; k < STEPS; ++k) {
        scr_vec3 force, torque;
        step(s, 1);
        if (k == 0) f.first_sweeps = scr_world_report(s->world).iterations;
        assert_int_equal(
            scr_body_contact_force(s->world, simulation_body_handle(s->simulation, 0), &force, &torque, NULL), SCR_OK);
        f.floor -= force.z / STEPS;
    }
    f.kinetic = scr_world_energy(s->world).kinetic / GRAINS;
    return f;
}

static void a_settled_bed_is_loaded_without_a_jump(void **state)
{
    char path[PATH_LENGTH_MAX], beds[PATH_LENGTH_MAX + 64];
    bed b;
    path_in(path, state);
    write_settled(path, SETTLING);
    const double mass = DENSITY * 4.0 / 3.0 * 3.14159265358979 * RADIUS * RADIUS * RADIUS;
    snprintf(beds, sizeof beds, "'beds': [{'file': '%s'}]", path);
    started s = start_well(beds);
    rest_figures with = step_at_rest(&s);
    stop(&s);
    // A thousandth of what lifts a grain by its diameter.
    assert_true(with.kinetic < 1e-3 * mass * GRAVITY * 2.0 * RADIUS);
    assert_near(with.floor, GRAINS * mass * GRAVITY, 0.01);

    bed_init(&b);
    assert_int_equal(bed_file_read(path, &b, NULL), SCR_OK);
    b.contacts.count = b.cone_history.count = b.angular_history.count = 0;
    assert_int_equal(bed_file_write(path, &b, NULL), SCR_OK);
    bed_free(&b);
    s = start_well(beds);
    rest_figures without = step_at_rest(&s);
    stop(&s);
    print_message("kinetic energy %.3g J a grain; sweeps %d with history, %d without\n", with.kinetic,
                  with.first_sweeps, without.first_sweeps);
    assert_true(5 * with.first_sweeps < 4 * without.first_sweeps);
}

static void refused_as(const char *rest, const char *path, const char *sentence)
{
    started s;
    scr_error error = {0};
    char expected[2 * PATH_LENGTH_MAX];
    assert_int_not_equal(start(rest, &s, &error), SCR_OK);
    snprintf(expected, sizeof expected, sentence, path);
    if (strstr(error.message, expected) == NULL) fail_msg("%s\nnot    %s", error.message, expected);
    assert_non_null(strstr(error.message, "s.json:1:"));
    stop(&s);
}

static void what_a_scene_says_wrong_is_named_with_its_place(void **state)
{
    char path[PATH_LENGTH_MAX], beds[PATH_LENGTH_MAX + 128];
    bed b;
    path_in(path, state);
    write_settled(path, 5);
    refused_as("'beds': [{'file': 'nowhere.h5'}]", "", "cannot open the bed \"nowhere.h5\"%s");
    snprintf(beds, sizeof beds, "'beds': [{'file': '%s', 'repeat': [2, 1, 1]}]", path);
    refused_as(beds, "", "bed 1: the bed cannot be repeated along x%s");
    snprintf(beds, sizeof beds, "'beds': [{'file': '%s', 'repeat': [1, 1.5, 1]}]", path);
    refused_as(beds, "", "\"repeat\" must be three whole numbers%s");
    snprintf(beds, sizeof beds, "'beds': [{'file': '%s', 'material': 'snow'}]", path);
    refused_as(beds, "", "snow%s");
    bed_init(&b);
    assert_int_equal(bed_file_read(path, &b, NULL), SCR_OK);
    strcpy(b.name[0], "gravel");
    assert_int_equal(bed_file_write(path, &b, NULL), SCR_OK);
    bed_free(&b);
    snprintf(beds, sizeof beds, "'beds': [{'file': '%s'}]", path);
    refused_as(beds, "", "its grains are of 'gravel' (density 2500 kg/m^3, friction 0.5)%s");
    overwrite_file(path, "no bed", 6);
    refused_as(beds, path, "%s is no bed, or a damaged one");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        scratch_test(a_bed_comes_back_to_the_bit),
        scratch_test(damage_is_found),
        scratch_test(what_cannot_be_is_refused),
        scratch_test(a_settled_bed_is_loaded_without_a_jump),
        scratch_test(what_a_scene_says_wrong_is_named_with_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
