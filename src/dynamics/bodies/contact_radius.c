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
    case SCR_SPHERE_SET: return collider_largest_size(c, k);
    default: return INFINITY;
    }
}

static double radius_of_side(const contacts *set, const colliders *c, int64_t i, int side)
{
    double sphere = contact_sphere_radius(set, c->kind, i, side);
    return sphere > 0.0 ? sphere : contact_radius(c, side == 0 ? set->a[i] : set->b[i]);
}

bool contact_is_flat(const contacts *set, const colliders *c, int64_t i)
{
    return isinf(radius_of_side(set, c, i, 0)) && isinf(radius_of_side(set, c, i, 1));
}

double effective_radius(const contacts *set, const colliders *c, int64_t i)
{
    double curvature = 1.0 / radius_of_side(set, c, i, 0) + 1.0 / radius_of_side(set, c, i, 1);
    return curvature > 0.0 ? 1.0 / curvature : contact_smaller_size(set, c, i);
}
