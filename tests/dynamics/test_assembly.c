// SPDX-License-Identifier: BSD-3-Clause
// Assembly against geometry: degrees of freedom that textbooks give, closed forms of linkages, and the least move.
#include <string.h>

#include "core/maths/pose.h"
#include "dynamics/physics.h"

static const scr_body GROUND = {0, 0};
static const scr_vec3 ORIGIN = {0.0, 0.0, 0.0};
static const double PI = 3.14159265358979323846;

// A place on a body, in the axes of the body.
typedef struct place {
    scr_body body;
    scr_vec3 at;
    scr_quat turn;
} place;

static scr_quat turn_about(scr_vec3 axis, double angle)
{
    scr_vec3 v = vec3_scale(sin(0.5 * angle), axis);
    return (scr_quat){cos(0.5 * angle), v.x, v.y, v.z};
}

static scr_world *make_empty_world(void)
{
    scr_world_def def = scr_default_world_def();
    def.time_step = 1e-3;
    return make_world(&def);
}

// A bar along x with its centre at `at`, turned about z.
static scr_body add_bar(scr_world *world, scr_vec3 at, double angle, double mass, double length)
{
    scr_body_def def = scr_default_body_def();
    def.position = at;
    def.rotation = turn_about(vec3(0.0, 0.0, 1.0), angle);
    def.mass = mass;
    double across = mass * length * length / 12.0;
    def.inertia = vec3(0.1 * across, across, across);
    return add_body(world, &def);
}

static scr_frame in_world(const scr_world *world, place p)
{
    if (p.body.index1 == 0) return (scr_frame){p.at, p.turn};
    scr_body_state s = state_of(world, p.body);
    return (scr_frame){pose_apply((pose){s.position, s.rotation}, p.at), quat_mul(s.rotation, p.turn)};
}

static scr_joint join(scr_world *world, scr_joint_kind kind, place a, place b)
{
    scr_joint_def def = scr_default_joint_def();
    scr_joint joint;
    def.kind = kind;
    def.a = a.body;
    def.b = b.body;
    def.frame_a = in_world(world, a);
    def.frame_b = in_world(world, b);
    assert_ok(scr_world_add_joint(world, &def, &joint, &error));
    return joint;
}

static place on(scr_body body, double x, double y, double z) { return (place){body, vec3(x, y, z), QUAT_IDENTITY}; }

static scr_joint pin(scr_world *world, place a, place b) { return join(world, SCR_JOINT_REVOLUTE, a, b); }

static scr_joint_state joint_state(const scr_world *world, scr_joint joint)
{
    scr_joint_state state;
    assert_ok(scr_joint_get_state(world, joint, &state, &error));
    return state;
}

static void drive(scr_world *world, scr_joint joint, scr_drive how, scr_function value)
{
    scr_motor_def def = scr_default_motor_def();
    def.drive = how;
    def.value = value;
    assert_ok(scr_joint_set_motor(world, joint, &def, &error));
}

static scr_assembly assemble(scr_world *world)
{
    scr_assembly report;
    assert_ok(scr_world_assemble(world, &report, &error));
    return report;
}

// It must fail with this sentence and leave everything as it was.
static scr_assembly assert_refused(scr_world *world, const char *sentence)
{
    scr_assembly report;
    scr_error error = {0};
    uint64_t before = scr_world_hash(world);
    assert_int_equal(scr_world_assemble(world, &report, &error), SCR_BAD_INPUT);
    if (strstr(error.message, sentence) == NULL) fail_msg("'%s' is not in '%s'", sentence, error.message);
    assert_true(scr_world_hash(world) == before);
    return report;
}

static scr_vec3 random_vector(uint64_t index)
{
    uint64_t first = 3 * index;
    return vec3(random_in(-1.0, 1.0, first), random_in(-1.0, 1.0, first + 1), random_in(-1.0, 1.0, first + 2));
}

static void a_joint_leaves_the_freedoms_of_its_kind(void **state)
{
    (void)state;
    const int left[] = {[SCR_JOINT_FIXED] = 0,     [SCR_JOINT_SPHERICAL] = 3,     [SCR_JOINT_REVOLUTE] = 1,
                        [SCR_JOINT_PRISMATIC] = 1, [SCR_JOINT_CYLINDRICAL] = 2,   [SCR_JOINT_UNIVERSAL] = 2,
                        [SCR_JOINT_PLANAR] = 3,    [SCR_JOINT_POINT_ON_LINE] = 4, [SCR_JOINT_DISTANCE] = 5,
                        [SCR_JOINT_BUSHING] = 6,   [SCR_JOINT_POINT_ON_PLANE] = 5};
    for (int kind = 0; kind <= SCR_JOINT_POINT_ON_PLANE; ++kind) {
        scr_world *world = make_empty_world();
        scr_body bar = add_bar(world, vec3(0.5, 0.0, 1.0), 0.0, 2.0, 1.0);
        double end = kind == SCR_JOINT_DISTANCE ? 0.5 : -0.6;
        join(world, (scr_joint_kind)kind, on(GROUND, -0.1, 0.0, 1.0), on(bar, end, 0.0, 0.0));
        scr_assembly report = assemble(world);
        assert_int_equal(report.mechanism_count, 1);
        assert_int_equal(report.body_count, 1);
        assert_int_equal(report.joint_count, 1);
        assert_int_equal(report.degrees_of_freedom, left[kind]);
        assert_int_equal(report.row_count, 6 - left[kind]);
        assert_int_equal(report.redundant_count, 0);
        scr_world_destroy(world);
    }
}

// Crank 0.2 m, coupler 0.5 m and rocker 0.4 m on a ground of 0.6 m, all hinges along z, drawn with the crank at 60
// degrees by a draughtsman who errs by so many metres.
typedef struct four_bar {
    scr_world *world;
    scr_body link[3];
    scr_joint joint[4];
} four_bar;

static four_bar make_four_bar(double error)
{
    const double crank = 0.2, coupler = 0.5, rocker = 0.4, ground = 0.6, angle = PI / 3.0;
    scr_vec3 a = vec3(crank * cos(angle), crank * sin(angle), 0.0), d = vec3(ground, 0.0, 0.0), ad = vec3_sub(d, a);
    double span = vec3_norm(ad), along = (coupler * coupler - rocker * rocker + span * span) / (2.0 * span);
    double up = sqrt(coupler * coupler - along * along);
    scr_vec3 e = vec3_unit(ad), b = vec3_add(vec3_add_scaled(a, along, e), vec3_scale(up, vec3(-e.y, e.x, 0.0)));
    const scr_vec3 from[3] = {ORIGIN, a, b}, to[3] = {a, b, d};
    const double length[3] = {crank, coupler, rocker};
    four_bar f = {.world = make_empty_world()};
    for (int k = 0; k < 3; ++k) {
        scr_vec3 way = vec3_sub(to[k], from[k]), off = random_vector((uint64_t)k);
        scr_vec3 centre = vec3_add_scaled(vec3_scale(0.5, vec3_add(from[k], to[k])), error, off);
        f.link[k] = add_bar(f.world, centre, atan2(way.y, way.x) + error * off.y, 1.0 + k, length[k]);
    }
    f.joint[0] = pin(f.world, on(GROUND, 0.0, 0.0, 0.0), on(f.link[0], -0.5 * crank, 0.0, 0.0));
    f.joint[1] = pin(f.world, on(f.link[0], 0.5 * crank, 0.0, 0.0), on(f.link[1], -0.5 * coupler, 0.0, 0.0));
    f.joint[2] = pin(f.world, on(f.link[1], 0.5 * coupler, 0.0, 0.0), on(f.link[2], -0.5 * rocker, 0.0, 0.0));
    f.joint[3] = pin(f.world, on(f.link[2], 0.5 * rocker, 0.0, 0.0), on(GROUND, ground, 0.0, 0.0));
    return f;
}

// In the plane it has one freedom; in space its 4 hinges take 20 of 18, so 3 of them are there twice.
static void a_four_bar_has_one_freedom_and_three_redundant_rows(void **state)
{
    (void)state;
    for (int k = 0; k < 3; ++k) {
        const double errors[] = {0.0, 1e-6, 0.02};
        four_bar f = make_four_bar(errors[k]);
        scr_assembly report = assemble(f.world);
        assert_int_equal(report.row_count, 20);
        assert_int_equal(report.redundant_count, 3);
        assert_int_equal(report.degrees_of_freedom, 1);
        assert_within(report.gap, 0.0, 1e-12);
        assert_within(report.tilt, 0.0, 1e-12);
        assert_within(report.gap_before, 2.0 * errors[k], 1.9 * errors[k] + 1e-15);
        assert_at_most(report.farthest_move, 4.0 * errors[k] + 1e-15);
        int redundant = 0;
        for (int i = 0; i < 4; ++i) {
            scr_joint_state j = joint_state(f.world, f.joint[i]);
            redundant += j.redundant_rows;
            assert_within(j.gap, 0.0, 1e-12);
            assert_within(j.tilt, 0.0, 1e-12);
        }
        assert_int_equal(redundant, 3);
        scr_assembly again = assemble(f.world);
        assert_at_most(again.farthest_move, 1e-12);
        scr_world_destroy(f.world);
    }
}

// With nothing to push against, the centre of mass stays, and the lighter body goes farther by the ratio of masses.
static void free_bodies_meet_at_their_centre_of_mass(void **state)
{
    (void)state;
    scr_world *world = make_empty_world();
    scr_body light = add_bar(world, vec3(0.0, 0.0, 1.0), 0.0, 1.0, 1.0);
    scr_body heavy = add_bar(world, vec3(1.04, 0.0, 1.0), 0.0, 3.0, 1.0);
    join(world, SCR_JOINT_SPHERICAL, on(light, 0.5, 0.0, 0.0), on(heavy, -0.5, 0.0, 0.0));
    scr_assembly report = assemble(world);
    assert_near(report.gap_before, 0.04, 1e-12);
    assert_within3(state_of(world, light).position, vec3(0.03, 0.0, 1.0), 1e-12);
    assert_within3(state_of(world, heavy).position, vec3(1.03, 0.0, 1.0), 1e-12);
    assert_near(report.farthest_move, 0.03, 1e-9);
    assert_int_equal(report.degrees_of_freedom, 9);
    scr_world_destroy(world);
}

static void velocities_change_by_the_least_kinetic_energy(void **state)
{
    (void)state;
    scr_world *world = make_empty_world();
    scr_body bar = add_bar(world, vec3(0.5, 0.0, 1.0), 0.0, 2.0, 1.0);
    pin(world, on(GROUND, 0.0, 0.0, 1.0), on(bar, -0.5, 0.0, 0.0));
    scr_body_state s = state_of(world, bar);
    s.velocity = vec3(7.0, 3.0, -2.0);
    s.spin = vec3(0.4, -0.8, 1.2);
    set_state(world, bar, s);
    assemble(world);
    // Its momentum about the pin stays: m l/2 v + I w = (I + m l^2/4) w'
    double inertia = 2.0 / 12.0, spin = (2.0 * 0.5 * 3.0 + inertia * 1.2) / (inertia + 2.0 * 0.25);
    assert_within3(state_of(world, bar).spin, vec3(0.0, 0.0, spin), 1e-12);
    assert_within3(state_of(world, bar).velocity, vec3(0.0, 0.5 * spin, 0.0), 1e-12);
    scr_world_destroy(world);
}

static double rising(const void *context, double t)
{
    const double *line = context;
    return line[0] + line[1] * t + 0.5 * line[2] * t * t;
}

// Crank 0.1 m, rod 0.3 m, a slider along x; drawn with the crank at some angle.
typedef struct slider_crank {
    scr_world *world;
    scr_body slider;
    scr_joint shaft, guide;
} slider_crank;

static double slider_place(double angle) { return 0.1 * cos(angle) + sqrt(0.3 * 0.3 - 0.01 * sin(angle) * sin(angle)); }

static slider_crank make_slider_crank(double angle)
{
    const double r = 0.1, l = 0.3, x = r * cos(angle), y = r * sin(angle), far = slider_place(angle);
    const place slide = {GROUND, {0.0, 0.0, 0.0}, {sqrt(0.5), 0.0, sqrt(0.5), 0.0}};  // z along the world's x
    slider_crank s = {.world = make_empty_world()};
    scr_body crank = add_bar(s.world, vec3(0.5 * x, 0.5 * y, 0.0), angle, 1.0, r);
    scr_body rod = add_bar(s.world, vec3(0.5 * (x + far), 0.5 * y, 0.0), -asin(y / l), 0.5, l);
    s.slider = add_bar(s.world, vec3(far, 0.0, 0.0), 0.0, 2.0, 0.05);
    s.shaft = pin(s.world, on(GROUND, 0.0, 0.0, 0.0), on(crank, -0.5 * r, 0.0, 0.0));
    pin(s.world, on(crank, 0.5 * r, 0.0, 0.0), on(rod, -0.5 * l, 0.0, 0.0));
    pin(s.world, on(rod, 0.5 * l, 0.0, 0.0), on(s.slider, 0.0, 0.0, 0.0));
    s.guide = join(s.world, SCR_JOINT_PRISMATIC, slide, (place){s.slider, ORIGIN, slide.turn});
    return s;
}

// Drawn with the crank along the slide; at t = 0 it is to be at 0.7 rad, at 2 rad/s.
static void a_slider_crank_starts_where_its_motor_says(void **state)
{
    (void)state;
    const double line[3] = {0.7, 2.0, 5.0}, x = slider_place(0.7), across = 0.1 * sin(0.7);
    slider_crank s = make_slider_crank(0.0);
    assert_int_equal(assemble(s.world).degrees_of_freedom, 1);
    drive(s.world, s.shaft, SCR_DRIVE_POSITION, (scr_function){rising, line, 0.0});
    scr_assembly report = assemble(s.world);
    assert_int_equal(report.degrees_of_freedom, 0);
    assert_within3(state_of(s.world, s.slider).position, vec3(x, 0.0, 0.0), 1e-11);
    assert_within(joint_state(s.world, s.shaft).about, 0.7, 1e-11);
    assert_within(joint_state(s.world, s.guide).along, x, 1e-11);
    double speed = -2.0 * across * x / (x - 0.1 * cos(0.7));  // x' = -r w sin a (1 + r cos a / root)
    assert_within3(state_of(s.world, s.slider).velocity, vec3(speed, 0.0, 0.0), 1e-9);
    assert_within(joint_state(s.world, s.shaft).about_rate, 2.0, 1e-9);
    assert_at_most(assemble(s.world).farthest_move, 1e-12);  // what fits but for rounding is no contradiction
    scr_world_destroy(s.world);
}

// Close to where crank and rod are in line the slider hardly tells the crank which way to go.
static void a_slider_finds_its_way_from_near_dead_centre(void **state)
{
    (void)state;
    for (double angle = 0.1; angle > 1e-7; angle *= 0.1) {
        slider_crank s = make_slider_crank(angle);
        drive(s.world, s.guide, SCR_DRIVE_POSITION, (scr_function){.constant = slider_place(0.7)});
        assemble(s.world);
        assert_within(joint_state(s.world, s.shaft).about, 0.7, 1e-10);
        scr_world_destroy(s.world);
    }
}

static void motors_may_start_many_turns_away(void **state)
{
    (void)state;
    const double line[3] = {20.0, 0.0, 0.0};
    scr_world *world = make_empty_world();
    scr_body bar = add_bar(world, vec3(0.5, 0.0, 0.0), 0.0, 1.0, 1.0);
    scr_joint shaft = pin(world, on(GROUND, 0.0, 0.0, 0.0), on(bar, -0.5, 0.0, 0.0));
    drive(world, shaft, SCR_DRIVE_POSITION, (scr_function){rising, line, 0.0});
    assemble(world);
    assert_within(joint_state(world, shaft).about, 20.0, 1e-11);
    assert_within3(state_of(world, bar).position, vec3(0.5 * cos(20.0), 0.5 * sin(20.0), 0.0), 1e-11);
    scr_world_destroy(world);
}

// Two wheels that mesh, 2 : 1. When the motor has brought the large one to 0.9 rad the small one is at -1.8.
static void coupled_joints_go_where_the_motor_takes_them(void **state)
{
    (void)state;
    const double line[3] = {0.9, 1.5, 0.0};
    scr_world *world = make_empty_world();
    scr_joint shaft[2];
    for (int k = 0; k < 2; ++k) {
        scr_body wheel = add_bar(world, vec3(k, 0.0, 0.0), 0.0, 1.0 + k, 0.5);
        shaft[k] = pin(world, on(GROUND, k, 0.0, 0.0), on(wheel, 0.0, 0.0, 0.0));
    }
    scr_coupling_def gear = {.count = 2, .joint = {shaft[0], shaft[1]}, .ratio = {2.0, 1.0}};
    scr_coupling coupling;
    assert_ok(scr_world_add_coupling(world, &gear, &coupling, &error));
    assert_int_equal(assemble(world).degrees_of_freedom, 1);
    drive(world, shaft[0], SCR_DRIVE_POSITION, (scr_function){rising, line, 0.0});
    scr_assembly report = assemble(world);
    assert_int_equal(report.row_count, 5 + 5 + 1 + 1);
    assert_int_equal(report.degrees_of_freedom, 0);
    assert_within(joint_state(world, shaft[1]).about, -1.8, 1e-11);
    assert_within(joint_state(world, shaft[1]).about_rate, -3.0, 1e-9);
    scr_world_destroy(world);
}

static void a_motor_of_limited_force_starts_where_it_is_drawn(void **state)
{
    (void)state;
    scr_world *world = make_empty_world();
    scr_body bar = add_bar(world, vec3(0.5, 0.0, 0.0), 0.0, 1.0, 1.0);
    scr_joint shaft = pin(world, on(GROUND, 0.0, 0.0, 0.0), on(bar, -0.5, 0.0, 0.0));
    scr_motor_def def = scr_default_motor_def();
    def.drive = SCR_DRIVE_POSITION;
    def.value.constant = 1.0;
    def.max_force = 10.0;
    assert_ok(scr_joint_set_motor(world, shaft, &def, &error));
    assert_int_equal(assemble(world).degrees_of_freedom, 1);
    assert_within(joint_state(world, shaft).about, 0.0, 1e-15);
    scr_world_destroy(world);
}

static void bodies_on_a_moving_one_go_with_it(void **state)
{
    (void)state;
    scr_world *world = make_empty_world();
    scr_body_def def = scr_default_body_def();
    def.kind = SCR_KINEMATIC;
    def.velocity = vec3(1.0, 2.0, 3.0);
    def.spin = vec3(0.3, 0.2, 0.1);
    const scr_vec3 centre = vec3(0.5 * cos(0.8), 0.5 * sin(0.8), 1.0);
    scr_body platform = add_body(world, &def), bar = add_bar(world, centre, 0.8, 1.0, 1.0);
    const place seat = {platform, {0.0, 0.0, 1.0}, turn_about(vec3(0.0, 0.0, 1.0), 0.8)};
    join(world, SCR_JOINT_FIXED, seat, on(bar, -0.5, 0.0, 0.0));
    assemble(world);
    scr_vec3 expected = vec3_add(def.velocity, vec3_cross(def.spin, centre));
    assert_within3(state_of(world, bar).velocity, expected, 1e-12);
    assert_within3(state_of(world, bar).spin, def.spin, 1e-12);
    scr_world_destroy(world);
}

// A ring of n hinges in a plane has n freedoms there, less 2 of closing it and 1 of its angles, and 6 of the whole, of
// which 3 are in the plane: n + 3 in all.
static void a_drawn_ring_of_hinges_is_closed(void **state)
{
    (void)state;
    enum { LINKS = 46 };
    const double half = 0.1, radius = half / tan(PI / LINKS), error = 2e-3;
    scr_world *world = make_empty_world();
    scr_body link[LINKS];
    for (int k = 0; k < LINKS; ++k) {
        double angle = 2.0 * PI * k / LINKS;
        scr_vec3 drawn = vec3(radius * cos(angle), radius * sin(angle), 1.0);
        scr_vec3 at = vec3_add_scaled(drawn, error, random_vector(100 + (uint64_t)k));
        link[k] = add_bar(world, at, angle + 0.5 * PI, 1.0, 2.0 * half);
    }
    for (int k = 0; k < LINKS; ++k) pin(world, on(link[k], half, 0.0, 0.0), on(link[(k + 1) % LINKS], -half, 0.0, 0.0));
    scr_assembly report = assemble(world);
    assert_within(report.gap, 0.0, 1e-12);
    assert_within(report.tilt, 0.0, 1e-12);
    assert_int_equal(report.redundant_count, 3);
    assert_int_equal(report.degrees_of_freedom, LINKS + 3);
    assert_at_most(report.farthest_move, 5.0 * error);
    scr_world_destroy(world);
}

static void groups_of_bodies_are_counted(void **state)
{
    (void)state;
    scr_world *world = make_empty_world();
    scr_body bar[5];
    for (int k = 0; k < 5; ++k) bar[k] = add_bar(world, vec3(k, 0.0, 0.0), 0.0, 1.0, 1.0);
    pin(world, on(GROUND, -0.5, 0.0, 0.0), on(bar[0], -0.5, 0.0, 0.0));
    pin(world, on(bar[0], 0.5, 0.0, 0.0), on(bar[1], -0.5, 0.0, 0.0));
    pin(world, on(bar[2], 0.5, 0.0, 0.0), on(bar[3], -0.5, 0.0, 0.0));
    scr_assembly report = assemble(world);
    assert_int_equal(report.mechanism_count, 2);
    assert_int_equal(report.body_count, 4);
    assert_int_equal(report.joint_count, 3);
    assert_int_equal(report.degrees_of_freedom, 2 + 7);
    scr_world_destroy(world);
}

static void a_world_without_joints_is_assembled(void **state)
{
    (void)state;
    scr_world *world = make_empty_world();
    add_bar(world, ORIGIN, 0.0, 1.0, 1.0);
    scr_assembly report = assemble(world);
    assert_int_equal(report.mechanism_count, 0);
    assert_int_equal(report.degrees_of_freedom, 0);
    scr_world_destroy(world);
}

// A rod between two pins of the ground that is 10 mm too short.
static void a_joint_that_cannot_be_closed_is_named(void **state)
{
    (void)state;
    scr_world *world = make_empty_world();
    scr_body rod = add_bar(world, vec3(0.5, 0.0, 0.0), 0.0, 1.0, 0.99);
    join(world, SCR_JOINT_SPHERICAL, on(GROUND, 0.0, 0.0, 0.0), on(rod, -0.495, 0.0, 0.0));
    scr_joint far = join(world, SCR_JOINT_SPHERICAL, on(GROUND, 1.0, 0.0, 0.0), on(rod, 0.494, 0.0, 0.0));
    scr_assembly report = assert_refused(world, "cannot be closed: ");
    assert_true(report.worst.index1 >= 1 && report.worst.index1 <= far.index1);
    assert_near(report.gap_before, 0.006, 1e-9);
    scr_world_destroy(world);
}

static void joints_that_are_far_apart_are_refused(void **state)
{
    (void)state;
    scr_world *world = make_empty_world();
    scr_body a = add_bar(world, vec3(0.5, 0.0, 0.0), 0.0, 1.0, 1.0);
    scr_body b = add_bar(world, vec3(2.0, 0.0, 0.0), 0.0, 1.0, 1.0);
    pin(world, on(GROUND, 0.0, 0.0, 0.0), on(a, -0.5, 0.0, 0.0));
    scr_joint open = pin(world, on(a, 0.5, 0.0, 0.0), on(b, -0.5, 0.0, 0.0));
    assert_int_equal(assert_refused(world, "joint 2 is open by 500 mm").worst.index1, open.index1);
    scr_world_destroy(world);
}

static void axes_that_point_the_wrong_way_are_refused(void **state)
{
    (void)state;
    scr_world *world = make_empty_world();
    scr_body bar = add_bar(world, vec3(0.5, 0.0, 0.0), 0.0, 1.0, 1.0);
    pin(world, on(GROUND, 0.0, 0.0, 0.0), (place){bar, vec3(-0.5, 0.0, 0.0), turn_about(vec3(1.0, 0.0, 0.0), PI)});
    assert_refused(world, "joint 1 is turned by 3.14 rad");
    scr_world_destroy(world);
}

static void motors_that_contradict_each_other_are_refused(void **state)
{
    (void)state;
    scr_world *world = make_empty_world();
    scr_body bar = add_bar(world, vec3(0.5, 0.0, 0.0), 0.0, 1.0, 1.0);
    for (int k = 0; k < 2; ++k) {
        scr_joint joint = pin(world, on(GROUND, 0.0, 0.0, k), on(bar, -0.5, 0.0, k));
        drive(world, joint, SCR_DRIVE_SPEED, (scr_function){.constant = 1.0 + k});
    }
    assert_refused(world, "ask for speeds that contradict each other");
    scr_world_destroy(world);
}

static void a_motor_that_cannot_get_there_is_named(void **state)
{
    (void)state;
    four_bar f = make_four_bar(0.0);
    // The rocker swings by 1.05 rad in all: crank and coupler reach from 0.3 to 0.7 m, its other sides are 0.6 and 0.4
    // m.
    double drawn = joint_state(f.world, f.joint[3]).about;
    drive(f.world, f.joint[3], SCR_DRIVE_POSITION, (scr_function){.constant = drawn + 2.5});
    assert_refused(f.world, "the motor of joint 4 cannot reach");
    scr_world_destroy(f.world);
}

static void motors_without_a_number_are_named(void **state)
{
    (void)state;
    const double line[3] = {NAN, 0.0, 0.0};
    four_bar f = make_four_bar(0.0);
    drive(f.world, f.joint[0], SCR_DRIVE_POSITION, (scr_function){rising, line, 0.0});
    assert_refused(f.world, "the motor of joint 1 has no number at t = 0 s");
    scr_world_destroy(f.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_joint_leaves_the_freedoms_of_its_kind),
        cmocka_unit_test(a_four_bar_has_one_freedom_and_three_redundant_rows),
        cmocka_unit_test(free_bodies_meet_at_their_centre_of_mass),
        cmocka_unit_test(velocities_change_by_the_least_kinetic_energy),
        cmocka_unit_test(a_slider_crank_starts_where_its_motor_says),
        cmocka_unit_test(a_slider_finds_its_way_from_near_dead_centre),
        cmocka_unit_test(motors_may_start_many_turns_away),
        cmocka_unit_test(coupled_joints_go_where_the_motor_takes_them),
        cmocka_unit_test(a_motor_of_limited_force_starts_where_it_is_drawn),
        cmocka_unit_test(bodies_on_a_moving_one_go_with_it),
        cmocka_unit_test(a_drawn_ring_of_hinges_is_closed),
        cmocka_unit_test(groups_of_bodies_are_counted),
        cmocka_unit_test(a_world_without_joints_is_assembled),
        cmocka_unit_test(a_joint_that_cannot_be_closed_is_named),
        cmocka_unit_test(joints_that_are_far_apart_are_refused),
        cmocka_unit_test(axes_that_point_the_wrong_way_are_refused),
        cmocka_unit_test(motors_that_contradict_each_other_are_refused),
        cmocka_unit_test(a_motor_that_cannot_get_there_is_named),
        cmocka_unit_test(motors_without_a_number_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
