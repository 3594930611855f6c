// SPDX-License-Identifier: BSD-3-Clause
#include "ring_scene.h"

#include <math.h>

#include "core/base/memory.h"
#include "core/maths/rng.h"
#include "core/maths/vec3.h"
#include "dynamics/world/world_state.h"

enum { GRAINS = 20000, SHOES = 46, RUN = 14, ARC = 9, ROAD_WHEELS = 5, ROLLERS = 3 };
enum { BED_STEPS = 300, CALM_STEPS = 600, PAUSE_STEPS = 20, CALM_SWEEPS = 200 };
enum { GROUND_GROUP = 1, SHOE_GROUP = 2, WHEEL_GROUP = 4 };
static const double PI = 3.14159265358979323846;
static const double GRAIN = 4.5e-3, BIN_LENGTH = 1.3, BIN_WIDTH = 0.18;  // m
static const double PITCH = 0.06, SHOE_HALF[3] = {0.028, 0.06, 0.0075};  // m
static const double CHASSIS_MASS = 200.0, SHOE_MASS = 0.3;               // kg
// m, between wheels and shoes as they are laid
static const double PLAY = 2e-4;
static const double TILT = 5.0 * 0.017453292519943295, TORQUE = 100.0;  // rad, N m

typedef struct scene {
    scr_world *world;
    scr_material stone, steel;
    scr_vec3 *position;
    double *radius, top;  // top: m, of the bed
    scr_body chassis, shoe[SHOES];
    scr_joint rear;  // axle of the rear wheel
} scene;

// ---- bed ----

static scr_status add_planes(scene *s, scr_error *error)
{
    const double h = sqrt(0.5);
    const struct {
        scr_vec3 at;
        scr_quat turn;
    } planes[] = {
        {{0, 0, 0}, {1, 0, 0, 0}},  {{0, 0, 0}, {h, 0, h, 0}},         {{BIN_LENGTH, 0, 0}, {h, 0, -h, 0}},
        {{0, 0, 0}, {h, -h, 0, 0}}, {{0, BIN_WIDTH, 0}, {h, h, 0, 0}},
    };
    scr_status status = SCR_OK;
    for (size_t k = 0; k < sizeof planes / sizeof *planes && status == SCR_OK; ++k) {
        scr_shape plane = scr_plane(s->stone);
        scr_body_def def = scr_default_body_def();
        scr_body body;
        def.kind = SCR_FIXED;
        def.position = planes[k].at;
        def.rotation = planes[k].turn;
        def.shapes = &plane;
        def.shape_count = 1;
        status = scr_world_add_body(s->world, &def, &body, error);
    }
    return status;
}

// On a loose lattice, a little out of place.
static scr_status add_grains(scene *s, scr_error *error)
{
    double pitch = 2.25 * GRAIN;
    int64_t nx = (int64_t)(BIN_LENGTH / pitch), ny = (int64_t)(BIN_WIDTH / pitch);
    scr_status status = scr_make_zeros(&s->position, GRAINS, sizeof *s->position, "the bed", error);
    if (status == SCR_OK) status = scr_make_zeros(&s->radius, GRAINS, sizeof *s->radius, "the bed", error);
    for (int64_t k = 0; k < GRAINS && status == SCR_OK; ++k) {
        double u[2], w[2];
        scr_uniform2(23, 0, 2 * (uint64_t)k, u);
        scr_uniform2(23, 0, 2 * (uint64_t)k + 1, w);
        s->radius[k] = GRAIN * (0.9 + 0.2 * w[1]);
        s->position[k] =
            vec3(((double)(k % nx) + 0.5 + 0.02 * u[0]) * pitch, ((double)(k / nx % ny) + 0.5 + 0.02 * u[1]) * pitch,
                 ((double)(k / (nx * ny)) + 0.5 + 0.02 * w[0]) * pitch);
    }
    return status == SCR_OK
               ? scr_world_add_spheres(s->world, GRAINS, s->position, s->radius, NULL, s->stone, NULL, error)
               : status;
}

static scr_status step(scene *s, int count, scr_error *error)
{
    scr_status status = SCR_OK;
    for (int k = 0; status == SCR_OK && k < count; ++k) status = scr_world_step(s->world, error);
    return status;
}

static scr_status make_bed(scene *s, int threads, scr_error *error)
{
    scr_world_def def = scr_default_world_def();
    scr_material_def stone = scr_default_material_def(), steel = scr_default_material_def();
    def.thread_count = threads;
    def.solver.max_iterations = CALM_SWEEPS;
    stone.density = 2600.0;
    steel.density = 7800.0;
    steel.friction = 0.3;
    scr_status status = scr_world_create(&def, &s->world, error);
    if (status == SCR_OK) status = scr_world_add_material(s->world, &stone, &s->stone, error);
    if (status == SCR_OK) status = scr_world_add_material(s->world, &steel, &s->steel, error);
    if (status == SCR_OK) status = add_planes(s, error);
    if (status == SCR_OK) status = add_grains(s, error);
    if (status == SCR_OK) status = step(s, BED_STEPS, error);
    scr_body_view view = scr_world_bodies(s->world);
    for (int64_t k = 0; k < view.count; ++k) s->top = fmax(s->top, view.z[k] + 1.1 * GRAIN);
    return status;
}

// ---- vehicle ----

static scr_quat about_y(double angle) { return (scr_quat){cos(0.5 * angle), 0.0, sin(0.5 * angle), 0.0}; }

static scr_status add_body(scene *s, scr_shape shape, scr_vec3 at, scr_quat turn, double mass, uint32_t group,
                           uint32_t touches, scr_body *body, scr_error *error)
{
    scr_body_def def = scr_default_body_def();
    def.position = at;
    def.rotation = turn;
    def.mass = mass;
    def.shapes = &shape;
    def.shape_count = 1;
    def.group = group;
    def.collides_with = touches;
    return scr_world_add_body(s->world, &def, body, error);
}

static scr_status hinge(scene *s, scr_body a, scr_body b, scr_vec3 at, scr_joint *joint, scr_error *error)
{
    scr_joint_def def = scr_joint_at(SCR_JOINT_REVOLUTE, a, b, at, vec3(0.0, 1.0, 0.0));
    return scr_world_add_joint(s->world, &def, joint, error);
}

// Shoes one after the other, from the first hinge on, each turned against the last one by its share of an arc.
static scr_status add_ring(scene *s, scr_vec3 centre, double arc_radius, scr_error *error)
{
    const double turn_of_one = PI / (ARC + 1);
    scr_vec3 at = vec3(centre.x - 0.5 * RUN * PITCH, centre.y, centre.z - arc_radius), first = at;
    double angle = 0.0;
    scr_joint joint;
    scr_status status = SCR_OK;
    for (int k = 0; k < SHOES && status == SCR_OK; ++k) {
        if ((k >= RUN && k <= RUN + ARC) || k >= 2 * RUN + ARC) angle += turn_of_one;
        scr_vec3 along = vec3(PITCH * cos(angle), 0.0, PITCH * sin(angle));
        scr_shape plate = scr_box(vec3(SHOE_HALF[0], SHOE_HALF[1], SHOE_HALF[2]), s->steel);
        status = add_body(s, plate, vec3_add_scaled(at, 0.5, along), about_y(-angle), SHOE_MASS, SHOE_GROUP, ~0u,
                          &s->shoe[k], error);
        if (status == SCR_OK && k > 0) status = hinge(s, s->shoe[k - 1], s->shoe[k], at, &joint, error);
        at = vec3_add(at, along);
    }
    if (status == SCR_OK && vec3_norm(vec3_sub(at, first)) > 1e-9)
        status = scr_fail(error, SCR_BAD_INPUT, "the ring does not close");
    return status == SCR_OK ? hinge(s, s->shoe[SHOES - 1], s->shoe[0], first, &joint, error) : status;
}

static scr_status add_wheel(scene *s, scr_vec3 at, double radius, double mass, scr_joint *axle, scr_error *error)
{
    const double h = sqrt(0.5);
    scr_body wheel;
    scr_shape rim = scr_cylinder(radius, 0.8 * SHOE_HALF[1], s->steel);
    scr_status status = add_body(s, rim, at, (scr_quat){h, h, 0.0, 0.0}, mass, WHEEL_GROUP, SHOE_GROUP, &wheel, error);
    return status == SCR_OK ? hinge(s, s->chassis, wheel, at, axle, error) : status;
}

static scr_status add_wheels(scene *s, scr_vec3 centre, double inside, scr_error *error)
{
    const double road = 0.08, roller = 0.05;
    scr_joint other;
    scr_status status = SCR_OK;
    for (int side = -1; side <= 1 && status == SCR_OK; side += 2)
        status = add_wheel(s, vec3(centre.x + side * 0.5 * (RUN - 1) * PITCH, centre.y, centre.z), inside - PLAY, 10.0,
                           side < 0 ? &s->rear : &other, error);
    for (int k = 0; k < ROAD_WHEELS && status == SCR_OK; ++k)
        status = add_wheel(s, vec3(centre.x + 0.15 * (k - 2), centre.y, centre.z - inside + road + PLAY), road, 5.0,
                           &other, error);
    for (int k = 0; k < ROLLERS && status == SCR_OK; ++k)
        status = add_wheel(s, vec3(centre.x + 0.2 * (k - 1), centre.y, centre.z + inside - roller - PLAY), roller, 2.0,
                           &other, error);
    return status;
}

static scr_status add_vehicle(scene *s, scr_error *error)
{
    double arc_radius = 0.5 * PITCH / tan(0.5 * PI / (ARC + 1));
    scr_vec3 centre = vec3(0.5 * BIN_LENGTH, 0.5 * BIN_WIDTH, s->top + SHOE_HALF[2] + arc_radius + 1e-4);
    scr_shape box = scr_box(vec3(0.4, 0.15, 0.1), s->steel);
    scr_status status =
        add_body(s, box, centre, (scr_quat){1, 0, 0, 0}, CHASSIS_MASS, WHEEL_GROUP, 0, &s->chassis, error);
    scr_joint joint;
    scr_joint_def upright = scr_joint_at(SCR_JOINT_PLANAR, (scr_body){0}, s->chassis, centre, vec3(0.0, 1.0, 0.0));
    if (status == SCR_OK) status = scr_world_add_joint(s->world, &upright, &joint, error);
    if (status == SCR_OK) status = add_wheels(s, centre, arc_radius - SHOE_HALF[2], error);
    return status == SCR_OK ? add_ring(s, centre, arc_radius, error) : status;
}

// ---- events ----

const char *const RING_EVENT_NAMES[RING_EVENTS] = {"slope", "drive"};

static scr_status set_event(scene *s, ring_event event, bool on, scr_error *error)
{
    if (event == RING_SLOPE) {
        scr_world_set_gravity(s->world, on ? vec3(9.81 * sin(TILT), 0.0, -9.81 * cos(TILT)) : vec3(0.0, 0.0, -9.81),
                              NULL);
        return SCR_OK;
    }
    scr_motor_def motor = scr_default_motor_def();
    motor.drive = SCR_DRIVE_FORCE;
    motor.value.constant = TORQUE;
    return scr_joint_set_motor(s->world, s->rear, on ? &motor : NULL, error);
}

static scr_status keep_event(scene *s, ring_event event, saved_system *kept, scr_error *error)
{
    scr_status status = set_event(s, event, true, error);
    if (status == SCR_OK) status = world_keep_problem(s->world, kept, error);
    if (status == SCR_OK) status = step(s, 1, error);
    if (status == SCR_OK) status = world_keep_problem(s->world, NULL, error);
    if (status == SCR_OK) status = set_event(s, event, false, error);
    return status == SCR_OK ? step(s, PAUSE_STEPS, error) : status;
}

scr_status ring_problems_make(int threads, saved_system kept[RING_EVENTS], scr_error *error)
{
    scene s = {0};
    scr_status status = make_bed(&s, threads, error);
    if (status == SCR_OK) status = add_vehicle(&s, error);
    if (status == SCR_OK) status = step(&s, CALM_STEPS, error);
    for (int event = 0; event < RING_EVENTS && status == SCR_OK; ++event)
        status = keep_event(&s, (ring_event)event, &kept[event], error);
    scr_world_destroy(s.world);
    scr_free(s.position);
    scr_free(s.radius);
    return status;
}
