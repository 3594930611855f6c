// SPDX-License-Identifier: BSD-3-Clause
// A mechanism in contact gives the same bits for any number of threads and any instruction set, and goes on after a
// restart as if it had never stopped: a heavy body on a ring of shoes drops on grains, while a crank with springs, a
// gear, limits and dry friction works beside it.
#include "dynamics/copied_world.h"
#include "dynamics/ring.h"

enum { LOOKS = 4 };

typedef struct look {
    uint64_t hash[LOOKS];
} look;

static double beat(const void *context, double t)
{
    (void)context;
    return 4.0 * sin(30.0 * t);
}

// Its paddle beats balls beside it; the function that drives it is no state and has to be set again after a restart.
static scr_joint add_beater(scr_world *world, scr_material material)
{
    scr_vec3 hub = vec3(0.08, 0.5 * BED_WIDTH, 0.15), y = vec3(0.0, 1.0, 0.0);
    scr_body paddle = add_box(world, material, vec3(0.01, 0.05, 0.06), vec3(hub.x, hub.y, hub.z - 0.05), STILL);
    scr_body wheel = add_box(world, material, vec3(0.02, 0.01, 0.02), vec3(hub.x, hub.y, hub.z + 0.2), STILL);
    scr_joint_def def = scr_joint_at(SCR_JOINT_REVOLUTE, GROUND, paddle, hub, y);
    def.lower = -0.4;
    def.upper = 0.4;
    def.restitution = 0.5;
    def.friction = 0.2;
    def.friction_radius = 0.01;
    scr_joint hinge = add_joint(world, &def),
              shaft = join(world, SCR_JOINT_REVOLUTE, GROUND, wheel, vec3(hub.x, hub.y, hub.z + 0.2), y);
    couple(world, hinge, 1.0, shaft, 0.3);
    scr_spring_def spring = scr_default_spring_def();
    spring.b = paddle;
    spring.point_a = vec3(hub.x, hub.y, hub.z + 0.1);
    spring.point_b = vec3(hub.x, hub.y, hub.z - 0.1);
    spring.stiffness = 500.0;
    spring.damping = 1.0;
    add_spring(world, &spring);
    for (int k = 0; k < 4; ++k)
        add_sphere(world, material, 0.015, vec3(hub.x + (k % 2 == 0 ? 0.028 : -0.028), 0.05 + 0.04 * (k / 2), 0.045),
                   STILL);
    scr_body guest =
        add_box(world, material, vec3(0.02, 0.02, 0.02), vec3(hub.x, hub.y, hub.z + 0.3), vec3(1.0, 0.0, 0.0));
    scr_joint_def bushing = scr_joint_at(SCR_JOINT_BUSHING, wheel, guest, vec3(hub.x, hub.y, hub.z + 0.25), y);
    for (int k = 0; k < 6; ++k) bushing.stiffness[k] = k < 3 ? 1e4 : 10.0;
    add_joint(world, &bushing);
    return hinge;
}

static scr_world_def scene_def(int threads, scr_instruction_set set, scr_contact_law law)
{
    scr_world_def def = scr_default_world_def();
    def.thread_count = threads;
    def.instruction_set = set;
    def.contact.law = law;
    def.solver.max_iterations = 12;  // few: nothing need converge here
    if (law == SCR_PENALTY) def.time_step = 1e-5;
    return def;
}

static scr_world *make_scene(const scr_world_def *def, scr_joint *hinge)
{
    scr_world *world = make_world(def);
    scr_material_def stone_def = scr_default_material_def();
    scr_material stone, smooth = add_material(world, 0.0, 0.0);
    stone_def.young = 1e8;
    assert_ok(scr_world_add_material(world, &stone_def, &stone, &error));
    add_bed(world, stone, smooth, 0.85, 2);
    add_ring(world, stone, vec3(0.5, 0.5 * BED_WIDTH, BED_LAYER + 2.0 * GRAIN + SHOE_HALF_HEIGHT));
    *hinge = add_beater(world, stone);
    set_motor(world, *hinge, SCR_DRIVE_FORCE, (scr_function){.at = beat});
    for (int64_t k = 0; k < scr_world_bodies(world).count; ++k) {  // all fall
        scr_body body = scr_world_bodies(world).handle[k];
        if (scr_body_mass(world, body) > 0.0) set_motion(world, body, vec3(0.0, 0.0, -0.1), STILL);
    }
    return world;
}

static look run(scr_world_def def)
{
    scr_joint hinge;
    scr_world *world = make_scene(&def, &hinge);
    look result;
    for (int k = 0; k < LOOKS; ++k) {
        step(world, def.contact.law == SCR_PENALTY ? 50 : 6);
        result.hash[k] = scr_world_hash(world);
    }
    assert_true(scr_world_report(world).touching_count > 100);
    scr_world_destroy(world);
    return result;
}

static void check_same(const look *a, const look *b, const char *what)
{
    for (int k = 0; k < LOOKS; ++k) {
        if (a->hash[k] == b->hash[k]) continue;
        print_error("%s: at look %d the hash is %016llx, not %016llx\n", what, k + 1, (unsigned long long)b->hash[k],
                    (unsigned long long)a->hash[k]);
        fail();
    }
}

static void check_threads(scr_contact_law law)
{
    look one = run(scene_def(1, SCR_BEST, law)), two = run(scene_def(2, SCR_PLAIN, law));
    look three = run(scene_def(3, SCR_BEST, law)), four = run(scene_def(4, SCR_BEST, law));
    check_same(&one, &two, "2 threads, plain instructions");
    check_same(&one, &three, "3 threads");
    check_same(&one, &four, "4 threads");
}

static void threads_never_change_a_mechanism_in_contact(void **state)
{
    (void)state;
    check_threads(SCR_COMPLIANT);
}
static void threads_never_change_a_mechanism_under_the_penalty_law(void **state)
{
    (void)state;
    check_threads(SCR_PENALTY);
}

static void check_restart(scr_contact_law law)
{
    scr_world_def def = scene_def(2, SCR_BEST, law);
    scr_joint hinge;
    scr_world *world = make_scene(&def, &hinge);
    step(world, 30);
    scr_world *other = resumed(world, &def);
    world_set_drive(other, hinge, (scr_function){.at = beat});
    assert_true(scr_world_hash(other) == scr_world_hash(world));
    for (int k = 0; k < 3; ++k) {
        step(world, 10);
        step(other, 10);
        assert_true(scr_world_hash(other) == scr_world_hash(world));
        assert_true(joint_state(other, hinge).motor_force == joint_state(world, hinge).motor_force);
        assert_true(joint_state(other, hinge).force.x == joint_state(world, hinge).force.x);
    }
    scr_world_destroy(other);
    scr_world_destroy(world);
}

static void a_mechanism_goes_on_after_a_restart(void **state)
{
    (void)state;
    check_restart(SCR_COMPLIANT);
}
static void a_mechanism_goes_on_after_a_restart_under_the_penalty_law(void **state)
{
    (void)state;
    check_restart(SCR_PENALTY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_never_change_a_mechanism_in_contact),
        cmocka_unit_test(threads_never_change_a_mechanism_under_the_penalty_law),
        cmocka_unit_test(a_mechanism_goes_on_after_a_restart),
        cmocka_unit_test(a_mechanism_goes_on_after_a_restart_under_the_penalty_law),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
