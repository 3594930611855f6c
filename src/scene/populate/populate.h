// SPDX-License-Identifier: BSD-3-Clause
// Populating a world: the materials of a scene, and the grains of its fills and tables.
#ifndef SCENE_POPULATE_POPULATE_H
#define SCENE_POPULATE_POPULATE_H

#include "scene/populate/overlaps.h"

scr_status populate_materials(const scene *s, scr_world *world, scr_error *error);
// Grains of all fills, then of all tables. origins has room for fill_count + table_count entries.
scr_status populate_grains(const scene *s, const height_grid *grounds, scr_world *world, grain_origin *origins,
                           scr_error *error);

#endif
