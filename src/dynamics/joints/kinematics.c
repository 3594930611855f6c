// SPDX-License-Identifier: BSD-3-Clause
// Joints between frames a and b, with origins pa, pb and axes a_x ... b_z in the world; d = pb - pa.
//
//   held along k   phi = a_k . d                               a_k turns with a, so that a pushes at pb as b does, and
//                  a: -a_k, -(pb - xa) x a_k                   forces are equal and opposite in one place: no joint
//                  b:  a_k,  (pb - xb) x a_k                   makes momentum, closed or not
//   held about k   phi = b_i . a_j, the sine of an angle       x: -b_z . a_y    y: b_z . a_x    z: -b_y . a_x
//                  a: -(b_i x a_j), b: b_i x a_j               all ~ the small turn of b against a about a_k
//   distance       phi = |d| - length, along d / |d|
//   bushing        R_a^T d and u = log(R_a^T R_b);  u' = L^-1 R_a^T (w_b - w_a), L the left Jacobian of the rotations:
//                  L^-1 = 1 - 1/2 [u] + (1/|u|^2 - cot(|u|/2) / (2 |u|)) [u]^2
// Every kind but the last two is a choice of axes that are held.
#include "dynamics/joints/kinematics.h"

#include <assert.h>

#include "core/arrays/colouring.h"
#include "core/maths/trig.h"
#include "dynamics/joints/held_joints.h"

enum { X = 1, Y = 2, Z = 4 };

static const held_axes HELD[] = {
    [SCR_JOINT_FIXED] = {X | Y | Z, X | Y | Z},
    [SCR_JOINT_SPHERICAL] = {X | Y | Z, 0},
    [SCR_JOINT_REVOLUTE] = {X | Y | Z, X | Y},
    [SCR_JOINT_PRISMATIC] = {X | Y, X | Y | Z},
    [SCR_JOINT_CYLINDRICAL] = {X | Y, X | Y},
    [SCR_JOINT_UNIVERSAL] = {X | Y | Z, Z},
    [SCR_JOINT_PLANAR] = {Z, X | Y},
    [SCR_JOINT_POINT_ON_LINE] = {X | Y, 0},
    [SCR_JOINT_DISTANCE] = {0, 0},
    [SCR_JOINT_BUSHING] = {0, 0},
    [SCR_JOINT_POINT_ON_PLANE] = {Z, 0},
};

static const double TWO_PI = 0x1.921fb54442d18p+2;

// Both ends of a joint as they are in the world.
typedef struct ends {
    scr_vec3 a[3], b[3];        // axes
    scr_vec3 apart;             // d
    scr_vec3 reach_a, reach_b;  // from the centres of mass to pb
    scr_quat rotation_a, rotation_b;
} ends;

static inline pose frame_now(const joint_end *end, const pose *poses)
{
    return end->body == NO_BODY ? end->frame : pose_compose(poses[end->body], end->frame);
}

pose joint_frame_now(const joint_end *end, const pose *poses) { return frame_now(end, poses); }

scr_vec3 joint_axis_now(const joint_end *end, const pose *poses)
{
    scr_vec3 axis = quat_z(end->frame.rotation);
    return end->body == NO_BODY ? axis : quat_rotate(poses[end->body].rotation, axis);
}

static inline void axes_of(scr_quat rotation, scr_vec3 axis[3])
{
    mat3 r = mat3_from_quat(rotation);
    for (int k = 0; k < 3; ++k) axis[k] = vec3(r.m[0][k], r.m[1][k], r.m[2][k]);
}

static scr_vec3 centre_of(const joint_end *end, const pose *poses)
{
    return end->body == NO_BODY ? vec3(0.0, 0.0, 0.0) : poses[end->body].position;
}

static inline ends ends_now(const joint_geometry *joint, const pose *poses)
{
    pose a = frame_now(&joint->a, poses), b = frame_now(&joint->b, poses);
    ends e = {
        .apart = vec3_sub(b.position, a.position),
        .reach_a = vec3_sub(b.position, centre_of(&joint->a, poses)),
        .reach_b = vec3_sub(b.position, centre_of(&joint->b, poses)),
        .rotation_a = a.rotation,
        .rotation_b = b.rotation,
    };
    axes_of(a.rotation, e.a);
    axes_of(b.rotation, e.b);
    return e;
}

pose joint_seen(const joint_geometry *joint, const pose *poses)
{
    return pose_relative(frame_now(&joint->a, poses), frame_now(&joint->b, poses));
}

static void jacobians_begin(const joint_geometry *joint, joint_jacobian jacobian[2])
{
    jacobian[0].body = joint->a.body;
    jacobian[1].body = joint->b.body;
}

static void put_row(double row[6], double sign, scr_vec3 force, scr_vec3 torque)
{
    row[0] = sign * force.x;
    row[1] = sign * force.y;
    row[2] = sign * force.z;
    row[3] = sign * torque.x;
    row[4] = sign * torque.y;
    row[5] = sign * torque.z;
}

// A force along an axis that acts at pb.
static void put_force(const ends *e, scr_vec3 axis, int row, joint_jacobian jacobian[2])
{
    put_row(jacobian[0].row[row], -1.0, axis, vec3_cross(e->reach_a, axis));
    put_row(jacobian[1].row[row], 1.0, axis, vec3_cross(e->reach_b, axis));
}

static void put_torque(scr_vec3 axis, int row, joint_jacobian jacobian[2])
{
    const scr_vec3 none = {0.0, 0.0, 0.0};
    put_row(jacobian[0].row[row], -1.0, none, axis);
    put_row(jacobian[1].row[row], 1.0, none, axis);
}

held_axes joint_held_axes(scr_joint_kind kind) { return HELD[kind]; }

// One joint in all lanes.
static void held_rows(const joint_geometry *joint, const pose *poses, double phi[BLOCK_ROWS],
                      joint_jacobian jacobian[2])
{
    double gap[BLOCK_ROWS][HELD_LANES];
    pose unused;
    const joint_geometry *const lane[HELD_LANES] = {joint, joint, joint, joint};
    held_kernels_plain.gaps(HELD[joint->kind], lane, poses, gap);
    for (int row = 0; row < joint_row_count(joint->kind); ++row) phi[row] = gap[row][0];
    if (jacobian == NULL) return;
    joint_jacobian *const to[HELD_LANES] = {jacobian, jacobian, jacobian, jacobian};
    pose *const seen[HELD_LANES] = {&unused, &unused, &unused, &unused};
    held_kernels_plain.rows(HELD[joint->kind], lane, poses, to, seen);
}

int joint_rows(const joint_geometry *joint, const pose *poses, double phi[BLOCK_ROWS], joint_jacobian jacobian[2])
{
    if (jacobian != NULL) jacobians_begin(joint, jacobian);
    if (holds_axes(HELD[joint->kind])) {
        held_rows(joint, poses, phi, jacobian);
    } else if (jacobian == NULL) {
        phi[0] = vec3_norm(joint_seen(joint, poses).position) - joint->length;
    } else {
        ends e = ends_now(joint, poses);
        phi[0] = vec3_norm(e.apart) - joint->length;
        put_force(&e, vec3_unit(e.apart), 0, jacobian);
    }
    return joint_row_count(joint->kind);
}

static const uint8_t BITS[8] = {0, 1, 1, 2, 1, 2, 2, 3};

int joint_row_count(scr_joint_kind kind)
{
    return kind == SCR_JOINT_DISTANCE ? 1 : BITS[HELD[kind].along] + BITS[HELD[kind].about];
}

int joint_pushing_rows(scr_joint_kind kind)
{
    if (kind == SCR_JOINT_BUSHING) return 3;
    return kind == SCR_JOINT_DISTANCE ? 1 : BITS[HELD[kind].along];
}

// The rotation vector from a to b, in the axes of either, at most half a turn long; sine and cosine of half that angle.
static scr_vec3 rotation_between(const ends *e, double *half_sine, double *half_cosine)
{
    scr_quat q = quat_unit(quat_mul(quat_conj(e->rotation_a), e->rotation_b));
    if (q.w < 0.0) q = (scr_quat){-q.w, -q.x, -q.y, -q.z};
    scr_vec3 v = vec3(q.x, q.y, q.z);
    *half_sine = vec3_norm(v);
    *half_cosine = q.w;
    return *half_sine > 0.0 ? vec3_scale(2.0 * scr_atan2(*half_sine, q.w) / *half_sine, v) : v;
}

// Angle between two unit vectors, rad.
static double angle_between(scr_vec3 a, scr_vec3 b) { return scr_atan2(vec3_norm(vec3_cross(a, b)), vec3_dot(a, b)); }

static double tilt_of(scr_joint_kind kind, const ends *e)
{
    double sine, cosine;
    switch (HELD[kind].about) {
    case X | Y | Z: return vec3_norm(rotation_between(e, &sine, &cosine));
    case X | Y: return angle_between(e->a[2], e->b[2]);
    case Z: return fabs(scr_atan2(vec3_dot(e->a[0], e->b[1]), vec3_norm(vec3_cross(e->a[0], e->b[1]))));
    default: return 0.0;
    }
}

void joint_gap(const joint_geometry *joint, const pose *poses, double *gap, double *tilt)
{
    ends e = ends_now(joint, poses);
    scr_vec3 off = {0.0, 0.0, 0.0};
    for (int k = 0; k < 3; ++k) {
        if (HELD[joint->kind].along >> k & 1) off = vec3_add_scaled(off, vec3_dot(e.a[k], e.apart), e.a[k]);
    }
    *gap = joint->kind == SCR_JOINT_DISTANCE ? fabs(vec3_norm(e.apart) - joint->length) : vec3_norm(off);
    *tilt = tilt_of(joint->kind, &e);
}

// 1/u^2 - cot(u/2) / (2 u); by its series where the two terms almost cancel.
static double square_factor(double u, double half_sine, double half_cosine)
{
    double u2 = u * u;
    if (u < 0.1) return 1.0 / 12.0 + u2 * (1.0 / 720.0 + u2 * (1.0 / 30240.0 + u2 / 1209600.0));
    return 1.0 / u2 - half_cosine / (2.0 * u * half_sine);
}

void bushing_rows(const joint_geometry *joint, const pose *poses, double motion[6], joint_jacobian jacobian[2])
{
    ends e = ends_now(joint, poses);
    double half_sine, half_cosine;
    scr_vec3 u = rotation_between(&e, &half_sine, &half_cosine);
    double factor = square_factor(vec3_norm(u), half_sine, half_cosine);
    for (int k = 0; k < 3; ++k) motion[k] = vec3_dot(e.a[k], e.apart);
    motion[3] = u.x;
    motion[4] = u.y;
    motion[5] = u.z;
    if (jacobian == NULL) return;
    jacobians_begin(joint, jacobian);
    const scr_vec3 unit[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    for (int k = 0; k < 3; ++k) {
        put_force(&e, e.a[k], k, jacobian);
        // Row k of L^-1 is e_k + 1/2 u x e_k + factor u x (u x e_k): [u]^T e_k = -u x e_k.
        scr_vec3 across = vec3_cross(u, unit[k]);
        scr_vec3 row = vec3_add_scaled(vec3_add_scaled(unit[k], 0.5, across), factor, vec3_cross(u, across));
        put_torque(quat_rotate(e.rotation_a, row), 3 + k, jacobian);
    }
}

bool joint_has_axis(scr_joint_kind kind, scr_axis axis)
{
    switch (kind) {
    case SCR_JOINT_REVOLUTE:
    case SCR_JOINT_PLANAR: return axis == SCR_ABOUT;
    case SCR_JOINT_PRISMATIC:
    case SCR_JOINT_POINT_ON_LINE:
    case SCR_JOINT_DISTANCE: return axis == SCR_ALONG;
    case SCR_JOINT_CYLINDRICAL: return axis == SCR_ALONG || axis == SCR_ABOUT;
    default: return false;
    }
}

scr_axis joint_usual_axis(scr_joint_kind kind, scr_axis axis)
{
    if (axis != SCR_AXIS_USUAL) return axis;
    if (joint_has_axis(kind, SCR_ALONG)) return SCR_ALONG;
    return joint_has_axis(kind, SCR_ABOUT) ? SCR_ABOUT : SCR_AXIS_USUAL;
}

double joint_motion(const joint_geometry *joint, scr_axis axis, const pose *poses, double near)
{
    return joint_motion_seen(joint, axis, joint_seen(joint, poses), near);
}

double joint_motion_seen(const joint_geometry *joint, scr_axis axis, pose b, double near)
{
    assert(joint_has_axis(joint->kind, axis));
    if (joint->kind == SCR_JOINT_DISTANCE) return vec3_norm(b.position);
    if (axis == SCR_ALONG) return b.position.z;
    scr_quat q = b.rotation;
    double angle = scr_atan2(2.0 * (q.x * q.y + q.w * q.z), 1.0 - 2.0 * (q.y * q.y + q.z * q.z));
    if (fabs(near - angle) < 3.0) return angle;  // no more than half a turn, as almost always
    return angle + TWO_PI * round((near - angle) / TWO_PI);
}

// With s = b_x . a_y and c = b_x . a_x the angle changes by (c s' - s c') / (s^2 + c^2).
static scr_vec3 about_row(const ends *e)
{
    double s = vec3_dot(e->b[0], e->a[1]), c = vec3_dot(e->b[0], e->a[0]), size = s * s + c * c;
    if (size == 0.0) return e->a[2];  // b_x along a_z: no angle to speak of
    scr_vec3 across = vec3_sub(vec3_scale(c, e->a[1]), vec3_scale(s, e->a[0]));
    return vec3_scale(1.0 / size, vec3_cross(e->b[0], across));
}

void joint_motion_row(const joint_geometry *joint, scr_axis axis, const pose *poses, joint_jacobian jacobian[2])
{
    assert(joint_has_axis(joint->kind, axis));
    ends e = ends_now(joint, poses);
    jacobians_begin(joint, jacobian);
    if (joint->kind == SCR_JOINT_DISTANCE) put_force(&e, vec3_unit(e.apart), 0, jacobian);
    else if (axis == SCR_ALONG) put_force(&e, e.a[2], 0, jacobian);
    else put_torque(about_row(&e), 0, jacobian);
}

pose pose_moved(pose from, scr_vec3 shift, scr_vec3 rotation)
{
    double angle = vec3_norm(rotation), sine, cosine;
    scr_sincos(0.5 * angle, &sine, &cosine);
    scr_vec3 v = vec3_scale(angle > 0.0 ? sine / angle : 0.5, rotation);
    return (pose){vec3_add(from.position, shift),
                  quat_unit(quat_mul((scr_quat){cosine, v.x, v.y, v.z}, from.rotation))};
}
