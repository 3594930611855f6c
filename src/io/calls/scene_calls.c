// SPDX-License-Identifier: BSD-3-Clause
// Scenes from C: opening, stepping, reading.
#include "io/calls/scene_calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/interruption.h"
#include "core/base/memory.h"
#include "core/text/nearest_name.h"
#include "scene/model/messages.h"

scr_scene_def scr_default_scene_def(void) { return (scr_scene_def){0}; }

scr_status scr_scene_open(const scr_scene_def *def, scr_scene **opened, scr_error *error)
{
    *opened = NULL;
    if (def->path == NULL) return scr_fail(error, SCR_BAD_INPUT, "scr_scene_def: path is NULL: which scene?");
    scr_scene *fresh = scr_alloc(sizeof *fresh);
    if (fresh == NULL) return scr_fail_memory(error, sizeof *fresh, "a scene");
    *fresh = (scr_scene){0};
    scr_status status = scene_build(def, &fresh->built, &fresh->as_run, error);
    if (status == SCR_OK) *opened = fresh;
    else scr_scene_close(fresh, NULL);
    return status;
}

scr_status scr_scene_close(scr_scene *opened, scr_error *error)
{
    if (opened == NULL) return SCR_OK;
    scr_status status = run_close(opened, error);
    built_scene_free(&opened->built);
    free(opened->as_run);
    scr_free(opened);
    return status;
}

scr_status scr_scene_step(scr_scene *opened, scr_error *error)
{
    if (interruption_is_requested()) return interruption_fail(error);
    scr_status status = run_before_step(opened, error);
    if (status == SCR_OK) status = simulation_step(opened->built.simulation, error);
    return status == SCR_OK ? run_after_step(opened, error) : status;
}

bool scr_scene_is_done(const scr_scene *opened) { return simulation_is_done(opened->built.simulation); }
void scr_interrupt(void) { interruption_request(); }

scr_world *scr_scene_world(scr_scene *opened) { return simulation_world(opened->built.simulation); }
const char *scr_scene_title(const scr_scene *opened) { return opened->built.scene->title; }
double scr_scene_end_time(const scr_scene *opened) { return opened->built.scene->end_time; }
int scr_scene_thread_count(const scr_scene *opened) { return simulation_threads(opened->built.simulation); }
scr_contact_law scr_scene_contact_law(const scr_scene *opened) { return opened->built.scene->world.contact.law; }
uint64_t scr_scene_hash(scr_scene *opened) { return simulation_hash(opened->built.simulation); }

const char *scr_scene_material(const scr_scene *opened, uint32_t index)
{
    const scene *s = opened->built.scene;
    return index < (uint32_t)s->material_count ? s->materials[index].name : "";
}

// The entry of a list with this name: each begins with its own. Fails with the nearest one there is.
static scr_status find(const char *what, const void *list, int count, size_t size, const char *name, int *index,
                       scr_error *error)
{
    nearest_name nearest = nearest_to(name);
    for (*index = 0; *index < count; ++*index) {
        const char *there = (const char *)list + (size_t)*index * size;
        if (strcmp(there, name) == 0) return SCR_OK;
        if (there[0] != '\0') nearest_offer(&nearest, there);
    }
    char hint[NAME_MAX_LENGTH + 32] = "";
    if (nearest.best != NULL) snprintf(hint, sizeof hint, "; did you mean '%s'?", nearest.best);
    return scr_fail(error, SCR_BAD_INPUT, "the scene has no %s '%s'%s", what, name, hint);
}

scr_status scr_scene_find_body(const scr_scene *opened, const char *name, scr_body *body, scr_error *error)
{
    int index;
    const scene *s = opened->built.scene;
    scr_status status = find("body", s->bodies, s->body_count, sizeof *s->bodies, name, &index, error);
    if (status == SCR_OK) *body = simulation_body_handle(opened->built.simulation, index);
    return status;
}

scr_status scr_scene_find_joint(const scr_scene *opened, const char *name, scr_joint *joint, scr_error *error)
{
    int index;
    const scene *s = opened->built.scene;
    scr_status status = find("joint", s->joints, s->joint_count, sizeof *s->joints, name, &index, error);
    if (status == SCR_OK) *joint = simulation_joint_handle(opened->built.simulation, index);
    return status;
}

scr_status scr_scene_find_spring(const scr_scene *opened, const char *name, scr_spring *spring, scr_error *error)
{
    int index;
    const scene *s = opened->built.scene;
    scr_status status = find("spring", s->springs, s->spring_count, sizeof *s->springs, name, &index, error);
    if (status == SCR_OK) *spring = simulation_spring_handle(opened->built.simulation, index);
    return status;
}

int scr_scene_probe_count(const scr_scene *opened) { return simulation_probe_column_count(opened->built.simulation); }

static bool is_column(const scr_scene *opened, int column)
{
    return column >= 0 && column < scr_scene_probe_count(opened);
}

const char *scr_scene_probe_name(const scr_scene *opened, int column)
{
    return is_column(opened, column) ? simulation_probe_column(opened->built.simulation, column) : "";
}

const char *scr_scene_probe_unit(const scr_scene *opened, int column)
{
    return is_column(opened, column) ? simulation_probe_unit(opened->built.simulation, column) : "";
}

int scr_scene_find_probe(const scr_scene *opened, const char *name)
{
    for (int c = 0; c < scr_scene_probe_count(opened); ++c) {
        if (strcmp(scr_scene_probe_name(opened, c), name) == 0) return c;
    }
    return -1;
}

void scr_scene_read_probes(scr_scene *opened, double *values)
{
    simulation_read_probes(opened->built.simulation, values);
}

scr_scene_counts scr_scene_count(const scr_scene *opened) { return simulation_count(opened->built.simulation); }

int scr_scene_joint_count(const scr_scene *opened) { return opened->built.scene->joint_count; }

static bool is_joint(const scr_scene *opened, int joint) { return joint >= 0 && joint < scr_scene_joint_count(opened); }

scr_label scr_scene_joint_label(const scr_scene *opened, int joint)
{
    scr_label label = {""};
    _Static_assert(sizeof label.text >= sizeof(scene_label), "a label is long enough");
    if (!is_joint(opened, joint)) return label;
    memcpy(label.text, label_of_joint(opened->built.scene, joint).text, sizeof(scene_label));
    return label;
}

double scr_scene_joint_broken_at(const scr_scene *opened, int joint)
{
    return is_joint(opened, joint) ? simulation_broken_at(opened->built.simulation, joint) : 0.0;
}
