// SPDX-License-Identifier: BSD-3-Clause
// Scenes made by hand, for tests of the simulation: begin with scene_begin, add things, end with scene_end.
#ifndef TESTS_SCENE_MAKE_SCENE_H
#define TESTS_SCENE_MAKE_SCENE_H

#include <stdio.h>
#include <string.h>

#include "check.h"
#include "core/maths/vec3.h"
#include "scene/resumed.h"
#include "scene/run/simulation.h"

enum { PART_MAX = 16, EXPRESSION_MAX = 32 };

typedef struct test_scene {
    scene s;
    scene_material materials[PART_MAX];
    scene_body bodies[PART_MAX];
    scr_shape shapes[PART_MAX];
    scene_surface surfaces[PART_MAX];
    scene_fill fills[PART_MAX];
    scene_grain grains[PART_MAX];
    double weights[PART_MAX];
    scene_table tables[PART_MAX];
    scene_emitter emitters[PART_MAX];
    scene_grain emitted[PART_MAX];
    double emitted_weights[PART_MAX];
    scene_sink sinks[PART_MAX];
    scene_probe probes[PART_MAX];
    expression *expressions[EXPRESSION_MAX];
    int expression_count;
} test_scene;

static inline time_function formula(test_scene *t, const char *text)
{
    expression *e;
    int at;
    scr_error error;
    if (expression_compile(text, NULL, 0, true, &e, &at, &error) != SCR_OK) fail_msg("%s: %s", text, error.message);
    t->expressions[t->expression_count++] = e;
    return (time_function){.kind = TIME_FORMULA, .formula = e};
}

static inline time_vector formulae(test_scene *t, const char *x, const char *y, const char *z)
{
    return (time_vector){formula(t, x), formula(t, y), formula(t, z)};
}

// An empty scene: one material of 2500 kg/m^3, gravity downwards, 1 ms steps.
static inline void scene_begin(test_scene *t)
{
    *t = (test_scene){0};
    scene *s = &t->s;
    s->path = "scene.json";
    s->title = "";
    s->seed = 1;
    s->end_time = 1.0;
    s->world = scr_default_world_def();
    s->gravity = formulae(t, "0", "0", "-9.81");
    s->overlap_limit = 0.25;
    s->materials = t->materials;
    s->material_count = 1;
    t->materials[0] = (scene_material){"sand", scr_default_material_def()};
    s->surfaces = t->surfaces;
    s->bodies = t->bodies;
    s->fills = t->fills;
    s->tables = t->tables;
    s->emitters = t->emitters;
    s->sinks = t->sinks;
    s->probes = t->probes;
}

static inline void scene_end(test_scene *t)
{
    for (int i = 0; i < t->expression_count; ++i) expression_destroy(t->expressions[i]);
}

// A body of one shape. Its place in the scene is line 10 + its number, column 5.
static inline scene_body *add_body(test_scene *t, const char *name, scr_body_kind kind, scr_shape shape,
                                   scr_vec3 position)
{
    int i = t->s.body_count++;
    scene_body *body = &t->bodies[i];
    *body = (scene_body){.location = {10 + i, 5}, .def = scr_default_body_def(), .remove_at = INFINITY};
    snprintf(body->name, sizeof body->name, "%s", name);
    t->shapes[i] = shape;
    t->shapes[i].material = (scr_material){1};
    body->shapes = &t->shapes[i];
    body->def.shapes = body->shapes;
    body->def.shape_count = 1;
    body->def.kind = kind;
    body->def.position = position;
    return body;
}

static inline scene_body *add_ball(test_scene *t, const char *name, double radius, scr_vec3 position)
{
    return add_body(t, name, SCR_DYNAMIC, scr_sphere(radius, (scr_material){1}), position);
}

static inline scene_body *add_floor(test_scene *t, double z)
{
    return add_body(t, "floor", SCR_FIXED, scr_plane((scr_material){1}), vec3(0, 0, z));
}

// A surface, at line 70 + its number, column 5, and a shape of it.
static inline scr_shape add_surface(test_scene *t, scene_surface surface)
{
    int64_t i = t->s.surface_count++;
    if (surface.scale == 0.0) surface.scale = 1.0;
    t->surfaces[i] = surface;
    t->surfaces[i].location = (scene_location){70 + (int)i, 5};
    return (scr_shape){.kind = surface.kind, .rotation = {1, 0, 0, 0}, .surface = {(uint32_t)i + 1}};
}

static inline region box_region(scr_vec3 low, scr_vec3 high)
{
    return (region){.kind = REGION_BOX, .low = low, .high = high};
}

static inline size_distribution constant_size(double r)
{
    return (size_distribution){.kind = SIZE_CONSTANT, .min = r, .max = r};
}
static inline size_distribution uniform_size(double min, double max)
{
    return (size_distribution){.kind = SIZE_UNIFORM, .min = min, .max = max};
}

// Its place in the scene is line 30 + its number, column 5.
static inline scene_fill *add_fill(test_scene *t, const char *name, fill_pattern pattern, region where,
                                   size_distribution size)
{
    int i = t->s.fill_count++;
    t->fills[i] = (scene_fill){
        .location = {30 + i, 5}, .pattern = pattern, .region = where, .size = size, .spacing = 1.05, .jitter = 0.5};
    t->grains[i].shape = scr_sphere(1.0, (scr_material){0});
    t->weights[i] = 1.0;
    t->fills[i].mix = (scene_mix){1, &t->grains[i], &t->weights[i]};
    snprintf(t->fills[i].name, sizeof t->fills[i].name, "%s", name);
    return &t->fills[i];
}

static inline scene_emitter *add_emitter(test_scene *t, region where, size_distribution size, double rate)
{
    int i = t->s.emitter_count++;
    t->emitters[i] =
        (scene_emitter){.location = {50 + i, 5}, .region = where, .size = size, .rate = rate, .stop = INFINITY};
    t->emitted[i].shape = scr_sphere(1.0, (scr_material){0});
    t->emitted_weights[i] = 1.0;
    t->emitters[i].mix = (scene_mix){1, &t->emitted[i], &t->emitted_weights[i]};
    snprintf(t->emitters[i].name, sizeof t->emitters[i].name, "emitter%d", i);
    return &t->emitters[i];
}

static inline scene_sink *add_sink(test_scene *t, region where)
{
    int i = t->s.sink_count++;
    t->sinks[i] = (scene_sink){.region = where, .stop = INFINITY};
    return &t->sinks[i];
}

static inline scene_probe *add_probe(test_scene *t, const char *name, probe_kind kind)
{
    int i = t->s.probe_count++;
    t->probes[i] = (scene_probe){.kind = kind, .extent = INFINITY};
    snprintf(t->probes[i].name, sizeof t->probes[i].name, "%s", name);
    return &t->probes[i];
}

static inline simulation *created(const scene *s, int threads)
{
    simulation *sim = NULL;
    scr_error error;
    if (simulation_create(s, true, threads, &sim, &error) != SCR_OK) fail_msg("%s", error.message);
    return sim;
}

// That the scene is refused, and how.
static inline void assert_refused(const scene *s, scr_status status, const char *message)
{
    simulation *sim = NULL;
    scr_error error;
    assert_int_equal(simulation_create(s, true, 1, &sim, &error), status);
    assert_string_equal(error.message, message);
}

static inline void advance_steps(simulation *sim, int steps)
{
    scr_error error;
    for (int i = 0; i < steps; ++i) {
        if (simulation_step(sim, &error) != SCR_OK) fail_msg("%s", error.message);
    }
}

// Mass of all dynamic bodies, kg.
static inline double world_mass(simulation *sim)
{
    scr_body_view all = scr_world_bodies(simulation_world(sim));
    double mass = 0.0;
    for (int64_t i = 0; i < all.count; ++i) {
        if (all.inv_mass[i] > 0.0) mass += 1.0 / all.inv_mass[i];
    }
    return mass;
}

static inline int64_t body_count(simulation *sim) { return scr_world_bodies(simulation_world(sim)).count; }

// The entry of the view that has such an id, or -1.
static inline int64_t entry_of(simulation *sim, uint64_t id)
{
    scr_body_view all = scr_world_bodies(simulation_world(sim));
    for (int64_t i = 0; i < all.count; ++i) {
        if (all.id[i] == id) return i;
    }
    return -1;
}

static inline double sphere_mass(double radius) { return 2500.0 * 4.0 / 3.0 * M_PI * radius * radius * radius; }

#endif
