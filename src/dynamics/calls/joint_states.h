// SPDX-License-Identifier: BSD-3-Clause
// The motions of joints, springs and couplings where their bodies are now.
#ifndef DYNAMICS_CALLS_JOINT_STATES_H
#define DYNAMICS_CALLS_JOINT_STATES_H

#include "dynamics/joints/joints.h"

double motion_of_joint(const scr_world *world, int64_t joint, scr_axis axis);  // m or rad, counted on over turns
double spring_length(const scr_world *world, int64_t spring);                  // m or rad
double coupled_motion(const scr_world *world, int64_t coupling);               // the sum of ratio x motion

#endif
