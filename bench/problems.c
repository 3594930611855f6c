// SPDX-License-Identifier: BSD-3-Clause
#include "problems.h"

#include <math.h>

#include "core/base/memory.h"
#include "core/maths/rng.h"
#include "dynamics/world/world_state.h"

static const double RADIUS = 10e-3, FRICTION = 0.5, DENSITY = 2500.0;
enum { BED_STEPS = 1500, BED_SWEEPS = 60, CALM_STEPS = 300, CALM_SWEEPS = 300 };

#define DEEP(layers, spheres)                                                                                          \
    {"deep" #layers, 8, spheres, 0.0, 0.0, 5.0}, { "plate" #layers, 8, spheres, 25.0 * (spheres), 0.02, 0.0 }
const problem_recipe PROBLEM_RECIPES[] = {
    {"A", 16, 4000, 0.0, 0.0, 5.0},
    {"B", 16, 4000, 1e3, 0.0, 5.0},
    {"C", 16, 4000, 1e5, 0.02, 0.0},
    DEEP(8, 588),
    DEEP(16, 1176),
    DEEP(32, 2352),
    DEEP(64, 4704),
};
const int PROBLEM_RECIPE_COUNT = sizeof PROBLEM_RECIPES / sizeof PROBLEM_RECIPES[0];

static double sphere_mass(double radius) { return DENSITY * 4.18879020478639 * radius * radius * radius; }

static scr_status bed_init(settled_bed *b, const problem_recipe *recipe, scr_error *error)
{
    *b = (settled_bed){.count = recipe->spheres, .width = 2.0 * RADIUS * recipe->width};
    scr_status status = scr_make_zeros(&b->position, b->count, sizeof *b->position, "the bed", error);
    if (status == SCR_OK) status = scr_make_zeros(&b->radius, b->count, sizeof *b->radius, "the bed", error);
    return status == SCR_OK ? scr_make_zeros(&b->handle, b->count, sizeof *b->handle, "the bed", error) : status;
}

bool bed_suits(const settled_bed *b, const problem_recipe *recipe)
{
    return b->count == recipe->spheres && b->width == 2.0 * RADIUS * recipe->width;
}

void bed_free(settled_bed *b)
{
    scr_free(b->position);
    scr_free(b->radius);
    scr_free(b->handle);
    *b = (settled_bed){0};
}

// On a loose lattice, a little out of place.
static void scatter(settled_bed *b)
{
    double pitch = 2.25 * RADIUS;
    int64_t side = (int64_t)(b->width / pitch);
    for (int64_t k = 0; k < b->count; ++k) {
        double u[2], w[2];
        scr_uniform2(11, 0, 2 * (uint64_t)k, u);
        scr_uniform2(11, 0, 2 * (uint64_t)k + 1, w);
        b->radius[k] = RADIUS * (0.9 + 0.2 * w[1]);
        b->position[k] = (scr_vec3){((double)(k % side) + 0.5 + 0.02 * u[0]) * pitch,
                                    ((double)(k / side % side) + 0.5 + 0.02 * u[1]) * pitch,
                                    ((double)(k / (side * side)) + 0.5 + 0.02 * w[0]) * pitch};
    }
}

static scr_status add_body(scr_world *world, scr_body_kind kind, scr_shape shape, scr_vec3 at, scr_quat turn,
                           double mass, scr_body *body, scr_error *error)
{
    scr_body_def def = scr_default_body_def();
    def.kind = kind;
    def.position = at;
    def.rotation = turn;
    def.mass = mass;
    def.shapes = &shape;
    def.shape_count = 1;
    return scr_world_add_body(world, &def, body, error);
}

// Floor and four walls, and the spheres where they are.
static scr_status make_world(const settled_bed *b, const scr_world_def *def, scr_world **world, scr_material *material,
                             scr_error *error)
{
    const double h = sqrt(0.5), w = b->width;
    const struct {
        scr_vec3 at;
        scr_quat turn;
    } planes[] = {
        {{0, 0, 0}, {1, 0, 0, 0}},  {{0, 0, 0}, {h, 0, h, 0}}, {{w, 0, 0}, {h, 0, -h, 0}},
        {{0, 0, 0}, {h, -h, 0, 0}}, {{0, w, 0}, {h, h, 0, 0}},
    };
    scr_material_def stone = scr_default_material_def();
    stone.friction = FRICTION;
    stone.density = DENSITY;
    scr_body body;
    scr_status status = scr_world_create(def, world, error);
    if (status == SCR_OK) status = scr_world_add_material(*world, &stone, material, error);
    for (int k = 0; status == SCR_OK && k < 5; ++k)
        status = add_body(*world, SCR_FIXED, scr_plane(*material), planes[k].at, planes[k].turn, 0.0, &body, error);
    if (status == SCR_OK)
        status = scr_world_add_spheres(*world, b->count, b->position, b->radius, NULL, *material, b->handle, error);
    return status;
}

static scr_status step(scr_world *world, int count, scr_error *error)
{
    scr_status status = SCR_OK;
    for (int k = 0; status == SCR_OK && k < count; ++k) status = scr_world_step(world, error);
    return status;
}

static scr_status take_positions(settled_bed *b, const scr_world *world, scr_error *error)
{
    scr_status status = SCR_OK;
    for (int64_t k = 0; status == SCR_OK && k < b->count; ++k) {
        scr_body_state state;
        status = scr_body_get_state(world, b->handle[k], &state, error);
        b->position[k] = state.position;
    }
    return status;
}

static scr_world_def world_def(bool rigid, int sweeps, int threads)
{
    scr_world_def def = scr_default_world_def();
    def.thread_count = threads;
    def.solver.max_iterations = sweeps;
    def.contact.envelope = 0.1;
    def.contact.law = rigid ? SCR_RIGID : SCR_COMPLIANT;
    def.contact.compliance = 1e-3;
    def.contact.damping = 0.0;
    return def;
}

static scr_status fall(settled_bed *b, int threads, scr_error *error)
{
    scr_world *world = NULL;
    scr_material material;
    scr_world_def def = world_def(false, BED_SWEEPS, threads);
    scatter(b);
    scr_status status = make_world(b, &def, &world, &material, error);
    if (status == SCR_OK) status = step(world, BED_STEPS, error);
    if (status == SCR_OK) status = take_positions(b, world, error);
    scr_world_destroy(world);
    return status;
}

scr_status bed_settle(settled_bed *b, const problem_recipe *recipe, int threads, scr_error *error)
{
    scr_status status = bed_init(b, recipe, error);
    if (status == SCR_OK) status = fall(b, threads, error);
    if (status != SCR_OK) bed_free(b);
    return status;
}

// A plate just above the highest sphere, with a little room to the walls.
static scr_status add_plate(const settled_bed *b, const problem_recipe *recipe, scr_world *world, scr_material material,
                            scr_body *plate, scr_error *error)
{
    double top = 0.0, half = 0.5 * b->width, thick = 0.5 * RADIUS;
    for (int64_t k = 0; k < b->count; ++k) top = fmax(top, b->position[k].z + b->radius[k]);
    scr_shape box = scr_box((scr_vec3){half - 0.2 * RADIUS, half - 0.2 * RADIUS, thick}, material);
    return add_body(world, SCR_DYNAMIC, box, (scr_vec3){half, half, top + thick}, (scr_quat){1, 0, 0, 0},
                    recipe->plate_masses * sphere_mass(RADIUS), plate, error);
}

static scr_status kick_plate(scr_world *world, scr_body plate, double speed, scr_error *error)
{
    scr_body_state state;
    scr_status status = scr_body_get_state(world, plate, &state, error);
    state.velocity.z -= speed;
    return status == SCR_OK ? scr_body_set_state(world, plate, &state, error) : status;
}

// The bed under its load, calmed with many sweeps, then the event of the recipe and its step.
scr_status problem_make(const settled_bed *b, const problem_recipe *recipe, bool rigid, int threads, saved_system *kept,
                        scr_error *error)
{
    scr_world *world = NULL;
    scr_material material;
    scr_body plate = {0};
    scr_world_def def = world_def(rigid, CALM_SWEEPS, threads);
    scr_status status = make_world(b, &def, &world, &material, error);
    if (status == SCR_OK && recipe->plate_masses > 0.0) status = add_plate(b, recipe, world, material, &plate, error);
    if (status == SCR_OK) status = step(world, CALM_STEPS, error);
    if (status == SCR_OK && recipe->plate_speed > 0.0) status = kick_plate(world, plate, recipe->plate_speed, error);
    double angle = recipe->tilt * 0.017453292519943295;
    if (status == SCR_OK) scr_world_set_gravity(world, (scr_vec3){9.81 * sin(angle), 0.0, -9.81 * cos(angle)}, NULL);
    if (status == SCR_OK) status = world_keep_problem(world, kept, error);
    if (status == SCR_OK) status = step(world, 1, error);
    scr_world_destroy(world);
    return status;
}
