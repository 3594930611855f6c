// SPDX-License-Identifier: BSD-3-Clause
// Frames as a LAMMPS dump. Numbers have nine digits, which is all that single precision has.
#include "io/export/lammps_dump.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static bool is_ellipsoid(const frame_shape *p) { return p->shape == SCR_ELLIPSOID; }

static void widen(float low[3], float high[3], const float p[3], float reach)
{
    for (int axis = 0; axis < 3; ++axis) {
        low[axis] = fminf(low[axis], p[axis] - reach);
        high[axis] = fmaxf(high[axis], p[axis] + reach);
    }
}

static bool repeats(const periodic_cell *p, int axis) { return p->length[axis] > 0.0; }
static const char *side_of(const periodic_cell *p, int axis) { return repeats(p, axis) ? "pp" : "ff"; }

static void put_bounds(FILE *out, const frame *f)
{
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int64_t i = 0; i < f->spheres.count; ++i) widen(low, high, &f->spheres.position[3 * i], f->spheres.radius[i]);
    for (int64_t i = 0; i < f->part_count; ++i) {
        const float *h = f->parts[i].half;
        if (is_ellipsoid(&f->parts[i])) widen(low, high, f->parts[i].position, fmaxf(h[0], fmaxf(h[1], h[2])));
    }
    const periodic_cell *p = &f->period;
    fprintf(out, "ITEM: BOX BOUNDS %s %s %s\n", side_of(p, 0), side_of(p, 1), side_of(p, 2));
    for (int axis = 0; axis < 3; ++axis) {
        double first = low[axis] <= high[axis] ? low[axis] : 0.0, last = low[axis] <= high[axis] ? high[axis] : 1.0;
        if (repeats(p, axis)) first = p->low[axis], last = p->low[axis] + p->length[axis];
        fprintf(out, "%.9g %.9g\n", first, last);
    }
}

// How many shapes of each body were seen so far.
typedef struct shape_counts {
    uint32_t *seen;
    int64_t capacity;
} shape_counts;

static scr_status count_from_zero(shape_counts *c, const frame *f, scr_error *error)
{
    uint32_t most = 0;
    for (int64_t i = 0; i < f->spheres.count; ++i) most = f->spheres.id[i] > most ? f->spheres.id[i] : most;
    for (int64_t i = 0; i < f->part_count; ++i) most = f->parts[i].id > most ? f->parts[i].id : most;
    scr_status status = scr_grow(&c->seen, &c->capacity, (int64_t)most + 1, sizeof *c->seen, "ids of a dump", error);
    if (status == SCR_OK) memset(c->seen, 0, ((size_t)most + 1) * sizeof *c->seen);
    return status;
}

static void put_atom(FILE *out, shape_counts *c, uint32_t id, uint8_t material, const float *p, const float *v,
                     float radius)
{
    int64_t atom = (int64_t)id + LAMMPS_NEXT_SHAPE * (int64_t)c->seen[id]++;
    fprintf(out, "%" PRId64 " %" PRIu32 " %d %.9g %.9g %.9g %.9g %.9g %.9g %.9g", atom, id, material + 1, p[0], p[1],
            p[2], v[0], v[1], v[2], radius);
}

static void put_image(FILE *out, const int32_t image[3])
{
    fprintf(out, " %" PRId32 " %" PRId32 " %" PRId32, image[0], image[1], image[2]);
}

scr_status lammps_dump_add(FILE *out, int64_t number, const frame *f, bool has_ellipsoids, scr_error *error)
{
    const frame_spheres *s = &f->spheres;
    shape_counts counts = {0};
    scr_status status = count_from_zero(&counts, f, error);
    if (status != SCR_OK) return status;
    int64_t atoms = s->count;
    for (int64_t i = 0; i < f->part_count; ++i) atoms += is_ellipsoid(&f->parts[i]);
    fprintf(out, "ITEM: TIME\n%.17g\nITEM: TIMESTEP\n%" PRId64 "\nITEM: NUMBER OF ATOMS\n%" PRId64 "\n", f->time,
            number, atoms);
    put_bounds(out, f);
    fprintf(out, "ITEM: ATOMS id mol type x y z vx vy vz radius%s%s\n", f->period.any ? " ix iy iz" : "",
            has_ellipsoids ? " shapex shapey shapez quatw quati quatj quatk" : "");
    for (int64_t i = 0; i < s->count; ++i) {
        put_atom(out, &counts, s->id[i], s->material[i], &s->position[3 * i], &s->velocity[3 * i], s->radius[i]);
        if (f->period.any) put_image(out, f->images[i].along);
        if (has_ellipsoids) fprintf(out, " %.9g %.9g %.9g 1 0 0 0", s->radius[i], s->radius[i], s->radius[i]);
        fputc('\n', out);
    }
    for (int64_t i = 0; i < f->part_count; ++i) {
        const frame_shape *p = &f->parts[i];
        if (!is_ellipsoid(p)) continue;
        put_atom(out, &counts, p->id, p->material, p->position, p->velocity,
                 cbrtf(p->half[0] * p->half[1] * p->half[2]));
        if (f->period.any) put_image(out, p->image);
        fprintf(out, " %.9g %.9g %.9g %.9g %.9g %.9g %.9g\n", p->half[0], p->half[1], p->half[2], p->rotation[0],
                p->rotation[1], p->rotation[2], p->rotation[3]);
    }
    scr_free(counts.seen);
    return SCR_OK;
}
