// SPDX-License-Identifier: BSD-3-Clause
// What the covering fit works with: pieces of the surface, and balls that may cover them.
//
// A ball with its centre at depth d below the surface may have the radius r = d + E: whatever of it is outside the part
// is then at most E outside, because the ball of radius d about the same centre is inside. It covers all surface points
// within r + E = d + 2 E of its centre: these are at most E from it. A triangle is covered if its corners are, for a
// ball is convex. So a set of balls that covers every piece has the error E, in protrusion and gap, by proof.
#ifndef FITTING_COVER_H
#define FITTING_COVER_H

#include "geometry/surface/mesh_tree.h"
#include "geometry/surface/triangle.h"

typedef struct cover_ball {
    scr_vec3 centre;  // m
    double depth;     // m
} cover_ball;
static inline double cover_reach(double depth, double error) { return depth + 2.0 * error; }
static inline bool ball_covers(scr_vec3 centre, double reach_square, const triangle3 *t)
{
    for (int k = 0; k < 3; ++k) {
        scr_vec3 arm = vec3_sub(t->corner[k], centre);
        if (!(vec3_dot(arm, arm) <= reach_square)) return false;
    }
    return true;
}

// Pieces, each so small that one of its own balls covers it; each has OWN_BALLS.
enum { OWN_BALLS = 2 };
typedef struct cover_pieces {
    int64_t count, capacity;
    triangle3 *piece;  // m
    cover_ball *ball;  // OWN_BALLS a piece; the first covers it
} cover_pieces;

scr_status cover_pieces_make(const shape_surface *surface, double error, int threads, cover_pieces *out,
                             scr_error *reason);
void cover_pieces_free(cover_pieces *pieces);
// Their tree; they are put in its order, so that what is near in space is near in memory.
scr_status cover_pieces_order(cover_pieces *pieces, const shape_surface *surface, int threads, mesh_tree *tree,
                              scr_error *reason);

// Some of their balls, few enough to try them all, in the order of the pieces: of those with centres close together
// only the deepest.
scr_status cover_choose_balls(const cover_pieces *pieces, double error, int threads, cover_ball **chosen,
                              int64_t *count, scr_error *reason);

// Which pieces each of some balls covers.
typedef struct cover_lists {
    int64_t ball_count;
    int64_t *start;   // (ball_count) first entry of a ball in the list of its chunk
    int32_t *length;  // (ball_count)
    int32_t **chunk;  // pieces, ascending in the order of the tree
    int64_t chunk_count;
} cover_lists;
enum { COVER_CHUNK = 256 };  // balls a list

scr_status cover_lists_make(const cover_pieces *pieces, const mesh_tree *tree, const cover_ball *ball, int64_t count,
                            double error, int threads, cover_lists *out, scr_error *reason);
void cover_lists_free(cover_lists *lists);
static inline const int32_t *cover_list_of(const cover_lists *lists, int64_t ball)
{
    return lists->chunk[ball / COVER_CHUNK] + lists->start[ball];
}
#endif
