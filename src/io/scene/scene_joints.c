// SPDX-License-Identifier: BSD-3-Clause
// Joints and actuators: what holds bodies together, and motors in them.
#include <math.h>
#include <stddef.h>

#include "io/scene/scene_sections.h"

_Static_assert(offsetof(scene_joint, name) == 0, "the name is in front, as in all lists");

static const char *const KINDS[] = {
    [SCR_JOINT_FIXED] = "fixed",
    [SCR_JOINT_SPHERICAL] = "spherical",
    [SCR_JOINT_REVOLUTE] = "revolute",
    [SCR_JOINT_PRISMATIC] = "prismatic",
    [SCR_JOINT_CYLINDRICAL] = "cylindrical",
    [SCR_JOINT_UNIVERSAL] = "universal",
    [SCR_JOINT_PLANAR] = "planar",
    [SCR_JOINT_POINT_ON_LINE] = "point_on_line",
    [SCR_JOINT_DISTANCE] = "distance",
    [SCR_JOINT_BUSHING] = "bushing",
    [SCR_JOINT_POINT_ON_PLANE] = "point_on_plane",
};
enum { KIND_COUNT = sizeof KINDS / sizeof *KINDS };

// Sets of kinds, as bits.
enum {
    FIXED = 1 << SCR_JOINT_FIXED,
    SPHERICAL = 1 << SCR_JOINT_SPHERICAL,
    REVOLUTE = 1 << SCR_JOINT_REVOLUTE,
    PRISMATIC = 1 << SCR_JOINT_PRISMATIC,
    CYLINDRICAL = 1 << SCR_JOINT_CYLINDRICAL,
    UNIVERSAL = 1 << SCR_JOINT_UNIVERSAL,
    PLANAR = 1 << SCR_JOINT_PLANAR,
    POINT_ON_LINE = 1 << SCR_JOINT_POINT_ON_LINE,
    DISTANCE = 1 << SCR_JOINT_DISTANCE,
    BUSHING = 1 << SCR_JOINT_BUSHING,
    POINT_ON_PLANE = 1 << SCR_JOINT_POINT_ON_PLANE,
    ALL = (1 << KIND_COUNT) - 1,
    SLIDING = PRISMATIC | CYLINDRICAL | DISTANCE,
    ROTATING = REVOLUTE | CYLINDRICAL | PLANAR,
    // that need an axis
    AXIAL = REVOLUTE | PRISMATIC | CYLINDRICAL | UNIVERSAL | PLANAR | POINT_ON_LINE | POINT_ON_PLANE,
};

// Which joints may say what.
static const struct joint_key {
    const char *key;
    int kinds;
} KEYS[] = {
    {"at", ALL & ~DISTANCE},
    {"points", DISTANCE},
    {"at_a", ALL},
    {"at_b", ALL},
    {"axis", ALL & ~DISTANCE},
    {"axis_a", ALL & ~DISTANCE},
    {"axis_b", ALL & ~DISTANCE},
    {"x_axis", ALL & ~DISTANCE},
    {"x_axis_a", ALL & ~DISTANCE},
    {"x_axis_b", ALL & ~DISTANCE},
    {"length", DISTANCE},
    {"lower", SLIDING | ROTATING},
    {"upper", SLIDING | ROTATING},
    {"restitution", SLIDING | ROTATING},
    {"friction", REVOLUTE | PRISMATIC},
    {"friction_radius", REVOLUTE},
    {"friction_force", SLIDING},
    {"friction_torque", REVOLUTE | PLANAR},
    {"stiffness", BUSHING},
    {"damping", BUSHING},
    {"rotational_stiffness", BUSHING},
    {"rotational_damping", BUSHING},
    {"motor", SLIDING | ROTATING},
};

static const number_range FRICTION = {0.0, 1e3, false, false};

bool joint_slides(scr_joint_kind kind) { return (1 << kind & SLIDING) != 0; }
bool joint_rotates(scr_joint_kind kind) { return (1 << kind & ROTATING) != 0; }

int read_moving_joint(scene_reading *reading, json_cursor *at, scr_axis axis)
{
    int joint = find_name(at, &reading->joints, cursor_value_text(at));
    if (!cursor_is_ok(at)) return 0;
    scr_joint_kind kind = reading->scene->joints[joint].def.kind;
    if (axis == SCR_ALONG && !joint_slides(kind)) cursor_fail(at, "a %s joint does not slide", KINDS[kind]);
    if (axis == SCR_ABOUT && !joint_rotates(kind)) cursor_fail(at, "a %s joint does not turn", KINDS[kind]);
    return joint;
}

static void refuse_keys_of_others(json_cursor *at, scr_joint_kind kind)
{
    for (size_t i = 0; i < sizeof KEYS / sizeof *KEYS; ++i) {
        json_cursor member = cursor_member(at, KEYS[i].key);
        if (member.value != NULL && (1 << kind & KEYS[i].kinds) == 0)
            cursor_fail_at_key(&member, "a %s joint has no \"%s\"", KINDS[kind], KEYS[i].key);
    }
}

static void read_limits(json_cursor *at, scr_joint_def *def)
{
    def->lower = cursor_number_or_null(at, "lower", -INFINITY, RANGE_ANY);
    def->upper = cursor_number_or_null(at, "upper", INFINITY, RANGE_ANY);
    def->restitution = cursor_number(at, "restitution", 0.0, RANGE_SHARE);
    if (!cursor_is_ok(at) || def->lower <= def->upper) return;
    json_cursor upper = cursor_member(at, "upper");
    cursor_fail(&upper, "\"upper\" must not be below \"lower\": %g is below %g", def->upper, def->lower);
}

// Of the usual motion: of what slides and turns it is the sliding.
static void read_friction(json_cursor *at, scr_joint_def *def)
{
    const char *dry = joint_slides(def->kind) ? "friction_force" : "friction_torque";
    def->friction_force = cursor_number(at, dry, 0.0, RANGE_NOT_NEGATIVE);
    if ((1 << def->kind & (REVOLUTE | PRISMATIC)) == 0) return;
    def->friction = cursor_number(at, "friction", 0.0, FRICTION);
    if (def->kind == SCR_JOINT_PRISMATIC) return;
    def->friction_radius = cursor_number(at, "friction_radius", 0.0, RANGE_NOT_NEGATIVE);
    if (cursor_is_ok(at) && def->friction > 0.0 && def->friction_radius == 0.0)
        cursor_fail_missing(at, "friction_radius", "the pin's radius, where friction acts");
}

static void read_breaking(json_cursor *at, scr_joint_def *def)
{
    def->break_force = cursor_number_or_null(at, "break_force", 0.0, RANGE_POSITIVE);
    def->break_torque = cursor_number_or_null(at, "break_torque", 0.0, RANGE_POSITIVE);
}

static void read_components(json_cursor *at, const char *key, double component[3])
{
    static const scr_vec3 none = {0.0, 0.0, 0.0};
    scr_vec3 v = cursor_vector(at, key, &none, RANGE_NOT_NEGATIVE);
    component[0] = v.x, component[1] = v.y, component[2] = v.z;
}

static void read_bushing(json_cursor *at, scr_joint_def *def)
{
    cursor_refuse_old_key(at, "turn_stiffness", "rotational_stiffness");
    cursor_refuse_old_key(at, "turn_damping", "rotational_damping");
    if (!cursor_has(at, "stiffness")) cursor_fail_missing(at, "stiffness", "three numbers in N/m");
    read_components(at, "stiffness", def->stiffness);
    read_components(at, "damping", def->damping);
    read_components(at, "rotational_stiffness", def->stiffness + 3);
    read_components(at, "rotational_damping", def->damping + 3);
}

// What a motor says, how it drives, and along which motion.
typedef struct motor_word {
    const char *key;
    scr_drive drive;
    scr_axis axis;
} motor_word;

static void read_drive(json_cursor *at, const motor_word *word, scene_joint *joint)
{
    joint->has_motor = true;
    joint->motor = scr_default_motor_def();
    joint->motor.axis = word->axis;
    joint->motor.drive = word->drive;
    joint->drive = read_time_function(at, word->key);
    const char *limit = word->axis == SCR_ALONG ? "max_force" : "max_torque";
    if (word->drive != SCR_DRIVE_FORCE) {
        joint->motor.max_force = cursor_number_or_null(at, limit, INFINITY, RANGE_POSITIVE);
    } else if (cursor_has(at, limit)) {
        json_cursor member = cursor_member(at, limit);
        cursor_fail_at_key(&member, "a motor of given %s has no \"%s\"", word->key, limit);
    }
}

static void read_motor(json_cursor *joint_at, scene_joint *joint)
{
    static const motor_word words[] = {
        {"position", SCR_DRIVE_POSITION, SCR_ALONG}, {"speed", SCR_DRIVE_SPEED, SCR_ALONG},
        {"force", SCR_DRIVE_FORCE, SCR_ALONG},       {"angle", SCR_DRIVE_POSITION, SCR_ABOUT},
        {"spin", SCR_DRIVE_SPEED, SCR_ABOUT},        {"torque", SCR_DRIVE_FORCE, SCR_ABOUT}};
    static const char *const keys[] = {"position", "speed", "force", "angle", "spin", "torque"};
    if (!cursor_has(joint_at, "motor")) {
        json_cursor absent = cursor_member(joint_at, "motor");
        if (absent.value == NULL) cursor_store(&absent, json_null());
        return;
    }
    json_cursor at = cursor_object(joint_at, "motor");
    const char *given = read_only_key(&at, keys, 6, "motor");
    bool slides = joint_slides(joint->def.kind), rotates = joint_rotates(joint->def.kind);
    for (int i = 0; i < 6 && given != NULL; ++i) {
        if (given != keys[i]) continue;
        if (words[i].axis == SCR_ALONG ? slides : rotates) {
            read_drive(&at, &words[i], joint);
        } else {
            json_cursor member = cursor_member(&at, given);
            cursor_fail_at_key(&member, "a %s joint does not %s: its motor has %s", KINDS[joint->def.kind],
                               slides ? "turn" : "slide",
                               slides ? "position, speed or force" : "angle, spin or torque");
        }
    }
    cursor_close(&at);
    if (given == NULL)
        cursor_fail(&at, "\"motor\" must have %s%s%s", slides ? "position, speed or force" : "",
                    slides && rotates ? ", or " : "", rotates ? "angle, spin or torque" : "");
}

static void read_joint(scene_reading *reading, json_cursor *at, scene_joint *joint)
{
    scr_joint_def *def = &joint->def;
    joint->location = cursor_location(at);
    *def = scr_default_joint_def();
    def->kind = (scr_joint_kind)cursor_choice(at, "kind", KINDS, KIND_COUNT, -1);
    refuse_keys_of_others(at, def->kind);
    read_body_pair(reading, at, joint->end);
    read_anchors(at, joint->end, def->kind == SCR_JOINT_DISTANCE);
    if (def->kind != SCR_JOINT_DISTANCE) read_axes(at, joint->end, (1 << def->kind & AXIAL) != 0);
    if (def->kind == SCR_JOINT_DISTANCE) def->length = cursor_number_or_null(at, "length", 0.0, RANGE_LENGTH);
    if (joint_slides(def->kind) || joint_rotates(def->kind)) {
        read_limits(at, def);
        read_friction(at, def);
        read_motor(at, joint);
    }
    if (def->kind == SCR_JOINT_BUSHING) read_bushing(at, def);
    def->collide = cursor_flag(at, "collide", false);
    read_breaking(at, def);
    cursor_close(at);
}

static void read_actuator(scene_reading *reading, json_cursor *at, scene_joint *joint)
{
    static const motor_word words[] = {{"length", SCR_DRIVE_POSITION, SCR_ALONG},
                                       {"speed", SCR_DRIVE_SPEED, SCR_ALONG},
                                       {"force", SCR_DRIVE_FORCE, SCR_ALONG}};
    static const char *const keys[] = {"length", "speed", "force"};
    joint->location = cursor_location(at);
    joint->is_actuator = true;
    joint->def = scr_default_joint_def();
    joint->def.kind = SCR_JOINT_DISTANCE;
    const char *given = read_only_key(at, keys, 3, "actuator");
    read_body_pair(reading, at, joint->end);
    read_anchors(at, joint->end, true);
    for (int i = 0; i < 3; ++i) {
        if (given == keys[i]) read_drive(at, &words[i], joint);
    }
    if (given == NULL) cursor_fail(at, "an actuator must have length, speed or force");
    read_limits(at, &joint->def);
    joint->def.collide = cursor_flag(at, "collide", false);
    joint->def.break_force = cursor_number_or_null(at, "break_force", 0.0, RANGE_POSITIVE);
    cursor_close(at);
}

void read_joints(scene_reading *reading, json_cursor *root)
{
    scene *s = reading->scene;
    json_cursor joints = cursor_list(root, "joints"), actuators = cursor_list(root, "actuators");
    size_t count = joints.count + actuators.count;
    s->joints = cursor_new_array(root, count, sizeof *s->joints, "joints");
    for (size_t i = 0; i < count && cursor_is_ok(root); ++i) {
        bool is_joint = i < joints.count;
        json_cursor at = is_joint ? cursor_object_entry(&joints, i) : cursor_object_entry(&actuators, i - joints.count);
        s->joint_count = (int)i + 1;
        read_name(&at, &reading->joints, (int)i, false, s->joints[i].name);
        if (is_joint) read_joint(reading, &at, &s->joints[i]);
        else read_actuator(reading, &at, &s->joints[i]);
    }
}
