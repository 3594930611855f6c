// SPDX-License-Identifier: BSD-3-Clause
// The surface in pieces, and below the middle of each the deepest balls that still belong to it.
//
// Under a surface point x with the inward normal m the centre c = x + D m has a depth d(c) <= D. D - d(c) grows with D:
// the deepest centre with D - d(c) <= slack is found from above. Let q be the surface point nearest to c, w = q - x;
// the D for which q would be just at the distance D - slack,
//     D = (|w|^2 - slack^2) / (2 (w . m - slack)),
// is never less than the one looked for (the shrinking ball of Ma, Bae and Choi, with slack). A slack of 0 gives the
// ball that touches the surface in two places. With a little, the many flat edges of a tessellated round face do not
// count as edges; with a whole E it goes as deep as is of any use.
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
#include "fitting/surface_depth.h"
#include "geometry/surface/mesh.h"

static const double SLACK[OWN_BALLS] = {1.0, 0.2};  // in E
static const double PIECE_SIZE = 0.35;              // radius of a piece over what its ball would cover
static const double SHARED = 0.4;  // of what a ball covers: a piece whose own ball would be nearer takes that one over
enum { SHRINK_MAX = 24, PIECE_MAX = 1 << 23, SPLIT_AHEAD_MAX = 24 };
enum { LOOK_CHUNK = 256, RECENT = 8 };  // pieces that are looked at one after the other; balls they may share

// What was found below a piece.
typedef struct piece_depth {
    cover_ball ball[OWN_BALLS];
    double reach_square;        // m^2, (d + 2 E)^2 - D^2 of the better one, which is the first
    double along;               // m, its D
    double deepest;             // m, the larger D
    scr_vec3 limit[OWN_BALLS];  // m, surface points that let no ball be deeper
} piece_depth;

// What was found lately.
typedef struct recent_depths {
    piece_depth found[RECENT];
    int count, next;
} recent_depths;

// No centre below x is deeper than this, because of the surface point q.
static double deepest_before(scr_vec3 x, scr_vec3 inward, double slack, scr_vec3 q)
{
    scr_vec3 w = vec3_sub(q, x);
    double over = vec3_dot(w, inward) - slack, square = vec3_dot(w, w) - slack * slack;
    return over > 0.0 && square > 0.0 ? 0.5 * square / over : INFINITY;
}

// The deepest D below x, from *along down. Its depth, and the last surface point that said so.
static double sink(const shape_surface *s, scr_vec3 x, scr_vec3 inward, double slack, double *along, scr_vec3 *limit)
{
    surface_depth found;
    for (int k = 0; k < SHRINK_MAX; ++k) {
        double d = *along;
        found = (surface_depth){d, x};
        surface_depth_at(s, vec3_add_scaled(x, d, inward), d * (1.0 + 1e-9), &found);
        if (found.depth >= d - slack * (1.0 + 1e-9)) return found.depth;
        *limit = found.nearest;
        double next = found.depth > 0.0 ? deepest_before(x, inward, slack, found.nearest) : INFINITY;
        *along = fmin(isfinite(next) ? next : 0.5 * d, (1.0 - 1e-6) * d);
    }
    // Slower than it is worth: this near to the surface any centre will do.
    *along = fmin(*along, 0.5 * slack);
    found = (surface_depth){0.0, x};
    surface_depth_at(s, vec3_add_scaled(x, *along, inward), INFINITY, &found);
    return found.depth;
}

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

static piece_depth look_below(const shape_surface *s, const cover_piece *piece, scr_vec3 inward, double error,
                              const recent_depths *recent)
{
    scr_vec3 x = middle_of(&piece->corners);
    piece_depth found = {.reach_square = -1.0};
    double along = (double)piece->start;
    for (int k = 0; k < OWN_BALLS; ++k) {
        // What limits a neighbour is likely to limit this one: asking it is quicker than asking the tree.
        found.limit[k] = x;
        for (int n = 0; n < recent->count; ++n) {
            scr_vec3 q = recent->found[n].limit[k];
            double bound = deepest_before(x, inward, SLACK[k] * error, q);
            if (bound < along) along = bound, found.limit[k] = q;
        }
        double depth = sink(s, x, inward, SLACK[k] * error, &along, &found.limit[k]);
        double reach = cover_reach(depth, error);
        found.ball[k] = (cover_ball){vec3_add_scaled(x, along, inward), depth};
        if (k == 0) found.deepest = along;
        double square = reach * reach - along * along;
        if (square > found.reach_square) {
            cover_ball best = found.ball[k];
            found.ball[k] = found.ball[0];
            found.ball[0] = best;
            found.reach_square = square;
            found.along = along;
        }
    }
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
    int64_t count, capacity, next_capacity, found_capacity, place_capacity;
    cover_piece *piece, *next;
    piece_depth *found;
    int64_t *place;  // (count + 1) where its halves go in `next`
} piece_round;

static void round_free(piece_round *r)
{
    scr_free(r->piece);
    scr_free(r->next);
    scr_free(r->found);
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

static void remember(recent_depths *r, const piece_depth *found)
{
    r->found[r->next] = *found;
    r->next = (r->next + 1) % RECENT;
    r->count += r->count < RECENT;
}

static bool is_covered(const triangle3 *t, const cover_ball *ball, double reach)
{
    for (int k = 0; k < 3; ++k) {
        scr_vec3 arm = vec3_sub(t->corner[k], ball->centre);
        if (vec3_dot(arm, arm) > reach * reach) return false;
    }
    return true;
}

// Would the piece find its own ball close by that of another? Then it need not look: if it is too large it is split,
// and if it is covered it takes that ball over.
static bool may_share(const piece_depth *other, const triangle3 *t, scr_vec3 inward, double square, double error)
{
    const cover_ball *ball = &other->ball[0];
    double reach = cover_reach(ball->depth, error), cover = reach * reach - ball->depth * ball->depth;
    scr_vec3 own = vec3_add_scaled(middle_of(t), other->along, inward), apart = vec3_sub(own, ball->centre);
    if (vec3_dot(apart, apart) > SHARED * SHARED * cover) return false;
    return square > PIECE_SIZE * PIECE_SIZE * other->reach_square || is_covered(t, ball, reach);
}

static const piece_depth *find_shared(const recent_depths *r, const triangle3 *t, scr_vec3 inward, double square,
                                      double error)
{
    for (int k = 0; k < r->count; ++k)
        if (may_share(&r->found[k], t, inward, square, error)) return &r->found[k];
    return NULL;
}

static void look_at(cover_piece *piece, piece_depth *found, recent_depths *recent, const shape_surface *s, double error)
{
    double square = radius_square(&piece->corners);
    triangle3 whole = triangle_corners(&s->triangles, piece->triangle);
    scr_vec3 inward = vec3_neg(triangle_normal(&whole));
    const piece_depth *shared = find_shared(recent, &piece->corners, inward, square, error);
    if (shared != NULL) {
        *found = *shared;
    } else {
        piece->start = (float)((double)piece->start + SLACK[0] * error);
        *found = look_below(s, piece, inward, error, recent);
        remember(recent, found);
    }
    piece->splits = splits_of(found, square, error);
    piece->start = (float)(found->deepest + 2.0 * sqrt(square));
}

// Look below those that are due, and count the halves of all.
static void look(piece_round *r, const shape_surface *s, double error, int threads)
{
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (int64_t chunk = 0; chunk < block_count_of(r->count, LOOK_CHUNK); ++chunk) {
        recent_depths recent = {0};
        for (int64_t k = chunk * LOOK_CHUNK; k < min_i64((chunk + 1) * LOOK_CHUNK, r->count); ++k) {
            cover_piece *piece = &r->piece[k];
            if (piece->splits == 0) look_at(piece, &r->found[k], &recent, s, error);
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
        memcpy(out->ball + OWN_BALLS * out->count, r->found[k].ball, sizeof r->found[k].ball);
        out->piece[out->count++] = r->piece[k];
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
        status = scr_grow_anew(&r.found, &r.found_capacity, r.count, sizeof *r.found, "pieces", reason);
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
