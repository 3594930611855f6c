// SPDX-License-Identifier: BSD-3-Clause
#include "penalty_bed.h"

#include <math.h>

#include "core/base/memory.h"
#include "core/maths/rng.h"

enum { TILE_SIDE = 20, FALL_STEPS = 6000, REST_STEPS = 3000 };
static const double FALL_STEP = 5e-5;  // s: while grains fall, steps may be longer

scr_world_def penalty_bed_def(void)
{
    scr_world_def def = scr_default_world_def();
    def.time_step = PENALTY_STEP;
    def.contact.law = SCR_PENALTY;
    return def;
}

scr_status penalty_bed_add_planes(scr_world *world, double lx, double ly, int count, scr_material material,
                                  scr_error *error)
{
    const double h = sqrt(0.5);
    const struct {
        scr_vec3 at;
        scr_quat turn;
    } planes[] = {
        {{0, 0, 0}, {1, 0, 0, 0}},                                // up
        {{0, 0, 0}, {h, 0, h, 0}},  {{lx, 0, 0}, {h, 0, -h, 0}},  // +x, -x
        {{0, 0, 0}, {h, -h, 0, 0}}, {{0, ly, 0}, {h, h, 0, 0}},   // +y, -y
    };
    scr_shape shape = scr_plane(material);
    scr_status status = SCR_OK;
    for (int k = 0; k < count && status == SCR_OK; ++k) {
        scr_body_def def = scr_default_body_def();
        def.kind = SCR_FIXED;
        def.position = planes[k].at;
        def.rotation = planes[k].turn;
        def.shapes = &shape;
        def.shape_count = 1;
        scr_body body;
        status = scr_world_add_body(world, &def, &body, error);
    }
    return status;
}

scr_material_def penalty_bed_material(void)
{
    scr_material_def def = scr_default_material_def();
    def.young = 5e6, def.restitution = 0.5;
    return def;
}

// A box with spheres in it. handles may be NULL.
static scr_status fill_box(const scr_world_def *def, const scr_material_def *stuff, double lx, double ly, int64_t count,
                           const scr_vec3 *position, const scr_vec3 *velocity, scr_body *handles, scr_world **world,
                           scr_error *error)
{
    scr_material material;
    double *radius = scr_alloc(scr_array_bytes(count, sizeof *radius));
    if (radius == NULL) return SCR_NO_MEMORY;
    for (int64_t k = 0; k < count; ++k) radius[k] = PENALTY_RADIUS;
    scr_status status = scr_world_create(def, world, error);
    if (status == SCR_OK) status = scr_world_add_material(*world, stuff, &material, error);
    if (status == SCR_OK) status = penalty_bed_add_planes(*world, lx, ly, 5, material, error);
    if (status == SCR_OK)
        status = scr_world_add_spheres(*world, count, position, radius, velocity, material, handles, error);
    scr_free(radius);
    return status;
}

static void scatter_tile(penalty_tile *tile, scr_vec3 *velocity)
{
    const double pitch = PENALTY_TILE_WIDTH / TILE_SIDE;
    for (int k = 0; k < PENALTY_TILE; ++k) {
        double u[6];
        for (uint64_t d = 0; d < 3; ++d) scr_uniform2(11, 0, 3 * (uint64_t)k + d, u + 2 * d);
        int x = k % TILE_SIDE, y = k / TILE_SIDE % TILE_SIDE, z = k / (TILE_SIDE * TILE_SIDE);
        tile->position[k] =
            (scr_vec3){(x + 0.5) * pitch + 2.4e-4 * (2.0 * u[0] - 1.0), (y + 0.5) * pitch + 2.4e-4 * (2.0 * u[1] - 1.0),
                       (z + 0.5) * pitch + 2e-4 * (2.0 * u[2] - 1.0)};
        velocity[k] = (scr_vec3){1.2 * u[3] - 0.6, 1.2 * u[4] - 0.6, 0.8 * u[5] - 0.6};
    }
}

static scr_status run(penalty_tile *tile, const scr_vec3 *velocity, double time_step, int steps, scr_vec3 *new_velocity,
                      scr_error *error)
{
    static scr_body handle[PENALTY_TILE];
    scr_world_def def = penalty_bed_def();
    scr_material_def stuff = penalty_bed_material();
    scr_world *world = NULL;
    def.time_step = time_step;
    def.thread_count = 1;  // a tile is too small to gain by more, on a machine that does other work as well
    scr_status status = fill_box(&def, &stuff, PENALTY_TILE_WIDTH, PENALTY_TILE_WIDTH, PENALTY_TILE, tile->position,
                                 velocity, handle, &world, error);
    for (int k = 0; k < steps && status == SCR_OK; ++k) status = scr_world_step(world, error);
    for (int k = 0; k < PENALTY_TILE && status == SCR_OK; ++k) {
        scr_body_state state;
        status = scr_body_get_state(world, handle[k], &state, error);
        tile->position[k] = state.position;
        new_velocity[k] = state.velocity;
    }
    scr_world_destroy(world);
    return status;
}

scr_status penalty_tile_settle(penalty_tile *tile, scr_error *error)
{
    static scr_vec3 velocity[PENALTY_TILE];
    scatter_tile(tile, velocity);
    scr_status status = run(tile, velocity, FALL_STEP, FALL_STEPS, velocity, error);
    return status == SCR_OK ? run(tile, velocity, PENALTY_STEP, REST_STEPS, velocity, error) : status;
}

scr_vec3 *penalty_bed_positions(const penalty_tile *tile, int nx, int ny)
{
    int64_t count = (int64_t)nx * ny * PENALTY_TILE;
    scr_vec3 *position = scr_alloc(scr_array_bytes(count, sizeof *position));
    for (int64_t i = 0; i < count && position != NULL; ++i) {
        int64_t t = i / PENALTY_TILE, ix = t % nx, iy = t / nx;
        scr_vec3 p = tile->position[i % PENALTY_TILE];
        p.x = ix % 2 == 0 ? (double)ix * PENALTY_TILE_WIDTH + p.x : (double)(ix + 1) * PENALTY_TILE_WIDTH - p.x;
        p.y = iy % 2 == 0 ? (double)iy * PENALTY_TILE_WIDTH + p.y : (double)(iy + 1) * PENALTY_TILE_WIDTH - p.y;
        position[i] = p;
    }
    return position;
}

scr_status penalty_bed_lay(const scr_vec3 *position, int nx, int ny, const scr_world_def *def,
                           const scr_material_def *stuff, scr_world **world, scr_error *error)
{
    return fill_box(def, stuff, nx * PENALTY_TILE_WIDTH, ny * PENALTY_TILE_WIDTH, (int64_t)nx * ny * PENALTY_TILE,
                    position, NULL, NULL, world, error);
}
