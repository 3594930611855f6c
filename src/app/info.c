// SPDX-License-Identifier: BSD-3-Clause
// scree info: what is in a scene, a run directory, a checkpoint, a trajectory, a bed, a contact problem, a mesh or a
// sphere set.
#include <inttypes.h>
#include <libgen.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/command/command.h"
#include "app/command/options.h"
#include "app/source/bed_report.h"
#include "app/source/problem_report.h"
#include "app/source/scene_census.h"
#include "app/source/surface_report.h"
#include "core/file/safe_file.h"
#include "core/text/human.h"
#include "geometry/mesh_file/mesh_file.h"
#include "geometry/sphere_set/sphere_file.h"
#include "geometry/surface/surfaces.h"
#include "io/bed/bed_file.h"
#include "io/file/sealed_file.h"
#include "io/problem/problem_file.h"
#include "io/run/checkpoint.h"
#include "io/run/run_directory.h"
#include "io/scene/scene_reader.h"
#include "io/trajectory/trajectory.h"

static void print_name(const char *name) { printf("  %-11s ", name); }

static void print_record(const scr_run_record *r)
{
    print_name("time");
    printf("t = %g s of %g s, %s\n", r->time, r->end_time, human_things(r->step, "step", "steps").text);
    print_name("wall clock");
    printf("%s%s\n", human_duration(r->wall_seconds).text, r->resume_count > 0 ? ", resumed" : "");
}

static scr_status describe_scene(const char *path, scr_error *error)
{
    scene *s = NULL;
    scr_status status = scene_read_file(path, NULL, 0, &s, NULL, error);
    if (status != SCR_OK) return status;
    printf("%s: a scene, \"%s\"\n", path, s->title);
    print_name("parts");
    print_scene_census(stdout, s);
    printf("\n");
    print_name("time");
    printf("to t = %g s in steps of %s\n", s->end_time, human_duration(s->world.time_step).text);
    scene_destroy(s);
    return SCR_OK;
}

// As a scene would take it in.
static scr_status describe_mesh(const char *path, scr_error *error)
{
    triangle_soup soup = {0};
    surfaces made;
    scr_error reason;
    surfaces_init(&made);
    scr_status status = mesh_read(path, 1.0, &soup, error);
    scr_triangles t = triangle_soup_view(&soup);
    if (status == SCR_OK) {
        status = surfaces_add_mesh(&made, &t, &reason);
        if (status != SCR_OK) scr_fail(error, status, "%s: %s", path, reason.message);
    }
    if (status == SCR_OK) {
        printf("%s: a mesh\n", path);
        print_surface_table(&made.item[0]);
    }
    surfaces_free(&made);
    triangle_soup_free(&soup);
    return status;
}

static scr_status describe_spheres(const char *path, scr_error *error)
{
    sphere_set set;
    scr_status status = sphere_file_read(path, 1.0, &set, error);
    if (status != SCR_OK) return status;
    double least = INFINITY, most = 0.0;
    for (int64_t k = 0; k < set.count; ++k) {
        least = fmin(least, set.sphere[k].radius);
        most = fmax(most, set.sphere[k].radius);
    }
    printf("%s: a sphere set\n", path);
    print_name("spheres");
    printf("%s, radius %s to %s\n", human_count(set.count).text, human_length(least).text, human_length(most).text);
    print_name("solid");
    printf("%.6g m^3\n", set.solid.volume);
    sphere_set_free(&set);
    return SCR_OK;
}

static scr_status describe_checkpoint(const char *path, scr_error *error)
{
    scr_run_record record = {0};
    table about = run_record_table(&record);
    checkpoint_contents contents;
    scr_status status = checkpoint_list(path, &about, &contents, error);
    if (status != SCR_OK) return status;
    printf("%s: a checkpoint of scree %s\n", path, contents.version);
    print_record(&record);
    print_name("state hash");
    printf("%016" PRIx64 "\n", contents.state_hash);
    for (int k = 0; k < contents.table_count; ++k) {
        print_name(k == 0 ? "tables" : "");
        printf("%-20s %20s %10s\n", contents.table[k].name, human_things(contents.table[k].count, "row", "rows").text,
               human_bytes(contents.table[k].bytes).text);
    }
    return SCR_OK;
}

static void print_frames(trajectory *t)
{
    int64_t count = trajectory_frame_count(t);
    print_name("frames");
    printf("%s", human_count(count).text);
    if (count > 0) printf(", t = %g to %g s", trajectory_frame_time(t, 0), trajectory_frame_time(t, count - 1));
    printf("\n");
    const periodic_cell *p = trajectory_period(t);
    for (int axis = 0; axis < 3; ++axis) {
        if (!(p->length[axis] > 0.0)) continue;
        print_name("periodic");
        printf("%c from %g to %g m\n", "xyz"[axis], p -> low[axis], p -> low[axis] + p -> length[axis]);
    }
}

static scr_status describe_trajectory(const char *directory, const char *path, scr_error *error)
{
    trajectory *t = NULL;
    frame last = {0};
    scr_status status = trajectory_open(directory, &t, error);
    if (status != SCR_OK) return status;
    printf("%s: a trajectory, %s\n", path, human_bytes(file_size(path)).text);
    print_frames(t);
    int64_t count = trajectory_frame_count(t);
    if (count > 0) status = trajectory_read(t, count - 1, &last, error);
    if (count > 0 && status == SCR_OK) {
        print_name("last");
        printf("%s, %s, %s", human_things(last.spheres.count, "sphere", "spheres").text,
               human_things(last.box_count, "box", "boxes").text,
               human_things(last.plane_count, "plane", "planes").text);
        if (last.part_count > 0) printf(", %s", human_things(last.part_count, "other shape", "other shapes").text);
        printf("\n");
    }
    frame_free(&last);
    trajectory_close(t, NULL);
    return status;
}

static void print_sentences(const char *name, const scr_sentences *list)
{
    for (int k = 0; k < list->count; ++k) {
        print_name(name);
        printf("%s\n", list->text[k]);
    }
}

// Of a run that has no summary yet there is nothing to say; one that cannot be read is a failure.
static scr_status print_status(const char *directory, scr_error *error)
{
    char path[PATH_LENGTH_MAX];
    summary_brief brief;
    scr_status status = path_join(path, directory, "summary.json", error);
    if (status != SCR_OK || !path_exists(path)) return status;
    status = summary_read_brief(path, &brief, error);
    if (status != SCR_OK) return status;
    print_name("status");
    printf("%s%s%s\n", brief.status, brief.reason[0] != '\0' ? ": " : "", brief.reason);
    print_sentences("warning", &brief.sentences.warnings);
    print_sentences("note", &brief.sentences.notes);
    return SCR_OK;
}

static scr_status print_frames_of(const char *directory, scr_error *error)
{
    char path[PATH_LENGTH_MAX];
    trajectory *t = NULL;
    scr_status status = path_join(path, directory, "trajectory.h5", error);
    if (status != SCR_OK || !path_exists(path)) return status;
    status = trajectory_open(directory, &t, error);
    if (status == SCR_OK) print_frames(t);
    trajectory_close(t, NULL);
    return status;
}

static scr_status describe_run(const char *directory, scr_error *error)
{
    char path[PATH_LENGTH_MAX];
    scr_run_record record = {0};
    table about = run_record_table(&record);
    checkpoint_contents contents;
    scr_status status = run_directory_expect_run(directory, error);
    if (status == SCR_OK) status = path_join(path, directory, "checkpoint.h5", error);
    if (status == SCR_OK) status = checkpoint_list(path, &about, &contents, error);
    if (status != SCR_OK) return status;
    printf("%s: a run of scree %s\n", directory, contents.version);
    status = print_status(directory, error);
    if (status != SCR_OK) return status;
    print_record(&record);
    print_name("state hash");
    printf("%016" PRIx64 "\n", contents.state_hash);
    status = print_frames_of(directory, error);
    if (status == SCR_OK) status = path_join(path, directory, "scene.json", error);
    return status == SCR_OK ? describe_scene(path, error) : status;
}

static scr_status describe_problem(const char *path, scr_error *error)
{
    saved_system system;
    saved_system_init(&system);
    scr_status status = problem_file_read(path, &system, error);
    if (status == SCR_OK) print_problem(path, &system);
    saved_system_free(&system);
    return status;
}

static scr_status describe_bed(const char *path, scr_error *error)
{
    bed b;
    bed_init(&b);
    scr_status status = bed_file_read(path, &b, error);
    if (status == SCR_OK) status = print_bed(path, &b, error);
    bed_free(&b);
    return status;
}

static scr_status describe(const char *path, scr_error *error)
{
    if (path_is_directory(path)) return describe_run(path, error);
    if (!path_exists(path)) return scr_fail(error, SCR_BAD_INPUT, "%s: there is no such file", path);
    char copy[PATH_LENGTH_MAX];
    snprintf(copy, sizeof copy, "%s", path);
    const char *name = strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path;
    if (strcmp(name, "trajectory.h5") == 0) return describe_trajectory(dirname(copy), path, error);
    if (mesh_file_has_ending(name)) return describe_mesh(path, error);
    if (sphere_file_has_ending(name)) return describe_spheres(path, error);
    size_t length = strlen(name);
    bool is_sealed, is_hdf5 = length > 3 && strcmp(name + length - 3, ".h5") == 0;
    scr_status status = sealed_check(path, &is_sealed, error);
    if (status != SCR_OK) return status;
    if (is_sealed && bed_file_holds_one(path)) return describe_bed(path, error);
    if (!is_sealed && problem_file_holds_one(path)) return describe_problem(path, error);
    return is_sealed || is_hdf5 ? describe_checkpoint(path, error) : describe_scene(path, error);
}

int app_info(int argc, char **argv)
{
    const char *path = NULL;
    const verb_usage usage = {
        .verb = "info",
        .arguments = "PATH",
        .argument_count = 1,
        .about = "Says what is in a scene, a run directory, a checkpoint, a bed or a contact problem (.h5), a\n"
                 "trajectory (trajectory.h5), a mesh (.obj, .stl, .inp) or a sphere set (.spheres).",
        .example = "scree info ball",
    };
    parse_result parsed = parse_arguments(&usage, argc, argv, &path);
    if (parsed != PARSE_OK) return exit_code_of(parsed);
    scr_error error = {0};
    return describe(path, &error) == SCR_OK ? EXIT_DONE : complain(&error);
}
