// SPDX-License-Identifier: BSD-3-Clause
// A run directory of any size, made without a simulation, to measure what reports cost: a bed of grains under a wave.
//
//   bench_report_run DIR GRAINS FRAMES [MOVING]      only the first MOVING grains feel the wave; default: all
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/file/safe_file.h"
#include "core/maths/rng.h"
#include "io/trajectory/trajectory.h"

static const float RADIUS = 0.005f;         // m
static const double FRAME_INTERVAL = 0.02;  // s

static const char scene_text[] =
    "{\"title\": \"A bed of grains under a wave\", \"time\": {\"step\": 0.001, \"end\": %g}, \"gravity\": [0, 0, "
    "-9.81],\n"
    " \"materials\": {\"sand\": {\"density\": 2500, \"friction\": 0.5}, \"gravel\": {\"density\": 2700, \"friction\": "
    "0.6}},\n"
    " \"bodies\": [{\"name\": \"floor\", \"kind\": \"fixed\"}], \"output\": {\"frame_interval\": %g}}\n";
static const char summary_text[] = "{\"status\": \"done\", \"title\": \"A bed of grains under a wave\", \"time\": %g, "
                                   "\"end_time\": %g, \"law\": \"compliant\",\n"
                                   " \"time_step\": 0.001, \"steps\": %d, \"bodies\": %d, \"frames\": %d}\n";

static scr_status write_text(const char *directory, const char *name, const char *text, scr_error *error)
{
    char path[PATH_LENGTH_MAX];
    scr_status status = path_join(path, directory, name, error);
    if (status != SCR_OK) return status;
    FILE *file = fopen(path, "w");
    if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0)
        return scr_fail(error, SCR_IO, "%s: cannot write", path);
    return SCR_OK;
}

// A jittered lattice, four times as long as wide and a third as high, whose grains move in circles as under a wave.
static void place_grains(frame *f, int count, int moving, double time)
{
    const double wave = 0.25, frequency = 1.2, swing = 0.02;  // m, 1/s, m
    int wide = (int)fmax(1.0, cbrt(count * 3.0 / 4.0)), high = wide / 3 > 0 ? wide / 3 : 1;
    frame_spheres *s = &f->spheres;
    for (int i = 0; i < count; ++i) {
        scr_random4 r = scr_philox((const uint32_t[4]){(uint32_t)i, 0, 0, 0}, (const uint32_t[2]){7, 0});
        double pitch = 2.0 * RADIUS, jitter[3];
        for (int k = 0; k < 3; ++k) jitter[k] = 0.1 * pitch * (r.v[k] * 0x1p-32 - 0.5);
        double x = pitch * (i / (wide * high)) + jitter[0], y = pitch * (i / high % wide) + jitter[1];
        double z = pitch * (0.5 + i % high) + jitter[2], depth = z / (pitch * high);
        double phase = 6.283185307179586 * (x / wave - frequency * time), reach = i < moving ? swing * depth : 0.0;
        s->position[3 * i] = (float)(x + reach * cos(phase));
        s->position[3 * i + 1] = (float)y;
        s->position[3 * i + 2] = (float)(z + reach * sin(phase));
        double speed = reach * 6.283185307179586 * frequency;
        s->velocity[3 * i] = (float)(speed * sin(phase));
        s->velocity[3 * i + 1] = 0.0f;
        s->velocity[3 * i + 2] = (float)(-speed * cos(phase));
        s->radius[i] = RADIUS * (0.8f + 0.2f * (float)(r.v[3] * 0x1p-32));
        s->id[i] = (uint32_t)i + 2;
        s->material[i] = (uint8_t)(i / (wide * high) / 8 % 2);
    }
    s->count = count;
    f->planes[0] = (frame_shape){.rotation = {1.0f}, .surface = -1, .id = 1, .kind = SCR_FIXED, .shape = SCR_PLANE};
    f->plane_count = 1;
    f->time = time;
}

static scr_status write_frames(const char *directory, int grains, int frames, int moving, scr_error *error)
{
    trajectory *t = NULL;
    frame f = {0};
    frame_size size = {.spheres = grains, .planes = 1};
    scr_status status = trajectory_create(directory, size, NULL, NULL, &t, error);
    if (status == SCR_OK) status = frame_reserve(&f, size, error);
    for (int i = 0; i < frames && status == SCR_OK; ++i) {
        place_grains(&f, grains, moving, FRAME_INTERVAL * i);
        status = trajectory_append(t, &f, error);
    }
    frame_free(&f);
    scr_status closed = trajectory_close(t, status == SCR_OK ? error : NULL);
    return status == SCR_OK ? closed : status;
}

static scr_status write_run(const char *directory, int grains, int frames, int moving, scr_error *error)
{
    char text[2048];
    double end = FRAME_INTERVAL * (frames - 1);
    scr_status status = directory_create(directory, error);
    snprintf(text, sizeof text, scene_text, end, FRAME_INTERVAL);
    if (status == SCR_OK) status = write_text(directory, "scene.json", text, error);
    snprintf(text, sizeof text, summary_text, end, end, (int)lround(end * 1000.0), grains + 1, frames);
    if (status == SCR_OK) status = write_text(directory, "summary.json", text, error);
    return status == SCR_OK ? write_frames(directory, grains, frames, moving, error) : status;
}

int main(int argc, char **argv)
{
    int grains = argc >= 4 ? atoi(argv[2]) : 0, frames = argc >= 4 ? atoi(argv[3]) : 0;
    int moving = argc == 5 ? atoi(argv[4]) : grains;
    if (grains < 1 || frames < 1 || argc > 5) {
        fprintf(stderr, "usage: bench_report_run DIR GRAINS FRAMES [MOVING]\n");
        return 2;
    }
    scr_error error = {0};
    if (write_run(argv[1], grains, frames, moving, &error) != SCR_OK) {
        fprintf(stderr, "bench_report_run: %s\n", error.message);
        return 1;
    }
    return 0;
}
