// SPDX-License-Identifier: BSD-3-Clause
// A few bodies in equilibrium: forces that statics knows, stacks that must stand, overlaps that must open gently.
#include "contact_view.h"
#include "dynamics/physics.h"

static const scr_vec3 STILL = {0.0, 0.0, 0.0};

static scr_world_def precise(bool rigid)
{
    scr_world_def def = scr_default_world_def();
    def.contact.law = rigid ? SCR_RIGID : SCR_COMPLIANT;
    def.solver.tolerance = 1e-3;
    return def;
}

// The force of a on b, summed over their contacts.
static scr_vec3 force_between(const scr_world *world, scr_body a, scr_body b)
{
    scr_vec3 sum = {0};
    for (int64_t i = 0; i < contact_count(world); ++i) {
        one_contact c = contact_at(world, i);
        if (c.a.index1 == a.index1 && c.b.index1 == b.index1) sum = vec3_add(sum, c.force);
        if (c.b.index1 == a.index1 && c.a.index1 == b.index1) sum = vec3_sub(sum, c.force);
    }
    return sum;
}

// Smooth planes at +-angle make a groove; each pushes on a ball in it with W / (2 cos angle).
static void a_ball_in_a_smooth_groove(void **state)
{
    (void)state;
    const double radius = 0.05, angle = 0.6;
    for (int rigid = 0; rigid <= 1; ++rigid) {
        scr_world_def def = precise(rigid);
        scr_world *world = make_world(&def);
        scr_material ice = add_material(world, 0.0, 0.0);
        scr_shape plane = scr_plane(ice);
        scr_body side[2];
        for (int k = 0; k < 2; ++k) {
            scr_body_def body = scr_default_body_def();
            body.kind = SCR_FIXED;
            body.rotation = (scr_quat){cos(0.5 * angle), 0.0, (k == 0 ? 1.0 : -1.0) * sin(0.5 * angle), 0.0};
            body.shapes = &plane;
            body.shape_count = 1;
            side[k] = add_body(world, &body);
        }
        scr_body ball = add_sphere(world, ice, radius, vec3(0.0, 0.0, radius / cos(angle)), STILL);
        step(world, 300);
        double weight = GRAVITY * scr_body_mass(world, ball), push = weight / (2.0 * cos(angle));
        assert_near(vec3_norm(force_between(world, side[0], ball)), push, 1e-4);
        assert_near(vec3_norm(force_between(world, side[1], ball)), push, 1e-4);
        assert_within3(state_of(world, ball).velocity, STILL, 1e-7);
        scr_world_destroy(world);
    }
}

// A beam on two round supports, at distances p and q from its middle: they carry q and p parts of p + q.
static void a_beam_on_two_supports_obeys_the_lever_rule(void **state)
{
    (void)state;
    const double radius = 0.05, p = 0.3, q = 0.1, half = 0.02;
    scr_world_def def = precise(false);
    scr_world *world = make_world(&def);
    scr_material wood = add_material(world, 0.5, 0.0);
    scr_body left[2], right[2];
    for (int k = 0; k < 2; ++k) {
        double y = k == 0 ? -0.05 : 0.05;
        left[k] = add_shape(world, SCR_FIXED, scr_sphere(radius, wood), vec3(-p, y, 0.0), STILL);
        right[k] = add_shape(world, SCR_FIXED, scr_sphere(radius, wood), vec3(q, y, 0.0), STILL);
    }
    scr_body beam = add_box(world, wood, vec3(0.5, 0.1, half), vec3(0.0, 0.0, radius + half), STILL);
    step(world, 500);
    double weight = GRAVITY * scr_body_mass(world, beam), on_left = 0.0, on_right = 0.0;
    for (int k = 0; k < 2; ++k) {
        on_left += force_between(world, left[k], beam).z;
        on_right += force_between(world, right[k], beam).z;
    }
    assert_near(on_left, weight * q / (p + q), 1e-3);
    assert_near(on_right, weight * p / (p + q), 1e-3);
    scr_vec3 force, torque;
    assert_ok(scr_body_contact_force(world, beam, &force, &torque, &error));
    assert_within3(force, vec3(0.0, 0.0, weight), 1e-3 * weight);
    assert_within3(torque, STILL, 1e-3 * weight * p);
    scr_world_destroy(world);
}

static scr_material add_stone(scr_world *world, double young)
{
    scr_material_def def = scr_default_material_def();
    scr_material stone;
    def.young = young;
    assert_ok(scr_world_add_material(world, &def, &stone, &error));
    return stone;
}

// E* of a material against itself
static double modulus_of(double young) { return young / (2.0 * (1.0 - 0.3 * 0.3)); }

// A compliant contact of k = 4/3 E* R* sqrt(1e-3) under a weight W gives way by W/k, and stores W^2/(2 k).
static void a_ball_sinks_by_its_weight_over_its_stiffness(void **state)
{
    (void)state;
    const double radius = 0.05, young = 1e9;
    scr_world_def def = precise(false);
    scr_world *world = make_world(&def);
    scr_material rubber = add_stone(world, young);
    add_floor(world, rubber);
    scr_body ball = add_sphere(world, rubber, radius, vec3(0.0, 0.0, radius), STILL);
    step(world, 2000);
    double stiffness = 4.0 / 3.0 * modulus_of(young) * radius * sqrt(1e-3);
    double weight = GRAVITY * scr_body_mass(world, ball);
    assert_near(radius - state_of(world, ball).position.z, weight / stiffness, 1e-3);
    assert_near(scr_world_energy(world).elastic, 0.5 * weight * weight / stiffness, 1e-3);
    scr_world_destroy(world);
}

// Beyond an overlap of 1e-3 R* a contact stiffens as Hertz says: W = 4/3 E* sqrt(R*) d^(3/2).
static void a_ball_under_a_heavy_load_sinks_as_hertz_says(void **state)
{
    (void)state;
    const double radius = 0.05, young = 1e8, loads[] = {1e2, 1e3, 1e4};
    for (int k = 0; k < 3; ++k) {
        scr_world_def def = precise(false);
        scr_world *world = make_world(&def);
        scr_material rubber = add_stone(world, young);
        add_floor(world, rubber);
        scr_body ball = add_sphere(world, rubber, radius, vec3(0.0, 0.0, radius), STILL);
        double weight = GRAVITY * scr_body_mass(world, ball) + loads[k];
        for (int n = 0; n < 1000; ++n) {
            apply_force(world, ball, vec3(0.0, 0.0, -loads[k]));
            step(world, 1);
        }
        double root = weight / (4.0 / 3.0 * modulus_of(young) * sqrt(radius));  // d^(3/2)
        assert_near(radius - state_of(world, ball).position.z, pow(root, 2.0 / 3.0), 1e-3);
        scr_world_destroy(world);
    }
}

// A block on a block, or on a plane, sinks in as a flat punch of its area does, W/(2 E* a) with a = sqrt(area/pi),
// within a factor of 1.5: what is known of the face is the size of the shape.
static void a_block_sinks_as_a_flat_punch(void **state)
{
    (void)state;
    const double young = 1e8, load = 1e4;
    const scr_vec3 halves[] = {{0.1, 0.1, 0.1}, {0.1, 0.1, 0.03}, {0.1, 0.06, 0.05}};
    for (int k = 0; k < 6; ++k) {
        scr_vec3 half = halves[k / 2];
        bool on_block = k % 2 == 1;
        scr_world_def def = precise(false);
        scr_world *world = make_world(&def);
        scr_material rubber = add_stone(world, young);
        double ground = on_block ? 0.2 : 0.0;
        add_floor(world, rubber);
        if (on_block) add_shape(world, SCR_FIXED, scr_box(vec3(0.2, 0.2, 0.1), rubber), vec3(0.0, 0.0, 0.1), STILL);
        scr_body block = add_box(world, rubber, half, vec3(0.0, 0.0, ground + half.z), STILL);
        double weight = GRAVITY * scr_body_mass(world, block) + load;
        for (int n = 0; n < 1000; ++n) {
            apply_force(world, block, vec3(0.0, 0.0, -load));
            step(world, 1);
        }
        double punch = weight / (2.0 * modulus_of(young) * sqrt(4.0 * half.x * half.y / 3.14159265358979323846));
        double sunk = ground + half.z - state_of(world, block).position.z;
        print_message("block %d: %.3f of a flat punch's way\n", k, sunk / punch);
        assert_at_most(sunk, 1.5 * punch);
        assert_at_most(punch, 1.5 * sunk);
        scr_world_destroy(world);
    }
}

// A stiffening spring must not give back more than it took: a plate that falls on four balls, each of a thousandth of
// its mass, rises no higher than it fell from.
static void a_heavy_plate_rises_no_higher_than_it_fell(void **state)
{
    (void)state;
    const double r = 0.01, drops[] = {1e-4, 1e-3, 1e-2}, restitution[] = {0.0, 0.5, 1.0};
    for (int k = 0; k < 9; ++k) {
        scr_world_def def = precise(false);
        scr_world *world = make_world(&def);
        scr_material stone = add_material(world, 0.5, restitution[k / 3]);
        add_floor(world, stone);
        double mass = 0.0, top = 2.0 * r + drops[k % 3] + r;
        for (int n = 0; n < 4; ++n)
            mass += scr_body_mass(world, add_sphere(world, stone, r, vec3(n % 2 * 0.1, n / 2 * 0.1, r), STILL));
        scr_shape board = scr_box(vec3(0.07, 0.07, r), stone);
        scr_body_def plate_def = scr_default_body_def();
        plate_def.position = vec3(0.05, 0.05, top);
        plate_def.mass = 1e3 * mass;
        plate_def.shapes = &board;
        plate_def.shape_count = 1;
        scr_body plate = add_body(world, &plate_def);
        double energy = total_energy(world), highest = 0.0;
        for (int n = 0; n < 500; ++n) {
            step(world, 1);
            if (n > 50) highest = fmax(highest, state_of(world, plate).position.z);
        }
        print_message("e = %g, drop %g m: up to %.3g m below where it began\n", restitution[k / 3], drops[k % 3],
                      top - highest);
        assert_at_most(highest, top);
        assert_at_most(total_energy(world), energy);
        scr_world_destroy(world);
    }
}

// Two spheres of different size made one body: its centre of mass is where their masses balance, and on the floor each
// carries the share that the lever rule gives it.
static void a_dumb_bell_rests_on_both_its_ends(void **state)
{
    (void)state;
    const double big = 0.05, small = 0.04, span = 0.2, density = 2500.0;
    scr_world_def def = precise(false);
    scr_world *world = make_world(&def);
    scr_material iron = add_material(world, 0.5, 0.0);
    scr_body floor = add_floor(world, iron);
    scr_shape end[2] = {scr_sphere(big, iron), scr_sphere(small, iron)};
    end[0].position = vec3(0.0, 0.0, big);
    end[1].position = vec3(span, 0.0, small);
    scr_body_def body = scr_default_body_def();
    body.shapes = end;
    body.shape_count = 2;
    scr_body bell = add_body(world, &body);
    double volume = 4.0 / 3.0 * 3.14159265358979323846, big_mass = density * volume * big * big * big;
    double small_mass = density * volume * small * small * small, mass = big_mass + small_mass;
    assert_near(scr_body_mass(world, bell), mass, 1e-12);
    assert_near(state_of(world, bell).position.x, span * small_mass / mass, 1e-12);
    step(world, 500);
    double on_big = 0.0, on_small = 0.0, middle = 0.5 * span;
    for (int64_t i = 0; i < contact_count(world); ++i) {
        one_contact c = contact_at(world, i);
        *(c.point.x < middle ? &on_big : &on_small) += fabs(c.force.z);
    }
    assert_near(on_big, GRAVITY * big_mass, 1e-3);
    assert_near(on_small, GRAVITY * small_mass, 1e-3);
    assert_near(-contact_force_on(world, floor).z, GRAVITY * mass, 1e-3);
    scr_world_destroy(world);
}

enum { STOREYS = 8 };

// A tower of boxes, each carrying all above it, stands still for five seconds.
static void check_tower(bool rigid)
{
    const scr_vec3 half = {0.06, 0.05, 0.04};
    scr_world_def def = precise(rigid);
    scr_world *world = make_world(&def);
    scr_material brick = add_material(world, 0.5, 0.0);
    scr_body storey[STOREYS + 1] = {add_floor(world, brick)};
    for (int k = 1; k <= STOREYS; ++k)
        storey[k] = add_box(world, brick, half, vec3(0.002 * (k % 3), 0.0, (2 * k - 1) * half.z), STILL);
    step(world, 500);
    scr_vec3 top = state_of(world, storey[STOREYS]).position;
    step(world, 4500);
    double weight = GRAVITY * scr_body_mass(world, storey[1]);
    for (int k = 1; k <= STOREYS; ++k) {
        scr_body_state now = state_of(world, storey[k]);
        assert_near(force_between(world, storey[k - 1], storey[k]).z, weight * (STOREYS + 1 - k), 1e-3);
        assert_within3(now.velocity, STILL, 0.02 * GRAVITY * def.time_step);  // what the solver's tolerance leaves
        assert_at_most(0.999999, fabs(now.rotation.w));                       // upright to 3 mrad
    }
    assert_within3(state_of(world, storey[STOREYS]).position, top, 1e-6);
    scr_world_destroy(world);
}

static void a_tower_of_boxes_stands_for_five_seconds(void **state)
{
    (void)state;
    check_tower(false);
    check_tower(true);
}

// Bricks set off by d each: the stack overhangs and stands while the centre of all above stays over the edge. Two
// bricks: the upper falls when d exceeds half its length.
static double lowest_of_overhanging_brick(double share)
{
    const scr_vec3 half = {0.1, 0.05, 0.03};
    scr_world_def def = precise(false);
    scr_world *world = make_world(&def);
    scr_material brick = add_material(world, 0.8, 0.0);
    add_shape(world, SCR_FIXED, scr_box(half, brick), vec3(0.0, 0.0, half.z), STILL);
    scr_body upper = add_box(world, brick, half, vec3(2.0 * half.x * share, 0.0, 3.0 * half.z), STILL);
    step(world, 1000);
    double z = state_of(world, upper).position.z;
    scr_world_destroy(world);
    return z - 3.0 * half.z;
}

static void a_brick_falls_once_its_centre_is_past_the_edge(void **state)
{
    (void)state;
    assert_within(lowest_of_overhanging_brick(0.49), 0.0, 1e-5);
    assert_at_most(lowest_of_overhanging_brick(0.51), -0.01);
}

// Overlaps that were put there open at the recovery speed, 5 g h = 0.05 m/s unless given, and not faster. Contacts with
// compliance may add what an overlap of 2e-3 radii gives back at once.
static double fastest_while_opening(scr_world *world, int steps)
{
    double fastest = 0.0;
    for (int k = 0; k < steps; ++k) {
        step(world, 1);
        fastest = fmax(fastest, scr_world_report(world).max_speed);
    }
    return fastest;
}

static void two_spheres_inside_each_other_part_gently(void **state)
{
    (void)state;
    const double radius = 0.02;
    for (int rigid = 0; rigid <= 1; ++rigid) {
        for (int depth = 1; depth <= 19; depth += 6) {  // tenths of a radius
            scr_world_def def = precise(rigid);
            def.gravity = vec3(0.0, 0.0, 0.0);
            def.contact.recovery_speed = 0.05;
            scr_world *world = make_world(&def);
            scr_material stone = add_material(world, 0.5, 0.0);
            double distance = (2.0 - 0.1 * depth) * radius;
            scr_body a = add_sphere(world, stone, radius, STILL, STILL);
            scr_body b = add_sphere(world, stone, radius, vec3(distance, 0.0, 0.0), STILL);
            double fastest = fastest_while_opening(world, 1000);
            assert_at_most(fastest, 0.05);
            double apart = state_of(world, b).position.x - state_of(world, a).position.x;
            assert_at_most(1.999 * radius, apart);
            assert_at_most(fabs(state_of(world, b).velocity.x), 0.05);
            scr_world_destroy(world);
        }
    }
}

static void a_box_sunk_into_the_floor_comes_up_gently(void **state)
{
    (void)state;
    const scr_vec3 half = {0.1, 0.08, 0.05};
    for (int rigid = 0; rigid <= 1; ++rigid) {
        scr_world_def def = precise(rigid);
        scr_world *world = make_world(&def);
        scr_material stone = add_material(world, 0.5, 0.0);
        add_floor(world, stone);
        scr_body box = add_box(world, stone, half, vec3(0.0, 0.0, 0.5 * half.z), STILL);
        assert_at_most(fastest_while_opening(world, 2000), 0.06);
        assert_within(state_of(world, box).position.z, half.z, 1e-3 * half.z);
        scr_world_destroy(world);
    }
}

// A cube of grains that overlap their neighbours by a fifth of a radius opens like an accordion, to both sides: with
// SIDE - 1 contacts in a row, its corners go (SIDE - 1)/2 times the speed of one opening contact, in three directions.
static void a_crowd_of_overlapping_grains_does_not_explode(void **state)
{
    (void)state;
    enum { SIDE = 5 };
    const double radius = 0.01, pitch = 1.8 * radius, recovery = 0.05;
    for (int rigid = 0; rigid <= 1; ++rigid) {
        scr_world_def def = precise(rigid);
        def.gravity = STILL;
        def.contact.recovery_speed = recovery;
        scr_world *world = make_world(&def);
        scr_material stone = add_material(world, 0.5, 0.0);
        for (int k = 0; k < SIDE * SIDE * SIDE; ++k)
            add_sphere(world, stone, radius, vec3_scale(pitch, vec3(k % SIDE, k / SIDE % SIDE, k / (SIDE * SIDE))),
                       STILL);
        double opening = recovery + (rigid ? 0.0 : 2e-3 * radius / def.time_step);
        assert_at_most(fastest_while_opening(world, 200), 1.0001 * 0.5 * (SIDE - 1) * opening * sqrt(3.0));
        assert_at_most(scr_world_report(world).max_penetration, 1e-3 * radius);
        scr_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_in_a_smooth_groove),
        cmocka_unit_test(a_beam_on_two_supports_obeys_the_lever_rule),
        cmocka_unit_test(a_ball_sinks_by_its_weight_over_its_stiffness),
        cmocka_unit_test(a_ball_under_a_heavy_load_sinks_as_hertz_says),
        cmocka_unit_test(a_block_sinks_as_a_flat_punch),
        cmocka_unit_test(a_heavy_plate_rises_no_higher_than_it_fell),
        cmocka_unit_test(a_dumb_bell_rests_on_both_its_ends),
        cmocka_unit_test(a_tower_of_boxes_stands_for_five_seconds),
        cmocka_unit_test(a_brick_falls_once_its_centre_is_past_the_edge),
        cmocka_unit_test(two_spheres_inside_each_other_part_gently),
        cmocka_unit_test(a_box_sunk_into_the_floor_comes_up_gently),
        cmocka_unit_test(a_crowd_of_overlapping_grains_does_not_explode),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
