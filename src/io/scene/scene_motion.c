// SPDX-License-Identifier: BSD-3-Clause
// How a kinematic body moves: translation by position or velocity, turning by angle or spin about an axis.
#include "io/scene/scene_sections.h"

void read_motion(json_cursor *at, scene_motion *motion)
{
    static const char *const translations[] = {"position", "velocity"};
    static const char *const rotations[] = {"angle", "spin"};
    const char *translation = read_only_key(at, translations, 2, "motion");
    const char *rotation = read_only_key(at, rotations, 2, "motion");

    motion->has_position = translation == translations[0];
    motion->has_velocity = translation == translations[1];
    if (motion->has_position) motion->position = read_time_vector(at, translation, NULL);
    if (motion->has_velocity) motion->velocity = read_time_vector(at, translation, NULL);

    motion->has_angle = rotation == rotations[0];
    motion->has_spin = rotation == rotations[1];
    if (motion->has_angle) motion->angle = read_time_function(at, rotation);
    if (motion->has_spin) motion->spin = read_time_function(at, rotation);
    if (rotation != NULL) motion->axis = read_direction(at, "axis", NULL);
    else if (cursor_has(at, "axis")) cursor_fail(at, "a motion with \"axis\" needs \"angle\" or \"spin\"");
    cursor_close(at);
    if (translation == NULL && rotation == NULL) {
        cursor_fail(at, "\"motion\" must have position or velocity, angle or spin");
    }
}
