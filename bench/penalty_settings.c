// SPDX-License-Identifier: BSD-3-Clause
#include "penalty_settings.h"

#include <math.h>

#include "core/base/memory.h"

static const double THICK = 0.05, TALL = 0.3;                                      // m: of the boxes around the bed
static const double SHEARED_HEIGHT = 0.18, SHEAR_RATE = 1.0, STRETCH_RATE = -1.0;  // m, 1/s, 1/s
// Of blade and paddle, m; the bed is about 0.16 m deep.
static const double BLADE_WIDTH = 0.2, BLADE_HEIGHT = 0.14, BLADE_FOOT = 0.03, BLADE_SPEED = 0.2;
static const double PADDLE_HALF[3] = {0.06, 0.1, 0.005}, PADDLE_AXIS = 0.17, PADDLE_SPEED = 5.0;
enum { BLADE_CELLS = 16 };  // along each side, two triangles each

static scr_status add_body(scr_world *world, scr_body_kind kind, scr_vec3 at, scr_vec3 velocity, scr_shape shape,
                           scr_body *body, scr_error *error)
{
    scr_body_def def = scr_default_body_def();
    def.kind = kind;
    def.position = at;
    def.velocity = velocity;
    def.shapes = &shape;
    def.shape_count = 1;
    return scr_world_add_body(world, &def, body, error);
}

static scr_status add_boxes(scr_world *world, double lx, double ly, scr_material material, scr_error *error)
{
    const scr_vec3 none = {0, 0, 0};
    const double t = 0.5 * THICK, h = 0.5 * TALL;
    const struct {
        scr_vec3 at, half;
    } boxes[] = {{{0.5 * lx, 0.5 * ly, -t}, {0.5 * lx + THICK, 0.5 * ly + THICK, t}},
                 {{-t, 0.5 * ly, h}, {t, 0.5 * ly + THICK, h}},
                 {{lx + t, 0.5 * ly, h}, {t, 0.5 * ly + THICK, h}},
                 {{0.5 * lx, -t, h}, {0.5 * lx, t, h}},
                 {{0.5 * lx, ly + t, h}, {0.5 * lx, t, h}}};
    scr_status status = SCR_OK;
    scr_body body;
    for (size_t k = 0; k < sizeof boxes / sizeof *boxes && status == SCR_OK; ++k)
        status = add_body(world, SCR_FIXED, boxes[k].at, none, scr_box(boxes[k].half, material), &body, error);
    return status;
}

static scr_status add_blade(scr_world *world, double lx, double ly, scr_material material, scr_error *error)
{
    enum { SIDE = BLADE_CELLS + 1 };
    scr_vec3 vertex[SIDE * SIDE];
    int32_t triangle[6 * BLADE_CELLS * BLADE_CELLS];
    for (int k = 0; k < SIDE * SIDE; ++k)
        vertex[k] = (scr_vec3){0.0, BLADE_WIDTH * ((double)(k % SIDE) / BLADE_CELLS - 0.5),
                               BLADE_HEIGHT * ((double)(k / SIDE) / BLADE_CELLS - 0.5)};
    for (int k = 0; k < BLADE_CELLS * BLADE_CELLS; ++k) {
        int at = k / BLADE_CELLS * SIDE + k % BLADE_CELLS;
        const int32_t corner[6] = {at, at + 1, at + SIDE + 1, at, at + SIDE + 1, at + SIDE};
        for (int c = 0; c < 6; ++c) triangle[6 * k + c] = corner[c];
    }
    scr_triangles sheet = {SIDE * SIDE, 2 * BLADE_CELLS * BLADE_CELLS, vertex, triangle};
    scr_surface surface;
    scr_body body;
    scr_vec3 at = {0.5 * lx, 0.5 * ly, BLADE_FOOT + 0.5 * BLADE_HEIGHT}, along = {BLADE_SPEED, 0, 0};
    scr_status status = scr_world_add_mesh(world, &sheet, &surface, error);
    return status == SCR_OK
               ? add_body(world, SCR_KINEMATIC, at, along, scr_surface_shape(world, surface, material), &body, error)
               : status;
}

static scr_status add_paddle(scr_world *world, double lx, double ly, scr_material material, scr_error *error)
{
    scr_vec3 at = {0.5 * lx, 0.5 * ly, PADDLE_AXIS}, rest = {0, 0, 0}, y = {0, 1, 0};
    scr_shape box = scr_box((scr_vec3){PADDLE_HALF[0], PADDLE_HALF[1], PADDLE_HALF[2]}, material);
    scr_body body;
    scr_status status = add_body(world, SCR_DYNAMIC, at, rest, box, &body, error);
    if (status != SCR_OK) return status;
    scr_joint joint;
    scr_joint_def hinge = scr_joint_at(SCR_JOINT_REVOLUTE, (scr_body){0}, body, at, y);
    scr_motor_def motor = scr_default_motor_def();
    motor.drive = SCR_DRIVE_SPEED;
    motor.value.constant = PADDLE_SPEED;
    status = scr_world_add_joint(world, &hinge, &joint, error);
    return status == SCR_OK ? scr_joint_set_motor(world, joint, &motor, error) : status;
}

static bool is_free(const penalty_setting *setting, scr_vec3 p, double lx, double ly)
{
    double x = fabs(p.x - 0.5 * lx), y = fabs(p.y - 0.5 * ly), r = PENALTY_RADIUS;
    if (setting->blade && x < r && y < 0.5 * BLADE_WIDTH + r && p.z > BLADE_FOOT - r) return false;
    double reach = sqrt(PADDLE_HALF[0] * PADDLE_HALF[0] + PADDLE_HALF[2] * PADDLE_HALF[2]) + r;
    return !(setting->paddle && y < PADDLE_HALF[1] + r && hypot(x, p.z - PADDLE_AXIS) < reach &&
             fabs(p.z - PADDLE_AXIS) < PADDLE_HALF[2] + r);
}

static scr_status add_grains(const penalty_setting *setting, const scr_vec3 *position, int64_t count, double lx,
                             double ly, scr_world *world, scr_material material, scr_error *error)
{
    double *radius = scr_alloc(scr_array_bytes(count, sizeof *radius));
    scr_vec3 *kept = scr_alloc(scr_array_bytes(count, sizeof *kept));
    scr_status status = radius != NULL && kept != NULL ? SCR_OK : SCR_NO_MEMORY;
    int64_t n = 0;
    for (int64_t k = 0; k < count && status == SCR_OK; ++k) {
        radius[k] = PENALTY_RADIUS;
        if (is_free(setting, position[k], lx, ly)) kept[n++] = position[k];
    }
    if (status == SCR_OK) status = scr_world_add_spheres(world, n, kept, radius, NULL, material, NULL, error);
    scr_free(radius);
    scr_free(kept);
    return status;
}

scr_status penalty_setting_lay(const penalty_setting *setting, const scr_vec3 *position, int nx, int ny,
                               scr_world_def def, scr_world **world, scr_error *error)
{
    const double lx = nx * PENALTY_TILE_WIDTH, ly = ny * PENALTY_TILE_WIDTH;
    scr_material_def stuff = penalty_bed_material();
    scr_material material;
    if (setting->repeats) def.period.high = (scr_vec3){lx, ly, 0.0};
    const int planes = setting->sheared || setting->stretched ? 0 : setting->repeats ? 1 : 5;
    if (setting->sheared) {
        def.period = (scr_period){.high = {lx, ly, SHEARED_HEIGHT}, .shear = {0, 2, SHEAR_RATE}};
        def.gravity = (scr_vec3){0.0, 0.0, 0.0};
    }
    if (setting->stretched) {
        def.period = (scr_period){.high = {lx, ly, SHEARED_HEIGHT}, .is_stretched = true};
        def.gravity = (scr_vec3){0.0, 0.0, 0.0};
    }
    scr_status status = scr_world_create(&def, world, error);
    if (status == SCR_OK) status = scr_world_add_material(*world, &stuff, &material, error);
    if (status == SCR_OK)
        status = setting->boxes ? add_boxes(*world, lx, ly, material, error)
                                : penalty_bed_add_planes(*world, lx, ly, planes, material, error);
    if (status == SCR_OK && setting->blade) status = add_blade(*world, lx, ly, material, error);
    if (status == SCR_OK && setting->paddle) status = add_paddle(*world, lx, ly, material, error);
    if (status == SCR_OK)
        status = add_grains(setting, position, (int64_t)nx * ny * PENALTY_TILE, lx, ly, *world, material, error);
    if (status == SCR_OK && setting->stretched) {
        const scr_vec3 rate = {-0.25 * STRETCH_RATE * lx, -0.25 * STRETCH_RATE * ly, STRETCH_RATE * SHEARED_HEIGHT};
        status = scr_world_stretch(*world, rate, error);
    }
    return status;
}

scr_status penalty_setting_serve(scr_world *world, scr_error *error)
{
    scr_stress stress;
    scr_vec3 rate = scr_world_cell_rate(world);
    scr_status status = scr_world_stress(world, &stress, error);
    rate.z *= 1.0 + 1e-6 * stress.contact[2][2] / (1.0 + fabs(stress.contact[2][2]));
    return status == SCR_OK ? scr_world_stretch(world, rate, error) : status;
}

// Grains fall in a row of their own, 1 m/s fast and high above the bed.
scr_status penalty_setting_emit(const penalty_setting *setting, scr_world *world, int64_t step, scr_body *handles,
                                scr_error *error)
{
    enum { PLACES = 16 };
    if (step % setting->round != 0) return SCR_OK;
    int n = setting->emitted * setting->round;
    scr_body *here = handles + step % PENALTY_EMITTED_STAY * setting->emitted;
    scr_status status = step >= PENALTY_EMITTED_STAY ? scr_world_remove_bodies(world, n, here, error) : SCR_OK;
    double radius[PENALTY_EMITTED_MAX];
    scr_vec3 at[PENALTY_EMITTED_MAX], velocity[PENALTY_EMITTED_MAX];
    for (int k = 0; k < n; ++k) {
        int64_t number = step * setting->emitted + k, column = number % (PLACES * PLACES);
        double pitch = 2.5 * PENALTY_RADIUS, layer = (double)(number / (PLACES * PLACES) % PENALTY_EMITTED_STAY);
        at[k] = (scr_vec3){0.02 + pitch * (double)(column % PLACES), 0.02 + pitch * (double)(column / PLACES),
                           0.5 + pitch * layer};
        velocity[k] = (scr_vec3){0, 0, -1.0};
        radius[k] = PENALTY_RADIUS;
    }
    return status == SCR_OK ? scr_world_add_spheres(world, n, at, radius, velocity, (scr_material){1}, here, error)
                            : status;
}
