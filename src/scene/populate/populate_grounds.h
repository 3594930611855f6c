// SPDX-License-Identifier: BSD-3-Clause
// The grounds of a scene, made once for the surfaces and the fills that use them.
#ifndef SCENE_POPULATE_POPULATE_GROUNDS_H
#define SCENE_POPULATE_POPULATE_GROUNDS_H

#include "scene/model/scene.h"

// One grid a ground; free them, also after a failure.
scr_status populate_grounds(const scene *s, height_grid **grids, scr_error *error);
void grounds_free(const scene *s, height_grid *grids);
// The region of a fill with the grounds it lies between or on.
region fill_region(const scene_fill *fill, const height_grid *grids);

#endif
