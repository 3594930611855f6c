// SPDX-License-Identifier: BSD-3-Clause
#include <string.h>

#include "core/base/threads.h"
#include "fitting/cover.h"

// The pieces of one ball, added to the list of its chunk. A thread has room for one chunk after the other; what is kept
// is a copy of the right length.
typedef struct list_search {
    const cover_pieces *pieces;
    scr_vec3 centre;
    double reach_square;
    int32_t *list;
    int64_t count, capacity;
    scr_status status;
} list_search;

static bool take_piece(void *context, int32_t piece)
{
    list_search *s = context;
    if (!ball_covers(s->centre, s->reach_square, &s->pieces->piece[piece])) return true;
    if (s->count == s->capacity)
        s->status = scr_grow(&s->list, &s->capacity, s->count + 1, sizeof *s->list, "covered pieces", NULL);
    if (s->status != SCR_OK) return false;
    s->list[s->count++] = piece;
    return true;
}

static void fill_chunk(list_search *s, const mesh_tree *tree, const cover_ball *ball, index_range range, double error,
                       cover_lists *out)
{
    s->count = 0;
    for (int64_t b = range.first; b < range.last && s->status == SCR_OK; ++b) {
        double reach = cover_reach(ball[b].depth, error);
        ball_test test = ball_test_of(ball[b].centre, reach);
        out->start[b] = s->count;
        s->centre = ball[b].centre;
        s->reach_square = reach * reach;
        mesh_tree_walk(tree, tree_overlaps_ball, &test, take_piece, s);
        out->length[b] = (int32_t)(s->count - out->start[b]);
    }
}

static int32_t *copy_of_list(list_search *s)
{
    int32_t *copy = s->status == SCR_OK ? scr_alloc(scr_array_bytes(s->count, sizeof *copy)) : NULL;
    if (copy == NULL) s->status = SCR_NO_MEMORY;
    else if (s->count > 0) memcpy(copy, s->list, (size_t)s->count * sizeof *copy);
    return copy;
}

scr_status cover_lists_make(const cover_pieces *pieces, const mesh_tree *tree, const cover_ball *ball, int64_t count,
                            double error, int threads, cover_lists *out, scr_error *reason)
{
    int64_t starts = 0, lengths = 0;
    *out = (cover_lists){.ball_count = count, .chunk_count = block_count_of(count, COVER_CHUNK)};
    scr_status status = scr_make_zeros(&out->chunk, out->chunk_count, sizeof *out->chunk, "covered pieces", reason);
    if (status == SCR_OK)
        status = scr_grow(&out->start, &starts, count + 1, sizeof *out->start, "covered pieces", reason);
    if (status == SCR_OK)
        status = scr_grow(&out->length, &lengths, count + 1, sizeof *out->length, "covered pieces", reason);
    bool is_whole = true;
    if (status == SCR_OK) {
#pragma omp parallel num_threads(threads) reduction(&& : is_whole)
        {
            list_search s = {.pieces = pieces};
#pragma omp for schedule(dynamic, 1)
            for (int64_t c = 0; c < out->chunk_count; ++c) {
                fill_chunk(&s, tree, ball, (index_range){c * COVER_CHUNK, min_i64((c + 1) * COVER_CHUNK, count)}, error,
                           out);
                out->chunk[c] = copy_of_list(&s);
            }
            scr_free(s.list);
            is_whole = s.status == SCR_OK;
        }
        if (!is_whole) status = scr_fail_memory(reason, 0, "covered pieces");
    }
    if (status != SCR_OK) cover_lists_free(out);
    return status;
}

void cover_lists_free(cover_lists *lists)
{
    for (int64_t c = 0; c < lists->chunk_count && lists->chunk != NULL; ++c) scr_free(lists->chunk[c]);
    scr_free(lists->chunk);
    scr_free(lists->start);
    scr_free(lists->length);
    *lists = (cover_lists){0};
}
