// What triangles make up.
#include "app/surface_report.h"

#include <stdio.h>

#include "app/human.h"
#include "core/vec3.h"
#include "geometry/mesh.h"

scr_status report_surface(const scr_triangles *t, scr_shape_kind kind, surface_report *report, scr_error *error)
{
    *report = (surface_report){.kind = kind, .vertex_count = t->vertex_count, .triangle_count = t->triangle_count};
    if (t->vertex_count == 0) return SCR_OK;
    scr_vec3 low = t->vertex[0], high = low;
    for (int64_t i = 1; i < t->vertex_count; ++i) {
        scr_vec3 v = t->vertex[i];
        low = vec3(fmin(low.x, v.x), fmin(low.y, v.y), fmin(low.z, v.z));
        high = vec3(fmax(high.x, v.x), fmax(high.y, v.y), fmax(high.z, v.z));
    }
    report->low = low;
    report->high = high;
    report->centre = vec3_scale(0.5, vec3_add(low, high));
    if (kind == SCR_HEIGHTFIELD || t->triangle_count == 0) return SCR_OK;
    scr_status status = mesh_is_closed(t, &report->closed, error);
    if (status != SCR_OK || !report->closed) return status;
    solid_properties inside = triangles_solid(t);
    report->volume = inside.volume;
    if (inside.volume > 0.0) report->centre = inside.centre;
    return SCR_OK;
}

void print_surface_line(const surface_report *r)
{
    const char *name = r->kind == SCR_HULL ? "hull" : r->kind == SCR_MESH ? "mesh" : "heightfield";
    printf("%s: %s, %s, ", name, human_things(r->vertex_count, "point", "points").text,
           human_things(r->triangle_count, "triangle", "triangles").text);
    if (r->kind == SCR_HEIGHTFIELD) printf("solid below");
    else if (r->closed) printf("closed, %s m^3", human_figure(r->volume).text);
    else printf("a sheet: not closed");
}
