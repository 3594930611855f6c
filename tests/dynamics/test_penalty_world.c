// SPDX-License-Identifier: BSD-3-Clause
// Worlds under the penalty law: flight, rest on any shape, rolling resistance, adhesion, restarts, threads, advice.
#include "copied_world.h"
#include "core/base/memory.h"
#include "mixed_world.h"
#include "penalty.h"

static const solid RUBBER = {1e7, 0.3, 1000.0, 0.5, 0.3};

static scr_world_def penalty_def(double time_step)
{
    scr_world_def def = scr_default_world_def();
    def.time_step = time_step;
    def.contact.law = SCR_PENALTY;
    return def;
}

static void free_flight_is_exact(void **state)
{
    (void)state;
    scr_world_def def = penalty_def(1e-3);
    scr_world *world = make_world(&def);
    scr_body ball = add_sphere(world, add_solid(world, RUBBER), 0.01, vec3(1.0, 2.0, 3.0), vec3(0.5, -0.25, 4.0));
    step(world, 1000);
    assert_within3(state_of(world, ball).position, vec3(1.5, 1.75, 7.0 - 0.5 * GRAVITY), 1e-12);
    assert_within3(state_of(world, ball).velocity, vec3(0.5, -0.25, 4.0 - GRAVITY), 1e-12);
    scr_world_destroy(world);
}

// About the axis of middle inertia a box tumbles; what turns it is nothing but its own momentum.
static void a_spinning_box_keeps_its_momentum(void **state)
{
    (void)state;
    scr_world_def def = penalty_def(1e-3);
    def.gravity = vec3(0.0, 0.0, 0.0);
    scr_world *world = make_world(&def);
    scr_body box =
        add_box(world, add_solid(world, RUBBER), vec3(0.1, 0.2, 0.3), vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
    scr_body_state spinning = state_of(world, box);
    spinning.spin = vec3(0.1, 10.0, 0.05);
    set_state(world, box, spinning);
    scr_vec3 before = scr_world_angular_momentum(world);
    double energy = total_energy(world), lowest = 10.0;
    for (int k = 0; k < 3000; ++k) {
        step(world, 1);
        lowest = fmin(lowest, scr_world_bodies(world).wy[0]);  // in its own axes
    }
    assert_within3(scr_world_angular_momentum(world), before, 1e-11 * vec3_norm(before));
    assert_near(total_energy(world), energy, 1e-4);
    assert_at_most(lowest, -9.0);  // it did tumble
    scr_world_destroy(world);
}

static void colliding_boxes_keep_their_momentum(void **state)
{
    (void)state;
    scr_world_def def = penalty_def(1e-5);
    def.gravity = vec3(0.0, 0.0, 0.0);
    scr_world *world = make_world(&def);
    scr_material rubber = add_solid(world, RUBBER);
    for (int k = 0; k < 2; ++k) {
        scr_body box = add_box(world, rubber, vec3(0.02, 0.03, 0.04), vec3(0.1 * k, 0.01 * k, 0.015 * k),
                               vec3(k == 0 ? 1.0 : -1.0, 0.0, 0.0));
        scr_body_state turned = state_of(world, box);
        turned.rotation = random_rotation(20 + (uint64_t)k);
        turned.spin = vec3(1.0, -3.0 * k, 2.0);
        set_state(world, box, turned);
    }
    scr_vec3 p = scr_world_momentum(world), l = scr_world_angular_momentum(world);
    double kinetic = scr_world_energy(world).kinetic;
    int64_t touched = 0;
    for (int k = 0; k < 6000; ++k) {
        step(world, 1);
        touched += scr_world_report(world).touching_count;
    }
    assert_true(touched > 50);
    assert_within3(scr_world_momentum(world), p, 1e-12);
    assert_within3(scr_world_angular_momentum(world), l, 1e-13);
    assert_at_most(scr_world_energy(world).kinetic, 0.8 * kinetic);
    scr_world_destroy(world);
}

// A ball that rolls on a plane is braked by mu_r r N: 5/7 mu_r g; one that spins about the normal by mu_s r N.
static void rolling_resistance_brakes_as_it_should(void **state)
{
    (void)state;
    const double radius = 0.01, rolling = 0.05, spinning = 0.03;
    for (int law = SCR_ROLLING_ELASTIC; law <= SCR_ROLLING_CONSTANT; ++law) {
        scr_world_def def = penalty_def(5e-5);
        def.contact.rolling = (scr_rolling_law)law;
        scr_world *world = make_world(&def);
        scr_material_def rubber = solid_def(RUBBER);
        rubber.rolling_friction = rolling, rubber.spinning_friction = spinning;
        scr_material material;
        assert_ok(scr_world_add_material(world, &rubber, &material, &error));
        add_floor(world, material);
        double sunk = pow(sphere_mass(radius, RUBBER.density) * GRAVITY /
                              (4.0 / 3.0 * 0.5 * plain_strain_modulus(RUBBER) * sqrt(radius)),
                          2.0 / 3.0);
        scr_body roller = add_sphere(world, material, radius, vec3(0.0, 0.0, radius - sunk), vec3(0.5, 0.0, 0.0));
        scr_body top = add_sphere(world, material, radius, vec3(0.0, 1.0, radius - sunk), vec3(0.0, 0.0, 0.0));
        scr_body_state moving = state_of(world, roller), rotating = state_of(world, top);
        moving.spin.y = 0.5 / radius;
        rotating.spin.z = 100.0;
        set_state(world, roller, moving);
        set_state(world, top, rotating);
        step(world, 1000);  // the spring of the elastic law is stretched first
        double v = state_of(world, roller).velocity.x, w = state_of(world, top).spin.z;
        step(world, 4000);
        double time = 4000 * 5e-5;
        assert_near(v - state_of(world, roller).velocity.x, time * rolling * GRAVITY / 1.4, 5e-3);
        assert_near(w - state_of(world, top).spin.z, time * spinning * GRAVITY / (0.4 * radius), 2e-3);
        step(world, 30000);
        // Both come to rest. A constant torque does not shake them; elastic ones rock to and fro for a while.
        double still = law == SCR_ROLLING_CONSTANT ? 1e-9 : 1e-4;
        assert_at_most(vec3_norm(state_of(world, roller).velocity), still);
        assert_within(radius * state_of(world, top).spin.z, 0.0, still);
        scr_world_destroy(world);
    }
}

static double speed_down_a_slope(double slope, double rolling)
{
    scr_world_def def = penalty_def(5e-5);
    def.gravity = vec3(GRAVITY * sin(slope), 0.0, -GRAVITY * cos(slope));
    scr_world *world = make_world(&def);
    scr_material_def rubber = solid_def(RUBBER);
    scr_material material;
    rubber.rolling_friction = rolling;
    assert_ok(scr_world_add_material(world, &rubber, &material, &error));
    add_floor(world, material);
    scr_body ball = add_sphere(world, material, 0.01, vec3(0.0, 0.0, 0.01 - 2e-5), vec3(0.0, 0.0, 0.0));
    step(world, 4000);
    double v = state_of(world, ball).velocity.x;
    step(world, 4000);
    double gained = state_of(world, ball).velocity.x - v;
    scr_world_destroy(world);
    return gained / (4000 * 5e-5);
}

static void a_ball_rolls_only_down_steeper_slopes(void **state)
{
    (void)state;
    const double rolling = 0.1;
    assert_within(speed_down_a_slope(0.09, rolling), 0.0, 1e-4);
    assert_near(speed_down_a_slope(0.15, rolling), (sin(0.15) - rolling * cos(0.15)) * GRAVITY / 1.4, 0.01);
}

// How hard a ball must be pulled, slowly, until it comes off a ceiling.
static double pull_off_force(scr_adhesion_law adhesion, double surface_energy, double radius)
{
    scr_world_def def = penalty_def(4e-6);
    def.gravity = vec3(0.0, 0.0, 0.0);
    def.contact.adhesion = adhesion;
    scr_world *world = make_world(&def);
    scr_material_def rubber = solid_def(RUBBER);
    scr_material material;
    rubber.restitution = 0.05, rubber.surface_energy = surface_energy;
    assert_ok(scr_world_add_material(world, &rubber, &material, &error));
    add_floor(world, material);
    scr_body ball = add_sphere(world, material, radius, vec3(0.0, 0.0, radius - 1e-7), vec3(0.0, 0.0, 0.0));
    double most = 4.0 * PI * surface_energy * radius, force = 0.0;
    step(world, 1000);
    for (int k = 0; k < 33000; ++k) {  // quickly to where nothing can happen yet, then slowly
        force = most * (k < 8000 ? 0.33 * k / 8000.0 : 0.33 + 0.2 * (k - 8000) / 25000.0);
        apply_force(world, ball, vec3(0.0, 0.0, force));
        step(world, 1);
        if (scr_world_report(world).touching_count == 0) break;
    }
    scr_world_destroy(world);
    return force;
}

static void adhesion_lets_go_at_the_published_forces(void **state)
{
    (void)state;
    const double w = 0.05, radius = 5e-4;
    assert_near(pull_off_force(SCR_DMT, w, radius), 2.0 * PI * w * radius, 0.01);
    assert_near(pull_off_force(SCR_JKR, w, radius), 1.5 * PI * w * radius, 0.01);
}

// A cube of triangles.
static scr_shape mesh_cube(scr_world *world, double half, scr_material material)
{
    static const int32_t triangle[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                         2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    scr_vec3 vertex[8];
    scr_surface surface;
    for (int k = 0; k < 8; ++k)
        vertex[k] = vec3_scale(half, vec3(k & 1 ? 1.0 : -1.0, k & 2 ? 1.0 : -1.0, k & 4 ? 1.0 : -1.0));
    scr_triangles t = {8, 12, vertex, triangle};
    assert_ok(scr_world_add_mesh(world, &t, &surface, &error));
    return scr_surface_shape(world, surface, material);
}

// A box, a lying capsule, a cube of triangles and a ball, on a plane that is tilted: below the angle of friction they
// stay where they are, which takes a memory; above it, what cannot roll slides as Coulomb says.
static void place_on_slope(double slope, scr_vec3 moved[4], scr_vec3 gained[4], double weight_error[4])
{
    scr_world_def def = penalty_def(4e-5);
    def.gravity = vec3(0.0, GRAVITY * sin(slope), -GRAVITY * cos(slope));
    scr_world *world = make_world(&def);
    scr_material rubber = add_solid(world, RUBBER);
    scr_shape shape[4] = {scr_box(vec3(0.02, 0.02, 0.01), rubber), scr_capsule(0.01, 0.02, rubber),
                          mesh_cube(world, 0.01, rubber), scr_sphere(0.01, rubber)};
    scr_body body[4];
    add_floor(world, rubber);
    for (int k = 0; k < 4; ++k) {
        scr_body_def b = scr_default_body_def();
        b.position = vec3(0.1 * k, 0.0, 0.01 - 1e-6);
        b.shapes = &shape[k];
        b.shape_count = 1;
        if (k == 1) b.rotation = (scr_quat){sqrt(0.5), sqrt(0.5), 0.0, 0.0};  // along y
        body[k] = add_body(world, &b);
    }
    step(world, 7500);
    scr_body_state before[4];
    for (int k = 0; k < 4; ++k) before[k] = state_of(world, body[k]);
    step(world, 2500);
    for (int k = 0; k < 4; ++k) {
        scr_body_state now = state_of(world, body[k]);
        moved[k] = vec3_sub(now.position, before[k].position);
        gained[k] = vec3_scale(1.0 / 0.1, vec3_sub(now.velocity, before[k].velocity));
        weight_error[k] =
            contact_force_on(world, body[k]).z / (scr_body_mass(world, body[k]) * GRAVITY * cos(slope)) - 1.0;
    }
    scr_world_destroy(world);
}

static void shapes_rest_on_a_slope_and_slide_down_a_steeper_one(void **state)
{
    (void)state;
    scr_vec3 moved[4], gained[4];
    double weight_error[4];
    place_on_slope(0.0, moved, gained, weight_error);
    for (int k = 0; k < 4; ++k) {
        assert_within3(moved[k], vec3(0.0, 0.0, 0.0), 1e-10);
        assert_within(weight_error[k], 0.0, 1e-4);
    }
    place_on_slope(0.4, moved, gained, weight_error);  // tan 0.4 = 0.42 < mu
    for (int k = 0; k < 3; ++k) {
        assert_within3(moved[k], vec3(0.0, 0.0, 0.0), 1e-9);
        assert_within(weight_error[k], 0.0, 1e-3);
    }
    assert_near(gained[3].y, 5.0 / 7.0 * GRAVITY * sin(0.4), 1e-3);  // the ball rolls
    place_on_slope(0.55, moved, gained, weight_error);
    for (int k = 0; k < 3; ++k) assert_near(gained[k].y, GRAVITY * (sin(0.55) - 0.5 * cos(0.55)), 0.01);
}

static scr_world *mixed_penalty_world(const scr_world_def *def, int grains)
{
    scr_world *world = make_world(def);
    scr_material_def stone_def = solid_def(RUBBER);
    scr_material stone;
    stone_def.rolling_friction = 0.05, stone_def.surface_energy = 0.01;
    assert_ok(scr_world_add_material(world, &stone_def, &stone, &error));
    add_mixed_furniture(world, stone);
    for (int k = 0; k < grains; ++k) {
        uint64_t draw = 10 * (uint64_t)k;
        scr_vec3 at = vec3(0.011 * (k % 5 + 3), 0.011 * (k / 5 % 5 + 3), 0.02 + 0.011 * (k / 25));
        scr_vec3 v = vec3(random_in(-0.3, 0.3, draw), random_in(-0.3, 0.3, draw + 1), random_in(-1.0, 0.0, draw + 2));
        scr_body body;
        if (k % 10 == 4) assert_ok(add_compound(world, stone, at, random_rotation(draw), &body, &error));
        else if (k % 5 == 2) add_box(world, stone, vec3(0.003, 0.004, 0.005), at, v);
        else add_sphere(world, stone, random_in(0.003, 0.0053, draw + 3), at, v);
    }
    return world;
}

// In mid-slip and mid-roll, over a re-sorting of the bodies: the copy goes on with the same bits.
static void a_restart_goes_on_to_the_same_bits(void **state)
{
    (void)state;
    scr_world_def def = penalty_def(2e-5);
    def.contact.adhesion = SCR_JKR;
    scr_world *world = mixed_penalty_world(&def, 75);
    step(world, 7000);
    assert_true(scr_world_report(world).touching_count > 25);
    scr_world *other = resumed(world, &def);
    assert_true(scr_world_hash(other) == scr_world_hash(world));
    for (int k = 0; k < 300; ++k) {
        step(world, 1);
        step(other, 1);
        assert_true(scr_world_hash(other) == scr_world_hash(world));
    }
    scr_world_destroy(world);
    scr_world_destroy(other);
}

static uint64_t hash_after(int threads, scr_instruction_set set, int steps)
{
    scr_world_def def = penalty_def(2e-5);
    def.thread_count = threads;
    def.instruction_set = set;
    scr_world *world = mixed_penalty_world(&def, 100);
    step(world, steps);
    uint64_t hash = scr_world_hash(world);
    scr_world_destroy(world);
    return hash;
}

static void threads_and_instructions_change_no_bit(void **state)
{
    (void)state;
    uint64_t one = hash_after(1, SCR_BEST, 1000);
    assert_true(hash_after(2, SCR_BEST, 1000) == one);
    assert_true(hash_after(3, SCR_BEST, 1000) == one);
    assert_true(hash_after(1, SCR_PLAIN, 1000) == one);
}

// Springs keep their stretch when bodies are re-sorted and others go: a box on a slope does not feel it.
static void history_survives_the_removal_of_others(void **state)
{
    (void)state;
    scr_world_def def = penalty_def(2e-5);
    def.gravity = vec3(0.0, 0.35 * GRAVITY, -0.93 * GRAVITY);
    scr_world *world = make_world(&def);
    scr_material rubber = add_solid(world, RUBBER);
    scr_body others[20];
    for (int k = 0; k < 20; ++k)
        others[k] = add_box(world, rubber, vec3(0.01, 0.01, 0.01), vec3(0.1 * k, 0.0, 0.01), vec3(0.0, 0.0, 0.0));
    add_floor(world, rubber);
    scr_body box = add_box(world, rubber, vec3(0.01, 0.01, 0.01), vec3(0.55, 0.1, 0.01), vec3(0.0, 0.0, 0.0));
    step(world, 10000);
    scr_vec3 at = state_of(world, box).position;
    assert_ok(scr_world_remove_bodies(world, 20, others, &error));
    step(world, 2000);
    assert_within3(state_of(world, box).position, at, 1e-9);
    scr_world_destroy(world);
}

// A body that is too fast ends the run before anything has changed, springs included.
static void a_failed_step_leaves_the_world_as_it_was(void **state)
{
    (void)state;
    scr_world_def def = penalty_def(2e-5);
    def.max_speed = 100.0;
    scr_world *world = mixed_penalty_world(&def, 75);
    step(world, 7 * 128);  // the next step sorts
    apply_force(world, body_with_id(world, 20), vec3(0.0, 0.0, 1e5));
    uint64_t before = scr_world_hash(world);
    scr_error error = {0};
    assert_int_equal(scr_world_step(world, &error), SCR_DIVERGED);
    assert_true(scr_world_hash(world) == before);
    scr_world_destroy(world);
}

static void a_steady_step_takes_no_memory(void **state)
{
    (void)state;
    scr_world_def def = penalty_def(5e-5);
    def.thread_count = 2;
    scr_world *world = make_world(&def);
    scr_material rubber = add_solid(world, RUBBER);
    add_floor(world, rubber);
    for (int k = 0; k < 20; ++k) {
        add_box(world, rubber, vec3(0.01, 0.01, 0.01), vec3(0.03 * k, 0.0, 0.01), vec3(0.0, 0.0, 0.0));
        add_sphere(world, rubber, 0.01, vec3(0.03 * k, 0.0, 0.03), vec3(0.0, 0.0, 0.0));
    }
    step(world, 1000);
    int64_t before = scr_allocation_count();
    step(world, 400);
    assert_true(scr_world_report(world).touching_count >= 20 * 5);
    assert_int_equal(scr_allocation_count(), before);
    scr_world_destroy(world);
}

static void what_cannot_be_is_refused_in_a_sentence(void **state)
{
    (void)state;
    scr_error error = {0};
    scr_world_def def = penalty_def(1e-5);
    scr_world *world = make_world(&def);
    solid compliance = RUBBER;
    add_solid(world, RUBBER);
    compliance.young = 0.0;
    scr_material nameless = add_solid(world, compliance);
    scr_vec3 at = {0};
    double radius = 0.01;
    uint64_t before = scr_world_hash(world);
    assert_int_equal(scr_world_add_spheres(world, 1, &at, &radius, NULL, nameless, NULL, &error), SCR_BAD_INPUT);
    assert_string_equal(error.message,
                        "material 2 has no Young's modulus, which the penalty law needs of all that moves");
    scr_shape ball = scr_sphere(0.01, nameless);
    scr_body_def b = scr_default_body_def();
    scr_body body;
    b.shapes = &ball, b.shape_count = 1;
    assert_int_equal(scr_world_add_body(world, &b, &body, &error), SCR_BAD_INPUT);
    assert_true(scr_world_hash(world) == before);
    add_floor(world, nameless);  // a rigid floor is fine
    scr_world_destroy(world);

    def.contact.normal = SCR_HOOKE, def.contact.stiffness = 1e4;
    world = make_world(&def);
    add_sphere(world, add_solid(world, compliance), 0.01, at, at);  // it has a stiffness of its own
    step(world, 1);
    scr_world_destroy(world);
    def.contact.adhesion = SCR_JKR;
    assert_int_equal(scr_world_create(&def, &world, &error), SCR_BAD_INPUT);
}

static void the_advised_step_follows_from_the_lightest_grain(void **state)
{
    (void)state;
    scr_world_def def = penalty_def(1e-5);
    scr_world *world = make_world(&def);
    scr_material rubber = add_solid(world, RUBBER), rigid = add_rigid(world, RUBBER);
    assert_int_equal(scr_world_advised_step(world).limit, SCR_LIMIT_NONE);
    add_floor(world, rigid);
    add_sphere(world, rubber, 0.02, vec3(0.0, 0.0, 1.0), vec3(0.0, 0.0, 0.0));
    add_sphere(world, rubber, 0.01, vec3(0.2, 0.0, 1.0), vec3(0.0, 0.0, -0.1));
    scr_step_advice advice = scr_world_advised_step(world);
    double shear = 1e7 / 2.6, rayleigh = PI * 0.01 * sqrt(1000.0 / shear) / (0.1631 * 0.3 + 0.8766);
    double impact =
        hertz(0.5 * sphere_mass(0.01, 1000.0), 0.005, plain_strain_modulus(RUBBER), sqrt(2.0 * GRAVITY * 0.02)).time;
    assert_near(advice.rayleigh_time, rayleigh, 1e-6);
    assert_near(advice.contact_time, impact, 1e-6);
    assert_near(advice.radius, 0.01, 1e-12);
    assert_int_equal(advice.material, 0);
    assert_near(advice.time_step, fmin(0.2 * rayleigh, 0.05 * impact), 1e-6);
    scr_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_flight_is_exact),
        cmocka_unit_test(a_spinning_box_keeps_its_momentum),
        cmocka_unit_test(colliding_boxes_keep_their_momentum),
        cmocka_unit_test(rolling_resistance_brakes_as_it_should),
        cmocka_unit_test(a_ball_rolls_only_down_steeper_slopes),
        cmocka_unit_test(adhesion_lets_go_at_the_published_forces),
        cmocka_unit_test(shapes_rest_on_a_slope_and_slide_down_a_steeper_one),
        cmocka_unit_test(a_restart_goes_on_to_the_same_bits),
        cmocka_unit_test(threads_and_instructions_change_no_bit),
        cmocka_unit_test(history_survives_the_removal_of_others),
        cmocka_unit_test(a_failed_step_leaves_the_world_as_it_was),
        cmocka_unit_test(a_steady_step_takes_no_memory),
        cmocka_unit_test(what_cannot_be_is_refused_in_a_sentence),
        cmocka_unit_test(the_advised_step_follows_from_the_lightest_grain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
