// SPDX-License-Identifier: BSD-3-Clause
#include "fitting/part.h"

#include <stdio.h>

#include "core/text/human.h"
#include "geometry/surface/mesh.h"
#include "geometry/surface/triangle.h"

// What is wrong with edges: how many are, and the first.
typedef struct edge_faults {
    int64_t open, crowded, twisted;
    int64_t first;  // edge 3 t + k; -1: none
} edge_faults;

static edge_faults find_faults(const scr_triangles *t, const mesh *m)
{
    edge_faults f = {.first = -1};
    for (int64_t e = 0; e < 3 * t->triangle_count; ++e) {
        int32_t other = m->ring[e];
        bool open = other == e, crowded = !open && m->ring[other] != e;
        // The other triangle must run along the edge the other way.
        bool twisted = !open && !crowded && t->triangle[other] == t->triangle[e];
        f.open += open, f.crowded += crowded, f.twisted += twisted;
        if (f.first < 0 && (open || crowded || twisted)) f.first = e;
    }
    return f;
}

static scr_status name_faults(const scr_triangles *t, const edge_faults *f, scr_error *error)
{
    if (f->first < 0) return SCR_OK;
    scr_vec3 a = t->vertex[t->triangle[f->first]];
    scr_vec3 b = t->vertex[t->triangle[f->first % 3 == 2 ? f->first - 2 : f->first + 1]];
    char first[256];
    snprintf(first, sizeof first, "the first from (%g, %g, %g) to (%g, %g, %g) m", a.x, a.y, a.z, b.x, b.y, b.z);
    if (f->open > 0)
        return scr_fail(error, SCR_BAD_INPUT, "the surface is open: %s on one side only, %s",
                        human_things(f->open, "edge has a triangle", "edges have a triangle").text, first);
    if (f->crowded > 0)
        return scr_fail(error, SCR_BAD_INPUT, "the surface bounds no solid: %s more than two triangles, %s",
                        human_things(f->crowded / 3, "edge has", "edges have").text, first);
    return scr_fail(error, SCR_BAD_INPUT, "the surface has flipped faces: along %s both triangles run the same way, %s",
                    human_things(f->twisted / 2, "edge", "edges").text, first);
}

static scr_status check_closed(const scr_triangles *t, scr_error *error)
{
    mesh *m = NULL;
    scr_status status = mesh_build(t, &m, error);
    if (status == SCR_OK) {
        edge_faults faults = find_faults(t, m);
        status = name_faults(t, &faults, error);
    }
    bool closed = status == SCR_OK && m->closed;
    mesh_free(m);
    if (status != SCR_OK || closed) return status;
    double volume = triangles_solid(t).volume;
    if (volume < 0.0)
        return scr_fail(error, SCR_BAD_INPUT,
                        "the surface is inside out: its triangles face the inside, and the volume is %g m^3", volume);
    return scr_fail(error, SCR_BAD_INPUT, "the surface has no volume inside");
}

scr_status part_make(const scr_triangles *given, part *out, scr_error *error)
{
    *out = (part){0};
    scr_status status = mesh_check(given, error);
    if (status == SCR_OK) status = check_closed(given, error);
    if (status != SCR_OK) return status;
    out->made = scr_alloc(sizeof *out->made);
    if (out->made == NULL) return scr_fail_memory(error, sizeof *out->made, "a part");
    surfaces_init(out->made);
    status = surfaces_add_mesh(out->made, given, error);
    if (status != SCR_OK) {
        part_free(out);
        return status;
    }
    out->surface = &out->made->item[0];
    const scr_triangles *t = &out->surface->triangles;
    for (int64_t k = 0; k < t->triangle_count; ++k) {
        triangle3 c = triangle_corners(t, k);
        out->flat_count += triangle_is_flat(&c);
    }
    return SCR_OK;
}

void part_free(part *p)
{
    if (p->made != NULL) surfaces_free(p->made);
    scr_free(p->made);
    *p = (part){0};
}

solid_properties part_solid(const part *p)
{
    return (solid_properties){p->surface->volume, p->surface->centre, p->surface->inertia};
}
