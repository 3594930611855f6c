// SPDX-License-Identifier: BSD-3-Clause
// The joints, springs and couplings of a scene: how they come into the world, their handles, and when joints broke.
//
// A joint's frames are given in world axes or in its bodies' own; here they become two frames in the world, and
// scr_world_assemble closes what gaps are between them. The functions that drive motors are the scene's: they are no
// part of the saved state and are set again after a load.
#ifndef SCENE_PARTS_LINKAGE_H
#define SCENE_PARTS_LINKAGE_H

#include "scene/parts/scripted.h"

typedef struct linkage {
    table joint_table;   // "scene_joints": an entry for each of the scene's joints and actuators
    scr_joint *joint;    // stale once one of its bodies is gone
    double *broken_at;   // s; 0: it is whole
    int64_t broken;      // scalar: how many broke so far
    table spring_table;  // "scene_springs"
    scr_spring *spring;
    table coupling_table;  // "scene_couplings"
    scr_coupling *coupling;
    scr_assembly assembly;  // what was found when joints were closed at the start; no state, all zero after a load
} linkage;

scr_status linkage_init(linkage *l, const scene *s, scr_error *error);  // after a failure too: linkage_free
void linkage_free(linkage *l);
// Once the bodies are there: add everything.
scr_status linkage_populate(linkage *l, const scene *s, const scripted_bodies *bodies, scr_world *world,
                            scr_error *error);
// Close the joints.
scr_status linkage_assemble(linkage *l, const scene *s, scr_world *world, scr_error *error);
scr_status linkage_after_load(linkage *l, const scene *s, scr_world *world, scr_error *error);

// Do all motors have numbers to go by in a step?
scr_status linkage_check_drives(const linkage *l, const scene *s, const scr_world *world, const step_span *step,
                                scr_error *error);
// Set motors for a step, as far as the world cannot know of itself: those whose function is nothing let their joint go,
// and hold it when they drive again; those that are driven by phase get their value.
scr_status linkage_set_drives(const linkage *l, const scene *s, scr_world *world, const step_span *step,
                              scr_error *error);
// Fail as the world did. It calls joints, couplings and bodies by their numbers, the scene by their names and, what
// belongs to mechanisms, with the place where it is said.
scr_status linkage_fail(const linkage *l, const scene *s, scr_status status, const scr_error *reason, scr_error *error);
void linkage_note_broken(linkage *l, const scene *s, const scr_world *world);  // right after a step

// All joints together, as they are now.
typedef struct linkage_state {
    int64_t count;     // of those that hold
    double gap, tilt;  // m, rad: the largest
} linkage_state;
linkage_state linkage_look(const linkage *l, const scene *s, const scr_world *world);

#endif
