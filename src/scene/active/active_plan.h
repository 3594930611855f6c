// SPDX-License-Identifier: BSD-3-Clause
// The plan of the active box, seen from above: a figure about a body, along its heading.
//
// A body's heading is at right angles to its y axis and level, so that of a wheel that rolls is that of its axle. With
// u ahead and v to the left of the body's centre, a = ahead + g for u > 0 or behind + g, b = side + g,
// U = |u| / a, V = |v| / b, the figure grown by g on all sides is
//   flat       max(U, V) <= 1                      a rectangle
//   sloped     max(U, V, 2/3 (U + V)) <= 1         its corners cut: an octagon
//   rounded    U^2 + V^2 <= 1                      two half ellipses
// Columns of grains are live or not as a whole: faces stand upright, and slope or bend in the plan.
#ifndef SCENE_ACTIVE_ACTIVE_PLAN_H
#define SCENE_ACTIVE_ACTIVE_PLAN_H

#include "scene/model/scene.h"

// Where a body is and which way it heads.
typedef struct active_footing {
    double x, y;    // m
    double ux, uy;  // unit vector ahead
} active_footing;

active_footing footing_of(const scr_body_state *state);
bool plan_contains(const scene_active_box *box, const active_footing *at, double x, double y, double grow);
double plan_reach(const scene_active_box *box, double grow);  // m: as far as the figure goes from the body's centre
// How far a point of the figure's edge moves at most, from one footing to the other, m.
double footing_change(const scene_active_box *box, const active_footing *a, const active_footing *b);

#endif
