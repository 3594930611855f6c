// SPDX-License-Identifier: BSD-3-Clause
// Sphere sets of the paper's sizes: parts of a running gear, meshed so finely that its method gives as many spheres as
// it had; then a cover of the same largest error, and one of an eighth of it. --obj NAME writes the mesh of a part.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/stopwatch.h"
#include "core/base/threads.h"
#include "fitting/fit.h"
#include "fitting/measure.h"
#include "report.h"
#include "turned_parts.h"

static const double F = 0.7, SHARP_ANGLE = 0.5236;

typedef struct fit_trial {
    sphere_set set;
    double seconds;
    fit_errors errors;
} fit_trial;

static bool must(scr_status status, const scr_error *error)
{
    if (status != SCR_OK) fprintf(stderr, "%s\n", error->message);
    return status == SCR_OK;
}

static bool try_paper(const part *p, fit_trial *t)
{
    scr_error error = {0};
    const paper_fit how = {F, SHARP_ANGLE, INFINITY};
    double begin = scr_now();
    if (!must(fit_paper(p, &how, &t->set, &error), &error)) return false;
    t->seconds = scr_now() - begin;
    return must(fit_measure(p, &t->set, scr_core_count(), &t->errors, &error), &error);
}

static bool try_cover(const part *p, double largest, fit_trial *t)
{
    scr_error error = {0};
    const cover_fit how = {largest, scr_core_count()};
    double begin = scr_now();
    if (!must(fit_cover(p, &how, &t->set, &error), &error)) return false;
    t->seconds = scr_now() - begin;
    return must(fit_measure(p, &t->set, scr_core_count(), &t->errors, &error), &error);
}

static void say(const char *name, const char *method, const fit_trial *t, int64_t against, bool json)
{
    char figure[64];
    double error = fit_largest_error(&t->errors);
    snprintf(figure, sizeof figure, "spheres.%s.%s", name, method);
    bench_say(json, "%-28s %8lld spheres, largest error %.3f mm, mean protrusion %.3f mm, mean gap %.3f mm\n", figure,
              (long long)t->set.count, 1e3 * error, 1e3 * t->errors.mean_protrusion, 1e3 * t->errors.mean_gap);
    bench_print(&(bench_figure){figure, t->seconds, "s", scr_core_count(), "spheres over those of the paper's method",
                                (double)t->set.count / (double)against},
                json);
}

// The mesh for which the paper's method makes as many spheres as it had.
static void make_sized_part(const turned_part *p, made_part *out)
{
    double size = 0.02;
    for (int k = 0; k < 4; ++k) {
        part made;
        sphere_set set;
        const paper_fit how = {F, SHARP_ANGLE, INFINITY};
        make_part(p, size, out);
        if (part_make(&out->view, &made, NULL) != SCR_OK || fit_paper(&made, &how, &set, NULL) != SCR_OK) return;
        size *= sqrt((double)set.count / (double)p->paper_count);
        sphere_set_free(&set);
        part_free(&made);
        if (k < 3) free_part(out);
    }
}

static void write_obj(const char *name, const scr_triangles *t)
{
    char path[256];
    snprintf(path, sizeof path, "%s.obj", name);
    FILE *file = fopen(path, "w");
    for (int64_t k = 0; file != NULL && k < t->vertex_count; ++k)
        fprintf(file, "v %.9g %.9g %.9g\n", t->vertex[k].x, t->vertex[k].y, t->vertex[k].z);
    for (int64_t k = 0; file != NULL && k < t->triangle_count; ++k)
        fprintf(file, "f %d %d %d\n", t->triangle[3 * k] + 1, t->triangle[3 * k + 1] + 1, t->triangle[3 * k + 2] + 1);
    if (file != NULL) fclose(file);
}

static void run_part(const turned_part *p, bool only_write, bool json)
{
    made_part made_mesh;
    part made;
    scr_error error = {0};
    fit_trial paper = {0}, cover = {0}, finer = {0};
    make_sized_part(p, &made_mesh);
    if (only_write) {
        write_obj(p->name, &made_mesh.view);
    } else if (must(part_make(&made_mesh.view, &made, &error), &error)) {
        if (try_paper(&made, &paper)) say(p->name, "paper", &paper, paper.set.count, json);
        double largest = fit_largest_error(&paper.errors);
        if (try_cover(&made, largest, &cover)) say(p->name, "cover", &cover, paper.set.count, json);
        if (try_cover(&made, largest / 8.0, &finer)) say(p->name, "cover_eighth", &finer, paper.set.count, json);
        sphere_set_free(&paper.set);
        sphere_set_free(&cover.set);
        sphere_set_free(&finer.set);
        part_free(&made);
    }
    free_part(&made_mesh);
}

int main(int argc, char **argv)
{
    bool json = bench_wants_json(argc, argv), only_write = argc == 3 && strcmp(argv[1], "--obj") == 0;
    for (int k = 0; k < TURNED_PARTS; ++k) {
        bool wanted =
            only_write ? strcmp(argv[2], turned_parts[k].name) == 0 : bench_wants(argc, argv, turned_parts[k].name);
        if (wanted) run_part(&turned_parts[k], only_write, json);
    }
    return 0;
}
