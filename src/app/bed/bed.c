// SPDX-License-Identifier: BSD-3-Clause
// scree bed: the grains of runs as a file that other scenes begin with, and what can be done to such files.
#include <libgen.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/command/command.h"
#include "app/command/options.h"
#include "app/command/output_path.h"
#include "app/source/saved_run.h"
#include "core/file/safe_file.h"
#include "core/text/human.h"
#include "io/bed/bed_file.h"
#include "scene/bed/bed_change.h"
#include "scene/bed/bed_world.h"

typedef struct bed_options {
    const char *output, *group;
    const char *cut, *mirror, *repeat, *shift;
    double scale;
    bool force;
} bed_options;

// What the words say, read before anything is done.
typedef struct bed_changes {
    scr_vec3 low, high, shift;
    int axis;  // of the mirror
    int repeat[3];
} bed_changes;

static parse_result parse(int argc, char **argv, bed_options *o, const char **source)
{
    const option options[] = {
        {"output", 'o', OPTION_TEXT, &o->output, "FILE.h5", "the bed to write; default: bed.h5"},
        {"group", 0, OPTION_TEXT, &o->group, "GROUP",
         "of runs: the free bodies of this collision group; default: the grains of fills, tables, beds and emitters"},
        {"cut", 0, OPTION_TEXT, &o->cut, "X,Y,Z:X,Y,Z",
         "keep the grains whose centres are in this box, m; inf is allowed"},
        {"mirror", 0, OPTION_TEXT, &o->mirror, "x|y|z", "mirror at the plane x = 0, y = 0 or z = 0"},
        {"scale", 0, OPTION_NUMBER, &o->scale, "FACTOR", "scale all lengths about the origin"},
        {"repeat", 0, OPTION_TEXT, &o->repeat, "NXxNYxNZ",
         "so many copies side by side; more than one along axes on which the bed repeats itself"},
        {"shift", 0, OPTION_TEXT, &o->shift, "X,Y,Z", "move by this, m"},
        {"force", 0, OPTION_FLAG, &o->force, NULL, FORCE_HELP},
    };
    const verb_usage usage = {
        .verb = "bed",
        .arguments = "FILE.h5|DIR",
        .argument_count = 1,
        .takes_more = true,
        .about = "Writes a bed (docs/beds.md): the grains of a run as they are in its last checkpoint, with the\n"
                 "history of their contacts, for the key \"beds\" of other scenes. Of several runs and beds it makes\n"
                 "one. Then, in this order, it is cut, mirrored, scaled, repeated and shifted.",
        .example = "scree bed settled -o sand.h5\nscree bed tile.h5 --repeat 16x16x1 -o field.h5",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
    };
    return parse_arguments(&usage, argc, argv, source);
}

// ---- words ---------------------------------------------------------------------------------------------------------

// Three numbers with `separator` between them; where they end, or NULL.
static const char *read_three(const char *text, char separator, double value[3])
{
    for (int k = 0; k < 3; ++k) {
        char *end;
        value[k] = strtod(text, &end);
        if (end == text || isnan(value[k]) || (k < 2 && *end != separator)) return NULL;
        text = k < 2 ? end + 1 : end;
    }
    return text;
}

static scr_status read_cut(const char *text, bed_changes *c, scr_error *error)
{
    double low[3], high[3];
    const char *at = read_three(text, ',', low);
    at = at != NULL && *at == ':' ? read_three(at + 1, ',', high) : NULL;
    if (at == NULL || *at != '\0')
        return scr_fail(error, SCR_BAD_INPUT, "--cut needs two corners, as 0,0,0:1,1,1, not \"%s\"", text);
    c->low = vec3(low[0], low[1], low[2]);
    c->high = vec3(high[0], high[1], high[2]);
    return SCR_OK;
}

static scr_status read_shift(const char *text, bed_changes *c, scr_error *error)
{
    double by[3];
    const char *end = read_three(text, ',', by);
    if (end == NULL || *end != '\0' || !isfinite(by[0]) || !isfinite(by[1]) || !isfinite(by[2]))
        return scr_fail(error, SCR_BAD_INPUT, "--shift needs three numbers, as 0,0,0.5, not \"%s\"", text);
    c->shift = vec3(by[0], by[1], by[2]);
    return SCR_OK;
}

static scr_status read_repeat(const char *text, bed_changes *c, scr_error *error)
{
    for (int k = 0; k < 3; ++k) {
        char *end;
        long count = strtol(text, &end, 10);
        if (end == text || count < 1 || count > 1000000 || *end != (k < 2 ? 'x' : '\0'))
            return scr_fail(error, SCR_BAD_INPUT, "--repeat needs three whole numbers from 1 on, as 16x16x1");
        c->repeat[k] = (int)count;
        text = end + 1;
    }
    return SCR_OK;
}

static scr_status read_words(const bed_options *o, bed_changes *c, scr_error *error)
{
    scr_status status = SCR_OK;
    if (o->cut != NULL) status = read_cut(o->cut, c, error);
    if (status == SCR_OK && o->shift != NULL) status = read_shift(o->shift, c, error);
    if (status == SCR_OK && o->repeat != NULL) status = read_repeat(o->repeat, c, error);
    if (status != SCR_OK || o->mirror == NULL) return status;
    c->axis = o->mirror[0] - 'x';
    if (c->axis >= 0 && c->axis < 3 && o->mirror[1] == '\0') return SCR_OK;
    return scr_fail(error, SCR_BAD_INPUT, "--mirror needs x, y or z, not \"%s\"", o->mirror);
}

// ---- sources -------------------------------------------------------------------------------------------------------

static scr_status find_group(const scene *s, const char *name, uint32_t *bit, scr_error *error)
{
    for (int g = 0; g < s->group_count; ++g) {
        if (strcmp(s->groups[g], name) != 0) continue;
        *bit = (uint32_t)1 << g;
        return SCR_OK;
    }
    return scr_fail(error, SCR_BAD_INPUT, "the scene of the run has no group \"%s\"", name);
}

static scr_status take_from(const built_scene *built, const char *group, bed *b, scr_error *error)
{
    const scene *s = built->scene;
    bed_choice choice = {.listed = (uint64_t)s->body_count};
    scr_status status = group != NULL ? find_group(s, group, &choice.group, error) : SCR_OK;
    if (status != SCR_OK) return status;
    status = scr_make_zeros(&choice.material, s->material_count, sizeof *choice.material, "names", error);
    if (status != SCR_OK) return status;
    for (int m = 0; m < s->material_count; ++m) choice.material[m] = s->materials[m].name;
    status = simulation_release_grains(built->simulation, error);
    if (status == SCR_OK) status = bed_take(simulation_world(built->simulation), &choice, b, error);
    scr_free(choice.material);
    return status;
}

static scr_status take_run(const char *directory, const char *group, bed *b, scr_error *error)
{
    built_scene built = {0};
    scr_status status = open_saved_run(directory, 0, &built, error);
    if (status == SCR_OK) status = take_from(&built, group, b, error);
    built_scene_free(&built);
    return status;
}

// A run is known by its directory or by the checkpoint in it.
static scr_status read_source(const char *path, const char *group, bed *b, scr_error *error)
{
    char copy[PATH_LENGTH_MAX];
    const char *name = strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path;
    if (path_is_directory(path)) return take_run(path, group, b, error);
    if (!path_exists(path)) return scr_fail(error, SCR_BAD_INPUT, "%s: there is no such file", path);
    if (strcmp(name, "checkpoint.h5") != 0) return bed_file_read(path, b, error);
    snprintf(copy, sizeof copy, "%s", path);
    return take_run(dirname(copy), group, b, error);
}

static scr_status read_sources(const char **source, int count, const char *group, bed *b, scr_error *error)
{
    scr_status status = read_source(source[0], group, b, error);
    for (int k = 1; k < count && status == SCR_OK; ++k) {
        bed next;
        scr_error reason;
        bed_init(&next);
        status = read_source(source[k], group, &next, error);
        if (status == SCR_OK) {
            status = bed_merge(b, &next, &reason);
            if (status != SCR_OK) scr_fail(error, status, "%s: %s", source[k], reason.message);
        }
        bed_free(&next);
    }
    return status;
}

static scr_status apply(const bed_options *o, const bed_changes *c, bed *b, scr_error *error)
{
    scr_status status = SCR_OK;
    if (o->cut != NULL) status = bed_cut(b, c->low, c->high, error);
    if (status == SCR_OK && o->mirror != NULL) status = bed_mirror(b, c->axis, error);
    if (status == SCR_OK && o->scale > 0.0) bed_scale(b, o->scale);
    if (status == SCR_OK && o->repeat != NULL) status = bed_repeat(b, c->repeat, error);
    if (status == SCR_OK && o->shift != NULL) bed_shift(b, c->shift);
    if (status == SCR_OK && b->grains.count == 0)
        return scr_fail(error, SCR_BAD_INPUT, "there is no grain in it, and so no bed");
    // What a factor or a shift makes of numbers must still be some.
    return status == SCR_OK ? bed_check(b, o->output, error) : status;
}

static int write_bed(const bed_options *o, const char **source, int count)
{
    scr_error error = {0};
    bed_changes changes = {0};
    bed b;
    bed_init(&b);
    const output_rule rule = {source, count, o->force};
    int code = EXIT_DONE;
    scr_status status = read_words(o, &changes, &error);
    if (status == SCR_OK) status = check_output_file(o->output, &rule, &error);
    if (status == SCR_OK) status = read_sources(source, count, o->group, &b, &error);
    if (status == SCR_OK) status = apply(o, &changes, &b, &error);
    if (status != SCR_OK) code = complain(&error);
    else if (bed_file_write(o->output, &b, &error) != SCR_OK) code = complain_at_work(&error);
    else
        printf("%s: %s, %s, %s\n", o->output, human_things(b.grains.count, "grain", "grains").text,
               human_things(b.contacts.count, "contact", "contacts").text, human_bytes(file_size(o->output)).text);
    bed_free(&b);
    return code;
}

int app_bed(int argc, char **argv)
{
    bed_options o = {.output = "bed.h5"};
    const char **source = calloc((size_t)argc, sizeof *source);
    int code = EXIT_FAILED, count = 0;
    if (source == NULL) fprintf(stderr, "scree: out of memory for arguments\n");
    else {
        parse_result parsed = parse(argc, argv, &o, source);
        while (count < argc && source[count] != NULL) ++count;
        code = parsed == PARSE_OK ? write_bed(&o, source, count) : exit_code_of(parsed);
    }
    free(source);
    return code;
}
