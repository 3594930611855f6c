// SPDX-License-Identifier: BSD-3-Clause
// A point where two shapes meet or are about to, and lists of such points.
#ifndef COLLISION_NARROW_CONTACT_POINT_H
#define COLLISION_NARROW_CONTACT_POINT_H

#include "geometry/shape/placed_shape.h"

enum { MANIFOLD_MAX = 8 };  // points of a convex pair

typedef struct contact_point {
    scr_vec3 point;    // m, midway between the two surfaces
    scr_vec3 normal;   // from a to b
    double gap;        // m; negative when they overlap
    uint32_t feature;  // which part of a meets which part of b: the same from step to step
    double
        radius[2];  // m, of a and of b: where that is a sphere set, of the sphere that touches; else 0 or of no meaning
} contact_point;

// Points of one or more pairs, kept for its memory. Running out of memory is noted, not reported at once: the owner
// asks.
typedef struct contact_list {
    contact_point *point;
    int64_t count, capacity;
    bool out_of_memory;
} contact_list;

static inline void contact_list_add(contact_list *list, const contact_point *p)
{
    if (list->count == list->capacity && scr_grow(&list->point, &list->capacity, list->count + 1, sizeof *list->point,
                                                  "contact points", NULL) != SCR_OK) {
        list->out_of_memory = true;
        return;
    }
    list->point[list->count++] = *p;
}

#endif
