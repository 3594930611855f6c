// SPDX-License-Identifier: BSD-3-Clause
// scree spheres: a sphere set from the surface of a part.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/command/clock.h"
#include "app/command/command.h"
#include "app/command/options.h"
#include "app/command/output_path.h"
#include "app/spheres/cad_file.h"
#include "app/spheres/fit_table.h"
#include "core/base/threads.h"
#include "core/text/human.h"
#include "fitting/fit.h"
#include "geometry/mesh_file/mesh_file.h"
#include "geometry/sphere_set/sphere_file.h"

static const double DEFAULT_F = 0.7, DEFAULT_ANGLE = 30.0;  // of the paper; degrees, which it does not say
static const double DEFAULT_ERROR = 0.005;                  // of the diagonal of the part's box

typedef struct spheres_options {
    const char *path, *output, *method;
    double error, f, angle, size, scale;
    int threads;
    bool compare, force;
} spheres_options;

static parse_result parse(int argc, char **argv, spheres_options *o)
{
    const option options[] = {
        {"output", 'o', OPTION_TEXT, &o->output, "FILE.spheres", "the sphere set; default: only measured"},
        {"force", 0, OPTION_FLAG, &o->force, NULL, FORCE_HELP},
        {"method", 0, OPTION_TEXT, &o->method, "cover|paper",
         "cover (default): as few spheres as an error allows; paper: one through the corners of each triangle"},
        {"error", 0, OPTION_NUMBER, &o->error, "M",
         "cover: the largest protrusion and gap, in metres; default: 0.5 % of the diagonal of the part's box"},
        {"f", 0, OPTION_ANY, &o->f, "F",
         "paper: depth of a sphere's centre below its triangle over its radius; default: 0.7"},
        {"angle", 0, OPTION_NUMBER, &o->angle, "DEG",
         "paper: triangles at an edge sharper than this are cut in four and fitted with f = 0; default: 30"},
        {"size", 0, OPTION_NUMBER, &o->size, "M",
         "paper: triangles with longer edges are cut first, in metres; CAD files: the size of the triangles"},
        {"scale", 0, OPTION_NUMBER, &o->scale, "S", "multiply coordinates by this: 0.001 if they are in mm"},
        {"compare", 0, OPTION_FLAG, &o->compare, NULL,
         "both methods: the paper's, and cover with the largest error that this has, or that is given"},
        {"threads", 'j', OPTION_COUNT, &o->threads, "N",
         "threads to use; default: all cores. Results do not depend on it"},
    };
    const verb_usage usage = {
        .verb = "spheres",
        .arguments = "FILE",
        .argument_count = 1,
        .about =
            "Fits spheres to the closed surface of a part (.obj, .stl, .inp; .step and .iges where Gmsh is built\n"
            "in), for bodies of a scene that touch as spheres do: {\"spheres\": {\"file\": \"part.spheres\"}}. The "
            "origin\n"
            "of the set is the centre of mass, and the file has the mass properties of the solid. Says how far the\n"
            "set stands out of the surface (protrusion), how far the surface is from the set (gap), and by how much\n"
            "the volume differs.",
        .example = "scree spheres part.obj --error 0.002 -o part.spheres\n"
                   "scree spheres part.stl --scale 0.001 --compare",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
    };
    return parse_arguments(&usage, argc, argv, &o->path);
}

static scr_status check_options(const spheres_options *o, scr_error *error)
{
    if (!(o->f >= 0.0 && o->f < 1.0))
        return scr_fail(error, SCR_BAD_INPUT, "--f must be at least 0 and less than 1, not %g", o->f);
    if (o->angle > 180.0) return scr_fail(error, SCR_BAD_INPUT, "--angle must be at most 180, not %g", o->angle);
    if (strcmp(o->method, "cover") != 0 && strcmp(o->method, "paper") != 0)
        return scr_fail(error, SCR_BAD_INPUT, "--method must be cover or paper, not \"%s\"", o->method);
    if (o->output != NULL && !sphere_file_has_ending(o->output))
        return scr_fail(error, SCR_BAD_INPUT, "%s: the name of a sphere set ends in .spheres", o->output);
    if (o->output == NULL) return SCR_OK;
    output_rule rule = {&o->path, 1, o->force};
    return check_output_file(o->output, &rule, error);
}

static scr_status read_part(const spheres_options *o, part *p, scr_error *error)
{
    triangle_soup soup = {0};
    scr_error reason;
    scr_status status = cad_file_has_ending(o->path) ? cad_file_read(o->path, o->scale, o->size, &soup, error)
                                                     : mesh_read(o->path, o->scale, &soup, error);
    scr_triangles given = triangle_soup_view(&soup);
    if (status == SCR_OK) {
        status = part_make(&given, p, &reason);
        if (status != SCR_OK) scr_fail(error, status, "%s: %s", o->path, reason.message);
    }
    triangle_soup_free(&soup);
    return status;
}

static scr_status fit_by_paper(const spheres_options *o, const part *p, fit_row *row, sphere_set *set, scr_error *error)
{
    const paper_fit how = {o->f, o->angle * M_PI / 180.0, o->size};
    double begin = clock_now();
    scr_status status = fit_paper(p, &how, set, error);
    *row = (fit_row){.method = "paper", .asked = -1.0, .set = set, .seconds = clock_now() - begin};
    return status == SCR_OK ? fit_measure(p, set, o->threads, &row->errors, error) : status;
}

static scr_status fit_by_cover(const spheres_options *o, double largest, const part *p, fit_row *row, sphere_set *set,
                               scr_error *error)
{
    const cover_fit how = {largest, o->threads};
    double begin = clock_now();
    scr_status status = fit_cover(p, &how, set, error);
    *row = (fit_row){.method = "cover", .asked = largest, .set = set, .seconds = clock_now() - begin};
    return status == SCR_OK ? fit_measure(p, set, o->threads, &row->errors, error) : status;
}

static double default_error(const part *p)
{
    return DEFAULT_ERROR * vec3_norm(vec3_sub(p->surface->box.high, p->surface->box.low));
}

// One row a method that was asked for; the set to be written is the last.
static scr_status fit_all(const spheres_options *o, const part *p, fit_row *rows, sphere_set *sets, int *count,
                          scr_error *error)
{
    bool paper = o->compare || strcmp(o->method, "paper") == 0, cover = o->compare || !paper;
    double largest = o->error > 0.0 ? o->error : default_error(p);
    scr_status status = SCR_OK;
    if (paper) {
        status = fit_by_paper(o, p, &rows[*count], &sets[*count], error);
        if (status == SCR_OK && o->error <= 0.0) largest = fit_largest_error(&rows[*count].errors);
        ++*count;
    }
    if (status == SCR_OK && cover) {
        status = fit_by_cover(o, largest, p, &rows[*count], &sets[*count], error);
        ++*count;
    }
    return status;
}

static scr_status save(const spheres_options *o, const fit_row *row, scr_error *error)
{
    char note[1024];
    note_fit(o->path, row, note, sizeof note);
    return sphere_file_write(o->output, row->set, note, error);
}

// Of the rows, the one of the method whose set is to be written.
static const fit_row *chosen_row(const spheres_options *o, const fit_row *rows, int count)
{
    for (int k = 0; k < count; ++k)
        if (strcmp(rows[k].method, o->method) == 0) return &rows[k];
    return &rows[count - 1];
}

static int fit(const spheres_options *o)
{
    scr_error error = {0};
    part p = {0};
    fit_row rows[2];
    sphere_set sets[2] = {{0}, {0}};
    int count = 0, code = EXIT_DONE;
    scr_status status = check_options(o, &error);
    if (status == SCR_OK) status = read_part(o, &p, &error);
    if (status == SCR_OK) status = fit_all(o, &p, rows, sets, &count, &error);
    if (status != SCR_OK) {
        code = complain(&error);
    } else {
        print_part(stdout, o->path, &p);
        print_fits(stdout, rows, count);
        const fit_row *row = chosen_row(o, rows, count);
        if (o->output != NULL && save(o, row, &error) != SCR_OK) code = complain_at_work(&error);
        else if (o->output != NULL)
            printf("%s: %s\n", o->output, human_things(row->set->count, "sphere", "spheres").text);
    }
    for (int k = 0; k < 2; ++k) sphere_set_free(&sets[k]);
    part_free(&p);
    return code;
}

int app_spheres(int argc, char **argv)
{
    spheres_options o = {.method = "cover",
                         .f = DEFAULT_F,
                         .angle = DEFAULT_ANGLE,
                         .size = INFINITY,
                         .scale = 1.0,
                         .threads = scr_core_count()};
    parse_result parsed = parse(argc, argv, &o);
    return parsed == PARSE_OK ? fit(&o) : exit_code_of(parsed);
}
