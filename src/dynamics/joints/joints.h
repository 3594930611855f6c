// SPDX-License-Identifier: BSD-3-Clause
// Joints, springs and couplings as the world keeps them: tables that are all of their state, and nothing derived but
// the functions that drive motors, which whoever restores a world sets again.
//
// An entry's place never changes; a handle is its index and the generation found there, odd while it is alive. Bodies
// are known by handle, since their own places change when they are sorted.
#ifndef DYNAMICS_JOINTS_JOINTS_H
#define DYNAMICS_JOINTS_JOINTS_H

#include "core/arrays/colouring.h"
#include "core/arrays/table.h"
#include "dynamics/bodies/bodies.h"
#include "dynamics/joints/kinematics.h"
#include "scree/joint.h"

typedef struct joints {
    table table;
    uint32_t *generation;
    uint8_t *kind;              // scr_joint_kind
    scr_body *a, *b;            // null: the ground
    double *frame_a, *frame_b;  // POSE_WIDTH each: on the body, in its own axes (centre of mass, principal axes)
    uint8_t *collide;
    double *length;  // m
    double *lower, *upper, *restitution;
    double *friction, *friction_radius, *friction_force;
    double *break_force, *break_torque;
    double *stiffness, *damping;  // 6 each
    uint8_t *motor;               // 0: none, else 1 + scr_drive
    uint8_t *motor_axis;          // SCR_ALONG or SCR_ABOUT
    double *motor_constant, *max_force;
    // What steps change
    double *along, *about;  // m, rad counted over turns
    // N, N m, 3 each, world axes: on b at the origin of its frame, mean over the last step
    double *force, *torque;
    double *motor_force;  // N or N m
    double *motor_power;  // W
    double *load;         // N: what friction goes by, of the last step
    uint8_t *is_pressed;  // bit 0: at the lower limit, bit 1: at the upper one
    uint8_t *is_broken;
    uint8_t *redundant_rows;
    // Not state
    scr_function *drive;  // of the motor; without a function its value is motor_constant
    int64_t drive_capacity;
    int64_t free_count;  // entries that are not alive
} joints;

typedef struct springs {
    table table;
    uint32_t *generation;
    scr_joint *joint;  // null: between two points
    uint8_t *axis;     // SCR_ALONG or SCR_ABOUT
    scr_body *a, *b;
    double *point_a, *point_b;  // m, 3 each, body axes
    double *rest, *stiffness, *damping, *preload;
    double *lower, *upper, *stop_stiffness, *stop_damping;
    int64_t *first_pair;  // in `pairs`
    int32_t *pair_count;
    double *force;  // N or N m, mean over the last step
    table pair_table;
    double *pairs;       // 2 each: stretch, force
    int64_t free_count;  // not state
} springs;

typedef struct couplings {
    table table;
    uint32_t *generation;
    int32_t *count;
    scr_joint *joint;    // 3 each
    uint8_t *axis;       // 3 each
    double *ratio;       // 3 each
    double *target;      // the sum when it was made
    double *force;       // mean over the last step
    int64_t free_count;  // not state
} couplings;

// The entry of a handle, or -1 if it is null or stale.
int64_t joint_slot(const joints *j, scr_joint joint);
int64_t spring_slot(const springs *s, scr_spring spring);
int64_t coupling_slot(const couplings *c, scr_coupling coupling);
scr_status joint_slot_checked(const joints *j, scr_joint joint, int64_t *entry, scr_error *error);
scr_status spring_slot_checked(const springs *s, scr_spring spring, int64_t *entry, scr_error *error);
scr_status coupling_slot_checked(const couplings *c, scr_coupling coupling, int64_t *entry, scr_error *error);
static inline bool joint_is_alive(const joints *j, int64_t i) { return j->generation[i] % 2 == 1; }
// Alive and not broken: it holds something.
static inline bool joint_holds(const joints *j, int64_t i) { return joint_is_alive(j, i) && !j->is_broken[i]; }
static inline bool joint_has_motor(const joints *j, int64_t i) { return j->motor[i] != 0; }
// Where a joint's motion was last: from there full turns are counted.
static inline double joint_known_motion(const joints *j, int64_t i, scr_axis axis)
{
    return axis == SCR_ABOUT ? j->about[i] : j->along[i];
}
static inline scr_drive joint_drive(const joints *j, int64_t i) { return (scr_drive)(j->motor[i] - 1); }
double joint_drive_at(const joints *j, int64_t i, double t);  // the motor's value

// Force of a spring at a length or an angle, pulling together: spring, preload and stops, without dampers; its slope.
double spring_force(const springs *s, int64_t i, double length, double *slope);
// N s/m: damper, and that of a stop that is pressed
double spring_damping(const springs *s, int64_t i, double length);
double spring_energy(const springs *s, int64_t i, double length);  // J

// A joint's geometry with its bodies under these numbers in some list of poses; a null body is the ground whatever it
// is.
joint_geometry joint_geometry_of(const joints *j, int64_t i, int32_t body_a, int32_t body_b);

void joints_init(joints *j);
void springs_init(springs *s);
void couplings_init(couplings *c);
void joints_free(joints *j);
void springs_free(springs *s);
void couplings_free(couplings *c);

// A place for a new entry, alive and all zeros: the first one that is free, or one more.
scr_status joints_take(joints *j, int64_t *entry, scr_error *error);
scr_status springs_take(springs *s, int64_t pair_count, int64_t *entry, scr_error *error);
scr_status couplings_take(couplings *c, int64_t *entry, scr_error *error);
void joints_drop(joints *j, int64_t i);
void springs_drop(springs *s, int64_t i);
void couplings_drop(couplings *c, int64_t i);

// Of a loaded state: every handle alive or null, every number possible.
bool joints_are_valid(const joints *j, const springs *s, const couplings *c, const bodies *b);  // joint_checks.c
// Then all that is not state is made anew; motors keep their constants.
scr_status joints_after_load(joints *j, springs *s, couplings *c, scr_error *error);

#endif
