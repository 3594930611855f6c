// SPDX-License-Identifier: BSD-3-Clause
#include "collision/query/shape_tree.h"

#include <math.h>

void shape_tree_free(shape_tree *t)
{
    mesh_tree_free(&t->tree);
    scr_free(t->shape);
    scr_free(t->unbounded);
    *t = (shape_tree){0};
}

static bool is_bounded(const scr_aabb *box) { return vec3_is_finite(box->low) && vec3_is_finite(box->high); }

// Two opposite corners, and a third that keeps it from being a line: along the longest edge of the box.
static void span_box(const scr_aabb *box, scr_vec3 corner[3])
{
    scr_vec3 edge = vec3_sub(box->high, box->low);
    corner[0] = box->low, corner[1] = box->high, corner[2] = box->low;
    if (edge.x >= edge.y && edge.x >= edge.z) corner[2].x = box->high.x;
    else if (edge.y >= edge.z) corner[2].y = box->high.y;
    else corner[2].z = box->high.z;
}

// A sheet in a plane of the axes has a box without thickness; a needle would have no area.
static scr_aabb with_thickness(scr_aabb box)
{
    double size = 1e-9 * (vec3_norm(vec3_sub(box.high, box.low)) + vec3_norm(box.low));
    scr_vec3 more = vec3(size, size, size);
    return (scr_aabb){vec3_sub(box.low, more), vec3_add(box.high, more)};
}

scr_status shape_tree_build(shape_tree *t, shape_at *at, const void *owner, int64_t count, scr_error *error)
{
    scr_vec3 *corner = NULL;
    int32_t *number = NULL;
    shape_tree_free(t);
    scr_status status = scr_make_zeros(&t->shape, count, sizeof *t->shape, "the tree of shapes", error);
    if (status == SCR_OK)
        status = scr_make_zeros(&t->unbounded, count, sizeof *t->unbounded, "the tree of shapes", error);
    if (status == SCR_OK) status = scr_make_zeros(&corner, 3 * count, sizeof *corner, "the tree of shapes", error);
    if (status == SCR_OK) status = scr_make_zeros(&number, 3 * count, sizeof *number, "the tree of shapes", error);
    for (int64_t k = 0; k < count && status == SCR_OK; ++k) {
        placed_shape shape = at(owner, k);
        scr_aabb box = placed_aabb(&shape);
        if (is_bounded(&box)) {
            box = with_thickness(box);
            span_box(&box, corner + 3 * t->bounded_count);
            t->shape[t->bounded_count++] = (int32_t)k;
        } else {
            t->unbounded[t->unbounded_count++] = (int32_t)k;
        }
    }
    for (int64_t k = 0; k < 3 * count && status == SCR_OK; ++k) number[k] = (int32_t)k;
    scr_triangles spans = {3 * t->bounded_count, t->bounded_count, corner, number};
    if (status == SCR_OK && t->bounded_count > 0) status = mesh_tree_build(&spans, &t->tree, error);
    scr_free(corner);
    scr_free(number);
    if (status != SCR_OK) shape_tree_free(t);
    return status;
}

typedef struct tree_walk {
    const shape_tree *tree;
    shape_visit *visit;
    void *context;
} tree_walk;

static bool visit_bounded(void *context, int32_t triangle)
{
    const tree_walk *w = context;
    w->visit(w->context, w->tree->shape[triangle]);
    return true;
}

void shape_tree_walk(const shape_tree *t, tree_test *test, const void *test_context, shape_visit *visit, void *context)
{
    tree_walk w = {t, visit, context};
    for (int64_t k = 0; k < t->unbounded_count; ++k) visit(context, t->unbounded[k]);
    mesh_tree_walk(&t->tree, test, test_context, visit_bounded, &w);
}
