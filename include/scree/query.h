// SPDX-License-Identifier: BSD-3-Clause
// Questions about where things are: rays, nearest points, overlaps; one or many at a time.
//
// They see bodies as they are now: after a step, as it left them. The first question after a change costs a pass over
// all shapes, which makes a tree of them (SCR_NO_MEMORY if there is none for it); many at once are shared among the
// world's threads. Answers do not depend on their number. Several threads may ask at the same time, as long as nobody
// changes the world.
//
// Where space repeats itself every shape is seen once, where its centre is in the cell (scr_world_wrapped); not in the
// cells beside it.
#ifndef SCREE_QUERY_H
#define SCREE_QUERY_H

#include "scree/body.h"

#ifdef __cplusplus
extern "C" {
#endif

/// All groups: what a question about everything asks for.
#define SCR_ALL_GROUPS 0xffffffffu

/// A ray from a point.
typedef struct scr_ray {
    scr_vec3 origin;     ///< m
    scr_vec3 direction;  ///< of any length but 0
    double length;       ///< m: how far it goes; may be infinite
} scr_ray;

/// What a ray meets, or the nearest point. The body is null where there is none.
typedef struct scr_hit {
    scr_body body;
    int64_t shape;    ///< as in scr_world_shape; -1 where there is none
    double distance;  ///< m, from the ray's origin or from the point asked about
    scr_vec3 point;   ///< m, on the surface
    scr_vec3 normal;  ///< of unit length, outwards
} scr_hit;

/// What each of `count` rays meets first, into hits. A solid in which a ray begins is not seen by it; planes and
/// heightfields are solid below, meshes that are not closed are seen from both sides. Only bodies in one of the groups
/// (bits) are seen. SCR_BAD_INPUT names the ray that has no direction or is not a number.
SCR_API scr_status scr_world_cast_rays(const scr_world *world, int64_t count, const scr_ray *rays, uint32_t groups,
                                       scr_hit *hits, scr_error *error);
/// The point on the surface of any body that is nearest to each of `count` points, no farther than reach (m, may be
/// infinite), into hits. The distance is negative inside convex shapes and below planes; of meshes and heightfields it
/// is that to their surface, from whichever side.
SCR_API scr_status scr_world_nearest(const scr_world *world, int64_t count, const scr_vec3 *points, double reach,
                                     uint32_t groups, scr_hit *hits, scr_error *error);
/// The bodies that overlap a shape, which stands at position and rotation in the world (its material does not matter):
/// a sphere, a box, or any other convex shape. Each body once, in the order of ids. The first `capacity` of them go
/// into bodies, *found is how many there are in all: with a capacity of 0 they are only counted. SCR_BAD_INPUT if the
/// shape cannot be or is not convex.
SCR_API scr_status scr_world_overlapping(const scr_world *world, const scr_shape *shape, uint32_t groups,
                                         int64_t capacity, scr_body *bodies, int64_t *found, scr_error *error);

#ifdef __cplusplus
}
#endif

#endif
