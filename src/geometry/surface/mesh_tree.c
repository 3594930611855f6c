// SPDX-License-Identifier: BSD-3-Clause
#include "geometry/surface/mesh_tree.h"

#include <float.h>
#include <string.h>

#include "core/arrays/radix_sort.h"
#include "core/maths/hilbert.h"
#include "geometry/surface/four_lanes.h"

// The next float below or above v. Values are within the limits of coordinates, so there is always one.
static float rounded_down(double v)
{
    float f = (float)v;
    return (double)f <= v ? f : f - fabsf(f) * FLT_EPSILON - FLT_MIN;
}
static float rounded_up(double v) { return -rounded_down(-v); }

scr_aabb triangle_box(const triangle3 *t)
{
    scr_aabb box = {t->corner[0], t->corner[0]};
    for (int m = 1; m < 3; ++m) {
        scr_vec3 v = t->corner[m];
        box.low = vec3(fmin(box.low.x, v.x), fmin(box.low.y, v.y), fmin(box.low.z, v.z));
        box.high = vec3(fmax(box.high.x, v.x), fmax(box.high.y, v.y), fmax(box.high.z, v.z));
    }
    return box;
}

static scr_aabb box_of_points(const scr_triangles *t)
{
    scr_aabb box = {t->vertex[0], t->vertex[0]};
    for (int64_t k = 1; k < t->vertex_count; ++k) {
        scr_vec3 v = t->vertex[k];
        box.low = vec3(fmin(box.low.x, v.x), fmin(box.low.y, v.y), fmin(box.low.z, v.z));
        box.high = vec3(fmax(box.high.x, v.x), fmax(box.high.y, v.y), fmax(box.high.z, v.z));
    }
    return box;
}

static uint64_t key_on_curve(const scr_aabb *all, double cells_per_m, const scr_aabb *box)
{
    const double at[3] = {0.5 * (box->low.x + box->high.x) - all->low.x, 0.5 * (box->low.y + box->high.y) - all->low.y,
                          0.5 * (box->low.z + box->high.z) - all->low.z};
    uint32_t cell[3];
    for (int axis = 0; axis < 3; ++axis)
        cell[axis] = (uint32_t)fmin(fmax(at[axis] * cells_per_m, 0.0), (1 << HILBERT_BITS) - 1);
    return hilbert_index(cell);
}

// The items along the curve.
static void order_items(const scr_aabb *all, const boxed_items *items, uint64_t *key, uint32_t *order, scr_arena arena)
{
    double extent = fmax(all->high.x - all->low.x, fmax(all->high.y - all->low.y, all->high.z - all->low.z));
    double cells_per_m = extent > 0.0 ? (1 << HILBERT_BITS) / extent : 0.0;
    for (int64_t k = 0; k < items->count; ++k) {
        key[k] = key_on_curve(all, cells_per_m, &items->box[k]);
        order[k] = (uint32_t)k;
    }
    scr_radix_sort(key, order, items->count, 3 * HILBERT_BITS, arena, 1);
}

static void lay_out_levels(mesh_tree *tree)
{
    int64_t length = tree->count, first = 0;
    tree->levels = 0;
    do {
        length = (length + TREE_WIDTH - 1) / TREE_WIDTH;
        tree->first[tree->levels] = first;
        tree->length[tree->levels++] = length;
        first += length;
    } while (length > 1);
}

static void clear_node(tree_node *node)
{
    for (int axis = 0; axis < 3; ++axis) {
        for (int k = 0; k < TREE_WIDTH; ++k) node->low[axis][k] = FLT_MAX, node->high[axis][k] = -FLT_MAX;
    }
}

static void fill_lowest_level(mesh_tree *tree, const scr_aabb *boxes, const uint32_t *order)
{
    for (int64_t k = 0; k < tree->count; ++k) {
        tree_node *node = &tree->node[k / TREE_WIDTH];
        int at = (int)(k % TREE_WIDTH);
        if (at == 0) clear_node(node);
        scr_aabb box = boxes[order[k]];
        const double low[3] = {box.low.x, box.low.y, box.low.z}, high[3] = {box.high.x, box.high.y, box.high.z};
        for (int axis = 0; axis < 3; ++axis) {
            node->low[axis][at] = rounded_down(low[axis]);
            node->high[axis][at] = rounded_up(high[axis]);
        }
    }
}

static void fill_level(mesh_tree *tree, int level)
{
    const tree_node *below = tree->node + tree->first[level - 1];
    for (int64_t k = 0; k < tree->length[level - 1]; ++k) {
        tree_node *node = &tree->node[tree->first[level] + k / TREE_WIDTH];
        int at = (int)(k % TREE_WIDTH);
        if (at == 0) clear_node(node);
        for (int axis = 0; axis < 3; ++axis) {
            float low = below[k].low[axis][0], high = below[k].high[axis][0];
            for (int m = 1; m < TREE_WIDTH; ++m) {
                low = below[k].low[axis][m] < low ? below[k].low[axis][m] : low;
                high = below[k].high[axis][m] > high ? below[k].high[axis][m] : high;
            }
            node->low[axis][at] = low;
            node->high[axis][at] = high;
        }
    }
}

scr_status mesh_tree_of_boxes(const scr_aabb *all, const boxed_items *items, mesh_tree *tree, scr_error *error)
{
    int64_t n = items->count, capacity = 0;
    scr_arena scratch = {0};
    *tree = (mesh_tree){0};
    if (n == 0) return SCR_OK;
    scr_status status = scr_arena_reserve(
        &scratch, scr_arena_bytes(sizeof(uint64_t), n) + scr_arena_bytes(sizeof(uint32_t), n) + scr_radix_sort_bytes(n),
        "a tree of boxes", error);
    if (status == SCR_OK)
        status = scr_grow(&tree->triangle, &capacity, n, sizeof *tree->triangle, "a tree of boxes", error);
    if (status != SCR_OK) goto done;
    scr_arena arena = scratch;
    uint64_t *key = scr_arena_array(&arena, sizeof *key, n);
    uint32_t *order = scr_arena_array(&arena, sizeof *order, n);
    order_items(all, items, key, order, arena);
    tree->count = n;
    for (int64_t k = 0; k < n; ++k) tree->triangle[k] = items->item[order[k]];
    lay_out_levels(tree);
    capacity = 0;
    status = scr_grow(&tree->node, &capacity, tree->first[tree->levels - 1] + 1, sizeof *tree->node, "a tree of boxes",
                      error);
    if (status != SCR_OK) goto done;
    fill_lowest_level(tree, items->box, order);
    for (int level = 1; level < tree->levels; ++level) fill_level(tree, level);
done:
    scr_arena_free(&scratch);
    if (status != SCR_OK) mesh_tree_free(tree);
    return status;
}

scr_status mesh_tree_build(const scr_triangles *t, mesh_tree *tree, scr_error *error)
{
    int64_t n = t->triangle_count;
    scr_arena scratch = {0};
    *tree = (mesh_tree){0};
    scr_status status = scr_arena_reserve(
        &scratch, scr_arena_bytes(sizeof(scr_aabb), n) + scr_arena_bytes(sizeof(int32_t), n), "a mesh's tree", error);
    if (status == SCR_OK) {
        scr_arena arena = scratch;
        scr_aabb *box = scr_arena_array(&arena, sizeof *box, n), all = box_of_points(t);
        int32_t *item = scr_arena_array(&arena, sizeof *item, n);
        int64_t count = 0;
        for (int64_t k = 0; k < n; ++k) {
            triangle3 c = triangle_corners(t, k);
            if (triangle_is_flat(&c)) continue;
            box[count] = triangle_box(&c);
            item[count++] = (int32_t)k;
        }
        status = mesh_tree_of_boxes(&all, &(boxed_items){count, box, item}, tree, error);
    }
    scr_arena_free(&scratch);
    return status;
}

void mesh_tree_free(mesh_tree *tree)
{
    scr_free(tree->node);
    scr_free(tree->triangle);
    *tree = (mesh_tree){0};
}

typedef struct walk {
    const mesh_tree *tree;
    tree_test *test;
    const void *test_context;
    tree_visit *visit;
    void *visit_context;
} walk;

static bool walk_node(const walk *w, int level, int64_t k)
{
    unsigned hits = w->test(w->test_context, &w->tree->node[w->tree->first[level] + k]);
    for (; hits != 0; hits &= hits - 1) {
        int64_t child = TREE_WIDTH * k + __builtin_ctz(hits);
        bool go_on = level > 0 ? walk_node(w, level - 1, child) : w->visit(w->visit_context, w->tree->triangle[child]);
        if (!go_on) return false;
    }
    return true;
}

void mesh_tree_walk(const mesh_tree *tree, tree_test *test, const void *test_context, tree_visit *visit,
                    void *visit_context)
{
    walk w = {tree, test, test_context, visit, visit_context};
    if (tree->count > 0) walk_node(&w, tree->levels - 1, 0);
}

// A box may be that of something unbounded; it is cut where no triangle can be.
box_test box_test_of(const scr_aabb *box)
{
    const double far = 1e10, low[3] = {box->low.x, box->low.y, box->low.z},
                 high[3] = {box->high.x, box->high.y, box->high.z};
    box_test test;
    for (int axis = 0; axis < 3; ++axis) {
        test.low[axis] = rounded_down(fmin(fmax(low[axis], -far), far));
        test.high[axis] = rounded_up(fmin(fmax(high[axis], -far), far));
    }
    return test;
}

unsigned tree_overlaps_box(const void *context, const tree_node *node)
{
    const box_test *b = context;
    int32_t meets[TREE_WIDTH];
    for (int k = 0; k < TREE_WIDTH; ++k)
        meets[k] = (node->low[0][k] <= b->high[0]) & (node->high[0][k] >= b->low[0]) & (node->low[1][k] <= b->high[1]) &
                   (node->high[1][k] >= b->low[1]) & (node->low[2][k] <= b->high[2]) & (node->high[2][k] >= b->low[2]);
    unsigned hits = 0;
    for (int k = 0; k < TREE_WIDTH; ++k) hits |= (unsigned)meets[k] << k;
    return hits;
}

// Wider by what single precision may lose of the centre and of the sum of squares.
static const double LARGEST_BALL = 1e18;  // m; an infinite one would meet the boxes that are none

ball_test ball_test_of(scr_vec3 centre, double radius)
{
    radius = fmin(radius, LARGEST_BALL);
    double lost = 4.0 * (double)FLT_EPSILON * (fabs(centre.x) + fabs(centre.y) + fabs(centre.z) + radius),
           wide = radius + lost;
    return (ball_test){{(float)centre.x, (float)centre.y, (float)centre.z}, rounded_up(wide * wide)};
}

// The squares of the distances of a point from four boxes of a node.
static inline four squares_from(const tree_node *node, int first, const float at[3])
{
    four square = four_of(0.0f);
    for (int axis = 0; axis < 3; ++axis) {
        four point = four_of(at[axis]);
        four under = load_four(node->low[axis] + first) - point, over = point - load_four(node->high[axis] + first);
        four out = larger(larger(under, over), four_of(0.0f));
        square += out * out;
    }
    return square;
}

unsigned tree_overlaps_ball(const void *context, const tree_node *node)
{
    const ball_test *b = context;
    unsigned hits = 0;
    for (int first = 0; first < TREE_WIDTH; first += FOUR)
        hits |= bits_of(squares_from(node, first, b->centre) <= four_of(b->square)) << first;
    return hits;
}

unsigned tree_box_squares(const tree_node *node, const float at[3], float wide, float square[TREE_WIDTH])
{
    unsigned hits = 0;
    for (int first = 0; first < TREE_WIDTH; first += FOUR) {
        four squares = squares_from(node, first, at);
        memcpy(square + first, &squares, sizeof squares);
        hits |= bits_of(squares <= four_of(wide)) << first;
    }
    return hits;
}

unsigned tree_below_slope(const void *context, const tree_node *node)
{
    const slope_test *s = context;
    const double d[3] = {s->direction.x, s->direction.y, s->direction.z};
    unsigned hits = 0;
    for (int k = 0; k < TREE_WIDTH; ++k) {
        double lowest = 0.0;
        for (int axis = 0; axis < 3; ++axis)
            lowest += d[axis] * (double)(d[axis] > 0.0 ? node->low[axis][k] : node->high[axis][k]);
        hits |= (unsigned)(node->low[0][k] <= node->high[0][k] && lowest < s->below) << k;
    }
    return hits;
}

static bool ray_hits_box(const ray_test *r, const tree_node *node, int k)
{
    double enter = 0.0, leave = r->length;
    for (int axis = 0; axis < 3; ++axis) {
        double low = (double)node->low[axis][k], high = (double)node->high[axis][k], o = r->origin[axis],
               d = r->direction[axis];
        if (!(low <= high) || (d == 0.0 && (o < low || o > high))) return false;
        if (d == 0.0) continue;
        double first = ((d > 0.0 ? low : high) - o) / d, last = ((d > 0.0 ? high : low) - o) / d;
        enter = fmax(enter, first);
        leave = fmin(leave, last);
    }
    return enter <= leave;
}

unsigned tree_hits_ray(const void *context, const tree_node *node)
{
    unsigned hits = 0;
    for (int k = 0; k < TREE_WIDTH; ++k) hits |= (unsigned)ray_hits_box(context, node, k) << k;
    return hits;
}
