// SPDX-License-Identifier: BSD-3-Clause
// The spheres of a set, found by where they are: a tree of boxes about groups of them.
//
// Spheres stand in the order of a Hilbert curve through their centres (sphere_set_order), so that those that follow one
// another are neighbours: group g is spheres 8 g to 8 g + 7, and the tree is one over groups. Beside a sphere's own four
// numbers that takes some 4 bytes a sphere.
#ifndef GEOMETRY_SURFACE_SPHERE_TREE_H
#define GEOMETRY_SURFACE_SPHERE_TREE_H

#include "geometry/surface/mesh_tree.h"

enum { SPHERE_GROUP = 8 };

struct sphere_tree {
    mesh_tree groups;
    double least, largest;  // m: radii
};

// What cannot be a sphere set is named.
scr_status sphere_set_check(int64_t count, const scr_vec3 *centre, const double *radius, scr_error *error);
// order (count) receives the spheres along the curve.
scr_status sphere_set_order(int64_t count, const scr_vec3 *centre, const double *radius, int32_t *order,
                            scr_error *error);
scr_status sphere_tree_build(int64_t count, const scr_vec3 *centre, const double *radius, sphere_tree **out,
                             scr_error *error);
void sphere_tree_free(sphere_tree *tree);

typedef struct sphere_range {
    int32_t first, last;  // last: one beyond
} sphere_range;
static inline sphere_range spheres_of_group(const shape_surface *s, int32_t group)
{
    int64_t last = (int64_t)SPHERE_GROUP * (group + 1), count = s->triangles.vertex_count;
    return (sphere_range){SPHERE_GROUP * group, (int32_t)(last < count ? last : count)};
}

// Is a sphere of the set nearer to a point than that?
bool sphere_set_may_reach(const shape_surface *s, scr_vec3 point, double reach);

#endif
