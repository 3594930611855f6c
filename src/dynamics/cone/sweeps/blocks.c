// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/cone/sweeps/blocks.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/threads.h"

enum { PARTS_MAX = 64 };              // of all contacts, one a thread, that are looked through side by side
enum { NOT_OWN = COLOUR_COUNT + 1 };  // in place of a colour: not the block's own, or not chosen
enum { PLACES = COLOUR_COUNT + 2 };   // of a block: one a colour, those without one, those that are not its own
enum { NO_RUN = -1 };
enum { RUN_STEP = 32 };                                // contacts looked at together
enum { NONE = BLOCK_BODIES, BLOCK_WORDS = NONE + 1 };  // in place of a body of the block; bodies, and that

static int block_bits(int level) { return BLOCK_BITS + level * GROWTH_BITS; }
static int64_t block_size(int level) { return (int64_t)1 << block_bits(level); }

static block_cut plan_cut(int64_t body_count)
{
    block_cut cut = {0};
    while (cut.levels < BLOCK_LEVELS && body_count >= LEAST_BLOCKS * block_size(cut.levels)) {
        int64_t blocks = block_count_of(body_count, block_size(cut.levels));
        cut.level[cut.levels + 1] = cut.level[cut.levels] + blocks;
        ++cut.levels;
    }
    cut.block_count = cut.level[cut.levels] + 1;
    return cut;
}

// Contacts that follow each other and have a body in the same block of the first level.
typedef struct contact_run {
    int32_t first, last;
    int32_t block;
    int32_t next;  // run of the same outer block, or NO_RUN
} contact_run;

// A block of the last level with all blocks within, and what of its contacts is not their own: the work of one thread.
typedef struct outer_block {
    int32_t first_run, last_run;  // by number ascending
    int64_t first_far, last_far;
} outer_block;

typedef struct cutting {
    const chosen_contacts *chosen;
    block_cut cut;
    contact_run *run;
    outer_block *outer;
    int64_t outer_count;
    int32_t *far;         // (contact count) numbers of what is not own to a block of the first level
    body_pair *far_pair;  // (contact count) of these
    uint8_t *far_colour;  // (contact count) of these in the next level, else NOT_OWN
    uint8_t *colour;      // (contact count) of what is own to blocks of the first level, else NOT_OWN
    uint64_t *taken;      // (blocks of the first level, BLOCK_WORDS each; body count at least) colours
    int32_t *contact;
} cutting;

static int64_t taken_words(const block_cut *cut, int64_t body_count)
{
    return max_i64(body_count, cut->level[1] * BLOCK_WORDS);
}

size_t cut_bytes(int64_t body_count)
{
    return scr_arena_bytes(sizeof(contact_block), plan_cut(body_count).block_count);
}

size_t blocks_bytes(int64_t contact_count, int64_t body_count)
{
    block_cut cut = plan_cut(body_count);
    int64_t blocks = cut.block_count;
    return cut_bytes(body_count) + scr_arena_bytes(sizeof(outer_block), blocks) +
           scr_arena_bytes(sizeof(contact_run), contact_count) + scr_arena_bytes(sizeof(int32_t), contact_count) +
           scr_arena_bytes(sizeof(body_pair), contact_count) + 2 * scr_arena_bytes(1, contact_count) +
           scr_arena_bytes(sizeof(uint64_t), taken_words(&cut, body_count));
}

// ---- runs ----

static inline int32_t home_block(const listed_ends *ends, int64_t i)
{
    int32_t a = ends->record[ends->a[i]], body = a != NO_BODY ? a : ends->record[ends->b[i]];
    return (body == NO_BODY ? 0 : body) >> BLOCK_BITS;
}

// Do the next RUN_STEP contacts all have their first body in this block? Mostly they do, and asking for all at once
// takes no branch.
static inline bool all_are_in(const listed_ends *ends, int64_t first, int32_t block)
{
    const int32_t *a = ends->a + first, *record = ends->record;
    int32_t others = 0;
    for (int k = 0; k < RUN_STEP; ++k) others |= record[a[k]] >> BLOCK_BITS ^ block;
    return others == 0;
}

// Those of a part of all contacts, in the place of its own contacts; their number.
static int64_t find_runs(const listed_ends *ends, index_range r, contact_run *run)
{
    int64_t count = 0;
    int32_t here = -1;
    for (int64_t i = r.first; i < r.last; ++i) {
        while (here >= 0 && i + RUN_STEP <= r.last && all_are_in(ends, i, here)) i += RUN_STEP;
        if (i == r.last) break;
        int32_t block = home_block(ends, i);
        if (block == here) continue;
        if (count > 0) run[count - 1].last = (int32_t)i;
        run[count++] = (contact_run){.first = (int32_t)i, .block = here = block, .next = NO_RUN};
    }
    if (count > 0) run[count - 1].last = (int32_t)r.last;
    return count;
}

// Contacts of an outer block that are not own to its smaller blocks lie behind those of the outer blocks before it.
static void link_run(cutting *c, int64_t number)
{
    contact_run *run = &c->run[number];
    outer_block *t = &c->outer[run->block >> (block_bits(c->cut.levels - 1) - BLOCK_BITS)];
    if (t->first_run == NO_RUN) t->first_run = (int32_t)number;
    else c->run[t->last_run].next = (int32_t)number;
    t->last_run = (int32_t)number;
    t->last_far += run->last - run->first;
}

static void share_out_runs(cutting *c)
{
    const listed_ends *ends = c->chosen->ends;
    int parts = (int)max_i64(1, min_i64(c->chosen->threads, PARTS_MAX));
    int64_t run_count[PARTS_MAX], at = 0;
#pragma omp parallel for num_threads(parts) schedule(static)
    for (int p = 0; p < parts; ++p) {
        index_range r = chunk_of(ends->count, p, parts);
        run_count[p] = find_runs(ends, r, c->run + r.first);
    }
    for (int64_t k = 0; k < c->outer_count; ++k) c->outer[k] = (outer_block){.first_run = NO_RUN};
    for (int p = 0; p < parts; ++p)
        for (int64_t k = 0; k < run_count[p]; ++k) link_run(c, chunk_of(ends->count, p, parts).first + k);
    for (int64_t k = 0; k < c->outer_count; ++k) {
        int64_t room = c->outer[k].last_far;
        c->outer[k].first_far = c->outer[k].last_far = at;
        at += room;
    }
}

// ---- colours ----

// The bit of the lowest colour that is free where these are taken.
static inline uint64_t lowest_free(uint64_t a, uint64_t b, int *colour)
{
    uint64_t free_colours = ~(a | b);
    *colour = free_colours != 0 ? __builtin_ctzll(free_colours) : COLOUR_OVERFLOW;
    return free_colours & -free_colours;  // the overflow takes nothing
}

enum { OWN_CHUNK = 512 };

// A contact that is its block's own: its number, and the bodies from the block's first, NONE for what cannot be moved.
typedef uint64_t own_contact;
static inline own_contact own_contact_of(int64_t number, uint32_t a, uint32_t b)
{
    return (uint64_t)number << 32 | b << 16 | a;
}

// Contacts of a part of a run that are own to the block go to `own`, the numbers of all others behind `far`; returns
// where that list ends. Without a branch on which of both a contact is: that is hard to foresee, and waiting for it
// took longer than all else. The first body that a contact has is in the block, so only b can be elsewhere.
static inline __attribute__((always_inline)) int32_t *separate(const chosen_contacts *chosen, bool all, index_range r,
                                                               int32_t block, own_contact *own, int *own_count,
                                                               int32_t *far)
{
    const int32_t *record = chosen->ends->record, *side_a = chosen->ends->a, *side_b = chosen->ends->b;
    const uint8_t *kind = chosen->ends->kind, wanted = (uint8_t)chosen->kind;
    uint32_t first = (uint32_t)block << BLOCK_BITS;
    int count = 0;
    for (int64_t i = r.first; i < r.last; ++i) {
        int32_t a = record[side_a[i]], b = record[side_b[i]];
        uint32_t in_a = (uint32_t)a - first, in_b = (uint32_t)b - first;
        in_a = in_a < NONE ? in_a : NONE;
        in_b = in_b < NONE ? in_b : NONE;
        int is_far = (in_b == NONE) & (b >= 0), is_own = is_far ^ 1, is_in = all || kind[i] == wanted;
        own[count] = own_contact_of(i, in_a, in_b);
        *far = (int32_t)i;
        count += is_own & is_in;
        far += is_far & is_in;
    }
    *own_count = count;
    return far;
}

// taken[NONE] stands in for what cannot be moved: always free. What the first body has taken stays at hand: the next
// contact mostly has it too, and would wait until it is written.
static void colour_own(const own_contact *own, int own_count, uint64_t *taken, uint8_t *colours, int32_t count[PLACES])
{
    uint32_t at = NONE;
    uint64_t taken_a = 0;
    for (int k = 0; k < own_count; ++k) {
        uint32_t a = (uint16_t)own[k], b = (uint16_t)(own[k] >> 16);
        int colour;
        uint64_t there = taken[a];
        taken_a = a == at ? taken_a : there;
        uint64_t bit = lowest_free(taken_a, taken[b], &colour);
        taken[b] |= bit;
        taken[a] = taken_a |= bit;
        taken[NONE] = 0;
        at = a == NONE ? UINT32_MAX : a;
        colours[own[k] >> 32] = (uint8_t)colour;
        ++count[colour];
    }
}

// far: where the first of what is not own to the block goes; returns where the next one does. Their pairs are looked up
// while sides are in the cache.
static int64_t colour_run(const cutting *c, const contact_run *run, uint64_t *taken, int64_t far, int32_t count[PLACES])
{
    own_contact own[OWN_CHUNK];
    int own_count;
    memset(c->colour + run->first, NOT_OWN, (size_t)(run->last - run->first));
    for (int64_t first = run->first; first < run->last; first += OWN_CHUNK) {
        index_range r = {first, min_i64(first + OWN_CHUNK, run->last)};
        int32_t *end = c->chosen->are_all ? separate(c->chosen, true, r, run->block, own, &own_count, c->far + far)
                                          : separate(c->chosen, false, r, run->block, own, &own_count, c->far + far);
        for (; far < end - c->far; ++far) c->far_pair[far] = ends_pair(c->chosen->ends, c->far[far]);
        colour_own(own, own_count, taken, c->colour, count);
    }
    return far;
}

static void set_starts(contact_block *block, const int32_t count[PLACES])
{
    block->start[0] = 0;
    for (int c = 0; c <= COLOUR_COUNT; ++c) block->start[c + 1] = block->start[c] + count[c];
}

// Of what was put aside, what is own to one block of this level; at level c->cut.levels all that is left. Of the rest
// no word is touched: it is some other thread's. taken: of the first record there is
static void colour_far(const cutting *c, index_range far, int level, uint64_t *taken, contact_block *block)
{
    int32_t counts[PLACES] = {0};
    uint64_t nobody = 0;  // stands in for NO_BODY: always free
    bool is_last = level == c->cut.levels;
    int bits = is_last ? 0 : block_bits(level);
    for (int64_t k = far.first; k < far.last; ++k) {
        body_pair pair = c->far_pair[k];
        c->far_colour[k] = NOT_OWN;
        if (!is_last && (pair.a ^ pair.b) >> bits != 0) continue;
        uint64_t *a = pair.a == NO_BODY ? &nobody : &taken[pair.a], *b = pair.b == NO_BODY ? &nobody : &taken[pair.b];
        int colour;
        uint64_t bit = lowest_free(*a, *b, &colour);
        *a |= bit;
        *b |= bit;
        nobody = 0;
        c->far_colour[k] = (uint8_t)colour;
        ++counts[colour];
    }
    set_starts(block, counts);
}

static void colour_outer(cutting *c, int64_t number)
{
    outer_block *t = &c->outer[number];
    int level = c->cut.levels - 1;
    int64_t first_body = number << block_bits(level), blocks = (int64_t)1 << (level * GROWTH_BITS),
            bodies = min_i64(block_size(level), c->chosen->body_count - first_body),
            blocks_here = min_i64(blocks, c->cut.level[1] - number * blocks);
    int32_t count[BLOCKS_OF_NEXT][PLACES] = {0};
    int64_t far = t->first_far;
    uint64_t *taken = c->taken + number * blocks * BLOCK_WORDS;
    memset(taken, 0, (size_t)(blocks_here * BLOCK_WORDS) * sizeof *taken);
    for (int32_t k = t->first_run; k != NO_RUN; k = c->run[k].next) {
        int64_t block = c->run[k].block & (blocks - 1);
        far = colour_run(c, &c->run[k], taken + block * BLOCK_WORDS, far, count[block]);
    }
    t->last_far = far;
    for (int64_t k = 0; k < blocks_here; ++k) set_starts(&c->cut.block[number * blocks + k], count[k]);
    if (level == 0) return;
    memset(taken, 0, (size_t)bodies * sizeof *taken);
    colour_far(c, (index_range){t->first_far, t->last_far}, level, taken - first_body,
               &c->cut.block[c->cut.level[level] + number]);
}

// ---- lists ----

static void place_block(contact_block *block, int64_t first)
{
    block->first = first;
    block->last = first + block->start[COLOUR_COUNT + 1];
}

static int64_t place_blocks(const block_cut *cut)
{
    int64_t at = 0;
    for (int64_t k = 0; k < cut->block_count - 1; ++k) {
        place_block(&cut->block[k], at);
        at = cut->block[k].last;
    }
    return at;
}

// Where the next contact of each colour goes; what is not own to the block, nowhere.
static void open_places(const cutting *c, const contact_block *block, int32_t *place[PLACES], int32_t *nowhere)
{
    for (int k = 0; k <= COLOUR_COUNT; ++k) place[k] = c->contact + block->first + block->start[k];
    place[NOT_OWN] = nowhere;
}

static void fill_far(const cutting *c, index_range far, const contact_block *block)
{
    int32_t *place[PLACES], nowhere;
    open_places(c, block, place, &nowhere);
    for (int64_t k = far.first; k < far.last; ++k) {
        uint8_t colour = c->far_colour[k];
        *place[colour] = c->far[k];
        place[colour] += colour != NOT_OWN;
    }
}

static void fill_run(const contact_run *run, const uint8_t *colours, int32_t **place)
{
    for (int32_t i = run->first; i < run->last; ++i) {
        uint8_t colour = colours[i];
        *place[colour] = i;
        place[colour] += colour != NOT_OWN;
    }
}

static void fill_outer(const cutting *c, int64_t number)
{
    const outer_block *t = &c->outer[number];
    int level = c->cut.levels - 1;
    int64_t blocks = (int64_t)1 << (level * GROWTH_BITS);
    int32_t *places[BLOCKS_OF_NEXT][PLACES], nowhere;
    for (int64_t k = 0; k < blocks && number * blocks + k < c->cut.level[1]; ++k)
        open_places(c, &c->cut.block[number * blocks + k], places[k], &nowhere);
    for (int32_t k = t->first_run; k != NO_RUN; k = c->run[k].next) {
        contact_run run = c->run[k];
        fill_run(&run, c->colour, places[run.block & (blocks - 1)]);
    }
    if (level > 0) fill_far(c, (index_range){t->first_far, t->last_far}, &c->cut.block[c->cut.level[level] + number]);
}

// ---- what lies across all blocks ----

static int compare_numbers(const void *one, const void *other)
{
    int32_t a = *(const int32_t *)one, b = *(const int32_t *)other;
    return (a > b) - (a < b);
}

static void sort_by_number(cutting *c, int64_t count)
{
    qsort(c->far, (size_t)count, sizeof *c->far, compare_numbers);
    for (int64_t k = 0; k < count; ++k) c->far_pair[k] = ends_pair(c->chosen->ends, c->far[k]);
}

// By number, to the front; how many. They are in order already where the sides of contacts are in that of space.
static int64_t gather_across(cutting *c)
{
    int64_t count = 0;
    bool is_sorted = true, is_left = c->cut.levels == 1;
    for (int64_t k = 0; k < c->outer_count; ++k)
        for (int64_t i = c->outer[k].first_far; i < c->outer[k].last_far; ++i) {
            if (!is_left && c->far_colour[i] != NOT_OWN) continue;
            is_sorted = is_sorted && (count == 0 || c->far[count - 1] < c->far[i]);
            c->far_pair[count] = c->far_pair[i];
            c->far[count++] = c->far[i];
        }
    if (!is_sorted) sort_by_number(c, count);
    return count;
}

// Where nothing is cut.
static int64_t gather_all(cutting *c)
{
    int64_t count = 0;
    for (int64_t i = 0; i < c->chosen->ends->count; ++i) {
        if (!is_chosen(c->chosen, i)) continue;
        c->far_pair[count] = ends_pair(c->chosen->ends, i);
        c->far[count++] = (int32_t)i;
    }
    return count;
}

block_cut blocks_of_nothing(int64_t body_count, scr_arena *arena)
{
    block_cut cut = plan_cut(body_count);
    cut.block = scr_arena_array(arena, sizeof *cut.block, cut.block_count);
    memset(cut.block, 0, (size_t)cut.block_count * sizeof *cut.block);
    return cut;
}

block_cut blocks_cut(const chosen_contacts *chosen, int32_t *contact, scr_arena *arena)
{
    int64_t n = chosen->ends->count, placed = 0, across;
    cutting c = {.chosen = chosen, .cut = blocks_of_nothing(chosen->body_count, arena), .contact = contact};
    scr_arena scratch = *arena;
    c.outer_count = c.cut.levels > 0 ? c.cut.level[c.cut.levels] - c.cut.level[c.cut.levels - 1] : 0;
    c.outer = scr_arena_array(&scratch, sizeof *c.outer, c.outer_count);
    c.run = scr_arena_array(&scratch, sizeof *c.run, n);
    c.far = scr_arena_array(&scratch, sizeof *c.far, n);
    c.far_pair = scr_arena_array(&scratch, sizeof *c.far_pair, n);
    c.far_colour = scr_arena_array(&scratch, 1, n);
    c.colour = scr_arena_array(&scratch, 1, n);
    c.taken = scr_arena_array(&scratch, sizeof *c.taken, taken_words(&c.cut, chosen->body_count));
    if (c.cut.levels > 0) {
        share_out_runs(&c);
#pragma omp parallel for num_threads(chosen->threads) schedule(dynamic)
        for (int64_t k = 0; k < c.outer_count; ++k) colour_outer(&c, k);
        placed = place_blocks(&c.cut);
#pragma omp parallel for num_threads(chosen->threads) schedule(dynamic)
        for (int64_t k = 0; k < c.outer_count; ++k) fill_outer(&c, k);
    }
    across = c.cut.levels > 0 ? gather_across(&c) : gather_all(&c);
    memset(c.taken, 0, (size_t)chosen->body_count * sizeof *c.taken);
    contact_block *last = &c.cut.block[c.cut.block_count - 1];
    colour_far(&c, (index_range){0, across}, c.cut.levels, c.taken, last);
    place_block(last, placed);
    fill_far(&c, (index_range){0, across}, last);
    return c.cut;
}
