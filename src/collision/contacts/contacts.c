// SPDX-License-Identifier: BSD-3-Clause
#include "collision/contacts/contacts.h"

#include <omp.h>
#include <string.h>

#include "collision/contacts/sphere_pairs.h"
#include "collision/convex/narrow_phase.h"
#include "collision/ellipsoid/ellipsoid_pairs.h"
#include "collision/narrow/narrow_sphere.h"
#include "collision/surface/narrow_sphere_set.h"
#include "collision/surface/narrow_surface.h"
#include "core/base/threads.h"

// Rows that a thread does in one go: few enough that all threads have some of them in a world of few shapes, too, where
// a pair may be long work. Contacts do not depend on it.
enum { CHUNK_ROWS_MAX = 512, CHUNK_ROWS_MIN = 32, CHUNKS_WANTED = 32 };
enum { PAIR_OF_SHAPES = 3 };  // a verdict beside those of sphere_pairs.h: not two grains, its contacts are staged

void contacts_free(contacts *set)
{
    contact_staging *staging = &set->staging;
    for (int64_t t = 0; t < staging->stage_count; ++t) {
        scr_free(staging->stage[t].item);
        scr_free(staging->stage[t].surface_points.point);
    }
    void *arrays[] = {set->start,
                      set->a,
                      set->b,
                      set->kept,
                      set->impulse,
                      set->previous,
                      set->allowance,
                      set->spring_share,
                      set->geometry,
                      staging->verdict,
                      staging->stage,
                      staging->chunk,
                      set->history.spring,
                      set->history.roll,
                      set->history.in_touch,
                      set->angular_impulse,
                      set->last_angular_impulse,
                      set->blow,
                      set->sphere_radius};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i) scr_free(arrays[i]);
}

// Room for count contacts in all arrays. They share one capacity, so each grows from the same old one.
static scr_status grow_contacts(contacts *set, int64_t count, scr_error *error)
{
    if (count <= set->capacity) return SCR_OK;
    struct {
        void *array;
        size_t size;
    } arrays[] = {
        {&set->a, sizeof *set->a},
        {&set->b, sizeof *set->b},
        {&set->kept, sizeof *set->kept},
        {&set->impulse, 3 * sizeof *set->impulse},
        {&set->previous, 3 * sizeof *set->previous},
        {&set->allowance, sizeof *set->allowance},
        {&set->spring_share, sizeof *set->spring_share},
    };
    int64_t capacity = set->capacity;
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k) {
        capacity = set->capacity;
        scr_status status = scr_grow_anew(arrays[k].array, &capacity, count, arrays[k].size, "contacts", error);
        if (status != SCR_OK) {
            set->capacity = 0;  // an array is gone: next time all are made anew
            return status;
        }
    }
    set->capacity = capacity;
    return SCR_OK;
}

scr_status contacts_grow_history(contacts *set, scr_error *error)
{
    contact_history *h = &set->history;
    const scr_column columns[] = {
        {&h->spring, 3 * sizeof *h->spring}, {&h->roll, 3 * sizeof *h->roll}, {&h->in_touch, sizeof *h->in_touch}};
    return scr_grow_together(columns, sizeof columns / sizeof *columns, &h->capacity, set->count, "contact history",
                             error);
}

scr_status contacts_grow_angular_impulses(contacts *set, scr_error *error)
{
    const scr_column columns[] = {{&set->angular_impulse, 3 * sizeof *set->angular_impulse},
                                  {&set->last_angular_impulse, 3 * sizeof *set->last_angular_impulse}};
    return scr_grow_together(columns, sizeof columns / sizeof *columns, &set->angular_impulse_capacity, set->count,
                             "contacts", error);
}

scr_status contacts_grow_blows(contacts *set, scr_error *error)
{
    return scr_grow_anew(&set->blow, &set->blow_capacity, set->count, 3 * sizeof *set->blow, "contacts", error);
}

typedef struct finder {
    contacts *set;
    const colliders *c;
    const neighbours *list;
    const approach *motion;
    const pair_kernels *kernels;
    ellipsoid_pair_search *find_ellipsoids;
} finder;

_Static_assert((int)PAIR_BLOCK == (int)ELLIPSOID_BLOCK, "all pairs of a block may be ellipsoids");

static bool has_centre_line(const finder *f, int64_t i, int64_t j)
{
    return collider_is_grain(f->c, i) && (collider_is_grain(f->c, j) || !f->motion->is_dynamic[f->c->body[j]]);
}

// m: the gap at which two colliders are near each other whatever they do, by the sizes of what touches.
static double envelope_of(const finder *f, double size_a, double size_b)
{
    return f->motion->envelope * fmin(size_a, size_b);
}

static bool may_close(const finder *f, int64_t i, int64_t j, double near, scr_vec3 point, scr_vec3 normal, double gap)
{
    const approach *m = f->motion;
    if (gap < near) return true;
    scr_vec3 v_a = approach_velocity(m, f->c->body[i], point), v_b = approach_velocity(m, f->c->body[j], point),
             u = vec3_sub(v_b, v_a);
    double deflection = m->deflection != NULL ? (double)m->deflection[i] + (double)m->deflection[j] : 0.0;
    if (deflection > 0.0) {
        // Where on its way a body is when it is sent off is not known: it may not have moved at all while the other
        // has.
        double way = fmax(vec3_norm(u), fmax(vec3_norm(v_a), vec3_norm(v_b)));
        return gap < near + m->time_step * (1.0 + m->max_friction) * way + deflection;
    }
    double un = vec3_dot(u, normal);
    double slide = vec3_norm(vec3_add_scaled(u, -un, normal));
    return gap < near + m->time_step * (fmax(0.0, -un) + m->max_friction * slide);
}

// Two grains that are not near, but may come together within the step.
static bool grains_may_close(const finder *f, int64_t i, int64_t j)
{
    const ball *a = &f->c->ball[i], b = collider_nearest(f->c, i, j);
    contact_point p;
    if (!sphere_sphere(vec3(a->x, a->y, a->z), a->r, vec3(b.x, b.y, b.z), b.r, INFINITY, &p)) return false;
    return may_close(f, i, j, envelope_of(f, a->r, b.r), p.point, p.normal, p.gap);
}

static void stage_contact(contact_stage *stage, const contact_point *p, int64_t pair)
{
    if (stage->count == stage->capacity &&
        scr_grow(&stage->item, &stage->capacity, stage->count + 1, sizeof *stage->item, "contacts", NULL) != SCR_OK) {
        stage->out_of_memory = true;
        return;
    }
    stage->item[stage->count++] = (staged_contact){*p, pair};
}

// m: how far apart two colliders may be and still touch in this step
static double reach_of(const finder *f, int64_t i, int64_t j)
{
    double near = envelope_of(f, collider_largest_size(f->c, i), collider_largest_size(f->c, j));
    return near + (double)f->motion->closing[i] + (double)f->motion->closing[j];
}

// The contacts of two colliders that are not both grains, into the stage.
static void collide_shapes(const finder *f, int64_t i, int64_t j, int64_t pair, contact_stage *stage)
{
    const part_range *listed = part_range_of(&f->list->parts, pair);
    if (listed != NULL && listed->count == 0) return;
    placed_shape a = collider_placed(f->c, i), b = collider_placed_near(f->c, i, j);
    double reach = reach_of(f, i, j);
    contact_point few[MANIFOLD_MAX], *found = few;
    int64_t count;
    if (kind_has_parts(a.kind) || kind_has_parts(b.kind)) {
        contact_list *list = &stage->surface_points;
        list->count = 0;
        if (listed != NULL)
            narrow_listed_groups(&a, &b, reach, part_groups(&f->list->parts.ranges, listed), listed->count, list);
        else narrow_surface(&a, &b, reach, list);
        stage->out_of_memory |= list->out_of_memory;
        found = list->point;
        count = list->count;
    } else {
        count = narrow_phase(&a, &b, reach, few);
    }
    for (int64_t k = 0; k < count; ++k) {
        contact_point *p = &found[k];
        double near = envelope_of(f, a.kind == SCR_SPHERE_SET ? p->radius[0] : f->c->radius[i],
                                  b.kind == SCR_SPHERE_SET ? p->radius[1] : f->c->radius[j]);
        if (may_close(f, i, j, near, p->point, p->normal, p->gap)) stage_contact(stage, p, pair);
    }
}

// Those that have a kernel of their own, which knows no images.
static bool are_ellipsoids(const finder *f, int64_t i, int64_t j)
{
    return f->c->kind[i] == SCR_ELLIPSOID && f->c->kind[j] == SCR_ELLIPSOID && !f->c->period.any;
}

// Those of a block of pairs, at once.
static void find_ellipsoids(const finder *f, const grain_pairs *pairs, ellipsoid_block *block)
{
    block->count = 0;
    for (int k = 0; k < pairs->count; ++k) {
        int32_t i = pairs->a[k], j = pairs->b[k];
        if (are_ellipsoids(f, i, j)) ellipsoid_block_add(block, i, j, reach_of(f, i, j));
    }
    if (block->count > 0) f->find_ellipsoids(f->c, block);
}

// The k-th of these, into the stage as collide_shapes does it.
static void stage_ellipsoids(const finder *f, const ellipsoid_block *block, int k, int64_t pair, contact_stage *stage)
{
    int32_t i = block->a[k], j = block->b[k];
    const contact_point *p = &block->found[k];
    if (block->verdict[k] == ELLIPSOIDS_DEEP) collide_shapes(f, i, j, pair, stage);
    else if (block->verdict[k] == ELLIPSOIDS_TOUCH) {
        double near = envelope_of(f, f->c->radius[i], f->c->radius[j]);
        if (may_close(f, i, j, near, p->point, p->normal, p->gap)) stage_contact(stage, p, pair);
    }
}

static void open_block(const finder *f, grain_pairs *block)
{
    block->ball = f->c->ball;
    block->closing = f->motion->closing;
    block->envelope = f->motion->envelope;
    block->period = f->c->period.any ? &f->c->period : NULL;
    block->count = 0;
}

// All lanes have a pair.
static void pad_pairs(grain_pairs *block)
{
    for (int k = block->count; k % PAIR_LANES != 0; ++k) block->a[k] = block->a[0], block->b[k] = block->b[0];
}

// The pairs from `first` on, before `last`, as a block for the kernels. *row is that of the first pair, and moves on.
static void gather_pairs(const finder *f, int64_t first, int64_t last, int64_t *row, grain_pairs *block)
{
    block->count = (int)min_i64(last - first, PAIR_BLOCK);
    for (int k = 0; k < block->count; ++k) {
        while (first + k >= f->list->start[*row + 1]) ++*row;
        block->a[k] = (int32_t)*row;
        block->b[k] = f->list->other[first + k];
    }
    pad_pairs(block);
}

// Whether the geometry of two grains is kept, too: which images touch is not known from their balls alone.
static bool keeps_all(const finder *f) { return f->c->period.any; }

static void count_staged(const finder *f, int32_t i, int32_t j, const contact_stage *stage, int64_t first,
                         contact_chunk *chunk)
{
    int64_t count = stage->count - first;
    chunk->contacts += count;
    chunk->kept += count;
    if (!has_centre_line(f, i, j)) chunk->general += count;
    for (int64_t k = first; k < stage->count; ++k) chunk->deepest = fmax(chunk->deepest, -stage->item[k].found.gap);
}

// What becomes of each pair of a chunk of rows: how many contacts there are, and of how many the geometry is kept.
// Two grains are only marked; all others are staged.
static void find_chunk(const finder *f, int64_t first_row, int64_t last_row, contact_stage *stage, contact_chunk *chunk)
{
    int64_t first = f->list->start[first_row], last = f->list->start[last_row], row = first_row;
    uint8_t *verdict = f->set->staging.verdict;
    uint8_t verdict_of[PAIR_BLOCK];
    double gap[PAIR_BLOCK], deepest = 0.0;
    int64_t touching = 0;
    grain_pairs block;
    ellipsoid_block ellipsoids;
    open_block(f, &block);
    for (; first < last; first += block.count) {
        gather_pairs(f, first, last, &row, &block);
        f->kernels->meet(&block, verdict_of, gap);
        find_ellipsoids(f, &block, &ellipsoids);
        int next_ellipsoids = 0;
        for (int k = 0; k < block.count; ++k) {
            int32_t i = block.a[k], j = block.b[k];
            if (!collider_is_grain(f->c, i) || !collider_is_grain(f->c, j)) {
                int64_t before = stage->count;
                if (are_ellipsoids(f, i, j)) stage_ellipsoids(f, &ellipsoids, next_ellipsoids++, first + k, stage);
                else collide_shapes(f, i, j, first + k, stage);
                count_staged(f, i, j, stage, before, chunk);
                verdict_of[k] = PAIR_OF_SHAPES;
                continue;
            }
            if (verdict_of[k] == GRAINS_UNDECIDED)
                verdict_of[k] = grains_may_close(f, i, j) ? GRAINS_TOUCH : GRAINS_APART;
            touching += verdict_of[k];
            if (verdict_of[k] == GRAINS_TOUCH && -gap[k] > deepest) deepest = -gap[k];
        }
        memcpy(verdict + first, verdict_of, (size_t)block.count);
    }
    chunk->contacts += touching;
    if (keeps_all(f)) chunk->kept += touching;
    chunk->deepest = fmax(chunk->deepest, deepest);
}

// Contacts of a chunk on their way into the set, a block at a time.
typedef struct contact_batch {
    grain_pairs pairs;           // whose they are
    int32_t staged[PAIR_BLOCK];  // entries on the stage, or NOT_STAGED: two grains
    bool some_are_staged;
    int64_t at, kept_at;  // where the next ones go
} contact_batch;

enum { NOT_STAGED = -1 };

static contact_geometry geometry_of_staged(const finder *f, const contact_batch *batch, int k, const contact_point *p)
{
    bool on_centre_line = has_centre_line(f, batch->pairs.a[k], batch->pairs.b[k]);
    return (contact_geometry){p->normal, p->gap, p->point, on_centre_line, p->feature};
}

static void write_kept(const finder *f, const contact_stage *stage, contact_batch *batch)
{
    contacts *set = f->set;
    pair_frames places;
    if (keeps_all(f)) {
        pad_pairs(&batch->pairs);
        f->kernels->place(&batch->pairs, &places);
    }
    for (int k = 0; k < batch->pairs.count; ++k) {
        int64_t at = batch->at + k;
        if (batch->staged[k] != NOT_STAGED) {
            const contact_point *p = &stage->item[batch->staged[k]].found;
            if (set->has_sets) memcpy(set->sphere_radius + 2 * at, p->radius, sizeof p->radius);
            set->geometry[batch->kept_at] = geometry_of_staged(f, batch, k, p);
        } else if (keeps_all(f)) {
            const double *n = places.normal + 3 * k;
            set->geometry[batch->kept_at] =
                (contact_geometry){{n[0], n[1], n[2]}, places.gap[k], {0.0, 0.0, 0.0}, true, 0};
        } else {
            continue;
        }
        set->kept[at] = (int32_t)batch->kept_at++;
    }
}

static void write_batch(const finder *f, const contact_stage *stage, contact_batch *batch)
{
    contacts *set = f->set;
    grain_pairs *pairs = &batch->pairs;
    int64_t at = batch->at;
    size_t count = (size_t)pairs->count;
    if (count == 0) return;  // there may be no arrays yet
    memcpy(set->a + at, pairs->a, count * sizeof *set->a);
    memcpy(set->b + at, pairs->b, count * sizeof *set->b);
    for (size_t k = 0; k < count; ++k) set->kept[at + (int64_t)k] = BETWEEN_GRAINS;
    if (batch->some_are_staged || keeps_all(f)) write_kept(f, stage, batch);
    batch->at += pairs->count;
    batch->some_are_staged = false;
    pairs->count = 0;
}

// Written in any case, and overwritten by the next unless it counts.
static inline void add_to_batch(const finder *f, const contact_stage *stage, contact_batch *batch, int64_t row,
                                int32_t other, int64_t staged, bool counts)
{
    grain_pairs *pairs = &batch->pairs;
    pairs->a[pairs->count] = (int32_t)row;
    pairs->b[pairs->count] = other;
    batch->staged[pairs->count] = (int32_t)staged;
    pairs->count += counts;
    if (pairs->count == PAIR_BLOCK) write_batch(f, stage, batch);
}

// Lay out the contacts of a chunk, and where each of its rows begins.
static void fill_chunk(const finder *f, int64_t first_row, int64_t last_row, const contact_chunk *chunk)
{
    const neighbours *list = f->list;
    const uint8_t *verdict = f->set->staging.verdict;
    const contact_stage *stage = &f->set->staging.stage[chunk->stage];
    int64_t staged = chunk->first_staged;
    contact_batch batch = {.at = chunk->contacts, .kept_at = chunk->kept};
    open_block(f, &batch.pairs);
    for (int64_t row = first_row; row < last_row; ++row) {
        f->set->start[row] = batch.at + batch.pairs.count;
        for (int64_t pair = list->start[row]; pair < list->start[row + 1]; ++pair) {
            int32_t other = list->other[pair];
            if (verdict[pair] != PAIR_OF_SHAPES) {
                add_to_batch(f, stage, &batch, row, other, NOT_STAGED, verdict[pair] == GRAINS_TOUCH);
                continue;
            }
            for (; staged < stage->count && stage->item[staged].pair == pair; ++staged) {
                batch.some_are_staged = true;
                add_to_batch(f, stage, &batch, row, other, staged, true);
            }
        }
    }
    write_batch(f, stage, &batch);
}

static scr_status grow_staging(contact_staging *staging, int64_t pairs, int64_t chunks, int threads, scr_error *error)
{
    scr_status status = scr_grow_anew(&staging->verdict, &staging->verdict_capacity, pairs, 1, "contacts", error);
    if (status == SCR_OK)
        status = scr_grow(&staging->chunk, &staging->chunk_capacity, chunks, sizeof *staging->chunk, "contacts", error);
    int64_t capacity = staging->stage_count;
    if (status == SCR_OK && capacity < threads) {
        status = scr_grow(&staging->stage, &capacity, threads, sizeof *staging->stage, "contacts", error);
        for (; status == SCR_OK && staging->stage_count < threads; ++staging->stage_count)  // each takes room
            staging->stage[staging->stage_count] = (contact_stage){0};
    }
    return status;
}

// Empty the stages. One thread may come to do all the work of a step, so each has room for all that the last one found,
// and for some more: then a steady step takes no memory.
static scr_status clear_stages(contact_staging *staging, scr_error *error)
{
    int64_t total = 0;
    scr_status status = SCR_OK;
    for (int64_t t = 0; t < staging->stage_count; ++t) total += staging->stage[t].count;
    for (int64_t t = 0; t < staging->stage_count && status == SCR_OK; ++t) {
        contact_stage *stage = &staging->stage[t];
        stage->count = 0;
        stage->out_of_memory = stage->surface_points.out_of_memory = false;
        status = scr_grow(&stage->item, &stage->capacity, total + total / 4, sizeof *stage->item, "contacts", error);
    }
    return status;
}

static bool ran_out_of_memory(const contact_staging *staging)
{
    for (int64_t t = 0; t < staging->stage_count; ++t)
        if (staging->stage[t].out_of_memory) return true;
    return false;
}

// Turn the chunks' numbers of contacts, and of those kept, into where their first ones go.
static void lay_out_chunks(contacts *set, int64_t chunks)
{
    set->count = set->kept_count = set->general_count = 0;
    set->max_penetration = 0.0;
    for (int64_t k = 0; k < chunks; ++k) {
        contact_chunk *chunk = &set->staging.chunk[k];
        int64_t contacts_here = chunk->contacts, kept_here = chunk->kept;
        chunk->contacts = set->count;
        chunk->kept = set->kept_count;
        set->count += contacts_here;
        set->kept_count += kept_here;
        set->general_count += chunk->general;
        set->max_penetration = fmax(set->max_penetration, chunk->deepest);
    }
}

// There are few of them in a bed, and their number changes from step to step: more room than usual is left.
static scr_status grow_geometry(contacts *set, scr_error *error)
{
    int64_t need = set->kept_count;
    if (need > set->kept_capacity) need += need / 2;
    return scr_grow_anew(&set->geometry, &set->kept_capacity, need, sizeof *set->geometry, "contact geometry", error);
}

scr_status contacts_find(contacts *set, const colliders *c, const neighbours *list, const approach *motion, int threads,
                         scr_error *error)
{
    int64_t n = c->table.count, pairs = n > 0 ? list->start[n] : 0,
            rows = max_i64(CHUNK_ROWS_MIN, min_i64(n / CHUNKS_WANTED, CHUNK_ROWS_MAX)),
            chunks = block_count_of(n, rows);
    contact_staging *staging = &set->staging;
    finder f = {
        set, c, list, motion, KERNEL_FOR(!list->plain, pair_kernels), KERNEL_FOR(!list->plain, ellipsoid_pairs)};
    if (pairs == 0 && set->is_empty_for == n && n > 0) return SCR_OK;  // as after the last call
    set->is_empty_for = 0;
    scr_status status = scr_grow(&set->start, &set->start_capacity, n + 1, sizeof *set->start, "contacts", error);
    if (status == SCR_OK) status = grow_staging(staging, pairs, chunks, threads, error);
    if (status == SCR_OK) status = clear_stages(staging, error);
    if (status != SCR_OK) return status;

#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
    for (int64_t k = 0; k < chunks; ++k) {
        contact_stage *stage = &staging->stage[omp_get_thread_num()];
        staging->chunk[k] = (contact_chunk){.stage = omp_get_thread_num(), .first_staged = stage->count};
        find_chunk(&f, k * rows, min_i64((k + 1) * rows, n), stage, &staging->chunk[k]);
    }
    if (ran_out_of_memory(staging)) return scr_fail(error, SCR_NO_MEMORY, "out of memory for the contacts of a step");
    lay_out_chunks(set, chunks);
    status = grow_contacts(set, set->count, error);
    set->has_sets = colliders_have_sets(c);
    if (status == SCR_OK && set->has_sets)
        status = scr_grow_anew(&set->sphere_radius, &set->sphere_radius_capacity, set->count,
                               2 * sizeof *set->sphere_radius, "contacts", error);
    if (status == SCR_OK) status = grow_geometry(set, error);
    if (status != SCR_OK) return status;

#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
    for (int64_t k = 0; k < chunks; ++k) fill_chunk(&f, k * rows, min_i64((k + 1) * rows, n), &staging->chunk[k]);
    set->start[n] = set->count;
    set->is_empty_for = pairs == 0 ? n : 0;
    return SCR_OK;
}
