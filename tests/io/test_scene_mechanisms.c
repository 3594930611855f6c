// SPDX-License-Identifier: BSD-3-Clause
// Joints, actuators, springs, couplings and loads as a scene says them, and what users get wrong in them.
#include "io/scene_text.h"

#include <math.h>
#include <stdio.h>

#include "core/maths/vec3.h"

static const char *const everything = SCREE_SOURCE_DIR "/tests/io/scenes/everything.json";

static scene *read_everything(void)
{
    scene *s;
    scr_error error = {.message = ""};
    if (scene_read_file(everything, NULL, 0, &s, NULL, &error) != SCR_OK) fail_msg("%s", error.message);
    return s;
}

static void joints_are_read(void **state)
{
    (void)state;
    scene *s = read_everything();
    static const scr_joint_kind kinds[] = {
        SCR_JOINT_REVOLUTE,    SCR_JOINT_FIXED,     SCR_JOINT_SPHERICAL, SCR_JOINT_PRISMATIC,     SCR_JOINT_CYLINDRICAL,
        SCR_JOINT_CYLINDRICAL, SCR_JOINT_UNIVERSAL, SCR_JOINT_PLANAR,    SCR_JOINT_POINT_ON_LINE, SCR_JOINT_DISTANCE,
        SCR_JOINT_BUSHING,     SCR_JOINT_DISTANCE,  SCR_JOINT_DISTANCE,  SCR_JOINT_DISTANCE};
    assert_int_equal(s->joint_count, 14);
    for (int i = 0; i < s->joint_count; ++i) {
        assert_int_equal(s->joints[i].def.kind, kinds[i]);
        assert_int_equal(s->joints[i].is_actuator, i >= 11);
    }
    const scene_joint *hinge = &s->joints[0], *slide = &s->joints[3];
    assert_string_equal(hinge->name, "hinge");
    assert_int_equal(hinge->end[0].body, GROUND);
    assert_string_equal(s->bodies[hinge->end[1].body].name, "block");
    assert_near(hinge->end[1].point.z, 0.4, 1e-15);
    assert_true(!hinge->end[0].own_point && !hinge->end[0].own_axis && hinge->end[0].has_x_axis);
    assert_near(hinge->end[1].axis.y, 1.0, 0.0);
    assert_near(hinge->def.lower, -0.5 * M_PI, 1e-15);
    assert_near(hinge->def.upper, 0.5 * M_PI, 1e-15);
    assert_near(hinge->def.restitution, 0.5, 0.0);
    assert_near(hinge->def.friction, 0.1, 0.0);
    assert_near(hinge->def.friction_radius, 0.01, 0.0);
    assert_near(hinge->def.friction_force, 0.2, 0.0);
    assert_near(hinge->def.break_force, 1e6, 0.0);
    assert_near(hinge->def.break_torque, 1e5, 0.0);
    assert_true(hinge->def.collide && hinge->has_motor);
    assert_true(slide->end[0].own_point && slide->end[1].own_axis && slide->end[1].own_x_axis && !slide->def.collide);
    assert_near(slide->end[1].axis.z, 1.0, 0.0);  // directions are unit vectors
    assert_near(slide->def.friction_force, 3.0, 0.0);
    assert_true(isinf(slide->def.lower) && slide->def.break_force == 0.0);
    assert_near(s->joints[10].def.stiffness[2], 1e4, 0.0);
    assert_near(s->joints[10].def.stiffness[5], 10.0, 0.0);
    assert_near(s->joints[10].def.damping[0], 10.0, 0.0);
    assert_near(s->joints[10].def.damping[5], 0.2, 1e-15);
    assert_near(s->joints[9].def.length, 1.0, 0.0);
    assert_near(s->joints[9].end[1].point.x, 1.0, 0.0);
    scene_destroy(s);
}

static void assert_motor(const scene_joint *joint, scr_drive drive, scr_axis axis, double max_force, double at_half)
{
    assert_true(joint->has_motor);
    assert_int_equal(joint->motor.drive, drive);
    assert_int_equal(joint->motor.axis, axis);
    if (isinf(max_force)) assert_true(isinf(joint->motor.max_force));
    else assert_near(joint->motor.max_force, max_force, 1e-12);
    assert_near(time_function_at(&joint->drive, 0.5), at_half, 1e-12);
}

static void motors_are_read(void **state)
{
    (void)state;
    scene *s = read_everything();
    assert_motor(&s->joints[0], SCR_DRIVE_SPEED, SCR_ABOUT, 50.0, 6.0 * M_PI * 0.5);
    assert_motor(&s->joints[3], SCR_DRIVE_FORCE, SCR_ALONG, INFINITY, 1.0 + 10.0 * sin(0.25 * M_PI));
    assert_motor(&s->joints[4], SCR_DRIVE_POSITION, SCR_ABOUT, INFINITY, 0.5 * M_PI);
    assert_motor(&s->joints[5], SCR_DRIVE_POSITION, SCR_ALONG, 20.0, 0.05);
    assert_motor(&s->joints[7], SCR_DRIVE_FORCE, SCR_ABOUT, INFINITY, 2.0);
    assert_motor(&s->joints[9], SCR_DRIVE_SPEED, SCR_ALONG, INFINITY, 0.1);
    assert_motor(&s->joints[11], SCR_DRIVE_POSITION, SCR_ALONG, 2000.0, 1.0 + 0.1 * sin(0.5));
    assert_motor(&s->joints[12], SCR_DRIVE_SPEED, SCR_ALONG, INFINITY, 0.1);
    assert_motor(&s->joints[13], SCR_DRIVE_FORCE, SCR_ALONG, INFINITY, -9.81 * 0.5);
    assert_true(!s->joints[1].has_motor);
    assert_near(s->joints[11].def.lower, 0.8, 0.0);
    assert_near(s->joints[11].def.upper, 1.5, 0.0);
    scene_destroy(s);
}

static void springs_couplings_and_loads_are_read(void **state)
{
    (void)state;
    scene *s = read_everything();
    assert_int_equal(s->spring_count, 3);
    const scene_spring *strut = &s->springs[0], *torsion = &s->springs[1], *bump = &s->springs[2];
    assert_true(strut->joint == -1 && strut->end[1].body == GROUND);
    assert_near(strut->end[1].point.z, 1.0, 1e-15);
    assert_near(strut->def.stiffness, 1e4, 0.0);
    assert_near(strut->def.damping, 100.0, 0.0);
    assert_near(strut->def.rest, 0.9, 0.0);
    assert_near(strut->def.preload, 50.0, 0.0);
    assert_near(strut->def.lower, 0.5, 0.0);
    assert_near(strut->def.stop_stiffness, 1e6, 0.0);
    assert_near(strut->def.stop_damping, 1e3, 0.0);
    assert_int_equal(torsion->joint, 0);
    assert_int_equal(torsion->def.axis, SCR_ABOUT);
    assert_int_equal(torsion->def.table_count, 3);
    assert_near(torsion->def.table[1], -20.0, 0.0);
    assert_true(isnan(torsion->def.rest));
    assert_int_equal(bump->def.table_count, 3);
    assert_near(bump->def.table[5], 300.0, 0.0);

    assert_int_equal(s->coupling_count, 4);
    static const double ratios[4][3] = {{1, 2.5}, {1, -3.0}, {1, -0.02}, {1, -1.75, -1.75}};
    static const int joints[4][3] = {{0, 4}, {0, 4}, {3, 0}, {0, 4, 7}};
    for (int i = 0; i < 4; ++i) {
        const scene_coupling *c = &s->couplings[i];
        assert_int_equal(c->def.count, i == 3 ? 3 : 2);
        for (int k = 0; k < c->def.count; ++k) {
            assert_near(c->def.ratio[k], ratios[i][k], 1e-15);
            assert_int_equal(c->joint[k], joints[i][k]);
            assert_int_equal(c->def.axis[k], i == 2 && k == 0 ? SCR_ALONG : SCR_ABOUT);
        }
    }

    assert_int_equal(s->load_count, 2);
    const scene_load *thrust = &s->loads[0], *shake = &s->loads[1];
    assert_true(thrust->in_body_axes && thrust->end.own_point && thrust->end.has_point);
    assert_near(time_function_at(&thrust->force.x, 2.0), 10.0, 0.0);
    assert_near(time_function_at(&thrust->force.z, 0.5), 2.5, 1e-15);
    assert_near(time_function_at(&thrust->torque.z, 0.25), 1.0, 1e-15);
    assert_true(!shake->in_body_axes && !shake->end.own_point && shake->end.has_point);
    assert_near(time_function_at(&shake->force.z, 0.05), 3.0, 1e-12);
    scene_destroy(s);
}

// A run that is resumed must know its motors: what a file said stands in the scene as run.
static void tables_of_files_are_in_the_scene_as_run(void **state)
{
    (void)state;
    scene *s;
    char *as_run;
    scr_error error = {.message = ""};
    assert_int_equal(scene_read_file(everything, NULL, 0, &s, &as_run, &error), SCR_OK);
    assert_null(strstr(as_run, "drive.csv"));
    assert_null(strstr(as_run, "progressive.txt"));
    scene *again;
    if (scene_read_text(as_run, strlen(as_run), "elsewhere.json", NULL, 0, &again, NULL, &error) != SCR_OK)
        fail_msg("%s", error.message);
    assert_near(time_function_at(&again->joints[7].drive, 0.25), 1.0, 0.0);
    assert_int_equal(again->springs[2].def.table_count, 3);
    scene_destroy(s);
    scene_destroy(again);
    free(as_run);
}

// A scene with two bodies and two joints, to which a part is added.
#define SCENE_WITH(part)                                                                                               \
    "{'time': {'end': 1}, 'bodies': [{'name': 'crank', 'shapes': [{'sphere': {'radius': 1}}]},"                        \
    "{'name': 'rod', 'shapes': [{'sphere': {'radius': 1}}]},"                                                          \
    "{'name': 'wall', 'kind': 'fixed', 'shapes': [{'sphere': {'radius': 1}}]}],\n" part "}"
#define PINS                                                                                                           \
    "'joints': [{'name': 'pin', 'kind': 'revolute', 'bodies': ['crank', 'rod'], 'at': [0, 0, 0], 'axis': [0, 1, 0]},"  \
    "{'name': 'rail', 'kind': 'prismatic', 'bodies': ['ground', 'rod'], 'at': [0, 0, 0], 'axis': [0, 1, 0]}],\n"

typedef struct mistake {
    const char *text, *message;  // ' stands for "
} mistake;

static const mistake mistakes[] = {
    {SCENE_WITH("'joints': [{'kind': 'revolut', 'bodies': ['crank', 'rod'], 'at': [0, 0, 0], 'axis': [0, 1, 0]}]"),
     "2:21: 'kind' must be fixed, spherical, revolute, prismatic, cylindrical, universal, planar, point_on_line, "
     "distance, bushing or "
     "point_on_plane, not 'revolut'; did you mean 'revolute'?"},
    {SCENE_WITH("'joints': [{'kind': 'revolute', 'bodies': ['crank', 'rodd'], 'at': [0, 0, 0], 'axis': [0, 1, 0]}]"),
     "2:53: there is no body 'rodd'; did you mean 'rod'?"},
    {SCENE_WITH("'joints': [{'kind': 'revolute', 'bodies': ['gruond', 'rod'], 'at': [0, 0, 0], 'axis': [0, 1, 0]}]"),
     "2:44: there is no body 'gruond'; did you mean 'ground'?"},
    {SCENE_WITH("'joints': [{'kind': 'revolute', 'bodies': ['rod', 'rod'], 'at': [0, 0, 0], 'axis': [0, 1, 0]}]"),
     "2:43: 'bodies' must be two different ones"},
    {SCENE_WITH("'joints': [{'kind': 'revolute', 'bodies': ['rod'], 'at': [0, 0, 0], 'axis': [0, 1, 0]}]"),
     "2:43: 'bodies' must be a list of two names of bodies, of which one may be 'ground', not of 1"},
    {SCENE_WITH("'joints': [{'kind': 'revolute', 'at': [0, 0, 0], 'axis': [0, 1, 0]}]"),
     "2:12: 'joints[0]' needs 'bodies': two names of bodies, of which one may be 'ground'"},
    {SCENE_WITH("'joints': [{'kind': 'revolute', 'bodies': ['crank', 'rod'], 'axis': [0, 1, 0]}]"),
     "2:12: 'joints[0]' needs 'at': a point in world axes, or 'at_a' and 'at_b' in those of the bodies"},
    {SCENE_WITH("'joints': [{'kind': 'revolute', 'bodies': ['crank', 'rod'], 'at': [0, 0, 0]}]"),
     "2:12: 'joints[0]' needs 'axis': a direction in world axes, or 'axis_a' and 'axis_b'"},
    {SCENE_WITH("'joints': [{'kind': 'spherical', 'bodies': ['crank', 'rod'], 'at_a': [0, 0, 0]}]"),
     "2:62: 'at_a' and 'at_b' go together: the one without the other says too little"},
    {SCENE_WITH("'joints': [{'kind': 'spherical', 'bodies': ['crank', 'rod'], 'at': [0, 0, 0], 'at_b': [0, 0, 0]}]"),
     "2:79: give 'at', or 'at_a' and 'at_b', but not both"},
    {SCENE_WITH("'joints': [{'kind': 'spherical', 'bodies': ['crank', 'rod'], 'at': [0, 0, 0], 'friction': 0.1}]"),
     "2:79: a spherical joint has no 'friction'"},
    {SCENE_WITH("'joints': [{'kind': 'distance', 'bodies': ['crank', 'rod'], 'at': [0, 0, 0]}]"),
     "2:61: a distance joint has no 'at'"},
    {SCENE_WITH("'joints': [{'kind': 'bushing', 'bodies': ['crank', 'rod'], 'at': [0, 0, 0], 'stiffness': [1, 1, 1],\n"
                "'turn_stiffness': [1, 1, 1]}]"),
     "3:1: 'turn_stiffness' is now called 'rotational_stiffness'"},
    {SCENE_WITH("'joints': [{'kind': 'revolute', 'bodies': ['crank', 'rod'], 'at': [0, 0, 0], 'axis': [0, 0, 0]}]"),
     "2:86: 'axis' must be a direction of length 1e-06 to 1e+06, not [0, 0, 0]"},
    {SCENE_WITH("'joints': [{'kind': 'revolute', 'bodies': ['crank', 'rod'], 'at': [0, 0, 0], 'axis': [0, 1, 0],\n"
                "'lower': 1, 'upper': 0}]"),
     "3:22: 'upper' must not be below 'lower': 0 is below 1"},
    {SCENE_WITH("'joints': [{'kind': 'revolute', 'bodies': ['crank', 'rod'], 'at': [0, 0, 0], 'axis': [0, 1, 0],\n"
                "'motor': {'speed': 1}}]"),
     "3:11: a revolute joint does not slide: its motor has angle, spin or torque"},
    {SCENE_WITH("'joints': [{'kind': 'revolute', 'bodies': ['crank', 'rod'], 'at': [0, 0, 0], 'axis': [0, 1, 0],\n"
                "'motor': {}}]"),
     "3:10: 'motor' must have angle, spin or torque"},
    {SCENE_WITH("'joints': [{'kind': 'revolute', 'bodies': ['crank', 'rod'], 'at': [0, 0, 0], 'axis': [0, 1, 0],\n"
                "'motor': {'spin': 1, 'angle': 2}}]"),
     "3:11: a motor is 'angle' or 'spin' but not both"},
    {SCENE_WITH("'joints': [{'kind': 'revolute', 'bodies': ['crank', 'rod'], 'at': [0, 0, 0], 'axis': [0, 1, 0],\n"
                "'motor': {'torque': 1, 'max_torque': 2}}]"),
     "3:24: a motor of given torque has no 'max_torque'"},
    {SCENE_WITH("'joints': [{'kind': 'revolute', 'bodies': ['crank', 'rod'], 'at': [0, 0, 0], 'axis': [0, 1, 0],\n"
                "'motor': {'spin': true}}]"),
     "3:19: 'spin' must be a number, a formula, or an object with table, file, sine, pieces or phases, not true"},
    {SCENE_WITH("'joints': [{'kind': 'revolute', 'bodies': ['crank', 'rod'], 'at': [0, 0, 0], 'axis': [0, 1, 0],\n"
                "'motor': {'spin': '1 + sni(t)'}}]"),
     "3:24: in the formula of 'spin': unknown name 'sni'; did you mean 'sin'?"},
    {SCENE_WITH("'joints': [{'kind': 'revolute', 'bodies': ['crank', 'rod'], 'at': [0, 0, 0], 'axis': [0, 1, 0],\n"
                "'motor': {'spin': {'table': [[0, 1], [2, 3], [2, 4]]}}}]"),
     "3:46: the first numbers of a table must rise: 2 is not above 2"},
    {SCENE_WITH("'joints': [{'kind': 'revolute', 'bodies': ['crank', 'rod'], 'at': [0, 0, 0], 'axis': [0, 1, 0],\n"
                "'motor': {'spin': {'table': []}}}]"),
     "3:29: a table must have at least one row"},
    {SCENE_WITH("'joints': [{'kind': 'revolute', 'bodies': ['crank', 'rod'], 'at': [0, 0, 0], 'axis': [0, 1, 0],\n"
                "'motor': {'spin': {'table': [[0, 1, 2]]}}}]"),
     "3:30: 'table[0]' must be a list of two numbers, a time and a value, not of 3"},
    {SCENE_WITH("'joints': [{'kind': 'revolute', 'bodies': ['crank', 'rod'], 'at': [0, 0, 0], 'axis': [0, 1, 0],\n"
                "'motor': {'spin': {'file': 'nowhere.csv'}}}]"),
     "3:28: cannot open the table 'nowhere.csv': No such file or directory"},
    {SCENE_WITH("'joints': [{'kind': 'revolute', 'bodies': ['crank', 'rod'], 'at': [0, 0, 0], 'axis': [0, 1, 0],\n"
                "'motor': {'spin': {'sine': {'amplitude': 1}}}}]"),
     "3:28: 'sine' needs 'frequency': a number or a formula"},
    {SCENE_WITH("'joints': [{'kind': 'revolute', 'bodies': ['crank', 'rod'], 'at': [0, 0, 0], 'axis': [0, 1, 0],\n"
                "'motor': {'spin': {'sinus': 1}}}]"),
     "3:20: unknown key 'sinus'; did you mean 'sine'?"},
    {SCENE_WITH("'joints': [{'kind': 'revolute', 'bodies': ['crank', 'rod'], 'at': [0, 0, 0], 'axis': [0, 1, 0],\n"
                "'friction': 0.1}]"),
     "2:12: 'joints[0]' needs 'friction_radius': the pin's radius, where friction acts"},
    {SCENE_WITH(
         PINS
         "'actuators': [{'name': 'pin', 'bodies': ['crank', 'ground'], 'points': [[0, 0, 0], [0, 0, 1]], 'speed': 1}]"),
     "3:24: there is another joint called 'pin'; names must differ"},
    {SCENE_WITH("'actuators': [{'bodies': ['crank', 'ground'], 'points': [[0, 0, 0], [0, 0, 1]]}]"),
     "2:15: an actuator must have length, speed or force"},
    {SCENE_WITH("'actuators': [{'bodies': ['crank', 'ground'], 'points': [[0, 0, 0]], 'speed': 1}]"),
     "2:57: 'points' must be a list of two points, one on each body, not of 1"},
    {SCENE_WITH(PINS "'springs': [{'joint': 'pni', 'stiffness': 1}]"),
     "3:23: there is no joint 'pni'; did you mean 'pin'?"},
    {SCENE_WITH(PINS "'springs': [{'joint': 'pin', 'motion': 'along', 'stiffness': 1}]"),
     "3:23: a revolute joint does not slide"},
    {SCENE_WITH(PINS "'springs': [{'joint': 'pin', 'bodies': ['crank', 'rod'], 'stiffness': 1}]"),
     "3:30: a spring is 'joint' or 'bodies' but not both"},
    {SCENE_WITH(PINS "'springs': [{'joint': 'pin', 'stiffness': 1, 'lower': 0.5}]"),
     "3:13: a spring with 'lower' or 'upper' needs 'stop_stiffness' above 0"},
    {SCENE_WITH(PINS "'springs': [{'joint': 'pin', 'table': [[0, 1]]}]"),
     "3:13: the table of a spring must have at least two rows"},
    {SCENE_WITH(PINS "'couplings': [{'kind': 'gear', 'joints': ['pin', 'rail'], 'ratio': 2}]"),
     "3:50: a prismatic joint does not turn"},
    {SCENE_WITH(PINS "'couplings': [{'kind': 'gear', 'joints': ['pin', 'pin'], 'ratio': 2}]"),
     "3:15: a coupling needs joints that differ"},
    {SCENE_WITH(PINS "'couplings': [{'kind': 'gear', 'joints': ['pin', 'pin']}]"),
     "3:15: a gear must have 'ratio' or 'teeth'"},
    {SCENE_WITH(PINS "'couplings': [{'kind': 'gear', 'joints': ['pin', 'pin'], 'teeth': [20, 1.5]}]"),
     "3:72: teeth are counted: 1.5 is no number of them"},
    {SCENE_WITH(PINS "'couplings': [{'kind': 'rack', 'rack': 'rail', 'pinion': 'pin', 'radius': 0}]"),
     "3:75: 'radius' must not be 0"},
    {SCENE_WITH(PINS "'couplings': [{'kind': 'rack', 'rack': 'pin', 'pinion': 'pin', 'radius': 1}]"),
     "3:40: a revolute joint does not slide"},
    {SCENE_WITH("'loads': [{'body': 'wall', 'force': [0, 0, 1]}]"),
     "2:20: only a dynamic body can be loaded: others do not yield to forces"},
    {SCENE_WITH("'loads': [{'body': 'rod', 'force': [0, 0]}]"),
     "2:36: 'force' must be a list of three numbers or functions of time, not of 2"},
    {SCENE_WITH("'loads': [{'body': 'rod'}]"),
     "2:11: 'loads[0]' needs 'force': three numbers or functions of time; or 'torque'"},
    {SCENE_WITH(PINS "'probes': [{'name': 'p', 'kind': 'motor', 'joint': 'pin'}]"),
     "3:52: the joint 'pin' has no motor"},
    {SCENE_WITH(PINS "'probes': [{'name': 'p', 'kind': 'joint_force', 'joint': 'pin', 'frame': 'bdoy'}]"),
     "3:74: 'frame' must be world, joint or body, not 'bdoy'; did you mean 'body'?"},
    {SCENE_WITH(PINS "'probes': [{'name': 'p', 'kind': 'spring', 'spring': 'strut'}]"),
     "3:54: there is no spring 'strut' in the scene"},
};

static void mistakes_earn_a_sentence(void **state)
{
    (void)state;
    int wrong = 0;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; ++i) {
        scene *s;
        scr_error error = {.message = "nothing"};
        char expected[600];
        snprintf(expected, sizeof expected, "s.json:%s", mistakes[i].message);
        if (read_quoted(mistakes[i].text, NULL, 0, &s, NULL, &error) != SCR_BAD_INPUT || !says(&error, expected)) {
            print_error("in the scene %s\n", mistakes[i].text);
            ++wrong;
        }
        scene_destroy(s);
    }
    assert_int_equal(wrong, 0);
}

static void a_body_may_be_called_ground(void **state)
{
    (void)state;
    scene *s;
    scr_error error = {.message = ""};
    assert_int_equal(
        read_quoted("{'time': {'end': 1}, 'bodies': [{'name': 'ball', 'shapes': [{'sphere': {'radius': 1}}]},"
                    "{'name': 'ground', 'kind': 'fixed', 'shapes': [{'plane': {}}]}],"
                    "'joints': [{'kind': 'spherical', 'bodies': ['ground', 'ball'], 'at': [0, 0, 0]}]}",
                    NULL, 0, &s, NULL, &error),
        SCR_OK);
    assert_int_equal(s->joints[0].end[0].body, 1);
    scene_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joints_are_read),
        cmocka_unit_test(motors_are_read),
        cmocka_unit_test(springs_couplings_and_loads_are_read),
        cmocka_unit_test(tables_of_files_are_in_the_scene_as_run),
        cmocka_unit_test(mistakes_earn_a_sentence),
        cmocka_unit_test(a_body_may_be_called_ground),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
