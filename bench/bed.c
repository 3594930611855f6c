// SPDX-License-Identifier: BSD-3-Clause
#include "bed.h"

#include <math.h>

#include "core/base/memory.h"
#include "core/maths/rng.h"

static const double RADIUS = 5e-3;  // m
enum { TILE_SIDE = 16, SETTLE_STEPS = 1500, SETTLE_SWEEPS = 60 };

// Floor and four walls of a box [0, lx] x [0, ly], open at the top.
static scr_status add_planes(scr_world *world, double lx, double ly, scr_material material, scr_error *error)
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
    for (size_t k = 0; k < sizeof planes / sizeof *planes && status == SCR_OK; ++k) {
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

scr_status bed_open_box(const scr_world_def *def, double lx, double ly, scr_world **world, scr_material *material,
                        scr_error *error)
{
    scr_material_def stone = scr_default_material_def();
    scr_status status = scr_world_create(def, world, error);
    if (status == SCR_OK) status = scr_world_add_material(*world, &stone, material, error);
    if (status == SCR_OK) status = add_planes(*world, lx, ly, *material, error);
    return status;
}

static void scatter_tile(bed_tile *tile)
{
    double pitch = 2.25 * RADIUS;
    tile->width = TILE_SIDE * 2.1 * RADIUS;
    int side = (int)(tile->width / pitch);
    for (int k = 0; k < BED_TILE; ++k) {
        double u[2], w[2];
        scr_uniform2(7, 0, 2 * (uint64_t)k, u);
        scr_uniform2(7, 0, 2 * (uint64_t)k + 1, w);
        int x = k % side, y = k / side % side, z = k / (side * side);
        tile->radius[k] = RADIUS * (0.9 + 0.2 * w[1]);
        tile->position[k] = (scr_vec3){(x + 0.5 + 0.02 * u[0]) * pitch, (y + 0.5 + 0.02 * u[1]) * pitch,
                                       (z + 0.5 + 0.02 * w[0]) * pitch};
    }
}

scr_status bed_settle_tile(bed_tile *tile, int threads, scr_error *error)
{
    scr_world_def def = scr_default_world_def();
    def.thread_count = threads;
    def.solver.max_iterations = SETTLE_SWEEPS;
    scatter_tile(tile);
    scr_world *world = NULL;
    scr_material material;
    scr_body handle[BED_TILE];
    scr_status status = bed_open_box(&def, tile->width, tile->width, &world, &material, error);
    if (status == SCR_OK)
        status = scr_world_add_spheres(world, BED_TILE, tile->position, tile->radius, NULL, material, handle, error);
    for (int k = 0; k < SETTLE_STEPS && status == SCR_OK; ++k) status = scr_world_step(world, error);
    for (int k = 0; k < BED_TILE && status == SCR_OK; ++k) {
        scr_body_state state;
        status = scr_body_get_state(world, handle[k], &state, error);
        tile->position[k] = state.position;
    }
    scr_world_destroy(world);
    return status;
}

scr_status bed_lay(const bed_tile *tile, int nx, int ny, const scr_world_def *def, scr_world **world, scr_error *error)
{
    int64_t count = (int64_t)nx * ny * BED_TILE;
    scr_material material;
    scr_vec3 *position = scr_alloc(scr_array_bytes(count, sizeof *position));
    double *radius = scr_alloc(scr_array_bytes(count, sizeof *radius));
    scr_status status = position != NULL && radius != NULL ? SCR_OK : SCR_NO_MEMORY;
    for (int64_t i = 0; i < count && status == SCR_OK; ++i) {
        int64_t t = i / BED_TILE, k = i % BED_TILE, ix = t % nx, iy = t / nx;
        scr_vec3 p = tile->position[k];
        p.x = ix % 2 == 0 ? (double)ix * tile->width + p.x : (double)(ix + 1) * tile->width - p.x;
        p.y = iy % 2 == 0 ? (double)iy * tile->width + p.y : (double)(iy + 1) * tile->width - p.y;
        position[i] = p;
        radius[i] = tile->radius[k];
    }
    if (status == SCR_OK) status = bed_open_box(def, nx * tile->width, ny * tile->width, world, &material, error);
    if (status == SCR_OK) status = scr_world_add_spheres(*world, count, position, radius, NULL, material, NULL, error);
    scr_free(position);
    scr_free(radius);
    return status;
}
