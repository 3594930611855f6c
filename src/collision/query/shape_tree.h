// SPDX-License-Identifier: BSD-3-Clause
// A tree over placed shapes: which of a million are near a box, a ball or a ray.
//
// It is the tree of meshes (mesh_tree.h) over one triangle a shape, which spans the shape's box: the tree knows boxes
// alone. Shapes without bounds (planes, heightfields) are in a list beside it.
#ifndef COLLISION_QUERY_SHAPE_TREE_H
#define COLLISION_QUERY_SHAPE_TREE_H

#include "geometry/shape/placed_shape.h"
#include "geometry/surface/mesh_tree.h"

typedef struct shape_tree {
    mesh_tree tree;
    int32_t *shape;      // (bounded_count) number of the shape, by number of the triangle
    int32_t *unbounded;  // numbers of shapes
    int64_t bounded_count, unbounded_count;
} shape_tree;

typedef placed_shape shape_at(const void *owner, int64_t shape);
scr_status shape_tree_build(shape_tree *t, shape_at *at, const void *owner, int64_t count, scr_error *error);
void shape_tree_free(shape_tree *t);

// Visit the shapes that a test lets through, and all unbounded ones first.
typedef void shape_visit(void *context, int32_t shape);
void shape_tree_walk(const shape_tree *t, tree_test *test, const void *test_context, shape_visit *visit, void *context);

#endif
