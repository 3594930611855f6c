// SPDX-License-Identifier: BSD-3-Clause
// Shapes alone: what is refused, what they weigh, where they are.
#include "check.h"

#include <string.h>

#include "core/maths/rng.h"
#include "geometry/shape/placed_shape.h"

static const double PI = 3.14159265358979323846;

static double uniform(uint64_t stream, uint64_t index, double low, double high)
{
    return low + (high - low) * scr_uniform(7, stream, index);
}

static scr_quat some_rotation(uint64_t index)
{
    return quat_unit((scr_quat){uniform(1, index, -1, 1), uniform(2, index, -1, 1), uniform(3, index, -1, 1),
                                uniform(4, index, -1, 1)});
}

static scr_vec3 some_vector(uint64_t index, double size)
{
    return vec3(uniform(5, index, -size, size), uniform(6, index, -size, size), uniform(7, index, -size, size));
}

static void assert_refused(scr_shape shape, const char *field, const char *value)
{
    scr_error error = {0};
    assert_int_equal(shape_check(&shape, &error), SCR_BAD_INPUT);
    assert_int_equal(error.status, SCR_BAD_INPUT);
    if (strstr(error.message, field) == NULL || strstr(error.message, value) == NULL)
        fail_msg("\"%s\" names neither %s nor %s", error.message, field, value);
}

static void good_shapes_pass_and_bad_ones_name_their_field(void **state)
{
    (void)state;
    const scr_material material = {1};
    scr_shape good[] = {scr_sphere(0.01, material), scr_box(vec3(1, 2, 3), material), scr_plane(material)};
    for (int i = 0; i < 3; ++i) {
        assert_int_equal(shape_check(&good[i], NULL), SCR_OK);
        assert_int_equal(good[i].material.index1, 1);

        scr_shape bad = good[i];
        bad.rotation = (scr_quat){0};
        assert_refused(bad, "rotation", "(0, 0, 0, 0)");
        bad.rotation = (scr_quat){2.0, 0.0, 0.0, 0.0};
        assert_refused(bad, "rotation", "(2, 0, 0, 0)");
        bad.rotation = (scr_quat){NAN, 0.0, 0.0, 0.0};
        assert_refused(bad, "rotation", "nan");
        bad = good[i];
        bad.position.y = INFINITY;
        assert_refused(bad, "position", "inf");
    }
    scr_shape typed = good[1];
    typed.rotation = (scr_quat){0.7071, 0.0, 0.7071, 0.0};
    assert_int_equal(shape_check(&typed, NULL), SCR_OK);

    assert_refused(scr_sphere(-1.0, material), "radius", "-1");
    assert_refused(scr_sphere(0.0, material), "radius", "0");
    assert_refused(scr_sphere(NAN, material), "radius", "nan");
    assert_refused(scr_sphere(1e300, material), "radius", "1e+300");
    assert_refused(scr_box(vec3(1, 1, -2), material), "half.z", "-2");
    assert_refused(scr_box(vec3(1, 0, 1), material), "half.y", "0");
    assert_refused(scr_box(vec3(INFINITY, 1, 1), material), "half.x", "inf");
    assert_refused((scr_shape){.kind = (scr_shape_kind)99}, "kind", "99");
}

static void volumes_and_inertias_are_the_textbook_ones(void **state)
{
    (void)state;
    scr_shape sphere = scr_sphere(0.3, (scr_material){1}), box = scr_box(vec3(0.5, 1.0, 1.5), (scr_material){1});
    scr_shape plane = scr_plane((scr_material){1});
    assert_near(shape_volume(&sphere, NULL), 4.0 / 3.0 * PI * 0.027, 1e-14);
    assert_near(shape_volume(&box, NULL), 1.0 * 2.0 * 3.0, 1e-15);
    assert_true(shape_volume(&plane, NULL) == 0.0);
    assert_true(shape_bounding_radius(&sphere, NULL) == 0.3);
    assert_near(shape_bounding_radius(&box, NULL), sqrt(0.25 + 1.0 + 2.25), 1e-15);
    assert_true(isinf(shape_bounding_radius(&plane, NULL)));

    mass_properties m = shape_mass_properties(&sphere, NULL, 1000.0);
    for (int i = 0; i < 3; ++i) assert_near(m.inertia.m[i][i], 0.4 * m.mass * 0.09, 1e-14);
    m = shape_mass_properties(&box, NULL, 2.0);  // 12 kg, edges 1, 2, 3 m
    assert_near(m.mass, 12.0, 1e-15);
    assert_near(m.inertia.m[0][0], 12.0 / 12.0 * (4.0 + 9.0), 1e-14);
    assert_near(m.inertia.m[1][1], 12.0 / 12.0 * (9.0 + 1.0), 1e-14);
    assert_near(m.inertia.m[2][2], 12.0 / 12.0 * (1.0 + 4.0), 1e-14);
    m = shape_mass_properties(&plane, NULL, 2.0);
    assert_true(m.mass == 0.0 && m.inertia.m[0][0] == 0.0);
}

// The integral of rho (|r|^2 1 - r r^T) about the centre of mass, over points drawn inside the shape.
static mass_properties weigh_by_drawing(const scr_shape *shape, double density, int draws)
{
    mass_properties m = {.mass = density * shape_volume(shape, NULL)};
    bool round = shape->kind == SCR_SPHERE;
    scr_vec3 room = round ? vec3(shape->radius, shape->radius, shape->radius) : shape->half;
    int inside = 0;
    for (int k = 0; k < draws; ++k) {
        scr_vec3 p = vec3_mul(room, some_vector((uint64_t)k, 1.0));
        if (round && vec3_norm(p) > shape->radius) continue;
        ++inside;
        scr_vec3 arm = quat_rotate(shape->rotation, p);
        const double r[3] = {arm.x, arm.y, arm.z};
        m.centre = vec3_add(m.centre, vec3_add(shape->position, arm));
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) m.inertia.m[i][j] += (i == j ? vec3_dot(arm, arm) : 0.0) - r[i] * r[j];
    }
    m.centre = vec3_scale(1.0 / inside, m.centre);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) m.inertia.m[i][j] *= m.mass / inside;
    return m;
}

static void drawn_points_weigh_the_same(void **state)
{
    (void)state;
    scr_shape shapes[] = {scr_sphere(0.3, (scr_material){1}), scr_box(vec3(0.5, 1.0, 1.5), (scr_material){1})};
    for (int s = 0; s < 2; ++s) {
        shapes[s].position = vec3(1.0, -2.0, 0.5);
        shapes[s].rotation = some_rotation(11);
        mass_properties exact = shape_mass_properties(&shapes[s], NULL, 800.0);
        mass_properties drawn = weigh_by_drawing(&shapes[s], 800.0, 200000);
        double size = exact.inertia.m[0][0] + exact.inertia.m[1][1] + exact.inertia.m[2][2];
        assert_within(vec3_norm(vec3_sub(exact.centre, drawn.centre)), 0.0, 0.01);
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) assert_within(exact.inertia.m[i][j], drawn.inertia.m[i][j], 0.01 * size);
    }
}

static void a_box_weighs_what_its_pieces_weigh(void **state)
{
    (void)state;
    enum { NX = 3, NY = 4, NZ = 5 };
    scr_shape whole = scr_box(vec3(0.3, 0.5, 0.8), (scr_material){1});
    whole.position = vec3(100.0, -50.0, 20.0);  // far from the frame's origin, where a careless sum loses digits
    whole.rotation = some_rotation(3);
    mass_properties pieces[NX * NY * NZ];
    int count = 0;
    for (int i = 0; i < NX; ++i) {
        for (int j = 0; j < NY; ++j) {
            for (int k = 0; k < NZ; ++k) {
                scr_shape piece = whole;
                piece.half = vec3(whole.half.x / NX, whole.half.y / NY, whole.half.z / NZ);
                scr_vec3 arm = vec3_mul(piece.half, vec3(2 * i + 1 - NX, 2 * j + 1 - NY, 2 * k + 1 - NZ));
                piece.position = pose_apply((pose){whole.position, whole.rotation}, arm);
                pieces[count++] = shape_mass_properties(&piece, NULL, 2500.0);
            }
        }
    }
    mass_properties one = shape_mass_properties(&whole, NULL, 2500.0), sum = mass_properties_sum(pieces, count);
    assert_near(sum.mass, one.mass, 1e-13);
    assert_within(vec3_norm(vec3_sub(sum.centre, one.centre)), 0.0, 1e-12);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            assert_within(sum.inertia.m[i][j], one.inertia.m[i][j], 1e-11 * one.inertia.m[0][0]);
}

static void a_dumbbell_has_its_centre_on_the_heavy_side(void **state)
{
    (void)state;
    scr_shape heavy = scr_sphere(0.1, (scr_material){1}), light = heavy;
    heavy.position = vec3(-1.0, 0.0, 0.0);
    light.position = vec3(2.0, 0.0, 0.0);
    mass_properties parts[] = {shape_mass_properties(&heavy, NULL, 2000.0),
                               shape_mass_properties(&light, NULL, 1000.0)};
    mass_properties sum = mass_properties_sum(parts, 2);
    double own = parts[0].inertia.m[0][0] + parts[1].inertia.m[0][0], reduced = parts[1].mass * 2.0 / 3.0;
    assert_within(sum.centre.x, 0.0, 1e-15);
    assert_near(sum.inertia.m[0][0], own, 1e-14);                  // about the line of centres
    assert_near(sum.inertia.m[1][1], own + reduced * 9.0, 1e-14);  // reduced mass, 3 m apart
    assert_near(sum.inertia.m[2][2], own + reduced * 9.0, 1e-14);

    mass_properties none = mass_properties_sum(parts, 0);
    assert_true(none.mass == 0.0 && none.centre.x == 0.0 && none.inertia.m[1][1] == 0.0);
}

static void placing_carries_every_point_of_the_shape(void **state)
{
    (void)state;
    for (uint64_t k = 0; k < 100; ++k) {
        scr_shape box = scr_box(vec3(1, 2, 3), (scr_material){1});
        box.position = some_vector(2 * k, 5.0);
        box.rotation = some_rotation(2 * k);
        scr_vec3 position = some_vector(2 * k + 1, 5.0), point = some_vector(3 * k, 1.0);
        scr_quat rotation = some_rotation(2 * k + 1);
        placed_shape placed = shape_place(&box, NULL, (pose){position, rotation});
        scr_vec3 in_body = pose_apply((pose){box.position, box.rotation}, point);
        scr_vec3 expected = vec3_add(position, quat_rotate(rotation, in_body));
        scr_vec3 seen = pose_apply(placed.pose, point);
        assert_within(vec3_norm(vec3_sub(seen, expected)), 0.0, 1e-14);
        assert_near(quat_norm2(placed.pose.rotation), 1.0, 1e-15);
    }
}

// The extent along each world axis, from the corners themselves.
static scr_aabb corner_aabb(const placed_shape *box)
{
    scr_aabb seen = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int c = 0; c < 8; ++c) {
        scr_vec3 arm = vec3_mul(box->half, vec3(c & 1 ? 1 : -1, c & 2 ? 1 : -1, c & 4 ? 1 : -1));
        scr_vec3 p = pose_apply(box->pose, arm);
        seen.low = vec3(fmin(seen.low.x, p.x), fmin(seen.low.y, p.y), fmin(seen.low.z, p.z));
        seen.high = vec3(fmax(seen.high.x, p.x), fmax(seen.high.y, p.y), fmax(seen.high.z, p.z));
    }
    return seen;
}

static void extents_are_tight(void **state)
{
    (void)state;
    for (uint64_t k = 0; k < 200; ++k) {
        placed_shape box = {
            SCR_BOX, {some_vector(k, 10.0), some_rotation(k)}, 0.0, vec3_abs(some_vector(k + 500, 2.0)), NULL};
        scr_aabb told = placed_aabb(&box), seen = corner_aabb(&box);
        assert_within(vec3_norm(vec3_sub(told.low, seen.low)), 0.0, 1e-13);
        assert_within(vec3_norm(vec3_sub(told.high, seen.high)), 0.0, 1e-13);
    }
    placed_shape sphere = {
        .kind = SCR_SPHERE, .pose.position = {1, 2, 3}, .pose.rotation = QUAT_IDENTITY, .radius = 0.5};
    scr_aabb told = placed_aabb(&sphere);
    assert_true(told.low.x == 0.5 && told.low.y == 1.5 && told.low.z == 2.5);
    assert_true(told.high.x == 1.5 && told.high.y == 2.5 && told.high.z == 3.5);
}

static void a_plane_is_bounded_only_along_its_normal(void **state)
{
    (void)state;
    placed_shape plane = {.kind = SCR_PLANE, .pose.position = {1, 2, 3}, .pose.rotation = QUAT_IDENTITY};
    scr_aabb told = placed_aabb(&plane);
    assert_true(told.high.z == 3.0 && isinf(told.low.z) && isinf(told.low.x) && isinf(told.high.x) &&
                isinf(told.high.y));
    plane.pose.rotation = (scr_quat){0.0, 1.0, 0.0, 0.0};  // upside down: everything above z = 3
    told = placed_aabb(&plane);
    assert_true(told.low.z == 3.0 && isinf(told.high.z) && isinf(told.low.y));
    plane.pose.rotation = some_rotation(5);
    told = placed_aabb(&plane);
    assert_true(isinf(told.low.x) && isinf(told.low.y) && isinf(told.low.z));
    assert_true(isinf(told.high.x) && isinf(told.high.y) && isinf(told.high.z));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_shapes_pass_and_bad_ones_name_their_field),
        cmocka_unit_test(volumes_and_inertias_are_the_textbook_ones),
        cmocka_unit_test(drawn_points_weigh_the_same),
        cmocka_unit_test(a_box_weighs_what_its_pieces_weigh),
        cmocka_unit_test(a_dumbbell_has_its_centre_on_the_heavy_side),
        cmocka_unit_test(placing_carries_every_point_of_the_shape),
        cmocka_unit_test(extents_are_tight),
        cmocka_unit_test(a_plane_is_bounded_only_along_its_normal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
