// SPDX-License-Identifier: BSD-3-Clause
// What joints, springs and couplings may be, whether a user says it or a saved state does.
#ifndef DYNAMICS_JOINTS_JOINT_CHECKS_H
#define DYNAMICS_JOINTS_JOINT_CHECKS_H

#include "core/base/status.h"
#include "scree/joint.h"

const char *joint_kind_name(scr_joint_kind kind);

// The numbers of a definition; bodies and joints that it names are the caller's to check.
scr_status check_joint_def(const scr_joint_def *def, scr_error *error);
scr_status check_motor_def(scr_joint_kind kind, const scr_motor_def *def, scr_error *error);
scr_status check_spring_def(const scr_spring_def *def, scr_error *error);
scr_status check_coupling_def(const scr_coupling_def *def, scr_error *error);
// What has a motion along or about an axis, as motors, springs and couplings need it.
scr_status check_axis(scr_joint_kind kind, scr_axis axis, scr_error *error);

#endif
