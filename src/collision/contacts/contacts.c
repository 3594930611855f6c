// SPDX-License-Identifier: BSD-3-Clause
#include "collision/contacts/contacts.h"

#include <omp.h>
#include <string.h>

#include "collision/contacts/pair_lanes.h"
#include "collision/convex/narrow_phase.h"
#include "collision/narrow/narrow_sphere.h"
#include "collision/surface/narrow_sphere_set.h"
#include "collision/surface/narrow_surface.h"
#include "core/base/threads.h"

// Rows that a thread does in one go: few enough that all threads have some of them in a world of few shapes, too, where
// a pair may be long work. Contacts do not depend on it.
enum { CHUNK_ROWS_MAX = 512, CHUNK_ROWS_MIN = 32, CHUNKS_WANTED = 32 };

typedef struct finder {
    contacts *set;
    const colliders *c;
    const neighbours *list;
    const approach *motion;
    const pair_kernels *kernels;
    lane_kernels lane_kernels;
} finder;

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

// Those of the points found of a pair whose gap may close, into the stage.
static void stage_points(const finder *f, int64_t i, int64_t j, int64_t pair, const contact_point *found, int64_t count,
                         contact_stage *stage)
{
    bool is_set_i = f->c->kind[i] == SCR_SPHERE_SET, is_set_j = f->c->kind[j] == SCR_SPHERE_SET;
    for (int64_t k = 0; k < count; ++k) {
        const contact_point *p = &found[k];
        double near =
            envelope_of(f, is_set_i ? p->radius[0] : f->c->radius[i], is_set_j ? p->radius[1] : f->c->radius[j]);
        if (may_close(f, i, j, near, p->point, p->normal, p->gap)) stage_contact(stage, p, pair);
    }
}

// The contacts of two colliders that are not both grains and have no kernel, into the stage.
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
    stage_points(f, i, j, pair, found, count, stage);
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

// The others of the pairs of the block after this one. Balls of a large bed are not in the cache, and the kernels
// waited for them for half of their time.
static void fetch_others(const finder *f, int64_t first, int64_t last)
{
    const int32_t *other = f->list->other;
    for (int64_t k = first; k < min_i64(first + PAIR_BLOCK, last); ++k) __builtin_prefetch(&f->c->ball[other[k]]);
}

// The pairs from `first` on, before `last`, as a block for the kernels. *row is that of the first pair, and moves on.
// Rows are short and of all lengths: eight entries are written where there is one, and no branch depends on how many.
static void gather_pairs(const finder *f, int64_t first, int64_t last, int64_t *row, grain_pairs *block)
{
    const int64_t *start = f->list->start;
    int64_t count = min_i64(last - first, PAIR_BLOCK), i = *row;
    for (int64_t k = 0;; ++i) {
        int64_t end = start[i + 1] - first;
        for (int64_t at = k;; at += ROW_ENTRIES) {
            for (int e = 0; e < ROW_ENTRIES; ++e) block->a[at + e] = (int32_t)i;
            if (end <= at + ROW_ENTRIES || at + ROW_ENTRIES >= count) break;
        }
        if (end > count) break;  // the row goes on
        k = end;
        if (k == count) {
            ++i;
            break;
        }
    }
    *row = i;
    block->count = (int)count;
    memcpy(block->b, f->list->other + first, (size_t)count * sizeof *block->b);
    for (int w = 0; w < PAIR_BLOCK / 64; ++w) {  // blocks begin and end anywhere
        const uint64_t *from = f->list->is_other + first / 64 + w;
        uint64_t bits = first % 64 == 0 ? from[0] : from[0] >> first % 64 | from[1] << (64 - first % 64);
        int64_t left = count - 64 * w;
        block->is_other[w] = left >= 64 ? bits : left > 0 ? bits & (((uint64_t)1 << left) - 1) : 0;
    }
    pad_pairs(block);
}

// Whether the geometry of two grains is kept, too: which images touch is not known from their balls alone.
static bool keeps_all(const finder *f) { return f->c->period.any; }

static void count_staged(const finder *f, int32_t i, int32_t j, const contact_stage *stage, int64_t first,
                         contact_chunk *chunk)
{
    int64_t count = stage->count - first;
    chunk->staged += count;
    if (!has_centre_line(f, i, j)) chunk->general += count;
    for (int64_t k = first; k < stage->count; ++k)
        chunk->found.deepest = fmax(chunk->found.deepest, -stage->item[k].found.gap);
}

// The pairs of a block that are not two grains, one after the other.
typedef struct others {
    const uint64_t *word;
    uint64_t left;
    int at;
} others;

static others others_of(const grain_pairs *block) { return (others){block->is_other, block->is_other[0], 0}; }

static int next_other(others *o)
{
    while (o->left == 0) o->left = o->word[++o->at];
    int k = 64 * o->at + __builtin_ctzll(o->left);
    o->left &= o->left - 1;
    return k;
}

static bool are_grains(const finder *f, int64_t i, int64_t j)
{
    return collider_is_grain(f->c, i) && collider_is_grain(f->c, j);
}

// Where kernels can say whether grains come together: they know no images, nor where a body that is sent off is then.
static bool grains_go_straight(const finder *f) { return !f->c->period.any && f->motion->deflection == NULL; }

// Pairs of a block that kernels do not decide, among those found from `first` on: grains come together or are left out,
// the contacts of others, all of which were found, are staged. first_pair: the block's first entry in the lists
static void decide(const finder *f, const grain_pairs *block, int64_t first_pair, int64_t first, contact_stage *stage,
                   contact_chunk *chunk)
{
    sifted_pairs *found = &chunk->found;
    lane_block in_lanes;
    others other = others_of(block);
    int64_t last = found->count;
    int next_in_lanes = 0;
    lane_block_find(&in_lanes, f->c, block, &f->lane_kernels);
    found->count = first;
    for (int64_t k = first; k < last; ++k) {
        int32_t i = found->a[k], b = found->b[k], j = b < 0 ? ~b : b;
        bool stays = true;
        if (b < 0 && are_grains(f, i, j)) {
            stays = grains_may_close(f, i, j);
            b = j;
        } else if (b < 0) {
            int64_t before = stage->count, pair = first_pair + next_other(&other);
            if (lane_block_has(&in_lanes, next_in_lanes, i, j)) {
                int count;
                contact_point memory[MANIFOLD_MAX];
                const contact_point *points = lane_block_points(&in_lanes, f->c, next_in_lanes++, memory, &count);
                stage_points(f, i, j, pair, points, count, stage);
            } else {
                collide_shapes(f, i, j, pair, stage);
            }
            count_staged(f, i, j, stage, before, chunk);
            stays = stage->count > before;
            chunk->staged_pairs += stays;
        }
        found->a[found->count] = i;
        found->b[found->count] = b;
        found->count += stays;
    }
    found->undecided = 0;
}

// What comes of the pairs of a chunk of rows.
static void find_chunk(const finder *f, int64_t first_row, int64_t last_row, contact_stage *stage, contact_chunk *chunk)
{
    int64_t first = f->list->start[first_row], last = f->list->start[last_row], row = first_row;
    const approach *m = f->motion;
    const pair_motion motion = {m->motion, f->c->body, m->time_step, m->max_friction};
    bool is_straight = grains_go_straight(f);
    grain_pairs block;
    open_block(f, &block);
    for (; first < last; first += block.count) {
        int64_t before = chunk->found.count;
        gather_pairs(f, first, last, &row, &block);
        fetch_others(f, first + block.count, last);
        f->kernels->sift(&block, is_straight ? &motion : NULL, &chunk->found);
        if (chunk->found.undecided > 0) decide(f, &block, first, before, stage, chunk);
    }
    chunk->contacts = chunk->found.count - chunk->staged_pairs + chunk->staged;
    chunk->kept = keeps_all(f) ? chunk->contacts : chunk->staged;
}

// Where grains touch, of the contacts first .. last - 1.
static void place_grains(const finder *f, int64_t first, int64_t last)
{
    contacts *set = f->set;
    grain_pairs block;
    pair_frames places;
    int64_t number[PAIR_BLOCK];
    open_block(f, &block);
    for (int64_t i = first; i < last;) {
        for (block.count = 0; i < last && block.count < PAIR_BLOCK; ++i) {
            if (!collider_is_grain(f->c, set->a[i]) || !collider_is_grain(f->c, set->b[i])) continue;
            block.a[block.count] = set->a[i];
            block.b[block.count] = set->b[i];
            number[block.count++] = i;
        }
        pad_pairs(&block);
        f->kernels->place(&block, &places);
        for (int k = 0; k < block.count; ++k) {
            const double *n = places.normal + 3 * k;
            set->geometry[set->kept[number[k]]] =
                (contact_geometry){{n[0], n[1], n[2]}, places.gap[k], {0.0, 0.0, 0.0}, true, 0};
        }
    }
}

static void write_staged(const finder *f, int64_t at, const contact_point *p)
{
    contacts *set = f->set;
    bool on_centre_line = has_centre_line(f, set->a[at], set->b[at]);
    set->geometry[set->kept[at]] = (contact_geometry){p->normal, p->gap, p->point, on_centre_line, p->feature};
    if (set->has_sets) memcpy(set->sphere_radius + 2 * at, p->radius, sizeof p->radius);
}

// A chunk with staged contacts among the others, whose geometry is kept.
static int64_t fill_staged(const finder *f, const contact_chunk *chunk)
{
    contacts *set = f->set;
    const sifted_pairs *found = &chunk->found;
    const contact_stage *stage = &set->staging.stage[chunk->stage];
    int64_t staged = chunk->first_staged, at = chunk->contacts, kept = chunk->kept;
    bool keeps = keeps_all(f);
    for (int64_t k = 0; k < found->count; ++k) {
        int32_t a = found->a[k], b = found->b[k];
        if (b >= 0) {
            set->a[at] = a;
            set->b[at] = b;
            set->kept[at++] = keeps ? (int32_t)kept++ : BETWEEN_GRAINS;
            continue;
        }
        int64_t pair = stage->item[staged].pair;
        for (; staged < stage->count && stage->item[staged].pair == pair; ++staged, ++at) {
            set->a[at] = a;
            set->b[at] = ~b;
            set->kept[at] = (int32_t)kept++;
            write_staged(f, at, &stage->item[staged].found);
        }
    }
    if (keeps) place_grains(f, chunk->contacts, at);
    return at;
}

static int64_t fill_grains(const finder *f, const contact_chunk *chunk)
{
    contacts *set = f->set;
    int64_t at = chunk->contacts, count = chunk->found.count;
    if (count == 0) return at;  // there may be no arrays yet
    memcpy(set->a + at, chunk->found.a, (size_t)count * sizeof *set->a);
    memcpy(set->b + at, chunk->found.b, (size_t)count * sizeof *set->b);
    for (int64_t i = at; i < at + count; ++i) set->kept[i] = BETWEEN_GRAINS;
    return at + count;
}

// Lay out the contacts of a chunk, and where each of its rows begins: first where each that has some ends.
static void fill_chunk(const finder *f, int64_t first_row, int64_t last_row, const contact_chunk *chunk)
{
    contacts *set = f->set;
    bool keeps = keeps_all(f) || chunk->staged > 0;
    int64_t end = keeps ? fill_staged(f, chunk) : fill_grains(f, chunk), at = chunk->contacts;
    memset(set->start + first_row, 0, (size_t)(last_row - first_row) * sizeof *set->start);
    for (int64_t i = at; i < end; ++i) set->start[set->a[i]] = i + 1;
    for (int64_t row = first_row; row < last_row; ++row) {
        int64_t row_end = set->start[row];
        set->start[row] = at;
        at = row_end > 0 ? row_end : at;
    }
}

// Entries of all chunks: a chunk finds at most its pairs, and may write PAIR_LANES behind them.
static int64_t found_room(int64_t pairs, int64_t chunks) { return pairs + chunks * PAIR_LANES; }

static scr_status grow_staging(contact_staging *staging, int64_t pairs, int64_t chunks, int threads, scr_error *error)
{
    scr_arena *memory = staging->memory != NULL ? staging->memory : &staging->own_memory;
    scr_status status =
        scr_arena_reserve(memory, 2 * scr_arena_bytes(sizeof(int32_t), found_room(pairs, chunks)), "contacts", error);
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
// and for a quarter more; where that grows it grows by more than it lacks: then a steady step takes no memory.
static scr_status clear_stages(contact_staging *staging, scr_error *error)
{
    int64_t total = 0;
    scr_status status = SCR_OK;
    for (int64_t t = 0; t < staging->stage_count; ++t) total += staging->stage[t].count;
    for (int64_t t = 0; t < staging->stage_count && status == SCR_OK; ++t) {
        contact_stage *stage = &staging->stage[t];
        stage->count = 0;
        stage->out_of_memory = stage->surface_points.out_of_memory = false;
        if (stage->capacity < total + total / 4)
            status =
                scr_grow(&stage->item, &stage->capacity, total + total / 2, sizeof *stage->item, "contacts", error);
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
        set->max_penetration = fmax(set->max_penetration, chunk->found.deepest);
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
    finder f = {set, c, list, motion, KERNEL_FOR(!list->plain, pair_kernels), lane_kernels_for(list->plain)};
    if (pairs == 0 && set->is_empty_for == n + 1) return SCR_OK;  // as after the last call
    set->is_empty_for = 0;
    scr_status status = scr_grow(&set->start, &set->start_capacity, n + 1, sizeof *set->start, "contacts", error);
    if (status == SCR_OK) status = grow_staging(staging, pairs, chunks, threads, error);
    if (status == SCR_OK) status = clear_stages(staging, error);
    if (status != SCR_OK) return status;
    scr_arena arena = staging->memory != NULL ? *staging->memory : staging->own_memory;
    int32_t *found_a = scr_arena_array(&arena, sizeof *found_a, found_room(pairs, chunks)),
            *found_b = scr_arena_array(&arena, sizeof *found_b, found_room(pairs, chunks));

#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
    for (int64_t k = 0; k < chunks; ++k) {
        contact_stage *stage = &staging->stage[omp_get_thread_num()];
        int64_t room = found_room(list->start[k * rows], k);
        staging->chunk[k] = (contact_chunk){.stage = omp_get_thread_num(),
                                            .first_staged = stage->count,
                                            .found = {.a = found_a + room, .b = found_b + room}};
        find_chunk(&f, k * rows, min_i64((k + 1) * rows, n), stage, &staging->chunk[k]);
    }
    if (ran_out_of_memory(staging)) return scr_fail(error, SCR_NO_MEMORY, "out of memory for the contacts of a step");
    lay_out_chunks(set, chunks);
    status = contacts_grow(set, set->count, error);
    set->has_sets = colliders_have_sets(c);
    if (status == SCR_OK && set->has_sets)
        status = scr_grow_anew(&set->sphere_radius, &set->sphere_radius_capacity, set->count,
                               2 * sizeof *set->sphere_radius, "contacts", error);
    if (status == SCR_OK) status = grow_geometry(set, error);
    if (status != SCR_OK) return status;

#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
    for (int64_t k = 0; k < chunks; ++k) fill_chunk(&f, k * rows, min_i64((k + 1) * rows, n), &staging->chunk[k]);
    set->start[n] = set->count;
    set->is_empty_for = pairs == 0 ? n + 1 : 0;
    return SCR_OK;
}
