// SPDX-License-Identifier: BSD-3-Clause
// Meshes and heightfields against every kind of shape, against oracles that know nothing of triangles' neighbours.
//
// The distance of a convex shape and a mesh is the least over all triangles of a convex function of the place on the
// triangle: how far a point is from the shape, which the narrow phase tells for a tiny sphere and which other tests
// check. It is minimised on ever finer grids.
#include "check.h"

#include <stdlib.h>
#include <string.h>

#include "collision/convex/narrow_convex.h"
#include "collision/narrow_shapes.h"
#include "collision/surface/narrow_surface.h"
#include "geometry/made_mesh.h"
#include "geometry/surface/surface_query.h"
#include "geometry/surface/surfaces.h"

// A ball of 2 n (n - 1) triangles with bumps.
static void fill_bumpy(made_mesh *m, int n, double bumps)
{
    clear_mesh(m);
    int32_t south = add_spot(m, vec3(0.0, 0.0, -1.0)), north = add_spot(m, vec3(0.0, 0.0, 1.0));
    for (int k = 0; k < n * (n - 1); ++k) {
        double up = -M_PI / 2 + M_PI * (k / n + 1) / n, round = 2.0 * M_PI * (k % n) / n,
               r = 1.0 + bumps * (scr_uniform(1, 2, (uint64_t)k) - 0.5);
        add_spot(m, vec3(r * cos(up) * cos(round), r * cos(up) * sin(round), r * sin(up)));
    }
    for (int j = 0; j < n; ++j) {
        int k = (j + 1) % n;
        add_face(m, south, 2 + k, 2 + j);
        add_face(m, north, 2 + (n - 2) * n + j, 2 + (n - 2) * n + k);
        for (int i = 0; i + 2 < n; ++i) {
            int32_t a = 2 + i * n + j, b = 2 + i * n + k, c = b + n, d = a + n;
            add_face(m, a, b, c), add_face(m, a, c, d);
        }
    }
}

static void fill_box(made_mesh *m, scr_vec3 half)
{
    clear_mesh(m);
    add_block(m, vec3(0.0, 0.0, 0.0), half);
}

// A sheet of 2 n^2 triangles over [-1, 1]^2.
static void fill_sheet(made_mesh *m, int n, double bumps)
{
    clear_mesh(m);
    for (int k = 0; k < (n + 1) * (n + 1); ++k)
        add_spot(m, vec3(2.0 * (k % (n + 1)) / n - 1.0, 2.0 * (k / (n + 1)) / n - 1.0,
                         bumps * (scr_uniform(3, 2, (uint64_t)k) - 0.5)));
    for (int k = 0; k < n * n; ++k) {
        int32_t a = k / n * (n + 1) + k % n;
        add_face(m, a, a + 1, a + n + 2), add_face(m, a, a + n + 2, a + n + 1);
    }
}

static made_mesh m;

static int add_mesh(surfaces *all)
{
    scr_triangles t = triangles_of(&m);
    scr_error error = {0};
    if (surfaces_add_mesh(all, &t, &error) != SCR_OK) fail_msg("%s", error.message);
    return (int)all->item_count - 1;
}

static const shape_surface *add_mesh_item(surfaces *all)
{
    int at = add_mesh(all);
    return &all->item[at];
}

static placed_shape placed(const shape_surface *s, scr_vec3 position, scr_quat rotation)
{
    return (placed_shape){.kind = s->kind, .pose.position = position, .pose.rotation = rotation, .surface = s};
}

static contact_list list;

// The contacts, checked for what every contact set promises; the nearest is returned, gap = INFINITY if there is none.
static contact_point meet(const placed_shape *a, const placed_shape *b, double reach)
{
    contact_point nearest = {.gap = INFINITY};
    list.count = 0;
    narrow_surface(a, b, reach, &list);
    assert_false(list.out_of_memory);
    for (int64_t k = 0; k < list.count; ++k) {
        assert_true(list.point[k].gap < reach);
        assert_within(vec3_norm(list.point[k].normal), 1.0, 1e-12);
        if (k > 0) assert_true(list.point[k].feature > list.point[k - 1].feature);
        if (list.point[k].gap < nearest.gap) nearest = list.point[k];
        for (int64_t n = 0; n < k; ++n)  // none twice
            assert_false(vec3_norm(vec3_sub(list.point[k].point, list.point[n].point)) < 1e-9 &&
                         vec3_norm(vec3_sub(list.point[k].normal, list.point[n].normal)) < 1e-9);
    }
    return nearest;
}

static scr_vec3 on_triangle(const triangle3 *t, double u, double v)
{
    return vec3_add_scaled(vec3_add_scaled(vec3_scale(1.0 - u - v, t->corner[0]), u, t->corner[1]), v, t->corner[2]);
}

// From a point to a shape; negative inside.
static double point_distance(scr_vec3 point, const placed_shape *shape)
{
    const double tiny = 1e-7;
    placed_shape dot = make_sphere(point, tiny);
    contact_point out[MANIFOLD_MAX];
    return narrow_phase(&dot, shape, 1e9, out) > 0 ? out[0].gap + tiny : INFINITY;
}

static double triangle_distance(const triangle3 *t, const placed_shape *shape, double enough)
{
    double u0 = 1.0 / 3.0, v0 = 1.0 / 3.0, size = 1.0, best = point_distance(on_triangle(t, u0, v0), shape);
    double largest = 0.0;
    for (int k = 0; k < 3; ++k) largest = fmax(largest, vec3_norm(vec3_sub(t->corner[k], on_triangle(t, u0, v0))));
    if (best - largest > enough) return best;
    for (int level = 0; level < 50; ++level, size *= 0.65) {
        double bu = u0, bv = v0;
        for (int i = -2; i <= 2; ++i) {
            for (int j = -2; j <= 2; ++j) {
                double u = fmin(fmax(u0 + size * i / 2.0, 0.0), 1.0), v = fmin(fmax(v0 + size * j / 2.0, 0.0), 1.0 - u);
                double d = point_distance(on_triangle(t, u, v), shape);
                if (d < best) best = d, bu = u, bv = v;
            }
        }
        u0 = bu, v0 = bv;
    }
    return best;
}

// The least distance of a shape and all triangles of a placed surface; right where it is positive and below `enough`.
static double oracle_gap(const placed_shape *surface, const placed_shape *shape, double enough)
{
    double least = INFINITY;
    for (int64_t k = 0; k < surface->surface->triangles.triangle_count; ++k) {
        triangle3 t = triangle_corners(&surface->surface->triangles, k);
        for (int c = 0; c < 3; ++c) t.corner[c] = pose_apply(surface->pose, t.corner[c]);
        least = fmin(least, triangle_distance(&t, shape, fmin(least, enough)));
    }
    return least;
}

static placed_shape draw_shape(draws *d, scr_shape_kind kind, const shape_surface *lump, double room)
{
    placed_shape s = {.kind = kind,
                      .pose.position = draw_vector(d, room),
                      .pose.rotation = draw_rotation(d),
                      .radius = draw(d, 0.1, 0.3)};
    s.half = kind == SCR_BOX || kind == SCR_ELLIPSOID ? vec3(draw(d, 0.1, 0.4), draw(d, 0.1, 0.4), draw(d, 0.1, 0.4))
                                                      : vec3(s.radius, s.radius, draw(d, 0.1, 0.4));
    if (kind == SCR_HULL) s.surface = lump;
    return s;
}

static int add_hull(surfaces *all)
{
    draws d = {77, 0};
    scr_vec3 points[20];
    for (int k = 0; k < 20; ++k) points[k] = draw_vector(&d, 0.35);
    assert_int_equal(surfaces_add_hull(all, 20, points, NULL), SCR_OK);
    return (int)all->item_count - 1;
}

// Every convex kind near a bumpy solid, a bumpy sheet and a heightfield: the nearest contact is as near as it should
// be, between the two, and pushes them apart along the shortest way.
static void the_nearest_contact_is_the_least_distance(void **state)
{
    (void)state;
    enum { NX = 7, NY = 6 };
    double heights[NX * NY];
    for (int k = 0; k < NX * NY; ++k) heights[k] = 0.3 * (scr_uniform(5, 5, (uint64_t)k) - 0.5);
    scr_heights field = {{NX, NY}, {0.3, 0.35}, heights};
    surfaces all;
    surfaces_init(&all);
    fill_bumpy(&m, 6, 0.5);
    int solid = add_mesh(&all);
    fill_sheet(&m, 5, 0.4);
    int sheet = add_mesh(&all), lump = add_hull(&all);
    assert_int_equal(surfaces_add_heightfield(&all, &field, NULL), SCR_OK);
    const int on[3] = {solid, sheet, (int)all.item_count - 1};
    int compared = 0;
    for (scr_shape_kind kind = SCR_SPHERE; kind <= SCR_HULL; ++kind) {
        for (int k = 0; k < 45; ++k) {
            draws d = {1000 + 100 * (uint64_t)kind + (uint64_t)k, 0};
            motion move = {draw_rotation(&d), draw_vector(&d, 5.0)};
            placed_shape surface = placed(&all.item[on[k % 3]], vec3(0.0, 0.0, 0.0), QUAT_IDENTITY);
            placed_shape shape = draw_shape(&d, kind, &all.item[lump], 1.4);
            if (k % 3 == 2 && shape.pose.position.z < 0.0) shape.pose.position.z = -shape.pose.position.z;
            const double reach = 0.5;
            double expected = oracle_gap(&surface, &shape, reach);
            if (!(expected > 1e-6 && expected < 0.99 * reach)) continue;
            // Of those near the solid only the ones outside.
            if (k % 3 == 0 && vec3_norm(shape.pose.position) < 1.0) continue;
            if (k % 3 == 2 && (fabs(shape.pose.position.x) > 0.9 || fabs(shape.pose.position.y) > 0.87))
                continue;  // open at the border
            surface = moved(move, surface), shape = moved(move, shape);
            contact_point c = meet(&shape, &surface, reach);
            if (!isfinite(c.gap))
                fail_msg("kind %d, draw %d: no contact, but a distance of %g", (int)kind, k, expected);
            if (fabs(c.gap - expected) > 2e-7)
                fail_msg("kind %d, draw %d: gap %.12g, not %.12g", (int)kind, k, c.gap, expected);
            double left = point_distance(vec3_add_scaled(c.point, 0.5 * c.gap, c.normal), &shape);
            assert_within(left, c.gap, 1e-6);  // the touched point is as far from the shape as the contact says
            contact_point back = meet(&surface, &shape, reach);  // and the other way round
            assert_within(back.gap, c.gap, 1e-12);
            assert_within(vec3_norm(vec3_add(back.normal, c.normal)), 0.0, 1e-12);
            ++compared;
        }
    }
    assert_true(compared > 100);
    surfaces_free(&all);
}

// Solid angle of a closed mesh seen from a point, over 4 pi: 1 inside, 0 outside (van Oosterom and Strackee).
static double winding(const shape_surface *s, scr_vec3 p)
{
    double sum = 0.0;
    for (int64_t k = 0; k < s->triangles.triangle_count; ++k) {
        triangle3 t = triangle_corners(&s->triangles, k);
        scr_vec3 a = vec3_sub(t.corner[0], p), b = vec3_sub(t.corner[1], p), c = vec3_sub(t.corner[2], p);
        double la = vec3_norm(a), lb = vec3_norm(b), lc = vec3_norm(c);
        sum += 2.0 * atan2(vec3_dot(a, vec3_cross(b, c)),
                           la * lb * lc + vec3_dot(a, b) * lc + vec3_dot(b, c) * la + vec3_dot(c, a) * lb);
    }
    return sum / (4.0 * M_PI);
}

// A sphere anywhere near a bumpy solid: its centre's signed distance decides the gap, inside too.
static void a_sphere_knows_inside_from_outside(void **state)
{
    (void)state;
    surfaces all;
    surfaces_init(&all);
    fill_bumpy(&m, 10, 0.6);
    const shape_surface *s = add_mesh_item(&all);
    placed_shape solid = placed(s, vec3(0.0, 0.0, 0.0), QUAT_IDENTITY);
    int inside = 0;
    for (uint64_t k = 0; k < 300; ++k) {
        draws d = {k, 0};
        placed_shape ball = make_sphere(draw_vector(&d, 1.3), 0.25), dot = make_sphere(ball.pose.position, 1e-9);
        double distance = oracle_gap(&solid, &dot, 0.3) + 1e-9;
        if (distance > 0.26) continue;
        bool in = winding(s, ball.pose.position) > 0.5;
        contact_point c = meet(&ball, &solid, 0.02);
        double expected = (in ? -distance : distance) - 0.25;
        if (fabs(c.gap - expected) > 1e-6)
            fail_msg("draw %d: gap %g, not %g (%s)", (int)k, c.gap, expected, in ? "inside" : "outside");
        if (in) assert_int_equal(list.count, 1);
        // Moved out by its overlap it just touches what it came out of.
        scr_vec3 out = vec3_add_scaled(ball.pose.position, c.gap, c.normal);
        assert_true(
            oracle_gap(&solid,
                       &(placed_shape){
                           .kind = SCR_SPHERE, .pose.position = out, .pose.rotation = QUAT_IDENTITY, .radius = 1e-9},
                       0.3) < 0.25 + 1e-6);
        inside += in;
    }
    assert_true(inside > 30);
    surfaces_free(&all);
}

// Over a flat floor a shape without flat parts has one contact wherever it is, and it is the plane's.
static void flat_floors_are_planes(void **state)
{
    (void)state;
    const double zero[36] = {0.0};
    scr_heights flat = {{6, 6}, {0.4, 0.4}, zero};
    surfaces all;
    surfaces_init(&all);
    fill_sheet(&m, 7, 0.0);
    for (int64_t k = 0; k < m.vertex_count; ++k)
        if (fabs(m.vertex[k].x) < 0.99 && fabs(m.vertex[k].y) < 0.99) {
            m.vertex[k].x += 0.1 * (scr_uniform(9, 0, 2 * (uint64_t)k) - 0.5),
                m.vertex[k].y += 0.1 * (scr_uniform(9, 0, 2 * (uint64_t)k + 1) - 0.5);
        }
    int sheet = add_mesh(&all), lump = add_hull(&all);
    assert_int_equal(surfaces_add_heightfield(&all, &flat, NULL), SCR_OK);
    int field = (int)all.item_count - 1;
    fill_box(&m, vec3(1.0, 1.0, 0.5));
    int block = add_mesh(&all);
    const int floors[3] = {sheet, field, block};
    for (int f = 0; f < 3; ++f) {
        for (scr_shape_kind kind = SCR_SPHERE; kind <= SCR_HULL; ++kind) {
            for (uint64_t k = 0; k < 60; ++k) {
                draws d = {500 * (uint64_t)kind + k, 0};
                motion move = {draw_rotation(&d), draw_vector(&d, 3.0)};
                placed_shape shape = draw_shape(&d, kind, &all.item[lump], 0.2),
                             plane = make_plane(vec3(0.0, 0.0, 0.0), QUAT_IDENTITY);
                if (k % 2)
                    shape.pose.rotation = k % 4 == 1
                                              ? QUAT_IDENTITY
                                              : (scr_quat){sqrt(0.5), sqrt(0.5), 0.0, 0.0};  // flat, or on its side
                contact_point on_plane[MANIFOLD_MAX];
                scr_aabb box = placed_aabb(&shape);
                shape.pose.position.z += -box.low.z + draw(&d, -0.01, 0.02);
                const double reach = 0.021;
                int expected = narrow_phase(&shape, &plane, reach, on_plane);
                double lowest = INFINITY;
                for (int n = 0; n < expected; ++n) lowest = fmin(lowest, on_plane[n].gap);
                placed_shape ground = placed(&all.item[floors[f]], vec3(0.0, 0.0, f == 2 ? -0.5 : 0.0), QUAT_IDENTITY);
                ground = moved(move, ground), shape = moved(move, shape);
                contact_point c = meet(&shape, &ground, reach);
                if (fabs(c.gap - lowest) > 1e-7)
                    fail_msg("floor %d, kind %d, draw %d: gap %.10g, on a plane %.10g", f, (int)kind, (int)k, c.gap,
                             lowest);
                if (kind <= SCR_ELLIPSOID) assert_int_equal(list.count, 1);
                scr_vec3 down = quat_rotate(move.rotation, vec3(0.0, 0.0, -1.0));
                for (int64_t n = 0; n < list.count; ++n) {
                    double lean = vec3_norm(vec3_sub(list.point[n].normal, down));
                    if (lean > 1e-5)
                        fail_msg("floor %d, kind %d, draw %d: a normal leans by %g", f, (int)kind, (int)k, lean);
                }
            }
        }
    }
    surfaces_free(&all);
}

// A box of triangles and a box meet in the same gap and along the same normal.
static void a_box_of_triangles_meets_as_a_box_does(void **state)
{
    (void)state;
    surfaces all;
    surfaces_init(&all);
    fill_box(&m, vec3(0.5, 0.4, 0.3));
    int larger = add_mesh(&all);
    fill_box(&m, vec3(0.3, 0.3, 0.2));
    int smaller = add_mesh(&all);
    int compared = 0;
    for (uint64_t k = 0; k < 600; ++k) {
        draws d = {k, 0};
        placed_shape a = make_box(vec3(0.0, 0.0, 0.0), draw_rotation(&d), vec3(0.5, 0.4, 0.3));
        placed_shape b = make_box(draw_vector(&d, 1.0), draw_rotation(&d), vec3(0.3, 0.3, 0.2));
        contact_point out[MANIFOLD_MAX];
        int count = narrow_convex(&a, &b, 0.1, out);
        int nearest = 0;
        for (int n = 1; n < count; ++n) nearest = out[n].gap < out[nearest].gap ? n : nearest;
        double gap = count > 0 ? out[nearest].gap : INFINITY;
        if (!(gap > -0.01 && gap < 0.09)) continue;
        placed_shape mesh_a = placed(&all.item[larger], a.pose.position, a.pose.rotation),
                     mesh_b = placed(&all.item[smaller], b.pose.position, b.pose.rotation);
        contact_point one = meet(&mesh_a, &b, 0.1), both = meet(&mesh_a, &mesh_b, 0.1),
                      swapped = meet(&mesh_b, &mesh_a, 0.1);
        const contact_point *found[3] = {&one, &both, &swapped};
        for (int n = 0; n < 3; ++n) {
            // An overlap of corners may be cut short by another face of one triangle, never by much.
            double slack = gap < 0.0 ? 0.3 * fabs(gap) + 1e-6 : 1e-6;
            if (!(fabs(found[n]->gap - gap) <= slack))
                fail_msg("draw %d, way %d: gap %.10g, of boxes %.10g", (int)k, n, found[n]->gap, gap);
            scr_vec3 normal = n == 2 ? vec3_neg(found[n]->normal) : found[n]->normal;
            if (gap > 1e-3) assert_within(vec3_norm(vec3_sub(normal, out[nearest].normal)), 0.0, 1e-5);
        }
        ++compared;
    }
    assert_true(compared > 60);
    surfaces_free(&all);
}

static void convex_edges_are_felt_and_flat_ones_are_not(void **state)
{
    (void)state;
    surfaces all;
    surfaces_init(&all);
    fill_box(&m, vec3(1.0, 1.0, 1.0));
    placed_shape block = placed(add_mesh_item(&all), vec3(0.0, 0.0, 0.0), QUAT_IDENTITY);
    // Beyond an edge, beyond a corner, and over the diagonal of a side.
    placed_shape ball = make_sphere(vec3(1.1, 0.2, 1.1), 0.2);
    contact_point c = meet(&ball, &block, 0.01);
    assert_int_equal(list.count, 1);
    assert_near(c.gap, sqrt(0.02) - 0.2, 1e-14);
    assert_within(vec3_norm(vec3_add(c.normal, vec3(sqrt(0.5), 0.0, sqrt(0.5)))), 0.0, 1e-14);
    ball.pose.position = vec3(1.1, 1.1, 1.1);
    c = meet(&ball, &block, 0.01);
    assert_int_equal(list.count, 1);
    assert_near(c.gap, sqrt(0.03) - 0.2, 1e-14);
    uint32_t top = 0;
    for (int k = 0; k < 50; ++k) {  // along the diagonal and across it: one contact with one name
        ball.pose.position = vec3(0.03 * k - 0.7, 0.03 * k - 0.7 + 0.001 * (k % 3 - 1), 1.15);
        c = meet(&ball, &block, 0.01);
        assert_int_equal(list.count, 1);
        assert_near(c.gap, -0.05, 1e-12);
        assert_within(vec3_norm(vec3_add(c.normal, vec3(0.0, 0.0, 1.0))), 0.0, 1e-14);
        if (k > 0) assert_int_equal(c.feature, top);
        top = c.feature;
    }
    // A step between two blocks: floor and edge at once.
    ball.pose.position = vec3(0.0, 0.0, 1.19);
    fill_sheet(&m, 1, 0.0);
    for (int k = 0; k < 4; ++k) m.vertex[k] = vec3(0.19 + (k % 2), 2.0 * (k / 2) - 1.0, 1.19);
    placed_shape shelf = placed(add_mesh_item(&all), vec3(0.0, 0.0, 0.0), QUAT_IDENTITY);
    shelf.pose.position = shelf.surface->centre;
    c = meet(&ball, &shelf, 0.01);
    assert_int_equal(list.count, 1);
    assert_near(c.gap, -0.01, 1e-12);
    assert_near(c.normal.x, 1.0, 1e-12);
    surfaces_free(&all);
}

// From both sides a sheet pushes away; its border and its corners are felt.
static void sheets_have_two_sides(void **state)
{
    (void)state;
    surfaces all;
    surfaces_init(&all);
    fill_sheet(&m, 4, 0.0);
    placed_shape sheet = placed(add_mesh_item(&all), vec3(0.0, 0.0, 0.0), QUAT_IDENTITY);
    for (int side = -1; side <= 1; side += 2) {
        placed_shape ball = make_sphere(vec3(0.13, 0.21, 0.06 * side), 0.1);
        contact_point c = meet(&ball, &sheet, 0.01);
        assert_int_equal(list.count, 1);
        assert_near(c.gap, -0.04, 1e-12);
        assert_near(c.normal.z, -side, 1e-12);
        ball.pose.position = vec3(1.05, 0.21, 0.05 * side);
        c = meet(&ball, &sheet, 0.01);
        assert_int_equal(list.count, 1);
        assert_near(c.gap, sqrt(2.0) * 0.05 - 0.1, 1e-12);
    }
    surfaces_free(&all);
}

// Under the ground of a heightfield everything is lifted; beside it nothing is held.
static void heightfields_are_solid_below_and_open_at_the_border(void **state)
{
    (void)state;
    const double zero[9] = {0.0};
    scr_heights flat = {{3, 3}, {1.0, 1.0}, zero};
    surfaces all;
    surfaces_init(&all);
    int lump = add_hull(&all);
    assert_int_equal(surfaces_add_heightfield(&all, &flat, NULL), SCR_OK);
    placed_shape ground = placed(&all.item[all.item_count - 1], vec3(0.0, 0.0, 0.0), QUAT_IDENTITY);
    placed_shape plane = make_plane(vec3(0.0, 0.0, 0.0), QUAT_IDENTITY);
    draws d = {4, 0};
    for (scr_shape_kind kind = SCR_SPHERE; kind <= SCR_HULL; ++kind) {
        placed_shape shape = draw_shape(&d, kind, &all.item[lump], 0.3);
        for (int k = 0; k < 4; ++k) {
            shape.pose.position.z = k == 0 ? -0.05 : -1.5 * k;
            contact_point c = meet(&shape, &ground, 0.01), on_plane[MANIFOLD_MAX];
            int count = narrow_phase(&shape, &plane, 0.01, on_plane);
            double lowest = INFINITY;
            for (int n = 0; n < count; ++n) lowest = fmin(lowest, on_plane[n].gap);
            if (fabs(c.gap - lowest) > 1e-6)
                fail_msg("kind %d, %g m below: gap %g, not %g", (int)kind, -shape.pose.position.z, c.gap, lowest);
            assert_within(c.normal.z, -1.0, 1e-6);
        }
    }
    placed_shape ball = make_sphere(vec3(1.05, 0.0, -0.01), 0.1);
    meet(&ball, &ground, 0.01);
    assert_int_equal(list.count, 0);
    ball.pose.position.z = 0.05;
    meet(&ball, &ground, 0.01);
    assert_int_equal(list.count, 1);
    surfaces_free(&all);
}

// Above a plane a mesh touches with its vertices: those within reach, each once, none inside a flat side.
static void planes_meet_the_vertices_of_a_mesh(void **state)
{
    (void)state;
    surfaces all;
    surfaces_init(&all);
    fill_bumpy(&m, 12, 0.3);
    placed_shape ball = placed(add_mesh_item(&all), vec3(0.3, -2.0, 5.0), QUAT_IDENTITY);
    for (uint64_t k = 0; k < 50; ++k) {
        draws d = {k, 0};
        ball.pose.rotation = draw_rotation(&d);
        placed_shape plane = make_plane(draw_vector(&d, 1.0), draw_rotation(&d));
        scr_vec3 up = quat_rotate(plane.pose.rotation, vec3(0.0, 0.0, 1.0));
        ball.pose.position = vec3_add_scaled(plane.pose.position, 1.05, up);
        int expected = 0;
        double lowest = INFINITY;
        for (int64_t v = 0; v < ball.surface->triangles.vertex_count; ++v) {
            scr_vec3 at = pose_apply(ball.pose, ball.surface->triangles.vertex[v]);
            double height = vec3_dot(up, vec3_sub(at, plane.pose.position));
            expected += height < 0.1;
            lowest = fmin(lowest, height);
        }
        contact_point c = meet(&ball, &plane, 0.1);
        assert_int_equal(list.count, expected);
        if (expected > 0) assert_within(c.gap, lowest, 1e-13);
        if (expected > 0) assert_within(vec3_norm(vec3_add(c.normal, up)), 0.0, 1e-14);
    }
    surfaces_free(&all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_nearest_contact_is_the_least_distance),
        cmocka_unit_test(a_sphere_knows_inside_from_outside),
        cmocka_unit_test(flat_floors_are_planes),
        cmocka_unit_test(a_box_of_triangles_meets_as_a_box_does),
        cmocka_unit_test(convex_edges_are_felt_and_flat_ones_are_not),
        cmocka_unit_test(sheets_have_two_sides),
        cmocka_unit_test(heightfields_are_solid_below_and_open_at_the_border),
        cmocka_unit_test(planes_meet_the_vertices_of_a_mesh),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    scr_free(list.point);
    return failed;
}
