// SPDX-License-Identifier: BSD-3-Clause
// Hulls of points: which points are corners, what the faces are, and the solid inside.
#include "check.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/maths/rng.h"
#include "geometry/surface/hull.h"
#include "geometry/surface/surfaces.h"

static const double PI = 3.14159265358979323846;

typedef struct draws {
    uint64_t seed, next;
} draws;
static double draw(draws *d, double low, double high)
{
    return low + (high - low) * scr_uniform(d->seed, 0, d->next++);
}
static scr_vec3 draw_vector(draws *d, double size)
{
    double x = draw(d, -size, size), y = draw(d, -size, size), z = draw(d, -size, size);
    return vec3(x, y, z);
}
static scr_vec3 draw_direction(draws *d)
{
    scr_vec3 v;
    do v = draw_vector(d, 1.0);
    while (vec3_norm(v) > 1.0 || vec3_norm(v) < 0.1);
    return vec3_unit(v);
}

// A hull with what was made of it.
typedef struct made {
    scr_triangles triangles;
    hull *hull;
} made;

static made make(int64_t count, const scr_vec3 *points)
{
    made m = {0};
    scr_error error = {0};
    scr_status status = hull_of_points(count, points, &m.triangles, &error);
    if (status != SCR_OK) print_error("%s\n", error.message);
    assert_int_equal(status, SCR_OK);
    assert_int_equal(hull_build(&m.triangles, &m.hull, &error), SCR_OK);
    return m;
}

static void forget(made *m)
{
    hull_free(m->hull);
    scr_free((void *)m->triangles.vertex);
    scr_free((void *)m->triangles.triangle);
}

static double farthest(int64_t count, const scr_vec3 *points, scr_vec3 direction)
{
    double best = -INFINITY;
    for (int64_t k = 0; k < count; ++k) best = fmax(best, vec3_dot(direction, points[k]));
    return best;
}

static double extent_of(int64_t count, const scr_vec3 *points)
{
    double extent = 0.0;
    for (int64_t k = 0; k < count; ++k) extent = fmax(extent, vec3_norm(vec3_sub(points[k], points[0])));
    return extent;
}

// What must hold of every hull: closed (Euler), all points inside all faces, faces turn left and are as wide as told,
// edges lie between their two faces, and the walk finds the farthest corner from anywhere.
static void assert_is_hull_of(const made *m, int64_t count, const scr_vec3 *points, draws *d)
{
    const hull *h = m->hull;
    double extent = extent_of(count, points);
    assert_int_equal(h->corner_count - h->edge_count + h->face_count, 2);
    for (int32_t f = 0; f < h->face_count; ++f) {
        int32_t size = h->face_start[f + 1] - h->face_start[f];
        const int32_t *corner = h->face_corner + h->face_start[f];
        assert_true(size >= 3);
        if (vec3_norm(h->face_normal[f]) == 0.0) continue;
        assert_within(farthest(count, points, h->face_normal[f]), h->face_offset[f], 1e-5 * extent);
        for (int32_t k = 0; k < size; ++k) {
            scr_vec3 a = h->corner[corner[k]], b = h->corner[corner[(k + 1) % size]],
                     c = h->corner[corner[(k + 2) % size]];
            assert_within(vec3_dot(h->face_normal[f], a), h->face_offset[f], 1e-5 * extent);
            scr_vec3 turn = vec3_cross(vec3_sub(b, a), vec3_sub(c, b));
            assert_true(vec3_dot(turn, h->face_normal[f]) > -1e-6 * extent * extent);
        }
    }
    for (int32_t e = 0; e < h->edge_count; ++e) {
        const hull_edge *edge = &h->edge[e];
        assert_true(edge->corner[0] < edge->corner[1] && edge->face[0] != edge->face[1]);
        for (int side = 0; side < 2; ++side) {
            int found = 0;
            for (int32_t k = h->face_start[edge->face[side]]; k < h->face_start[edge->face[side] + 1]; ++k)
                found += h->face_corner[k] == edge->corner[0] || h->face_corner[k] == edge->corner[1];
            assert_int_equal(found, 2);
        }
    }
    for (int trial = 0; trial < 200; ++trial) {
        scr_vec3 n = draw_direction(d);
        int32_t from = (int32_t)draw(d, 0.0, h->corner_count);
        double most = farthest(count, points, n);
        assert_within(farthest(h->corner_count, h->corner, n), most, 1e-13 * extent);
        assert_within(vec3_dot(n, h->corner[hull_support(h, n, from)]), most, 1e-13 * extent);
    }
}

static void random_points_lie_inside_their_hull(void **state)
{
    (void)state;
    draws d = {1, 0};
    enum { MOST = 400 };
    scr_vec3 points[MOST];
    for (int trial = 0; trial < 60; ++trial) {
        int64_t count = (int64_t)draw(&d, 4.0, MOST);
        double stretch = draw(&d, 0.01, 1.0);
        for (int64_t k = 0; k < count; ++k) points[k] = vec3_mul(vec3(1.0, 1.0, stretch), draw_vector(&d, 1.0));
        made m = make(count, points);
        assert_is_hull_of(&m, count, points, &d);
        forget(&m);
    }
}

// n^3 points of a cube: eight corners, six faces of four, twelve edges, however the cube is turned and placed.
static void a_grid_has_the_faces_of_a_box(void **state)
{
    (void)state;
    draws d = {2, 0};
    enum { SIDE = 7, COUNT = SIDE * SIDE * SIDE };
    static scr_vec3 points[2 * COUNT];
    for (int trial = 0; trial < 20; ++trial) {
        double high = draw(&d, 0.1, 2.0), wide = draw(&d, 0.1, 2.0), length = draw(&d, 0.1, 2.0);
        scr_vec3 size = vec3(length, wide, high), shift = draw_vector(&d, 100.0);
        scr_vec3 v = draw_direction(&d);
        scr_quat turn = quat_unit((scr_quat){draw(&d, -1.0, 1.0), v.x, v.y, v.z});
        for (int k = 0; k < COUNT; ++k) {
            scr_vec3 step = vec3(k % SIDE, k / SIDE % SIDE, k / SIDE / SIDE);
            points[k] = vec3_add(shift, quat_rotate(turn, vec3_mul(size, vec3_scale(1.0 / (SIDE - 1), step))));
            points[COUNT + k] = points[k];  // every point twice
        }
        made m = make(2 * COUNT, points);
        assert_int_equal(m.hull->face_count, 6);
        // A point in the middle of an edge may be left over by rounding, none inside a face.
        assert_true(m.hull->corner_count >= 8 && m.hull->corner_count <= 20);
        solid_properties p = triangles_solid(&m.triangles);
        assert_near(p.volume, size.x * size.y * size.z, 1e-11);
        scr_vec3 middle = vec3_add(shift, quat_rotate(turn, vec3_scale(0.5, size)));
        assert_within(vec3_norm(vec3_sub(p.centre, middle)), 0.0, 1e-10);
        forget(&m);
    }
}

// Unit cube and regular tetrahedron in closed form, from a micrometre to a hundred million metres.
static void volume_and_inertia_are_those_of_cube_and_tetrahedron_at_any_scale(void **state)
{
    (void)state;
    for (double scale = 1e-6; scale < 2e8; scale *= 10.0) {
        scr_vec3 cube[8], tetrahedron[4];
        for (int k = 0; k < 8; ++k) cube[k] = vec3_scale(scale, vec3(k & 1, k >> 1 & 1, k >> 2));
        for (int k = 0; k < 4; ++k)
            tetrahedron[k] = vec3_scale(scale, vec3(k == 1 || k == 2, k == 1 || k == 3, k == 2 || k == 3));
        made m = make(8, cube);
        solid_properties p = triangles_solid(&m.triangles);
        assert_int_equal(m.hull->corner_count, 8);
        assert_int_equal(m.hull->face_count, 6);
        assert_int_equal(m.hull->edge_count, 12);
        assert_near(p.volume, scale * scale * scale, 1e-13);
        for (int i = 0; i < 3; ++i) assert_near(p.inertia.m[i][i], scale * scale / 6.0, 1e-13);
        forget(&m);

        m = make(4, tetrahedron);  // edges of sqrt(2): V = s^3 / (6 sqrt 2), I = s^2 / 20
        p = triangles_solid(&m.triangles);
        assert_int_equal(m.hull->face_count, 4);
        assert_near(p.volume, scale * scale * scale / 3.0, 1e-13);
        for (int i = 0; i < 3; ++i) assert_near(p.inertia.m[i][i], 2.0 * scale * scale / 20.0, 1e-12);
        forget(&m);
    }
}

// Points of a sphere, spread by the golden angle: with n of them volume and inertia come as 1/n to the ball's.
static void a_fine_hull_weighs_as_its_ball(void **state)
{
    (void)state;
    enum { MOST = 8000 };
    static scr_vec3 points[MOST];
    double error_before = INFINITY;
    draws d = {3, 0};
    for (int count = 500; count <= MOST; count *= 4) {
        for (int k = 0; k < count; ++k) {
            double z = 1.0 - (2.0 * k + 1.0) / count, r = sqrt(1.0 - z * z), angle = k * PI * (3.0 - sqrt(5.0));
            points[k] = vec3(r * cos(angle), r * sin(angle), z);
        }
        made m = make(count, points);
        assert_int_equal(m.hull->corner_count, count);
        assert_is_hull_of(&m, count, points, &d);
        solid_properties p = triangles_solid(&m.triangles);
        double error = 4.0 / 3.0 * PI - p.volume;
        assert_true(error > 0.0 && error < 0.3 * error_before);
        assert_true(error < 40.0 / count);
        for (int i = 0; i < 3; ++i) assert_within(p.inertia.m[i][i], 0.4, 10.0 / count);
        assert_true(m.hull->inner_radius < 1.0 && m.hull->inner_radius > 1.0 - 20.0 / count);
        error_before = error;
        forget(&m);
    }
}

// Coordinates with six digits: a turned box still has six faces.
static void rounded_coordinates_keep_faces_flat(void **state)
{
    (void)state;
    draws d = {4, 0};
    for (int trial = 0; trial < 50; ++trial) {
        scr_vec3 points[8], v = draw_direction(&d);
        scr_quat turn = quat_unit((scr_quat){draw(&d, -1.0, 1.0), v.x, v.y, v.z});
        for (int k = 0; k < 8; ++k) {
            scr_vec3 p = quat_rotate(turn, vec3(k & 1 ? 1.0 : -1.0, k & 2 ? 0.7 : -0.7, k & 4 ? 0.4 : -0.4));
            points[k] =
                vec3(floor(p.x * 1e6 + 0.5) * 1e-6, floor(p.y * 1e6 + 0.5) * 1e-6, floor(p.z * 1e6 + 0.5) * 1e-6);
        }
        made m = make(8, points);
        assert_int_equal(m.hull->face_count, 6);
        assert_int_equal(m.hull->edge_count, 12);
        forget(&m);
    }
}

// A plate thinner than what counts as flat still has an upper and a lower side.
static void a_plate_has_two_sides(void **state)
{
    (void)state;
    scr_vec3 points[8];
    for (int k = 0; k < 8; ++k) points[k] = vec3(k & 1 ? 0.5 : -0.5, k & 2 ? 0.5 : -0.5, k & 4 ? 5e-7 : -5e-7);
    made m = make(8, points);
    int up = 0, down = 0;
    for (int32_t f = 0; f < m.hull->face_count; ++f) {
        up += m.hull->face_normal[f].z > 0.999;
        down += m.hull->face_normal[f].z < -0.999;
    }
    assert_int_equal(up, 1);
    assert_int_equal(down, 1);
    forget(&m);
}

// Slabs, needles, points in layers and on cones: shapes that rounding makes hard.
static void hard_sets_still_have_a_hull(void **state)
{
    (void)state;
    draws d = {5, 0};
    enum { COUNT = 1000 };
    static scr_vec3 points[COUNT];
    for (int kind = 0; kind < 6; ++kind) {
        for (int trial = 0; trial < 10; ++trial) {
            for (int k = 0; k < COUNT; ++k) {
                double angle = draw(&d, 0.0, 2.0 * PI), t = draw(&d, 0.0, 1.0);
                switch (kind) {
                case 0: points[k] = vec3_mul(draw_vector(&d, 1.0), vec3(1.0, 1.0, 1e-5)); break;
                case 1: points[k] = vec3_mul(draw_vector(&d, 1.0), vec3(1.0, 1e-4, 1e-4)); break;
                case 2: points[k] = vec3(cos(angle), sin(angle), k % 2); break;
                case 3: points[k] = vec3(t * cos(angle), t * sin(angle), 1.0 - t); break;
                case 4:
                    points[k] = vec3_add_scaled(vec3(k & 1, k >> 1 & 1, k >> 2 & 1), 1e-13, draw_vector(&d, 1.0));
                    break;
                default: points[k] = vec3(floor(4.0 * t), k % 5, floor(draw(&d, 0.0, 5.0))); break;
                }
            }
            made m = make(COUNT, points);
            double extent = extent_of(COUNT, points);
            for (int k = 0; k < 100; ++k) {
                scr_vec3 n = draw_direction(&d);
                double most = farthest(COUNT, points, n);
                assert_within(vec3_dot(n, m.hull->corner[hull_support(m.hull, n, 0)]), most, 1e-12 * extent);
            }
            forget(&m);
        }
    }
}

static void assert_refused(int64_t count, const scr_vec3 *points, const char *why)
{
    scr_triangles t = {0};
    scr_error error = {0};
    assert_int_equal(hull_of_points(count, points, &t, &error), SCR_BAD_INPUT);
    if (strstr(error.message, why) == NULL) print_error("'%s' does not say '%s'\n", error.message, why);
    assert_non_null(strstr(error.message, why));
    assert_null(t.vertex);
    assert_null(t.triangle);
}

static void what_has_no_hull_is_refused_with_a_reason(void **state)
{
    (void)state;
    draws d = {6, 0};
    enum { COUNT = 300 };
    scr_vec3 points[COUNT];
    for (int k = 0; k < COUNT; ++k) points[k] = draw_vector(&d, 1.0);
    assert_refused(3, points, "at least 4 points");
    assert_refused(0, NULL, "at least 4 points");
    points[17].y = NAN;
    assert_refused(COUNT, points, "point 17");
    points[17].y = INFINITY;
    assert_refused(COUNT, points, "point 17");
    points[17].y = 3e9;
    assert_refused(COUNT, points, "point 17");

    scr_vec3 n = draw_direction(&d), shift = draw_vector(&d, 5.0);
    for (int k = 0; k < COUNT; ++k) {
        scr_vec3 v = draw_vector(&d, 1.0);
        points[k] = vec3_add(shift, vec3_add_scaled(v, -vec3_dot(v, n), n));
    }
    assert_refused(COUNT, points, "plane");
    for (int k = 0; k < COUNT; ++k) points[k] = vec3_add_scaled(points[k], 1e-10 * draw(&d, -1.0, 1.0), n);
    assert_refused(COUNT, points, "plane");
    for (int k = 0; k < COUNT; ++k) points[k] = vec3_add_scaled(shift, k, n);  // one line
    assert_refused(COUNT, points, "plane");
    for (int k = 0; k < COUNT; ++k) points[k] = shift;  // one point
    assert_refused(COUNT, points, "within");
}

static void a_hull_of_too_many_corners_is_refused(void **state)
{
    (void)state;
    int64_t count = HULL_CORNER_MAX + 5000;
    scr_vec3 *points = scr_alloc((size_t)count * sizeof *points);
    for (int64_t k = 0; k < count; ++k) {
        double z = 1.0 - (2.0 * (double)k + 1.0) / (double)count, r = sqrt(1.0 - z * z),
               angle = (double)k * PI * (3.0 - sqrt(5.0));
        points[k] = vec3(r * cos(angle), r * sin(angle), z);
    }
    assert_refused(count, points, "corners");
    scr_free(points);
}

// Whatever the triangles of a saved state are, building answers.
static void open_triangles_are_refused(void **state)
{
    (void)state;
    scr_vec3 vertex[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    int32_t closed[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    scr_error error = {0};
    for (int k = -1; k < 12; ++k) {
        int32_t triangle[12];
        memcpy(triangle, closed, sizeof closed);
        if (k >= 0) triangle[k] = (triangle[k] + 1) % 4;
        hull *h = NULL;
        scr_status status = hull_build(&(scr_triangles){4, 4, vertex, triangle}, &h, &error);
        assert_int_equal(status, k < 0 ? SCR_OK : SCR_BAD_INPUT);
        hull_free(h);
    }
    hull *h = NULL;
    assert_int_equal(hull_build(&(scr_triangles){4, 3, vertex, closed}, &h, &error), SCR_BAD_INPUT);
}

static void the_same_points_give_the_same_hull(void **state)
{
    (void)state;
    draws d = {7, 0};
    enum { COUNT = 500 };
    scr_vec3 points[COUNT];
    for (int k = 0; k < COUNT; ++k) points[k] = draw_direction(&d);
    made one = make(COUNT, points), two = make(COUNT, points);
    assert_int_equal(one.triangles.triangle_count, two.triangles.triangle_count);
    size_t bytes = 3 * (size_t)one.triangles.triangle_count * sizeof(int32_t);
    assert_memory_equal(one.triangles.triangle, two.triangles.triangle, bytes);
    forget(&one);
    forget(&two);
}

// Every allocation made to fail: an error, no crash, nothing lost (the sanitizer counts).
static void failing_memory_is_reported(void **state)
{
    (void)state;
    scr_vec3 cube[8];
    for (int k = 0; k < 8; ++k) cube[k] = vec3(k & 1, k >> 1 & 1, k >> 2);
    scr_error error = {0};
    int failures = 0;
    for (int n = 0;; ++n) {
        scr_triangles t = {0};
        hull *h = NULL;
        scr_fail_allocation_in(n);
        scr_status status = hull_of_points(8, cube, &t, &error);
        if (status == SCR_OK) status = hull_build(&t, &h, &error);
        scr_fail_allocation_in(-1);
        hull_free(status == SCR_OK ? h : NULL);
        scr_free((void *)t.vertex);
        scr_free((void *)t.triangle);
        if (status == SCR_OK) break;
        assert_int_equal(status, SCR_NO_MEMORY);
        ++failures;
    }
    assert_true(failures >= 5);
}

// Qhull explains failures at length; none of it may reach the terminal.
static void nothing_is_printed(void **state)
{
    (void)state;
    scr_vec3 flat[5] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0.5, 0.5, 0}};
    fflush(stdout), fflush(stderr);
    int out = dup(1), err = dup(2);
    FILE *caught = tmpfile();
    assert_non_null(caught);
    dup2(fileno(caught), 1), dup2(fileno(caught), 2);
    scr_triangles t = {0};
    scr_error error = {0};
    scr_status status = hull_of_points(5, flat, &t, &error);
    fflush(stdout), fflush(stderr);
    dup2(out, 1), dup2(err, 2);
    close(out), close(err);
    fseek(caught, 0, SEEK_END);
    long printed = ftell(caught);
    fclose(caught);
    assert_int_equal(status, SCR_BAD_INPUT);
    assert_int_equal(printed, 0);
}

// In a world the hull's origin is its centre of mass.
static void a_world_keeps_hulls_about_their_centre(void **state)
{
    (void)state;
    surfaces s;
    surfaces_init(&s);
    scr_error error = {0};
    scr_vec3 box[8];
    for (int k = 0; k < 8; ++k) box[k] = vec3(k & 1 ? 5.0 : 3.0, k & 2 ? 1.0 : 0.0, k & 4 ? 9.0 : 8.5);
    assert_int_equal(surfaces_add_hull(&s, 8, box, &error), SCR_OK);
    const shape_surface *item = surface_of(&s, (scr_surface){1});
    assert_within(vec3_norm(vec3_sub(item->centre, vec3(4.0, 0.5, 8.75))), 0.0, 1e-13);
    assert_near(item->volume, 1.0, 1e-13);
    assert_near(item->hull->inner_radius, 0.25, 1e-12);
    assert_near(item->radius, vec3_norm(vec3(1.0, 0.5, 0.25)), 1e-13);
    surfaces_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_points_lie_inside_their_hull),
        cmocka_unit_test(a_grid_has_the_faces_of_a_box),
        cmocka_unit_test(volume_and_inertia_are_those_of_cube_and_tetrahedron_at_any_scale),
        cmocka_unit_test(a_fine_hull_weighs_as_its_ball),
        cmocka_unit_test(rounded_coordinates_keep_faces_flat),
        cmocka_unit_test(a_plate_has_two_sides),
        cmocka_unit_test(hard_sets_still_have_a_hull),
        cmocka_unit_test(what_has_no_hull_is_refused_with_a_reason),
        cmocka_unit_test(a_hull_of_too_many_corners_is_refused),
        cmocka_unit_test(open_triangles_are_refused),
        cmocka_unit_test(the_same_points_give_the_same_hull),
        cmocka_unit_test(failing_memory_is_reported),
        cmocka_unit_test(nothing_is_printed),
        cmocka_unit_test(a_world_keeps_hulls_about_their_centre),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
