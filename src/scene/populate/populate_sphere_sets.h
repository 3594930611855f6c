// SPDX-License-Identifier: BSD-3-Clause
// The sphere sets of a body on their way into the world.
#ifndef SCENE_POPULATE_POPULATE_SPHERE_SETS_H
#define SCENE_POPULATE_POPULATE_SPHERE_SETS_H

#include "scene/model/scene.h"

// Reads the body's sphere sets and puts their spheres behind its shapes, *shapes, of which def->shape_count are there.
// The spheres overlap and weigh nothing: unless def gives an inertia itself, that of a dynamic body is put there, with
// mass and centre, of the solids and the other shapes together, scaled to def->mass if that is given.
scr_status place_sphere_sets(const scene *s, const scene_body *body, scr_world *world, scr_shape **shapes,
                             scr_body_def *def, scr_error *error);

#endif
