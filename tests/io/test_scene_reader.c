// SPDX-License-Identifier: BSD-3-Clause
// What a scene says is what the reader makes of it, and what it does not say is as documented.
#include "io/scene_text.h"

#include <limits.h>
#include <stdio.h>

#include "core/base/memory.h"

static const char *const everything = SCREE_SOURCE_DIR "/tests/io/scenes/everything.json";
static const double PI = 3.14159265358979323846;

static scene *read_good_file(const char *path)
{
    scene *s;
    scr_error error = {.message = ""};
    scr_status status = scene_read_file(path, NULL, 0, &s, NULL, &error);
    if (status != SCR_OK) print_error("%s\n", error.message);
    assert_int_equal(status, SCR_OK);
    return s;
}

static scene *read_good(const char *quoted)
{
    scene *s;
    scr_error error = {.message = ""};
    scr_status status = read_quoted(quoted, NULL, 0, &s, NULL, &error);
    if (status != SCR_OK) print_error("%s\n", error.message);
    assert_int_equal(status, SCR_OK);
    return s;
}

// Numbers that are written in the scene arrive bit by bit; those computed from them may be rounded.
static void assert_vec3(scr_vec3 v, double x, double y, double z)
{
    assert_near(v.x, x, 1e-15);
    assert_near(v.y, y, 1e-15);
    assert_near(v.z, z, 1e-15);
}

static void settings_are_read(void **state)
{
    (void)state;
    scene *s = read_good_file(everything);
    assert_string_equal(s->title, "Everything");
    assert_string_equal(s->path, everything);
    assert_int_equal(s->seed, 42);
    assert_near(s->world.time_step, 5e-4, 0.0);
    assert_near(s->end_time, 0.8, 1e-15);
    assert_vec3(s->world.gravity, 0.0, 0.0, -9.81);
    assert_near(time_vector_at(&s->gravity, 1.0 / 12.0).x, 0.5, 1e-14);  // a quarter of a beat of 3 Hz
    assert_int_equal(s->world.solver.kind, SCR_SOLVER_GS);
    assert_int_equal(s->world.solver.max_iterations, 77);
    assert_near(s->world.solver.tolerance, 1e-5, 0.0);
    assert_false(s->world.solver.warm_start);
    assert_int_equal(s->world.solver.precision, SCR_PRECISION_DOUBLE);
    assert_near(s->world.solver.omega, 0.5, 0.0);
    assert_near(s->world.solver.lambda, 0.75, 0.0);
    assert_int_equal(s->world.contact.law, SCR_RIGID);
    assert_int_equal(s->world.contact.friction, SCR_FRICTION_COULOMB);
    assert_near(s->world.contact.damping, 1e-4, 0.0);
    assert_int_equal(s->world.contact.normal, SCR_HOOKE);
    assert_near(s->world.contact.stiffness, 5e4, 0.0);
    assert_int_equal(s->world.contact.rolling, SCR_ROLLING_CONSTANT);
    assert_int_equal(s->world.contact.adhesion, SCR_JKR);
    assert_near(s->world.contact.compliance, 2e-3, 0.0);
    assert_near(s->world.contact.envelope, 0.05, 0.0);
    assert_near(s->world.contact.recovery_speed, 0.1, 0.0);
    assert_near(s->overlap_limit, 0.1, 0.0);
    assert_int_equal(s->world.contact.max_per_pair, 5);
    assert_int_equal(s->world.contact.reduction, SCR_REDUCE_RANDOM);
    assert_near(s->world.max_speed, 250.0, 0.0);
    assert_true(s->domain.present);
    assert_vec3(s->domain.low, -5.0, -5.0, -5.0);
    assert_vec3(s->domain.high, 5.0, 5.0, 5.0);
    assert_int_equal(s->domain.leave, LEAVE_STOP);
    assert_near(s->output.frame_interval, 0.02, 0.0);
    assert_near(s->output.probe_interval, 0.01, 0.0);
    assert_near(s->output.checkpoint_minutes, 1.5, 0.0);
    assert_true(s->output.contacts);
    assert_true(s->view.has_eye && s->view.has_target);
    assert_vec3(s->view.eye, 1.0, -2.0, 1.0);
    assert_vec3(s->view.target, 0.0, 0.0, 0.2);
    assert_near(s->view.field_of_view, 35.0, 0.0);
    assert_int_equal(s->view.colour, COLOUR_SPEED);
    assert_true(s->view.has_range);
    assert_near(s->view.range_max, 2.0, 0.0);
    assert_false(s->view.ground);
    assert_true(s->view.has_ground_height);
    assert_near(s->view.ground_height, -0.1, 0.0);
    assert_string_equal(s->view.follow, "block");
    assert_near(s->view.orbit, 90.0, 0.0);
    assert_int_equal(s->view.map, MAP_CIVIDIS);
    assert_true(s->view.chains && !s->view.captions);
    assert_true(!s->view.has_cut[0] && s->view.has_cut[1] && !s->view.has_cut[2]);
    assert_near(s->view.cut[1], 0.1, 0.0);
    scene_destroy(s);
}

static void materials_are_read(void **state)
{
    (void)state;
    scene *s = read_good_file(everything);
    assert_int_equal(s->material_count, 2);
    assert_string_equal(s->materials[0].name, "glass");
    assert_near(s->materials[0].def.density, 2600.0, 0.0);
    assert_near(s->materials[0].def.friction, 0.4, 0.0);
    assert_near(s->materials[0].def.restitution, 0.9, 0.0);
    assert_near(s->materials[0].def.young, 7e10, 0.0);
    assert_near(s->materials[0].def.poisson, 0.22, 0.0);
    assert_near(s->materials[0].def.rolling_friction, 0.1, 0.0);
    assert_near(s->materials[0].def.spinning_friction, 0.05, 0.0);
    assert_near(s->materials[0].def.cohesion, 300.0, 0.0);
    assert_near(s->materials[0].def.surface_energy, 0.02, 0.0);
    scr_material_def defaults = scr_default_material_def();
    assert_near(s->materials[1].def.friction, defaults.friction, 0.0);
    assert_int_equal(s->pair_count, 2);
    assert_int_equal(s->pairs[0].a, 0);
    assert_int_equal(s->pairs[0].b, 1);
    assert_near(s->pairs[0].def.friction, 0.25, 0.0);
    assert_near(s->pairs[0].def.restitution, 0.5, 0.0);
    assert_near(s->pairs[0].def.rolling_friction, 0.2, 0.0);
    assert_near(s->pairs[0].def.spinning_friction, 0.01, 0.0);
    assert_near(s->pairs[0].def.cohesion, 0.0, 0.0);
    assert_near(s->pairs[0].def.surface_energy, 0.5, 0.0);
    scr_material_pair_def mixed = scr_default_material_pair_def();
    assert_memory_equal(&s->pairs[1].def, &mixed, sizeof mixed);
    scene_destroy(s);
}

static void bodies_are_read(void **state)
{
    (void)state;
    scene *s = read_good_file(everything);
    assert_int_equal(s->body_count, 6);
    const scene_body *floor = &s->bodies[0], *lid = &s->bodies[1], *ball = &s->bodies[2], *block = &s->bodies[3];

    assert_string_equal(floor->name, "floor");
    assert_int_equal(floor->location.line, 24);
    assert_int_equal(floor->location.column, 5);
    assert_int_equal(floor->def.kind, SCR_FIXED);
    assert_int_equal(floor->def.shape_count, 1);
    assert_ptr_equal(floor->def.shapes, floor->shapes);
    assert_int_equal(floor->shapes[0].kind, SCR_PLANE);
    assert_int_equal(floor->shapes[0].material.index1, 2);
    assert_near(floor->shapes[0].rotation.w, sqrt(0.5), 1e-15);
    assert_near(floor->shapes[0].rotation.y, sqrt(0.5), 1e-15);
    assert_true(isinf(floor->remove_at));

    assert_int_equal(lid->def.kind, SCR_KINEMATIC);
    assert_true(lid->has_motion && lid->motion.has_position && lid->motion.has_angle);
    assert_false(lid->motion.has_velocity || lid->motion.has_spin);
    assert_vec3(time_vector_at(&lid->motion.position, 0.5), 0.0, 0.0, 0.95);
    assert_vec3(lid->def.position, 0.0, 0.0, 1.0);  // where the motion begins
    assert_near(time_function_at(&lid->motion.angle, 1.0), 6.0 * PI, 1e-15);
    assert_near(lid->shapes[0].half.x, 0.1, 1e-15);
    assert_near(lid->shapes[0].half.y, 0.2, 0.0);
    assert_near(lid->shapes[0].position.z, 0.01, 0.0);
    assert_near(lid->remove_at, 1.5, 0.0);
    assert_true(lid->appearance.has_colour && lid->appearance.has_opacity && lid->appearance.is_hidden);
    assert_near(lid->appearance.colour[0], 1.0, 0.0);
    assert_near(lid->appearance.colour[1], 128.0 / 255.0, 1e-7);
    assert_near(lid->appearance.colour[2], 0.0, 0.0);
    assert_near(lid->appearance.opacity, 0.25, 0.0);
    assert_false(floor->appearance.has_colour || floor->appearance.has_opacity || floor->appearance.is_hidden);

    assert_string_equal(ball->name, "");
    assert_vec3(ball->def.position, 1.0, 2.0, 3.0);
    assert_vec3(ball->def.velocity, 1.0, 0.0, 0.0);  // that of the motion at t = 0
    assert_vec3(ball->motion.axis, 0.0, 0.6, 0.8);
    assert_vec3(ball->def.spin, 0.0, 6.0, 8.0);
    assert_near(time_function_at(&ball->motion.spin, 2.0), 12.0, 0.0);

    assert_int_equal(block->def.kind, SCR_DYNAMIC);
    assert_false(block->has_motion);
    assert_near(block->def.position.z, 0.4, 1e-15);
    assert_near(block->def.rotation.w, 1.0, 0.0);  // made a unit quaternion
    assert_vec3(block->def.velocity, 0.0, 0.0, -1.0);
    assert_vec3(block->def.spin, 1.0, 0.0, 0.0);
    assert_vec3(block->def.surface_velocity, 0.5, 0.0, 0.0);
    assert_near(block->def.mass, 3.0, 0.0);
    assert_int_equal(block->def.shape_count, 2);
    assert_int_equal(block->shapes[1].kind, SCR_SPHERE);
    assert_near(block->shapes[1].radius, 0.05, 0.0);
    assert_int_equal(block->shapes[1].material.index1, 1);
    scene_destroy(s);
}

// Grains and bodies that name no group are in the first; the others follow in the order in which they are named.
static void groups_are_bits(void **state)
{
    (void)state;
    scene *s = read_good_file(everything);
    enum { DEFAULT = 1, WALLS = 2, LIDS = 4 };
    assert_int_equal(s->bodies[0].def.group, WALLS);
    assert_int_equal(s->bodies[0].def.collides_with, UINT32_MAX);
    assert_int_equal(s->bodies[1].def.group, WALLS | LIDS);
    assert_int_equal(s->bodies[1].def.collides_with, DEFAULT | LIDS);
    assert_int_equal(s->bodies[2].def.group, DEFAULT);
    assert_int_equal(s->bodies[2].def.collides_with, 0);
    assert_int_equal(scr_default_body_def().group, DEFAULT);
    scene_destroy(s);
}

static void there_are_32_groups_and_no_more(void **state)
{
    (void)state;
    for (int count = 31; count <= 32; ++count) {  // and the default one
        char text[4000] = "{'time': {'end': 1}, 'bodies': [{'group': [", *end = text + strlen(text);
        for (int i = 0; i < count; ++i) end += sprintf(end, "%s'g%d'", i > 0 ? "," : "", i);
        strcpy(end, "], 'shapes': [{'sphere': {'radius': 1}}]}]}");
        scene *s;
        scr_error error;
        scr_status status = read_quoted(text, NULL, 0, &s, NULL, &error);
        if (count == 31) {
            assert_int_equal(status, SCR_OK);
            assert_int_equal(s->bodies[0].def.group, UINT32_MAX - 1);
            scene_destroy(s);
        } else {
            assert_int_equal(status, SCR_BAD_INPUT);
            assert_non_null(strstr(error.message, "\"g31\" is one group too many: there can be 32"));
        }
    }
}

static void grains_are_read(void **state)
{
    (void)state;
    scene *s = read_good_file(everything);
    assert_int_equal(s->fill_count, 4);
    const scene_fill *layer = &s->fills[0];
    assert_string_equal(layer->name, "bed");
    assert_int_equal(layer->pattern, FILL_HEXAGONAL);
    assert_int_equal(layer->region.kind, REGION_BOX);
    assert_near(layer->region.high.x, 0.2, 1e-15);
    assert_int_equal(layer->size.kind, SIZE_CONSTANT);
    assert_near(layer->size.min, 0.005, 0.0);
    assert_near(layer->size.max, 0.005, 0.0);
    assert_int_equal(layer->mix.grain[0].material, 0);
    assert_int_equal(layer->count, 1000);
    assert_near(layer->spacing, 1.1, 0.0);
    assert_near(layer->jitter, 0.3, 0.0);
    assert_vec3(layer->velocity, 0.0, 0.0, -0.1);
    assert_int_equal(s->fills[1].region.kind, REGION_CYLINDER);
    assert_vec3(s->fills[1].region.base, 1.0, 0.0, 0.0);
    assert_vec3(s->fills[1].region.axis, 0.0, 0.0, 1.0);  // made a unit vector
    assert_near(s->fills[1].region.radius, 0.1, 0.0);
    assert_near(s->fills[1].region.height, 0.5, 0.0);
    assert_int_equal(s->fills[1].size.kind, SIZE_UNIFORM);
    assert_near(s->fills[1].size.min, 0.004, 0.0);
    assert_near(s->fills[1].size.max, 0.006, 0.0);
    assert_int_equal(s->fills[2].size.kind, SIZE_NORMAL);
    assert_near(s->fills[2].size.mean, 0.005, 0.0);
    assert_near(s->fills[2].size.deviation, 0.001, 0.0);
    assert_int_equal(s->fills[3].size.kind, SIZE_LOGNORMAL);

    assert_int_equal(s->table_count, 1);
    char expected[PATH_MAX];
    assert_non_null(realpath(SCREE_SOURCE_DIR "/tests/io/scenes/grains.csv", expected));
    assert_string_equal(s->tables[0].path, expected);  // found beside the scene

    assert_int_equal(s->bed_count, 1);
    assert_vec3(s->beds[0].position, 1.0, 2.0, 3.0);
    assert_true(s->beds[0].repeat[0] == 4 && s->beds[0].repeat[1] == 5 && s->beds[0].repeat[2] == 1);
    assert_string_equal(s->materials[s->beds[0].material].name, "glass");

    assert_int_equal(s->emitter_count, 1);
    const scene_emitter *hopper = &s->emitters[0];
    assert_int_equal(hopper->size.kind, SIZE_TABLE);
    assert_int_equal(hopper->size.class_count, 2);
    assert_near(hopper->size.radius[1], 0.006, 0.0);
    assert_near(hopper->size.share[0] / hopper->size.share[1], 3.0, 0.0);
    assert_near(hopper->size.min, 0.004, 0.0);
    assert_near(hopper->size.max, 0.006, 0.0);
    assert_near(hopper->rate, 0.5, 0.0);
    assert_near(hopper->start, 0.1, 0.0);
    assert_near(hopper->stop, 0.6, 0.0);
    assert_int_equal(hopper->limit, 500);

    assert_int_equal(s->sink_count, 1);
    assert_string_equal(s->sinks[0].name, "drain");
    assert_near(s->sinks[0].region.low.z, -2.0, 0.0);
    assert_near(s->sinks[0].stop, 0.9, 0.0);

    const scene_active_box *box = &s->active_box;
    assert_true(box->present && box->around_count == 1 && box->around[0] == 0 && box->face == FACE_SLOPED);
    assert_near(box->ahead, 3.0, 0.0);
    assert_near(box->behind, 2.0, 0.0);
    assert_near(box->side, 2.5, 0.0);
    assert_near(box->shell, 1.0, 0.0);
    assert_near(box->cell, 0.5, 0.0);
    assert_near(box->freeze_speed, 0.1, 0.0);
    assert_near(box->store_bytes, 64.0 * 1048576.0, 0.0);

    assert_true(s->sleeping.present);
    assert_near(s->sleeping.speed, 0.002, 0.0);
    assert_near(s->sleeping.after, 0.2, 0.0);
    assert_near(s->sleeping.force, 0.1, 0.0);
    assert_near(s->sleeping.cell, 0.3, 0.0);
    scene_destroy(s);
}

static void probes_are_read(void **state)
{
    (void)state;
    scene *s = read_good_file(everything);
    assert_int_equal(s->probe_count, 14);
    for (int i = 0; i < s->probe_count; ++i) assert_int_equal(s->probes[i].kind, PROBE_ENERGY + i);
    assert_string_equal(s->probes[1].name, "in the box");
    assert_near(s->probes[1].region.high.x, 1.0, 0.0);
    assert_vec3(s->probes[2].point, 0.0, 0.0, 0.1);
    assert_vec3(s->probes[2].normal, 0.0, 0.0, -1.0);
    assert_near(s->probes[2].extent, 0.3, 0.0);
    assert_int_equal(s->probes[4].body, 0);
    assert_int_equal(s->probes[5].body, 3);
    assert_int_equal(s->probes[6].location.line, 275);
    assert_int_equal(s->probes[9].frame, FRAME_JOINT);
    assert_string_equal(s->joints[s->probes[11].element].name, "jack");
    assert_string_equal(s->springs[s->probes[12].element].name, "strut");
    assert_string_equal(s->couplings[s->probes[13].element].name, "gears");
    scene_destroy(s);
}

static void defaults_are_those_of_the_library(void **state)
{
    (void)state;
    scene *s = read_good("{'time': {'end': 2}}");
    scr_world_def world = scr_default_world_def();
    assert_string_equal(s->title, "");
    assert_int_equal(s->seed, 1);
    assert_near(s->world.time_step, world.time_step, 0.0);
    assert_vec3(s->world.gravity, world.gravity.x, world.gravity.y, world.gravity.z);
    assert_vec3(time_vector_at(&s->gravity, 1.0), world.gravity.x, world.gravity.y, world.gravity.z);
    assert_int_equal(s->world.solver.kind, world.solver.kind);
    assert_int_equal(s->world.solver.max_iterations, world.solver.max_iterations);
    assert_int_equal(s->world.solver.precision, world.solver.precision);
    assert_int_equal(s->world.contact.law, world.contact.law);
    assert_int_equal(s->world.contact.friction, world.contact.friction);
    assert_near(s->world.contact.damping, world.contact.damping, 0.0);
    assert_int_equal(s->world.contact.normal, world.contact.normal);
    assert_near(s->world.contact.stiffness, world.contact.stiffness, 0.0);
    assert_int_equal(s->world.contact.rolling, world.contact.rolling);
    assert_int_equal(s->world.contact.adhesion, world.contact.adhesion);
    assert_near(s->world.contact.compliance, world.contact.compliance, 0.0);
    assert_near(s->world.max_speed, world.max_speed, 0.0);
    assert_int_equal(s->material_count, 1);
    assert_string_equal(s->materials[0].name, "default");
    assert_false(s->domain.present);
    assert_near(s->output.frame_interval, 0.02, 1e-15);
    assert_near(s->output.probe_interval, 0.002, 1e-15);
    assert_false(s->view.has_eye || s->view.has_range || s->view.has_ground_height);
    assert_true(s->view.ground);
    scene_destroy(s);
}

// One word switches the law: a scene may say what only the other law reads.
static void each_law_lets_the_words_of_the_other_stand(void **state)
{
    (void)state;
    static const struct {
        const char *word;
        scr_contact_law law;
    } laws[] = {{"compliant", SCR_COMPLIANT}, {"rigid", SCR_RIGID}, {"penalty", SCR_PENALTY}};
    static const char *const format =
        "{'time': {'end': 1}, 'solver': {'max_iterations': 9}, 'materials': {'glass': {'young': 1e7, 'cohesion': 5}},"
        " 'contact': {'law': '%s', 'friction': 'coulomb', 'damping': 1e-4, 'normal': 'hertz', 'rolling': 'constant'},"
        " 'bodies': [{'shapes': [{'sphere': {'radius': 1}}]}]}";
    for (int k = 0; k < 3; ++k) {
        char text[512];
        snprintf(text, sizeof text, format, laws[k].word);
        scene *s = read_good(text);
        assert_int_equal(s->world.contact.law, laws[k].law);
        assert_int_equal(s->world.contact.rolling, SCR_ROLLING_CONSTANT);
        scene_destroy(s);
    }
}

// A stiffness that is given stands for all moduli, and what contacts cannot move needs none.
static void springs_need_a_modulus_only_where_they_act(void **state)
{
    (void)state;
    scene_destroy(read_good("{'time': {'end': 1}, 'contact': {'law': 'penalty', 'normal': 'hooke', 'stiffness': 1e5},"
                            " 'bodies': [{'shapes': [{'sphere': {'radius': 1}}]}]}"));
    scene_destroy(read_good("{'time': {'end': 1}, 'contact': {'law': 'penalty'},"
                            " 'materials': {'glass': {'young': 1e9}, 'wall': {}},"
                            " 'bodies': [{'kind': 'fixed', 'shapes': [{'plane': {}, 'material': 'wall'}]},"
                            "  {'shapes': [{'sphere': {'radius': 1}, 'material': 'glass'}]}]}"));
}

static void emitters_and_probes_are_unbounded_by_default(void **state)
{
    (void)state;
    scene *s =
        read_good("{'time': {'end': 1},"
                  " 'emitters': [{'region': {'box': {'low': [0, 0, 0], 'high': [1, 1, 1]}}, 'radius': 0.1, 'rate': 1}],"
                  " 'probes': [{'name': 'p', 'kind': 'mass_flow', 'point': [0, 0, 0], 'normal': [0, 0, 1]}]}");
    assert_near(s->emitters[0].start, 0.0, 0.0);
    assert_true(isinf(s->emitters[0].stop));
    assert_int_equal(s->emitters[0].limit, 0);
    assert_true(isinf(s->probes[0].extent));
    scene_destroy(s);
}

// Whole numbers may be written as 1e4, or come out of a formula with its rounding.
static void whole_numbers_may_be_formulae(void **state)
{
    (void)state;
    scene *s = read_good("{'time': {'end': 1}, 'seed': 1e4, 'solver': {'max_iterations': '3*(0.1+0.2)*1000/3'}}");
    assert_int_equal(s->seed, 10000);
    assert_int_equal(s->world.solver.max_iterations, 300);
    scene_destroy(s);
}

// Every allocation is made to fail in turn: the reader says so, and leaks nothing (make asan).
static void running_out_of_memory_is_reported(void **state)
{
    (void)state;
    int64_t failures = 0;
    scr_status status = SCR_NO_MEMORY;
    for (int64_t n = 0; status != SCR_OK; ++n) {
        scene *s;
        char *as_run;
        scr_error error = {.message = ""};
        scr_fail_allocation_in(n);
        status = scene_read_file(everything, NULL, 0, &s, &as_run, &error);
        scr_fail_allocation_in(-1);
        if (status == SCR_OK) {
            scene_destroy(s);
            free(as_run);
        } else {
            assert_int_equal(status, SCR_NO_MEMORY);
            assert_non_null(strstr(error.message, "memory"));
            ++failures;
        }
    }
    assert_true(failures > 20);
}

// A long list of bodies on one line costs no more than its length.
static void places_of_many_bodies_are_found_in_linear_time(void **state)
{
    (void)state;
    enum { COUNT = 50000 };  // quadratic search would take minutes
    char *text = malloc(64 * COUNT + 64), *end = text;
    end += sprintf(end, "{'time': {'end': 1}, 'bodies': [");
    size_t last = 0;
    for (int i = 0; i < COUNT; ++i) {
        if (i > 0) *end++ = ',';
        last = (size_t)(end - text);
        end += sprintf(end, "{'shapes': [{'sphere': {'radius': 1}}]}");
    }
    strcpy(end, "]}");
    scene *s = read_good(text);
    assert_int_equal(s->body_count, COUNT);
    assert_int_equal(s->bodies[COUNT - 1].location.line, 1);
    assert_int_equal(s->bodies[COUNT - 1].location.column, last + 1);
    scene_destroy(s);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings_are_read),
        cmocka_unit_test(materials_are_read),
        cmocka_unit_test(bodies_are_read),
        cmocka_unit_test(groups_are_bits),
        cmocka_unit_test(there_are_32_groups_and_no_more),
        cmocka_unit_test(grains_are_read),
        cmocka_unit_test(probes_are_read),
        cmocka_unit_test(defaults_are_those_of_the_library),
        cmocka_unit_test(each_law_lets_the_words_of_the_other_stand),
        cmocka_unit_test(springs_need_a_modulus_only_where_they_act),
        cmocka_unit_test(emitters_and_probes_are_unbounded_by_default),
        cmocka_unit_test(whole_numbers_may_be_formulae),
        cmocka_unit_test(running_out_of_memory_is_reported),
        cmocka_unit_test(places_of_many_bodies_are_found_in_linear_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
