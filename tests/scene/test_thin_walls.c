// SPDX-License-Identifier: BSD-3-Clause
// Thin walls: named when a grain may pass their middle in a step, and not when it cannot.
#include "core/base/memory.h"
#include "make_scene.h"
#include "scene/parts/thin_walls.h"

static thin_walls walls_of(const scene *s)
{
    thin_walls walls = {0};
    simulation *sim = created(s, 1);
    scr_error error;
    if (find_thin_walls(s, simulation_world(sim), &walls, &error) != SCR_OK) fail_msg("%s", error.message);
    simulation_destroy(sim);
    return walls;
}

// A ball of 5 mm falls h to a plate of 2 mm, lower side at z = 0: it may travel dt sqrt(2 g (h + 5 mm)) in a step, and
// needs 5 + 1 mm to come beyond the middle.
static void a_plate_is_thin_from_the_height_on_that_the_fall_needs(void **state)
{
    (void)state;
    const double dt = 1e-3, g = 9.81, needed = 6e-3, top = (needed / dt) * (needed / dt) / (2.0 * g) - 5e-3;
    for (int above = 0; above < 2; ++above) {
        test_scene t;
        scene_begin(&t);
        add_body(&t, "plate", SCR_FIXED, scr_box(vec3(1, 1, 1e-3), (scr_material){1}), vec3(0, 0, 1e-3));
        add_ball(&t, "ball", 5e-3, vec3(0, 0, above ? top + 1e-6 : top - 1e-6));
        thin_walls walls = walls_of(&t.s);
        assert_int_equal(walls.count, above);
        if (above) {
            assert_int_equal(walls.item[0].body, 1);
            assert_near(walls.item[0].thickness, 2e-3, 1e-12);
            assert_near(walls.item[0].radius, 5e-3, 1e-12);
            assert_near(walls.item[0].speed, needed / dt, 1e-6);
            assert_near(walls.item[0].travel, needed, 1e-6);
            assert_near(walls.item[0].drop, top + 5e-3, 1e-6);
        }
        scr_free(walls.item);
        scene_end(&t);
    }
}

static void speed_counts_wherever_it_comes_from(void **state)
{
    (void)state;
    for (int variant = 0; variant < 5; ++variant) {
        test_scene t;
        scene_begin(&t);
        t.s.gravity = formulae(&t, "0", "0", "0");
        t.s.world.gravity = vec3(0, 0, 0);
        scene_body *plate = add_body(&t, "plate", variant < 3 ? SCR_FIXED : SCR_KINEMATIC,
                                     scr_box(vec3(1, 1, 1e-3), (scr_material){1}), vec3(0, 0, 0));
        scene_body *thrown = add_ball(&t, "ball", 5e-3, vec3(0, 0, 1));
        if (variant == 1) thrown->def.velocity = vec3(0, 0, -7);
        if (variant == 2) {
            scene_emitter *e =
                add_emitter(&t, box_region(vec3(0, 0, 0.5), vec3(0.1, 0.1, 0.6)), constant_size(5e-3), 1e-9);
            e->velocity = vec3(7, 0, 0);
        }
        if (variant == 3) {
            plate->has_motion = plate->motion.has_position = true;
            plate->motion.position = formulae(&t, "0", "0", "7*t");
        }
        if (variant == 4) {
            plate->has_motion = plate->motion.has_spin = true;
            plate->motion.axis = vec3(1, 0, 0);
            plate->motion.spin = formula(&t, "10*ramp(t, 0.5, 1)");
        }
        thin_walls walls = walls_of(&t.s);
        assert_int_equal(walls.count, variant > 0);
        if (variant == 1 || variant == 2 || variant == 3) assert_near(walls.item[0].speed, 7.0, 1e-6);
        if (variant == 4) assert_true(walls.item[0].speed >= 10.0);
        scr_free(walls.item);
        scene_end(&t);
    }
}

// A sheet has no thickness of its own; a solid mesh has that of its box; planes and heightfields have no other side.
static void sheets_are_thin_and_ground_is_not(void **state)
{
    (void)state;
    test_scene t;
    scene_begin(&t);
    scr_vec3 points[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    int32_t faces[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    double heights[4] = {0};
    scene_surface sheet = {
        .kind = SCR_MESH, .point_count = 4, .points = points, .triangle_count = 3, .triangles = faces};
    scene_surface solid = {
        .kind = SCR_MESH, .point_count = 4, .points = points, .triangle_count = 4, .triangles = faces};
    scene_surface field = {.kind = SCR_HEIGHTFIELD, .size = {2, 2}, .spacing = {1, 1}, .heights = heights};
    add_floor(&t, -10.0);
    add_body(&t, "solid", SCR_FIXED, add_surface(&t, solid), vec3(3, 0, 0));
    add_body(&t, "sheet", SCR_FIXED, add_surface(&t, sheet), vec3(0, 3, 0));
    add_body(&t, "field", SCR_FIXED, add_surface(&t, field), vec3(0, 0, -5));
    scene_body *thrown = add_ball(&t, "ball", 5e-3, vec3(0, 0, 3));
    thrown->def.velocity = vec3(0, 0, -50);
    thin_walls walls = walls_of(&t.s);
    assert_int_equal(walls.count, 1);
    assert_int_equal(walls.item[0].body, 3);
    assert_near(walls.item[0].thickness, 0.0, 0.0);
    scr_free(walls.item);
    scene_end(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plate_is_thin_from_the_height_on_that_the_fall_needs),
        cmocka_unit_test(speed_counts_wherever_it_comes_from),
        cmocka_unit_test(sheets_are_thin_and_ground_is_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
