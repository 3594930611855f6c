// SPDX-License-Identifier: BSD-3-Clause
// The surfaces of a scene on their way into the world: files are read, points scaled, shapes put where their points
// are.
#ifndef SCENE_POPULATE_POPULATE_SURFACES_H
#define SCENE_POPULATE_POPULATE_SURFACES_H

#include "scene/model/scene.h"

// Surface i of the scene becomes the world's surface with index1 = i + 1.
scr_status populate_surfaces(const scene *s, const height_grid *grounds, scr_world *world, scr_error *error);
// A copy of a body's shapes as the world wants them: the world's shape of a surface sits at its centre of mass, the
// scene's at the origin of the frame its points were given in. scr_free() it.
scr_status place_surface_shapes(const scene_body *body, const scr_world *world, scr_shape **shapes, scr_error *error);

#endif
