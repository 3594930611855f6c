// SPDX-License-Identifier: BSD-3-Clause
// Bodies that a joint keeps from touching, and grains that joints hold beside a bed of free ones.
#include "contact_view.h"
#include "copied_world.h"
#include "dynamics/mechanism/mechanism_stages.h"
#include "dynamics/step/stages.h"
#include "dynamics/world/world.h"
#include "dynamics/world/world_state.h"

static const scr_vec3 ORIGIN = {0.0, 0.0, 0.0}, Z_AXIS = {0.0, 0.0, 1.0};

static scr_joint join(scr_world *world, scr_body a, scr_body b, bool collide)
{
    scr_joint_def def = scr_joint_at(SCR_JOINT_FIXED, a, b, ORIGIN, Z_AXIS);
    scr_joint joint;
    def.collide = collide;
    assert_ok(scr_world_add_joint(world, &def, &joint, &error));
    return joint;
}

static scr_world *weightless(scr_contact_law law)
{
    scr_world_def def = scr_default_world_def();
    def.gravity = ORIGIN;
    def.contact.law = law;
    def.contact.stiffness = 1e4;
    if (law == SCR_PENALTY) def.contact.normal = SCR_HOOKE, def.time_step = 1e-6;
    return make_world(&def);
}

// How many pairs of bodies touch.
static int touching_pairs(scr_world *world)
{
    assert_ok(scr_world_find_contacts(world, &error));
    int64_t n = contact_count(world);
    int pairs = 0;
    for (int64_t k = 0; k < n; ++k) {
        one_contact c = contact_at(world, k);
        bool is_new = true;
        for (int64_t l = 0; l < k && is_new; ++l) {
            one_contact other = contact_at(world, l);
            is_new = c.a.index1 != other.a.index1 || c.b.index1 != other.b.index1;
        }
        pairs += is_new;
    }
    return pairs;
}

static int64_t entry_of(const scr_world *world, scr_body body)
{
    scr_body_view view = scr_world_bodies(world);
    int64_t i = 0;
    while (view.handle[i].index1 != body.index1) ++i;
    return i;
}

// Three boxes that all overlap, on a plane that they stand in.
static void joints_keep_two_bodies_apart_and_no_others(void **state)
{
    (void)state;
    for (int law = 0; law < 2; ++law) {
        scr_world *world = weightless(law == 0 ? SCR_COMPLIANT : SCR_PENALTY);
        scr_material stone = add_material(world, 0.5, 0.0);
        scr_body box[3], floor = add_floor(world, stone);
        for (int k = 0; k < 3; ++k)
            box[k] = add_box(world, stone, vec3(0.1, 0.1, 0.1), vec3(0.05 * k, 0.01 * k, 0.099), ORIGIN);
        assert_int_equal(touching_pairs(world), 6);
        scr_joint first = join(world, box[0], box[1], false);
        assert_int_equal(touching_pairs(world), 5);
        assert_int_equal(world_list_apart(world, NULL), SCR_OK);
        assert_true(world_keeps_apart(world, entry_of(world, box[1]), entry_of(world, box[0])));
        assert_false(world_keeps_apart(world, entry_of(world, box[1]), entry_of(world, box[2])));
        scr_joint on_floor = join(world, box[2], floor, false);
        assert_int_equal(touching_pairs(world), 4);
        scr_joint twice = join(world, box[1], box[0], false), loose = join(world, box[1], box[2], true);
        assert_int_equal(touching_pairs(world), 4);
        assert_ok(scr_world_remove_joint(world, first, &error));  // the other one still holds
        assert_int_equal(touching_pairs(world), 4);
        assert_ok(scr_world_remove_joint(world, twice, &error));
        assert_int_equal(touching_pairs(world), 5);
        world->mechanisms.joints.is_broken[joint_slot(&world->mechanisms.joints, on_floor)] = 1;
        joints_changed(world);
        assert_int_equal(touching_pairs(world), 6);
        assert_ok(scr_world_remove_joint(world, loose, &error));
        assert_int_equal(touching_pairs(world), 6);
        scr_world_destroy(world);
    }
}

// Overlapping pairs all over the place, made in no order of space, so that the first step sorts them; every second pair
// is joined. Bodies that come and go change their places again.
static void who_is_joined_is_known_after_sorting(void **state)
{
    (void)state;
    enum { PAIRS = 60 };
    scr_world *world = weightless(SCR_COMPLIANT);
    scr_material stone = add_material(world, 0.5, 0.0);
    scr_body left[PAIRS], right[PAIRS];
    for (int k = 0; k < PAIRS; ++k) {
        scr_vec3 at = vec3(k * 7 % PAIRS, k * 13 % PAIRS, k * 29 % PAIRS);
        left[k] = add_box(world, stone, vec3(0.1, 0.1, 0.1), at, ORIGIN);
        right[k] = k % 4 < 2 ? add_sphere(world, stone, 0.1, vec3_add(at, vec3(0.15, 0.0, 0.0)), ORIGIN)
                             : add_box(world, stone, vec3(0.1, 0.1, 0.1), vec3_add(at, vec3(0.15, 0.0, 0.0)), ORIGIN);
    }
    for (int k = 0; k < PAIRS; k += 2) join(world, left[k], right[k], false);
    assert_int_equal(touching_pairs(world), PAIRS / 2);
    assert_ok(sort_in_space(world, &error));
    assert_true(world->was_sorted);
    bool has_moved = false;
    for (uint32_t i = 0; i < 2 * PAIRS; ++i) has_moved = has_moved || world->bodies.handle[i].index1 != i + 1;
    assert_true(has_moved);
    assert_int_equal(touching_pairs(world), PAIRS / 2);
    scr_body gone[3] = {left[1], left[2], right[7]};
    assert_ok(scr_world_remove_bodies(world, 3, gone, &error));
    assert_int_equal(touching_pairs(world), PAIRS / 2 - 2);
    add_sphere(world, stone, 0.1, vec3(-5.0, 0.0, 0.0), ORIGIN);
    assert_int_equal(touching_pairs(world), PAIRS / 2 - 2);
    scr_world_def def = world->def;
    scr_world *copy = resumed(world, &def);
    assert_int_equal(touching_pairs(copy), PAIRS / 2 - 2);
    scr_world_destroy(copy);
    scr_world_destroy(world);
}

// ---- beside a bed ----

enum { ROW = 10, LAYERS = 7 };  // grains
static const double RADIUS = 0.005;

// A cube of grains that falls on the floor a little; held: one inside, one at the floor and one on top hang on bushings
// that do nothing.
static scr_world *make_bed(bool held, scr_body watched[3])
{
    scr_world_def def = scr_default_world_def();
    def.contact.law = SCR_PENALTY;
    def.contact.normal = SCR_HOOKE;
    def.contact.stiffness = 1e5;
    def.solver.precision = SCR_PRECISION_DOUBLE;
    def.time_step = 2e-5;
    scr_world *world = make_world(&def);
    scr_material sand = add_material(world, 0.4, 0.3);
    add_floor(world, sand);
    for (int k = 0; k < ROW * ROW * LAYERS; ++k) {
        int layer = k / (ROW * ROW);
        scr_vec3 at = vec3(k % ROW + 0.05 * (layer % 2), k / ROW % ROW + 0.05 * (layer % 2), 0.99 * layer + 0.495);
        scr_body body = add_sphere(world, sand, RADIUS, vec3_scale(2.0 * RADIUS, at), vec3(0.0, 0.0, -0.1));
        if (k == 55) watched[0] = body;
        if (k == 345) watched[1] = body;
        if (k == 644) watched[2] = body;
    }
    for (int k = 0; k < 3 && held; ++k) {
        scr_joint_def joint = scr_joint_at(SCR_JOINT_BUSHING, (scr_body){0}, watched[k], ORIGIN, Z_AXIS);
        scr_joint handle;
        assert_ok(scr_world_add_joint(world, &joint, &handle, &error));
    }
    return world;
}

static void held_grains_stay_out_of_the_bed_and_in_touch_with_it(void **state)
{
    (void)state;
    enum { STEPS = 500 };
    scr_body free_grain[3], held_grain[3];
    scr_world *free_bed = make_bed(false, free_grain), *held_bed = make_bed(true, held_grain);
    for (int k = 0; k < STEPS; ++k) {
        assert_ok(scr_world_step(free_bed, &error));
        assert_ok(scr_world_step(held_bed, &error));
    }
    assert_true(held_bed->grains.is_loaded);
    assert_int_equal(free_bed->grains.body_count, 1);
    assert_int_equal(held_bed->grains.body_count, 4);
    for (int k = 0; k < 3; ++k) {
        scr_body_state a, b;
        assert_ok(scr_body_get_state(free_bed, free_grain[k], &a, &error));
        assert_ok(scr_body_get_state(held_bed, held_grain[k], &b, &error));
        assert_within3(b.position, a.position, 1e-9);
        assert_within3(b.velocity, a.velocity, 1e-6);
        assert_true(a.velocity.z > -0.1);  // something has stopped its fall
    }
    // A joint that comes later takes its grain out of the bed, and when it goes gives it back.
    scr_body_view view = scr_world_bodies(held_bed);
    scr_joint_def def = scr_joint_at(SCR_JOINT_BUSHING, (scr_body){0}, view.handle[view.count / 2], ORIGIN, Z_AXIS);
    scr_joint joint;
    assert_ok(scr_world_add_joint(held_bed, &def, &joint, &error));
    assert_ok(scr_world_step(held_bed, &error));
    assert_int_equal(held_bed->grains.body_count, 5);
    assert_ok(scr_world_remove_joint(held_bed, joint, &error));
    assert_ok(scr_world_step(held_bed, &error));
    assert_int_equal(held_bed->grains.body_count, 4);
    scr_world_destroy(free_bed);
    scr_world_destroy(held_bed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joints_keep_two_bodies_apart_and_no_others),
        cmocka_unit_test(who_is_joined_is_known_after_sorting),
        cmocka_unit_test(held_grains_stay_out_of_the_bed_and_in_touch_with_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
