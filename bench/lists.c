// SPDX-License-Identifier: BSD-3-Clause
// Neighbour lists and contacts of a dense bed of 64,000 spheres: a step from a live list, a rebuild, a bed that flows.
#include <stdio.h>

#include "bed.h"
#include "core/base/stopwatch.h"
#include "core/base/threads.h"
#include "dynamics/detection/detection.h"
#include "dynamics/world/world.h"
#include "report.h"

enum { WARM_STEPS = 8, REPEATS = 40, FLOW_START = 150, FLOW_STEPS = 100, FLOW_SWEEPS = 20 };

typedef scr_status stage_call(scr_world *world, scr_error *error);

// The shortest time of a stage over some repeats, each after the list was thrown away if it is to be made anew.
static double best_time(scr_world *world, stage_call *stage, bool anew, scr_error *error)
{
    double best = INFINITY;
    for (int k = 0; k < REPEATS; ++k) {
        if (anew) neighbours_invalidate(&world->neighbours);
        double start = scr_now();
        if (stage(world, error) != SCR_OK) return NAN;
        best = fmin(best, scr_now() - start);
    }
    return best;
}

static scr_status measure_rest(const bed_tile *tile, int threads, bool json, scr_error *error)
{
    scr_world_def def = scr_default_world_def();
    def.thread_count = threads;
    scr_world *world = NULL;
    scr_status status = bed_lay(tile, 4, 4, &def, &world, error);
    for (int k = 0; k < WARM_STEPS && status == SCR_OK; ++k) status = scr_world_step(world, error);
    if (status == SCR_OK) {
        body_poses poses = world_poses(world);
        status = colliders_place(&world->colliders, &poses, threads, error);
    }
    if (status == SCR_OK) {
        double rebuild = best_time(world, find_pairs, true, error), keep = best_time(world, find_pairs, false, error);
        double live = best_time(world, find_contacts, false, error);
        bench_print(
            &(bench_figure){"lists.contacts", 1e3 * live, "ms from a live list", threads, "the limit", live / 0.6e-3},
            json);
        bench_print(&(bench_figure){"lists.keep", 1e3 * keep, "ms to see that it is alive", threads, "the contacts",
                                    keep / live},
                    json);
        bench_print(&(bench_figure){"lists.rebuild", 1e3 * rebuild, "ms", threads, "the limit", rebuild / 4e-3}, json);
        bench_say(json, "    %lld pairs in the list, %lld contacts\n",
                  (long long)world->neighbours.start[world->colliders.table.count], (long long)world->contacts.count);
    }
    scr_world_destroy(world);
    return status;
}

// Tilt gravity by 45 degrees and let the bed slide against its wall: detection of all kinds, in the mean.
static scr_status measure_flow(const bed_tile *tile, int threads, bool json, scr_error *error)
{
    scr_world_def def = scr_default_world_def();
    def.thread_count = threads;
    def.gravity = (scr_vec3){6.94, 0.0, -6.94};
    def.solver.max_iterations = FLOW_SWEEPS;
    scr_world *world = NULL;
    scr_status status = bed_lay(tile, 4, 4, &def, &world, error);
    for (int k = 0; k < FLOW_START && status == SCR_OK; ++k) status = scr_world_step(world, error);
    if (status == SCR_OK) {
        scr_stage_seconds before = scr_world_stage_seconds(world);
        int64_t built = world->neighbours.build_count;
        for (int k = 0; k < FLOW_STEPS && status == SCR_OK; ++k) status = scr_world_step(world, error);
        scr_stage_seconds after = scr_world_stage_seconds(world);
        double mean = (after.pairs - before.pairs + after.contacts - before.contacts) / FLOW_STEPS;
        bench_print(&(bench_figure){"lists.flow", 1e3 * mean, "ms a step, pairs and contacts", threads, "the limit",
                                    mean / 5e-3},
                    json);
        bench_say(json, "    %lld rebuilds in %d steps, fastest body %.2g m/s\n",
                  (long long)(world->neighbours.build_count - built), FLOW_STEPS, scr_world_report(world).max_speed);
    }
    scr_world_destroy(world);
    return status;
}

int main(int argc, char **argv)
{
    bool json = bench_wants_json(argc, argv);
    scr_error error = {0};
    static bed_tile tile;
    bench_say(json, "Neighbour lists of a dense bed of 64,000 spheres, best of %d; flow: mean of %d steps\n", REPEATS,
              FLOW_STEPS);
    scr_status status = bed_settle_tile(&tile, scr_core_count(), &error);
    for (int threads = 1; threads <= 2 && status == SCR_OK; ++threads)
        status = measure_rest(&tile, threads, json, &error);
    if (status == SCR_OK) status = measure_flow(&tile, 2, json, &error);
    if (status != SCR_OK) fprintf(stderr, "bench_lists: %s\n", error.message);
    return status == SCR_OK ? 0 : 1;
}
