// SPDX-License-Identifier: BSD-3-Clause
// A tree of boxes over triangles: which of a million triangles are near a box.
//
// Triangles stand in the order of a Hilbert curve through their middles. Node i of the lowest level has the boxes of
// triangles 8 i to 8 i + 7 of that order, node i of a higher level the boxes of nodes 8 i to 8 i + 7 below: so the
// tree is its boxes and nothing else. Boxes are in single precision, rounded outwards.
#ifndef GEOMETRY_SURFACE_MESH_TREE_H
#define GEOMETRY_SURFACE_MESH_TREE_H

#include "geometry/surface/surface.h"
#include "geometry/surface/triangle.h"

enum { TREE_WIDTH = 8, TREE_LEVELS_MAX = 12 };

typedef struct tree_node {
    float low[3][TREE_WIDTH], high[3][TREE_WIDTH];  // m; low > high where there is none
} tree_node;

typedef struct mesh_tree {
    tree_node *node;                 // all levels, the lowest first
    int32_t *triangle;               // in the order of the tree
    int64_t count;                   // triangles in the tree: those with an area
    int64_t first[TREE_LEVELS_MAX];  // node of a level
    int64_t length[TREE_LEVELS_MAX];
    int levels;
} mesh_tree;

scr_aabb triangle_box(const triangle3 *t);
// What else has a box can stand in such a tree: item[k] is then what the walk visits for box[k].
typedef struct boxed_items {
    int64_t count;
    const scr_aabb *box;
    const int32_t *item;
} boxed_items;
// all: a box about all of them, which the curve fills.
scr_status mesh_tree_of_boxes(const scr_aabb *all, const boxed_items *items, mesh_tree *out, scr_error *error);
// Flat triangles, whose normal is zero, are left out.
scr_status mesh_tree_build(const scr_triangles *triangles, mesh_tree *out, scr_error *error);
void mesh_tree_free(mesh_tree *tree);

// Which boxes of a node the search is interested in: bit k for box k.
typedef unsigned tree_test(const void *context, const tree_node *node);
// Called for every triangle that passed, in the order of the tree; false ends the walk.
typedef bool tree_visit(void *context, int32_t triangle);
void mesh_tree_walk(const mesh_tree *tree, tree_test *test, const void *test_context, tree_visit *visit,
                    void *visit_context);

// Tests: boxes that meet a box; boxes that meet a ball; boxes with a part below a height along a direction; boxes
// that a ray meets. A search for the nearest may make ball or ray shorter as it goes.
typedef struct box_test {
    float low[3], high[3];
} box_test;
typedef struct ball_test {
    float centre[3], square;
} ball_test;
typedef struct slope_test {
    scr_vec3 direction;
    double below;
} slope_test;
typedef struct ray_test {
    double origin[3], direction[3];
    double length;  // of directions
} ray_test;
box_test box_test_of(const scr_aabb *box);
ball_test ball_test_of(scr_vec3 centre, double radius);
unsigned tree_overlaps_box(const void *box_test, const tree_node *node);
unsigned tree_overlaps_ball(const void *ball_test, const tree_node *node);
// The squares of the distances of a point from the boxes of a node, m^2, and which of them are at most that wide.
unsigned tree_box_squares(const tree_node *node, const float at[3], float wide, float square[TREE_WIDTH]);
unsigned tree_below_slope(const void *slope_test, const tree_node *node);
unsigned tree_hits_ray(const void *ray_test, const tree_node *node);

#endif
