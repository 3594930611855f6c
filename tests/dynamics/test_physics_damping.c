// SPDX-License-Identifier: BSD-3-Clause
// Contacts as springs with dampers: oscillations die out at the rate that the implicit step has in closed form.
//
// With u+ = u + a g and g = -(h^2 k + h d) u+ - h k x, x+ = x + h u+, every quantity of the motion obeys
//     y[n+1] = T y[n] - D y[n-1],    D = 1/(1 + a (h^2 k + h d)),    1 - T + D = D a h^2 k
// about its rest, so y[n]^2 - y[n-1] y[n+1] shrinks by exactly D in a step, whatever the phase, and the spring alone
// calls it back. a is the inverse mass that the contact feels.
#include "dynamics/physics.h"

static const double RADIUS = 0.05, YOUNG = 2e9, POISSON = 0.3, TIME_STEP = 1e-4;
static const scr_vec3 STILL = {0.0, 0.0, 0.0};

typedef struct bouncing {
    scr_world *world;
    scr_body ball;
    double shrink, recall;  // D, 1 - T + D
} bouncing;

// A ball that rests on a soft floor.
static bouncing at_rest_with(scr_solver_kind solver, double damping, double restitution, double *mass_over_k)
{
    scr_world_def def = scr_default_world_def();
    def.time_step = TIME_STEP;
    def.contact.damping = damping;
    def.contact.recovery_speed = 10.0;  // the overlap it begins with is meant
    def.solver.kind = solver;
    def.solver.tolerance = solver == SCR_SOLVER_APGD ? 1e-14 : 0.0;
    scr_world *world = make_world(&def);
    scr_material_def rubber_def = scr_default_material_def();
    rubber_def.young = YOUNG;
    rubber_def.poisson = POISSON;
    rubber_def.friction = 1.0;
    rubber_def.restitution = restitution;
    scr_material rubber;
    assert_ok(scr_world_add_material(world, &rubber_def, &rubber, &error));
    add_floor(world, rubber);
    double k = 4.0 / 3.0 * YOUNG / (2.0 * (1.0 - POISSON * POISSON)) * RADIUS * sqrt(1e-3);
    double mass = 2500.0 * 4.0 / 3.0 * 3.14159265358979323846 * RADIUS * RADIUS * RADIUS;
    scr_body ball = add_sphere(world, rubber, RADIUS, vec3(0.0, 0.0, RADIUS - GRAVITY * mass / k), STILL);
    assert_near(scr_body_mass(world, ball), mass, 1e-12);
    double shrink = 1.0 / (1.0 + (TIME_STEP * TIME_STEP + TIME_STEP * damping) * k / mass);
    *mass_over_k = mass / k;
    return (bouncing){world, ball, shrink, shrink * TIME_STEP * TIME_STEP * k / mass};
}

static bouncing at_rest(scr_solver_kind solver, double damping)
{
    double mass_over_k;
    return at_rest_with(solver, damping, 0.0, &mass_over_k);
}

static double sinking_speed(const bouncing *b) { return state_of(b->world, b->ball).velocity.z; }
static double sliding_speed(const bouncing *b)
{
    scr_body_state s = state_of(b->world, b->ball);
    return s.velocity.x - RADIUS * s.spin.y;
}

enum { STEPS = 100 };
static void check_decay(bouncing *b, double (*speed)(const bouncing *), int count)
{
    double y[STEPS + 2];
    assert_true(count <= STEPS);
    for (int n = 0; n < count + 2; ++n) {
        step(b->world, 1);
        y[n] = speed(b);
    }
    double first = y[1] * y[1] - y[0] * y[2], last = y[count] * y[count] - y[count - 1] * y[count + 1];
    assert_near(last / first, pow(b->shrink, count - 1), 2e-3);
    double called = 0.0, size = 0.0;
    for (int n = 1; n <= count; ++n) {
        called += (y[n] - y[n + 1] + b->shrink * (y[n] - y[n - 1])) * y[n];
        size += y[n] * y[n];
    }
    assert_near(called / size, b->recall, 1e-3);
    scr_world_destroy(b->world);
}

static const scr_solver_kind SOLVER[2] = {SCR_SOLVER_AGS, SCR_SOLVER_APGD};

static void a_kicked_ball_stops_bouncing_at_the_damped_rate(void **state)
{
    (void)state;
    for (int k = 0; k < 4; ++k) {
        bouncing b = at_rest(SOLVER[k / 2], k % 2 == 0 ? 0.0 : 3e-4);
        scr_body_state is_deflected = state_of(b.world, b.ball);
        is_deflected.velocity.z = -1e-3;
        set_state(b.world, b.ball, is_deflected);
        check_decay(&b, sinking_speed, STEPS);
    }
}

// Its spin and its velocity change the contact's together: the tangent is 7/2 times as easy to move as the normal, and
// its spring 7/2 times softer, so that it shrinks as fast.
static void a_kicked_ball_stops_swaying_at_the_damped_rate(void **state)
{
    (void)state;
    for (int k = 0; k < 4; ++k) {
        bouncing b = at_rest(SOLVER[k / 2], k % 2 == 0 ? 0.0 : 3e-4);
        step(b.world, 10);
        scr_body_state is_deflected = state_of(b.world, b.ball);
        is_deflected.velocity.x = 1e-3;
        set_state(b.world, b.ball, is_deflected);
        check_decay(&b, sliding_speed, STEPS);
    }
}

// Unless damping is given, it is that share z of critical damping which the restitution asks for, tau = 2 z sqrt(m/k):
// 0 for restitution 1, sin p with ln e = -tan p (pi - 2 p) between. For restitution 0 it is critical for the ball and
// for what the contact carries, here the ball again: tau = 2 sqrt(2 m/k).
static void damping_follows_from_restitution(void **state)
{
    (void)state;
    const double restitution[] = {0.0, 0.5, 1.0}, ratio[] = {1.0, 0.2552756, 0.0};
    for (int k = 0; k < 3; ++k) {
        double mass_over_k = 0.0, tau;
        bouncing b = at_rest_with(SCR_SOLVER_APGD, SCR_DAMPING_OF_RESTITUTION, restitution[k], &mass_over_k);
        tau = 2.0 * ratio[k] * sqrt((k == 0 ? 2.0 : 1.0) * mass_over_k);
        b.shrink = 1.0 / (1.0 + (TIME_STEP * TIME_STEP + TIME_STEP * tau) / mass_over_k);
        b.recall = b.shrink * TIME_STEP * TIME_STEP / mass_over_k;
        scr_body_state is_deflected = state_of(b.world, b.ball);
        is_deflected.velocity.z = -1e-7;  // so little that the load stays
        set_state(b.world, b.ball, is_deflected);
        check_decay(&b, sinking_speed, k == 0 ? 20 : 100);
    }
}

// How far a ball sinks into the floor under a load: 1/k of Hertz' secant, k = 4/3 E* R* sqrt(0.001) with the default
// modulus, whatever the step and the ball's mass.
static void stiffness_is_the_materials_own(void **state)
{
    (void)state;
    const double step_of[] = {1e-3, 1e-4, 1e-3}, density[] = {2500.0, 2500.0, 25.0}, load = 100.0;
    const double k = 4.0 / 3.0 * 2e10 / (2.0 * (1.0 - POISSON * POISSON)) * RADIUS * sqrt(1e-3);
    for (int i = 0; i < 3; ++i) {
        scr_world_def def = scr_default_world_def();
        def.time_step = step_of[i];
        def.gravity = STILL;
        scr_world *world = make_world(&def);
        scr_material_def stone_def = scr_default_material_def();
        scr_material stone;
        stone_def.density = density[i];
        assert_ok(scr_world_add_material(world, &stone_def, &stone, &error));
        add_floor(world, stone);
        scr_body ball = add_sphere(world, stone, RADIUS, vec3(0.0, 0.0, RADIUS), STILL);
        for (int n = 0; n < 2000; ++n) {
            apply_force(world, ball, vec3(0.0, 0.0, -load));
            step(world, 1);
        }
        assert_near(RADIUS - state_of(world, ball).position.z, load / k, 1e-3);
        scr_world_destroy(world);
    }
}

// A plate of 100 bed masses, put on a bed of 1,024 grains in a box with slick walls: from half a second on the floor
// carries the weight of both in every single step.
static void a_heavy_plate_on_a_bed_comes_to_rest(void **state)
{
    (void)state;
    only_if_long();
    enum { SIDE = 8, LAYERS = 16, GRAINS = SIDE * SIDE * LAYERS };
    const double r = 0.01, width = 2.0 * r * SIDE, pitch = 2.25 * r;
    const int across = (int)(width / pitch);
    scr_world_def def = scr_default_world_def();
    scr_world *world = make_world(&def);
    scr_material stone = add_material(world, 0.5, 0.0), ice = add_material(world, 0.0, 0.0);
    scr_body floor = add_floor(world, stone), wall[4];
    add_walls(world, ice, width, width, wall);
    for (int k = 0; k < GRAINS; ++k) {
        scr_vec3 at = vec3(k % across + 0.5, k / across % across + 0.5, k / (across * across) + 0.5);
        scr_vec3 off = vec3(random_in(0.0, 0.1, 4 * (uint64_t)k), random_in(0.0, 0.1, 4 * (uint64_t)k + 1), 0.0);
        double radius = r * random_in(0.9, 1.1, 4 * (uint64_t)k + 2);
        add_sphere(world, stone, radius, vec3_scale(pitch, vec3_add(at, off)), STILL);
    }
    step(world, 700);
    scr_body_view view = scr_world_bodies(world);
    double top = 0.0, bed = total_mass(world);
    for (int64_t i = 0; i < view.count; ++i)
        if (view.inv_mass[i] > 0.0) top = fmax(top, view.z[i] + 1.1 * r);
    scr_body_def plate = scr_default_body_def();
    scr_shape board = scr_box(vec3(0.49 * width, 0.49 * width, r), ice);
    plate.position = vec3(0.5 * width, 0.5 * width, top + r);
    plate.shapes = &board;
    plate.shape_count = 1;
    plate.mass = 100.0 * bed;
    add_body(world, &plate);
    step(world, 500);
    for (int n = 0; n < 200; ++n) {
        step(world, 1);
        assert_near(-contact_force_on(world, floor).z, 101.0 * bed * GRAVITY, 1e-2);
    }
    scr_world_destroy(world);
}

// A cube of 1 t on a ball of 10 g, both held upright by slick walls: it sinks in by what the two springs give, and
// stands still.
static void a_body_of_1e5_times_the_mass_stands_on_a_light_one(void **state)
{
    (void)state;
    const double r = 0.01, half = 0.02;
    scr_world_def def = scr_default_world_def();
    scr_world *world = make_world(&def);
    scr_material stone = add_material(world, 0.5, 0.0), ice = add_material(world, 0.0, 0.0);
    scr_body floor = add_floor(world, stone), wall[4];
    add_walls(world, ice, 2.0 * half, 2.0 * half, wall);
    scr_body ball = add_sphere(world, stone, r, vec3(half, half, r), STILL);
    double mass = 1e5 * scr_body_mass(world, ball);
    scr_body_def heavy = scr_default_body_def();
    scr_shape cube = scr_box(vec3(half, half, half), stone);
    heavy.position = vec3(half, half, 2.0 * r + half);
    heavy.shapes = &cube;
    heavy.shape_count = 1;
    heavy.mass = mass;
    scr_body on_top = add_body(world, &heavy);
    step(world, 500);
    double z = state_of(world, on_top).position.z;
    assert_at_most(2.0 * r + half - z, 2e-3);
    for (int n = 0; n < 200; ++n) {
        step(world, 1);
        assert_near(contact_force_on(world, on_top).z, mass * GRAVITY, 1e-2);
        assert_near(-contact_force_on(world, floor).z, mass * GRAVITY, 1e-2);
    }
    assert_within(state_of(world, on_top).position.z, z, 1e-5);
    scr_world_destroy(world);
}

static void damping_must_be_a_time(void **state)
{
    (void)state;
    scr_world_def def = scr_default_world_def();
    scr_world *world;
    scr_error error;
    def.contact.damping = -1e-3;
    assert_int_equal(scr_world_create(&def, &world, &error), SCR_BAD_INPUT);
    def.contact.damping = INFINITY;
    assert_int_equal(scr_world_create(&def, &world, &error), SCR_BAD_INPUT);
    def.contact.damping = NAN;
    assert_int_equal(scr_world_create(&def, &world, &error), SCR_BAD_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kicked_ball_stops_bouncing_at_the_damped_rate),
        cmocka_unit_test(a_kicked_ball_stops_swaying_at_the_damped_rate),
        cmocka_unit_test(damping_follows_from_restitution),
        cmocka_unit_test(stiffness_is_the_materials_own),
        cmocka_unit_test(a_heavy_plate_on_a_bed_comes_to_rest),
        cmocka_unit_test(a_body_of_1e5_times_the_mass_stands_on_a_light_one),
        cmocka_unit_test(damping_must_be_a_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
