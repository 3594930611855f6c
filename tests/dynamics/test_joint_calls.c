// SPDX-License-Identifier: BSD-3-Clause
// Joints, springs and couplings as their calls make them: what is refused, handles, removal, saved states, and how they
// are in a world that never made a step.
#include <string.h>

#include "copied_world.h"
#include "core/base/memory.h"
#include "dynamics/world/world.h"

// The call, which passes &error, is refused with a sentence that says so, and the world stays as it is.
#define assert_refused(world, call, says)                                                                              \
    do {                                                                                                               \
        scr_error error = {0};                                                                                         \
        uint64_t hash_before = scr_world_hash(world);                                                                  \
        scr_status status_of_call = (call);                                                                            \
        check_refused(status_of_call, &error, says, hash_before == scr_world_hash(world), __FILE__, __LINE__);         \
    } while (0)

static void check_refused(scr_status status, const scr_error *error, const char *says, bool is_same, const char *file,
                          int line)
{
    if (status == SCR_BAD_INPUT && strstr(error->message, says) != NULL && is_same) return;
    print_error("status %d, world %s: \"%s\", not \"%s\"\n", (int)status, is_same ? "as it was" : "changed",
                error->message, says);
    _fail(file, line);
}

static const scr_vec3 ORIGIN = {0.0, 0.0, 0.0}, X_AXIS = {1.0, 0.0, 0.0}, Y_AXIS = {0.0, 1.0, 0.0},
                      Z_AXIS = {0.0, 0.0, 1.0};
static const scr_body GROUND = {0};

// Three boxes in the air, a fixed one and a kinematic one.
typedef struct setting {
    scr_world *world;
    scr_material steel;
    scr_body box[3], fixed, driven;
} setting;

static setting make_setting(void)
{
    scr_world_def def = scr_default_world_def();
    setting s = {.world = make_world(&def)};
    s.steel = add_material(s.world, 0.3, 0.0);
    scr_shape brick = scr_box(vec3(0.1, 0.2, 0.3), s.steel);
    for (int k = 0; k < 3; ++k) {
        scr_body_def body = scr_default_body_def();
        body.position = vec3(k, 0.5, 2.0);
        body.rotation = random_rotation(20 + (uint64_t)k);
        body.shapes = &brick;
        body.shape_count = 1;
        s.box[k] = add_body(s.world, &body);
    }
    scr_shape cube = scr_box(vec3(0.1, 0.1, 0.1), s.steel);
    s.fixed = add_shape(s.world, SCR_FIXED, cube, vec3(0.0, 5.0, 0.0), ORIGIN);
    s.driven = add_shape(s.world, SCR_KINEMATIC, cube, vec3(0.0, 6.0, 0.0), ORIGIN);
    return s;
}

static scr_joint add_joint(scr_world *world, const scr_joint_def *def)
{
    scr_joint joint;
    assert_ok(scr_world_add_joint(world, def, &joint, &error));
    return joint;
}

static scr_joint join(const setting *s, scr_joint_kind kind, scr_body a, scr_body b)
{
    scr_joint_def def = scr_joint_at(kind, a, b, vec3(0.5, 0.5, 2.0), Y_AXIS);
    return add_joint(s->world, &def);
}

static scr_spring add_spring(scr_world *world, const scr_spring_def *def)
{
    scr_spring spring;
    assert_ok(scr_world_add_spring(world, def, &spring, &error));
    return spring;
}

static scr_spring_def spring_between(scr_body a, scr_body b, scr_vec3 point_a, scr_vec3 point_b)
{
    scr_spring_def def = scr_default_spring_def();
    def.a = a;
    def.b = b;
    def.point_a = point_a;
    def.point_b = point_b;
    def.stiffness = 100.0;
    return def;
}

static scr_coupling couple(scr_world *world, scr_joint first, scr_joint second, double ratio)
{
    scr_coupling_def def = {.count = 2, .joint = {first, second}, .ratio = {1.0, ratio}};
    scr_coupling coupling;
    assert_ok(scr_world_add_coupling(world, &def, &coupling, &error));
    return coupling;
}

static scr_joint_state joint_state(const scr_world *world, scr_joint joint)
{
    scr_joint_state state;
    assert_ok(scr_joint_get_state(world, joint, &state, &error));
    return state;
}

static scr_status remove_body(scr_world *world, scr_body body, scr_error *error)
{
    return scr_world_remove_bodies(world, 1, &body, error);
}

// ---- what is refused ----

static void wrong_joints_are_refused(void **state)
{
    (void)state;
    setting s = make_setting();
    scr_world *world = s.world;
    scr_joint joint;
    const scr_joint_def good = scr_joint_at(SCR_JOINT_REVOLUTE, s.box[0], s.box[1], vec3(0.5, 0.5, 2.0), Z_AXIS);
    scr_joint_def bad;
#define refused_with(change, says)                                                                                     \
    do {                                                                                                               \
        bad = good;                                                                                                    \
        change;                                                                                                        \
        assert_refused(world, scr_world_add_joint(world, &bad, &joint, &error), says);                                 \
    } while (0)
    refused_with(bad.kind = (scr_joint_kind)42, "there is no kind of joint 42");
    refused_with((bad.a = GROUND, bad.b = GROUND), "a joint needs a body: a and b are both null");
    refused_with(bad.b = bad.a, "a and b of a joint are the same body");
    refused_with(bad.a.generation += 2, "is stale: its body was removed");
    refused_with((bad.a = s.fixed, bad.b = s.driven), "neither a nor b is dynamic");
    refused_with((bad.a = s.fixed, bad.b = GROUND), "neither a nor b is dynamic");
    refused_with(bad.frame_a.position.y = NAN, "the position of frame_a is not a number");
    refused_with(bad.frame_b.rotation = ((scr_quat){0.0, 0.0, 0.0, 0.0}), "the rotation of frame_b is not a rotation");
    refused_with((bad.lower = 0.2, bad.upper = 0.1), "lower, 0.2, must not be more than upper, 0.1");
    refused_with(bad.lower = NAN, "lower and upper must be numbers");
    refused_with(bad.lower = INFINITY, "leave no room");
    refused_with((bad.kind = SCR_JOINT_SPHERICAL, bad.upper = 1.0),
                 "a spherical joint has no motion that lower and upper could limit");
    refused_with(bad.restitution = 1.5, "restitution must lie between 0 and 1");
    refused_with(bad.friction = -0.1, "friction must not be negative, but is -0.1");
    refused_with(bad.friction = 0.1, "needs friction_radius");
    refused_with((bad.kind = SCR_JOINT_UNIVERSAL, bad.friction = 0.1), "a universal joint has no friction under load");
    refused_with(bad.friction_radius = INFINITY, "friction_radius must be a finite number");
    refused_with((bad.kind = SCR_JOINT_FIXED, bad.friction_force = 1.0),
                 "a fixed joint has no motion that friction_force could hold");
    refused_with(bad.break_force = -1.0, "break_force must not be negative");
    refused_with(bad.break_torque = NAN, "break_torque must be a finite number");
    refused_with(bad.stiffness[2] = 5.0, "a revolute joint has no stiffness or damping");
    refused_with((bad.kind = SCR_JOINT_BUSHING, bad.damping[5] = -5.0), "damping must not be negative");
    refused_with(bad.length = 1.0, "a revolute joint has no length");
    refused_with(bad.kind = SCR_JOINT_DISTANCE, "its ends are in the same place");
    bad = scr_joint_at(SCR_JOINT_REVOLUTE, s.box[0], s.box[1], ORIGIN, ORIGIN);
    assert_refused(world, scr_world_add_joint(world, &bad, &joint, &error),
                   "the rotation of frame_a is not a rotation");
#undef refused_with
    assert_int_equal(joint.index1, 0);
    scr_world_destroy(world);
}

static void wrong_motors_are_refused(void **state)
{
    (void)state;
    setting s = make_setting();
    scr_joint hinge = join(&s, SCR_JOINT_REVOLUTE, s.box[0], s.box[1]),
              socket = join(&s, SCR_JOINT_SPHERICAL, s.box[1], s.box[2]);
    const scr_motor_def good = scr_default_motor_def();
    scr_motor_def bad = good;
    assert_refused(s.world, scr_joint_set_motor(s.world, socket, &bad, &error),
                   "a spherical joint has no motion along or about its axis");
    bad.axis = SCR_ALONG;
    assert_refused(s.world, scr_joint_set_motor(s.world, hinge, &bad, &error),
                   "a revolute joint has no motion along its axis");
    bad.axis = (scr_axis)9;
    assert_refused(s.world, scr_joint_set_motor(s.world, hinge, &bad, &error), "there is no axis 9");
    bad = good, bad.drive = (scr_drive)7;
    assert_refused(s.world, scr_joint_set_motor(s.world, hinge, &bad, &error), "there is no drive 7");
    bad = good, bad.max_force = 0.0;
    assert_refused(s.world, scr_joint_set_motor(s.world, hinge, &bad, &error), "max_force must be positive");
    bad = good, bad.value.constant = NAN;
    assert_refused(s.world, scr_joint_set_motor(s.world, hinge, &bad, &error),
                   "the value of a motor must be a finite number");
    assert_refused(s.world, scr_joint_set_motor(s.world, (scr_joint){0}, &good, &error), "the joint handle is null");
    assert_ok(scr_joint_set_motor(s.world, hinge, &good, &error));
    assert_ok(scr_joint_set_motor(s.world, hinge, NULL, &error));
    scr_world_destroy(s.world);
}

static void wrong_springs_are_refused(void **state)
{
    (void)state;
    setting s = make_setting();
    scr_world *world = s.world;
    scr_joint hinge = join(&s, SCR_JOINT_REVOLUTE, s.box[0], s.box[1]);
    const double falling[] = {0.0, 1.0, 0.2, 2.0, 0.2, 3.0}, infinite[] = {0.0, 1.0, 1.0, INFINITY};
    const scr_spring_def good = spring_between(s.box[0], s.box[2], ORIGIN, X_AXIS);
    scr_spring_def bad;
    scr_spring spring;
#define refused_with(change, says)                                                                                     \
    do {                                                                                                               \
        bad = good;                                                                                                    \
        change;                                                                                                        \
        assert_refused(world, scr_world_add_spring(world, &bad, &spring, &error), says);                               \
    } while (0)
    refused_with((bad.a = GROUND, bad.b = GROUND), "a spring needs a body: a and b are both null");
    refused_with(bad.a = bad.b, "a and b of a spring are the same body");
    refused_with((bad.a = s.fixed, bad.b = GROUND), "neither a nor b is dynamic");
    refused_with(bad.b.generation += 2, "is stale");
    refused_with(bad.joint = hinge, "a spring acts along a joint or between two bodies, not both");
    refused_with((bad.a = bad.b = GROUND, bad.joint = hinge, bad.joint.generation += 2),
                 "the joint handle 1.3 is stale: its joint was removed");
    refused_with((bad.a = bad.b = GROUND, bad.joint = hinge, bad.axis = SCR_ALONG),
                 "a revolute joint has no motion along its axis");
    refused_with(bad.stiffness = -1.0, "stiffness must not be negative, but is -1");
    refused_with(bad.damping = NAN, "damping must be a finite number");
    refused_with(bad.preload = INFINITY, "preload must be a finite number");
    refused_with(bad.rest = INFINITY, "rest must be a finite number");
    refused_with(bad.rest = -0.1, "rest must not be negative");
    refused_with((bad.lower = 2.0, bad.upper = 1.0), "lower, 2, must not be more than upper, 1");
    refused_with(bad.upper = 1.0, "stops at lower or upper need a stop_stiffness");
    refused_with(bad.stop_damping = -1.0, "stop_damping must not be negative");
    refused_with(bad.point_b.z = NAN, "point_b is not a number");
    refused_with((bad.table = falling, bad.table_count = 3), "a spring has either a stiffness or a table");
    refused_with((bad.stiffness = 0.0, bad.table = falling, bad.table_count = 1), "needs two pairs at least");
    refused_with((bad.stiffness = 0.0, bad.table = falling, bad.table_count = 3),
                 "pair 3 of the table, 0.2, must be more than that before it, 0.2");
    refused_with((bad.stiffness = 0.0, bad.table = infinite, bad.table_count = 2),
                 "pair 2 of the table is not made of finite numbers");
#undef refused_with
    scr_world_destroy(world);
}

static void wrong_couplings_are_refused(void **state)
{
    (void)state;
    setting s = make_setting();
    scr_world *world = s.world;
    scr_joint first = join(&s, SCR_JOINT_REVOLUTE, s.box[0], s.box[1]),
              second = join(&s, SCR_JOINT_PRISMATIC, s.box[1], s.box[2]);
    scr_joint socket = join(&s, SCR_JOINT_SPHERICAL, s.box[0], GROUND);
    const scr_coupling_def good = {.count = 2, .joint = {first, second}, .ratio = {1.0, 2.0}};
    scr_coupling_def bad;
    scr_coupling coupling;
#define refused_with(change, says)                                                                                     \
    do {                                                                                                               \
        bad = good;                                                                                                    \
        change;                                                                                                        \
        assert_refused(world, scr_world_add_coupling(world, &bad, &coupling, &error), says);                           \
    } while (0)
    refused_with(bad.count = 4, "a coupling joins 2 or 3 joints, not 4");
    refused_with(bad.joint[1] = first, "two of them are the same");
    refused_with(bad.joint[1] = socket, "a spherical joint has no motion along or about its axis");
    refused_with(bad.count = 3, "ratio must not be 0");
    refused_with((bad.count = 3, bad.ratio[2] = 1.0), "the joint handle is null");
    refused_with(bad.ratio[0] = INFINITY, "ratio must be a finite number");
    refused_with(bad.axis[1] = SCR_ABOUT, "a prismatic joint has no motion about its axis");
#undef refused_with
    scr_world_destroy(world);
}

// ---- handles and removal ----

static bool joint_is_there(const scr_world *world, scr_joint joint)
{
    return joint_slot(&world->mechanisms.joints, joint) >= 0;
}
static bool spring_is_there(const scr_world *world, scr_spring spring)
{
    return spring_slot(&world->mechanisms.springs, spring) >= 0;
}
static bool coupling_is_there(const scr_world *world, scr_coupling c)
{
    return coupling_slot(&world->mechanisms.couplings, c) >= 0;
}

static void a_joint_takes_its_springs_and_couplings_along(void **state)
{
    (void)state;
    setting s = make_setting();
    scr_joint first = join(&s, SCR_JOINT_REVOLUTE, s.box[0], s.box[1]),
              second = join(&s, SCR_JOINT_REVOLUTE, s.box[1], s.box[2]);
    scr_spring_def along = scr_default_spring_def();
    along.joint = first;
    scr_spring on_first = add_spring(s.world, &along);
    along.joint = second;
    scr_spring on_second = add_spring(s.world, &along);
    scr_coupling gear = couple(s.world, first, second, -2.0);
    assert_ok(scr_world_remove_joint(s.world, first, &error));
    assert_false(joint_is_there(s.world, first) || spring_is_there(s.world, on_first) ||
                 coupling_is_there(s.world, gear));
    assert_true(joint_is_there(s.world, second) && spring_is_there(s.world, on_second));
    scr_joint_state now;
    assert_refused(s.world, scr_joint_get_state(s.world, first, &now, &error), "is stale: its joint was removed");
    assert_refused(s.world, scr_world_remove_joint(s.world, first, &error), "is stale");
    assert_refused(s.world, scr_world_remove_spring(s.world, on_first, &error),
                   "the spring handle 1.1 is stale: its spring was removed");
    assert_refused(s.world, scr_world_remove_coupling(s.world, gear, &error), "the coupling handle 1.1 is stale");
    scr_joint again = join(&s, SCR_JOINT_SPHERICAL, s.box[0], s.box[1]);  // in the same place, under another generation
    assert_int_equal(again.index1, first.index1);
    assert_int_equal(again.generation, first.generation + 2);
    assert_false(joint_is_there(s.world, first));
    scr_world_destroy(s.world);
}

static void a_body_takes_its_joints_and_springs_along(void **state)
{
    (void)state;
    setting s = make_setting();
    scr_joint first = join(&s, SCR_JOINT_REVOLUTE, s.box[0], s.box[1]),
              second = join(&s, SCR_JOINT_REVOLUTE, s.box[1], s.box[2]);
    scr_joint third = join(&s, SCR_JOINT_REVOLUTE, s.fixed, s.box[2]);
    scr_spring_def def = spring_between(s.box[0], s.box[2], ORIGIN, X_AXIS);
    scr_spring free_one = add_spring(s.world, &def);
    scr_coupling lost = couple(s.world, first, third, 3.0), kept = couple(s.world, second, third, 3.0);
    assert_ok(remove_body(s.world, s.box[0], &error));
    assert_false(joint_is_there(s.world, first) || spring_is_there(s.world, free_one) ||
                 coupling_is_there(s.world, lost));
    assert_true(joint_is_there(s.world, second) && joint_is_there(s.world, third) && coupling_is_there(s.world, kept));
    assert_ok(remove_body(s.world, s.fixed, &error));
    assert_false(joint_is_there(s.world, third) || coupling_is_there(s.world, kept));
    assert_true(joint_is_there(s.world, second));
    const bodies *b = &s.world->bodies;
    assert_int_equal(b->is_joined[body_slot(b, s.box[1])], 1);
    assert_ok(scr_world_remove_joint(s.world, second, &error));
    assert_int_equal(b->is_joined[body_slot(b, s.box[1])], 0);
    assert_true(s.world->mechanisms.is_changed);
    scr_world_destroy(s.world);
}

// The tables of springs lie one behind the other: each keeps its own when others go.
static void springs_keep_their_tables(void **state)
{
    (void)state;
    setting s = make_setting();
    scr_spring spring[4];
    double pairs[10];
    for (int k = 0; k < 4; ++k) {
        scr_spring_def def = spring_between(s.box[0], s.box[1], ORIGIN, X_AXIS);
        def.stiffness = 0.0;
        def.table = pairs;
        def.table_count = 2 + k;
        for (int p = 0; p < def.table_count; ++p) pairs[2 * p] = p, pairs[2 * p + 1] = 100.0 * (k + 1) * p;
        spring[k] = add_spring(s.world, &def);
    }
    const springs *all = &s.world->mechanisms.springs;
    assert_ok(scr_world_remove_spring(s.world, spring[1], &error));
    assert_int_equal(all->pair_table.count, 2 + 4 + 5);
    for (int k = 0; k < 4; ++k) {
        if (k == 1) continue;
        double slope;
        assert_near(spring_force(all, spring_slot(all, spring[k]), 1.0 + 1.5, &slope), 150.0 * (k + 1), 1e-15);
    }
    scr_world_def def = scr_default_world_def();
    scr_world_destroy(resumed(s.world, &def));  // valid
    scr_world_destroy(s.world);
}

// ---- saved states ----

static double drive(const void *context, double t) { return *(const double *)context * t; }

// Joints of all kinds with all that may hang on them, and places that are free.
static void fill_world(const setting *s, scr_joint joint[11])
{
    static const double speed = 3.0, pairs[] = {-0.1, -5.0, 0.0, 0.0, 0.2, 9.0};
    for (int k = 0; k < 11; ++k) {
        scr_joint_def def = scr_joint_at((scr_joint_kind)k, k % 3 == 0 ? GROUND : s->box[0], s->box[1 + k % 2],
                                         vec3(0.1 * k, 0.5, 2.0), vec3(k - 3.5, 1.0, 0.2 * k));
        if (k == SCR_JOINT_DISTANCE) def.length = 0.3;
        if (k == SCR_JOINT_BUSHING) def.stiffness[0] = def.damping[5] = 10.0;
        if (k == SCR_JOINT_REVOLUTE) def.lower = -1.0, def.upper = 2.0, def.friction = 0.2, def.friction_radius = 0.01;
        joint[k] = add_joint(s->world, &def);
    }
    scr_motor_def motor = scr_default_motor_def();
    motor.value = (scr_function){drive, &speed, 0.0};
    assert_ok(scr_joint_set_motor(s->world, joint[SCR_JOINT_REVOLUTE], &motor, &error));
    motor.value = (scr_function){NULL, NULL, 4.5};
    assert_ok(scr_joint_set_motor(s->world, joint[SCR_JOINT_PRISMATIC], &motor, &error));
    scr_spring_def between = spring_between(s->box[0], GROUND, ORIGIN, X_AXIS), along = scr_default_spring_def();
    between.stiffness = 0.0;
    between.table = pairs;
    between.table_count = 3;
    along.joint = joint[SCR_JOINT_CYLINDRICAL];
    along.stiffness = 5.0;
    scr_spring gone = add_spring(s->world, &along);
    add_spring(s->world, &between);
    add_spring(s->world, &along);
    assert_ok(scr_world_remove_spring(s->world, gone, &error));
    scr_coupling lost = couple(s->world, joint[SCR_JOINT_REVOLUTE], joint[SCR_JOINT_PLANAR], 2.0);
    couple(s->world, joint[SCR_JOINT_REVOLUTE], joint[SCR_JOINT_PRISMATIC], -0.5);
    assert_ok(scr_world_remove_coupling(s->world, lost, &error));
    assert_ok(scr_world_remove_joint(s->world, joint[SCR_JOINT_UNIVERSAL], &error));
}

static void a_saved_world_keeps_its_joints(void **state)
{
    (void)state;
    setting s = make_setting();
    scr_joint joint[11];
    fill_world(&s, joint);
    scr_world_def def = scr_default_world_def();
    scr_world *copy = resumed(s.world, &def);
    assert_true(scr_world_hash(copy) == scr_world_hash(s.world));
    assert_true(copy->mechanisms.is_changed);
    const joints *j = &copy->mechanisms.joints;
    const double speed = 3.0;
    assert_near(joint_drive_at(j, joint_slot(j, joint[SCR_JOINT_PRISMATIC]), 2.0), 4.5, 0.0);
    assert_near(joint_drive_at(j, joint_slot(j, joint[SCR_JOINT_REVOLUTE]), 2.0), 0.0, 0.0);
    world_set_drive(copy, joint[SCR_JOINT_REVOLUTE], (scr_function){drive, &speed, 0.0});
    assert_near(joint_drive_at(j, joint_slot(j, joint[SCR_JOINT_REVOLUTE]), 2.0), 6.0, 0.0);
    world_set_drive(copy, joint[SCR_JOINT_UNIVERSAL], (scr_function){drive, &speed, 0.0});  // is gone
    assert_true(scr_world_hash(copy) == scr_world_hash(s.world));
    // The next ones find the same free places in both.
    scr_joint in_world = join(&s, SCR_JOINT_FIXED, s.box[0], s.box[2]), in_copy;
    setting in = s;
    in.world = copy;
    in_copy = join(&in, SCR_JOINT_FIXED, s.box[0], s.box[2]);
    assert_memory_equal(&in_world, &in_copy, sizeof in_copy);
    scr_spring_def compliance = spring_between(s.box[0], s.box[1], ORIGIN, X_AXIS);
    for (int k = 0; k < 2; ++k) {
        scr_world *either = k == 0 ? s.world : copy;
        add_spring(either, &compliance);
        couple(either, joint[SCR_JOINT_REVOLUTE], joint[SCR_JOINT_PLANAR], 2.0);
    }
    assert_int_equal(j->table.count, 11);
    assert_int_equal(copy->mechanisms.springs.table.count, 3);
    assert_int_equal(copy->mechanisms.couplings.table.count, 2);
    assert_true(scr_world_hash(copy) == scr_world_hash(s.world));
    scr_world_destroy(copy);
    scr_world_destroy(s.world);
}

// A state in which one thing is wrong is refused.
#define assert_damage_is_seen(damage)                                                                                  \
    do {                                                                                                               \
        scr_world *copy = make_world(&def);                                                                            \
        scr_error why = {0};                                                                                           \
        copy_state(s.world, copy);                                                                                     \
        joints *j = &copy->mechanisms.joints;                                                                          \
        springs *p = &copy->mechanisms.springs;                                                                        \
        couplings *c = &copy->mechanisms.couplings;                                                                    \
        (void)j, (void)p, (void)c;                                                                                     \
        damage;                                                                                                        \
        assert_int_equal(world_after_load(copy, &why), SCR_BAD_INPUT);                                                 \
        assert_non_null(strstr(why.message, "its joints, springs and couplings are damaged"));                         \
        scr_world_destroy(copy);                                                                                       \
    } while (0)

static void damaged_states_are_refused(void **state)
{
    (void)state;
    setting s = make_setting();
    scr_joint joint[11];
    fill_world(&s, joint);
    scr_world_def def = scr_default_world_def();
    assert_damage_is_seen(j->kind[1] = 77);
    assert_damage_is_seen(j->b[2].generation += 2);
    assert_damage_is_seen(j->a[1] = j->b[1]);
    assert_damage_is_seen(j->b[0] = (scr_body){0});
    assert_damage_is_seen(j->frame_a[3] += 0.1);
    assert_damage_is_seen(j->frame_b[POSE_WIDTH + 1] = NAN);
    assert_damage_is_seen(j->lower[SCR_JOINT_REVOLUTE] = 3.0);
    assert_damage_is_seen(j->motor[SCR_JOINT_REVOLUTE] = 9);
    assert_damage_is_seen(j->motor_axis[SCR_JOINT_REVOLUTE] = SCR_ALONG);
    assert_damage_is_seen(j->motor_axis[SCR_JOINT_REVOLUTE] = SCR_AXIS_USUAL);
    assert_damage_is_seen(j->about[0] = INFINITY);
    assert_damage_is_seen(j->torque[4] = NAN);
    assert_damage_is_seen(j->is_broken[0] = 2);
    assert_damage_is_seen(j->length[SCR_JOINT_DISTANCE] = 0.0);
    assert_damage_is_seen(j->generation[SCR_JOINT_UNIVERSAL] = 1);
    assert_damage_is_seen(j->generation[SCR_JOINT_CYLINDRICAL] = 2);
    assert_damage_is_seen(p->rest[1] = NAN);
    assert_damage_is_seen(p->pair_count[1] = 2);
    assert_damage_is_seen(p->first_pair[1] = 1);
    assert_damage_is_seen(p->first_pair[1] = INT64_MIN);
    assert_damage_is_seen(p->pairs[2] = -1.0);
    assert_damage_is_seen(p->axis[2] = 0);
    assert_damage_is_seen(p->generation[0] = 3);
    assert_damage_is_seen(c->count[1] = 3);
    assert_damage_is_seen(c->axis[3] = SCR_ALONG);
    assert_damage_is_seen(c->target[1] = NAN);
    scr_world_destroy(s.world);
}

// Each allocation of a call fails once: the world is as it was, and later the call does what it would have done.
static void nothing_is_left_of_calls_without_memory(void **state)
{
    (void)state;
    const double pairs[] = {0.0, 0.0, 1.0, 1.0};
    int64_t failures = 0;
    setting s = make_setting();
    scr_joint_def hinge = scr_joint_at(SCR_JOINT_REVOLUTE, s.box[0], s.box[1], ORIGIN, X_AXIS);
    scr_spring_def compliance = spring_between(s.box[0], s.box[1], ORIGIN, X_AXIS);
    scr_joint joint;
    scr_spring spring;
    compliance.stiffness = 0.0;
    compliance.table = pairs;
    compliance.table_count = 2;
    uint64_t hash = scr_world_hash(s.world);
    for (bool done = false; !done; failures += !done) {
        scr_fail_allocation_in(failures);
        done = scr_world_add_joint(s.world, &hinge, &joint, NULL) == SCR_OK;
        scr_fail_allocation_in(-1);
        assert_true(done || (scr_world_hash(s.world) == hash && joint.index1 == 0));
    }
    assert_true(failures > 5);
    hash = scr_world_hash(s.world);
    failures = 0;
    for (bool done = false; !done; failures += !done) {
        scr_fail_allocation_in(failures);
        done = scr_world_add_spring(s.world, &compliance, &spring, NULL) == SCR_OK;
        scr_fail_allocation_in(-1);
        assert_true(done || (scr_world_hash(s.world) == hash && spring.index1 == 0));
    }
    assert_true(failures > 5);
    scr_world_destroy(s.world);
}

// ---- how they are before any step ----

static scr_quat turn_about_z(double angle) { return (scr_quat){cos(0.5 * angle), 0.0, 0.0, sin(0.5 * angle)}; }

static void a_hinge_knows_its_angle_and_rate(void **state)
{
    (void)state;
    setting s = make_setting();
    scr_joint_def def = scr_default_joint_def();
    scr_quat base = random_rotation(3);
    def.kind = SCR_JOINT_REVOLUTE;
    def.a = s.box[0];
    def.b = s.box[1];
    def.frame_a = (scr_frame){vec3(0.5, 0.4, 2.1), base};
    def.frame_b = (scr_frame){vec3(0.5, 0.4, 2.1), quat_mul(base, turn_about_z(2.5))};
    def.frame_a.rotation = (scr_quat){7.0 * base.w, 7.0 * base.x, 7.0 * base.y, 7.0 * base.z};  // any length will do
    scr_joint hinge = add_joint(s.world, &def);
    scr_joint_state now = joint_state(s.world, hinge);
    assert_near(now.about, 2.5, 1e-14);
    assert_within(now.gap, 0.0, 1e-15);
    assert_within(now.tilt, 0.0, 1e-15);
    assert_within3(now.frame_a.position, def.frame_a.position, 1e-15);
    assert_within3(now.frame_b.position, def.frame_b.position, 1e-15);
    assert_within3(quat_rotate(now.frame_b.rotation, X_AXIS), quat_rotate(def.frame_b.rotation, X_AXIS), 1e-14);
    assert_false(now.is_broken);
    scr_spring_def angular_impulse = scr_default_spring_def();
    angular_impulse.joint = hinge;
    scr_spring spring = add_spring(s.world, &angular_impulse);
    def.a = GROUND;
    assert_near(joint_state(s.world, add_joint(s.world, &def)).about, 2.5, 1e-14);
    // Turn b on about the axis, through half a turn, with a spin.
    scr_body_state b;
    scr_vec3 axis = quat_rotate(base, Z_AXIS), pin = def.frame_b.position;
    assert_ok(scr_body_get_state(s.world, s.box[1], &b, &error));
    scr_quat on = {cos(0.5), sin(0.5) * axis.x, sin(0.5) * axis.y, sin(0.5) * axis.z};  // by 1 rad
    b.position = vec3_add(pin, quat_rotate(on, vec3_sub(b.position, pin)));
    b.rotation = quat_mul(on, b.rotation);
    b.spin = vec3_scale(4.0, axis);
    b.velocity = vec3_cross(b.spin, vec3_sub(b.position, pin));
    s.world->mechanisms.is_changed = false;
    assert_ok(scr_body_set_state(s.world, s.box[1], &b, &error));
    assert_true(s.world->mechanisms.is_changed);
    now = joint_state(s.world, hinge);
    assert_near(now.about, 3.5, 1e-14);
    assert_near(now.about_rate, 4.0, 1e-14);
    assert_within(now.gap, 0.0, 1e-15);
    assert_near(now.along, 0.0, 0.0);
    scr_spring_state twisted;
    assert_ok(scr_spring_get_state(s.world, spring, &twisted, &error));
    assert_near(twisted.length, 3.5, 1e-14);
    assert_near(twisted.rate, 4.0, 1e-14);
    scr_world_destroy(s.world);
}

static void gaps_and_tilts_are_measured(void **state)
{
    (void)state;
    setting s = make_setting();
    scr_joint_def def = scr_joint_at(SCR_JOINT_PRISMATIC, GROUND, s.box[0], vec3(0.2, 0.3, 0.4), vec3(0.0, 0.0, -2.0));
    assert_within3(quat_rotate(def.frame_a.rotation, Z_AXIS), vec3(0.0, 0.0, -1.0), 1e-15);
    def.frame_b.position = vec3(0.203, 0.304, 0.15);  // 5 mm aside, 25 cm along
    def.frame_b.rotation = quat_mul(turn_about_z(0.125), def.frame_b.rotation);
    scr_joint_state now = joint_state(s.world, add_joint(s.world, &def));
    assert_near(now.gap, 0.005, 1e-12);
    assert_near(now.tilt, 0.125, 1e-12);
    assert_near(now.along, 0.25, 1e-14);
    for (int k = 0; k < 40; ++k) {  // any axis
        scr_vec3 axis = quat_rotate(random_rotation((uint64_t)k), vec3(0.0, 0.0, 1.0 + k));
        def = scr_joint_at(SCR_JOINT_FIXED, GROUND, s.box[0], ORIGIN, axis);
        assert_within3(vec3_scale(1.0 + k, quat_rotate(def.frame_b.rotation, Z_AXIS)), axis, 1e-13);
    }
    scr_world_destroy(s.world);
}

static void rods_springs_and_gears_know_their_lengths(void **state)
{
    (void)state;
    setting s = make_setting();
    scr_joint_def rod = scr_joint_at(SCR_JOINT_DISTANCE, s.box[0], s.box[1], ORIGIN, Z_AXIS);
    rod.frame_b.position = vec3(2.0, 3.0, 6.0);
    scr_joint_state now = joint_state(s.world, add_joint(s.world, &rod));
    assert_near(now.along, 7.0, 1e-15);
    assert_within(now.gap, 0.0, 1e-14);
    rod.length = 6.5;
    assert_near(joint_state(s.world, add_joint(s.world, &rod)).gap, 0.5, 1e-14);

    scr_body_state b;
    assert_ok(scr_body_get_state(s.world, s.box[2], &b, &error));
    b.velocity = vec3(5.0, 10.0, 1.0);
    assert_ok(scr_body_set_state(s.world, s.box[2], &b, &error));
    scr_spring_def def = spring_between(GROUND, s.box[2], ORIGIN, vec3(0.3, 0.4, 0.0));
    scr_spring spring = add_spring(s.world, &def);
    scr_spring_state stretched;
    assert_ok(scr_spring_get_state(s.world, spring, &stretched, &error));
    assert_near(stretched.length, 0.5, 1e-14);
    assert_near(stretched.rate, 0.6 * 5.0 + 0.8 * 10.0, 1e-14);
    assert_near(s.world->mechanisms.springs.rest[0], 0.5, 1e-14);

    scr_joint slide = join(&s, SCR_JOINT_PRISMATIC, s.box[0], s.box[1]),
              turn = join(&s, SCR_JOINT_REVOLUTE, GROUND, s.box[2]);
    scr_coupling rack = couple(s.world, slide, turn, 0.1);
    scr_coupling_state coupled;
    assert_ok(scr_coupling_get_state(s.world, rack, &coupled, &error));
    assert_within(coupled.error, 0.0, 1e-15);
    b.rotation = quat_mul((scr_quat){cos(0.15), 0.0, sin(0.15), 0.0}, b.rotation);  // 0.3 rad about y
    assert_ok(scr_body_set_state(s.world, s.box[2], &b, &error));
    assert_ok(scr_coupling_get_state(s.world, rack, &coupled, &error));
    assert_near(coupled.error, 0.03, 1e-13);
    scr_world_destroy(s.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_joints_are_refused),
        cmocka_unit_test(wrong_motors_are_refused),
        cmocka_unit_test(wrong_springs_are_refused),
        cmocka_unit_test(wrong_couplings_are_refused),
        cmocka_unit_test(a_joint_takes_its_springs_and_couplings_along),
        cmocka_unit_test(a_body_takes_its_joints_and_springs_along),
        cmocka_unit_test(springs_keep_their_tables),
        cmocka_unit_test(a_saved_world_keeps_its_joints),
        cmocka_unit_test(damaged_states_are_refused),
        cmocka_unit_test(nothing_is_left_of_calls_without_memory),
        cmocka_unit_test(a_hinge_knows_its_angle_and_rate),
        cmocka_unit_test(gaps_and_tilts_are_measured),
        cmocka_unit_test(rods_springs_and_gears_know_their_lengths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
