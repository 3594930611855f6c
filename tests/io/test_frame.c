// SPDX-License-Identifier: BSD-3-Clause
// A frame holds every shape of a world, each where it is, and the surfaces they are made of.
#include "check.h"
#include "core/maths/quat.h"
#include "io/trajectory/frame.h"

static const scr_vec3 corner[4] = {{0, 0, 0}, {3, 0, 0}, {0, 3, 0}, {0, 0, 3}};
static const int32_t face[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};

static scr_world *make_world(scr_material *material)
{
    scr_world_def def = scr_default_world_def();
    scr_material_def plain = scr_default_material_def();
    scr_world *world;
    assert_int_equal(scr_world_create(&def, &world, NULL), SCR_OK);
    assert_int_equal(scr_world_add_material(world, &plain, material, NULL), SCR_OK);
    return world;
}

static void add_shape(scr_world *world, scr_body_kind kind, scr_shape shape, scr_vec3 position)
{
    scr_body_def def = scr_default_body_def();
    scr_body body;
    scr_error error;
    def.kind = kind;
    def.position = position;
    def.rotation = (scr_quat){0.6, 0.8, 0.0, 0.0};
    def.velocity = kind == SCR_FIXED ? vec3(0, 0, 0) : vec3(1, 2, 3);
    def.shapes = &shape;
    def.shape_count = 1;
    if (scr_world_add_body(world, &def, &body, &error) != SCR_OK) fail_msg("%s", error.message);
}

// A sphere, a box and an ellipsoid with one angular velocity, given in the world's frame.
static void frames_hold_rotations_and_angular_velocities(void **state)
{
    (void)state;
    scr_material m;
    scr_world *world = make_world(&m);
    const scr_shape shapes[3] = {scr_sphere(0.5, m), scr_box(vec3(1, 2, 3), m), scr_ellipsoid(vec3(1, 2, 3), m)};
    for (int k = 0; k < 3; ++k) {
        scr_body_def def = scr_default_body_def();
        scr_body body;
        def.kind = SCR_KINEMATIC;
        def.position = vec3(0, 0, 10.0 * k);
        def.rotation = (scr_quat){0.6, 0.8, 0.0, 0.0};
        def.spin = vec3(1, -2, 3);
        def.shapes = &shapes[k];
        def.shape_count = 1;
        assert_int_equal(scr_world_add_body(world, &def, &body, NULL), SCR_OK);
    }
    frame f = {0};
    assert_int_equal(frame_capture(world, &f, NULL), SCR_OK);
    assert_int_equal(f.rotation_count, 0);
    assert_int_equal(frame_capture_rotations(world, &f, NULL), SCR_OK);
    assert_int_equal(f.rotation_count, 1);
    const float *turning[3] = {f.rotations[0].angular_velocity, f.boxes[0].angular_velocity,
                               f.parts[0].angular_velocity};
    for (int k = 0; k < 3; ++k) {
        assert_near(turning[k][0], 1.0, 1e-6);
        assert_near(turning[k][1], -2.0, 1e-6);
        assert_near(turning[k][2], 3.0, 1e-6);
    }
    assert_near(f.rotations[0].rotation[0], 0.6, 1e-6);
    assert_near(f.rotations[0].rotation[1], 0.8, 1e-6);
    frame_free(&f);
    scr_world_destroy(world);
}

static void every_kind_has_its_place(void **state)
{
    (void)state;
    scr_material m;
    scr_world *world = make_world(&m);
    scr_triangles solid = {4, 4, corner, face};
    scr_surface mesh;
    assert_int_equal(scr_world_add_mesh(world, &solid, &mesh, NULL), SCR_OK);
    add_shape(world, SCR_DYNAMIC, scr_sphere(0.5, m), vec3(0, 0, 10));
    add_shape(world, SCR_DYNAMIC, scr_box(vec3(1, 2, 3), m), vec3(0, 0, 20));
    add_shape(world, SCR_FIXED, scr_plane(m), vec3(0, 0, 0));
    add_shape(world, SCR_DYNAMIC, scr_ellipsoid(vec3(1, 2, 3), m), vec3(0, 0, 30));
    add_shape(world, SCR_KINEMATIC, scr_cone(2.0, 4.0, m), vec3(7, 8, 9));
    add_shape(world, SCR_FIXED, scr_surface_shape(world, mesh, m), vec3(0, 0, 50));

    frame f = {0};
    frame_surfaces s = {0};
    assert_int_equal(frame_capture(world, &f, NULL), SCR_OK);
    assert_int_equal(frame_surfaces_capture(world, &s, NULL), SCR_OK);
    assert_int_equal(f.spheres.count, 1);
    assert_int_equal(f.box_count, 1);
    assert_int_equal(f.plane_count, 1);
    assert_int_equal(f.part_count, 3);

    const frame_shape *egg = &f.parts[0], *cone = &f.parts[1], *solid_part = &f.parts[2];
    assert_int_equal(egg->shape, SCR_ELLIPSOID);
    assert_int_equal(egg->id, 4);
    assert_int_equal(egg->surface, -1);
    for (int axis = 0; axis < 3; ++axis) {
        assert_within(egg->half[axis], axis + 1.0, 1e-6);
        assert_within(egg->velocity[axis], axis + 1.0, 1e-6);
    }
    assert_int_equal(cone->shape, SCR_CONE);
    assert_int_equal(cone->kind, SCR_KINEMATIC);
    assert_within(cone->half[0], 2.0, 1e-6);
    assert_within(cone->half[2], 4.0, 1e-6);
    assert_within(cone->position[0], 7.0, 1e-5);
    assert_int_equal(solid_part->shape, SCR_MESH);
    assert_int_equal(solid_part->surface, 0);

    // A vertex of the surface, taken to the world by the part's pose, is the vertex that was given, in the body's pose.
    assert_int_equal(s.count, 1);
    assert_int_equal(s.item[0].vertex_count, 4);
    assert_int_equal(s.item[0].triangle_count, 4);
    scr_quat turned = {solid_part->rotation[0], solid_part->rotation[1], solid_part->rotation[2],
                       solid_part->rotation[3]};
    for (int i = 0; i < 4; ++i) {
        scr_vec3 own = vec3(s.vertex[3 * i], s.vertex[3 * i + 1], s.vertex[3 * i + 2]);
        scr_vec3 at = vec3_add(quat_rotate(turned, own),
                               vec3(solid_part->position[0], solid_part->position[1], solid_part->position[2]));
        double nearest = INFINITY;
        for (int k = 0; k < 4; ++k) {
            scr_vec3 given = vec3_add(quat_rotate((scr_quat){0.6, 0.8, 0.0, 0.0}, corner[k]), vec3(0, 0, 50));
            nearest = fmin(nearest, vec3_norm(vec3_sub(given, at)));
        }
        assert_within(nearest, 0.0, 1e-5);
    }
    frame_free(&f);
    frame_surfaces_free(&s);
    scr_world_destroy(world);
}

// Of every sort of shape, one of the body that stays and one of the body that is hidden.
static void hidden_bodies_leave_all_their_shapes(void **state)
{
    (void)state;
    frame f = {0};
    assert_int_equal(frame_reserve(&f, (frame_size){3, 2, 2, 2, 0, 3, 0}, NULL), SCR_OK);
    f.spheres.count = f.rotation_count = 3;
    f.box_count = f.plane_count = f.part_count = 2;
    for (int i = 0; i < 3; ++i) f.rotations[i] = (frame_rotation){.rotation = {(float)i}};
    for (uint32_t i = 0; i < 3; ++i) {
        for (uint32_t axis = 0; axis < 3; ++axis) {
            f.spheres.position[3 * i + axis] = (float)(10 * i + axis);
            f.spheres.velocity[3 * i + axis] = (float)(100 * i + axis);
        }
        f.spheres.radius[i] = (float)i;
        f.spheres.id[i] = i + 1;
        f.spheres.material[i] = (uint8_t)i;
    }
    for (uint32_t i = 0; i < 2; ++i) f.boxes[i].id = f.planes[i].id = f.parts[i].id = i + 1;
    frame_hide_bodies(&f, (const bool[2]){true, false}, 2);
    assert_int_equal(f.spheres.count, 2);
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(f.spheres.id[i], i + 2);
        assert_within(f.spheres.position[3 * i + 2], 10 * (i + 1) + 2, 0.0);
        assert_within(f.spheres.velocity[3 * i + 2], 100 * (i + 1) + 2, 0.0);
        assert_within(f.spheres.radius[i], i + 1, 0.0);
        assert_int_equal(f.spheres.material[i], i + 1);
        assert_within(f.rotations[i].rotation[0], i + 1, 0.0);
    }
    assert_true(f.box_count == 1 && f.plane_count == 1 && f.part_count == 1);
    assert_true(f.boxes[0].id == 2 && f.planes[0].id == 2 && f.parts[0].id == 2);
    frame_free(&f);
}

// Two spheres that press each other across the seam at x = 1, a box and a cone some cells away.
static void frames_of_a_space_that_repeats_are_wrapped(void **state)
{
    (void)state;
    scr_world_def def = scr_default_world_def();
    scr_material_def plain = scr_default_material_def();
    scr_material m;
    scr_world *world;
    def.period = (scr_period){.high = {1, 4, 0}};
    def.gravity = vec3(0, 0, 0);
    assert_int_equal(scr_world_create(&def, &world, NULL), SCR_OK);
    assert_int_equal(scr_world_add_material(world, &plain, &m, NULL), SCR_OK);
    add_shape(world, SCR_DYNAMIC, scr_sphere(0.1, m), vec3(3.95, 1, 7));
    add_shape(world, SCR_DYNAMIC, scr_sphere(0.1, m), vec3(-1.86, 1 - 4, 7));
    add_shape(world, SCR_DYNAMIC, scr_box(vec3(0.1, 0.1, 0.1), m), vec3(-2.75, 9, -5));
    add_shape(world, SCR_FIXED, scr_cone(0.1, 0.2, m), vec3(0.25, -1, 50));
    assert_int_equal(scr_world_step(world, NULL), SCR_OK);
    frame f = {0};
    assert_int_equal(frame_capture(world, &f, NULL), SCR_OK);
    assert_int_equal(frame_capture_contacts(world, &f, NULL), SCR_OK);
    assert_int_equal(f.contact_count, 1);
    const float *ends = f.contacts[0].ends;
    assert_within(fabs(ends[3] - ends[0]), 0.19, 0.02);  // in the file, too, the line is short
    float came[3] = {f.spheres.position[0], f.spheres.position[1], f.spheres.position[2]};
    assert_int_equal(frame_wrap(&f, NULL), SCR_OK);
    assert_int_equal(f.image_count, 2);
    assert_int_equal(f.images[0].along[0], 3);
    assert_int_equal(f.images[0].along[1], 0);
    assert_int_equal(f.images[1].along[0], -2);
    assert_int_equal(f.images[1].along[1], -1);
    for (int axis = 0; axis < 3; ++axis)
        assert_within(f.spheres.position[axis] + f.images[0].along[axis] * f.period.length[axis], came[axis], 1e-6);
    assert_within(f.spheres.position[3], 0.14, 0.02);
    assert_within(f.boxes[0].position[0], 0.25, 0.02);
    assert_within(f.boxes[0].position[1], 1, 0.02);
    assert_within(f.boxes[0].position[2], -5, 0.02);
    assert_int_equal(f.boxes[0].image[0], -3);
    assert_int_equal(f.boxes[0].image[1], 2);
    assert_within(f.parts[0].position[1], 3, 1e-6);
    assert_within(ends[0], f.contacts[0].bodies[0] == 1 ? 0.95 : 0.14, 0.02);
    assert_within(fabs(ends[3] - ends[0]), 0.19, 0.02);
    assert_within(ends[4], ends[1], 0.02);
    frame_free(&f);
    scr_world_destroy(world);
}

// A sphere set is one part of a frame, and drawn as its spheres, each where it is and as fast as it is there.
static void sphere_sets_are_drawn_as_their_spheres(void **state)
{
    (void)state;
    enum { COUNT = 20 };
    scr_material m;
    scr_world *world = make_world(&m);
    scr_vec3 centre[COUNT];
    double radius[COUNT];
    scr_surface set, mesh;
    scr_triangles t = {4, 4, corner, face};
    for (int k = 0; k < COUNT; ++k) centre[k] = vec3(k, 0.5 * k * k, -k), radius[k] = 0.25 * (k + 1);
    assert_int_equal(scr_world_add_sphere_set(world, COUNT, centre, radius, &set, NULL), SCR_OK);
    assert_int_equal(scr_world_add_mesh(world, &t, &mesh, NULL), SCR_OK);
    scr_shape shape = scr_surface_shape(world, set, m);
    scr_body_def def = scr_default_body_def();
    scr_body body;
    def.kind = SCR_KINEMATIC;
    def.position = vec3(1, 2, 3);
    def.rotation = (scr_quat){0.6, 0.8, 0.0, 0.0};
    def.velocity = vec3(4, 5, 6);
    def.spin = vec3(1, -2, 3);
    def.shapes = &shape;
    def.shape_count = 1;
    assert_int_equal(scr_world_add_body(world, &def, &body, NULL), SCR_OK);
    add_shape(world, SCR_FIXED, scr_surface_shape(world, mesh, m), vec3(1, 2, 3));
    add_shape(world, SCR_FIXED, scr_sphere(7.0, m), vec3(0, 0, 0));
    frame f = {0};
    frame_surfaces surfaces = {0};
    assert_int_equal(frame_surfaces_capture(world, &surfaces, NULL), SCR_OK);
    assert_int_equal(frame_capture(world, &f, NULL), SCR_OK);
    assert_int_equal(frame_capture_rotations(world, &f, NULL), SCR_OK);
    assert_int_equal(f.spheres.count, 1);
    assert_int_equal(f.part_count, 2);
    f.surfaces = &surfaces;
    assert_int_equal(frame_spread_sets(&f, NULL), SCR_OK);
    assert_int_equal(f.spheres.count, COUNT + 1);
    assert_int_equal(f.rotation_count, COUNT + 1);
    assert_int_equal(f.part_count, 1);
    assert_int_equal(f.parts[0].surface, 1);
    for (int k = 0; k < COUNT; ++k) {
        scr_vec3 arm = quat_rotate(def.rotation, centre[k]), at = vec3_add(def.position, arm);
        scr_vec3 velocity = vec3_add(def.velocity, vec3_cross(def.spin, arm));
        int i = 1;
        while (i <= COUNT && fabs((double)f.spheres.radius[i] - radius[k]) > 1e-6) ++i;
        assert_true(i <= COUNT);
        assert_near(f.spheres.position[3 * i], at.x, 1e-4);
        assert_near(f.spheres.position[3 * i + 1], at.y, 1e-4);
        assert_near(f.spheres.position[3 * i + 2], at.z, 1e-4);
        assert_near(f.spheres.velocity[3 * i], velocity.x, 1e-4);
        assert_near(f.spheres.velocity[3 * i + 1], velocity.y, 1e-4);
        assert_near(f.spheres.velocity[3 * i + 2], velocity.z, 1e-4);
        assert_near(f.rotations[i].rotation[1], 0.8, 1e-6);
        assert_int_equal(f.spheres.id[i], 1);
    }
    assert_int_equal(surfaces.count, 2);
    assert_int_equal(surfaces.item[0].vertex_count, 0);
    assert_int_equal(surfaces.item[1].vertex_count, 4);
    frame_surfaces_free(&surfaces);
    frame_free(&f);
    scr_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_kind_has_its_place),
                                       cmocka_unit_test(frames_of_a_space_that_repeats_are_wrapped),
                                       cmocka_unit_test(hidden_bodies_leave_all_their_shapes),
                                       cmocka_unit_test(frames_hold_rotations_and_angular_velocities),
                                       cmocka_unit_test(sphere_sets_are_drawn_as_their_spheres)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
