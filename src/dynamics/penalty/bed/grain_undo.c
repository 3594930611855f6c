// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/penalty/bed/grain_undo.h"

#include <string.h>

#include "dynamics/penalty/bed/grain_bed.h"

static const double ROUNDING = 1.001;   // of bounds, in any precision
static const double WILD_SPIN = 1e6;    // of the largest speed allowed: forces might overflow
static const double JKR_GUESS = 1.101;  // (4/3)^(1/3), as in adhesion.h

static void take_larger(double *a, double b) { *a = fmax(*a, b); }

// Coefficients grow with R*, m* and the radius: with those of the largest grain at a plane none is larger.
void grain_undo_measure(grain_bed *bed, const materials *m, const scr_contact_def *contact)
{
    grain_undo *undo = &bed->undo;
    law_coefficients *most = &undo->stiffest;
    *most = (law_coefficients){0};
    undo->most_inv_mass = undo->spins = 0.0;
    undo->least_inv_mass = INFINITY;
    for (int64_t i = 0; i < bed->count; ++i) {
        const grain_record *g = &grains_now(bed)[i];
        if (bed->collider[i] < 0) continue;
        take_larger(&undo->most_inv_mass, g->inv_mass);
        undo->least_inv_mass = fmin(undo->least_inv_mass, g->inv_mass);
    }
    for (int64_t k = 0; k < m->table.count * m->table.count; ++k) {
        law_coefficients c =
            law_of_pair(&m->derived[k], contact, bed->largest_radius, 1.0 / undo->least_inv_mass, bed->largest_radius);
        take_larger(&most->stiffness, c.stiffness), take_larger(&most->damping, c.damping);
        take_larger(&most->friction, c.friction), take_larger(&most->pull, c.pull);
        take_larger(&most->jkr_pull, c.jkr_pull), take_larger(&most->jkr_overlap, c.jkr_overlap);
    }
}

// N: of one contact, given bounds of its overlap and of its bodies' speeds. A neck of JKR is as stiff as Hertz' law at
// the overlap d_c y^4, y being less than adhesion.h's first guess.
static double contact_bound(const law_coefficients *c, bool hertz, double overlap, double speed)
{
    double neck = c->jkr_overlap, root = sqrt(sqrt(overlap));
    double d = overlap + 4.0 / 3.0 * (sqrt(neck) * sqrt(sqrt(neck)) * root + JKR_GUESS * neck);
    double elastic = c->stiffness * (hertz ? d * sqrt(d) : d), damping = c->damping * (hertz ? sqrt(sqrt(d)) : 1.0);
    return (1.0 + c->friction) * (elastic + 2.0 * damping * speed + 2.0 * c->jkr_pull) + c->pull;
}

// N: the most that is pushed from outside on one grain.
static double push_bound(const grain_forces *forces)
{
    double most = 0.0, sum = 0.0;
    for (int64_t k = 0; k < forces->push_count; ++k) {
        const grain_push *p = &forces->push[k];
        if (k > 0 && p->slot != p[-1].slot) sum = 0.0;
        sum += vec3_norm(vec3(p->force[0], p->force[1], p->force[2]));
        most = sum <= most ? most : sum;  // also if it is not a number
    }
    return most;
}

double grain_speed_bound(const grain_bed *bed, const grain_forces *forces, double h)
{
    const grain_undo *undo = &bed->undo;
    double v = bed->top_speed + 0.5 * seam_speed_of(bed), last = fmax(bed->overlap, bed->changes.overlap),
           overlap = ROUNDING * (last + 2.0 * h * v);
    if (bed->steps == 0 || !(undo->spins <= WILD_SPIN * forces->max_speed)) return INFINITY;
    double contacts = (double)undo->most_contacts * contact_bound(&undo->stiffest, bed->options.hertz, overlap, v);
    return ROUNDING * (v + h * (vec3_norm(forces->gravity) + (contacts + push_bound(forces)) * undo->most_inv_mass));
}

// What a step overwrites.
typedef struct kept_array {
    void *array;
    size_t bytes;
} kept_array;
enum { KEPT_ARRAYS = 5 };

static void list_kept(const grain_bed *bed, kept_array kept[KEPT_ARRAYS])
{
    const grain_kernels *k = bed->kernels;
    const pack_set *set = &bed->pairs[bed->pairs_now];
    const size_t packs = (size_t)set->pack_count, walls = (size_t)set->wall_pack_count;
    kept[0] = (kept_array){set->pack, packs * k->pack_bytes};
    kept[1] = (kept_array){set->roll, set->layout.rolls ? packs * k->roll_bytes : 0};
    kept[2] = (kept_array){set->neck, set->layout.necks ? packs * k->neck_bytes : 0};
    kept[3] = (kept_array){set->wall_pack, walls * k->wall_pack_bytes};
    kept[4] = (kept_array){grains_next(bed), (size_t)bed->count * sizeof(grain_record)};
}

scr_status grain_undo_keep(grain_bed *bed, scr_error *error)
{
    kept_array kept[KEPT_ARRAYS];
    size_t bytes = 0;
    list_kept(bed, kept);
    for (int k = 0; k < KEPT_ARRAYS; ++k) bytes += scr_arena_bytes(1, (int64_t)kept[k].bytes);
    scr_status status = scr_arena_reserve(&bed->undo.aside, bytes, "a step that may fail", error);
    if (status != SCR_OK) return status;
    scr_arena arena = bed->undo.aside;
    for (int k = 0; k < KEPT_ARRAYS; ++k) {
        void *to = scr_arena_array(&arena, 1, (int64_t)kept[k].bytes);
        if (kept[k].bytes > 0) memcpy(to, kept[k].array, kept[k].bytes);
    }
    ++bed->undo.copies;
    return SCR_OK;
}

void grain_undo_restore(grain_bed *bed)
{
    kept_array kept[KEPT_ARRAYS];
    scr_arena arena = bed->undo.aside;
    list_kept(bed, kept);
    for (int k = 0; k < KEPT_ARRAYS; ++k) {
        const void *from = scr_arena_array(&arena, 1, (int64_t)kept[k].bytes);
        if (kept[k].bytes > 0) memcpy(kept[k].array, from, kept[k].bytes);
    }
}
