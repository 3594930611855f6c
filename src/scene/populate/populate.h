// SPDX-License-Identifier: BSD-3-Clause
// Populating a world: the materials of a scene, and the grains of its fills, tables and beds.
#ifndef SCENE_POPULATE_POPULATE_H
#define SCENE_POPULATE_POPULATE_H

#include "scene/overlap/overlaps.h"

scr_status populate_materials(const scene *s, scr_world *world, scr_error *error);
// Grains of all fills, then of all tables, then of all beds. origins has room for grain_origin_count entries.
static inline int grain_origin_count(const scene *s) { return s->fill_count + s->table_count + s->bed_count; }
scr_status populate_grains(const scene *s, const height_grid *grounds, scr_world *world, grain_origin *origins,
                           scr_error *error);

#endif
