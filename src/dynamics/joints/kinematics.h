// SPDX-License-Identifier: BSD-3-Clause
// Where joints are: how far from closed, how their conditions change as bodies move, and the motions they leave.
//
// All functions are pure: they take the poses of a mechanism's bodies and the joint's frames on them. For every row phi
// the Jacobians hold J with d phi/dt = J (v, w), exact for any pose, so that finite differences of phi give J.
#ifndef DYNAMICS_JOINTS_KINEMATICS_H
#define DYNAMICS_JOINTS_KINEMATICS_H

#include "core/maths/pose.h"
#include "dynamics/kkt/kkt.h"
#include "scree/joint.h"

// One end of a joint: a frame on a body, in the body's own axes. NO_BODY: the ground, in world axes.
typedef struct joint_end {
    int32_t body;
    pose frame;
} joint_end;

enum { JOINT_KINDS = SCR_JOINT_POINT_ON_PLANE + 1 };

typedef struct joint_geometry {
    scr_joint_kind kind;
    joint_end a, b;
    double length;  // m, distance
} joint_geometry;

// Which axes of frame a a joint holds frame b along, and about which ones: bits 0, 1, 2 for x, y, z. None where rows
// are not of that kind: distances and bushings.
typedef struct held_axes {
    uint8_t along, about;
} held_axes;
held_axes joint_held_axes(scr_joint_kind kind);
static inline bool holds_axes(held_axes held) { return (held.along | held.about) != 0; }

// poses: by number in the mechanism, movable or not
pose joint_frame_now(const joint_end *end, const pose *poses);
scr_vec3 joint_axis_now(const joint_end *end, const pose *poses);  // z of that frame

// The rigid rows of a joint (none for a bushing): their number. phi in m and as sines of angles. jacobian[0] is a's,
// jacobian[1] b's; NULL: only phi is wanted.
int joint_rows(const joint_geometry *joint, const pose *poses, double phi[BLOCK_ROWS], joint_jacobian jacobian[2]);
int joint_row_count(scr_joint_kind kind);
// the first ones, of bushings too: a force at the origin of b's frame; the others are torques
int joint_pushing_rows(scr_joint_kind kind);
// How far it is open: m between what should coincide, rad between what should be parallel. Sees frames turned by 180
// degrees.
void joint_gap(const joint_geometry *joint, const pose *poses, double *gap, double *tilt);
// The six motions of b's frame in a's axes that a bushing works against: 3 displacements (m), then the rotation vector
// (rad). jacobian may be NULL.
void bushing_rows(const joint_geometry *joint, const pose *poses, double motion[6], joint_jacobian jacobian[2]);

bool joint_has_axis(scr_joint_kind kind, scr_axis axis);
scr_axis joint_usual_axis(scr_joint_kind kind, scr_axis axis);  // resolves SCR_AXIS_USUAL where the kind has any
// The joint's motion along or about its axis: m, or rad on the turn nearest to `near`.
double joint_motion(const joint_geometry *joint, scr_axis axis, const pose *poses, double near);
pose joint_seen(const joint_geometry *joint, const pose *poses);  // frame b as frame a sees it
// the motion, by that
double joint_motion_seen(const joint_geometry *joint, scr_axis axis, pose b, double near);
void joint_motion_row(const joint_geometry *joint, scr_axis axis, const pose *poses,
                      joint_jacobian jacobian[2]);  // row 0

// The bodies' poses after turning and moving by a small motion (m and rad, world axes): for assembly and for tests.
pose pose_moved(pose from, scr_vec3 shift, scr_vec3 rotation);

#endif
