// SPDX-License-Identifier: BSD-3-Clause
// What a bed is made of, as lines to read.
#include "app/source/bed_report.h"

#include <stdio.h>

#include "app/command/bar.h"
#include "core/text/human.h"
#include "dynamics/world/world_state.h"
#include "scene/bed/bed_measure.h"

enum { BAR_WIDTH = 40 };  // characters of the longest one

static void print_materials(const bed *b)
{
    for (int64_t m = 0; m < b->materials.count; ++m) {
        printf("  %-12s %s: %g kg/m^3, friction %g", m == 0 ? "materials" : "", b->name[m], b->density[m],
               b->friction[m]);
        if (b->restitution[m] > 0.0) printf(", restitution %g", b->restitution[m]);
        if (b->young[m] > 0.0) printf(", E %g Pa", b->young[m]);
        if (b->rolling_friction[m] > 0.0) printf(", rolling friction %g", b->rolling_friction[m]);
        if (b->cohesion[m] > 0.0) printf(", cohesion %g Pa", b->cohesion[m]);
        printf("\n");
    }
}

static void print_bounds(const bed *b, const bed_figures *f)
{
    printf("  %-12s x %g to %g, y %g to %g, z %g to %g m\n", "bounds", f->low.x, f->high.x, f->low.y, f->high.y,
           f->low.z, f->high.z);
    for (int axis = 0; axis < 3; ++axis)
        if (b->cell_length[axis] > 0.0)
            printf("  %-12s %c from %g to %g m\n", "periodic", "xyz"[axis], b -> cell_low[axis],
                   b -> cell_low[axis] + b -> cell_length[axis]);
}

// What a share is of, how large it is, and a bar; the longest bar is that of the largest share.
typedef void print_label(const bed_figures *f, int k);
static void print_shares(const bed_figures *f, const double *share, int count, print_label *label)
{
    const bool blocks = bar_shows_blocks();
    double longest = 0.0;
    for (int k = 0; k < count; ++k) longest = share[k] > longest ? share[k] : longest;
    for (int k = 0; k < count && longest > 0.0; ++k) {
        printf("  %-12s ", "");
        label(f, k);
        printf(" %5.1f %%  ", 100.0 * share[k]);
        int drawn = (int)(share[k] / longest * BAR_WIDTH + 0.5);
        for (int c = 0; c < drawn; ++c) fputs(blocks ? "\u2588" : "#", stdout);
        printf("\n");
    }
}

static void label_layer(const bed_figures *f, int k)
{
    printf("below %-9.3g", f->bottom + (k + 1) * (f->top - f->bottom) / LAYERS);
}

static void print_packing(const bed_figures *f)
{
    printf("  %-12s %.3f of space is grain; by height, m:\n", "packing", f->packing);
    print_shares(f, f->layer, LAYERS, label_layer);
}

static void label_neighbours(const bed_figures *f, int k)
{
    (void)f;
    printf("%2d%-13s", k, k == NEIGHBOUR_BINS - 1 ? " or more" : "");
}

static void print_contacts(const bed *b, const bed_figures *f)
{
    printf("  %-12s %s; %.2f a grain under load, %.1f %% of grains have none\n", "contacts",
           human_count(b->contacts.count).text, f->coordination, 100.0 * f->neighbours[0]);
    if (b->contacts.count > 0) print_shares(f, f->neighbours, NEIGHBOUR_BINS, label_neighbours);
}

static void label_size(const bed_figures *f, int k)
{
    double width = 2.0 * (f->most - f->least) / SIZE_BINS;
    printf("to %-12s", human_length(2.0 * f->least + (k + 1) * width).text);
}

static void print_sizes(const bed_figures *f)
{
    printf("  %-12s %s to %s in diameter; d10 %s, d50 %s, d90 %s by mass\n", "sizes", human_length(2.0 * f->least).text,
           human_length(2.0 * f->most).text, human_length(f->passing[0]).text, human_length(f->passing[1]).text,
           human_length(f->passing[2]).text);
    if (f->most > f->least * (1.0 + 1e-9)) print_shares(f, f->share, SIZE_BINS, label_size);
}

scr_status print_bed(const char *path, const bed *b, scr_error *error)
{
    bed_figures f;
    scr_status status = bed_measure(b, &f, error);
    if (status != SCR_OK) return status;
    printf("%s: a bed of %s\n", path, human_things(b->grains.count, "grain", "grains").text);
    printf("  %-12s %s, steps of %s, after %s\n", "made under", CONTACT_LAW_NAMES[b->law],
           human_duration(b->time_step).text, human_things(b->step_count, "step", "steps").text);
    print_materials(b);
    if (b->grains.count == 0) return SCR_OK;
    print_bounds(b, &f);
    printf("  %-12s %.4g kg; kinetic energy %.3g J a grain\n", "mass", f.mass, f.kinetic / (double)b->grains.count);
    print_packing(&f);
    print_contacts(b, &f);
    print_sizes(&f);
    return SCR_OK;
}
