// SPDX-License-Identifier: BSD-3-Clause
#include "collision/query/shape_overlap.h"

#include "collision/convex/narrow_phase.h"
#include "collision/surface/narrow_surface.h"

double shapes_overlap(const placed_shape *a, const placed_shape *b, contact_list *points)
{
    points->count = 0;
    if (kind_has_parts(a->kind) || kind_has_parts(b->kind)) {
        narrow_surface(a, b, 0.0, points);
    } else {
        contact_point point[MANIFOLD_MAX];
        int count = narrow_phase(a, b, 0.0, point);
        for (int i = 0; i < count; ++i) contact_list_add(points, &point[i]);
    }
    double deepest = 0.0;
    for (int64_t i = 0; i < points->count; ++i) deepest = fmax(deepest, -points->point[i].gap);
    return deepest;
}
