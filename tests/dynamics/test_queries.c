// SPDX-License-Identifier: BSD-3-Clause
// Rays, nearest points and overlaps against brute force: sums over all spheres, and inside-or-outside tests of each
// kind of shape, walked through point by point.
#include <stdlib.h>

#include "mixed_world.h"

// ---- many spheres, a plane ----

enum { BALLS = 900, ASKED = 400 };

static scr_vec3 random_point(double size, uint64_t k)
{
    return vec3(random_in(-size, size, 3 * k), random_in(-size, size, 3 * k + 1), random_in(0.0, size, 3 * k + 2));
}

static scr_world *world_of_balls(scr_contact_law law)
{
    scr_world_def def = scr_default_world_def();
    def.contact.law = law;
    def.thread_count = 2;
    def.time_step = 1e-5;
    scr_world *world = make_world(&def);
    scr_material stone = add_elastic(world, 1e7);
    add_floor(world, stone);
    for (uint64_t k = 0; k < BALLS; ++k)
        add_sphere(world, stone, random_in(0.005, 0.03, 9000 + k), vec3_add(random_point(1.0, k), vec3(0.0, 0.0, 0.05)),
                   vec3(0.1, 0.0, 0.0));
    return world;
}

// The nearest sphere in front of a ray that begins outside it, or the floor: distance, and which one (-1 the floor).
static double ray_by_force(const scr_world *world, const scr_ray *ray, int64_t *which)
{
    double best = ray->length;
    scr_vec3 d = vec3_unit(ray->direction);
    *which = -2;
    if (d.z < 0.0 && -ray->origin.z / d.z < best) best = -ray->origin.z / d.z, *which = -1;
    for (int64_t k = 0; k < scr_world_shape_count(world); ++k) {
        scr_placed_shape s = scr_world_shape(world, k);
        if (s.kind != SCR_SPHERE) continue;
        scr_vec3 o = vec3_sub(ray->origin, s.position);
        double b = vec3_dot(o, d), c = vec3_dot(o, o) - s.radius * s.radius, disc = b * b - c;
        if (c < 0.0 || disc < 0.0 || b > 0.0 || -b - sqrt(disc) >= best) continue;
        best = -b - sqrt(disc), *which = k;
    }
    return best;
}

static void rays_meet_what_brute_force_does(void **state)
{
    (void)state;
    for (int law = 0; law < 2; ++law) {
        scr_world *world = world_of_balls(law ? SCR_PENALTY : SCR_COMPLIANT);
        scr_ray ray[ASKED];
        scr_hit hit[ASKED];
        int met[2] = {0, 0}, missed = 0;
        for (int round = 0; round < 2; ++round) {
            step(world, 3 * round);  // under the penalty law they are in a bed, and the table is behind
            for (uint64_t k = 0; k < ASKED; ++k) {
                scr_vec3 to = random_point(1.0, 5000 + k);
                ray[k] = (scr_ray){random_point(1.5, 2000 + k), vec3_scale(3.0, to), k % 3 == 0 ? 0.5 : INFINITY};
                ray[k].direction = vec3_sub(to, ray[k].origin);
            }
            assert_ok(scr_world_cast_rays(world, ASKED, ray, SCR_ALL_GROUPS, hit, &error));
            for (int k = 0; k < ASKED; ++k) {
                int64_t which;
                double best = ray_by_force(world, &ray[k], &which);
                assert_int_equal(hit[k].shape < 0, which == -2);
                missed += which == -2;
                if (which == -2) continue;
                assert_within(hit[k].distance, best, 1e-9);
                assert_within3(hit[k].point, vec3_add_scaled(ray[k].origin, best, vec3_unit(ray[k].direction)), 1e-9);
                assert_true(vec3_dot(hit[k].normal, ray[k].direction) < 0.0);
                if (which >= 0) assert_int_equal(hit[k].shape, which);
                ++met[which == -1];
            }
        }
        assert_true(met[0] > 50 && met[1] > 50 && missed > 20);
        scr_world_destroy(world);
    }
}

static void nearest_points_are_those_of_brute_force(void **state)
{
    (void)state;
    scr_world *world = world_of_balls(SCR_COMPLIANT);
    scr_vec3 point[ASKED];
    scr_hit hit[ASKED];
    int inside = 0, beyond = 0;
    const double reach[2] = {INFINITY, 0.02};
    for (uint64_t k = 0; k < ASKED; ++k) point[k] = random_point(1.1, 7000 + k);
    for (int k = 0; k < ASKED; k += 20)
        point[k] = vec3_add(scr_world_shape(world, 1 + k).position, vec3(0.001, 0.0, 0.002));
    for (int r = 0; r < 2; ++r) {
        assert_ok(scr_world_nearest(world, ASKED, point, reach[r], SCR_ALL_GROUPS, hit, &error));
        for (int k = 0; k < ASKED; ++k) {
            double best = point[k].z;  // the floor
            for (int64_t i = 0; i < scr_world_shape_count(world); ++i) {
                scr_placed_shape s = scr_world_shape(world, i);
                if (s.kind == SCR_SPHERE) best = fmin(best, vec3_norm(vec3_sub(point[k], s.position)) - s.radius);
            }
            assert_int_equal(hit[k].shape >= 0, best < reach[r]);
            beyond += best >= reach[r];
            if (best >= reach[r]) continue;
            assert_within(hit[k].distance, best, 1e-12);
            assert_within3(vec3_add_scaled(hit[k].point, best, hit[k].normal), point[k], 1e-12);
            inside += best < 0.0;
        }
    }
    assert_true(inside > 5 && beyond > 50);
    scr_world_destroy(world);
}

// Spheres inside each other that all touch at x = 1: a ray along x meets them at once, the origin is as far from each,
// to the last bit, for radii that are powers of 2. The first that was added is meant, whatever the order in space, and
// the next one when that is gone.
static void of_equally_near_shapes_the_first_added_is_met(void **state)
{
    (void)state;
    enum { COUNT = 12, STRIDE = 5 };
    scr_world_def def = scr_default_world_def();
    scr_world *world = make_world(&def);
    scr_material stone = add_elastic(world, 1e7);
    scr_body ball[COUNT];
    for (int k = 0; k < COUNT; ++k) {
        double radius = ldexp(1.0, STRIDE * k % COUNT - COUNT / 2);
        scr_shape shape = scr_sphere(radius, stone);
        scr_body_def body = scr_default_body_def();
        body.kind = SCR_FIXED;
        body.position = vec3(1.0 + radius, 0.0, 0.0);
        body.shapes = &shape;
        body.shape_count = 1;
        assert_ok(scr_world_add_body(world, &body, &ball[k], &error));
    }
    step(world, 1);  // which sorts in space
    scr_ray ray = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, INFINITY};
    for (int first = 0; first < COUNT; ++first) {
        scr_hit hit[2];
        assert_ok(scr_world_cast_rays(world, 1, &ray, SCR_ALL_GROUPS, &hit[0], &error));
        assert_ok(scr_world_nearest(world, 1, &ray.origin, INFINITY, SCR_ALL_GROUPS, &hit[1], &error));
        for (int k = 0; k < 2; ++k) {
            assert_true(hit[k].distance == 1.0);
            assert_int_equal(hit[k].body.index1, ball[first].index1);
        }
        assert_ok(scr_world_remove_bodies(world, 1, &ball[first], &error));
    }
    scr_world_destroy(world);
}

static void a_region_holds_the_bodies_that_brute_force_finds(void **state)
{
    (void)state;
    scr_world *world = world_of_balls(SCR_COMPLIANT);
    scr_body found[BALLS + 1];
    int64_t count, sum = 0;
    for (uint64_t k = 0; k < 40; ++k) {
        bool is_box = k % 2 == 0;
        scr_vec3 half = vec3(0.2, 0.1, 0.3), centre = vec3_add(random_point(1.0, 8000 + k), vec3(0.0, 0.0, 0.4));
        scr_shape region = is_box ? scr_box(half, (scr_material){0}) : scr_sphere(0.25, (scr_material){0});
        region.position = centre;
        assert_ok(scr_world_overlapping(world, &region, SCR_ALL_GROUPS, BALLS + 1, found, &count, &error));
        int64_t expected = 0;
        for (int64_t i = 0; i < scr_world_shape_count(world); ++i) {
            scr_placed_shape s = scr_world_shape(world, i);
            if (s.kind != SCR_SPHERE) continue;
            scr_vec3 d = vec3_abs(vec3_sub(s.position, centre));
            scr_vec3 out = vec3(fmax(0.0, d.x - half.x), fmax(0.0, d.y - half.y), fmax(0.0, d.z - half.z));
            bool is_in = is_box ? vec3_norm(out) < s.radius : vec3_norm(d) < s.radius + 0.25;
            scr_body body = scr_world_bodies(world).handle[s.body];
            bool is_found = false;
            for (int64_t f = 0; f < count; ++f) is_found = is_found || found[f].index1 == body.index1;
            assert_int_equal(is_found, is_in);
            expected += is_in;
        }
        int64_t only_counted;
        assert_int_equal(count, expected);
        assert_ok(scr_world_overlapping(world, &region, SCR_ALL_GROUPS, 0, NULL, &only_counted, &error));
        assert_int_equal(only_counted, count);
        for (int64_t f = 1; f < count; ++f) assert_true(found[f - 1].index1 < found[f].index1);  // as they were added
        sum += count;
    }
    assert_true(sum > 200);
    scr_world_destroy(world);
}

// ---- every kind of shape ----

static const scr_vec3 CORNER[6] = {{0.3, 0, 0},   {-0.3, 0, 0}, {0, 0.25, 0},
                                   {0, -0.25, 0}, {0, 0, 0.4},  {0.05, 0.02, -0.2}};

// Is a point of the shape's own frame inside it?
static bool is_inside(const scr_world *world, const scr_placed_shape *s, scr_vec3 at)
{
    scr_vec3 p = quat_unrotate(s->rotation, vec3_sub(at, s->position)), h = s->half;
    double rho = hypot(p.x, p.y);
    switch (s->kind) {
    case SCR_SPHERE: return vec3_norm(p) < s->radius;
    case SCR_ELLIPSOID: return vec3_norm(vec3(p.x / h.x, p.y / h.y, p.z / h.z)) < 1.0;
    case SCR_BOX: return fabs(p.x) < h.x && fabs(p.y) < h.y && fabs(p.z) < h.z;
    case SCR_CAPSULE: return vec3_norm(vec3(p.x, p.y, fmax(0.0, fabs(p.z) - h.z))) < s->radius;
    case SCR_CYLINDER: return rho < s->radius && fabs(p.z) < h.z;
    case SCR_CONE: return fabs(p.z) < h.z && rho < s->radius * (h.z - p.z) / (2.0 * h.z);
    case SCR_PLANE: return p.z < 0.0;
    case SCR_HEIGHTFIELD: return p.z < 0.2 * p.x && fabs(p.x) < 1.0 && fabs(p.y) < 1.0;  // of add_kinds
    case SCR_SPHERE_SET: return false;                                                   // has a test of its own
    case SCR_HULL:
    case SCR_MESH: break;
    }
    scr_triangles t = scr_surface_triangles(world, s->surface);
    for (int64_t k = 0; k < t.triangle_count; ++k) {
        scr_vec3 a = t.vertex[t.triangle[3 * k]], b = t.vertex[t.triangle[3 * k + 1]],
                 c = t.vertex[t.triangle[3 * k + 2]];
        if (vec3_dot(vec3_cross(vec3_sub(b, a), vec3_sub(c, a)), vec3_sub(p, a)) >= 0.0) return false;
    }
    return true;  // the mesh is convex too
}

static scr_shape shape_of_kind(scr_world *world, scr_shape_kind kind, scr_material stone)
{
    scr_surface surface = {0};
    double height[11 * 11];
    scr_heights heights = {{11, 11}, {0.2, 0.2}, height};
    for (int k = 0; k < 121; ++k) height[k] = 0.2 * (0.2 * (k % 11) - 1.0);
    switch (kind) {
    case SCR_SPHERE: return scr_sphere(0.3, stone);
    case SCR_ELLIPSOID: return scr_ellipsoid(vec3(0.4, 0.2, 0.3), stone);
    case SCR_BOX: return scr_box(vec3(0.2, 0.4, 0.3), stone);
    case SCR_CAPSULE: return scr_capsule(0.2, 0.3, stone);
    case SCR_CYLINDER: return scr_cylinder(0.3, 0.2, stone);
    case SCR_CONE: return scr_cone(0.3, 0.4, stone);
    case SCR_PLANE:
    case SCR_SPHERE_SET: return scr_plane(stone);
    case SCR_HEIGHTFIELD: assert_ok(scr_world_add_heightfield(world, &heights, &surface, &error)); break;
    case SCR_HULL: assert_ok(scr_world_add_hull(world, 6, CORNER, &surface, &error)); break;
    case SCR_MESH: {
        scr_surface hull;
        assert_ok(scr_world_add_hull(world, 6, CORNER, &hull, &error));
        scr_triangles faces = scr_surface_triangles(world, hull);
        assert_ok(scr_world_add_mesh(world, &faces, &surface, &error));
    }
    }
    return scr_surface_shape(world, surface, stone);
}

static scr_world *world_of_kind(scr_shape_kind kind, scr_placed_shape *placed)
{
    scr_world_def def = scr_default_world_def();
    scr_world *world = make_world(&def);
    scr_material stone = add_material(world, 0.5, 0.0);
    scr_shape shape = shape_of_kind(world, kind, stone);
    scr_body_def body = scr_default_body_def();
    body.kind = SCR_FIXED;
    body.position = vec3(0.3, -0.2, 0.1);
    body.rotation = random_rotation(77 + (uint64_t)kind);
    body.shapes = &shape;
    body.shape_count = 1;
    add_body(world, &body);
    *placed = scr_world_shape(world, 0);
    return world;
}

// Along a ray nothing is inside before the hit, and everything just behind it is.
static void every_kind_is_entered_where_its_inside_begins(void **state)
{
    (void)state;
    for (int kind = SCR_SPHERE; kind <= SCR_PLANE; ++kind) {
        scr_placed_shape s;
        scr_world *world = world_of_kind(kind, &s);
        int met = 0, missed = 0;
        for (uint64_t k = 0; k < 400; ++k) {
            scr_vec3 from = vec3_add(s.position, vec3(random_in(-2.0, 2.0, 6 * k), random_in(-2.0, 2.0, 6 * k + 1),
                                                      random_in(-2.0, 2.0, 6 * k + 2)));
            scr_vec3 to = vec3_add(s.position, vec3(random_in(-0.5, 0.5, 6 * k + 3), random_in(-0.5, 0.5, 6 * k + 4),
                                                    random_in(-0.5, 0.5, 6 * k + 5)));
            scr_ray ray = {from, vec3_sub(to, from), INFINITY};
            scr_vec3 d = vec3_unit(ray.direction);
            scr_hit hit;
            if (is_inside(world, &s, from)) continue;
            assert_ok(scr_world_cast_rays(world, 1, &ray, SCR_ALL_GROUPS, &hit, &error));
            bool is_met = hit.shape == 0;
            double end = is_met ? hit.distance - 1e-7 : 6.0;
            for (double t = 0.0; t < end; t += 2e-3)
                if (is_inside(world, &s, vec3_add_scaled(from, t, d)) && kind != SCR_HEIGHTFIELD)
                    fail_msg("kind %d: it was inside before", kind);
            if (is_met && !is_inside(world, &s, vec3_add_scaled(from, hit.distance + 1e-7, d)))
                fail_msg("kind %d: nothing there", kind);
            if (is_met) assert_true(vec3_dot(hit.normal, d) < 0.0);
            met += is_met, missed += !is_met;
        }
        if (met < 60 || (missed < 20 && kind != SCR_PLANE)) fail_msg("kind %d: %d met, %d missed", kind, met, missed);
        scr_world_destroy(world);
    }
}

// A ball of the distance's radius about a point touches the shape in the nearest point and nowhere has a part of it
// inside.
static void no_point_of_a_shape_is_nearer_than_the_nearest(void **state)
{
    (void)state;
    for (int kind = SCR_SPHERE; kind <= SCR_PLANE; ++kind) {
        scr_placed_shape s;
        scr_world *world = world_of_kind(kind, &s);
        for (uint64_t k = 0; k < 200; ++k) {
            scr_vec3 p = vec3_add(s.position, vec3(random_in(-0.8, 0.8, 3 * k), random_in(-0.8, 0.8, 3 * k + 1),
                                                   random_in(-0.8, 0.8, 3 * k + 2)));
            scr_hit hit;
            assert_ok(scr_world_nearest(world, 1, &p, INFINITY, SCR_ALL_GROUPS, &hit, &error));
            bool in = is_inside(world, &s, p), is_signed = kind != SCR_MESH && kind != SCR_HEIGHTFIELD;
            double d = fabs(hit.distance);
            if (hit.shape != 0) fail_msg("kind %d: nothing found", kind);
            if (is_signed) assert_int_equal(hit.distance < 0.0, in);
            assert_within(vec3_norm(vec3_sub(p, hit.point)), d, 1e-9);
            if (kind == SCR_HEIGHTFIELD) continue;  // its border has no inside
            for (uint64_t r = 0; r < 300; ++r) {
                scr_vec3 way = quat_rotate(random_rotation(1000 * k + r), vec3(1.0, 0.0, 0.0));
                if (is_inside(world, &s, vec3_add_scaled(p, 0.9999 * d, way)) != in)
                    fail_msg("kind %d: a point of it is nearer", kind);
            }
            scr_vec3 outwards =
                hit.distance < 0.0 || (in && !is_signed) ? vec3_sub(hit.point, p) : vec3_sub(p, hit.point);
            if (d > 1e-3 && is_inside(world, &s, vec3_add_scaled(hit.point, 1e-6 / d, outwards)))
                fail_msg("kind %d: not on the surface", kind);
            bool is_sharp =
                kind == SCR_CONE || kind == SCR_HULL || kind == SCR_MESH;  // behind a sharp edge may be outside again
            if (d > 1e-3 && !is_sharp && !is_inside(world, &s, vec3_add_scaled(hit.point, -1e-6 / d, outwards)))
                fail_msg("kind %d: nor here", kind);
        }
        scr_world_destroy(world);
    }
}

static void groups_and_changes_are_seen(void **state)
{
    (void)state;
    scr_world_def def = scr_default_world_def();
    scr_world *world = make_world(&def);
    scr_material stone = add_material(world, 0.5, 0.0);
    scr_ray down = {{0.0, 0.0, 5.0}, {0.0, 0.0, -2.0}, INFINITY};
    scr_hit hit;
    assert_ok(scr_world_cast_rays(world, 1, &down, SCR_ALL_GROUPS, &hit, &error));
    assert_true(hit.shape == -1 && hit.body.index1 == 0);
    add_floor(world, stone);
    scr_body ball = add_sphere(world, stone, 0.5, vec3(0.0, 0.0, 2.0), vec3(0.0, 0.0, 0.0));
    assert_ok(scr_world_cast_rays(world, 1, &down, SCR_ALL_GROUPS, &hit, &error));
    assert_near(hit.distance, 2.5, 1e-12);
    assert_true(hit.body.index1 == ball.index1);
    assert_ok(scr_world_cast_rays(world, 1, &down, 2u, &hit, &error));  // nobody is in that group
    assert_int_equal(hit.shape, -1);
    scr_body_state there = state_of(world, ball);
    there.position.x = 7.0, there.position.z = 1.0;
    set_state(world, ball, there);
    down.origin.x = 7.0;
    assert_ok(scr_world_cast_rays(world, 1, &down, SCR_ALL_GROUPS, &hit, &error));
    assert_near(hit.distance, 3.5, 1e-12);
    step(world, 1);
    assert_ok(scr_world_cast_rays(world, 1, &down, SCR_ALL_GROUPS, &hit, &error));
    assert_near(hit.distance, 4.5 - state_of(world, ball).position.z, 1e-12);
    assert_ok(scr_world_remove_bodies(world, 1, &ball, &error));
    assert_ok(scr_world_cast_rays(world, 1, &down, SCR_ALL_GROUPS, &hit, &error));
    assert_near(hit.distance, 5.0, 1e-12);
    scr_ray none = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, 1.0};
    scr_vec3 lost = vec3(NAN, 0.0, 0.0);
    scr_shape plane = scr_plane(stone);
    int64_t found;
    assert_int_equal(scr_world_cast_rays(world, 1, &none, SCR_ALL_GROUPS, &hit, NULL), SCR_BAD_INPUT);
    assert_int_equal(scr_world_nearest(world, 1, &lost, 1.0, SCR_ALL_GROUPS, &hit, NULL), SCR_BAD_INPUT);
    assert_int_equal(scr_world_overlapping(world, &plane, SCR_ALL_GROUPS, 0, NULL, &found, NULL), SCR_BAD_INPUT);
    scr_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rays_meet_what_brute_force_does),
        cmocka_unit_test(nearest_points_are_those_of_brute_force),
        cmocka_unit_test(of_equally_near_shapes_the_first_added_is_met),
        cmocka_unit_test(a_region_holds_the_bodies_that_brute_force_finds),
        cmocka_unit_test(every_kind_is_entered_where_its_inside_begins),
        cmocka_unit_test(no_point_of_a_shape_is_nearer_than_the_nearest),
        cmocka_unit_test(groups_and_changes_are_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
