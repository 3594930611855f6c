// SPDX-License-Identifier: BSD-3-Clause
// Beds out of worlds and into them.
#ifndef SCENE_BED_BED_WORLD_H
#define SCENE_BED_BED_WORLD_H

#include "scene/bed/bed.h"

// Which bodies of a world are taken: of the dynamic ones that no joint or spring holds.
typedef struct bed_choice {
    uint64_t listed;        // bodies with ids up to this are no grains: the scene lists them
    uint32_t group;         // 0: all grains; else the bodies in one of these groups, listed or not
    const char **material;  // names, by the world's materials
} bed_choice;
// Into a bed that has been init. A body with a hull or a mesh is refused with a sentence.
scr_status bed_take(scr_world *world, const bed_choice *choice, bed *b, scr_error *error);

// Adds the grains, moved by `offset`, to a world, and their contacts to what its next step builds on. material[m] is
// what material m of the bed is in the world; grains keep their sizes, and their mass follows its density. Contacts
// across a seam stay where the world repeats itself likewise. After a failure the world is of no use.
scr_status bed_place(const bed *b, scr_vec3 offset, const scr_material *material, scr_world *world, scr_error *error);

#endif
