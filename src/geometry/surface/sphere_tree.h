// SPDX-License-Identifier: BSD-3-Clause
// The spheres of a set, found by where they are: a tree of boxes about groups of them.
//
// Spheres stand in the order of a Hilbert curve through their centres (sphere_set_order), so that those that follow one
// another are neighbours: group g is spheres 8 g to 8 g + 7, and the tree is one over groups. A sphere takes 32 bytes
// itself, 16 once more in single precision for quick tests of a group, and 4 of the tree.
#ifndef GEOMETRY_SURFACE_SPHERE_TREE_H
#define GEOMETRY_SURFACE_SPHERE_TREE_H

#include "geometry/surface/mesh_tree.h"

enum { SPHERE_GROUP = 8 };

// Of a group, with radii a little larger than they are, by what rounding may lose.
typedef struct sphere_lanes {
    float x[SPHERE_GROUP], y[SPHERE_GROUP], z[SPHERE_GROUP], r[SPHERE_GROUP];  // m
} sphere_lanes;

struct sphere_tree {
    mesh_tree groups;
    sphere_lanes *lanes;    // (groups)
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

// Which spheres of a group may be nearer to a point than that: bit k for its k-th sphere. All that are, and hardly
// others.
typedef struct sphere_probe {
    float centre[3], reach;
} sphere_probe;
sphere_probe sphere_probe_of(scr_vec3 point, double reach);
unsigned sphere_group_near(const shape_surface *s, int32_t group, const sphere_probe *probe);
// Is a sphere of the set nearer to a point than that?
bool sphere_set_may_reach(const shape_surface *s, scr_vec3 point, double reach);

#endif
