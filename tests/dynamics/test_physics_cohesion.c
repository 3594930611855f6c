// SPDX-License-Identifier: BSD-3-Clause
// Contacts that pull: held to the pull-off force and no further, with friction that needs no load.
#include "contact_view.h"
#include "dynamics/physics.h"

static const scr_vec3 STILL = {0.0, 0.0, 0.0};
static const double PI = 3.14159265358979323846, RADIUS = 0.01;

typedef struct sticky {
    scr_world *world;
    scr_material material;
} sticky;

static sticky make_sticky(const scr_world_def *def, double cohesion, double surface_energy)
{
    sticky s = {.world = make_world(def)};
    scr_material_def glue = scr_default_material_def();
    glue.cohesion = cohesion;
    glue.surface_energy = surface_energy;
    assert_ok(scr_world_add_material(s.world, &glue, &s.material, &error));
    return s;
}

// Does a ball under a plate still hang when its weight is this share of the pull-off force? Gravity grows slowly, so
// that nothing swings.
static bool hangs(scr_world_def def, double cohesion, double surface_energy, double pull_off, double share)
{
    enum { STEPS = 400 };
    def.gravity = STILL;
    sticky s = make_sticky(&def, cohesion, surface_energy);
    scr_body_def plate = scr_default_body_def();
    scr_shape shape = scr_plane(s.material);
    plate.kind = SCR_FIXED;
    plate.rotation = (scr_quat){0.0, 1.0, 0.0, 0.0};  // solid above
    plate.shapes = &shape;
    plate.shape_count = 1;
    scr_body above = add_body(s.world, &plate);
    scr_body ball = add_sphere(s.world, s.material, RADIUS, vec3(0.0, 0.0, -RADIUS), STILL);
    double g = share * pull_off / scr_body_mass(s.world, ball);
    for (int k = 0; k < STEPS; ++k) {
        scr_world_set_gravity(s.world, vec3(0.0, 0.0, -g * fmin(1.0, 2.0 * k / STEPS)), NULL);
        step(s.world, 1);
    }
    bool still_there = fabs(state_of(s.world, ball).position.z + RADIUS) < 1e-3 * RADIUS;
    if (still_there) {
        assert_near(contact_force_on(s.world, ball).z, share * pull_off, 1e-3);
        assert_near(contact_force_on(s.world, above).z, -share * pull_off, 1e-3);
    }
    scr_world_destroy(s.world);
    return still_there;
}

static void check_hanging(scr_world_def def, double cohesion, double surface_energy, double pull_off)
{
    const scr_contact_law law[2] = {SCR_COMPLIANT, SCR_RIGID};
    const scr_solver_kind solver[4] = {SCR_SOLVER_AGS, SCR_SOLVER_GS, SCR_SOLVER_APGD, SCR_SOLVER_AGS};
    for (int k = 0; k < 8; ++k) {
        def.contact.law = law[k % 2];
        def.solver.kind = solver[k / 2];
        def.solver.tolerance = def.solver.kind == SCR_SOLVER_APGD ? 1e-7 : 1e-3;
        def.solver.precision = k / 2 == 3 ? SCR_PRECISION_DOUBLE : SCR_PRECISION_USUAL;
        assert_true(hangs(def, cohesion, surface_energy, pull_off, 0.99));
        assert_false(hangs(def, cohesion, surface_energy, pull_off, 1.01));
    }
}

// Cohesion c: c pi r^2. Work of adhesion w: 2 pi w R (Derjaguin, Muller, Toporov) or 3/2 pi w R (Johnson, Kendall,
// Roberts).
static void a_ball_hangs_by_its_pull_off_force(void **state)
{
    (void)state;
    scr_world_def def = scr_default_world_def();
    check_hanging(def, 500.0, 0.0, 500.0 * PI * RADIUS * RADIUS);
    def.contact.adhesion = SCR_DMT;
    check_hanging(def, 0.0, 3.0, 2.0 * PI * 3.0 * RADIUS);
    def.contact.adhesion = SCR_JKR;
    check_hanging(def, 0.0, 3.0, 1.5 * PI * 3.0 * RADIUS);
}

// The effective radius of two spheres is half that of each.
static void two_spheres_hold_with_half_the_adhesion(void **state)
{
    (void)state;
    const double energy = 3.0;
    for (int k = 0; k <= 1; ++k) {
        scr_world_def def = scr_default_world_def();
        def.gravity = STILL;
        sticky s = make_sticky(&def, 0.0, energy);
        scr_body a = add_sphere(s.world, s.material, RADIUS, STILL, STILL);
        scr_body b = add_sphere(s.world, s.material, RADIUS, vec3(2.0 * RADIUS, 0.0, 0.0), STILL);
        double pull = (k == 0 ? 0.99 : 1.01) * 2.0 * PI * energy * 0.5 * RADIUS;
        for (int n = 0; n < 400; ++n) {
            scr_vec3 force = vec3(pull * fmin(1.0, n / 200.0), 0.0, 0.0);
            apply_force(s.world, b, force);
            apply_force(s.world, a, vec3_neg(force));
            step(s.world, 1);
        }
        double gap = state_of(s.world, b).position.x - state_of(s.world, a).position.x - 2.0 * RADIUS;
        if (k == 0) assert_within(gap, 0.0, 1e-3 * RADIUS);
        else assert_at_most(0.1 * RADIUS, gap);
        scr_world_destroy(s.world);
    }
}

// Without gravity a block on a floor is held by mu times what its corners pull with, and slides under more.
static void friction_of_a_cohesive_block_needs_no_load(void **state)
{
    (void)state;
    const scr_vec3 half = {0.05, 0.04, 0.002};
    const double cohesion = 100.0, mu = 0.5;
    double radius = vec3_norm(half), pull = 4.0 * cohesion * PI * radius * radius;  // at four corners
    for (int k = 0; k <= 1; ++k) {
        scr_world_def def = scr_default_world_def();
        def.gravity = STILL;
        sticky s = make_sticky(&def, cohesion, 0.0);
        add_floor(s.world, s.material);
        scr_body block = add_box(s.world, s.material, half, vec3(0.0, 0.0, half.z), STILL);
        double push = (k == 0 ? 0.98 : 1.2) * mu * pull, mass = scr_body_mass(s.world, block);
        enum { STEPS = 200 };
        for (int n = 0; n < STEPS; ++n) {
            apply_force(s.world, block, vec3(push * fmin(1.0, n / 50.0), 0.0, 0.0));
            step(s.world, 1);
            if (n < 100 || k == 0) continue;
            double before = state_of(s.world, block).velocity.x;
            apply_force(s.world, block, vec3(push, 0.0, 0.0));
            step(s.world, 1);
            double speed = state_of(s.world, block).velocity.x;
            assert_near((speed - before) / def.time_step, (push - mu * pull) / mass, 0.01);
        }
        if (k == 0) assert_within(state_of(s.world, block).velocity.x, 0.0, 1e-4);
        scr_world_destroy(s.world);
    }
}

// Grains that meet and stick: momentum and angular momentum are those they came with.
static void grains_that_stick_keep_momentum(void **state)
{
    (void)state;
    scr_world_def def = scr_default_world_def();
    def.gravity = STILL;
    sticky s = make_sticky(&def, 2000.0, 0.0);
    enum { GRAINS = 27 };
    for (int k = 0; k < GRAINS; ++k) {
        scr_vec3 at = vec3_scale(2.05 * RADIUS, vec3(k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1));
        scr_vec3 v = vec3_add(vec3_scale(-5.0, at), vec3(0.1, 0.05 * at.x / RADIUS, 0.0));
        if (k % 5 == 0) add_box(s.world, s.material, vec3(0.9 * RADIUS, 0.7 * RADIUS, 0.8 * RADIUS), at, v);
        else add_sphere(s.world, s.material, RADIUS, at, v);
    }
    scr_vec3 p = scr_world_momentum(s.world), l = scr_world_angular_momentum(s.world);
    step(s.world, 300);
    assert_within3(scr_world_momentum(s.world), p, 1e-12 * vec3_norm(p));
    assert_within3(scr_world_angular_momentum(s.world), l, 1e-11 * vec3_norm(l));
    int64_t pulling = 0;
    for (int64_t i = 0; i < contact_count(s.world); ++i) {
        one_contact c = contact_at(s.world, i);
        pulling += vec3_dot(c.force, c.normal) < 0.0;
    }
    assert_true(pulling > 0);
    scr_world_destroy(s.world);
}

// However strong the glue, a heap made of it stands still instead of flying apart.
static void a_heap_with_huge_cohesion_comes_to_rest(void **state)
{
    (void)state;
    for (int k = 0; k < 3; ++k) {
        scr_world_def def = scr_default_world_def();
        sticky s = make_sticky(&def, pow(10.0, 3 + 3 * k), 0.0);
        add_floor(s.world, s.material);
        for (int i = 0; i < 64; ++i)
            add_sphere(s.world, s.material, RADIUS, vec3_scale(2.0 * RADIUS, vec3(i % 4, i / 4 % 4, i / 16 + 0.5)),
                       STILL);
        for (int n = 0; n < 300; ++n) {
            step(s.world, 1);
            assert_at_most(scr_world_report(s.world).max_speed, 0.5);
        }
        assert_at_most(scr_world_report(s.world).max_speed, 0.05);
        scr_world_destroy(s.world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_hangs_by_its_pull_off_force),
        cmocka_unit_test(two_spheres_hold_with_half_the_adhesion),
        cmocka_unit_test(friction_of_a_cohesive_block_needs_no_load),
        cmocka_unit_test(grains_that_stick_keep_momentum),
        cmocka_unit_test(a_heap_with_huge_cohesion_comes_to_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
