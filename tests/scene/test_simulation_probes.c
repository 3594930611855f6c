// SPDX-License-Identifier: BSD-3-Clause
// Probes against direct sums over the world.
#include "contact_view.h"
#include "make_scene.h"

enum { VALUE_MAX = 64 };

// The value of a column by its name.
static double value_of(simulation *sim, const double *values, const char *column)
{
    for (int c = 0; c < simulation_probe_column_count(sim); ++c) {
        if (strcmp(simulation_probe_column(sim, c), column) == 0) return values[c];
    }
    fail_msg("there is no column %s", column);
    return NAN;
}

static void columns_are_named_after_their_probes(void **state)
{
    (void)state;
    static const char *const expected[][2] = {
        {"e.kinetic", "J"}, {"e.potential", "J"}, {"e.elastic", "J"}, {"m.mass", "kg"},  {"f.mass", "kg"},
        {"f.rate", "kg/s"}, {"c.contacts", ""},   {"b.fx", "N"},      {"b.fy", "N"},     {"b.fz", "N"},
        {"b.tx", "N m"},    {"b.ty", "N m"},      {"b.tz", "N m"},    {"s.x", "m"},      {"s.y", "m"},
        {"s.z", "m"},       {"s.vx", "m/s"},      {"s.vy", "m/s"},    {"s.vz", "m/s"},   {"s.qw", ""},
        {"s.qx", ""},       {"s.qy", ""},         {"s.qz", ""},       {"s.wx", "rad/s"}, {"s.wy", "rad/s"},
        {"s.wz", "rad/s"},  {"n.bodies", ""},     {"n.emitted", ""},  {"n.removed", ""},
    };
    test_scene t;
    scene_begin(&t);
    add_ball(&t, "ball", 0.1, vec3(0, 0, 0));
    static const char *const names[] = {"e", "m", "f", "c", "b", "s", "n"};
    for (int k = PROBE_ENERGY; k <= PROBE_BODY_COUNT; ++k) add_probe(&t, names[k], (probe_kind)k);
    simulation *sim = created(&t.s, 1);
    assert_int_equal(simulation_probe_column_count(sim), sizeof expected / sizeof *expected);
    for (int c = 0; c < simulation_probe_column_count(sim); ++c) {
        assert_string_equal(simulation_probe_column(sim, c), expected[c][0]);
        assert_string_equal(simulation_probe_unit(sim, c), expected[c][1]);
    }
    simulation_destroy(sim);
    scene_end(&t);
}

// A bed settles in a bin: the floor's mean force tends to the weight, and every probe equals a sum over the view.
static void probes_equal_direct_sums(void **state)
{
    (void)state;
    test_scene t;
    scene_begin(&t);
    add_floor(&t, 0.0);
    add_body(&t, "bin", SCR_FIXED, scr_box(vec3(0.1, 1, 1), (scr_material){1}), vec3(-0.1, 0, 0));
    add_body(&t, "", SCR_FIXED, scr_box(vec3(0.1, 1, 1), (scr_material){1}), vec3(0.4, 0, 0));
    add_body(&t, "", SCR_FIXED, scr_box(vec3(1, 0.1, 1), (scr_material){1}), vec3(0, -0.1, 0));
    add_body(&t, "", SCR_FIXED, scr_box(vec3(1, 0.1, 1), (scr_material){1}), vec3(0, 0.4, 0));
    add_ball(&t, "ball", 0.03, vec3(0.15, 0.15, 0.5));
    t.materials[0].def.friction = 0.0;  // walls carry no weight
    add_fill(&t, "bed", FILL_JITTERED, box_region(vec3(0, 0, 0), vec3(0.3, 0.3, 0.3)), uniform_size(0.012, 0.02))
        ->count = 300;
    region lower = box_region(vec3(-1, -1, -1), vec3(1, 1, 0.05));
    add_probe(&t, "energy", PROBE_ENERGY);
    add_probe(&t, "lower", PROBE_REGION_MASS)->region = lower;
    add_probe(&t, "contacts", PROBE_CONTACT_COUNT);
    add_probe(&t, "floor", PROBE_BODY_FORCE)->body = 0;
    add_probe(&t, "ball", PROBE_BODY_STATE)->body = 5;
    simulation *sim = created(&t.s, 2);
    scr_world *world = simulation_world(sim);
    double values[VALUE_MAX];
    advance_steps(sim, 600);
    simulation_probe_row(sim, values);

    // Over the next steps the forces are summed here as well.
    scr_vec3 sum = {0}, force, torque;
    scr_body floor_handle = scr_world_bodies(world).handle[entry_of(sim, 1)];
    const int steps = 50;
    for (int n = 0; n < steps; ++n) {
        advance_steps(sim, 1);
        assert_int_equal(scr_body_contact_force(world, floor_handle, &force, &torque, NULL), SCR_OK);
        sum = vec3_add(sum, force);
    }
    simulation_probe_row(sim, values);
    assert_near(value_of(sim, values, "floor.fz"), sum.z / steps, 1e-12);
    assert_near(value_of(sim, values, "floor.fz"), -9.81 * world_mass(sim), 0.01);

    scr_body_view bodies = scr_world_bodies(world);
    double mass = 0.0;
    for (int64_t i = 0; i < bodies.count; ++i) {
        if (bodies.inv_mass[i] > 0.0 && bodies.z[i] <= 0.05) mass += 1.0 / bodies.inv_mass[i];
    }
    assert_true(mass > 0.1 && mass < world_mass(sim));
    assert_near(value_of(sim, values, "lower.mass"), mass, 1e-12);
    scr_energy energy = scr_world_energy(world);
    assert_true(value_of(sim, values, "energy.kinetic") == energy.kinetic && energy.potential > 0.0);
    assert_true(value_of(sim, values, "energy.potential") == energy.potential);
    assert_true(value_of(sim, values, "energy.elastic") == energy.elastic);
    int64_t i = entry_of(sim, 6), touching = 0;
    assert_true(value_of(sim, values, "ball.x") == bodies.x[i] && value_of(sim, values, "ball.vz") == bodies.vz[i]);
    for (int64_t k = 0; k < contact_count(world); ++k) touching += vec3_norm(contact_at(world, k).force) > 0.0;
    assert_true(touching > 300);
    assert_int_equal((int64_t)value_of(sim, values, "contacts.contacts"), touching);
    simulation_destroy(sim);
    scene_end(&t);
}

// Grains rain through a plane: what was counted is what is below it now or has been taken away below it.
static void mass_through_a_plane_is_what_arrived_beyond_it(void **state)
{
    (void)state;
    test_scene t;
    scene_begin(&t);
    scene_emitter *e =
        add_emitter(&t, box_region(vec3(-0.1, -0.1, 0.9), vec3(0.1, 0.1, 1.0)), uniform_size(0.004, 0.008), 2.0);
    e->velocity = vec3(0, 0.2, -1);
    add_sink(&t, box_region(vec3(-9, -9, -9), vec3(9, 9, 0.2)));
    scene_probe *down = add_probe(&t, "down", PROBE_MASS_FLOW), *up = add_probe(&t, "up", PROBE_MASS_FLOW);
    down->point = up->point = vec3(0, 0, 0.6);
    down->normal = vec3(0, 0, -1);
    up->normal = vec3(0, 0, 1);
    add_probe(&t, "count", PROBE_BODY_COUNT);
    simulation *sim = created(&t.s, 2);
    double values[VALUE_MAX], mass_before = 0.0, total = 0.0;
    for (int row = 0; row < 20; ++row) {
        advance_steps(sim, 37);
        simulation_probe_row(sim, values);
        double beyond = simulation_count(sim).sunk_mass;
        scr_body_view bodies = scr_world_bodies(simulation_world(sim));
        for (int64_t i = 0; i < bodies.count; ++i) beyond += bodies.z[i] <= 0.6 ? 1.0 / bodies.inv_mass[i] : 0.0;
        double mass = value_of(sim, values, "down.mass");
        assert_within(mass, beyond, 1e-12);
        assert_near(value_of(sim, values, "down.rate") * 0.037, mass - mass_before, 1e-9);
        assert_near(value_of(sim, values, "up.mass"), -mass, 1e-12);
        assert_int_equal((int64_t)value_of(sim, values, "count.bodies"), bodies.count);
        assert_int_equal((int64_t)value_of(sim, values, "count.emitted"), simulation_count(sim).emitted);
        assert_int_equal((int64_t)value_of(sim, values, "count.removed"), simulation_count(sim).sunk);
        mass_before = total = mass;
    }
    assert_true(total > 0.5);
    simulation_destroy(sim);
    scene_end(&t);
}

// Two balls fall through the plane, one within the extent; a third comes up through it and falls back.
static void a_plane_counts_within_its_extent_and_by_direction(void **state)
{
    (void)state;
    test_scene t;
    scene_begin(&t);
    add_ball(&t, "near", 0.01, vec3(0.05, 0, 0.1));
    add_ball(&t, "far", 0.01, vec3(0.5, 0, 0.1));
    add_ball(&t, "thrown", 0.01, vec3(-0.05, 0, -0.1))->def.velocity = vec3(0, 0, 3);
    scene_probe *probe = add_probe(&t, "hole", PROBE_MASS_FLOW);
    probe->normal = vec3(0, 0, -1);
    probe->extent = 0.1;
    simulation *sim = created(&t.s, 1);
    double values[VALUE_MAX], m = sphere_mass(0.01);
    advance_steps(sim, 100);  // thrown is through after 0.035 s
    simulation_probe_row(sim, values);
    assert_near(value_of(sim, values, "hole.mass"), -m, 1e-12);
    advance_steps(sim, 100);  // near and far after 0.143 s
    simulation_probe_row(sim, values);
    assert_within(value_of(sim, values, "hole.mass"), 0.0, 1e-15);
    assert_near(value_of(sim, values, "hole.rate"), m / 0.1, 1e-9);
    advance_steps(sim, 600);  // thrown is back after 0.57 s
    simulation_probe_row(sim, values);
    assert_near(value_of(sim, values, "hole.mass"), m, 1e-12);
    simulation_destroy(sim);
    scene_end(&t);
}

// After a body is gone its force is zero and its place is nowhere; the accounts still balance.
static void probes_of_a_removed_body(void **state)
{
    (void)state;
    test_scene t;
    scene_begin(&t);
    add_body(&t, "plate", SCR_FIXED, scr_box(vec3(1, 1, 0.1), (scr_material){1}), vec3(0, 0, -0.1))->remove_at = 0.05;
    add_ball(&t, "ball", 0.05, vec3(0, 0, 0.05));
    add_probe(&t, "plate", PROBE_BODY_FORCE)->body = 0;
    add_probe(&t, "place", PROBE_BODY_STATE)->body = 0;
    add_probe(&t, "count", PROBE_BODY_COUNT);
    simulation *sim = created(&t.s, 1);
    double values[VALUE_MAX];
    simulation_probe_row(sim, values);  // before the first step there is nothing to take a mean of
    assert_true(value_of(sim, values, "plate.fz") == 0.0);
    advance_steps(sim, 50);
    simulation_probe_row(sim, values);
    assert_near(value_of(sim, values, "plate.fz"), -9.81 * sphere_mass(0.05), 0.05);
    advance_steps(sim, 50);
    simulation_probe_row(sim, values);
    assert_true(value_of(sim, values, "plate.fz") == 0.0);
    assert_true(isnan(value_of(sim, values, "place.x")));
    assert_true(value_of(sim, values, "count.bodies") == 1.0 && value_of(sim, values, "count.removed") == 1.0);
    simulation_destroy(sim);
    scene_end(&t);
}

// The orientation is that of the frame the scene gives, whatever the principal axes of the shapes are.
static void a_body_tells_its_orientation_and_angular_velocity(void **state)
{
    (void)state;
    test_scene t;
    scene_begin(&t);
    scr_shape box = scr_box(vec3(0.5, 0.1, 0.2), (scr_material){1});
    scene_body *bar = add_body(&t, "bar", SCR_KINEMATIC, box, vec3(1, 2, 3));
    t.shapes[0].rotation = (scr_quat){0.6, 0.0, 0.8, 0.0};
    bar->has_motion = bar->motion.has_spin = true;
    bar->motion.axis = vec3(0, 0.6, 0.8);
    bar->motion.spin = formula(&t, "4");
    add_probe(&t, "bar", PROBE_BODY_STATE)->body = 0;
    scene_body *loose = add_body(&t, "loose", SCR_DYNAMIC, box, vec3(5, 0, 0));
    t.shapes[1].rotation = (scr_quat){0.6, 0.0, 0.8, 0.0};
    loose->def.rotation = (scr_quat){0.6, 0.0, 0.0, 0.8};
    loose->def.spin = vec3(1, -2, 3);
    add_probe(&t, "loose", PROBE_BODY_STATE)->body = 1;
    simulation *sim = created(&t.s, 1);
    double values[VALUE_MAX];
    simulation_probe_row(sim, values);
    assert_near(value_of(sim, values, "loose.qw"), 0.6, 1e-12);
    assert_within(value_of(sim, values, "loose.qy"), 0.0, 1e-12);
    assert_near(value_of(sim, values, "loose.qz"), 0.8, 1e-12);
    assert_near(value_of(sim, values, "loose.wy"), -2.0, 1e-12);
    advance_steps(sim, 300);
    simulation_probe_row(sim, values);
    assert_near(value_of(sim, values, "bar.qw"), cos(0.6), 1e-12);
    assert_within(value_of(sim, values, "bar.qx"), 0.0, 1e-12);
    assert_near(value_of(sim, values, "bar.qy"), 0.6 * sin(0.6), 1e-12);
    assert_near(value_of(sim, values, "bar.qz"), 0.8 * sin(0.6), 1e-12);
    assert_within(value_of(sim, values, "bar.wx"), 0.0, 1e-9);
    assert_near(value_of(sim, values, "bar.wy"), 2.4, 1e-9);
    assert_near(value_of(sim, values, "bar.wz"), 3.2, 1e-9);
    simulation_destroy(sim);
    scene_end(&t);
}

// Reading between two rows shows the mean so far, and leaves the next row as it is.
static void reading_probes_changes_nothing(void **state)
{
    (void)state;
    double rows[2][VALUE_MAX], values[VALUE_MAX];
    uint64_t hash[2];
    for (int looks = 0; looks < 2; ++looks) {
        test_scene t;
        scene_begin(&t);
        add_floor(&t, 0.0);
        add_ball(&t, "ball", 0.05, vec3(0, 0, 0.06));
        add_probe(&t, "floor", PROBE_BODY_FORCE)->body = 0;
        scene_probe *flow = add_probe(&t, "flow", PROBE_MASS_FLOW);
        flow->point = vec3(0, 0, 0.055), flow->normal = vec3(0, 0, -1), flow->extent = INFINITY;
        simulation *sim = created(&t.s, 1);
        for (int n = 0; n < 100; ++n) {
            advance_steps(sim, 1);
            if (looks) simulation_read_probes(sim, values);
        }
        hash[looks] = simulation_hash(sim);
        simulation_probe_row(sim, rows[looks]);
        if (looks) assert_true(value_of(sim, values, "floor.fz") == value_of(sim, rows[1], "floor.fz"));
        assert_true(value_of(sim, rows[looks], "floor.fz") < 0.0 && value_of(sim, rows[looks], "flow.mass") > 0.0);
        for (int c = 0; looks && c < simulation_probe_column_count(sim); ++c) assert_true(rows[1][c] == rows[0][c]);
        simulation_destroy(sim);
        scene_end(&t);
    }
    assert_true(hash[0] == hash[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_tells_its_orientation_and_angular_velocity),
        cmocka_unit_test(reading_probes_changes_nothing),
        cmocka_unit_test(columns_are_named_after_their_probes),
        cmocka_unit_test(probes_equal_direct_sums),
        cmocka_unit_test(mass_through_a_plane_is_what_arrived_beyond_it),
        cmocka_unit_test(a_plane_counts_within_its_extent_and_by_direction),
        cmocka_unit_test(probes_of_a_removed_body),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
