// SPDX-License-Identifier: BSD-3-Clause
// The silo of 128,000 spheres: whole steps of 50 sweeps while it discharges, and what a frame of it costs.
//
// The scene is scenes/silo/silo.json, filled and settled with its own solver settings; then every step makes all 50
// sweeps. The published figures for the solver alone on this problem are 76.8 s (one core) and 4.55 s (a graphics
// card).
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/stopwatch.h"
#include "io/scene/scene_reader.h"
#include "io/trajectory/trajectory.h"
#include "report.h"
#include "scene/run/simulation.h"

enum { TIMED_STEPS = 40, FRAMES = 10 };
static const double PUBLISHED_SECONDS = 76.8, STEP_LIMIT = 0.25, FRAME_LIMIT = 0.02;  // s

static scr_status time_frames(scr_world *world, double *seconds, scr_error *error)
{
    char directory[] = "/tmp/scree-bench-XXXXXX", path[64];
    if (mkdtemp(directory) == NULL) return SCR_IO;
    trajectory *t = NULL;
    frame f = {0};
    scr_status status =
        trajectory_create(directory, (frame_size){.spheres = scr_world_shape_count(world)}, NULL, NULL, &t, error);
    double start = scr_now();
    for (int k = 0; k < FRAMES && status == SCR_OK; ++k) {
        status = frame_capture(world, &f, error);
        if (status == SCR_OK) status = trajectory_append(t, &f, error);
    }
    *seconds = (scr_now() - start) / FRAMES;
    scr_status closed = trajectory_close(t, status == SCR_OK ? error : NULL);
    frame_free(&f);
    for (const char *const *name = (const char *const[]){"trajectory.h5", "trajectory.xdmf", NULL}; *name != NULL;
         ++name) {
        snprintf(path, sizeof path, "%s/%s", directory, *name);
        unlink(path);
    }
    rmdir(directory);
    return status == SCR_OK ? closed : status;
}

static scr_status run_until(simulation *sim, double time, scr_error *error)
{
    scr_status status = SCR_OK;
    while (status == SCR_OK && scr_world_time(simulation_world(sim)) < time) status = simulation_step(sim, error);
    return status;
}

int main(int argc, char **argv)
{
    bool json = bench_wants_json(argc, argv);
    const scene_override settle[] = {{"parameters.grains", "128000", NULL}};
    scr_error error = {0};
    scene *s = NULL;
    simulation *sim = NULL;
    bench_say(json, "A silo of 128,000 spheres (filling and settling it first: a minute or two)\n");
    scr_status status = scene_read_file("scenes/silo/silo.json", settle, 1, &s, NULL, &error);
    // No stop test: every step makes all its sweeps.
    if (status == SCR_OK) s->world.solver.tolerance = 0.0, s->world.solver.max_iterations = 50;
    if (status == SCR_OK) status = simulation_create(s, true, 2, &sim, &error);
    if (status == SCR_OK) status = run_until(sim, 0.65, &error);
    if (status == SCR_OK) {
        scr_world *world = simulation_world(sim);
        scr_stage_seconds before = scr_world_stage_seconds(world);
        double start = scr_now(), frame_seconds = 0.0;
        for (int k = 0; k < TIMED_STEPS && status == SCR_OK; ++k) status = simulation_step(sim, &error);
        double step = (scr_now() - start) / TIMED_STEPS;
        scr_stage_seconds after = scr_world_stage_seconds(world);
        double solve = (after.solve - before.solve) / TIMED_STEPS;
        if (status == SCR_OK) status = time_frames(world, &frame_seconds, &error);
        bench_print(&(bench_figure){"silo.128000.step", step, "s a step", 2, "the limit of 0.25 s", step / STEP_LIMIT},
                    json);
        bench_print(&(bench_figure){"silo.128000.solve", solve, "s a step", 2, "S1's solver on a CPU",
                                    solve / PUBLISHED_SECONDS},
                    json);
        bench_print(&(bench_figure){"silo.128000.frame", frame_seconds, "s a frame", 2, "the limit of 20 ms",
                                    frame_seconds / FRAME_LIMIT},
                    json);
        bench_say(json, "    %lld contacts; not the solver: %.0f %% of a step\n",
                  (long long)scr_world_report(world).contact_count, 100.0 * (step - solve) / step);
    }
    if (status != SCR_OK) fprintf(stderr, "bench: %s\n", error.message);
    simulation_destroy(sim);
    scene_destroy(s);
    return status == SCR_OK ? 0 : 1;
}
