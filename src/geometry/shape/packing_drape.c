// SPDX-License-Identifier: BSD-3-Clause
// Packings under a ground: columns of grains that hang from its surface, so that layers follow it.
//
// Columns stand on a square or a hexagonal lattice of pitch d = spacing * largest diameter, and the grains of a column
// are d apart. Grains of different columns are a pitch apart in the plan already, so none meet however steep the ground
// is. The ball around the topmost grain of a column touches the surface from below; the lowest one is clear of the
// bottom.
#include "core/maths/rng.h"
#include "geometry/shape/packing_parts.h"

static const double COLUMN_BUDGET = 1e8;  // columns that are looked at before giving up
static const int64_t LAYER_MAX = 1 << 20;

typedef struct columns {
    const packing *packing;
    double radius, pitch[2];  // m; of the ball around the largest grain; pitch[0] also from grain to grain in a column
    double first[2];          // m
    int64_t count[2];
    bool hexagonal;
} columns;

static columns columns_of(const packing *p)
{
    double radius = p->reach * size_largest(p->size), d = 2.0 * radius * p->spacing;
    columns c = {.packing = p, .radius = radius, .pitch = {d, d}, .hexagonal = p->pattern == FILL_HEXAGONAL};
    if (c.hexagonal) c.pitch[1] = sqrt(0.75) * d;
    scr_aabb bounds = region_bounds(p->region);
    c.count[0] = sites_along(bounds.low.x, bounds.high.x, radius, d, c.hexagonal ? 0.5 * d : 0.0, &c.first[0]);
    c.count[1] = sites_along(bounds.low.y, bounds.high.y, radius, c.pitch[1], 0.0, &c.first[1]);
    return c;
}

static void column_place(const columns *c, int64_t index, double *x, double *y)
{
    int64_t i = index % c->count[0], j = index / c->count[0];
    *x = c->first[0] + ((double)i + (c->hexagonal ? 0.5 * (double)(j & 1) : 0.0)) * c->pitch[0];
    *y = c->first[1] + (double)j * c->pitch[1];
}

// How many grains a column has, and the z of the topmost.
static int64_t column_layers(const columns *c, double x, double y, double *top)
{
    const region *r = c->packing->region;
    double bottom, tolerance = FIT_TOLERANCE * c->pitch[0];
    if (x + c->radius > r->high.x + tolerance) return 0;  // of a row that is moved by half a pitch
    region_ball_range(r, x, y, c->radius, &bottom, top);
    if (!(*top >= bottom - tolerance)) return 0;
    return 1 + (int64_t)fmin(floor((*top - bottom) / c->pitch[0] + FIT_TOLERANCE), (double)LAYER_MAX);
}

int64_t drape_count(const packing *p, int64_t limit)
{
    columns c = columns_of(p);
    if ((double)c.count[0] * (double)c.count[1] > COLUMN_BUDGET) return PACKING_TOO_LARGE;
    int64_t count = 0;
    for (int64_t k = 0; k < c.count[0] * c.count[1]; ++k) {
        double x, y, top;
        column_place(&c, k, &x, &y);
        count += column_layers(&c, x, y, &top);
        if (limit > 0 && count >= limit) return limit;
    }
    return count;
}

// The topmost grain is raised until it touches the surface itself, which the ball around a larger one would.
static scr_vec3 grain_place(const columns *c, double x, double y, double top, int64_t from_top, double reach)
{
    double bottom, z = top - (double)from_top * c->pitch[0];
    if (from_top == 0) region_ball_range(c->packing->region, x, y, reach, &bottom, &z);
    return vec3(x, y, z);
}

void drape_fill(const packing *p, int64_t count, scr_vec3 *position, double *radius)
{
    columns c = columns_of(p);
    int64_t done = 0, before = -1;
    for (int64_t layer = 0; done < count && done != before; ++layer) {  // from the bottom up
        before = done;
        for (int64_t k = 0; k < c.count[0] * c.count[1] && done < count; ++k) {
            double x, y, top;
            column_place(&c, k, &x, &y);
            int64_t layers = column_layers(&c, x, y, &top);
            if (layer >= layers) continue;
            radius[done] = size_draw(p->size, p->seed, p->stream, (uint64_t)done);
            double reach = p->reach * radius[done];
            position[done] = grain_place(&c, x, y, top, layers - 1 - layer, reach);
            if (p->pattern == FILL_JITTERED) position[done] = jittered(p, position[done], reach, c.pitch[0], done);
            ++done;
        }
    }
}
