// SPDX-License-Identifier: BSD-3-Clause
#include "app/source/taken_bed.h"

#include <string.h>

#include "app/source/saved_run.h"
#include "scene/bed/bed_world.h"

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

scr_status bed_take_run(const char *directory, const char *group, bed *b, scr_error *error)
{
    built_scene built = {0};
    scr_status status = open_saved_run(directory, 0, &built, error);
    if (status == SCR_OK) status = take_from(&built, group, b, error);
    built_scene_free(&built);
    return status;
}
