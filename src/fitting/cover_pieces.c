// SPDX-License-Identifier: BSD-3-Clause
// The surface in pieces, and below the middle of each the deepest balls that still belong to it.
//
// A piece about x of radius s is covered by its ball if  s^2 <= (d + 2 E)^2 - D^2.  Pieces are cut across their longest
// edge until they are a fraction of that. Neighbours have much the same balls (on a sphere all pieces have one): a
// piece takes over that of one shortly before it if it is covered by it and would find its own close by. So only some
// search.
#include <string.h>

#include "core/arrays/scan.h"
#include "core/base/threads.h"
#include "core/text/human.h"
#include "fitting/cover.h"
#include "fitting/sinking.h"
#include "geometry/surface/mesh.h"

static const double SLACK[OWN_BALLS] = {1.0, 0.2};  // in E
static const double PIECE_SIZE = 0.35;              // radius of a piece over what its ball would cover
static const double SHARED = 0.4;  // of what a ball covers: a piece whose own ball would be nearer takes that one over
enum { PIECE_MAX = 1 << 23, SPLIT_AHEAD_MAX = 24 };
enum { LOOK_CHUNK = 256, RECENT = 8 };  // pieces that are looked at one after the other; balls they may share

// A piece on its way to be small enough.
typedef struct cover_piece {
    triangle3 corners;  // m
    int32_t triangle;   // of the part
    float start;        // m, a depth at which to begin the search for its balls
    int splits;         // still to do before its balls are looked for
} cover_piece;

// What was found below a piece.
typedef struct piece_depth {
    cover_ball ball[OWN_BALLS];
    int ball_count;                  // of one that is too large, whatever its balls are, only one is looked for
    double reach_square;             // m^2, (d + 2 E)^2 - D^2 of the better one, which is the first
    double along;                    // m, its D
    double deepest;                  // m, the larger D
    surface_place limit[OWN_BALLS];  // that let no ball be deeper
} piece_depth;

// What was found lately.
typedef struct recent_depths {
    piece_depth found[RECENT];
    int count, next;
} recent_depths;

static scr_vec3 middle_of(const triangle3 *t)
{
    return vec3_scale(1.0 / 3.0, vec3_add(t->corner[0], vec3_add(t->corner[1], t->corner[2])));
}

static double radius_square(const triangle3 *t)
{
    scr_vec3 middle = middle_of(t);
    double most = 0.0;
    for (int k = 0; k < 3; ++k) {
        scr_vec3 arm = vec3_sub(t->corner[k], middle);
        most = fmax(most, vec3_dot(arm, arm));
    }
    return most;
}

// A ball has d <= D, so none covers more than (D + 2 E)^2 - D^2.
static bool is_too_large(double square, double along, double error)
{
    return square > PIECE_SIZE * PIECE_SIZE * 4.0 * error * (along + error);
}

static void add_ball(piece_depth *found, const sinking *s, double depth, double error)
{
    double reach = cover_reach(depth, error), square = reach * reach - s->along * s->along;
    int at = found->ball_count++;
    found->limit[at] = s->limit;
    if (at == 0) found->deepest = s->along;
    if (at == 0 || square > found->reach_square) {
        if (at > 0) found->ball[at] = found->ball[0];
        at = 0;
        found->reach_square = square;
        found->along = s->along;
    }
    found->ball[at] = (cover_ball){sinking_centre(s), depth};
}

static piece_depth look_below(const shape_surface *surface, const cover_piece *piece, scr_vec3 inward, double square,
                              double error, const recent_depths *recent)
{
    sinking s = {surface, middle_of(&piece->corners), inward, 0.0, (double)piece->start, {.triangle = -1}};
    piece_depth found = {.ball_count = 0};
    do {
        int k = found.ball_count;
        s.slack = SLACK[k] * error;
        // What limits a neighbour is likely to limit this one: asking it is quicker than asking the tree.
        for (int n = 0; n < recent->count; ++n)
            if (k < recent->found[n].ball_count) sinking_limit(&s, &recent->found[n].limit[k]);
        double depth = sink(&s);
        add_ball(&found, &s, depth, error);
    } while (found.ball_count < OWN_BALLS && !is_too_large(square, found.deepest, error));
    return found;
}

// How often to cut a piece before it is worth looking again: each cut halves its area, and a child's depth may be more
// by the piece's own size. 0: it is small enough.
static int splits_of(const piece_depth *found, double square, double error)
{
    double limit = PIECE_SIZE * PIECE_SIZE;
    if (square <= limit * found->reach_square) return 0;
    double reach = 4.0 * error * (found->deepest + 2.0 * sqrt(square) + error);
    int splits = 1;
    for (double rest = 0.5 * square; rest > 2.0 * limit * reach && splits < SPLIT_AHEAD_MAX; rest *= 0.5) ++splits;
    return splits;
}

// Across the longest edge.
static void split(const cover_piece *piece, cover_piece halves[2])
{
    const scr_vec3 *c = piece->corners.corner;
    int at = 0;
    double longest = -1.0;
    for (int k = 0; k < 3; ++k) {
        scr_vec3 edge = vec3_sub(c[next_corner(k)], c[k]);
        if (vec3_dot(edge, edge) > longest) longest = vec3_dot(edge, edge), at = k;
    }
    int next = next_corner(at), third = next_corner(next);
    scr_vec3 middle = vec3_scale(0.5, vec3_add(c[at], c[next]));
    for (int k = 0; k < 2; ++k) halves[k] = *piece;
    halves[0].corners = (triangle3){{c[at], middle, c[third]}};
    halves[1].corners = (triangle3){{middle, c[next], c[third]}};
}

// Pieces that are still to be cut or looked at, and what this round makes of them.
typedef struct piece_round {
    int64_t count, capacity, next_capacity, ball_capacity, place_capacity;
    cover_piece *piece, *next;
    cover_ball *ball;  // (OWN_BALLS count) of those that are small enough
    int64_t *place;    // (count + 1) where its halves go in `next`
} piece_round;

static void round_free(piece_round *r)
{
    scr_free(r->piece);
    scr_free(r->next);
    scr_free(r->ball);
    scr_free(r->place);
}

static scr_status begin(const shape_surface *s, piece_round *r, scr_error *reason)
{
    const scr_triangles *t = &s->triangles;
    scr_status status = scr_grow(&r->piece, &r->capacity, t->triangle_count, sizeof *r->piece, "pieces", reason);
    if (status != SCR_OK) return status;
    scr_vec3 extent = vec3_sub(s->box.high, s->box.low);
    double widest = 0.51 * fmin(extent.x, fmin(extent.y, extent.z));  // no ball inside is larger
    const mesh_tree *tree = &s->mesh->tree;  // which has no flat ones, and neighbours close together
    for (int64_t k = 0; k < tree->count; ++k)
        r->piece[r->count++] =
            (cover_piece){triangle_corners(t, tree->triangle[k]), tree->triangle[k], (float)widest, 0};
    return SCR_OK;
}

static const piece_depth *remember(recent_depths *r, const piece_depth *found)
{
    piece_depth *kept = &r->found[r->next];
    *kept = *found;
    r->next = (r->next + 1) % RECENT;
    r->count += r->count < RECENT;
    return kept;
}

// Would the piece find its own ball close by that of another? Then it need not look: if it is too large it is split,
// and if it is covered it takes that ball over.
static bool may_share(const piece_depth *other, const triangle3 *t, scr_vec3 inward, double square, double error)
{
    const cover_ball *ball = &other->ball[0];
    double reach = cover_reach(ball->depth, error), cover = reach * reach - ball->depth * ball->depth;
    scr_vec3 own = vec3_add_scaled(middle_of(t), other->along, inward), apart = vec3_sub(own, ball->centre);
    if (vec3_dot(apart, apart) > SHARED * SHARED * cover) return false;
    if (square > PIECE_SIZE * PIECE_SIZE * other->reach_square) return true;
    return other->ball_count == OWN_BALLS && ball_covers(ball->centre, reach * reach, t);
}

static const piece_depth *find_shared(const recent_depths *r, const triangle3 *t, scr_vec3 inward, double square,
                                      double error)
{
    for (int k = 0; k < r->count; ++k)
        if (may_share(&r->found[k], t, inward, square, error)) return &r->found[k];
    return NULL;
}

static void look_at(cover_piece *piece, cover_ball *ball, recent_depths *recent, const shape_surface *s, double error)
{
    double square = radius_square(&piece->corners);
    triangle3 whole = triangle_corners(&s->triangles, piece->triangle);
    scr_vec3 inward = vec3_neg(triangle_normal(&whole));
    const piece_depth *found = find_shared(recent, &piece->corners, inward, square, error);
    if (found == NULL) {
        piece->start = (float)((double)piece->start + SLACK[0] * error);
        piece_depth own = look_below(s, piece, inward, square, error, recent);
        found = remember(recent, &own);
    }
    piece->splits = splits_of(found, square, error);
    piece->start = (float)(found->deepest + 2.0 * sqrt(square));
    if (piece->splits == 0) memcpy(ball, found->ball, sizeof found->ball);
}

// Look below those that are due, and count the halves of all.
static void look(piece_round *r, const shape_surface *s, double error, int threads)
{
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (int64_t chunk = 0; chunk < block_count_of(r->count, LOOK_CHUNK); ++chunk) {
        recent_depths recent = {0};
        for (int64_t k = chunk * LOOK_CHUNK; k < min_i64((chunk + 1) * LOOK_CHUNK, r->count); ++k) {
            cover_piece *piece = &r->piece[k];
            if (piece->splits == 0) look_at(piece, r->ball + OWN_BALLS * k, &recent, s, error);
            r->place[k] = piece->splits > 0 ? 2 : 0;
        }
    }
}

// Those that are small enough are done; the halves of the others are the next round.
static scr_status advance(piece_round *r, cover_pieces *out, int threads, scr_error *reason)
{
    int64_t before = out->count, done = 0;
    for (int64_t k = 0; k < r->count; ++k) done += r->piece[k].splits == 0;
    if (before + done > out->capacity) {
        const scr_column columns[] = {{&out->piece, sizeof *out->piece}, {&out->ball, OWN_BALLS * sizeof *out->ball}};
        scr_status status = scr_grow_together(columns, 2, &out->capacity, before + done, "pieces", reason);
        if (status != SCR_OK) return status;
    }
    for (int64_t k = 0; k < r->count; ++k) {
        if (r->piece[k].splits > 0) continue;
        memcpy(out->ball + OWN_BALLS * out->count, r->ball + OWN_BALLS * k, OWN_BALLS * sizeof *r->ball);
        out->piece[out->count++] = r->piece[k].corners;
    }
    int64_t next = scr_scan_i64(r->place, r->count, threads);
    scr_status status = scr_grow_anew(&r->next, &r->next_capacity, next + 1, sizeof *r->next, "pieces", reason);
    if (status != SCR_OK) return status;
    for (int64_t k = 0; k < r->count; ++k) {
        if (r->piece[k].splits == 0) continue;
        --r->piece[k].splits;
        split(&r->piece[k], r->next + r->place[k]);
    }
    cover_piece *swapped = r->piece;
    int64_t capacity = r->capacity;
    r->piece = r->next, r->capacity = r->next_capacity;
    r->next = swapped, r->next_capacity = capacity;
    r->count = next;
    return SCR_OK;
}

// Does what is there, with all the cuts that are known already, stay within bounds?
static scr_status check_count(const piece_round *r, const cover_pieces *done, double error, scr_error *reason)
{
    double count = (double)done->count;
    for (int64_t k = 0; k < r->count; ++k) count += ldexp(1.0, r->piece[k].splits);
    if (count <= PIECE_MAX) return SCR_OK;
    return scr_fail(reason, SCR_BAD_INPUT,
                    "an error of %s is too small for a part of this size: it takes more than %s pieces of its surface",
                    human_length(error).text, human_count(PIECE_MAX).text);
}

scr_status cover_pieces_make(const shape_surface *surface, double error, int threads, cover_pieces *out,
                             scr_error *reason)
{
    piece_round r = {0};
    *out = (cover_pieces){0};
    scr_status status = begin(surface, &r, reason);
    while (status == SCR_OK && r.count > 0) {
        status = scr_grow_anew(&r.ball, &r.ball_capacity, r.count, OWN_BALLS * sizeof *r.ball, "pieces", reason);
        if (status == SCR_OK)
            status = scr_grow_anew(&r.place, &r.place_capacity, r.count + 1, sizeof *r.place, "pieces", reason);
        if (status != SCR_OK) break;
        look(&r, surface, error, threads);
        status = check_count(&r, out, error, reason);
        if (status == SCR_OK) status = advance(&r, out, threads, reason);
    }
    round_free(&r);
    if (status != SCR_OK) cover_pieces_free(out);
    return status;
}

void cover_pieces_free(cover_pieces *pieces)
{
    scr_free(pieces->piece);
    scr_free(pieces->ball);
    *pieces = (cover_pieces){0};
}

// Both arrays, each moved through one of its own.
static void put_in_order(cover_pieces *pieces, const int32_t *order, triangle3 *piece, cover_ball *ball, int threads)
{
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t k = 0; k < pieces->count; ++k) {
        piece[k] = pieces->piece[order[k]];
        memcpy(ball + OWN_BALLS * k, pieces->ball + OWN_BALLS * (int64_t)order[k], OWN_BALLS * sizeof *ball);
    }
    scr_free(pieces->piece);
    scr_free(pieces->ball);
    pieces->piece = piece;
    pieces->ball = ball;
}

scr_status cover_pieces_order(cover_pieces *pieces, const shape_surface *surface, int threads, mesh_tree *tree,
                              scr_error *reason)
{
    int64_t n = pieces->count, boxes = 0, items = 0, capacity = 0;
    scr_aabb *box = NULL;
    int32_t *item = NULL;
    triangle3 *piece = NULL;
    cover_ball *ball = NULL;
    const scr_column columns[] = {{&piece, sizeof *piece}, {&ball, OWN_BALLS * sizeof *ball}};
    *tree = (mesh_tree){0};
    scr_status status = scr_grow(&box, &boxes, n + 1, sizeof *box, "pieces", reason);
    if (status == SCR_OK) status = scr_grow(&item, &items, n + 1, sizeof *item, "pieces", reason);
    if (status == SCR_OK) {
#pragma omp parallel for schedule(static) num_threads(threads)
        for (int64_t k = 0; k < n; ++k) box[k] = triangle_box(&pieces->piece[k]), item[k] = (int32_t)k;
    }
    if (status == SCR_OK) status = mesh_tree_of_boxes(&surface->box, &(boxed_items){n, box, item}, tree, reason);
    scr_free(box);
    scr_free(item);
    if (status == SCR_OK) status = scr_grow_together(columns, 2, &capacity, n + 1, "pieces", reason);
    if (status != SCR_OK) {
        scr_free(piece);
        scr_free(ball);
        return status;
    }
    put_in_order(pieces, tree->triangle, piece, ball, threads);
    pieces->capacity = capacity;
    for (int64_t k = 0; k < n; ++k) tree->triangle[k] = (int32_t)k;
    return SCR_OK;
}
