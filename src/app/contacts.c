// SPDX-License-Identifier: BSD-3-Clause
// scree contacts: where the bodies of a scene touch as it begins, as a table that anyone can check.
//
// The contacts are those that the first step would begin with: pairs that overlap, touch, or are so near that they may
// touch within the step. In a row a is the body with the lower id, and the normal points from a to b.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/command/command.h"
#include "app/command/options.h"
#include "app/command/output_path.h"
#include "app/source/built_scene.h"
#include "core/base/memory.h"
#include "core/file/safe_file.h"
#include "core/maths/vec3.h"
#include "core/text/human.h"
#include "core/text/memory_stream.h"
#include "io/json/json_write.h"

typedef struct contacts_options {
    scene_request scene;
    const char *output;
    double max_gap;  // m
    bool force;
} contacts_options;

typedef struct contact_row {
    uint64_t a, b;    // ids of bodies
    double value[7];  // point and gap (m), normal: x, y, z, nx, ny, nz, gap
} contact_row;

static parse_result parse(int argc, char **argv, contacts_options *o)
{
    const option options[] = {
        {"output", 'o', OPTION_TEXT, &o->output, "FILE.csv", "the table; default: printed"},
        {"force", 0, OPTION_FLAG, &o->force, NULL, FORCE_HELP},
        {"max-gap", 0, OPTION_ANY, &o->max_gap, "M",
         "only contacts with a gap of at most M metres; 0: those that touch"},
        {"threads", 'j', OPTION_COUNT, &o->scene.threads, "N",
         "threads to use; default: all cores. Results do not depend on it"},
        {"set", 0, OPTION_LIST, &o->scene.set, "PATH=VALUE", "change the scene, as for scree run; may be repeated"},
    };
    const verb_usage usage = {
        .verb = "contacts",
        .arguments = "SCENE",
        .argument_count = 1,
        .about = "Lists where the bodies of a scene touch as it begins, or may touch in the first step: who, the\n"
                 "point midway between the surfaces, the normal from a to b, and the gap, negative for overlaps.",
        .example = "scree contacts ball.json --max-gap 0 -o touching.csv",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
    };
    return parse_arguments(&usage, argc, argv, &o->scene.path);
}

// A view's entries by handle: the id of a body.
static scr_status ids_by_handle(const scr_world *world, uint64_t **id, scr_error *error)
{
    scr_body_view view = scr_world_bodies(world);
    uint32_t most = 0;
    for (int64_t i = 0; i < view.count; ++i) most = view.handle[i].index1 > most ? view.handle[i].index1 : most;
    size_t bytes = scr_array_bytes((int64_t)most + 1, sizeof **id);
    *id = scr_alloc(bytes);
    if (*id == NULL) return scr_fail_memory(error, bytes, "bodies");
    for (int64_t i = 0; i < view.count; ++i) (*id)[view.handle[i].index1] = view.id[i];
    return SCR_OK;
}

static contact_row row_of(const scr_contact_view *all, int64_t i, const uint64_t *id)
{
    uint64_t a = id[all->a[i].index1], b = id[all->b[i].index1];
    scr_vec3 p = all->point[i], n = a <= b ? all->normal[i] : vec3_neg(all->normal[i]);
    // Adding 0 makes -0 a plain 0.
    return (contact_row){a <= b ? a : b,
                         a <= b ? b : a,
                         {p.x + 0.0, p.y + 0.0, p.z + 0.0, n.x + 0.0, n.y + 0.0, n.z + 0.0, all->gap[i] + 0.0}};
}

static int by_bodies_then_point(const void *a, const void *b)
{
    const contact_row *x = a, *y = b;
    if (x->a != y->a) return x->a < y->a ? -1 : 1;
    if (x->b != y->b) return x->b < y->b ? -1 : 1;
    for (int k = 0; k < 7; ++k)
        if (x->value[k] != y->value[k]) return x->value[k] < y->value[k] ? -1 : 1;
    return 0;
}

static scr_status collect_rows(scr_world *world, double max_gap, contact_row **rows, int64_t *count, scr_error *error)
{
    uint64_t *id = NULL;
    scr_status status = ids_by_handle(world, &id, error);
    if (status == SCR_OK) status = scr_world_find_contacts(world, error);
    scr_contact_view all = {0};
    if (status == SCR_OK) status = scr_world_contacts(world, &all, error);
    size_t bytes = scr_array_bytes(all.count + 1, sizeof **rows);
    if (status == SCR_OK && (*rows = scr_alloc(bytes)) == NULL) status = scr_fail_memory(error, bytes, "contacts");
    for (int64_t i = 0; i < all.count && status == SCR_OK; ++i)
        if (all.gap[i] <= max_gap) (*rows)[(*count)++] = row_of(&all, i, id);
    if (status == SCR_OK) qsort(*rows, (size_t)*count, sizeof **rows, by_bodies_then_point);
    scr_free(id);
    return status;
}

static const char *name_of(const scene *s, uint64_t id)
{
    return id <= (uint64_t)s->body_count ? s->bodies[id - 1].name : "";
}

static void write_rows(FILE *out, const scene *s, const contact_row *rows, int64_t count)
{
    fprintf(out, "a,a_name,b,b_name,x [m],y [m],z [m],nx,ny,nz,gap [m]\n");
    for (int64_t i = 0; i < count; ++i) {
        const contact_row *r = &rows[i];
        fprintf(out, "%" PRIu64 ",%s,%" PRIu64 ",%s", r->a, name_of(s, r->a), r->b, name_of(s, r->b));
        for (int k = 0; k < 7; ++k) fprintf(out, ",%s", json_number_text(r->value[k]).text);
        fputc('\n', out);
    }
}

static scr_status save_rows(const char *path, const scene *s, const contact_row *rows, int64_t count, scr_error *error)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = memory_stream_open(&text, &size);
    if (out == NULL) return scr_fail_memory(error, 0, path);
    write_rows(out, s, rows, count);
    bool complete = !ferror(out);
    scr_status status = SCR_OK;
    if (fclose(out) != 0 || !complete) status = scr_fail_memory(error, size, path);
    if (status == SCR_OK) status = file_replace(path, text, size, error);
    free(text);
    return status;
}

static int list_contacts(const contacts_options *o)
{
    scr_error error = {0};
    built_scene built;
    contact_row *rows = NULL;
    int64_t count = 0;
    scr_status status = build_for_output(&o->scene, o->output, o->force, &built, &error);
    if (status == SCR_OK) status = collect_rows(simulation_world(built.simulation), o->max_gap, &rows, &count, &error);
    int code = EXIT_DONE;
    if (status != SCR_OK) {
        code = complain(&error);
    } else if (o->output != NULL && save_rows(o->output, built.scene, rows, count, &error) != SCR_OK) {
        code = complain_at_work(&error);
    } else if (o->output != NULL) {
        printf("%s: %s\n", o->output, human_things(count, "contact", "contacts").text);
    } else {
        write_rows(stdout, built.scene, rows, count);
        fprintf(stderr, "%s\n", human_things(count, "contact", "contacts").text);
    }
    scr_free(rows);
    built_scene_free(&built);
    return code;
}

int app_contacts(int argc, char **argv)
{
    contacts_options o = {.max_gap = INFINITY};
    parse_result parsed = parse(argc, argv, &o);
    int code = parsed == PARSE_OK ? list_contacts(&o) : exit_code_of(parsed);
    option_list_free(&o.scene.set);
    return code;
}
