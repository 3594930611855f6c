// SPDX-License-Identifier: BSD-3-Clause
// Pictures of parts: the same thing said in two ways looks the same, and a part out of all reach does no harm.
#include <stdlib.h>

#include "check.h"
#include "surfaces_by_hand.h"
#include "view/render/render.h"
#include "view/synthetic.h"

static picture render(const frame *f)
{
    render_options o = render_default_options();
    o.width = 160;
    o.height = 100;
    o.samples = 16;
    o.threads = 1;
    o.view.colour = COLOUR_MATERIAL;
    o.view.has_eye = o.view.has_target = true;
    o.view.eye = (scr_vec3){3.0, -5.0, 3.0};
    o.view.has_ground_height = true;
    o.view.ground_height = -1.5;
    picture p;
    scr_error error;
    if (render_frame(f, &o, &p, NULL, &error) != SCR_OK) fail_msg("%s", error.message);
    return p;
}

// The mean difference of colours of two pictures, 0 to 255.
static double difference(const picture *a, const picture *b)
{
    double sum = 0.0;
    int64_t count = (int64_t)a->width * a->height;
    for (int64_t i = 0; i < count; ++i) {
        for (int shift = 0; shift < 24; shift += 8)
            sum += abs((int)(a->pixel[i] >> shift & 255) - (int)(b->pixel[i] >> shift & 255));
    }
    return sum / (3.0 * (double)count);
}

static void assert_look_the_same(const frame *a, const frame *b, double tolerance)
{
    frame nothing = {0};
    picture p = render(a), q = render(b), empty = render(&nothing);
    assert_true(difference(&p, &empty) > 8.0);  // there is something to see
    double d = difference(&p, &q);
    if (!(d < tolerance)) fail_msg("the pictures differ by %g", d);
    picture_free(&p);
    picture_free(&q);
    picture_free(&empty);
}

static const float ORIGIN[3] = {0.0f, 0.0f, 0.0f}, NO_HALF[3] = {0.0f, 0.0f, 0.0f};

static void an_ellipsoid_of_equal_axes_is_a_sphere(void **state)
{
    (void)state;
    frame a = {0}, b = {0};
    add_sphere(&a, 0.0f, 0.0f, 0.0f, 1.0f, 0.0f);
    add_part(&b, SCR_ELLIPSOID, SCR_DYNAMIC, ORIGIN, (float[3]){1.0f, 1.0f, 1.0f}, -1);
    assert_look_the_same(&a, &b, 0.3);
    // A capsule of hardly any length is one too.
    b.parts[0].shape = SCR_CAPSULE;
    b.parts[0].half[2] = 1e-4f;
    assert_look_the_same(&a, &b, 0.3);
    frame_free(&a);
    frame_free(&b);
}

static void a_ball_of_triangles_is_a_sphere(void **state)
{
    (void)state;
    frame a = {0}, b = {0};
    frame_surfaces s = {0};
    append_ball(&s);
    add_sphere(&a, 0.0f, 0.0f, 0.0f, 1.0f, 0.0f);
    add_part(&b, SCR_MESH, SCR_DYNAMIC, ORIGIN, NO_HALF, 0);
    b.surfaces = &s;
    assert_look_the_same(&a, &b, 1.0);
    frame_free(&a);
    frame_free(&b);
    frame_surfaces_free(&s);
}

static void a_turned_cube_of_triangles_is_a_box(void **state)
{
    (void)state;
    frame a = {0}, b = {0};
    frame_surfaces s = {0};
    append_ball(&s);
    append_cube(&s);
    frame_shape *box = add_box(&a, SCR_DYNAMIC, (float[3]){0.2f, 0.1f, 0.3f}, (float[3]){1.0f, 1.0f, 1.0f}, 0.4f, 0.7f);
    frame_shape *part = add_part(&b, SCR_HULL, SCR_DYNAMIC, box->position, NO_HALF, 1);
    memcpy(part->rotation, box->rotation, sizeof part->rotation);
    b.surfaces = &s;
    assert_look_the_same(&a, &b, 0.6);
    frame_free(&a);
    frame_free(&b);
    frame_surfaces_free(&s);
}

// Far away, not a number, and of no size.
static void parts_out_of_reach_are_left_out(void **state)
{
    (void)state;
    frame a = {0}, b = {0};
    add_sphere(&a, 0.0f, 0.0f, 0.0f, 1.0f, 0.0f);
    add_sphere(&b, 0.0f, 0.0f, 0.0f, 1.0f, 0.0f);
    add_part(&b, SCR_CONE, SCR_FIXED, (float[3]){1e20f, 0.0f, 0.0f}, (float[3]){1.0f, 1.0f, 1.0f}, -1);
    add_part(&b, SCR_CYLINDER, SCR_DYNAMIC, (float[3]){NAN, 0.0f, 0.0f}, (float[3]){1.0f, 1.0f, 1.0f}, -1);
    add_part(&b, SCR_ELLIPSOID, SCR_DYNAMIC, (float[3]){0.0f, 0.0f, INFINITY}, (float[3]){1.0f, 1.0f, 1.0f}, -1);
    assert_look_the_same(&a, &b, 1e-9);
    frame_free(&a);
    frame_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_ellipsoid_of_equal_axes_is_a_sphere),
        cmocka_unit_test(a_ball_of_triangles_is_a_sphere),
        cmocka_unit_test(a_turned_cube_of_triangles_is_a_box),
        cmocka_unit_test(parts_out_of_reach_are_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
