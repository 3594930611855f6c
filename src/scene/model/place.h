// Failing with the place in the scene that is to blame: "scene.json:14:5: fill 'bed' ...".
#ifndef SCENE_MODEL_PLACE_H
#define SCENE_MODEL_PLACE_H

#include "core/base/status.h"
#include "scene/model/scene.h"

scr_status scene_fail(scr_error *error, scr_status status, const scene *s, scene_place place, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

// How messages call one of a list: "fill 'bed'", or "fill 3" for the third if it has no name.
typedef struct scene_label {
    char text[NAME_MAX_LENGTH + 32];
} scene_label;
scene_label label_of(const char *kind, const char *name, int64_t index);
// The body with such an id (scr_body_view.id): those of the scene's list were made first, all others are grains.
scene_label label_of_body(const scene *s, uint64_t id);
// A sentence of the world, which calls a body by its id ("body 3"), with the scene's name of it.
scr_status scene_fail_body(scr_error *error, scr_status status, const scene *s, const char *sentence);
// A joint of the scene, or an actuator, which are in the same list.
scene_label label_of_joint(const scene *s, int64_t index);

// A count as people read it: "16,000".
typedef struct count_text {
    char text[32];
} count_text;
count_text readable_count(int64_t count);

#endif
