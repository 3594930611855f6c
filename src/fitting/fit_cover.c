// SPDX-License-Identifier: BSD-3-Clause
// The greedy cover: always the ball next that covers most of the area that none covers yet. What a ball would add only
// shrinks as others are taken, so a ball whose figure is old stays in its place in the heap until it is on top.
//
// First among the chosen balls; then the few pieces left get their own. At the end balls all of whose pieces others
// cover as well are dropped, the least useful first.
#include "core/base/threads.h"
#include "fitting/cover.h"
#include "fitting/fit.h"

typedef struct heap_entry {
    double gain;  // m^2, as it was when last looked at
    int32_t ball;
} heap_entry;

static const double LEAST_AREA = 1e-300;  // m^2: a piece that is a line must be covered too

// The larger gain first; of equals the lower number, so that the order is the same everywhere.
static bool goes_before(heap_entry a, heap_entry b) { return a.gain != b.gain ? a.gain > b.gain : a.ball < b.ball; }

static void sift_down(heap_entry *heap, int64_t count, int64_t k)
{
    heap_entry moved = heap[k];
    for (;;) {
        int64_t child = 2 * k + 1;
        if (child >= count) break;
        if (child + 1 < count && goes_before(heap[child + 1], heap[child])) ++child;
        if (!goes_before(heap[child], moved)) break;
        heap[k] = heap[child];
        k = child;
    }
    heap[k] = moved;
}

// What a search keeps of the pieces.
typedef struct cover_state {
    const cover_pieces *pieces;
    double error;
    int threads;
    mesh_tree tree;
    double *area;          // m^2
    int32_t *cover_count;  // taken balls that cover the piece
    int64_t uncovered;
} cover_state;

static double gain_of(const cover_state *s, const int32_t *list, int32_t length)
{
    double gain = 0.0;
    for (int32_t k = 0; k < length; ++k)
        if (s->cover_count[list[k]] == 0) gain += s->area[list[k]];
    return gain;
}

static void take(cover_state *s, const int32_t *list, int32_t length)
{
    for (int32_t k = 0; k < length; ++k) s->uncovered -= s->cover_count[list[k]]++ == 0;
}

// All balls of `lists` that add something, in the order in which they are taken.
static int64_t take_greedily(cover_state *s, const cover_lists *lists, heap_entry *heap, int32_t *taken)
{
    int64_t count = lists->ball_count, taken_count = 0;
#pragma omp parallel for schedule(static) num_threads(s->threads)
    for (int64_t b = 0; b < lists->ball_count; ++b)
        heap[b] = (heap_entry){gain_of(s, cover_list_of(lists, b), lists->length[b]), (int32_t)b};
    for (int64_t k = count / 2 - 1; k >= 0; --k) sift_down(heap, count, k);
    while (count > 0 && s->uncovered > 0) {
        int32_t b = heap[0].ball;
        const int32_t *list = cover_list_of(lists, b);
        double gain = gain_of(s, list, lists->length[b]);
        if (gain > 0.0 && gain == heap[0].gain) {
            take(s, list, lists->length[b]);
            taken[taken_count++] = b;
            gain = 0.0;
        }
        heap[0].gain = gain;
        if (gain <= 0.0) heap[0] = heap[--count];
        sift_down(heap, count, 0);
    }
    return taken_count;
}

// Balls that were taken, with the pieces they cover.
typedef struct taken_balls {
    cover_ball *offered;
    int64_t offered_count;
    cover_lists lists;
    int32_t *taken;  // in the order in which they were
    int64_t taken_count;
} taken_balls;

static void taken_free(taken_balls *t)
{
    scr_free(t->offered);
    cover_lists_free(&t->lists);
    scr_free(t->taken);
}

static scr_status take_from(cover_state *s, taken_balls *t, scr_error *reason)
{
    heap_entry *heap = NULL;
    int64_t heaps = 0, takens = 0, n = t->offered_count;
    scr_status status = cover_lists_make(s->pieces, &s->tree, t->offered, n, s->error, s->threads, &t->lists, reason);
    if (status == SCR_OK) status = scr_grow(&heap, &heaps, n + 1, sizeof *heap, "balls", reason);
    if (status == SCR_OK) status = scr_grow(&t->taken, &takens, n + 1, sizeof *t->taken, "balls", reason);
    if (status == SCR_OK) t->taken_count = take_greedily(s, &t->lists, heap, t->taken);
    scr_free(heap);
    return status;
}

// The pieces' own balls, which are certain to cover them, of those that are not covered.
static scr_status offer_own(const cover_state *s, taken_balls *t, scr_error *reason)
{
    int64_t capacity = 0;
    scr_status status = scr_grow(&t->offered, &capacity, s->uncovered + 1, sizeof *t->offered, "balls", reason);
    for (int64_t k = 0; k < s->pieces->count && status == SCR_OK; ++k)
        if (s->cover_count[k] == 0) t->offered[t->offered_count++] = s->pieces->ball[OWN_BALLS * k];
    return status;
}

// Is every piece of the ball covered by another one too? Then it goes.
static bool drop_if_needless(cover_state *s, const int32_t *list, int32_t length)
{
    for (int32_t k = 0; k < length; ++k)
        if (s->cover_count[list[k]] < 2) return false;
    for (int32_t k = 0; k < length; ++k) --s->cover_count[list[k]];
    return true;
}

// The last taken added least: they are asked first.
static scr_status keep_needed(cover_state *s, const taken_balls *t, sphere_set *out, scr_error *reason)
{
    scr_status status = SCR_OK;
    for (int64_t k = t->taken_count - 1; k >= 0 && status == SCR_OK; --k) {
        int32_t b = t->taken[k];
        if (drop_if_needless(s, cover_list_of(&t->lists, b), t->lists.length[b])) continue;
        const cover_ball *ball = &t->offered[b];
        status = sphere_set_add(out, (set_sphere){ball->centre, ball->depth + s->error}, reason);
    }
    return status;
}

static scr_status prepare(cover_state *s, scr_error *reason)
{
    int64_t n = s->pieces->count, areas = 0;
    scr_status status = scr_grow(&s->area, &areas, n + 1, sizeof *s->area, "pieces", reason);
    if (status == SCR_OK) status = scr_make_zeros(&s->cover_count, n, sizeof *s->cover_count, "pieces", reason);
    if (status != SCR_OK) return status;
#pragma omp parallel for schedule(static) num_threads(s->threads)
    for (int64_t k = 0; k < n; ++k)
        s->area[k] = fmax(0.5 * vec3_norm(triangle_area_vector(&s->pieces->piece[k])), LEAST_AREA);
    s->uncovered = n;
    return status;
}

scr_status fit_cover(const part *p, const cover_fit *how, sphere_set *out, scr_error *reason)
{
    cover_pieces pieces = {0};
    taken_balls chosen = {0}, own = {0};
    *out = (sphere_set){.solid = part_solid(p)};
    cover_state s = {.pieces = &pieces, .error = how->error, .threads = how->threads};
    scr_status status = cover_pieces_make(p->surface, how->error, how->threads, &pieces, reason);
    if (status == SCR_OK) status = cover_pieces_order(&pieces, p->surface, how->threads, &s.tree, reason);
    if (status == SCR_OK) status = prepare(&s, reason);
    if (status == SCR_OK)
        status = cover_choose_balls(&pieces, how->error, how->threads, &chosen.offered, &chosen.offered_count, reason);
    if (status == SCR_OK) status = take_from(&s, &chosen, reason);
    if (status == SCR_OK) status = offer_own(&s, &own, reason);
    if (status == SCR_OK) status = take_from(&s, &own, reason);
    if (status == SCR_OK) status = keep_needed(&s, &own, out, reason);
    if (status == SCR_OK) status = keep_needed(&s, &chosen, out, reason);
    taken_free(&chosen);
    taken_free(&own);
    mesh_tree_free(&s.tree);
    scr_free(s.area);
    scr_free(s.cover_count);
    cover_pieces_free(&pieces);
    if (status != SCR_OK) sphere_set_free(out);
    return status;
}
