// SPDX-License-Identifier: BSD-3-Clause
// The active box on a strip of a million grains: what it costs a step when the body goes at the speed of a vehicle, and
// what a parked grain takes. Only the box is run: the grains stay where they are, as between two steps of a world.
// Times are those of the processor.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "core/base/memory.h"
#include "core/maths/vec3.h"
#include "report.h"
#include "scene/active/active_box.h"
#include "scene/sleep/sleeping.h"

enum { USUAL_COUNT = 1000000, LAYERS = 5, STEPS = 2000 };
static const double RADIUS = 0.005, PITCH = 0.0101, WIDTH = 1.2;       // m
static const double SPEED = 5.0, TIME_STEP = 1e-3;                     // m/s, s
static const double UPDATE_TARGET = 5.0, MEMORY_TARGET = 500.0 / 6.5;  // ms a step; B a grain

static double processor_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// A body that moves, then the grains.
static scr_status populate(scr_world *world, int64_t count, scr_body *body, scr_error *error)
{
    scr_material_def stone = scr_default_material_def();
    scr_material material;
    scr_status status = scr_world_add_material(world, &stone, &material, error);
    scr_shape shape = scr_box((scr_vec3){0.1, 0.1, 0.1}, material);
    scr_body_def def = scr_default_body_def();
    def.kind = SCR_KINEMATIC;
    def.position = (scr_vec3){1.0, 0.5 * WIDTH, 0.3};
    def.shapes = &shape;
    def.shape_count = 1;
    if (status == SCR_OK) status = scr_world_add_body(world, &def, body, error);
    scr_vec3 *position = NULL;
    double *radius = NULL;
    if (status == SCR_OK) status = scr_make_zeros(&position, count, sizeof *position, "grains", error);
    if (status == SCR_OK) status = scr_make_zeros(&radius, count, sizeof *radius, "grains", error);
    int64_t across = (int64_t)(WIDTH / PITCH);
    for (int64_t k = 0; k < count && status == SCR_OK; ++k) {
        int64_t column = k / LAYERS;
        position[k] = (scr_vec3){PITCH * ((double)(column / across) + 0.5), PITCH * ((double)(column % across) + 0.5),
                                 PITCH * ((double)(k % LAYERS) + 0.5)};
        radius[k] = RADIUS;
    }
    if (status == SCR_OK) status = scr_world_add_spheres(world, count, position, radius, NULL, material, NULL, error);
    scr_free(position);
    scr_free(radius);
    return status;
}

static double store_bytes(const active_box *box)
{
    double bytes = 0.0;
    const table *tables[] = {&box->store.grains, &box->store.chunks, &box->cells.table};
    for (int k = 0; k < 3; ++k)
        for (int f = 0; f < tables[k]->field_count; ++f)
            if (!tables[k]->field[f].scalar)
                bytes += (double)tables[k]->count * (double)field_size(&tables[k]->field[f]);
    return bytes;
}

static scr_status drive(active_box *box, scr_world *world, scr_body body, bool json, scr_error *error)
{
    double sum = 0.0, longest = 0.0;
    scr_body_state state;
    scr_status status = scr_body_get_state(world, body, &state, error);
    int64_t passes = box->passes;
    for (int k = 0; k < STEPS && status == SCR_OK; ++k) {
        state.position.x += SPEED * TIME_STEP;
        status = scr_body_set_state(world, body, &state, error);
        double start = processor_seconds();
        if (status == SCR_OK) status = active_box_run(box, world, &body, error);
        double took = processor_seconds() - start;
        sum += took;
        longest = took > longest ? took : longest;
    }
    if (status != SCR_OK) return status;
    double ms = 1e3 * sum / STEPS, bytes = store_bytes(box) / (double)box->store.count;
    bench_print(&(bench_figure){"active_box.update", ms, "ms a step", 1, "5 ms", ms / UPDATE_TARGET}, json);
    bench_print(&(bench_figure){"active_box.grain", bytes, "B a parked grain", 1, "500 MB for 6.5 million",
                                bytes / MEMORY_TARGET},
                json);
    bench_say(
        json,
        "    %lld grains in the world, %lld parked; %lld passes in %d steps, the longest %.1f ms; store %.0f MB\n",
        (long long)scr_world_bodies(world).count, (long long)box->store.count, (long long)(box->passes - passes), STEPS,
        1e3 * longest, 1e-6 * store_bytes(box));
    return SCR_OK;
}

static scr_status measure(int64_t count, bool json, scr_error *error)
{
    int around[] = {0};
    scene_body listed = {0};
    scene s = {.path = "bench", .bodies = &listed, .body_count = 1};
    s.active_box = (scene_active_box){.present = true,
                                      .around = around,
                                      .around_count = 1,
                                      .ahead = 0.6,
                                      .behind = 0.4,
                                      .side = 0.6,
                                      .face = FACE_ROUNDED,
                                      .shell = 0.1,
                                      .cell = 0.05,
                                      .freeze_speed = 0.05,
                                      .store_bytes = 1e12};
    scr_world_def def = scr_default_world_def();
    def.thread_count = 1;
    scr_world *world = NULL;
    scr_body body;
    active_box box;
    sleeping nobody;
    sleeping_init(&nobody, &s);
    scr_status status = scr_world_create(&def, &world, error);
    if (status == SCR_OK) status = active_box_init(&box, &s, &nobody, error);
    if (status != SCR_OK) return status;
    status = populate(world, count, &body, error);
    grain_origin origin = {"fill", "", 0, {0}, 2};
    double start = processor_seconds();
    if (status == SCR_OK) status = active_box_begin(&box, world, &body, &origin, 1, error);
    bench_say(json, "    %.2f s to park them at the start\n", processor_seconds() - start);
    if (status == SCR_OK) status = drive(&box, world, body, json, error);
    active_box_free(&box);
    sleeping_free(&nobody);
    scr_world_destroy(world);
    return status;
}

int main(int argc, char **argv)
{
    scr_error error;
    int64_t count = USUAL_COUNT;
    for (int k = 1; k < argc; ++k)
        if (atoll(argv[k]) > 0) count = atoll(argv[k]);
    if (measure(count, bench_wants_json(argc, argv), &error) == SCR_OK) return 0;
    fprintf(stderr, "bench_active_box: %s\n", error.message);
    return 1;
}
