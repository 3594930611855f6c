// SPDX-License-Identifier: BSD-3-Clause
#include "fitting/near_walk.h"

#include <float.h>

struct near_walk {
    const mesh_tree *tree;
    near_visit *visit;
    void *context;
    float at[3];  // the point, rounded
    double lost;  // m, at most lost by rounding
    float wide;   // m^2, of the reach with what rounding may lose; negative: the walk is over
};

void near_walk_narrow(near_walk *w, double reach)
{
    double wide = fmin(reach + w->lost, 1e18);
    w->wide = reach < 0.0 ? -1.0f : (float)(wide * wide * (1.0 + 4.0 * (double)FLT_EPSILON));
}

// The boxes within reach, the nearest first. Returns how many.
static int order_boxes(const float square[TREE_WIDTH], unsigned hits, int order[TREE_WIDTH])
{
    int count = 0;
    for (; hits != 0; hits &= hits - 1) {
        int k = __builtin_ctz(hits), at = count++;
        for (; at > 0 && square[order[at - 1]] > square[k]; --at) order[at] = order[at - 1];
        order[at] = k;
    }
    return count;
}

static void descend(near_walk *w, int level, int64_t node)
{
    float square[TREE_WIDTH];
    int order[TREE_WIDTH];
    unsigned hits = tree_box_squares(&w->tree->node[w->tree->first[level] + node], w->at, w->wide, square);
    int count = order_boxes(square, hits, order);
    for (int k = 0; k < count && square[order[k]] <= w->wide; ++k) {
        int64_t child = TREE_WIDTH * node + order[k];
        if (level > 0) descend(w, level - 1, child);
        else w->visit(w->context, w->tree->triangle[child], w);
    }
}

void near_walk_run(const mesh_tree *tree, scr_vec3 point, double reach, near_visit *visit, void *context)
{
    near_walk w = {.tree = tree,
                   .visit = visit,
                   .context = context,
                   .at = {(float)point.x, (float)point.y, (float)point.z},
                   .lost = 2.0 * (double)FLT_EPSILON * (fabs(point.x) + fabs(point.y) + fabs(point.z))};
    near_walk_narrow(&w, reach);
    if (tree->count > 0) descend(&w, tree->levels - 1, 0);
}
