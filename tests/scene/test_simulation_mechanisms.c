// SPDX-License-Identifier: BSD-3-Clause
// Mechanisms of a scene as they run: loads, motors, probes, breaking, and going on from a copy of the tables. Figures
// are closed forms.
#include <math.h>
#include <stdio.h>

#include "core/maths/vec3.h"
#include "dynamics/world/world_state.h"
#include "io/scene_text.h"
#include "scene/resumed.h"
#include "scene/run/simulation.h"

enum { VALUE_MAX = 64 };

typedef struct running {
    scene *scene;
    simulation *sim;
    double values[VALUE_MAX];
} running;

static scene *scene_of(const char *quoted)
{
    scene *s;
    scr_error error = {.message = ""};
    if (read_quoted(quoted, NULL, 0, &s, NULL, &error) != SCR_OK) fail_msg("%s", error.message);
    return s;
}

static running begin(const char *quoted)
{
    running r = {.scene = scene_of(quoted)};
    scr_error error;
    if (simulation_create(r.scene, true, 1, &r.sim, &error) != SCR_OK) fail_msg("%s", error.message);
    return r;
}

static void end(running *r)
{
    simulation_destroy(r->sim);
    scene_destroy(r->scene);
}

static void step(running *r, int count)
{
    scr_error error;
    for (int i = 0; i < count; ++i) {
        if (simulation_step(r->sim, &error) != SCR_OK) fail_msg("%s", error.message);
    }
}

// The value of a column in the row taken last.
static double column(const running *r, const char *name)
{
    for (int c = 0; c < simulation_probe_column_count(r->sim); ++c) {
        if (strcmp(simulation_probe_column(r->sim, c), name) == 0) return r->values[c];
    }
    fail_msg("there is no column %s", name);
    return NAN;
}

static void take_row(running *r) { simulation_probe_row(r->sim, r->values); }

static scr_body_state body_state(const running *r, int body)
{
    scr_body_view bodies = scr_world_bodies(simulation_world(r->sim));
    for (int64_t i = 0; i < bodies.count; ++i) {
        scr_body_state state;
        if (bodies.id[i] != (uint64_t)body + 1) continue;
        scr_body_get_state(simulation_world(r->sim), bodies.handle[i], &state, NULL);
        return state;
    }
    fail_msg("there is no body %d", body);
    return (scr_body_state){0};
}

// A ball of 2 kg and 0.1 m; its moment of inertia is 2/5 m r^2 = 0.008 kg m^2.
#define FREE "{'time': {'step': 1e-3, 'end': 1}, 'gravity': [0, 0, 0], 'bodies': ["
#define BALL_AT_REST "{'name': 'ball', 'mass': 2, 'shapes': [{'sphere': {'radius': 0.1}}]}"
#define SPINNING_BALL "{'name': 'ball', 'mass': 2, 'spin': [0, 0, 4], 'shapes': [{'sphere': {'radius': 0.1}}]}"

static void a_load_at_a_point_pushes_and_turns(void **state)
{
    (void)state;
    running r = begin(FREE BALL_AT_REST "], 'loads': [{'body': 'ball', 'at': [0, 0.1, 0], 'force': [0, 0, '6*t']},"
                                        "{'body': 'ball', 'torque': [0, 0.008, 0]}]}");
    step(&r, 100);
    scr_body_state now = body_state(&r, 0);
    assert_near(now.velocity.z, 0.5 * 6.0 * 0.01 / 2.0, 1e-12);  // the midpoint rule is exact for a straight line
    assert_near(now.spin.x, 0.5 * 0.6 * 0.01 / 0.008, 1e-4);     // 0.1 m x 6 t; the arm turns with the ball
    assert_near(now.spin.y, 0.1, 1e-3);
    end(&r);
}

// A thrust that turns with a body spinning at w: v = F/(m w) (sin w t, 1 - cos w t).
static void a_load_in_the_body_frame_turns_with_it(void **state)
{
    (void)state;
    running r = begin(FREE SPINNING_BALL "], 'loads': [{'body': 'ball', 'frame': 'body', 'force': [3, 0, 0]}]}");
    step(&r, 1000);
    scr_body_state now = body_state(&r, 0);
    double scale = 3.0 / (2.0 * 4.0);
    assert_near(now.velocity.x, scale * sin(4.0), 2e-6);
    assert_near(now.velocity.y, scale * (1.0 - cos(4.0)), 2e-6);
    end(&r);
}

static void a_load_that_is_no_number_stops_the_run(void **state)
{
    (void)state;
    running r =
        begin(FREE BALL_AT_REST "],\n'loads': [{'name': 'jet', 'body': 'ball', 'force': [1, 0, 'sqrt(0.0101 - t)']}]}");
    scr_error error;
    step(&r, 10);
    scr_body_state before = body_state(&r, 0);
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(simulation_step(r.sim, &error), SCR_DIVERGED);
        assert_string_equal(error.message, "s.json:2:11: load 'jet' has no number at t = 0.0105 s");
    }
    scr_body_state after = body_state(&r, 0);
    assert_memory_equal(&before, &after, sizeof before);
    end(&r);
}

// A ball that hangs on an arm of 0.5 m, held level by a motor: weight 19.62 N, torque 9.81 N m.
#define ARM                                                                                                            \
    "{'time': {'step': 1e-3, 'end': 1}, 'bodies': [{'name': 'arm', 'position': [0.5, 0, 0], 'mass': 2,"                \
    "'shapes': [{'sphere': {'radius': 0.1}}]}], 'joints': [{'name': 'pin', 'kind': 'revolute', 'bodies': ['ground', "  \
    "'arm'],"
#define ARM_PROBES                                                                                                     \
    "'probes': [{'name': 'w', 'kind': 'joint_force', 'joint': 'pin'},"                                                 \
    "{'name': 'j', 'kind': 'joint_force', 'joint': 'pin', 'frame': 'joint'},"                                          \
    "{'name': 'b', 'kind': 'joint_force', 'joint': 'pin', 'frame': 'body'},"                                           \
    "{'name': 'm', 'kind': 'motor', 'joint': 'pin'}, {'name': 'at', 'kind': 'joint_motion', 'joint': 'pin'}]"

static void a_motor_holds_an_arm_and_probes_say_what_it_takes(void **state)
{
    (void)state;
    running r =
        begin(ARM "'at': [0, 0, 0], 'axis': [0, 1, 0], 'x_axis': [0, 0, 1], 'motor': {'angle': 0}}]," ARM_PROBES "}");
    step(&r, 20);
    take_row(&r);
    assert_near(column(&r, "w.fz"), 19.62, 1e-9);
    assert_near(column(&r, "w.ty"), -9.81, 1e-9);  // about the pin, on the arm: against gravity's
    assert_near(column(&r, "j.fx"), 19.62, 1e-9);  // the joint's x points up, its z along y
    assert_near(column(&r, "j.tz"), -9.81, 1e-9);
    assert_near(column(&r, "m.torque"), -9.81, 1e-9);
    assert_true(fabs(column(&r, "m.spin")) < 1e-9 && fabs(column(&r, "m.power")) < 1e-9);
    assert_true(fabs(column(&r, "at.about")) < 1e-12 && column(&r, "at.gap") < 1e-12);
    end(&r);
}

// Turning at a given spin about z, without gravity along it: the pin holds m w^2 r towards the axis, which stays along
// x of the arm.
static void reactions_can_be_seen_from_the_body(void **state)
{
    (void)state;
    running r = begin(ARM "'at': [0, 0, 0], 'axis': [0, 0, 1], 'motor': {'spin': 3}}]," ARM_PROBES "}");
    step(&r, 500);
    take_row(&r);  // forget the start, when the motor brought it up to speed
    step(&r, 100);
    take_row(&r);
    assert_near(column(&r, "b.fx"), -2.0 * 9.0 * 0.5, 1e-4);
    assert_near(column(&r, "b.fz"), 19.62, 1e-9);
    assert_near(column(&r, "at.about_rate"), 3.0, 1e-9);
    assert_near(column(&r, "at.about"), 3.0 * 0.6, 1e-3);
    assert_near(column(&r, "m.spin"), 3.0, 1e-9);
    end(&r);
}

// A mass on a spring, let go at a stretch of 0.1 m: x = 0.1 cos(w t), w = sqrt(200 / 2) = 10/s.
static void a_spring_swings_and_its_probe_follows(void **state)
{
    (void)state;
    running r = begin(FREE BALL_AT_REST
                      "], 'joints': [{'name': 'rail', 'kind': 'prismatic', 'bodies': ['ground', 'ball'],"
                      "'at': [0, 0, 0], 'axis': [1, 0, 0]}],"
                      "'springs': [{'name': 's', 'bodies': ['ground', 'ball'], 'points': [[-1, 0, 0], [0, 0, 0]],"
                      "'rest': 0.9, 'stiffness': 200}],"
                      "'probes': [{'name': 's', 'kind': 'spring', 'spring': 's'}, {'name': 'e', 'kind': 'energy'}]}");
    step(&r, 299);
    take_row(&r);
    step(&r, 1);
    take_row(&r);
    assert_near(column(&r, "s.length"), 0.9 + 0.1 * cos(3.0), 1e-4);
    assert_near(column(&r, "s.rate"), -1.0 * sin(3.0), 1e-3);
    assert_near(column(&r, "s.force"), 20.0 * cos(2.995), 1e-3);
    assert_near(column(&r, "e.kinetic"), sin(3.0) * sin(3.0), 2e-3);
    assert_near(column(&r, "e.kinetic") + column(&r, "e.elastic"), 1.0, 1e-4);
    end(&r);
}

static void gears_turn_by_their_teeth(void **state)
{
    (void)state;
    running r = begin(
        "{'time': {'end': 1}, 'gravity': [0, 0, 0], 'bodies': [{'name': 'a', 'shapes': [{'sphere': {'radius': 0.1}}]},"
        "{'name': 'b', 'position': [1, 0, 0], 'shapes': [{'sphere': {'radius': 0.1}}]}],"
        "'joints': [{'name': 'a', 'kind': 'revolute', 'bodies': ['ground', 'a'], 'at': [0, 0, 0], 'axis': [0, 0, 1],"
        "'motor': {'spin': {'table': [[0, 0], [0.5, 6]]}}},"
        "{'name': 'b', 'kind': 'revolute', 'bodies': ['ground', 'b'], 'at': [1, 0, 0], 'axis': [0, 0, 1]}],"
        "'couplings': [{'name': 'g', 'kind': 'gear', 'joints': ['a', 'b'], 'teeth': [20, 60]}],"
        "'probes': [{'name': 'a', 'kind': 'joint_motion', 'joint': 'a'}, {'name': 'b', 'kind': 'joint_motion', "
        "'joint': 'b'},"
        "{'name': 'g', 'kind': 'coupling', 'coupling': 'g'}]}");
    step(&r, 800);
    take_row(&r);
    assert_near(column(&r, "b.about"), -column(&r, "a.about") / 3.0, 1e-10);
    assert_near(column(&r, "a.about_rate"), 6.0, 1e-9);
    assert_true(fabs(column(&r, "g.error")) < 1e-10);
    end(&r);
}

// A joint that holds a hanging ball of 19.62 N while a load pulls with 10 N/s breaks when both make 25 N.
static void a_joint_breaks_and_the_time_is_kept(void **state)
{
    (void)state;
    running r =
        begin("{'time': {'end': 1}, 'bodies': [" BALL_AT_REST "], 'joints': [{'name': 'hook', 'kind': 'spherical',"
              "'bodies': ['ground', 'ball'], 'at': [0, 0, 0], 'break_force': 25}],"
              "'loads': [{'body': 'ball', 'force': [0, 0, '-10*t']}]}");
    step(&r, 500);
    assert_int_equal(simulation_count(r.sim).broken, 0);
    assert_int_equal(simulation_joints(r.sim).count, 1);
    step(&r, 100);
    assert_int_equal(simulation_count(r.sim).broken, 1);
    assert_near(simulation_broken_at(r.sim, 0), 0.538, 5e-3);
    assert_int_equal(simulation_joints(r.sim).count, 0);
    assert_true(body_state(&r, 0).velocity.z < -0.5);
    end(&r);
}

static void a_motor_without_a_number_stops_the_run(void **state)
{
    (void)state;
    running r = begin(ARM "\n'at': [0, 0, 0], 'axis': [0, 1, 0], 'motor': {'spin': 'log(1.5 - 100*t)'}}]}");
    scr_error error;
    step(&r, 14);
    assert_int_equal(simulation_step(r.sim, &error), SCR_DIVERGED);
    assert_string_equal(error.message, "s.json:1:152: the motor of joint 'pin' has no number at t = 0.015 s");
    end(&r);
}

static void refused(const char *quoted, const char *message)
{
    scene *s = scene_of(quoted);
    simulation *sim = NULL;
    scr_error error = {.message = ""};
    assert_int_equal(simulation_create(s, true, 1, &sim, &error), SCR_BAD_INPUT);
    assert_string_equal(error.message, message);
    scene_destroy(s);
}

static void what_the_world_refuses_is_said_with_its_place(void **state)
{
    (void)state;
    refused("{'time': {'end': 1}, 'bodies': [" BALL_AT_REST "], 'joints': [\n"
            "{'name': 'pin', 'kind': 'revolute', 'bodies': ['ground', 'ball'], 'at': [0, 0, 0], 'axis': [0, 1, 0], "
            "'x_axis': [0, 2, 0]}]}",
            "s.json:2:1: joint 'pin': its x axis lies along its axis, and should be across");
}

// What is drawn apart by a little is closed before the first step; what is drawn apart by far is refused.
static void gaps_are_closed_or_refused_by_name(void **state)
{
    (void)state;
    static const char two_bars[] =
        "{'time': {'end': 1}, 'bodies': [{'name': 'a', 'position': [0.5, 0, 0], 'shapes': [{'box': {'size': [1, 0.1, "
        "0.1]}}]},"
        "{'name': 'b', 'position': [1.5, 0, 0], 'shapes': [{'box': {'size': [1, 0.1, 0.1]}}]}],"
        "'joints': [{'kind': 'revolute', 'bodies': ['ground', 'a'], 'at': [0, 0, 0], 'axis': [0, 1, 0]},\n"
        "{'name': 'elbow', 'kind': 'revolute', 'bodies': ['a', 'b'], 'at_a': [0.5, 0, 0], 'at_b': [%g, 0, 0],"
        "'axis_a': [0, 1, 0], 'axis_b': [0, 1, 0.001]}]}";
    char text[sizeof two_bars + 16];
    snprintf(text, sizeof text, two_bars, -0.501);
    running r = begin(text);
    linkage_state joints = simulation_joints(r.sim);
    assert_int_equal(joints.count, 2);
    assert_true(joints.gap < 1e-12 && joints.tilt < 1e-12);
    assert_near(body_state(&r, 1).position.x, 1.501, 1e-4);
    end(&r);

    snprintf(text, sizeof text, two_bars, -2.5);
    scene *s = scene_of(text);
    simulation *sim = NULL;
    scr_error error = {.message = ""};
    assert_int_equal(simulation_create(s, true, 1, &sim, &error), SCR_BAD_INPUT);
    if (strncmp(error.message, "s.json:2:1: ", 12) != 0 || strstr(error.message, "joint 'elbow'") == NULL)
        fail_msg("%s", error.message);
    scene_destroy(s);
}

// Parts of a mechanism lie in each other; those that may touch must not.
static void joined_bodies_may_overlap(void **state)
{
    (void)state;
    static const char two_balls[] =
        "{'time': {'end': 1}, 'bodies': [" BALL_AT_REST
        ", {'name': 'other', 'position': [0.1, 0, 0], 'shapes': [{'sphere': {'radius': 0.1}}]}],"
        "'joints': [{'kind': 'spherical', 'bodies': ['ball', 'other'], 'at': [0, 0, 0], 'collide': %s}]}";
    char text[sizeof two_balls + 8];
    snprintf(text, sizeof text, two_balls, "false");
    running r = begin(text);
    end(&r);
    snprintf(text, sizeof text, two_balls, "true");
    scene *s = scene_of(text);
    simulation *sim = NULL;
    scr_error error;
    assert_int_equal(simulation_create(s, true, 1, &sim, &error), SCR_BAD_INPUT);
    assert_non_null(strstr(error.message, "overlap"));
    scene_destroy(s);
}

// A crank with a motor by formula, a rod and a slider with a spring, an actuator that follows a table, a load.
static const char machine[] =
    "{'time': {'end': 1}, 'bodies': [{'name': 'crank', 'position': [0.1, 0, 0], 'shapes': [{'box': {'size': [0.2, "
    "0.05, 0.05]}}]},"
    "{'name': 'rod', 'position': [0.5, 0, 0], 'shapes': [{'box': {'size': [0.6, 0.05, 0.05]}}]},"
    "{'name': 'slider', 'position': [0.8, 0, 0], 'shapes': [{'sphere': {'radius': 0.05}}]},"
    "{'name': 'flag', 'position': [0, 1, 0], 'shapes': [{'box': {'size': [0.2, 0.3, 0.1]}}]}],"
    "'joints': [{'name': 'motor', 'kind': 'revolute', 'bodies': ['ground', 'crank'], 'at': [0, 0, 0], 'axis': [0, 1, "
    "0],"
    "'motor': {'spin': '10*ramp(t, 0, 0.2)'}},"
    "{'kind': 'revolute', 'bodies': ['crank', 'rod'], 'at': [0.2, 0, 0], 'axis': [0, 1, 0]},"
    "{'kind': 'revolute', 'bodies': ['rod', 'slider'], 'at': [0.8, 0, 0], 'axis': [0, 1, 0]},"
    "{'name': 'rail', 'kind': 'prismatic', 'bodies': ['ground', 'slider'], 'at': [0.8, 0, 0], 'axis': [1, 0, 0]},"
    "{'kind': 'spherical', 'bodies': ['ground', 'flag'], 'at': [0, 1, 0.2], 'break_force': 100}],"
    "'actuators': [{'name': 'jack', 'bodies': ['ground', 'flag'], 'points': [[0.5, 1, 0], [0.1, 1, 0]],"
    "'length': {'table': [[0, 0.4], [0.3, 0.5]]}}],"
    "'springs': [{'name': 's', 'joint': 'rail', 'stiffness': 500, 'damping': 3}],"
    "'loads': [{'body': 'flag', 'frame': 'body', 'at_body': [0.1, 0, 0], 'force': [0, '5*sin(20*t)', 0]}, {'body': "
    "'slider', 'force': [3, 0, 0]}],"
    "'probes': [{'name': 'm', 'kind': 'motor', 'joint': 'motor'}, {'name': 's', 'kind': 'spring', 'spring': 's'},"
    "{'name': 'f', 'kind': 'joint_force', 'joint': 'jack', 'frame': 'body'}]}";

static void a_resumed_machine_equals_an_unbroken_one(void **state)
{
    (void)state;
    running whole = begin(machine), first = begin(machine), second = {.scene = scene_of(machine)};
    step(&whole, 400);
    take_row(&whole);
    step(&first, 137);
    second.sim = resumed(second.scene, first.sim, 2);
    step(&second, 400 - 137);
    take_row(&second);
    assert_true(simulation_hash(whole.sim) == simulation_hash(second.sim));
    assert_memory_equal(whole.values, second.values, sizeof whole.values);
    assert_near(column(&second, "m.spin"), 10.0, 1e-9);
    assert_true(simulation_joints(second.sim).gap < 1e-9);
    end(&whole);
    end(&first);
    end(&second);
}

// A step that failed did not happen: loads are not applied twice when it is tried again.
static void a_step_tried_again_leads_to_the_same_bits(void **state)
{
    (void)state;
    running whole = begin(machine), tried = begin(machine);
    scr_error error;
    step(&whole, 5);
    int64_t failures = 0;
    for (scr_status status = SCR_NO_MEMORY; status != SCR_OK; ++failures) {
        scr_fail_allocation_in(failures);
        status = simulation_step(tried.sim, &error);
        scr_fail_allocation_in(-1);
        assert_true(status == SCR_OK || status == SCR_NO_MEMORY);
    }
    assert_true(failures > 2);
    step(&tried, 4);
    assert_true(simulation_hash(whole.sim) == simulation_hash(tried.sim));
    end(&whole);
    end(&tried);
}

static void a_steady_step_of_a_machine_allocates_nothing(void **state)
{
    (void)state;
    running r = begin(machine);
    step(&r, 100);
    take_row(&r);
    int64_t before = scr_allocation_count();
    step(&r, 100);
    take_row(&r);
    assert_int_equal(scr_allocation_count(), before);
    end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_load_at_a_point_pushes_and_turns),
        cmocka_unit_test(a_load_in_the_body_frame_turns_with_it),
        cmocka_unit_test(a_load_that_is_no_number_stops_the_run),
        cmocka_unit_test(a_motor_holds_an_arm_and_probes_say_what_it_takes),
        cmocka_unit_test(reactions_can_be_seen_from_the_body),
        cmocka_unit_test(a_spring_swings_and_its_probe_follows),
        cmocka_unit_test(gears_turn_by_their_teeth),
        cmocka_unit_test(a_joint_breaks_and_the_time_is_kept),
        cmocka_unit_test(a_motor_without_a_number_stops_the_run),
        cmocka_unit_test(what_the_world_refuses_is_said_with_its_place),
        cmocka_unit_test(gaps_are_closed_or_refused_by_name),
        cmocka_unit_test(joined_bodies_may_overlap),
        cmocka_unit_test(a_resumed_machine_equals_an_unbroken_one),
        cmocka_unit_test(a_step_tried_again_leads_to_the_same_bits),
        cmocka_unit_test(a_steady_step_of_a_machine_allocates_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
