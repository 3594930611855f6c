// SPDX-License-Identifier: BSD-3-Clause
// Spheres against everything. a is the sphere; of two spheres, the first.
#ifndef COLLISION_NARROW_NARROW_SPHERE_H
#define COLLISION_NARROW_NARROW_SPHERE_H

#include "collision/narrow/contact_point.h"

// Centres nearer than this have no direction between them: the square of a smaller number is no ordinary double.
static const double COINCIDENT = 1e-150;  // m

// What a sphere's contact is once its direction (from the sphere) and its gap are known.
static inline contact_point sphere_contact(scr_vec3 centre, double radius, scr_vec3 normal, double gap)
{
    return (contact_point){vec3_add_scaled(centre, radius + 0.5 * gap, normal), normal, gap, 0, {0.0, 0.0}};
}

// Two spheres; with one centre they push each other apart upwards. Returns whether they are nearer than reach.
static inline bool sphere_sphere(scr_vec3 centre_a, double radius_a, scr_vec3 centre_b, double radius_b, double reach,
                                 contact_point *out)
{
    scr_vec3 between = vec3_sub(centre_b, centre_a);
    double distance = vec3_norm(between), gap = distance - (radius_a + radius_b);
    if (!(gap < reach)) return false;
    scr_vec3 normal = distance > COINCIDENT ? vec3_scale(1.0 / distance, between) : vec3(0.0, 0.0, 1.0);
    *out = sphere_contact(centre_a, radius_a, normal, gap);
    return true;
}

// From the surface of a solid to a point.
typedef struct surface_way {
    double distance;   // m; negative inside
    scr_vec3 outward;  // unit; the surface's nearest point is at point - distance outward
} surface_way;

// The point is given by its arm from the box's position, in the world's axes.
surface_way box_surface_way(const placed_shape *box, scr_vec3 arm);

int narrow_sphere_sphere(const placed_shape *a, const placed_shape *b, double reach, contact_point *out);
int narrow_sphere_plane(const placed_shape *a, const placed_shape *b, double reach, contact_point *out);
int narrow_sphere_box(const placed_shape *a, const placed_shape *b, double reach, contact_point *out);

#endif
