// SPDX-License-Identifier: BSD-3-Clause
// Parts: what a solid weighs, against closed forms; and a sentence for what is none.
#include "check.h"

#include <math.h>
#include <string.h>

#include "fitting/part.h"
#include "geometry/made_solids.h"

static made_mesh m;  // large: not on the stack

static part make_part(void)
{
    part p;
    scr_error error = {0};
    scr_triangles t = triangles_of(&m);
    if (part_make(&t, &p, &error) != SCR_OK) fail_msg("%s", error.message);
    return p;
}

static void assert_refused(const char *message)
{
    part p;
    scr_error error = {0};
    scr_triangles t = triangles_of(&m);
    assert_int_equal(part_make(&t, &p, &error), SCR_BAD_INPUT);
    if (strstr(error.message, message) == NULL) fail_msg("\"%s\" does not say \"%s\"", error.message, message);
    part_free(&p);
}

static void make_box(void)
{
    clear_mesh(&m);
    add_block(&m, vec3(3.0, -2.0, 1.0), vec3(0.3, 0.2, 0.5));
}

static void assert_solid(double volume, scr_vec3 centre, scr_vec3 inertia)
{
    part p = make_part();
    solid_properties s = part_solid(&p);
    assert_near(s.volume, volume, 1e-10);
    assert_true(vec3_norm(vec3_sub(s.centre, centre)) < 1e-10);
    assert_near(s.inertia.m[0][0], inertia.x, 1e-10);
    assert_near(s.inertia.m[1][1], inertia.y, 1e-10);
    assert_near(s.inertia.m[2][2], inertia.z, 1e-10);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < i; ++j) assert_true(fabs(s.inertia.m[i][j]) < 1e-10 * inertia.z);
    part_free(&p);
}

static void a_box_weighs_what_a_box_does(void **state)
{
    (void)state;
    make_box();
    assert_solid(8.0 * 0.3 * 0.2 * 0.5, vec3(3.0, -2.0, 1.0),
                 vec3((0.04 + 0.25) / 3.0, (0.09 + 0.25) / 3.0, (0.09 + 0.04) / 3.0));
}

// A prism over a regular polygon of n corners: its area is n/2 R^2 sin(2 pi / n), and the second moment of a unit of it
// about an axis in its plane R^2 (2 + cos(2 pi / n)) / 12.
static void a_prism_weighs_what_a_prism_does(void **state)
{
    (void)state;
    const int n = 48;
    const double radius = 0.4, half = 0.7, angle = 2.0 * M_PI / n;
    clear_mesh(&m);
    add_cylinder(&m, radius, half, n);
    double disc = radius * radius * (2.0 + cos(angle)) / 12.0;
    double across = disc + half * half / 3.0;
    assert_solid(0.5 * n * radius * radius * sin(angle) * 2.0 * half, vec3(0.0, 0.0, 0.0),
                 vec3(across, across, 2.0 * disc));
}

// A ring turned about z in n steps: over each step the area of the profile is swept by chords instead of arcs.
static void a_turned_ring_weighs_what_pappus_says(void **state)
{
    (void)state;
    const double profile[4][2] = {{0.5, -0.2}, {0.8, -0.2}, {0.8, 0.2}, {0.5, 0.2}};
    const int n = 64;
    clear_mesh(&m);
    add_revolved(&m, profile, 4, n);
    part p = make_part();
    double outer = 0.5 * n * 0.64 * sin(2.0 * M_PI / n), inner = 0.5 * n * 0.25 * sin(2.0 * M_PI / n);
    assert_near(part_solid(&p).volume, 0.4 * (outer - inner), 1e-10);
    part_free(&p);
}

static void the_origin_is_the_centre_of_mass(void **state)
{
    (void)state;
    make_box();
    part p = make_part();
    solid_properties there = triangles_solid(&p.surface->triangles);
    assert_true(vec3_norm(there.centre) < 1e-12);
    part_free(&p);
}

static void an_open_surface_is_named(void **state)
{
    (void)state;
    make_box();
    --m.triangle_count;
    assert_refused("the surface is open: 3 edges have a triangle on one side only, the first from (");
}

static void a_flipped_face_is_named(void **state)
{
    (void)state;
    make_box();
    int32_t *t = m.triangle + 3 * 5, swapped = t[0];
    t[0] = t[1], t[1] = swapped;
    assert_refused("the surface has flipped faces: along 3 edges both triangles run the same way");
}

static void a_surface_that_is_inside_out_is_named(void **state)
{
    (void)state;
    make_box();
    for (int64_t k = 0; k < m.triangle_count; ++k) {
        int32_t *t = m.triangle + 3 * k, swapped = t[0];
        t[0] = t[1], t[1] = swapped;
    }
    assert_refused("the surface is inside out: its triangles face the inside, and the volume is -0.24 m^3");
}

static void numbers_that_are_none_are_named(void **state)
{
    (void)state;
    make_box();
    m.vertex[3].y = NAN;
    assert_refused("vertex 3 is at (");
    make_box();
    m.vertex[3].y = 1e12;
    assert_refused("at most 1e+09 m");
    make_box();
    m.triangle[7] = 99;
    assert_refused("refers to vertex 99");
}

static void a_fin_is_named(void **state)
{
    (void)state;
    make_box();
    int32_t a = m.triangle[0], b = m.triangle[1], out = add_spot(&m, vec3(5.0, 5.0, 5.0));
    add_face(&m, a, b, out);
    assert_refused("the surface is open");
    add_face(&m, b, a, out);
    assert_refused("bounds no solid");
}

// A corner is cut by an edge along which a triangle without an area lies: still closed.
static void triangles_without_an_area_are_counted(void **state)
{
    (void)state;
    make_box();
    int32_t *t = m.triangle, a = t[0], b = t[1], c = t[2];
    int32_t middle = add_spot(&m, vec3_scale(0.5, vec3_add(m.vertex[a], m.vertex[b])));
    t[0] = a, t[1] = middle, t[2] = c;
    add_face(&m, middle, b, c);
    add_face(&m, a, b, middle);
    part p = make_part();
    assert_int_equal(p.flat_count, 1);
    assert_near(part_solid(&p).volume, 0.24, 1e-10);
    part_free(&p);
}

static void nothing_at_all_is_named(void **state)
{
    (void)state;
    clear_mesh(&m);
    assert_refused("at least one triangle");
    make_box();
    for (int64_t k = 0; k < m.vertex_count; ++k) m.vertex[k] = vec3(1.0, 2.0, 3.0);
    assert_refused("no triangle of the mesh has an area");
    make_box();
    for (int64_t k = 0; k < m.vertex_count; ++k) m.vertex[k].z = 0.0;
    assert_refused("no volume");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_weighs_what_a_box_does),
        cmocka_unit_test(a_prism_weighs_what_a_prism_does),
        cmocka_unit_test(a_turned_ring_weighs_what_pappus_says),
        cmocka_unit_test(the_origin_is_the_centre_of_mass),
        cmocka_unit_test(an_open_surface_is_named),
        cmocka_unit_test(a_flipped_face_is_named),
        cmocka_unit_test(a_surface_that_is_inside_out_is_named),
        cmocka_unit_test(numbers_that_are_none_are_named),
        cmocka_unit_test(a_fin_is_named),
        cmocka_unit_test(triangles_without_an_area_are_counted),
        cmocka_unit_test(nothing_at_all_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
