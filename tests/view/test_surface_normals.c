// SPDX-License-Identifier: BSD-3-Clause
// Smooth normals: radial on a ball of triangles, flat on a cube.
#include "check.h"
#include "surfaces_by_hand.h"
#include "view/render/surface_normals.h"

static void a_ball_of_triangles_looks_round(void **state)
{
    (void)state;
    frame_surfaces s = {0};
    surface_normals n = {0};
    append_ball(&s);
    assert_int_equal(surface_normals_make(&n, &s, 0, NULL), SCR_OK);
    for (int64_t t = 2 * SPOKES; t < 2 * (RINGS - 1) * SPOKES; ++t) {
        const int32_t *c = &s.triangle[3 * t];
        vec3f a = vec3f_load(&s.vertex[3 * c[0]]), b = vec3f_load(&s.vertex[3 * c[1]]),
              d = vec3f_load(&s.vertex[3 * c[2]]);
        vec3f middle = vec3f_unit(0.2f * a + 0.5f * b + 0.3f * d),
              normal = surface_normal_at(&n, (uint32_t)t, 0.5f, 0.3f);
        assert_within(vec3f_norm(normal), 1.0, 1e-5);
        assert_true(vec3f_dot(middle, normal) > 0.9995f);  // 2 degrees; the triangles themselves are up to 6 off
        // Points of a triangle lie inside the ball; bulging brings them most of the way out to it.
        vec3f point = 0.2f * a + 0.5f * b + 0.3f * d,
              out = point + surface_bulge_at(&n, &s, 0, (uint32_t)t, 0.5f, 0.3f);
        assert_true(1.0f - vec3f_norm(point) > 2e-4f);
        assert_true(fabsf(vec3f_norm(out) - 1.0f) < 1.1f * (1.0f - vec3f_norm(point)) &&
                    vec3f_norm(out) > vec3f_norm(point));
    }
    surface_normals_free(&n);
    frame_surfaces_free(&s);
}

static void the_faces_of_a_cube_stay_flat(void **state)
{
    (void)state;
    frame_surfaces s = {0};
    surface_normals n = {0};
    append_ball(&s);
    append_cube(&s);
    assert_int_equal(surface_normals_make(&n, &s, 1, NULL), SCR_OK);
    for (uint32_t t = 0; t < 12; ++t) {
        vec3f normal = surface_normal_at(&n, t, 0.1f, 0.8f);
        int axis = (int)t / 4;
        assert_within(normal[axis], t / 2 % 2 ? 1.0 : -1.0, 1e-6);
        assert_within(vec3f_norm(surface_bulge_at(&n, &s, 1, t, 0.1f, 0.8f)), 0.0, 1e-6);
    }
    surface_normals_free(&n);
    frame_surfaces_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_of_triangles_looks_round),
        cmocka_unit_test(the_faces_of_a_cube_stay_flat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
