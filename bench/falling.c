// SPDX-License-Identifier: BSD-3-Clause
// A million grains that fall past each other, of which few touch: what a step costs that follows what touches. The
// limit is the traffic of free flight: positions, rotations and velocities read and written once at the speed of
// memory.
#include <stdio.h>

#include "core/base/threads.h"
#include "core/maths/rng.h"
#include "report.h"
#include "scree/scree.h"

enum { SIDE = 100, WARM_STEPS = 20, TIMED_STEPS = 16 };
static const double RADIUS = 5e-3, PITCH = 3.2 * 5e-3;  // m
static const double FALL = 2.0, SCATTER = 0.3;          // m/s: common, and of each
static const double FLIGHT_BYTES = 2.0 * 13.0 * sizeof(double);

static scr_status add_grains(scr_world *world, scr_error *error)
{
    scr_material_def stone = scr_default_material_def();
    scr_material material;
    scr_status status = scr_world_add_material(world, &stone, &material, error);
    for (int64_t k = 0; k < (int64_t)SIDE * SIDE * SIDE && status == SCR_OK; ++k) {
        double u[2], w[2];
        scr_uniform2(11, 0, 2 * (uint64_t)k, u);
        scr_uniform2(11, 0, 2 * (uint64_t)k + 1, w);
        scr_shape shape = scr_sphere(RADIUS * (0.9 + 0.2 * w[1]), material);
        scr_body_def def = scr_default_body_def();
        def.position = (scr_vec3){PITCH * (double)(k % SIDE), PITCH * (double)(k / SIDE % SIDE),
                                  PITCH * (double)(k / SIDE / SIDE)};
        def.velocity = (scr_vec3){SCATTER * (u[0] - 0.5), SCATTER * (u[1] - 0.5), SCATTER * (w[0] - 0.5) - FALL};
        def.shapes = &shape;
        def.shape_count = 1;
        scr_body body;
        status = scr_world_add_body(world, &def, &body, error);
    }
    return status;
}

static scr_status measure(bool json, scr_error *error)
{
    scr_world_def def = scr_default_world_def();
    def.thread_count = 2;
    scr_world *world = NULL;
    scr_status status = scr_world_create(&def, &world, error);
    if (status == SCR_OK) status = add_grains(world, error);
    for (int k = 0; k < WARM_STEPS && status == SCR_OK; ++k) status = scr_world_step(world, error);
    if (status != SCR_OK) return status;
    scr_stage_seconds a = scr_world_stage_seconds(world);
    int64_t contacts = 0, sweeps = 0;
    for (int k = 0; k < TIMED_STEPS && status == SCR_OK; ++k) {
        status = scr_world_step(world, error);
        contacts += scr_world_report(world).contact_count, sweeps += scr_world_report(world).iterations;
    }
    scr_stage_seconds b = scr_world_stage_seconds(world);
    double memory = bench_peak_memory();  // without that of the triad
    double count = (double)SIDE * SIDE * SIDE, step = (b.total - a.total) / TIMED_STEPS;
    double limit = count * FLIGHT_BYTES / bench_bandwidth(2), ms = 1e3 / TIMED_STEPS;
    bench_print(&(bench_figure){"falling.1000000", 1e3 * step, "ms a step", 2, "the traffic of flight", step / limit},
                json);
    bench_say(json,
              "    %.0f contacts, %.0f sweeps; forces %.1f, pairs %.1f, contacts %.1f, prepare %.1f, solve %.1f, "
              "integrate %.1f, sort %.1f ms; %.0f MB\n",
              (double)contacts / TIMED_STEPS, (double)sweeps / TIMED_STEPS, ms * (b.forces - a.forces),
              ms * (b.pairs - a.pairs), ms * (b.contacts - a.contacts), ms * (b.prepare - a.prepare),
              ms * (b.solve - a.solve), ms * (b.integrate - a.integrate), ms * (b.sort - a.sort), 1e-6 * memory);
    scr_world_destroy(world);
    return status;
}

int main(int argc, char **argv)
{
    scr_error error = {0};
    bool json = bench_wants_json(argc, argv);
    scr_status status = measure(json, &error);
    if (status != SCR_OK) fprintf(stderr, "bench: %s\n", error.message);
    return status == SCR_OK ? 0 : 1;
}
