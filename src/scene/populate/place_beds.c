// SPDX-License-Identifier: BSD-3-Clause
// The beds of a scene, from their files into the world.
#include "scene/populate/place_beds.h"

#include <string.h>

#include "scene/bed/bed_change.h"
#include "scene/bed/bed_world.h"
#include "scene/model/messages.h"
#include "scene/populate/emission_estimate.h"

// What the bed's materials are in the scene: by name, unless the scene says what all are.
static scr_status find_materials(const scene *s, const scene_bed *from, const bed *b, scr_material *material,
                                 scr_error *error)
{
    for (int64_t m = 0; m < b->materials.count; ++m) {
        int found = from->material;
        for (int k = 0; found == ANY_MATERIAL && k < s->material_count; ++k)
            if (strcmp(s->materials[k].name, b->name[m]) == 0) found = k;
        if (found == ANY_MATERIAL)
            return scr_fail(error, SCR_BAD_INPUT,
                            "its grains are of '%s' (density %g kg/m^3, friction %g), which is no material of the "
                            "scene: add it, or say by \"material\" what they are",
                            b->name[m], b->density[m], b->friction[m]);
        material[m] = (scr_material){(uint32_t)found + 1};
    }
    return SCR_OK;
}

static scr_status place(const scene *s, const scene_bed *from, bed *b, scr_world *world, scr_error *error)
{
    scr_material *material;
    double copies = (double)from->repeat[0] * from->repeat[1] * from->repeat[2];
    scr_status status = scr_make_zeros(&material, b->materials.count, sizeof *material, "materials", error);
    if (status != SCR_OK) return status;
    status = find_materials(s, from, b, material, error);
    if (status == SCR_OK)
        status = check_body_limit((double)scr_world_bodies(world).count + copies * (double)b->grains.count, error);
    if (status == SCR_OK) status = bed_repeat(b, from->repeat, error);
    if (status == SCR_OK) status = bed_place(b, from->position, material, world, error);
    scr_free(material);
    return status;
}

scr_status place_bed(const scene *s, int index, scr_world *world, scr_error *error)
{
    const scene_bed *from = &s->beds[index];
    bed b;
    scr_error reason;
    bed_init(&b);
    scr_status status = from->read(from->path, &b, &reason);
    if (status == SCR_OK) status = place(s, from, &b, world, &reason);
    bed_free(&b);
    if (status == SCR_OK) return SCR_OK;
    return scene_fail(error, status, s, from->location, "%s: %s", label_of("bed", from->name, index).text,
                      reason.message);
}
