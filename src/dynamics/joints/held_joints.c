// SPDX-License-Identifier: BSD-3-Clause
// Compiled once for every instruction set: SCREE_ISA names it. Lane by lane IEEE operations: the same bits from all.
#include "dynamics/joints/held_joints.h"

#include "core/arrays/colouring.h"
#include "core/maths/lanes.h"

typedef struct real_pose {
    real3 position;
    real_quat rotation;
} real_pose;

static inline real_pose real_pose_compose(real_pose outer, real_pose inner)
{
    return (real_pose){real3_add(outer.position, real_quat_rotate(outer.rotation, inner.position)),
                       real_quat_mul(outer.rotation, inner.rotation)};
}
static inline real_pose real_pose_relative(real_pose from, real_pose p)
{
    real_quat back = real_quat_conj(from.rotation);
    return (real_pose){real_quat_rotate(back, real3_sub(p.position, from.position)), real_quat_mul(back, p.rotation)};
}

// x, y, z and then w, x, y, z of each: two overlapping loads
static inline real_pose gather_poses(const pose *const from[HELD_LANES])
{
    real p[4], q[4];
    for (int l = 0; l < HELD_LANES; ++l) {
        p[l] = real_load((const double *)from[l]);
        q[l] = real_load((const double *)from[l] + 3);
    }
    real_transpose(p);
    real_transpose(q);
    return (real_pose){{p[0], p[1], p[2]}, {q[0], q[1], q[2], q[3]}};
}

static inline void scatter_poses(pose *const to[HELD_LANES], real_pose from)
{
    real p[4] = {from.position.x, from.position.y, from.position.z, from.rotation.w};
    real q[4] = {from.rotation.w, from.rotation.x, from.rotation.y, from.rotation.z};
    real_transpose(p);
    real_transpose(q);
    for (int l = 0; l < HELD_LANES; ++l) {
        real_store((double *)to[l], p[l]);
        real_store((double *)to[l] + 3, q[l]);
    }
}

typedef struct real_ends {
    real_pose a, b;            // frames in the world
    real3 centre_a, centre_b;  // of mass
} real_ends;

static inline real_ends ends_of(const joint_geometry *const joint[HELD_LANES], const pose *poses)
{
    const pose *body_a[HELD_LANES], *body_b[HELD_LANES], *frame_a[HELD_LANES], *frame_b[HELD_LANES];
    for (int l = 0; l < HELD_LANES; ++l) {
        body_a[l] = joint[l]->a.body == NO_BODY ? &POSE_IDENTITY : &poses[joint[l]->a.body];
        body_b[l] = joint[l]->b.body == NO_BODY ? &POSE_IDENTITY : &poses[joint[l]->b.body];
        frame_a[l] = &joint[l]->a.frame;
        frame_b[l] = &joint[l]->b.frame;
    }
    real_pose a = gather_poses(body_a), b = gather_poses(body_b);
    return (real_ends){real_pose_compose(a, gather_poses(frame_a)), real_pose_compose(b, gather_poses(frame_b)),
                       a.position, b.position};
}

// ---- phi ----

// Frame b as frame a sees it is enough: with (w, x, y, z) the turn
//     b_z . a_y = 2 (y z - w x)    b_z . a_x = 2 (x z + w y)    b_y . a_x = 2 (x y - w z)    b_x . a_y = 2 (x y + w z)
static void gaps(held_axes held, const joint_geometry *const joint[HELD_LANES], const pose *poses,
                 double phi[BLOCK_ROWS][HELD_LANES])
{
    real_ends e = ends_of(joint, poses);
    real_pose b = real_pose_relative(e.a, e.b);
    real_quat q = b.rotation;
    const real two = real_set(2.0);
    const real along[3] = {b.position.x, b.position.y, b.position.z};
    const real about[3] = {two * (q.w * q.x - q.y * q.z), two * (q.w * q.y + q.x * q.z), two * (q.w * q.z - q.x * q.y)};
    int row = 0;
    for (int k = 0; k < 3; ++k)
        if (held.along >> k & 1) real_store(phi[row++], along[k]);
    for (int k = 0; k < 3; ++k)
        if (held.about >> k & 1) real_store(phi[row++], about[k]);
}

// ---- Jacobians ----

static inline void axes_of(real_quat q, real3 axis[3])
{
    const real one = real_set(1.0), two = real_set(2.0);
    real xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z, xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    real wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    axis[0] = (real3){one - two * (yy + zz), two * (xy + wz), two * (xz - wy)};
    axis[1] = (real3){two * (xy - wz), one - two * (xx + zz), two * (yz + wx)};
    axis[2] = (real3){two * (xz + wy), two * (yz - wx), one - two * (xx + yy)};
}

static inline void scatter_row(joint_jacobian *const jacobian[HELD_LANES], int side, int row, real3 force, real3 torque)
{
    real first[4] = {force.x, force.y, force.z, torque.x}, last[4] = {torque.y, torque.z, torque.y, torque.z};
    real_transpose(first);
    real_transpose(last);
    for (int l = 0; l < HELD_LANES; ++l) {
        double *to = jacobian[l][side].row[row];
        real_store(to, first[l]);
        memcpy(to + 4, &last[l], 2 * sizeof *to);
    }
}

// Which axes of b and a make the row that holds a turn about k, and with which sign.
typedef struct axis_pair {
    int of_b, of_a;
    double sign;
} axis_pair;
static const axis_pair ABOUT[3] = {{2, 1, -1.0}, {2, 0, 1.0}, {1, 0, -1.0}};

static void rows(held_axes held, const joint_geometry *const joint[HELD_LANES], const pose *poses,
                 joint_jacobian *const jacobian[HELD_LANES], pose *const seen[HELD_LANES])
{
    real_ends e = ends_of(joint, poses);
    scatter_poses(seen, real_pose_relative(e.a, e.b));
    real3 a[3], b[3], reach_a = real3_sub(e.b.position, e.centre_a), reach_b = real3_sub(e.b.position, e.centre_b);
    axes_of(e.a.rotation, a);
    axes_of(e.b.rotation, b);
    int row = 0;
    for (int k = 0; k < 3; ++k) {
        if (!(held.along >> k & 1)) continue;
        scatter_row(jacobian, 0, row, real3_neg(a[k]), real3_neg(real3_cross(reach_a, a[k])));
        scatter_row(jacobian, 1, row++, a[k], real3_cross(reach_b, a[k]));
    }
    const real3 none = {real_set(0.0), real_set(0.0), real_set(0.0)};
    for (int k = 0; k < 3; ++k) {
        if (!(held.about >> k & 1)) continue;
        real3 axis = real3_cross(real3_scale(real_set(ABOUT[k].sign), b[ABOUT[k].of_b]), a[ABOUT[k].of_a]);
        scatter_row(jacobian, 0, row, none, real3_neg(axis));
        scatter_row(jacobian, 1, row++, none, axis);
    }
}

// ---- reactions ----

// Three numbers of a row of each, from `first` on
static inline real3 gather_row(const held_impulses *of, int row, int first)
{
    real v[4];
    for (int l = 0; l < HELD_LANES; ++l) {  // with a fourth that is of the row's other half
        const double *from = of->on_b[l]->row[row] + first - (first > 0);
        v[l] = real_load(from);
    }
    real_transpose(v);
    return first > 0 ? (real3){v[1], v[2], v[3]} : (real3){v[0], v[1], v[2]};
}

static inline real gather_impulse(const held_impulses *of, int row)
{
    return (real){of->impulse[0][row], of->impulse[1][row], of->impulse[2][row], of->impulse[3][row]};
}

// Rows that hold something along an axis push, those that hold it about one turn. axis: those that push, by axis
static inline void add_pushes(held_axes held, const held_impulses *of, real3 *force, real3 *torque, real3 axis[3])
{
    int row = 0;
    for (int k = 0; k < 3; ++k) {
        if (!(held.along >> k & 1)) continue;
        axis[k] = gather_row(of, row, 0);
        *force = real3_add(*force, real3_scale(gather_impulse(of, row++), axis[k]));
    }
    for (int k = 0; k < 3; ++k) {
        if (!(held.about >> k & 1)) continue;
        *torque = real3_add(*torque, real3_scale(gather_impulse(of, row), gather_row(of, row, 3)));
        ++row;
    }
}

static void reactions(held_axes held, const held_impulses *of, bool is_end, held_reactions *sum)
{
    const real3 none = {real_set(0.0), real_set(0.0), real_set(0.0)};
    real3 force = real3_load(sum->force), torque = real3_load(sum->torque), axis[3] = {none, none, none};
    add_pushes(held, of, &force, &torque, axis);
    real3_store(sum->force, force);
    real3_store(sum->torque, torque);
    if (!is_end) return;
    // What does not hold along z holds along x and y.
    real3 z = held.along >> 2 & 1 ? axis[2] : real3_cross(axis[0], axis[1]), across = real3_across(force, z);
    real_store(sum->across, real_sqrt(real3_dot(across, across)));
}

const held_kernels KERNEL(held_kernels) = {gaps, rows, reactions};
