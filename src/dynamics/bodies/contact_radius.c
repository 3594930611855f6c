// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/bodies/contact_radius.h"

#include <math.h>

double contact_radius(const colliders *c, int64_t k)
{
    switch ((scr_shape_kind)c->kind[k]) {
    case SCR_SPHERE:
    case SCR_ELLIPSOID: return c->radius[k];
    case SCR_CAPSULE:
    case SCR_CYLINDER:
    case SCR_CONE: return c->places.half[3 * c->place[k]];
    default: return INFINITY;
    }
}

bool colliders_touch_flat(const colliders *c, int64_t a, int64_t b)
{
    return isinf(contact_radius(c, a)) && isinf(contact_radius(c, b));
}

double effective_radius(const colliders *c, int64_t a, int64_t b)
{
    double curvature = 1.0 / contact_radius(c, a) + 1.0 / contact_radius(c, b);
    return curvature > 0.0 ? 1.0 / curvature : fmin(c->radius[a], c->radius[b]);
}
