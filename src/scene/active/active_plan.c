// SPDX-License-Identifier: BSD-3-Clause
#include "scene/active/active_plan.h"

#include <math.h>

#include "core/maths/pose.h"

active_footing footing_of(const scr_body_state *state)
{
    scr_vec3 left = quat_rotate(state->rotation, vec3(0.0, 1.0, 0.0));
    double length = sqrt(left.x * left.x + left.y * left.y);
    active_footing at = {state->position.x, state->position.y, 1.0, 0.0};
    // y axis straight up or down: no heading is better than another
    if (length > 1e-3) at.ux = left.y / length, at.uy = -left.x / length;
    return at;
}

bool plan_contains(const scene_active_box *box, const active_footing *at, double x, double y, double grow)
{
    double dx = x - at->x, dy = y - at->y;
    double u = dx * at->ux + dy * at->uy, v = dy * at->ux - dx * at->uy;
    double along = fabs(u) / ((u > 0.0 ? box->ahead : box->behind) + grow), across = fabs(v) / (box->side + grow);
    switch (box->face) {
    case FACE_FLAT: return along <= 1.0 && across <= 1.0;
    case FACE_SLOPED: return along <= 1.0 && across <= 1.0 && along + across <= 1.5;
    case FACE_ROUNDED: return along * along + across * across <= 1.0;
    }
    return false;
}

double plan_reach(const scene_active_box *box, double grow)
{
    double along = fmax(box->ahead, box->behind) + grow, across = box->side + grow;
    return sqrt(along * along + across * across);
}

double footing_change(const scene_active_box *box, const active_footing *a, const active_footing *b)
{
    double dx = b->x - a->x, dy = b->y - a->y, tx = b->ux - a->ux, ty = b->uy - a->uy;
    return sqrt(dx * dx + dy * dy) + sqrt(tx * tx + ty * ty) * plan_reach(box, 0.0);
}
