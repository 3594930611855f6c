// SPDX-License-Identifier: BSD-3-Clause
// Assembly, one mechanism at a time: bodies moved as little as it takes to close all joints, then their velocities.
#ifndef DYNAMICS_MECHANISM_ASSEMBLY_H
#define DYNAMICS_MECHANISM_ASSEMBLY_H

#include "dynamics/mechanism/mechanism_inside.h"

// Room for the largest mechanism.
typedef struct assembly_work {
    double *rest;           // (row_count) m, rad: what is asked for less what is
    double *mobility;       // (row_count) 1/kg or the like: J M^-1 J^T of the row alone
    uint8_t *is_redundant;  // (row_count)
} assembly_work;

// What an element still lacks. size: of the mechanism, which makes lengths of angles.
typedef struct element_error {
    double gap, tilt;  // m, rad; of motors along or about an axis likewise, of couplings the gap is the sum's error
} element_error;
element_error element_error_at(const scr_world *world, const mechanism *m, const element *e, const pose *at);
static inline double error_size(element_error e, double size) { return fmax(e.gap, size * e.tilt); }

// Which rows are conditions: those of joints and couplings; and of what drives to a place; and of what drives at a
// speed.
typedef bool element_choice(const joints *j, const element *e);
element_choice holds_bodies, holds_position, holds_speed;

// From start.at to end.at, so that what is chosen is closed; the joints' motions in their table follow along.
void find_closed_poses(scr_world *world, mechanism *m, element_choice *holds, assembly_work work);
// With bodies at end.at: which rows are redundant, and the velocities nearest to m->velocity that joints and motors
// allow. Returns how much of their mismatch is left where speeds contradict each other, and whose row it is.
double find_fitting_velocities(const scr_world *world, mechanism *m, assembly_work work, int64_t *worst);

#endif
