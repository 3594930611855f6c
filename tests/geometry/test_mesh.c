// SPDX-License-Identifier: BSD-3-Clause
// Meshes: closed or not, what they weigh, how their triangles hang together; the tree against looking at all of them.
#include "check.h"

#include <stdlib.h>
#include <string.h>

#include "core/maths/rng.h"
#include "geometry/made_mesh.h"
#include "geometry/shape/placed_shape.h"
#include "geometry/surface/heightfield.h"
#include "geometry/surface/surface_query.h"
#include "geometry/surface/surfaces.h"

static double uniform(uint64_t index, double low, double high)
{
    return low + (high - low) * scr_uniform(11, 3, index);
}

// A torus about z, of n x n quads.
static void fill_torus(made_mesh *m, int n, double major, double minor)
{
    clear_mesh(m);
    for (int k = 0; k < n * n; ++k) {
        double a = 2.0 * M_PI * (k % n) / n, b = 2.0 * M_PI * (k / n) / n, r = major + minor * cos(b);
        add_spot(m, vec3(r * cos(a), r * sin(a), minor * sin(b)));
    }
    for (int k = 0; k < n * n; ++k) {
        int i = k % n, j = k / n, i2 = (i + 1) % n, j2 = (j + 1) % n;
        add_face(m, j * n + i, j * n + i2, j2 * n + i2);
        add_face(m, j * n + i, j2 * n + i2, j2 * n + i);
    }
}

static const shape_surface *add_mesh(surfaces *all, const made_mesh *m)
{
    scr_triangles t = triangles_of(m);
    scr_error error = {0};
    if (surfaces_add_mesh(all, &t, &error) != SCR_OK) fail_msg("%s", error.message);
    return &all->item[all->item_count - 1];
}

static void assert_refused(const made_mesh *m, const char *message)
{
    surfaces all;
    scr_triangles t = triangles_of(m);
    scr_error error = {0};
    surfaces_init(&all);
    assert_int_equal(surfaces_add_mesh(&all, &t, &error), SCR_BAD_INPUT);
    if (strstr(error.message, message) == NULL) fail_msg("\"%s\" does not say \"%s\"", error.message, message);
    assert_int_equal(all.item_count, 0);
    surfaces_free(&all);
}

static made_mesh m;  // large: not on the stack

static void a_box_of_triangles_weighs_what_a_box_does(void **state)
{
    (void)state;
    const scr_vec3 half = {0.3, 0.2, 0.5}, at = {1000.0, -20.0, 3.0};
    surfaces all;
    surfaces_init(&all);
    clear_mesh(&m);
    add_block(&m, at, half);
    const shape_surface *s = add_mesh(&all, &m);
    assert_true(s->mesh->closed);
    assert_near(s->volume, 8.0 * half.x * half.y * half.z, 1e-12);
    assert_within(vec3_norm(vec3_sub(s->centre, at)), 0.0, 1e-11);
    scr_shape box = scr_box(half, (scr_material){1}), mesh_shape = {.kind = SCR_MESH, .rotation = QUAT_IDENTITY};
    mass_properties as_box = shape_mass_properties(&box, NULL, 2500.0),
                    as_mesh = shape_mass_properties(&mesh_shape, s, 2500.0);
    assert_near(as_mesh.mass, as_box.mass, 1e-12);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            assert_within(as_mesh.inertia.m[i][j], as_box.inertia.m[i][j], 1e-10 * as_box.inertia.m[0][0]);
    surfaces_free(&all);
}

// Volume 2 pi^2 R r^2 and Iz = (R^2 + 3/4 r^2) of a torus, which triangles inside it approach with
// the square of their size.
static void a_torus_converges_to_its_closed_form(void **state)
{
    (void)state;
    const double major = 1.0, minor = 0.3, volume = 2.0 * M_PI * M_PI * major * minor * minor,
                 iz = major * major + 0.75 * minor * minor;
    double error[2], error_of_iz[2];
    for (int k = 0; k < 2; ++k) {
        surfaces all;
        surfaces_init(&all);
        fill_torus(&m, 30 << k, major, minor);
        const shape_surface *s = add_mesh(&all, &m);
        assert_true(s->mesh->closed);
        error[k] = volume - s->volume;
        error_of_iz[k] = iz - s->inertia.m[2][2];
        surfaces_free(&all);
    }
    assert_within(error[0] / error[1], 4.0, 0.1);
    assert_within(error_of_iz[0] / error_of_iz[1], 4.0, 0.1);
    assert_within(error[1] / volume, 0.0, 0.01);
}

static void solids_given_inside_out_are_turned(void **state)
{
    (void)state;
    surfaces all;
    surfaces_init(&all);
    clear_mesh(&m);
    add_block(&m, vec3(0.0, 0.0, 0.0), vec3(1.0, 1.0, 1.0));
    for (int64_t k = 0; k < m.triangle_count; ++k) {
        int32_t *t = m.triangle + 3 * k, swapped = t[0];
        t[0] = t[1], t[1] = swapped;
    }
    const shape_surface *s = add_mesh(&all, &m);
    assert_true(s->mesh->closed);
    assert_near(s->volume, 8.0, 1e-14);
    assert_near(triangles_solid(&s->triangles).volume, 8.0, 1e-14);
    surfaces_free(&all);
}

static void sheets_bad_triangles_and_two_sides_of_nothing(void **state)
{
    (void)state;
    surfaces all;
    surfaces_init(&all);
    clear_mesh(&m);
    add_block(&m, vec3(0.0, 0.0, 0.0), vec3(1.0, 1.0, 1.0));
    add_face(&m, 3, 3, 5);  // no triangle at all: left out
    assert_int_equal(add_mesh(&all, &m)->triangles.triangle_count, 12);
    assert_true(all.item[0].mesh->closed);
    m.triangle_count -= 2;  // a side is open
    assert_false(add_mesh(&all, &m)->mesh->closed);
    assert_true(all.item[1].volume == 0.0);

    m.vertex_count = 4,
    m.triangle_count = 0;  // two triangles back to back: every edge is paired, but nothing is inside
    m.vertex[3] = vec3(0.5, 0.5, 0.5);
    add_face(&m, 0, 1, 2), add_face(&m, 0, 2, 1);
    assert_false(add_mesh(&all, &m)->mesh->closed);

    m.triangle_count = 0;  // a flat one beside a good one is kept for its neighbours, but nothing can touch it
    m.vertex[0] = vec3(0.0, 0.0, 0.0), m.vertex[1] = vec3(1.0, 0.0, 0.0), m.vertex[2] = vec3(2.0, 0.0, 0.0),
    m.vertex[3] = vec3(0.0, 1.0, 0.0);
    add_face(&m, 0, 1, 3), add_face(&m, 0, 1, 2);
    assert_int_equal(add_mesh(&all, &m)->mesh->tree.count, 1);
    surfaces_free(&all);

    m.triangle_count = 0;
    add_face(&m, 0, 1, 2);
    assert_refused(&m, "no triangle of the mesh has an area");
    m.triangle_count = 0;
    assert_refused(&m, "at least one triangle");
    add_face(&m, 0, 1, 4);
    assert_refused(&m, "triangle 0 refers to vertex 4, but there are 4");
    m.triangle[2] = 3;
    m.vertex[1].y = NAN;
    assert_refused(&m, "vertex 1 is at (1, nan, 0)");
}

// Rings and fans by looking at all pairs of edges and corners.
static void rings_and_fans_are_those_of_all_pairs(void **state)
{
    (void)state;
    surfaces all;
    surfaces_init(&all);
    fill_torus(&m, 8, 1.0, 0.4);
    m.triangle_count -= 5;                           // with a hole
    add_face(&m, m.triangle[0], m.triangle[1], 37);  // and a fin: three triangles at an edge
    const shape_surface *s = add_mesh(&all, &m);
    for (int32_t e = 0; e < 3 * m.triangle_count; ++e) {
        int32_t a = m.triangle[e], b = m.triangle[3 * (e / 3) + (e % 3 + 1) % 3];
        int shared = 0, in_ring = 0;
        for (int32_t o = 0; o < 3 * m.triangle_count; ++o) {
            int32_t c = m.triangle[o], d = m.triangle[3 * (o / 3) + (o % 3 + 1) % 3];
            shared += (a == c && b == d) || (a == d && b == c);
        }
        int32_t o = e;
        do ++in_ring, o = surface_next_edge(s, o);
        while (o != e && in_ring < 10);
        assert_int_equal(in_ring, shared);
    }
    for (int32_t v = 0; v < m.vertex_count; ++v) {
        int32_t room[HEIGHTFIELD_FAN];
        const int32_t *corner;
        int count = surface_fan(s, v, room, &corner), expected = 0;
        for (int32_t k = 0; k < 3 * m.triangle_count; ++k) expected += m.triangle[k] == v;
        assert_int_equal(count, expected);
        for (int k = 0; k < count; ++k) assert_int_equal(m.triangle[corner[k]], v);
    }
    surfaces_free(&all);
}

// A heightfield computes what a mesh of the same triangles stores.
static void heightfields_hang_together_as_the_same_mesh_does(void **state)
{
    (void)state;
    enum { NX = 7, NY = 5 };
    double height[NX * NY];
    for (int k = 0; k < NX * NY; ++k) height[k] = uniform((uint64_t)k, -0.2, 0.2);
    scr_heights given = {{NX, NY}, {0.3, 0.4}, height};
    surfaces all;
    surfaces_init(&all);
    assert_int_equal(surfaces_add_heightfield(&all, &given, NULL), SCR_OK);
    scr_triangles t = all.item[0].triangles;
    m.vertex_count = t.vertex_count, m.triangle_count = t.triangle_count;
    memcpy(m.vertex, t.vertex, (size_t)t.vertex_count * sizeof *t.vertex);
    memcpy(m.triangle, t.triangle, 3 * (size_t)t.triangle_count * sizeof *t.triangle);
    add_mesh(&all, &m);
    const shape_surface *field = &all.item[0], *same = &all.item[1];
    for (int32_t e = 0; e < 3 * m.triangle_count; ++e)
        assert_int_equal(surface_next_edge(field, e), surface_next_edge(same, e));
    for (int32_t v = 0; v < m.vertex_count; ++v) {
        int32_t room[HEIGHTFIELD_FAN];
        const int32_t *a, *b;
        int count = surface_fan(field, v, room, &a);
        assert_int_equal(count, surface_fan(same, v, NULL, &b));
        for (int k = 0; k < count; ++k) assert_int_equal(a[k], b[k]);
    }
    for (int k = 0; k < 500; ++k) {
        double x = uniform(1000 + 2 * (uint64_t)k, -1.1, 1.1), y = uniform(1001 + 2 * (uint64_t)k, -1.0, 1.0);
        int32_t over = heightfield_triangle_at(field, x, y);
        assert_int_equal(over >= 0, fabs(x) <= 0.9 && fabs(y) <= 0.8);
        if (over < 0) continue;
        triangle3 c = triangle_corners(&field->triangles, over);
        for (int e = 0; e < 3; ++e) {
            scr_vec3 from = c.corner[e], to = c.corner[next_corner(e)];
            assert_true((to.x - from.x) * (y - from.y) - (to.y - from.y) * (x - from.x) >= -1e-12);
        }
    }
    surfaces_free(&all);
}

typedef struct hits {
    uint8_t hit[FACES_MAX];
    int count;
} hits;

static bool note(void *context, int32_t triangle)
{
    hits *h = context;
    assert_false(h->hit[triangle]);  // none twice
    h->hit[triangle] = 1;
    ++h->count;
    return true;
}

static bool boxes_overlap(const triangle3 *t, const scr_aabb *box, double slack)
{
    scr_vec3 low = t->corner[0], high = low;
    for (int k = 1; k < 3; ++k) {
        low = vec3(fmin(low.x, t->corner[k].x), fmin(low.y, t->corner[k].y), fmin(low.z, t->corner[k].z));
        high = vec3(fmax(high.x, t->corner[k].x), fmax(high.y, t->corner[k].y), fmax(high.z, t->corner[k].z));
    }
    return low.x <= box->high.x + slack && high.x >= box->low.x - slack && low.y <= box->high.y + slack &&
           high.y >= box->low.y - slack && low.z <= box->high.z + slack && high.z >= box->low.z - slack;
}

static double distance_to_triangle(scr_vec3 p, const triangle3 *t)
{
    // The nearest point by minimising over barycentric coordinates on ever finer grids: a convex function.
    double u0 = 0.0, v0 = 0.0, size = 1.0, best = INFINITY;
    for (int level = 0; level < 60; ++level, size *= 0.6) {
        double bu = u0, bv = v0;
        for (int i = -3; i <= 3; ++i) {
            for (int j = -3; j <= 3; ++j) {
                double u = fmin(fmax(u0 + size * i / 3.0, 0.0), 1.0), v = fmin(fmax(v0 + size * j / 3.0, 0.0), 1.0 - u);
                scr_vec3 at = vec3_add_scaled(vec3_add_scaled(vec3_scale(1.0 - u - v, t->corner[0]), u, t->corner[1]),
                                              v, t->corner[2]);
                double d = vec3_norm(vec3_sub(at, p));
                if (d < best) best = d, bu = u, bv = v;
            }
        }
        u0 = bu, v0 = bv;
    }
    return best;
}

static void the_tree_finds_what_looking_at_all_does(void **state)
{
    (void)state;
    static hits found;
    surfaces all;
    surfaces_init(&all);
    fill_torus(&m, 40, 1.0, 0.3);
    for (int k = 0; k < 200; ++k) {  // and long ones across
        int32_t a = add_spot(&m, vec3(uniform(9 * (uint64_t)k, -1, 1), uniform(9 * (uint64_t)k + 1, -1, 1),
                                      uniform(9 * (uint64_t)k + 2, -1, 1)));
        add_face(&m, a, (int32_t)(k * 7 % 1600), (int32_t)(k * 13 % 1600 == k * 7 % 1600 ? 0 : k * 13 % 1600));
    }
    const shape_surface *s = add_mesh(&all, &m);
    for (uint64_t k = 0; k < 300; ++k) {
        scr_vec3 at =
            vec3(uniform(5000 + 4 * k, -1.5, 1.5), uniform(5001 + 4 * k, -1.5, 1.5), uniform(5002 + 4 * k, -0.6, 0.6));
        double size = k % 10 == 0 ? 3.0 : 0.2 * uniform(5003 + 4 * k, 0.0, 1.0);
        scr_aabb box = {vec3_sub(at, vec3(size, 0.5 * size, size)), vec3_add(at, vec3(size, size, 0.1 * size))};
        memset(&found, 0, sizeof found);
        surface_walk(s, &box, note, &found);
        double nearest = INFINITY;
        for (int64_t t = 0; t < s->triangles.triangle_count; ++t) {
            triangle3 c = triangle_corners(&s->triangles, t);
            if (boxes_overlap(&c, &box, 0.0)) assert_true(found.hit[t]);
            if (!boxes_overlap(&c, &box, 1e-6)) assert_false(found.hit[t]);
            if (k < 30) nearest = fmin(nearest, distance_to_triangle(at, &c));
        }
        if (k >= 30) continue;
        assert_true(surface_may_reach(s, at, 1.000001 * nearest));  // never too little
        if (nearest > 0.3) assert_false(surface_may_reach(s, at, 0.25 * nearest));
    }
    surfaces_free(&all);
}

// Every allocation made to fail.
static void running_out_of_memory_leaves_nothing(void **state)
{
    (void)state;
    fill_torus(&m, 8, 1.0, 0.4);
    scr_triangles t = triangles_of(&m);
    scr_status status = SCR_NO_MEMORY;
    int failures = 0;
    for (; status != SCR_OK; ++failures) {
        surfaces all;
        surfaces_init(&all);
        scr_fail_allocation_in(failures);
        status = surfaces_add_mesh(&all, &t, NULL);
        scr_fail_allocation_in(-1);
        assert_true(status == SCR_OK || (status == SCR_NO_MEMORY && all.item_count == 0 && all.table.count == 0));
        surfaces_free(&all);
    }
    assert_true(failures > 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_of_triangles_weighs_what_a_box_does),
        cmocka_unit_test(a_torus_converges_to_its_closed_form),
        cmocka_unit_test(solids_given_inside_out_are_turned),
        cmocka_unit_test(sheets_bad_triangles_and_two_sides_of_nothing),
        cmocka_unit_test(rings_and_fans_are_those_of_all_pairs),
        cmocka_unit_test(heightfields_hang_together_as_the_same_mesh_does),
        cmocka_unit_test(the_tree_finds_what_looking_at_all_does),
        cmocka_unit_test(running_out_of_memory_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
