// SPDX-License-Identifier: BSD-3-Clause
#include "fitting/sinking.h"

enum { SHRINK_MAX = 24 };

// No centre below x is deeper than this, because of the surface point q.
static double deepest_before(scr_vec3 x, scr_vec3 inward, double slack, scr_vec3 q)
{
    scr_vec3 w = vec3_sub(q, x);
    double over = vec3_dot(w, inward) - slack, square = vec3_dot(w, w) - slack * slack;
    return over > 0.0 && square > 0.0 ? 0.5 * square / over : INFINITY;
}

static bool is_near_enough(const sinking *s, double depth) { return depth >= s->along - s->slack * (1.0 + 1e-9); }

// Up to where the limit's triangle lets it go: from place to place of it.
static void shrink(sinking *s)
{
    for (int k = 0; k < SHRINK_MAX; ++k) {
        scr_vec3 centre = sinking_centre(s);
        s->limit = surface_nearest_on(s->surface, s->limit.triangle, centre);
        if (is_near_enough(s, vec3_norm(vec3_sub(s->limit.point, centre)))) return;
        double next = deepest_before(s->x, s->inward, s->slack, s->limit.point);
        s->along = fmin(isfinite(next) ? next : 0.5 * s->along, (1.0 - 1e-6) * s->along);
    }
}

double sink(sinking *s)
{
    scr_vec3 centre;
    if (s->limit.triangle >= 0) shrink(s);
    for (int k = 0; k < SHRINK_MAX; ++k) {
        centre = sinking_centre(s);
        surface_place nearest = {s->x, -1, 0};
        double depth = s->along, known = vec3_norm(vec3_sub(s->limit.point, centre));
        if (s->limit.triangle >= 0 && known < depth) nearest = s->limit, depth = known;
        if (surface_nearest_to(s->surface, centre, depth, &nearest)) depth = vec3_norm(vec3_sub(nearest.point, centre));
        bool is_inside = nearest.triangle < 0 || surface_has_inside(s->surface, &nearest, centre);
        if (is_inside && is_near_enough(s, depth)) return depth;
        s->limit = nearest;
        if (is_near_enough(s, depth)) s->along *= 0.5;  // it went through a wall that is no thicker than the slack
        else shrink(s);
    }
    // Slower than it is worth: this near to the surface any centre will do.
    s->along = fmin(s->along, 0.5 * s->slack);
    centre = sinking_centre(s);
    surface_depth found = {0.0, s->x};
    surface_depth_at(s->surface, centre, INFINITY, &found);
    return found.depth;
}

void sinking_limit(sinking *s, const surface_place *place)
{
    double bound = deepest_before(s->x, s->inward, s->slack, place->point);
    if (place->triangle >= 0 && bound < s->along) s->along = bound, s->limit = *place;
}
