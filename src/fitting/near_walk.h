// SPDX-License-Identifier: BSD-3-Clause
// A walk through a tree of boxes from the nearest box to the farthest, for a search that narrows its reach as it finds.
#ifndef FITTING_NEAR_WALK_H
#define FITTING_NEAR_WALK_H

#include "geometry/surface/mesh_tree.h"

typedef struct near_walk near_walk;
typedef void near_visit(void *context, int32_t item, near_walk *walk);

// Visits the items whose boxes are nearer to the point than reach (m; may be infinite), a few that are not too.
void near_walk_run(const mesh_tree *tree, scr_vec3 point, double reach, near_visit *visit, void *context);
// For the visit: from now on only what is nearer than reach; a negative one ends the walk.
void near_walk_narrow(near_walk *walk, double reach);

#endif
