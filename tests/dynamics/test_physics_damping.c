// Contacts as springs with dampers: oscillations die out at the rate that the implicit step has in closed form.
//
// With u+ = u + a g and g = -(h^2 k + h d) u+ - h k x, x+ = x + h u+, every quantity of the motion obeys
//     y[n+1] = T y[n] - D y[n-1],    D = 1/(1 + a (h^2 k + h d)),    1 - T + D = D a h^2 k
// about its rest, so y[n]^2 - y[n-1] y[n+1] shrinks by exactly D in a step, whatever the phase, and the spring alone calls
// it back. a is the inverse mass that the contact feels.
#include "dynamics/physics.h"

static const double RADIUS = 0.05, YOUNG = 2e9, POISSON = 0.3, TIME_STEP = 1e-4;
static const scr_vec3 STILL = {0.0, 0.0, 0.0};

typedef struct bouncing {
    scr_world *world;
    scr_body ball;
    double shrink, recall;  // D, 1 - T + D
} bouncing;

// A ball that rests on a soft floor.
static bouncing at_rest(scr_solver_kind solver, double damping)
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
    scr_material rubber;
    assert_ok(scr_world_add_material(world, &rubber_def, &rubber, &error));
    add_floor(world, rubber);
    double k = 4.0 / 3.0 * YOUNG / (2.0 * (1.0 - POISSON * POISSON)) * RADIUS * sqrt(1e-3);
    double mass = 2500.0 * 4.0 / 3.0 * 3.14159265358979323846 * RADIUS * RADIUS * RADIUS;
    scr_body ball = add_sphere(world, rubber, RADIUS, vec3(0.0, 0.0, RADIUS - GRAVITY * mass / k), STILL);
    assert_near(scr_body_mass(world, ball), mass, 1e-12);
    double shrink = 1.0 / (1.0 + (TIME_STEP * TIME_STEP + TIME_STEP * damping) * k / mass);
    return (bouncing){world, ball, shrink, shrink * TIME_STEP * TIME_STEP * k / mass};
}

static double sinking_speed(const bouncing *b) { return state_of(b->world, b->ball).velocity.z; }
static double sliding_speed(const bouncing *b)
{
    scr_body_state s = state_of(b->world, b->ball);
    return s.velocity.x - RADIUS * s.spin.y;
}

enum { STEPS = 100 };
static void check_decay(bouncing *b, double (*speed)(const bouncing *))
{
    double y[STEPS + 2];
    for (int n = 0; n < STEPS + 2; ++n) {
        step(b->world, 1);
        y[n] = speed(b);
    }
    double first = y[1] * y[1] - y[0] * y[2], last = y[STEPS] * y[STEPS] - y[STEPS - 1] * y[STEPS + 1];
    assert_near(last / first, pow(b->shrink, STEPS - 1), 2e-3);
    double called = 0.0, size = 0.0;
    for (int n = 1; n <= STEPS; ++n) {
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
        scr_body_state kicked = state_of(b.world, b.ball);
        kicked.velocity.z = -1e-3;
        set_state(b.world, b.ball, kicked);
        check_decay(&b, sinking_speed);
    }
}

// Its spin and its velocity change the contact's together: the tangent is 7/2 times as easy to move as the normal, and its
// spring 7/2 times softer, so that it shrinks as fast.
static void a_kicked_ball_stops_swaying_at_the_damped_rate(void **state)
{
    (void)state;
    for (int k = 0; k < 4; ++k) {
        bouncing b = at_rest(SOLVER[k / 2], k % 2 == 0 ? 0.0 : 3e-4);
        step(b.world, 10);
        scr_body_state kicked = state_of(b.world, b.ball);
        kicked.velocity.x = 1e-3;
        set_state(b.world, b.ball, kicked);
        check_decay(&b, sliding_speed);
    }
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
        cmocka_unit_test(damping_must_be_a_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
