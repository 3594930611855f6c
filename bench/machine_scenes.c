// SPDX-License-Identifier: BSD-3-Clause
#include "machine_scenes.h"

#include <math.h>

#include "core/base/memory.h"
#include "core/maths/rng.h"
#include "core/maths/trig.h"
#include "core/maths/vec3.h"

enum { BED_STEPS = 400, WORK_STEPS = 160, SETTLE_SWEEPS = 60 };
static const double GRAIN = 8e-3;                    // m
static const double ROLLING = 0.1, SPINNING = 0.05;  // coefficients
static const double BIN_LENGTH[MACHINES] = {0.45, 0.6}, BIN_WIDTH[MACHINES] = {0.25, 0.25};
static const int64_t GRAINS[MACHINES] = {5000, 2500};
const char *const MACHINE_NAMES[MACHINES] = {"bucket", "cart"};

typedef struct scene {
    scr_world *world;
    scr_material soil, steel;
    double length, width, top;  // m, of the bin and of the bed in it
} scene;

// ---- bed ----

static scr_status add_planes(scene *s, scr_error *error)
{
    const double h = sqrt(0.5);
    const struct {
        scr_vec3 at;
        scr_quat rotation;
    } planes[] = {
        {{0, 0, 0}, {1, 0, 0, 0}},  {{0, 0, 0}, {h, 0, h, 0}},        {{s->length, 0, 0}, {h, 0, -h, 0}},
        {{0, 0, 0}, {h, -h, 0, 0}}, {{0, s->width, 0}, {h, h, 0, 0}},
    };
    scr_shape plane = scr_plane(s->soil);
    scr_status status = SCR_OK;
    for (size_t k = 0; k < sizeof planes / sizeof *planes && status == SCR_OK; ++k) {
        scr_body_def def = scr_default_body_def();
        scr_body body;
        def.kind = SCR_FIXED;
        def.position = planes[k].at;
        def.rotation = planes[k].rotation;
        def.shapes = &plane;
        def.shape_count = 1;
        status = scr_world_add_body(s->world, &def, &body, error);
    }
    return status;
}

// On a loose lattice, a little out of place. Every other layer stands over the gaps of the one below: grains that
// resist rolling would stand on top of each other.
static scr_status add_grains(scene *s, int64_t count, scr_error *error)
{
    double pitch = 2.3 * GRAIN, *radius = NULL;
    int64_t nx = (int64_t)(s->length / pitch - 0.5), ny = (int64_t)(s->width / pitch - 0.5);
    scr_vec3 *position = NULL;
    scr_status status = scr_make_zeros(&position, count, sizeof *position, "the bed", error);
    if (status == SCR_OK) status = scr_make_zeros(&radius, count, sizeof *radius, "the bed", error);
    for (int64_t k = 0; k < count && status == SCR_OK; ++k) {
        double u[2], w[2];
        scr_uniform2(31, 0, 2 * (uint64_t)k, u);
        scr_uniform2(31, 0, 2 * (uint64_t)k + 1, w);
        radius[k] = GRAIN * (0.9 + 0.2 * w[1]);
        int64_t layer = k / (nx * ny);
        double shift = layer % 2 == 0 ? 0.5 : 1.0;
        position[k] =
            vec3(((double)(k % nx) + shift + 0.02 * u[0]) * pitch,
                 ((double)(k / nx % ny) + shift + 0.02 * u[1]) * pitch, ((double)layer + 0.5 + 0.02 * w[0]) * pitch);
    }
    if (status == SCR_OK) status = scr_world_add_spheres(s->world, count, position, radius, NULL, s->soil, NULL, error);
    scr_free(position);
    scr_free(radius);
    return status;
}

static scr_status step(scene *s, int count, scr_error *error)
{
    scr_status status = SCR_OK;
    for (int k = 0; status == SCR_OK && k < count; ++k) status = scr_world_step(s->world, error);
    return status;
}

static scr_status make_bed(scene *s, machine which, bool rolls, const scr_world_def *def, scr_error *error)
{
    scr_material_def soil = scr_default_material_def(), steel = scr_default_material_def();
    if (rolls) {
        soil.rolling_friction = steel.rolling_friction = ROLLING;
        soil.spinning_friction = steel.spinning_friction = SPINNING;
    }
    steel.friction = 0.4;
    s->length = BIN_LENGTH[which], s->width = BIN_WIDTH[which];
    scr_status status = scr_world_create(def, &s->world, error);
    if (status == SCR_OK) status = scr_world_add_material(s->world, &soil, &s->soil, error);
    if (status == SCR_OK) status = scr_world_add_material(s->world, &steel, &s->steel, error);
    if (status == SCR_OK) status = add_planes(s, error);
    if (status == SCR_OK) status = add_grains(s, GRAINS[which], error);
    if (status == SCR_OK) status = step(s, BED_STEPS, error);
    scr_body_view view = scr_world_bodies(s->world);
    for (int64_t k = 0; status == SCR_OK && k < view.count; ++k) s->top = fmax(s->top, view.z[k] + 1.1 * GRAIN);
    return status;
}

// ---- bucket ----

enum { ARC = 24, SECTION = 2 * (ARC + 1), SLICES = 16, VERTICES = SECTION * (SLICES + 1) };
enum { TRIANGLES = 2 * SECTION * SLICES + 4 * ARC };

typedef struct bucket_mesh {
    scr_vec3 vertex[VERTICES];
    int32_t triangle[3 * TRIANGLES];
} bucket_mesh;

static int32_t *add_triangle(int32_t *to, int32_t a, int32_t b, int32_t c)
{
    to[0] = a, to[1] = b, to[2] = c;
    return to + 3;
}

// Half a thick-walled pipe, open to the front: its section is a strip between two arcs, in the plane of x and z.
static void make_bucket(bucket_mesh *m)
{
    const double inside = 0.06, wall = 0.008, width = 0.16, half_circle = 3.14159265358979;
    int32_t *t = m->triangle;
    for (int slice = 0; slice <= SLICES; ++slice) {
        for (int k = 0; k < SECTION; ++k) {
            int at = k <= ARC ? k : SECTION - 1 - k;
            double s, c, r = k <= ARC ? inside + wall : inside;
            scr_sincos(half_circle * at / ARC, &s, &c);
            m->vertex[slice * SECTION + k] = vec3(-r * s, width * ((double)slice / SLICES - 0.5), r * c);
        }
    }
    for (int slice = 0; slice < SLICES; ++slice) {
        for (int k = 0; k < SECTION; ++k) {
            int32_t a = slice * SECTION + k, b = slice * SECTION + (k + 1) % SECTION;
            t = add_triangle(t, a, b, b + SECTION);
            t = add_triangle(t, a, b + SECTION, a + SECTION);
        }
    }
    for (int k = 0; k < ARC; ++k) {
        int32_t out = k, in = SECTION - 1 - k, far = SLICES * SECTION;
        t = add_triangle(t, out, in, in - 1);
        t = add_triangle(t, out, in - 1, out + 1);
        t = add_triangle(t, far + out, far + in - 1, far + in);
        t = add_triangle(t, far + out, far + out + 1, far + in - 1);
    }
}

static scr_status add_bucket(scene *s, scr_error *error)
{
    static bucket_mesh mesh;
    make_bucket(&mesh);
    scr_triangles triangles = {VERTICES, TRIANGLES, mesh.vertex, mesh.triangle};
    scr_surface surface;
    scr_body body;
    scr_status status = scr_world_add_mesh(s->world, &triangles, &surface, error);
    if (status != SCR_OK) return status;
    scr_shape shape = scr_surface_shape(s->world, surface, s->steel);
    scr_body_def def = scr_default_body_def();
    def.kind = SCR_KINEMATIC;
    def.shapes = &shape;
    def.shape_count = 1;
    def.position = vec3(0.12, 0.5 * s->width, s->top + 0.07);
    def.velocity = vec3(0.3, 0.0, -0.4);
    return scr_world_add_body(s->world, &def, &body, error);
}

// ---- cart ----

static scr_status add_part(scene *s, scr_shape shape, scr_vec3 at, scr_quat rotation, double mass, bool touches,
                           scr_body *body, scr_error *error)
{
    enum { PARTS = 2 };
    scr_body_def def = scr_default_body_def();
    def.position = at;
    def.rotation = rotation;
    def.mass = mass;
    def.shapes = &shape;
    def.shape_count = 1;
    def.group = PARTS;
    def.collides_with = touches ? ~(uint32_t)PARTS : 0;
    return scr_world_add_body(s->world, &def, body, error);
}

// Something that slides up and down on the chassis, on a spring.
static scr_status add_sprung(scene *s, scr_body chassis, scr_vec3 at, double mass, double stiffness, scr_body *body,
                             scr_error *error)
{
    scr_joint slide;
    scr_spring spring;
    scr_shape block = scr_box(vec3(0.02, 0.01, 0.02), s->steel);
    scr_status status = add_part(s, block, at, (scr_quat){1, 0, 0, 0}, mass, false, body, error);
    if (status != SCR_OK) return status;
    scr_joint_def joint = scr_joint_at(SCR_JOINT_PRISMATIC, chassis, *body, at, vec3(0.0, 0.0, 1.0));
    status = scr_world_add_joint(s->world, &joint, &slide, error);
    scr_spring_def def = scr_default_spring_def();
    def.joint = slide;
    def.stiffness = stiffness;
    def.damping = 0.02 * stiffness;
    return status == SCR_OK ? scr_world_add_spring(s->world, &def, &spring, error) : status;
}

static scr_status add_wheel(scene *s, scr_body chassis, scr_vec3 at, scr_error *error)
{
    const double h = sqrt(0.5);
    scr_body carrier, wheel;
    scr_joint axle;
    scr_status status = add_sprung(s, chassis, at, 0.5, 2000.0, &carrier, error);
    if (status == SCR_OK)
        status =
            add_part(s, scr_cylinder(0.05, 0.02, s->steel), at, (scr_quat){h, h, 0.0, 0.0}, 1.0, true, &wheel, error);
    if (status != SCR_OK) return status;
    scr_joint_def joint = scr_joint_at(SCR_JOINT_REVOLUTE, carrier, wheel, at, vec3(0.0, 1.0, 0.0));
    scr_motor_def motor = scr_default_motor_def();
    motor.value.constant = 4.0;  // rad/s
    motor.max_force = 3.0;
    status = scr_world_add_joint(s->world, &joint, &axle, error);
    return status == SCR_OK ? scr_joint_set_motor(s->world, axle, &motor, error) : status;
}

// Chassis, a load on a spring, a drawbar on a hinge, four wheels on sprung carriers.
static scr_status add_cart(scene *s, scr_error *error)
{
    scr_vec3 at = vec3(0.3, 0.5 * s->width, s->top + 0.06);
    scr_body chassis, load, drawbar;
    scr_joint hinge;
    scr_status status = add_part(s, scr_box(vec3(0.14, 0.05, 0.02), s->steel), vec3_add(at, vec3(0.0, 0.0, 0.05)),
                                 (scr_quat){1, 0, 0, 0}, 8.0, true, &chassis, error);
    if (status == SCR_OK) status = add_sprung(s, chassis, vec3_add(at, vec3(0.0, 0.0, 0.1)), 6.0, 4000.0, &load, error);
    if (status == SCR_OK)
        status = add_part(s, scr_box(vec3(0.05, 0.01, 0.01), s->steel), vec3_add(at, vec3(-0.19, 0.0, 0.05)),
                          (scr_quat){1, 0, 0, 0}, 0.5, true, &drawbar, error);
    if (status != SCR_OK) return status;
    scr_joint_def joint =
        scr_joint_at(SCR_JOINT_REVOLUTE, chassis, drawbar, vec3_add(at, vec3(-0.14, 0.0, 0.05)), vec3(0.0, 1.0, 0.0));
    status = scr_world_add_joint(s->world, &joint, &hinge, error);
    for (int k = 0; k < 4 && status == SCR_OK; ++k)
        status =
            add_wheel(s, chassis, vec3_add(at, vec3(k % 2 == 0 ? -0.1 : 0.1, k / 2 == 0 ? -0.08 : 0.08, 0.0)), error);
    return status == SCR_OK ? scr_world_assemble(s->world, NULL, error) : status;
}

scr_status machine_scene(machine which, bool rolls, const scr_world_def *def, scr_world **world, scr_error *error)
{
    scene s = {0};
    scr_world_def settling = *def;
    settling.solver.max_iterations = SETTLE_SWEEPS;
    settling.solver.tolerance = 0.03;
    scr_status status = make_bed(&s, which, rolls, &settling, error);
    if (status == SCR_OK) status = which == MACHINE_BUCKET ? add_bucket(&s, error) : add_cart(&s, error);
    if (status == SCR_OK) status = step(&s, WORK_STEPS, error);
    *world = s.world;
    return status;
}
