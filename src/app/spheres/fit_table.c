// SPDX-License-Identifier: BSD-3-Clause
#include "app/spheres/fit_table.h"

#include "build_info.h"
#include "core/text/human.h"
#include "io/file/made_by.h"

void print_part(FILE *out, const char *path, const part *p)
{
    solid_properties s = part_solid(p);
    const mat3 *i = &s.inertia;
    scr_vec3 values;
    scr_quat axes;
    mat3_eigen_symmetric(i, &values, &axes);
    fprintf(out, "%s: %s, closed\n", path,
            human_things(p->surface->triangles.triangle_count, "triangle", "triangles").text);
    if (p->flat_count > 0)
        fprintf(out, "  %-11s %s no area and %s passed over\n", "note",
                human_things(p->flat_count, "triangle has", "triangles have").text, p->flat_count == 1 ? "is" : "are");
    fprintf(out, "  %-11s %.9g m^3\n", "volume", s.volume);
    fprintf(out, "  %-11s (%.9g, %.9g, %.9g) m, now the origin\n", "centre", s.centre.x, s.centre.y, s.centre.z);
    fprintf(out, "  %-11s %.9g, %.9g, %.9g m^2 a kg, principal\n", "inertia", values.x, values.y, values.z);
}

static void print_share(FILE *out, double volume, double whole) { fprintf(out, " %9.3f %%", 100.0 * volume / whole); }

void print_fits(FILE *out, const fit_row *rows, int count)
{
    fprintf(out, "  %-18s %9s %11s %11s %11s %11s %11s %8s\n", "", "spheres", "protrusion", "mean", "gap", "mean",
            "volume", "time");
    for (int k = 0; k < count; ++k) {
        const fit_row *r = &rows[k];
        const fit_errors *e = &r->errors;
        char name[128];
        snprintf(name, sizeof name, "%s %s%s", r->method, r->asked < 0.0 ? "" : "to ",
                 r->asked < 0.0 ? "" : human_length(r->asked).text);
        fprintf(out, "  %-18s %9s %11s %11s %11s %11s", name, human_count(r->set->count).text,
                human_length(e->protrusion).text, human_length(e->mean_protrusion).text, human_length(e->gap).text,
                human_length(e->mean_gap).text);
        print_share(out, e->volume_outside - e->volume_missing, r->set->solid.volume);
        fprintf(out, " %8s\n", human_duration(r->seconds).text);
    }
}

void note_fit(const char *path, const fit_row *row, char *text, size_t size)
{
    const fit_errors *e = &row->errors;
    snprintf(text, size,
             "%s %s\nof %s, method %s\nlargest protrusion %.6g m, mean %.6g m; largest gap %.6g m, mean %.6g m",
             MADE_BY_SCREE, SCREE_VERSION, path, row->method, e->protrusion, e->mean_protrusion, e->gap, e->mean_gap);
}
