// SPDX-License-Identifier: BSD-3-Clause
// Joints, motors, springs and couplings: what makes a mechanism of bodies. docs/mechanisms.md has the formulae.
#ifndef SCREE_JOINT_H
#define SCREE_JOINT_H

#include "scree/body.h"

#ifdef __cplusplus
extern "C" {
#endif

/// One joint, spring or coupling: two words, passed by value. All zero is null, and a stale handle is told from a live
/// one.
typedef struct scr_joint {
    uint32_t index1, generation;
} scr_joint;
/// A spring, as scr_joint is a joint.
typedef struct scr_spring {
    uint32_t index1, generation;
} scr_spring;
/// A coupling, as scr_joint is a joint.
typedef struct scr_coupling {
    uint32_t index1, generation;
} scr_coupling;

/// A number as a function of time. It must give the same number for the same time whenever it is asked.
typedef struct scr_function {
    double (*at)(const void *context, double t);  ///< NULL: the constant below
    const void *context;                          ///< must live as long as the world uses the function
    double constant;
} scr_function;

/// A frame on a body, given in world axes as it is when the joint is made. A joint's axis is z of its frames.
typedef scr_pose scr_frame;

/// What a joint takes away. x, y, z are the axes of frame a; the two frames coincide where nothing is said.
typedef enum scr_joint_kind {
    SCR_JOINT_FIXED,           ///< all six motions
    SCR_JOINT_SPHERICAL,       ///< the origins stay together
    SCR_JOINT_REVOLUTE,        ///< only turning about z is left
    SCR_JOINT_PRISMATIC,       ///< only sliding along z is left
    SCR_JOINT_CYLINDRICAL,     ///< turning about z and sliding along it are left
    SCR_JOINT_UNIVERSAL,       ///< the origins stay together, and x of frame a at a right angle to y of frame b
    SCR_JOINT_PLANAR,          ///< b moves in the plane z = 0 of a and turns about z
    SCR_JOINT_POINT_ON_LINE,   ///< the origin of b stays on the z axis of a, and turns freely
    SCR_JOINT_DISTANCE,        ///< the origins keep their distance; with a motor: an actuator, whose length is driven
    SCR_JOINT_BUSHING,         ///< nothing, but springs and dampers act against all six motions
    SCR_JOINT_POINT_ON_PLANE,  ///< the origin of b stays in the plane z = 0 of a, and turns freely
} scr_joint_kind;

/// Which motion of a joint is meant where it has more than one.
typedef enum scr_axis {
    /// the joint's own: about for revolute and planar, along for prismatic, cylindrical, point on line and distance
    SCR_AXIS_USUAL,
    SCR_ALONG,  ///< m: sliding along z; of a distance joint its length
    SCR_ABOUT,  ///< rad: turning about z, counted on over full turns
} scr_axis;

/// Everything about one joint. Start from scr_default_joint_def() or scr_joint_at().
typedef struct scr_joint_def {
    scr_joint_kind kind;
    scr_body a, b;               ///< one of them may be null: the ground
    scr_frame frame_a, frame_b;  ///< may be apart by a little: scr_world_assemble closes gaps
    bool collide;                ///< whether the two bodies may touch each other; default false
    double length;               ///< m, distance; default 0: as it is when the joint is made
    double lower, upper;         ///< m or rad, limits of the usual axis; default none (infinite)
    double restitution;          ///< of an impact at a limit; default 0
    double friction;             ///< revolute, prismatic: coefficient of dry friction under the joint's load; default 0
    double friction_radius;      ///< m, revolute: radius of the pin, where friction acts
    double friction_force;       ///< N or N m: dry friction without load; default 0
    double break_force;          ///< N: a joint that carries more breaks; default 0: never
    double break_torque;         ///< N m, likewise
    double stiffness[6];         ///< bushing: N/m along x, y, z and N m/rad about them
    double damping[6];           ///< bushing: N s/m and N m s/rad
} scr_joint_def;

/// What a motor prescribes.
typedef enum scr_drive {
    SCR_DRIVE_SPEED,     ///< m/s or rad/s
    SCR_DRIVE_POSITION,  ///< m or rad
    SCR_DRIVE_FORCE,     ///< N or N m, acting on b
} scr_drive;

/// A motor on one motion of a joint. Start from scr_default_motor_def().
typedef struct scr_motor_def {
    scr_axis axis;
    scr_drive drive;
    scr_function value;
    double max_force;  ///< N or N m: a speed or a position is held with no more; default infinite
} scr_motor_def;

/// A spring with a damper: between two points, or along a joint's own motion. Positive force pulls its ends together.
typedef struct scr_spring_def {
    scr_joint joint;            ///< null: between two points
    scr_axis axis;              ///< of the joint
    scr_body a, b;              ///< between two points: one of them may be null, the ground
    scr_vec3 point_a, point_b;  ///< m, world axes as they are when the spring is made
    double rest;                ///< m or rad without force; not a number (default): as it is when the spring is made
    double stiffness;           ///< N/m or N m/rad
    double damping;             ///< N s/m or N m s/rad
    double preload;             ///< N or N m at rest
    /// pairs of stretch (m or rad beyond rest) and force, rising stretch, instead of stiffness; copied.
    const double *table;
    int table_count;        ///< pairs; outside it the end slopes go on
    double lower, upper;    ///< m or rad: stops, at this length or angle; default none
    double stop_stiffness;  ///< N/m or N m/rad of the stops
    double stop_damping;    ///< N s/m or N m s/rad while pressed
} scr_spring_def;

/// A gear, a rack or a differential: the sum of ratio x motion over two or three joints stays what it is when made.
typedef struct scr_coupling_def {
    int count;  ///< 2 or 3
    scr_joint joint[3];
    scr_axis axis[3];
    double ratio[3];
} scr_coupling_def;

/// A joint as it is after the last step. Forces are means over that step, acting on b at the origin of frame b.
typedef struct scr_joint_state {
    double along, about;            ///< m, rad: its motion, where the kind leaves one (distance: its length)
    double along_rate, about_rate;  ///< m/s, rad/s
    scr_vec3 force, torque;         ///< N, N m, world axes: all the joint does, with limit, friction and motor
    double motor_force;             ///< N or N m along the motor's axis
    double motor_power;             ///< W: its work in the step over the length of the step
    double gap;                     ///< m: how far it is from being closed
    double tilt;                    ///< rad, likewise
    bool is_broken;
    int redundant_rows;          ///< how many of its conditions others already keep, as found by scr_world_assemble
    scr_frame frame_a, frame_b;  ///< as they are now
} scr_joint_state;

/// A spring as it is after the last step.
typedef struct scr_spring_state {
    double length;  ///< m or rad
    double rate;    ///< m/s or rad/s
    double force;   ///< N or N m, mean over the last step; positive pulls together
} scr_spring_state;

/// A coupling as it is after the last step.
typedef struct scr_coupling_state {
    double error;  ///< how far the sum is from what it was
    double force;  ///< N or N m, mean over the last step, that acts on a motion of ratio 1
} scr_coupling_state;

/// What an assembly found.
typedef struct scr_assembly {
    int64_t mechanism_count;  ///< groups of bodies that hang together by joints
    int64_t body_count;       ///< bodies in them that can be moved
    int64_t joint_count;
    int64_t row_count;        ///< conditions of joints, motors and couplings
    int64_t redundant_count;  ///< of them: those that others already keep
    int64_t degrees_of_freedom;
    double gap_before, tilt_before;  ///< m, rad: the largest of any joint
    double gap, tilt;                ///< after bodies were moved
    double farthest_move;            ///< m, of any body
    scr_joint worst;                 ///< joint of the largest gap or tilt that is left
} scr_assembly;

/// A fixed joint with frames at the origin, without limits, friction and breaking.
SCR_API scr_joint_def scr_default_joint_def(void);
/// The definition of a joint at one place of both bodies (m, world axes), its axis along `axis`, of any length but 0.
SCR_API scr_joint_def scr_joint_at(scr_joint_kind kind, scr_body a, scr_body b, scr_vec3 position, scr_vec3 axis);
/// A spring between two points without stiffness, at rest as it is when made, without stops.
SCR_API scr_spring_def scr_default_spring_def(void);
/// A motor that holds a speed of 0 on the usual axis with any force.
SCR_API scr_motor_def scr_default_motor_def(void);

/// Join two bodies, or one to the ground. SCR_BAD_INPUT names what is wrong with the definition; *joint is null then.
SCR_API scr_status scr_world_add_joint(scr_world *world, const scr_joint_def *def, scr_joint *joint, scr_error *error);
/// Add a spring, likewise.
SCR_API scr_status scr_world_add_spring(scr_world *world, const scr_spring_def *def, scr_spring *spring,
                                        scr_error *error);
/// Couple the motions of two or three joints, likewise.
SCR_API scr_status scr_world_add_coupling(scr_world *world, const scr_coupling_def *def, scr_coupling *coupling,
                                          scr_error *error);
/// Let a motor drive the joint, instead of the one it has; NULL takes it away. May be called between any two steps:
/// that is how a controller changes what a motor holds. The function of a motor is not saved with a world; its constant
/// is.
SCR_API scr_status scr_joint_set_motor(scr_world *world, scr_joint joint, const scr_motor_def *def, scr_error *error);
/// Remove a joint, with its springs and couplings. SCR_BAD_INPUT if the handle is stale; so in the calls below.
SCR_API scr_status scr_world_remove_joint(scr_world *world, scr_joint joint, scr_error *error);
/// Remove a spring.
SCR_API scr_status scr_world_remove_spring(scr_world *world, scr_spring spring, scr_error *error);
/// Remove a coupling.
SCR_API scr_status scr_world_remove_coupling(scr_world *world, scr_coupling coupling, scr_error *error);

/// How a joint is after the last step, and what it carried in it.
SCR_API scr_status scr_joint_get_state(const scr_world *world, scr_joint joint, scr_joint_state *state,
                                       scr_error *error);
/// How a spring is after the last step.
SCR_API scr_status scr_spring_get_state(const scr_world *world, scr_spring spring, scr_spring_state *state,
                                        scr_error *error);
/// How a coupling is after the last step.
SCR_API scr_status scr_coupling_get_state(const scr_world *world, scr_coupling coupling, scr_coupling_state *state,
                                          scr_error *error);

/// Before the first step: move bodies as little as it takes to close all joints, and make their velocities agree.
/// Fails, with bodies as they were, if some joint cannot be closed; the report names it then too. report may be NULL.
SCR_API scr_status scr_world_assemble(scr_world *world, scr_assembly *report, scr_error *error);

#ifdef __cplusplus
}
#endif

#endif
