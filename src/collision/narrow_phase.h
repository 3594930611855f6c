// Narrow phase: where two placed shapes meet.
//
// A pair of convex shapes (or of one and a plane) has one function and few points; the table in narrow_phase.c is the seam
// where kinds are added. A pair is handled in one order of kinds, the other order swaps and negates. A mesh or a heightfield
// may meet a shape in any number of points: narrow_surface.h.
#ifndef COLLISION_NARROW_PHASE_H
#define COLLISION_NARROW_PHASE_H

#include "geometry/placed_shape.h"

enum { MANIFOLD_MAX = 8 };  // points of a convex pair

typedef struct contact_point {
    scr_vec3 point;   // m, half way between the two surfaces
    scr_vec3 normal;  // from a to b
    double gap;       // m; negative when they overlap
    uint32_t feature; // which part of a meets which part of b: the same from step to step
} contact_point;

// Points of one or more pairs, kept for its memory. Running out of memory is noted, not reported at once: the owner asks.
typedef struct contact_list {
    contact_point *point;
    int64_t count, capacity;
    bool out_of_memory;
} contact_list;

static inline void contact_list_add(contact_list *list, const contact_point *p)
{
    if (list->count == list->capacity &&
        scr_grow(&list->point, &list->capacity, list->count + 1, sizeof *list->point, "contact points", NULL) != SCR_OK) {
        list->out_of_memory = true;
        return;
    }
    list->point[list->count++] = *p;
}

// The points where a and b, neither of them a mesh or a heightfield, are nearer than reach: their number, in a fixed order. Stable from step to step.
int narrow_phase(const placed_shape *a, const placed_shape *b, double reach, contact_point out[MANIFOLD_MAX]);

#endif
