// SPDX-License-Identifier: BSD-3-Clause
// What a surface is.
#include "app/source/surface_report.h"

#include <math.h>
#include <stdio.h>

#include "core/maths/vec3.h"
#include "core/text/human.h"
#include "geometry/surface/mesh.h"

static bool is_solid(const shape_surface *s) { return s->kind == SCR_HULL || (s->kind == SCR_MESH && s->mesh->closed); }

void print_surface_line(const shape_surface *s)
{
    const char *name = s->kind == SCR_HULL ? "hull" : s->kind == SCR_MESH ? "mesh" : "heightfield";
    printf("%s: %s, %s, ", name, human_things(s->triangles.vertex_count, "point", "points").text,
           human_things(s->triangles.triangle_count, "triangle", "triangles").text);
    if (s->kind == SCR_HEIGHTFIELD) printf("solid below");
    else if (is_solid(s)) printf("closed, %s m^3", human_figure(s->volume).text);
    else printf("a sheet: not closed");
}

// Where rounding left a little of 0 on a body of this size, it is 0.
static double without_noise(double value, double size) { return fabs(value) < 1e-12 * size ? 0.0 : value; }

static void print_vector(const char *name, scr_vec3 v, double size)
{
    printf("  %-11s (%.6g, %.6g, %.6g) m\n", name, without_noise(v.x, size), without_noise(v.y, size),
           without_noise(v.z, size));
}

void print_surface_table(const shape_surface *s)
{
    printf("  %-11s %s\n", "vertices", human_count(s->triangles.vertex_count).text);
    printf("  %-11s %s\n", "triangles", human_count(s->triangles.triangle_count).text);
    if (is_solid(s)) printf("  %-11s yes, a solid of %.6g m^3\n", "closed", s->volume);
    else printf("  %-11s no, a sheet\n", "closed");
    double size = vec3_norm(vec3_sub(s->box.high, s->box.low));
    print_vector("from", vec3_add(s->centre, s->box.low), size);
    print_vector("to", vec3_add(s->centre, s->box.high), size);
    print_vector("centre", s->centre, size);
}
