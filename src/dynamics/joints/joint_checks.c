// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/joints/joint_checks.h"

#include <math.h>

#include "dynamics/joints/joints.h"

static const double UNIT_TOLERANCE = 1e-9;  // of the square of a stored rotation's length

const char *joint_kind_name(scr_joint_kind kind)
{
    static const char *const NAME[] = {"fixed",  "spherical",     "revolute", "prismatic", "cylindrical",   "universal",
                                       "planar", "point-on-line", "distance", "bushing",   "point-on-plane"};
    return NAME[kind];
}

// ---- numbers ----

static scr_status check_finite(const char *name, double value, scr_error *error)
{
    return isfinite(value) ? SCR_OK : scr_fail(error, SCR_BAD_INPUT, "%s must be a finite number, not %g", name, value);
}

static scr_status check_not_negative(const char *name, double value, scr_error *error)
{
    if (value < 0.0) return scr_fail(error, SCR_BAD_INPUT, "%s must not be negative, but is %g", name, value);
    return check_finite(name, value, error);
}

typedef struct named_number {
    const char *name;
    double value;
} named_number;

static scr_status check_none_negative(const named_number *number, size_t count, scr_error *error)
{
    scr_status status = SCR_OK;
    for (size_t k = 0; k < count && status == SCR_OK; ++k)
        status = check_not_negative(number[k].name, number[k].value, error);
    return status;
}

// Either may be missing: infinite.
static scr_status check_range(double lower, double upper, scr_error *error)
{
    if (isnan(lower) || isnan(upper)) return scr_fail(error, SCR_BAD_INPUT, "lower and upper must be numbers");
    if (lower > upper)
        return scr_fail(error, SCR_BAD_INPUT, "lower, %g, must not be more than upper, %g", lower, upper);
    if (lower == INFINITY || upper == -INFINITY) return scr_fail(error, SCR_BAD_INPUT, "lower and upper leave no room");
    return SCR_OK;
}

static scr_status check_frame(const char *name, const scr_frame *frame, scr_error *error)
{
    if (!vec3_is_finite(frame->position))
        return scr_fail(error, SCR_BAD_INPUT, "the position of %s is not a number", name);
    double norm2 = quat_norm2(frame->rotation);
    if (norm2 > 0.0 && isfinite(norm2)) return SCR_OK;
    return scr_fail(error, SCR_BAD_INPUT, "the rotation of %s is not a rotation: its length is %g", name, sqrt(norm2));
}

// ---- joints ----

static bool has_motion(scr_joint_kind kind) { return joint_has_axis(kind, joint_usual_axis(kind, SCR_AXIS_USUAL)); }

static scr_status check_limits(const scr_joint_def *def, scr_error *error)
{
    scr_status status = check_range(def->lower, def->upper, error);
    if (status != SCR_OK) return status;
    if (!has_motion(def->kind) && (isfinite(def->lower) || isfinite(def->upper)))
        return scr_fail(error, SCR_BAD_INPUT, "a %s joint has no motion that lower and upper could limit",
                        joint_kind_name(def->kind));
    if (!(def->restitution >= 0.0 && def->restitution <= 1.0))
        return scr_fail(error, SCR_BAD_INPUT, "restitution must lie between 0 and 1, but is %g", def->restitution);
    return SCR_OK;
}

static scr_status check_friction(const scr_joint_def *def, scr_error *error)
{
    if (def->friction > 0.0 && def->kind != SCR_JOINT_REVOLUTE && def->kind != SCR_JOINT_PRISMATIC)
        return scr_fail(error, SCR_BAD_INPUT, "a %s joint has no friction under load: revolute and prismatic ones have",
                        joint_kind_name(def->kind));
    if (def->friction > 0.0 && def->kind == SCR_JOINT_REVOLUTE && def->friction_radius == 0.0)
        return scr_fail(error, SCR_BAD_INPUT,
                        "friction of a revolute joint needs friction_radius, the radius of its pin");
    if (def->friction_force > 0.0 && !has_motion(def->kind))
        return scr_fail(error, SCR_BAD_INPUT, "a %s joint has no motion that friction_force could hold",
                        joint_kind_name(def->kind));
    return SCR_OK;
}

static scr_status check_own_numbers(const scr_joint_def *def, scr_error *error)
{
    scr_status status = SCR_OK;
    bool is_compliant = false;
    for (int k = 0; k < 6 && status == SCR_OK; ++k) {
        const named_number compliance[] = {{"stiffness", def->stiffness[k]}, {"damping", def->damping[k]}};
        status = check_none_negative(compliance, 2, error);
        is_compliant = is_compliant || def->stiffness[k] != 0.0 || def->damping[k] != 0.0;
    }
    if (status != SCR_OK) return status;
    if (is_compliant && def->kind != SCR_JOINT_BUSHING)
        return scr_fail(error, SCR_BAD_INPUT, "a %s joint has no stiffness or damping: a bushing has",
                        joint_kind_name(def->kind));
    if (def->length != 0.0 && def->kind != SCR_JOINT_DISTANCE)
        return scr_fail(error, SCR_BAD_INPUT, "a %s joint has no length: a distance joint has",
                        joint_kind_name(def->kind));
    return SCR_OK;
}

scr_status check_joint_def(const scr_joint_def *def, scr_error *error)
{
    if ((int)def->kind >= JOINT_KINDS)
        return scr_fail(error, SCR_BAD_INPUT, "there is no kind of joint %d", (int)def->kind);
    const named_number numbers[] = {
        {"length", def->length},
        {"friction", def->friction},
        {"friction_radius", def->friction_radius},
        {"friction_force", def->friction_force},
        {"break_force", def->break_force},
        {"break_torque", def->break_torque},
    };
    scr_status status = check_frame("frame_a", &def->frame_a, error);
    if (status == SCR_OK) status = check_frame("frame_b", &def->frame_b, error);
    if (status == SCR_OK) status = check_none_negative(numbers, sizeof numbers / sizeof *numbers, error);
    if (status == SCR_OK) status = check_limits(def, error);
    if (status == SCR_OK) status = check_friction(def, error);
    return status == SCR_OK ? check_own_numbers(def, error) : status;
}

scr_status check_axis(scr_joint_kind kind, scr_axis axis, scr_error *error)
{
    if (axis > SCR_ABOUT) return scr_fail(error, SCR_BAD_INPUT, "there is no axis %d", (int)axis);
    if (joint_has_axis(kind, joint_usual_axis(kind, axis))) return SCR_OK;
    return scr_fail(error, SCR_BAD_INPUT, "a %s joint has no motion %s its axis", joint_kind_name(kind),
                    axis == SCR_ALONG   ? "along"
                    : axis == SCR_ABOUT ? "about"
                                        : "along or about");
}

scr_status check_motor_def(scr_joint_kind kind, const scr_motor_def *def, scr_error *error)
{
    scr_status status = check_axis(kind, def->axis, error);
    if (status != SCR_OK) return status;
    if (def->drive > SCR_DRIVE_FORCE) return scr_fail(error, SCR_BAD_INPUT, "there is no drive %d", (int)def->drive);
    if (!(def->max_force > 0.0))
        return scr_fail(error, SCR_BAD_INPUT, "max_force must be positive, not %g", def->max_force);
    return def->value.at == NULL ? check_finite("the value of a motor", def->value.constant, error) : SCR_OK;
}

// ---- springs and couplings ----

static scr_status check_table(const scr_spring_def *def, scr_error *error)
{
    if (def->table_count == 0 && def->table == NULL) return SCR_OK;
    if (def->table_count < 2 || def->table == NULL)
        return scr_fail(error, SCR_BAD_INPUT, "a table of stretch and force needs two pairs at least");
    if (def->stiffness != 0.0)
        return scr_fail(error, SCR_BAD_INPUT, "a spring has either a stiffness or a table, not both");
    for (int k = 0; k < def->table_count; ++k) {
        if (!isfinite(def->table[2 * k]) || !isfinite(def->table[2 * k + 1]))
            return scr_fail(error, SCR_BAD_INPUT, "pair %d of the table is not made of finite numbers", k + 1);
        if (k > 0 && !(def->table[2 * k] > def->table[2 * k - 2]))
            return scr_fail(error, SCR_BAD_INPUT,
                            "the stretch of pair %d of the table, %g, must be more than that before it, %g", k + 1,
                            def->table[2 * k], def->table[2 * k - 2]);
    }
    return SCR_OK;
}

scr_status check_spring_def(const scr_spring_def *def, scr_error *error)
{
    const named_number numbers[] = {
        {"stiffness", def->stiffness},
        {"damping", def->damping},
        {"stop_stiffness", def->stop_stiffness},
        {"stop_damping", def->stop_damping},
    };
    scr_status status = check_none_negative(numbers, sizeof numbers / sizeof *numbers, error);
    if (status == SCR_OK) status = check_finite("preload", def->preload, error);
    if (status == SCR_OK && !isnan(def->rest)) status = check_finite("rest", def->rest, error);
    if (status == SCR_OK && def->joint.index1 == 0 && def->rest < 0.0)
        status = check_not_negative("rest", def->rest, error);
    if (status == SCR_OK) status = check_range(def->lower, def->upper, error);
    if (status == SCR_OK) status = check_table(def, error);
    if (status != SCR_OK) return status;
    if (!vec3_is_finite(def->point_a)) return scr_fail(error, SCR_BAD_INPUT, "point_a is not a number");
    if (!vec3_is_finite(def->point_b)) return scr_fail(error, SCR_BAD_INPUT, "point_b is not a number");
    if ((isfinite(def->lower) || isfinite(def->upper)) && def->stop_stiffness == 0.0)
        return scr_fail(error, SCR_BAD_INPUT, "stops at lower or upper need a stop_stiffness");
    return SCR_OK;
}

scr_status check_coupling_def(const scr_coupling_def *def, scr_error *error)
{
    if (def->count != 2 && def->count != 3)
        return scr_fail(error, SCR_BAD_INPUT, "a coupling joins 2 or 3 joints, not %d", def->count);
    for (int k = 0; k < def->count; ++k) {
        scr_status status = check_finite("ratio", def->ratio[k], error);
        if (status != SCR_OK) return status;
        if (def->ratio[k] == 0.0) return scr_fail(error, SCR_BAD_INPUT, "ratio must not be 0");
        for (int l = 0; l < k; ++l)
            if (def->joint[k].index1 == def->joint[l].index1)
                return scr_fail(error, SCR_BAD_INPUT,
                                "a coupling joins different joints, but two of them are the same");
    }
    return SCR_OK;
}

// ---- a saved state ----
// Everything in it might have been said by a user, and nothing is left from entries that are gone.

static bool body_is_fine(const bodies *b, scr_body body)
{
    return (body.index1 == 0 && body.generation == 0) || body_slot(b, body) >= 0;
}

// Two ends that are not the same, one of which can be moved.
static bool ends_are_fine(const bodies *b, scr_body a, scr_body other)
{
    int64_t i = body_slot(b, a), j = body_slot(b, other);
    if (!body_is_fine(b, a) || !body_is_fine(b, other) || i == j) return false;
    return (i >= 0 && b->inv_mass[i] > 0.0) || (j >= 0 && b->inv_mass[j] > 0.0);
}

static bool are_finite(const double *number, int count)
{
    bool finite = true;
    for (int k = 0; k < count; ++k) finite = finite && isfinite(number[k]);
    return finite;
}

static bool is_unit(scr_quat q) { return fabs(quat_norm2(q) - 1.0) <= UNIT_TOLERANCE; }

static scr_joint_def stored_joint(const joints *j, int64_t i)
{
    pose a = pose_load(j->frame_a + POSE_WIDTH * i), b = pose_load(j->frame_b + POSE_WIDTH * i);
    scr_joint_def def = {
        .kind = (scr_joint_kind)j->kind[i],
        .frame_a = {a.position, a.rotation},
        .frame_b = {b.position, b.rotation},
        .length = j->length[i],
        .lower = j->lower[i],
        .upper = j->upper[i],
        .restitution = j->restitution[i],
        .friction = j->friction[i],
        .friction_radius = j->friction_radius[i],
        .friction_force = j->friction_force[i],
        .break_force = j->break_force[i],
        .break_torque = j->break_torque[i],
    };
    for (int k = 0; k < 6; ++k) def.stiffness[k] = j->stiffness[6 * i + k], def.damping[k] = j->damping[6 * i + k];
    return def;
}

static bool motor_is_fine(const joints *j, int64_t i)
{
    if (!joint_has_motor(j, i)) return true;
    scr_motor_def def = {
        (scr_axis)j->motor_axis[i], joint_drive(j, i), {.constant = j->motor_constant[i]}, j->max_force[i]};
    return def.axis != SCR_AXIS_USUAL && check_motor_def((scr_joint_kind)j->kind[i], &def, NULL) == SCR_OK;
}

static bool joint_is_fine(const joints *j, int64_t i, const bodies *b)
{
    scr_joint_def def = stored_joint(j, i);
    if (check_joint_def(&def, NULL) != SCR_OK || !is_unit(def.frame_a.rotation) || !is_unit(def.frame_b.rotation))
        return false;
    if (def.kind == SCR_JOINT_DISTANCE && def.length == 0.0) return false;
    if (!ends_are_fine(b, j->a[i], j->b[i]) || !motor_is_fine(j, i)) return false;
    const double moving[] = {j->along[i], j->about[i], j->motor_force[i], j->motor_power[i], j->load[i]};
    if (!are_finite(moving, 5) || !are_finite(j->force + 3 * i, 3) || !are_finite(j->torque + 3 * i, 3)) return false;
    return j->collide[i] <= 1 && j->is_pressed[i] <= 3 && j->is_broken[i] <= 1;
}

static bool axis_is_fine(const joints *j, scr_joint joint, uint8_t axis)
{
    int64_t i = joint_slot(j, joint);
    return i >= 0 && axis != SCR_AXIS_USUAL && check_axis((scr_joint_kind)j->kind[i], (scr_axis)axis, NULL) == SCR_OK;
}

static bool spring_is_fine(const springs *s, int64_t i, const joints *j, const bodies *b)
{
    int64_t first = s->first_pair[i], count = s->pair_count[i];
    if (first < 0 || count < 0 || first > s->pair_table.count - count) return false;
    const double *pa = s->point_a + 3 * i, *pb = s->point_b + 3 * i;
    scr_spring_def def = {
        .joint = s->joint[i],
        .point_a = vec3(pa[0], pa[1], pa[2]),
        .point_b = vec3(pb[0], pb[1], pb[2]),
        .rest = s->rest[i],
        .stiffness = s->stiffness[i],
        .damping = s->damping[i],
        .preload = s->preload[i],
        .table = count > 0 ? s->pairs + 2 * first : NULL,
        .table_count = (int)count,
        .lower = s->lower[i],
        .upper = s->upper[i],
        .stop_stiffness = s->stop_stiffness[i],
        .stop_damping = s->stop_damping[i],
    };
    if (check_spring_def(&def, NULL) != SCR_OK || !isfinite(s->rest[i]) || !isfinite(s->force[i])) return false;
    if (def.joint.index1 == 0) return ends_are_fine(b, s->a[i], s->b[i]);
    return axis_is_fine(j, def.joint, s->axis[i]) && s->a[i].index1 == 0 && s->b[i].index1 == 0;
}

static bool coupling_is_fine(const couplings *c, int64_t i, const joints *j)
{
    scr_coupling_def def = {.count = c->count[i]};
    for (int k = 0; k < 3; ++k) def.joint[k] = c->joint[3 * i + k], def.ratio[k] = c->ratio[3 * i + k];
    if (check_coupling_def(&def, NULL) != SCR_OK || !isfinite(c->target[i]) || !isfinite(c->force[i])) return false;
    for (int k = 0; k < def.count; ++k)
        if (!axis_is_fine(j, def.joint[k], c->axis[3 * i + k])) return false;
    return true;
}

// Tables of springs follow each other without a gap, in any order.
static bool pairs_are_fine(const springs *s)
{
    int64_t at = 0, sum = 0;
    for (int64_t i = 0; i < s->table.count; ++i) sum += s->pair_count[i];
    while (at < sum) {
        int64_t i = 0;
        while (i < s->table.count && (s->pair_count[i] == 0 || s->first_pair[i] != at)) ++i;
        if (i == s->table.count) return false;
        at += s->pair_count[i];
    }
    return sum == s->pair_table.count;
}

bool joints_are_valid(const joints *j, const springs *s, const couplings *c, const bodies *b)
{
    for (int64_t i = 0; i < j->table.count; ++i)
        if (joint_is_alive(j, i) ? !joint_is_fine(j, i, b) : j->a[i].index1 != 0 || j->b[i].index1 != 0) return false;
    for (int64_t i = 0; i < s->table.count; ++i) {
        bool is_alive = s->generation[i] % 2 == 1;
        if (is_alive ? !spring_is_fine(s, i, j, b)
                     : s->pair_count[i] != 0 || s->a[i].index1 != 0 || s->b[i].index1 != 0)
            return false;
    }
    for (int64_t i = 0; i < c->table.count; ++i)
        if (c->generation[i] % 2 == 1 ? !coupling_is_fine(c, i, j) : c->count[i] != 0) return false;
    return pairs_are_fine(s);
}
