// SPDX-License-Identifier: BSD-3-Clause
// A scene from a file, driven from C: a controller pulls a sled through grains at a steady speed. The run directory
// is what `scree run` would have written, for `scree report` and all other verbs.
//     drive_a_scene examples/sled.json runs/sled
#include <stdio.h>
#include <stdlib.h>

#include <scree/scene.h>

static const double SPEED = 0.2;                 // m/s that the sled is to have
static const double GAIN = 150.0, RESET = 0.05;  // N s/m; s: a proportional and integral controller

// Pull for the next step, as the controller wants it. sum: the integral of the error so far (m).
static scr_status pull(scr_scene *scene, scr_body sled, double speed, double *sum, double *force, scr_error *error)
{
    scr_world *world = scr_scene_world(scene);
    *sum += (SPEED - speed) * scr_world_time_step(world);
    *force = GAIN * (SPEED - speed + *sum / RESET);
    return scr_body_apply_force(world, sled, (scr_vec3){*force, 0.0, 0.0}, (scr_vec3){0.0, 0.0, 0.0}, error);
}

static scr_status drive(scr_scene *scene, const char *directory, scr_error *error)
{
    scr_body sled;
    int vx = scr_scene_find_probe(scene, "sled.vx"), x = scr_scene_find_probe(scene, "sled.x");
    double *probes = calloc((size_t)scr_scene_probe_count(scene) + 1, sizeof *probes), sum = 0.0, force = 0.0;
    scr_status status = scr_scene_find_body(scene, "sled", &sled, error);
    if (status == SCR_OK) status = scr_scene_begin_run(scene, directory, true, error);
    while (status == SCR_OK && !scr_scene_is_done(scene)) {
        scr_scene_read_probes(scene, probes);
        status = pull(scene, sled, probes[vx], &sum, &force, error);
        if (status == SCR_OK) status = scr_scene_step(scene, error);
    }
    scr_run_summary summary;
    if (status == SCR_OK) status = scr_scene_end_run(scene, SCR_RUN_DONE, NULL, &summary, error);
    if (status == SCR_OK) {
        scr_scene_read_probes(scene, probes);
        printf("The sled is at x = %.3f m with %.3f m/s, pulled by %.1f N; %lld frames are in %s.\n", probes[x],
               probes[vx], force, (long long)summary.record.frame_count, directory);
    }
    free(probes);
    return status;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: %s SCENE DIRECTORY\n", argv[0]);
        return 2;
    }
    scr_error error;
    scr_scene *scene = NULL;
    scr_scene_def def = scr_default_scene_def();
    const char *changes[] = {"title=A sled, driven from C"};  // what --set does for `scree run`
    def.path = argv[1];
    def.overrides = changes;
    def.override_count = 1;
    scr_status status = scr_scene_open(&def, &scene, &error);
    if (status == SCR_OK) status = drive(scene, argv[2], &error);
    if (status != SCR_OK) fprintf(stderr, "%s\n", error.message);
    scr_status closed = scr_scene_close(scene, &error);
    if (status == SCR_OK && closed != SCR_OK) fprintf(stderr, "%s\n", error.message);
    return status == SCR_OK && closed == SCR_OK ? 0 : 1;
}
