// SPDX-License-Identifier: BSD-3-Clause
// Every solid kind of shape: what it weighs, by counting the points of a fine grid inside it; how far it reaches, by
// walking over its surface. Closed sets of triangles: what they have inside.
#include "check.h"

#include "core/maths/rng.h"
#include "geometry/shape/placed_shape.h"

enum { GRID = 120 };

static scr_quat some_rotation(uint64_t k)
{
    return quat_unit((scr_quat){scr_uniform(3, 1, k) - 0.5, scr_uniform(3, 2, k) - 0.5, scr_uniform(3, 3, k) - 0.5,
                                scr_uniform(3, 4, k) - 0.5});
}

// Is p, in the shape's own frame, inside?
static bool is_inside(const scr_shape *s, scr_vec3 p)
{
    double across = sqrt(p.x * p.x + p.y * p.y), beyond = fmax(0.0, fabs(p.z) - s->half.z);
    switch (s->kind) {
    case SCR_SPHERE: return vec3_norm(p) <= s->radius;
    case SCR_ELLIPSOID: return vec3_norm(vec3(p.x / s->half.x, p.y / s->half.y, p.z / s->half.z)) <= 1.0;
    case SCR_BOX: return fabs(p.x) <= s->half.x && fabs(p.y) <= s->half.y && fabs(p.z) <= s->half.z;
    case SCR_CAPSULE: return sqrt(across * across + beyond * beyond) <= s->radius;
    case SCR_CYLINDER: return across <= s->radius && beyond == 0.0;
    case SCR_CONE: return beyond == 0.0 && across <= s->radius * (s->half.z - p.z) / (2.0 * s->half.z);
    default: return false;
    }
}

static mass_properties weigh_on_a_grid(const scr_shape *s, double density)
{
    double room = shape_bounding_radius(s, NULL), cell = 2.0 * room / GRID;
    mass_properties m = {0};
    scr_vec3 moment = {0};
    double square[3][3] = {{0}};
    for (int k = 0; k < GRID * GRID * GRID; ++k) {
        // Each point somewhere in its cell: a flat face along the grid would be seen half a cell off.
        double u = 0.8191725134 * k, v = 0.6710436067 * k, w = 0.5497004779 * k;
        scr_vec3 p = vec3(cell * (k % GRID + u - floor(u)) - room, cell * (k / GRID % GRID + v - floor(v)) - room,
                          cell * (k / GRID / GRID + w - floor(w)) - room);
        if (!is_inside(s, p)) continue;
        scr_vec3 at = vec3_add(s->position, quat_rotate(s->rotation, p));
        const double r[3] = {at.x, at.y, at.z};
        m.mass += 1.0;
        moment = vec3_add(moment, at);
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) square[i][j] += r[i] * r[j];
    }
    m.centre = vec3_scale(1.0 / m.mass, moment);
    const double c[3] = {m.centre.x, m.centre.y, m.centre.z};
    double unit = density * cell * cell * cell;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) square[i][j] -= m.mass * c[i] * c[j];
    double trace = square[0][0] + square[1][1] + square[2][2];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) m.inertia.m[i][j] = unit * ((i == j ? trace : 0.0) - square[i][j]);
    m.mass *= unit;
    return m;
}

static const scr_material ANY = {1};

static void every_kind_weighs_what_its_inside_weighs(void **state)
{
    (void)state;
    scr_shape shapes[] = {scr_sphere(0.4, ANY),
                          scr_ellipsoid(vec3(0.3, 0.5, 0.9), ANY),
                          scr_box(vec3(0.4, 0.6, 0.5), ANY),
                          scr_capsule(0.3, 0.5, ANY),
                          scr_cylinder(0.6, 0.4, ANY),
                          scr_cone(0.5, 0.7, ANY)};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; ++s) {
        shapes[s].position = vec3(0.3, -0.2, 0.1);
        shapes[s].rotation = some_rotation(s);
        mass_properties told = shape_mass_properties(&shapes[s], NULL, 700.0),
                        seen = weigh_on_a_grid(&shapes[s], 700.0);
        double size = told.inertia.m[0][0] + told.inertia.m[1][1] + told.inertia.m[2][2];
        assert_near(seen.mass, told.mass, 4e-3);
        assert_within(vec3_norm(vec3_sub(told.centre, seen.centre)), 0.0, 2e-3);
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) assert_within(told.inertia.m[i][j], seen.inertia.m[i][j], 3e-3 * size);
    }
}

// A point of the surface, for u and v in [0, 1).
static scr_vec3 surface_point(const scr_shape *s, double u, double v)
{
    double angle = 6.283185307179586 * u, z = 2.0 * v - 1.0, across = sqrt(fmax(0.0, 1.0 - z * z));
    scr_vec3 ball = vec3(across * cos(angle), across * sin(angle), z);
    switch (s->kind) {
    case SCR_ELLIPSOID: return vec3_mul(s->half, ball);
    case SCR_CAPSULE: return vec3_add(vec3_scale(s->radius, ball), vec3(0.0, 0.0, z > 0.0 ? s->half.z : -s->half.z));
    case SCR_CYLINDER: return vec3(s->radius * cos(angle), s->radius * sin(angle), v < 0.5 ? -s->half.z : s->half.z);
    case SCR_CONE:
        return v < 0.5 ? vec3(s->radius * cos(angle), s->radius * sin(angle), -s->half.z) : vec3(0.0, 0.0, s->half.z);
    default: return vec3_scale(s->radius, ball);
    }
}

static void extents_hold_the_surface_and_no_more(void **state)
{
    (void)state;
    scr_shape shapes[] = {scr_ellipsoid(vec3(0.3, 0.5, 0.9), ANY), scr_capsule(0.3, 0.5, ANY),
                          scr_cylinder(0.6, 0.4, ANY), scr_cone(0.5, 0.7, ANY)};
    for (uint64_t k = 0; k < 40; ++k) {
        const scr_shape *s = &shapes[k % 4];
        placed_shape placed =
            shape_place(s, NULL, (pose){vec3(1.0, 2.0, 3.0), k < 4 ? QUAT_IDENTITY : some_rotation(k)});
        scr_aabb told = placed_aabb(&placed),
                 seen = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
        for (int i = 0; i < 400; ++i) {
            for (int j = 0; j < 400; ++j) {
                scr_vec3 own = surface_point(s, i / 400.0, j / 399.0);
                assert_true(vec3_norm(own) <= shape_bounding_radius(s, NULL) * (1.0 + 1e-12));
                scr_vec3 p = pose_apply(placed.pose, own);
                seen.low = vec3(fmin(seen.low.x, p.x), fmin(seen.low.y, p.y), fmin(seen.low.z, p.z));
                seen.high = vec3(fmax(seen.high.x, p.x), fmax(seen.high.y, p.y), fmax(seen.high.z, p.z));
            }
        }
        const double outer[6] = {told.low.x, told.low.y, told.low.z, -told.high.x, -told.high.y, -told.high.z};
        const double inner[6] = {seen.low.x, seen.low.y, seen.low.z, -seen.high.x, -seen.high.y, -seen.high.z};
        for (int e = 0; e < 6; ++e) {
            assert_true(outer[e] <= inner[e] + 1e-12);
            assert_within(outer[e], inner[e], 2e-3);
        }
    }
}

static void closed_triangles_weigh_as_the_box_they_bound(void **state)
{
    (void)state;
    scr_shape box = scr_box(vec3(0.5, 1.0, 1.5), ANY);
    box.position = vec3(1000.0, -400.0, 30.0);  // far from the origin, where a careless sum loses digits
    box.rotation = some_rotation(9);
    scr_vec3 corner[8];
    for (int c = 0; c < 8; ++c) {
        scr_vec3 own = vec3_mul(box.half, vec3(c & 1 ? 1 : -1, c & 2 ? 1 : -1, c & 4 ? 1 : -1));
        corner[c] = pose_apply((pose){box.position, box.rotation}, own);
    }
    static const int32_t faces[36] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                      2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
    scr_triangles t = {8, 12, corner, faces};
    solid_properties told = triangles_solid(&t);
    mass_properties exact = shape_mass_properties(&box, NULL, 1.0);
    assert_near(told.volume, exact.mass, 1e-12);
    assert_within(vec3_norm(vec3_sub(told.centre, box.position)), 0.0, 1e-11);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            assert_within(told.volume * told.inertia.m[i][j], exact.inertia.m[i][j], 1e-11 * exact.inertia.m[0][0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_weighs_what_its_inside_weighs),
        cmocka_unit_test(extents_hold_the_surface_and_no_more),
        cmocka_unit_test(closed_triangles_weigh_as_the_box_they_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
