// SPDX-License-Identifier: BSD-3-Clause
// A wheel of one million triangles turning and ploughing through a bed of 48,000 grains, against the bed alone: whole
// steps of 50 sweeps, and what of them is detection.
#include <stdio.h>

#include "bed.h"
#include "core/base/memory.h"
#include "core/base/stopwatch.h"
#include "core/base/threads.h"
#include "core/maths/trig.h"
#include "core/maths/vec3.h"
#include "report.h"

enum { SWEEPS = 50, DIP_STEPS = 60, TIMED_STEPS = 40, AROUND = 1000, ACROSS = 500 };
static const double WHEEL_RADIUS = 0.13, TUBE_RADIUS = 0.04, LUG_HEIGHT = 0.002;  // m
static const double TWO_PI = 6.283185307179586;

typedef struct wheel {
    scr_vec3 vertex[AROUND * ACROSS];
    int32_t triangle[6 * AROUND * ACROSS];
} wheel;

// A tyre lying about the y axis, with lugs: closed, 2 AROUND ACROSS triangles.
static void make_wheel(wheel *w)
{
    for (int i = 0; i < AROUND; ++i) {
        for (int j = 0; j < ACROSS; ++j) {
            double u = TWO_PI * i / AROUND, v = TWO_PI * j / ACROSS, su, cu, sv, cv, lug, unused;
            scr_sincos(u, &su, &cu);
            scr_sincos(v, &sv, &cv);
            scr_sincos(40.0 * u, &lug, &unused);
            double tube = TUBE_RADIUS + LUG_HEIGHT * lug, arm = WHEEL_RADIUS - TUBE_RADIUS + tube * cv;
            w->vertex[i * ACROSS + j] = vec3(arm * su, tube * sv, arm * cu);
            int32_t a = i * ACROSS + j, b = (i + 1) % AROUND * ACROSS + j,
                    c = (i + 1) % AROUND * ACROSS + (j + 1) % ACROSS;
            int32_t d = i * ACROSS + (j + 1) % ACROSS, *t = w->triangle + 6 * (i * ACROSS + j);
            t[0] = a, t[1] = c, t[2] = b, t[3] = a, t[4] = d, t[5] = c;
        }
    }
}

static scr_status add_wheel(scr_world *world, const wheel *w, scr_vec3 at, scr_body *body, scr_error *error)
{
    scr_triangles t = {AROUND * ACROSS, 2 * AROUND * ACROSS, w->vertex, w->triangle};
    scr_material_def rubber = scr_default_material_def();
    scr_material material;
    scr_surface surface;
    scr_status status = scr_world_add_material(world, &rubber, &material, error);
    if (status == SCR_OK) status = scr_world_add_mesh(world, &t, &surface, error);
    if (status != SCR_OK) return status;
    scr_shape shape = scr_surface_shape(world, surface, material);
    scr_body_def def = scr_default_body_def();
    def.kind = SCR_KINEMATIC;
    def.shapes = &shape;
    def.shape_count = 1;
    def.position = at;
    def.velocity = vec3(0.0, 0.0, -0.25);
    return scr_world_add_body(world, &def, body, error);
}

static double highest(const bed_tile *tile)
{
    double z = 0.0;
    for (int k = 0; k < BED_TILE; ++k) z = fmax(z, tile->position[k].z + tile->radius[k]);
    return z;
}

typedef struct measured {
    double step, detect;
    int64_t contacts;
    double making;
} measured;

static scr_status measure(const bed_tile *tile, const wheel *w, int threads, measured *result, scr_error *error)
{
    scr_world_def def = scr_default_world_def();
    def.thread_count = threads;
    def.solver.tolerance = 0.0;
    def.solver.max_iterations = SWEEPS;
    scr_world *world = NULL;
    scr_body body;
    scr_vec3 at = vec3(2.0 * tile->width, 1.5 * tile->width, highest(tile) + WHEEL_RADIUS + LUG_HEIGHT);
    scr_status status = bed_lay(tile, 4, 3, &def, &world, error);
    double start = scr_now();
    if (status == SCR_OK && w != NULL) status = add_wheel(world, w, at, &body, error);
    result->making = 1e3 * (scr_now() - start);
    for (int k = 0; k < DIP_STEPS && status == SCR_OK; ++k) status = scr_world_step(world, error);
    scr_body_state state;
    if (status == SCR_OK && w != NULL) status = scr_body_get_state(world, body, &state, error);
    if (status == SCR_OK && w != NULL) {
        state.velocity = vec3(0.3, 0.0, 0.0);
        state.spin = vec3(0.0, 3.0, 0.0);
        status = scr_body_set_state(world, body, &state, error);
    }
    scr_stage_seconds before = scr_world_stage_seconds(world);
    for (int k = 0; k < TIMED_STEPS && status == SCR_OK; ++k) status = scr_world_step(world, error);
    scr_stage_seconds after = scr_world_stage_seconds(world);
    result->step = (after.total - before.total) / TIMED_STEPS;
    result->detect = (after.pairs - before.pairs + after.contacts - before.contacts) / TIMED_STEPS;
    result->contacts = scr_world_report(world).contact_count;
    scr_world_destroy(world);
    return status;
}

int main(int argc, char **argv)
{
    bool json = bench_wants_json(argc, argv);
    scr_error error = {0};
    static bed_tile tile;
    static wheel w;
    bench_say(json, "A wheel of %d triangles in a bed of %d grains, mean of %d steps of %d sweeps\n",
              2 * AROUND * ACROSS, 12 * BED_TILE, TIMED_STEPS, SWEEPS);
    make_wheel(&w);
    measured alone = {0}, with = {0};
    scr_status status = bed_settle_tile(&tile, scr_core_count(), &error);
    if (status == SCR_OK) status = measure(&tile, NULL, 2, &alone, &error);
    if (status == SCR_OK) status = measure(&tile, &w, 2, &with, &error);
    if (status != SCR_OK) {
        fprintf(stderr, "bench_mesh: %s\n", error.message);
        return 1;
    }
    bench_print(&(bench_figure){"mesh.alone", 1e3 * alone.step, "ms a step without the wheel", 2, "itself", 1.0}, json);
    bench_print(&(bench_figure){"mesh.step", 1e3 * with.step, "ms a step", 2, "the bed alone", with.step / alone.step},
                json);
    bench_print(&(bench_figure){"mesh.detect", 1e3 * with.detect, "ms of it detection", 2, "the bed alone",
                                with.detect / alone.detect},
                json);
    bench_say(json, "    %lld contacts without, %lld with the wheel, which took %.0f ms to make\n",
              (long long)alone.contacts, (long long)with.contacts, with.making);
    return 0;
}
