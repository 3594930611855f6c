// SPDX-License-Identifier: BSD-3-Clause
// The table of pairs. Each kind of pair is handled once, with the lower kind as a; the other order swaps and negates.
#include "collision/convex/narrow_phase.h"

#include <assert.h>

#include "collision/convex/narrow_convex.h"
#include "collision/ellipsoid/narrow_ellipsoid.h"
#include "collision/narrow/narrow_box.h"
#include "collision/narrow/narrow_capsule.h"
#include "collision/narrow/narrow_cylinder.h"
#include "collision/narrow/narrow_round.h"
#include "collision/narrow/narrow_sphere.h"

typedef int pair_function(const placed_shape *a, const placed_shape *b, double reach, contact_point *out);

enum { KIND_COUNT = SCR_PLANE + 1 };

// Direct functions, for the pairs that have one. Other convex shapes meet by their support points (narrow_convex.h).
// Two planes are never moved by each other: they have no function.
static pair_function *const pair_table[KIND_COUNT][KIND_COUNT] = {
    [SCR_SPHERE] = {[SCR_SPHERE] = narrow_sphere_sphere,
                    [SCR_ELLIPSOID] = narrow_sphere_ellipsoid,
                    [SCR_BOX] = narrow_sphere_box,
                    [SCR_CAPSULE] = narrow_sphere_capsule,
                    [SCR_CYLINDER] = narrow_sphere_round,
                    [SCR_CONE] = narrow_sphere_round,
                    [SCR_PLANE] = narrow_sphere_plane},
    [SCR_ELLIPSOID] = {[SCR_ELLIPSOID] = narrow_ellipsoid_ellipsoid,
                       [SCR_BOX] = narrow_ellipsoid_box,
                       [SCR_CAPSULE] = narrow_ellipsoid_capsule,
                       [SCR_PLANE] = narrow_ellipsoid_plane},
    [SCR_BOX] = {[SCR_BOX] = narrow_box_box,
                 [SCR_CAPSULE] = narrow_box_capsule,
                 [SCR_CYLINDER] = narrow_box_cylinder,
                 [SCR_PLANE] = narrow_box_plane},
    [SCR_CAPSULE] = {[SCR_CAPSULE] = narrow_capsule_capsule,
                     [SCR_CYLINDER] = narrow_capsule_round,
                     [SCR_CONE] = narrow_capsule_round,
                     [SCR_PLANE] = narrow_capsule_plane},
    [SCR_CYLINDER] = {[SCR_PLANE] = narrow_round_plane},
    [SCR_CONE] = {[SCR_PLANE] = narrow_round_plane},
};

int narrow_phase(const placed_shape *a, const placed_shape *b, double reach, contact_point out[MANIFOLD_MAX])
{
    assert((unsigned)a->kind < KIND_COUNT && (unsigned)b->kind < KIND_COUNT);
    if (a->kind > b->kind) {
        int count = narrow_phase(b, a, reach, out);
        for (int i = 0; i < count; ++i) out[i].normal = vec3_neg(out[i].normal);
        return count;
    }
    pair_function *meet = pair_table[a->kind][b->kind];
    if (meet == NULL && kind_is_convex(a->kind)) {
        if (kind_is_convex(b->kind)) meet = narrow_convex;
        if (b->kind == SCR_PLANE) meet = narrow_convex_plane;
    }
    return meet != NULL ? meet(a, b, reach, out) : 0;
}
