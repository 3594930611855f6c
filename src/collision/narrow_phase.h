// Narrow phase: where two placed shapes meet.
//
// Every pair of kinds has one function; the table in narrow_phase.c is the seam where further shapes are added. A pair
// is handled in one order of kinds, the other order swaps and negates.
#ifndef COLLISION_NARROW_PHASE_H
#define COLLISION_NARROW_PHASE_H

#include "geometry/placed_shape.h"

enum { MANIFOLD_MAX = 8 };

typedef struct contact_point {
    scr_vec3 point;   // m, half way between the two surfaces
    scr_vec3 normal;  // from a to b
    double gap;       // m; negative when they overlap
    uint32_t feature; // which part of a meets which part of b: the same from step to step, at most 16 bits
} contact_point;

// The points where a and b are nearer than reach: their number, in a fixed order. Stable from step to step.
int narrow_phase(const placed_shape *a, const placed_shape *b, double reach, contact_point out[MANIFOLD_MAX]);

#endif
