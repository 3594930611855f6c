// SPDX-License-Identifier: BSD-3-Clause
// Worlds under the penalty law with so many grains that a bed takes them: the same as without it, whoever looks,
// however many threads there are, and after a restart.
#include "contact_view.h"
#include "copied_world.h"
#include "core/base/memory.h"
#include "penalty_pile.h"

static scr_vec3 contact_torque_on(const scr_world *world, scr_body body)
{
    scr_vec3 force, torque;
    assert_ok(scr_body_contact_force(world, body, &force, &torque, &error));
    return torque;
}

// Equal spheres: with unequal ones the arms of the two paths differ by a share of the overlap.
static void compare_with_general_stages(pile_def def)
{
    pile with = make_pile(&def);
    def.without_bed = true;
    pile without = make_pile(&def);
    step(with.world, 250);
    step(without.world, 250);
    assert_true(has_bed(with.world) && !has_bed(without.world));
    assert_int_equal(scr_world_report(with.world).touching_count, scr_world_report(without.world).touching_count);
    assert_true(scr_world_report(with.world).touching_count > 500);
    assert_within3(contact_force_on(with.world, with.floor), contact_force_on(without.world, without.floor),
                   1e-6);  // that one was kept in single precision
    assert_within3(state_of(with.world, with.box).velocity, state_of(without.world, without.box).velocity, 1e-10);
    assert_within3(state_of(with.world, with.first_grain).spin, state_of(without.world, without.first_grain).spin,
                   1e-7);
    assert_near(scr_world_energy(with.world).kinetic, scr_world_energy(without.world).kinetic, 1e-10);
    assert_near(scr_world_energy(with.world).elastic, scr_world_energy(without.world).elastic,
                1e-2);  // half a step apart
    assert_within3(contact_torque_on(with.world, with.floor), contact_torque_on(without.world, without.floor), 1e-6);
    scr_world_destroy(with.world);
    scr_world_destroy(without.world);
}

static void the_bed_does_what_the_general_stages_do(void **state)
{
    (void)state;
    for (int law = 0; law < LAWS; ++law) compare_with_general_stages(pile_of(law));
    for (int law = 0; law < LAWS; law += 7) {
        pile_def def = pile_of(law);
        def.repeats = true;
        compare_with_general_stages(def);
    }
}

// Grains pressed together in a cell that repeats itself along all axes.
static scr_stress stress_of_cell(bool without_bed, bool expects_bed, double radii)
{
    enum { SIDE = 9 };
    scr_world_def def = usual_pile().world;
    double pitch = 1.99 * RADIUS;
    def.gravity = vec3(0.0, 0.0, 0.0);
    def.period.high = vec3(SIDE * pitch, SIDE * pitch, SIDE * pitch);
    scr_world *world = make_world(&def);
    scr_material_def soft = solid_def(SOFT);
    scr_material material;
    scr_stress stress;
    if (without_bed) world->grains.least_grains = INT64_MAX;
    assert_ok(scr_world_add_material(world, &soft, &material, &error));
    for (int k = 0; k < SIDE * SIDE * SIDE; ++k) {
        scr_vec3 v = vec3(random_in(-0.1, 0.1, 3 * (uint64_t)k), random_in(-0.1, 0.1, 3 * (uint64_t)k + 1), 0.0);
        add_sphere(world, material, k == 0 ? radii * RADIUS : RADIUS,
                   vec3(pitch * (k % SIDE), pitch * (k / SIDE % SIDE), pitch * (k / SIDE / SIDE)), v);
    }
    step(world, 20);
    assert_true(has_bed(world) == expects_bed);
    assert_ok(scr_world_stress(world, &stress, &error));
    scr_world_destroy(world);
    return stress;
}

static void the_stress_of_a_cell_is_the_same(void **state)
{
    (void)state;
    scr_stress with = stress_of_cell(false, true, 1.0), without = stress_of_cell(true, false, 1.0);
    for (int axis = 0; axis < 3; ++axis) {
        assert_near(with.contact[axis][axis], without.contact[axis][axis], 5e-3);  // half a step apart
        assert_near(with.stiffness[axis], without.stiffness[axis], 5e-3);
        assert_near(with.kinetic[axis][axis], without.kinetic[axis][axis], 1e-9);
    }
    stress_of_cell(false, false, 2.3);  // less than 8 radii long: left to the general stages
}

static uint64_t hash_after(pile_def def, int threads, scr_instruction_set set)
{
    def.world.thread_count = threads;
    def.world.instruction_set = set;
    pile p = make_pile(&def);
    step(p.world, 200);
    assert_true(has_bed(p.world));
    uint64_t hash = scr_world_hash(p.world);
    scr_world_destroy(p.world);
    return hash;
}

static void threads_and_instructions_change_no_bit(void **state)
{
    (void)state;
    for (int which = 0; which < 10; ++which) {
        pile_def def = pile_of((const int[]){0, 1, 4, 7, 1}[which / 2]);
        def.repeats = which >= 8;
        def.world.solver.precision = which % 2 == 0 ? SCR_PRECISION_DOUBLE : SCR_PRECISION_MIXED;
        def.spread = 0.1;
        uint64_t one = hash_after(def, 1, SCR_BEST);
        assert_true(hash_after(def, 2, SCR_BEST) == one);
        assert_true(hash_after(def, 3, SCR_BEST) == one);
        assert_true(hash_after(def, 2, SCR_PLAIN) == one);
    }
}

// Lists made at odd moments, bodies read, contacts listed, the state copied: nothing of it is felt.
static void looking_changes_no_bit(void **state)
{
    (void)state;
    for (int which = 0; which < 6; ++which) {
        pile_def def = pile_of((const int[]){1, 7, 6, 4, 1, 1}[which]);
        def.repeats = which >= 4;
        def.world.solver.precision = which % 2 == 0 ? SCR_PRECISION_DOUBLE : SCR_PRECISION_MIXED;
        def.world.follow_rotations = which >= 2;
        pile seen = make_pile(&def), unseen = make_pile(&def);
        for (int k = 0; k < 150; ++k) {
            step(seen.world, 1);
            step(unseen.world, 1);
            if (k % 7 == 3) assert_true(scr_world_bodies(seen.world).count > 1000);
            if (k % 11 == 5) assert_true(contact_count(seen.world) >= scr_world_report(seen.world).touching_count / 2);
            if (k % 13 == 6) scr_world_hash(seen.world);
            if (k % 17 == 8) grain_bed_forget_rows(&seen.world->grains.bed);
            if (k % 31 == 20) assert_ok(scr_world_find_contacts(seen.world, &error));
        }
        assert_same_state(seen.world, unseen.world);
        scr_world_destroy(seen.world);
        scr_world_destroy(unseen.world);
    }
}

// In the middle of slips, over a sorting of the bodies, with grains taken away and added.
static void a_restart_goes_on_to_the_same_bits(void **state)
{
    (void)state;
    for (int which = 0; which < 6; ++which) {
        pile_def def = pile_of((const int[]){1, 7, 6, 4, 1, 1}[which]);
        def.repeats = which >= 4;
        def.world.solver.precision = which % 2 == 0 ? SCR_PRECISION_DOUBLE : SCR_PRECISION_MIXED;
        def.world.follow_rotations = which >= 2;
        def.spread = 0.1;
        pile p = make_pile(&def);
        step(p.world, 930);
        assert_ok(scr_world_remove_bodies(p.world, 1, &p.first_grain, &error));
        step(p.world, 3);
        scr_world_def same = def.world;
        same.period = p.world->def.period, same.gravity = p.world->def.gravity;
        scr_world *other = resumed(p.world, &same);
        assert_true(scr_world_hash(other) == scr_world_hash(p.world));
        step(p.world, 70);
        step(other, 70);
        add_sphere(p.world, (scr_material){1}, RADIUS, vec3(0.06, 0.06, 0.2), vec3(0.0, 0.0, -1.0));
        add_sphere(other, (scr_material){1}, RADIUS, vec3(0.06, 0.06, 0.2), vec3(0.0, 0.0, -1.0));
        step(p.world, 100);
        step(other, 100);
        assert_true(has_bed(p.world));
        assert_same_state(p.world, other);
        scr_world_destroy(p.world);
        scr_world_destroy(other);
    }
}

// All that grains weigh comes to rest on the floor.
// Spheres that touch nothing keep their spin: q(t) = exp(t w / 2) q(0). A bed has them, and when it is asked to.
static void a_steady_spin_turns_by_its_angle(void **state)
{
    (void)state;
    enum { GRAINS = 600, STEPS = 500 };
    for (int which = 0; which < 2; ++which) {
        scr_world_def def = usual_pile().world;
        def.time_step = 1e-4;
        def.gravity = vec3(0.0, 0.0, 0.0);
        def.solver.precision = which == 0 ? SCR_PRECISION_DOUBLE : SCR_PRECISION_MIXED;
        def.follow_rotations = true;
        scr_world *world = make_world(&def);
        scr_shape shape = scr_sphere(RADIUS, add_solid(world, SOFT));
        scr_body_def body[GRAINS];
        scr_body handle[GRAINS];
        for (int k = 0; k < GRAINS; ++k) {
            uint64_t draw = 10 * (uint64_t)k;
            body[k] = scr_default_body_def();
            body[k].position = vec3(0.1 * (k % 10), 0.1 * (k / 10 % 10), 0.1 * (k / 100));
            body[k].rotation = k % 3 == 0 ? QUAT_IDENTITY : random_rotation(draw);
            body[k].spin = vec3(random_in(-90.0, 90.0, draw + 5), random_in(-90.0, 90.0, draw + 6), 30.0);
            body[k].shapes = &shape;
            body[k].shape_count = 1;
            assert_ok(scr_world_add_body(world, &body[k], &handle[k], &error));
        }
        step(world, STEPS);
        assert_true(has_bed(world));
        for (int k = 0; k < GRAINS; ++k) {
            double angle = STEPS * def.time_step * vec3_norm(body[k].spin);
            scr_vec3 axis = vec3_scale(sin(0.5 * angle), vec3_unit(body[k].spin));
            scr_quat turned = quat_mul((scr_quat){cos(0.5 * angle), axis.x, axis.y, axis.z}, body[k].rotation);
            scr_quat q = state_of(world, handle[k]).rotation;
            double same = turned.w * q.w + turned.x * q.x + turned.y * q.y + turned.z * q.z;
            assert_within(fabs(same), 1.0, 1e-12);
            for (int axis_number = 0; axis_number < 3; ++axis_number) {
                scr_vec3 unit = vec3(axis_number == 0, axis_number == 1, axis_number == 2);
                assert_within3(quat_rotate(q, unit), quat_rotate(turned, unit), 1e-11);
            }
            assert_within3(state_of(world, handle[k]).spin, body[k].spin, 1e-10);
        }
        scr_world_destroy(world);
    }
}

static void the_floor_carries_the_weight(void **state)
{
    (void)state;
    pile_def def = usual_pile();
    def.side = 9, def.with_parts = false, def.spread = 0.1;
    def.world.time_step = 5e-5;
    pile p = make_pile(&def);
    step(p.world, 8000);
    double force = 0.0;
    for (int k = 0; k < 100; ++k) {
        step(p.world, 10);
        scr_vec3 walls = {0}, on_floor = contact_force_on(p.world, p.floor);
        for (uint32_t w = p.floor.index1 + 1; w <= p.floor.index1 + 4; ++w)
            walls = vec3_add(walls, contact_force_on(p.world, (scr_body){w, p.floor.generation}));
        force += -0.01 * (on_floor.z + walls.z);
    }
    assert_true(has_bed(p.world));
    assert_near(force, total_mass(p.world) * GRAVITY, 0.01);
    scr_world_destroy(p.world);
}

// Grains far from each other: a force by hand, no contact.
static void a_push_moves_one_grain(void **state)
{
    (void)state;
    pile_def def = usual_pile();
    def.spread = 0.5, def.speed = 0.0, def.with_parts = false, def.world.gravity = vec3(0.0, 0.0, 0.0);
    pile p = make_pile(&def);
    double mass = scr_body_mass(p.world, p.first_grain);
    for (int k = 0; k < 10; ++k) {
        scr_vec3 torque = vec3(0.0, 0.0, 1e-6);
        assert_ok(scr_body_apply_force(p.world, p.first_grain, vec3(1e-3, 0.0, 0.0), torque, &error));
        step(p.world, 1);
    }
    assert_true(has_bed(p.world));
    scr_body_state s = state_of(p.world, p.first_grain);
    double radius = cbrt(mass / (4.0 / 3.0 * PI * SOFT.density));
    assert_within3(s.velocity, vec3(10.0 * STEP * 1e-3 / mass, 0.0, 0.0), 1e-15);
    assert_within3(s.spin, vec3(0.0, 0.0, 10.0 * STEP * 1e-6 / (0.4 * mass * radius * radius)), 1e-12);
    assert_within3(scr_world_momentum(p.world), vec3(10.0 * STEP * 1e-3, 0.0, 0.0), 1e-18);
    scr_world_destroy(p.world);
}

// Beside a pile that may be faster, and does not step where the first one fails: nobody looks at either until then.
// With friction alone, and with all that a contact may remember.
static void check_failed_step(scr_precision precision, int kind)
{
    const scr_vec3 push = vec3(0.5, 0.5, 1.0);
    pile_def def = pile_of(kind);
    def.world.solver.precision = precision, def.with_parts = false;
    pile other = make_pile(&def);
    def.world.max_speed = 0.6;
    pile p = make_pile(&def);
    scr_status status = SCR_OK;
    scr_error why = {0};
    step(p.world, 400), step(other.world, 400);
    for (int k = 0; k < 3000 && status == SCR_OK; ++k) {
        apply_force(p.world, p.first_grain, push), apply_force(other.world, other.first_grain, push);
        status = scr_world_step(p.world, &why);
        if (status == SCR_OK) step(other.world, 1);
    }
    assert_int_equal(status, SCR_DIVERGED);
    assert_true(has_bed(p.world) && p.world->grains.bed.touching > 500);
    assert_non_null(strstr(why.message, "the limit is 0.6 m/s"));
    assert_same_state(p.world, other.world);
    p.world->def.max_speed = other.world->def.max_speed;
    step(p.world, 2), step(other.world, 2);
    assert_same_state(p.world, other.world);
    scr_world_destroy(other.world);
    scr_world_destroy(p.world);
}

static void a_failed_step_did_not_happen(void **state)
{
    (void)state;
    for (int precision = SCR_PRECISION_DOUBLE; precision <= SCR_PRECISION_MIXED; ++precision) {
        check_failed_step((scr_precision)precision, 0);
        check_failed_step((scr_precision)precision, 7);
    }
}

// The largest change of a velocity in the next step, m/s.
static double step_and_measure(scr_world *world, scr_vec3 *velocity)
{
    const grain_bed *bed = &world->grains.bed;
    double most = 0.0;
    for (int64_t i = 0; i < bed->count; ++i) memcpy(&velocity[i], grain_motion(bed, i)->v, sizeof *velocity);
    step(world, 1);
    for (int64_t i = 0; i < bed->count; ++i) {
        const double *v = grain_motion(bed, i)->v;
        most = fmax(most, vec3_norm(vec3_sub(vec3(v[0], v[1], v[2]), velocity[i])));
    }
    return most;
}

// Fast grains of several sizes that fall on each other: no speed exceeds its bound, which is not beyond all measure;
// no step but the first puts anything aside.
static void what_a_step_can_do_to_speeds_is_known(void **state)
{
    (void)state;
    static scr_vec3 velocity[2000];
    for (int kind = 4; kind < LAWS; ++kind) {
        pile_def def = pile_of(kind);
        def.with_parts = false, def.speed = 3.0, def.spread = 0.2;
        def.world.solver.precision = kind % 2 == 0 ? SCR_PRECISION_DOUBLE : SCR_PRECISION_MIXED;
        def.world.contact.normal = kind == 4 ? SCR_HOOKE : SCR_HERTZ;
        pile p = make_pile(&def);
        grain_bed *bed = &p.world->grains.bed;
        const grain_forces forces = {.gravity = def.world.gravity, .max_speed = def.world.max_speed};
        double loosest = INFINITY;
        step(p.world, 1);
        for (int k = 0; k < 400; ++k) {
            double bound = grain_speed_bound(bed, &forces, STEP), speed = bed->top_speed;
            double change = step_and_measure(p.world, velocity);
            assert_true(bed->top_speed <= bound && speed + change <= bound);
            loosest = fmin(loosest, (bound - speed) / change);
        }
        assert_true(has_bed(p.world) && bed->touching > 300);
        assert_true(loosest < 100.0);
        assert_int_equal(bed->undo.copies, 1);
        scr_world_destroy(p.world);
    }
}

static void a_steady_step_takes_no_memory(void **state)
{
    (void)state;
    pile_def def = usual_pile();
    def.with_parts = false;
    pile p = make_pile(&def);
    step(p.world, 3000);
    int64_t before = scr_allocation_count();
    step(p.world, 200);
    assert_true(has_bed(p.world));
    assert_int_equal(scr_allocation_count(), before);
    scr_world_destroy(p.world);
}

// Grains of a cloud that keep their places in it wear no lists, but the cloud may come to a floor, or to another one.
static void what_keeps_together_meets_what_it_meets(void **state)
{
    (void)state;
    enum { SIDE = 16, GRAINS = SIDE * SIDE * SIDE / 2 };
    for (int which = 0; which < 4; ++which) {
        const bool falls = which < 2;
        const double pitch = 2.05 * RADIUS, deepest = 0.3 * RADIUS;
        scr_world_def def = usual_pile().world;
        def.gravity = vec3(0.0, 0.0, 0.0);
        def.solver.precision = which % 2 == 0 ? SCR_PRECISION_DOUBLE : SCR_PRECISION_MIXED;
        scr_world *world = make_world(&def);
        scr_material material = add_solid(world, SOFT);
        if (falls) add_floor(world, material);
        for (int k = 0; k < 2 * GRAINS; ++k) {
            scr_vec3 at = vec3_scale(pitch, vec3(k % SIDE, k / SIDE % SIDE, k / (SIDE * SIDE)));
            bool upper = k >= GRAINS;
            double speed = falls ? -1.0 : upper ? -2.0 : 2.0;
            at.z += falls ? 4.0 * RADIUS : upper ? 8.0 * (4.05 * RADIUS - pitch) : 0.0;  // no block has grains of both
            add_sphere(world, material, RADIUS, at, vec3(0.0, 0.0, speed));
        }
        double most = 0.0;
        int64_t touching = 0;
        for (int k = 0; k < 1023; ++k) {
            step(world, 1);
            most = fmax(most, scr_world_report(world).max_penetration);
            touching += scr_world_report(world).touching_count;
        }
        assert_true(has_bed(world));
        assert_true(touching >= SIDE * SIDE);
        assert_true(most < deepest);
        scr_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bed_does_what_the_general_stages_do),
        cmocka_unit_test(the_stress_of_a_cell_is_the_same),
        cmocka_unit_test(threads_and_instructions_change_no_bit),
        cmocka_unit_test(looking_changes_no_bit),
        cmocka_unit_test(a_restart_goes_on_to_the_same_bits),
        cmocka_unit_test(a_steady_spin_turns_by_its_angle),
        cmocka_unit_test(the_floor_carries_the_weight),
        cmocka_unit_test(a_push_moves_one_grain),
        cmocka_unit_test(a_failed_step_did_not_happen),
        cmocka_unit_test(what_a_step_can_do_to_speeds_is_known),
        cmocka_unit_test(a_steady_step_takes_no_memory),
        cmocka_unit_test(what_keeps_together_meets_what_it_meets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
