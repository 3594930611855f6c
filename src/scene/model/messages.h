// SPDX-License-Identifier: BSD-3-Clause
// Failing with the place in the scene that is to blame: "scene.json:14:5: fill 'bed' ...".
#ifndef SCENE_MODEL_MESSAGES_H
#define SCENE_MODEL_MESSAGES_H

#include "core/base/status.h"
#include "scene/model/scene.h"

scr_status scene_fail(scr_error *error, scr_status status, const scene *s, scene_location location, const char *format,
                      ...) __attribute__((format(printf, 5, 6)));

// How messages call one of a list: "fill 'bed'", or "fill 3" for the third if it has no name.
typedef struct scene_label {
    char text[NAME_MAX_LENGTH + 32];
} scene_label;
scene_label label_of(const char *kind, const char *name, int64_t index);
// The body with such an id (scr_body_view.id): those of the scene's list were made first, all others are grains.
scene_label label_of_body(const scene *s, uint64_t id);
// Where a sentence of the world, which knows no names, says "body 3": what stands before, the number, and what follows.
typedef struct numbered_thing {
    const char *before, *rest;
    int before_length;
    uint64_t number;  // 0: there is none
} numbered_thing;
numbered_thing find_numbered(const char *sentence, const char *word);  // word: "body"
// A joint of the scene, or an actuator, which are in the same list.
scene_label label_of_joint(const scene *s, int64_t index);

#endif
