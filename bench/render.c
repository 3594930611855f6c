// SPDX-License-Identifier: BSD-3-Clause
// Pictures of one million spheres: 1920 x 1080 pixels, 16 rays each, with soft shadows and light from all of the sky.
//
// POV-Ray, where it is installed, draws the same frame as our exporter writes it, with 16 rays a pixel (no pixel left
// out) in three ways. The first is nearest to our light: a sun of 2 x 2 points and radiosity with 20 rays for the sky.
// The second is what the exporter asks for: 4 x 4 points and 80 rays. The third has hard shadows and no sky at all,
// which is much less than ours. It would take long, so it draws a sixteenth of the pixels, and its time to draw is
// taken times sixteen; its time to read the scene counts once. Times are of the processor, over all threads, so that a
// machine that does other work as well gives the same ratio.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/stopwatch.h"
#include "core/base/threads.h"
#include "core/maths/rng.h"
#include "report.h"
#include "view/render/povray.h"

enum { WIDTH = 1920, HEIGHT = 1080, SAMPLES = 16, SHRINK = 4 };
static const double FRAME_LIMIT = 15.0;  // s, on two cores
static const double MEMORY_LIMIT = 1e9;  // B
static const double RATIO_LIMIT = 5.0;

// A bed of n_x n_y n_z grains of 5 mm, in layers that are hexagonal but for some disorder, with a wavy surface.
static scr_status make_bed(frame *f, int64_t n_x, int64_t n_y, int64_t n_z, scr_error *error)
{
    const double d = 0.005;  // m
    scr_status status = frame_reserve(f, (frame_size){.spheres = n_x * n_y * n_z}, error);
    if (status != SCR_OK) return status;
    frame_spheres *s = &f->spheres;
    for (int64_t i = 0; i < n_x * n_y * n_z; ++i) {
        double u[2], v[2];
        scr_uniform2(3, 0, (uint64_t)i, u);
        scr_uniform2(3, 1, (uint64_t)i, v);
        int64_t ix = i % n_x, iy = i / n_x % n_y, iz = i / (n_x * n_y);
        double x = d * ((double)ix + 0.5 * (double)(iz & 1) + 0.2 * (u[0] - 0.5));
        double y = d * ((double)iy + 0.5 * (double)(iz & 1) + 0.2 * (u[1] - 0.5));
        double wave = 0.02 * sin(9.0 * x) * cos(7.0 * y) * (double)iz / (double)n_z;
        s->position[3 * i] = (float)x;
        s->position[3 * i + 1] = (float)y;
        s->position[3 * i + 2] = (float)(0.72 * d * (double)iz + wave + 0.2 * d * (v[0] - 0.5));
        s->radius[i] = (float)(0.5 * d * (0.85 + 0.2 * v[1]));
        s->id[i] = (uint32_t)i + 1;
        s->material[i] = 0;
        memset(&s->velocity[3 * i], 0, 3 * sizeof *s->velocity);
    }
    s->count = n_x * n_y * n_z;
    return SCR_OK;
}

static double user_seconds(int who)
{
    struct rusage used;
    getrusage(who, &used);
    return (double)used.ru_utime.tv_sec + 1e-6 * (double)used.ru_utime.tv_usec;
}

static double peak_memory_of_children(void)
{
    struct rusage used;
    getrusage(RUSAGE_CHILDREN, &used);
    return 1024.0 * (double)used.ru_maxrss;
}

// Processor seconds of POV-Ray for a picture of so many pixels; negative if it failed.
static double run_povray(const char *directory, int width, int height, const char *light)
{
    char command[512];
    snprintf(command, sizeof command,
             "cd %s && povray scene.pov +W%d +H%d +A0.0 +AM1 +R4 %s -D -GA +Ofull.png > povray.log 2>&1", directory,
             width, height, light);
    double before = user_seconds(RUSAGE_CHILDREN);
    int code = system(command);
    return code == 0 ? user_seconds(RUSAGE_CHILDREN) - before : -1.0;
}

static scr_status export_frame(const char *directory, const frame *f, const render_options *o, scr_error *error)
{
    povray_series *series;
    survey seen = {.view = o->view, .first = *f};  // borrows the frame
    scr_status status = framing_of(f, &seen.framing, error);
    if (status == SCR_OK) status = povray_begin(directory, NULL, &seen, o, &series, error);
    if (status != SCR_OK) return status;
    return povray_end(series, povray_add(series, 0, f, error), error);
}

static scr_status against_povray(const frame *f, const render_options *o, double own_seconds, bool json,
                                 scr_error *error)
{
    char directory[] = "/tmp/scree-bench-XXXXXX", command[64];
    if (system("command -v povray > /dev/null") != 0) {
        bench_say(json, "  POV-Ray is not installed: no comparison\n");
        return SCR_OK;
    }
    if (mkdtemp(directory) == NULL) return SCR_IO;
    scr_status status = export_frame(directory, f, o, error);
    if (status == SCR_OK) {
        // Quality 9 is all, 4 has shadows of points only. A picture of a few pixels costs what it takes to read the
        // scene.
        static const struct {
            const char *name, *light, *words;
        } ways[] = {{"render.povray", "+Q9 Declare=scree_sun=2 Declare=scree_sky=20", "soft shadows and sky like ours"},
                    {"render.povray.fine", "+Q9", "soft shadows and sky as exported"},
                    {"render.povray.hard", "+Q4", "hard shadows, no sky"}};
        double reading = run_povray(directory, 16, 9, "+Q4");
        for (int k = 0; k < 3; ++k) {
            double small = run_povray(directory, WIDTH / SHRINK, HEIGHT / SHRINK, ways[k].light);
            double whole = reading + SHRINK * SHRINK * (small - reading);
            if (reading < 0.0 || small < 0.0) {
                bench_say(json, "  POV-Ray failed\n");
                break;
            }
            bench_say(json, "  POV-Ray, %s: %.0f s to read the scene, %.0f s to draw it (processor time), %.1f GB\n",
                      ways[k].words, reading, whole - reading, 1e-9 * peak_memory_of_children());
            bench_print(&(bench_figure){ways[k].name, whole / own_seconds, "times our processor time", 2, "target 5",
                                        whole / own_seconds / RATIO_LIMIT},
                        json);
        }
    }
    snprintf(command, sizeof command, "rm -r %s", directory);
    if (system(command) != 0) bench_say(json, "  %s is left over\n", directory);
    return status;
}

// The view that a user gets who asks for none, written down so that POV-Ray has the same.
static scr_status choose_view(const frame *f, render_options *o, scr_error *error)
{
    framing about;
    render_report found;
    scr_status status = framing_of(f, &about, error);
    if (status != SCR_OK) return status;
    camera c = render_camera(o, &about.subject);
    render_describe_camera(o, &c, &about.subject, &found);
    o->view.has_eye = o->view.has_target = true;
    o->view.eye = found.eye;
    o->view.target = found.target;
    return SCR_OK;
}

static scr_status draw(const frame *f, render_options *o, bool json, double *processor_seconds, scr_error *error)
{
    picture p;
    double began = scr_now(), user = user_seconds(RUSAGE_SELF);
    scr_status status = render_frame(f, o, &p, NULL, error);
    if (status != SCR_OK) return status;
    double wall = scr_now() - began;
    *processor_seconds = user_seconds(RUSAGE_SELF) - user;
    bench_print(&(bench_figure){"render.million", wall, "s a frame", o->threads, "target 15 s", FRAME_LIMIT / wall},
                json);
    bench_print(&(bench_figure){"render.million.processor", *processor_seconds, "s a frame, all threads", o->threads,
                                "target 15 s on two cores", 2.0 * FRAME_LIMIT / *processor_seconds},
                json);
    bench_print(&(bench_figure){"render.million.memory", 1e-9 * bench_peak_memory(), "GB", o->threads, "target 1 GB",
                                MEMORY_LIMIT / bench_peak_memory()},
                json);
    picture_free(&p);
    return SCR_OK;
}

int main(int argc, char **argv)
{
    bool json = bench_wants_json(argc, argv);
    scr_error error = {0};
    frame f = {0};
    render_options o = render_default_options();
    o.width = WIDTH, o.height = HEIGHT, o.samples = SAMPLES;
    o.threads = scr_core_count() < 2 ? 1 : 2;
    bench_say(json, "One million spheres, %d x %d pixels, %d rays each, soft shadows, light from the sky\n", WIDTH,
              HEIGHT, SAMPLES);
    double seconds = 0.0;
    scr_status status = make_bed(&f, 200, 100, 50, &error);
    if (status == SCR_OK) status = choose_view(&f, &o, &error);
    if (status == SCR_OK) status = draw(&f, &o, json, &seconds, &error);
    if (status == SCR_OK) status = against_povray(&f, &o, seconds, json, &error);
    if (status != SCR_OK) fprintf(stderr, "bench_render: %s\n", error.message);
    frame_free(&f);
    return status == SCR_OK ? 0 : 1;
}
