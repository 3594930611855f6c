// SPDX-License-Identifier: BSD-3-Clause
// A simulation: a world and all that a scene puts around it (gravity, motions and loads in time, joints, fills,
// emitters, sinks, probes), advanced together one step at a time.
//
// What decides the future is in tables (core/arrays/table.h): the world's and the simulation's own. A checkpoint saves
// them, a resume builds the simulation without bodies and loads them.
#ifndef SCENE_RUN_SIMULATION_H
#define SCENE_RUN_SIMULATION_H

#include "core/arrays/table.h"
#include "scene/active/active_box.h"
#include "scene/parts/linkage.h"
#include "scree/scene.h"

typedef struct simulation simulation;

enum { SIMULATION_TABLE_MAX = 48 };

// The scene must outlive the simulation. with_bodies = false leaves bodies, fills and tables to a checkpoint. threads
// as in scr_world_def: 0 is all cores, fewer for the steps of a small world.
scr_status simulation_create(const scene *s, bool with_bodies, int threads, simulation **sim, scr_error *error);
void simulation_destroy(simulation *sim);

// One time step: first what comes and goes at the present time (timed removals, sinks, domain, emitters), then the
// world's step with gravity and motions. So whatever is asked between two steps sees the bodies, contacts and forces of
// the step just done, and a body that entered a sink in it is still there.
// After a failure the simulation is at the same time as before the call. Bodies may have come or gone as was due at
// that time; calling again does none of it twice, so a later success leads to the same bits.
scr_status simulation_step(simulation *sim, scr_error *error);

scr_world *simulation_world(simulation *sim);
const scene *simulation_scene(const simulation *sim);
int simulation_threads(const simulation *sim);
bool simulation_is_done(const simulation *sim);  // end time reached (within half a step)
// s; that of the scene, or when its last phase was over, or the bodies came to rest, if that ends the run
double simulation_end_time(const simulation *sim);
const struct rest_watch *simulation_rest(const simulation *sim);
const struct phases *simulation_phases(const simulation *sim);
void simulation_forget_rest(simulation *sim);  // if it was reached: the run goes on, until there is rest again

scr_scene_counts simulation_count(const simulation *sim);  // since the start
// The active box: all zero without one.
scr_active_counts simulation_active(const simulation *sim);
const active_box *simulation_box(const simulation *sim);  // NULL without one
// Where the simulation may keep files while it lives: parked grains, if they are more than the scene wants in memory.
scr_status simulation_use_directory(simulation *sim, const char *directory, scr_error *error);
const struct sleeping *simulation_sleeping(const simulation *sim);  // NULL if the scene lets no grains sleep
// Every grain awake, and those of an active box in the world and live: for whoever wants all of them. The simulation
// ends with it.
scr_status simulation_release_grains(simulation *sim, scr_error *error);
linkage_state simulation_joints(const simulation *sim);   // all of them as they are now; a pass over them
scr_assembly simulation_assembly(const simulation *sim);  // what was found when they were closed at the start
// of the scene's joint with this index; all zero if it is gone
scr_joint_state simulation_joint(const simulation *sim, int joint);
// s, of the scene's joint with this index; 0: it is whole
double simulation_broken_at(const simulation *sim, int joint);

// Handles of what the scene lists: of the body, joint or spring with this index. Stale once it is gone.
scr_body simulation_body_handle(const simulation *sim, int body);
scr_frame simulation_body_frame(const simulation *sim, int body);  // where its frame is; it must be there
scr_joint simulation_joint_handle(const simulation *sim, int joint);
scr_spring simulation_spring_handle(const simulation *sim, int spring);

// Probes: column names once, then a row of values whenever the run wants one. Reading a row resets the running means.
int simulation_probe_column_count(const simulation *sim);
const char *simulation_probe_column(const simulation *sim, int column);  // "outflow.rate"
const char *simulation_probe_unit(const simulation *sim, int column);    // "kg/s"
void simulation_probe_row(simulation *sim, double *values);
void simulation_read_probes(simulation *sim, double *values);  // the same, and the means go on

int simulation_vehicle_count(const simulation *sim);
scr_mobility simulation_mobility(const simulation *sim, int vehicle);  // since its probe began to measure
const scene_probe *simulation_vehicle(const simulation *sim, int vehicle);
struct track_faults simulation_track_faults(const simulation *sim, int vehicle, int track);

const struct rig_probe *simulation_rig(const simulation *sim);  // NULL without a rig

// All tables, the world's first: for checkpoint, hash and diff. Returns their number.
int simulation_tables(simulation *sim, table *tables[SIMULATION_TABLE_MAX]);
uint64_t simulation_hash(simulation *sim);
// After tables were loaded from a checkpoint: make everything derived anew, and check that it fits together.
scr_status simulation_after_load(simulation *sim, scr_error *error);

#endif
