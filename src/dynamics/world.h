// The world from inside: its state, and what the stages of a step hand to each other.
#ifndef DYNAMICS_WORLD_H
#define DYNAMICS_WORLD_H

#include "collision/contact_cache.h"
#include "dynamics/bodies.h"
#include "dynamics/materials.h"
#include "dynamics/cone/saved_system.h"
#include "dynamics/cone/solve.h"
#include "dynamics/mechanism/mechanism.h"
#include "dynamics/penalty/grain_world.h"
#include "dynamics/penalty/penalty.h"
#include "geometry/surfaces.h"
#include "scree/scree.h"

// Velocities of a step in the making: first without contacts, then with them.
typedef struct new_motion {
    double *vx, *vy, *vz;  // m/s                   (body count)  written by forces.c, solve.c
    double *wx, *wy, *wz;  // rad/s, world axes     (body count)  written by forces.c, solve.c
    int64_t capacity;
} new_motion;

typedef struct applied_force {
    scr_body body;
    scr_vec3 force, torque;  // N, N m, world axes
} applied_force;

// What the collision stages need to know of each collider's motion.
typedef struct collider_motion {
    float *closing;     // m: how much of a gap it closes in this step, at most
    float *reach;       // m: how far it looks for contacts in this step
    float *travel;      // m: how far it moves in it
    float *kick;        // m: how far contacts send it off the way it would go without them, from an earlier look in this step
    uint8_t *no_room;   // 1 if its contacts ask for more than can be: it bounces into another, or is squeezed between two
    int patience;       // how many times the usual number of sweeps the solver may take
    bool has_kicks;     // or all kicks are 0 and all have room
    uint8_t *is_moved;  // 1 if its body is dynamic
    uint8_t *is_dynamic;  // the same by body
    int64_t capacity, dynamic_capacity;
} collider_motion;

static inline double known_kick(const collider_motion *m, int64_t k) { return m->has_kicks ? (double)m->kick[k] : 0.0; }

struct scr_world {
    // State: everything that decides the future is in one of these tables.
    table scalars;           // step_count, gravity
    int64_t step_count;
    double gravity[3];       // m/s^2
    materials materials;
    surfaces surfaces;
    bodies bodies;
    colliders colliders;
    contact_cache cache;
    mechanisms mechanisms;
    // Definition
    scr_world_def def;
    int max_threads, threads;  // as many as allowed; as many as this step uses
    const sweep_kernels *kernels;
    // Work of a step, kept for its memory
    neighbours neighbours;
    contacts contacts;
    uint8_t *contact_is_new;
    int64_t contact_is_new_capacity;
    collider_motion collider_motion;
    new_motion motion;
    applied_force *applied;
    int64_t applied_count, applied_capacity;
    problem problem;
    penalty penalty;
    grain_world grains;
    saved_system *kept;      // receives the contact problem of every step, unless NULL
    solver_memory solver_memory;
    double *hover;           // m/s (contact count): c of hover.c
    int64_t hover_capacity;
    bool has_hover;          // some c is not 0
    int hover_passes;        // how often c was lowered in this step
    scr_arena scratch, sort_scratch;
    int32_t *new_number;     // (collider count) while bodies are re-sorted
    int64_t new_number_capacity;
    // What the last step did
    scr_step_report report;
    scr_stage_seconds seconds;
    bool was_sorted;         // in this step
    bool has_contacts;       // the contacts are those of the last step: no body was added or removed since
};

double world_recovery_speed(const scr_world *world);  // m/s
static inline bool world_is_penalty(const scr_world *world) { return world->def.contact.law == SCR_PENALTY; }
// Where bodies are, and how they turn, when contacts act: at the start of a step, under the penalty law half way.
body_poses world_poses(const scr_world *world);
scr_vec3 world_spin(const scr_world *world, int64_t body);  // rad/s, world axes
// The penalty law needs a stiffness for everything that moves; what does not may be rigid.
scr_status check_stiffness(const scr_world *world, int64_t material, scr_error *error);  // contact_forces.c
// The change of a body's spin under a torque: I^-1 torque, world axes.
scr_vec3 body_turn(const scr_world *world, int64_t body, scr_vec3 torque);

// Stages, in order. Each reads and writes what its file says.
scr_status sort_in_space(scr_world *world, scr_error *error);   // spatial_sort.c
scr_status go_half_way(scr_world *world, scr_error *error);     // integrate.c; penalty
scr_status apply_forces(scr_world *world, scr_error *error);    // forces.c
scr_status check_free_motion(scr_world *world, scr_error *error);  // integrate.c
scr_status find_pairs(scr_world *world, scr_error *error);      // detect.c
scr_status find_contacts(scr_world *world, scr_error *error);   // detect.c
scr_status reduce_contacts(scr_world *world, scr_error *error); // detect.c
void forget_kicks(scr_world *world);                            // look_again.c
bool must_look_further(scr_world *world);                       // look_again.c
scr_status recall_impulses(scr_world *world, scr_error *error); // warm_start.c
scr_status take_impacts(scr_world *world, scr_error *error);    // impacts.c
scr_status foresee_hover(scr_world *world, scr_error *error);   // hover.c
bool must_hover_more(scr_world *world);                         // hover.c
scr_status prepare(scr_world *world, scr_error *error);         // solve.c
scr_status solve(scr_world *world, scr_error *error);           // solve.c
scr_status recall_history(scr_world *world, scr_error *error);  // contact_forces.c; penalty
void find_contact_forces(scr_world *world);                     // contact_forces.c; penalty
scr_status push_bodies(scr_world *world, scr_error *error);     // body_forces.c; penalty
void stretch_springs(scr_world *world);                         // warm_start.c
scr_status check_motion(scr_world *world, scr_error *error);    // integrate.c
scr_status integrate(scr_world *world, scr_error *error);       // integrate.c

// How far colliders look and move: of these, or if NULL of the first so many and of all bodies.
void measure_motion(scr_world *world, const int32_t *which, int64_t count);         // detect.c
// Let margins of the colliders from this one on be so large a share of their radius.
void widen_margins(scr_world *world, int64_t first, double room);                   // detect.c
neighbour_motion world_neighbour_motion(const scr_world *world);                    // detect.c
// Add what contact e does to a body, as its side a (sign -1) or b (1).
void add_contact_push(const scr_world *world, int64_t e, double sign, int64_t body, scr_vec3 *force, scr_vec3 *torque);  // body_forces.c

// The bed of grains (grain_world.h). Bodies and colliders outside it, which the general stages move, come first.
static inline int64_t general_bodies(const scr_world *world)
{
    return world->grains.is_loaded ? world->grains.body_count : world->bodies.table.count;
}
static inline int64_t general_colliders(const scr_world *world)
{
    return world->grains.is_loaded ? world->grains.collider_count : world->colliders.table.count;
}
bool bed_needs_sorting(const scr_world *world);                            // grain_world.c
scr_status take_grains_into_bed(scr_world *world, scr_error *error);       // grain_world.c
scr_status find_pairs_outside_bed(scr_world *world, scr_error *error);     // grain_border.c
scr_status collect_pushes(scr_world *world, scr_error *error);             // grain_border.c
scr_status step_grains(scr_world *world, scr_error *error);                // grain_world.c
// Bring the body table, or all of the state, up to date before it is read; a bed that goes on is not disturbed.
void world_show_bodies(const scr_world *world);                            // grain_world.c
void world_show_state(const scr_world *world);                             // grain_world.c
const grain_world *world_grain_contacts(const scr_world *world);           // grain_contacts.c; listed, if there are any
void add_grain_contacts(const scr_world *world, scr_body body, scr_vec3 *force, scr_vec3 *torque);  // grain_contacts.c
void add_wall_sums(const scr_world *world, int64_t body, scr_vec3 *force, scr_vec3 *torque);        // grain_contacts.c
void give_grains_back(scr_world *world);  // before grains are changed     // grain_world.c
void forget_bed(scr_world *world);        // after the state was replaced  // grain_world.c

// Joints in the world (joined_bodies.c). Whoever adds, removes, breaks or sets one anew says so.
void joints_changed(scr_world *world);
void mark_joined(scr_world *world, scr_body body);              // bodies.is_joined of one body, null or not
void find_joined_bodies(scr_world *world);                      // of all
void remove_joint(scr_world *world, int64_t joint);             // with its springs and couplings
void remove_loose_joints(scr_world *world);                     // and springs: those of bodies that are gone
scr_status list_pairs_apart(scr_world *world, scr_error *error);  // for the neighbour lists

// Of the penalty law's last step, J: stored in contacts at its end; what they could release in one step, roughly.
double penalty_elastic_energy(const scr_world *world);          // contact_forces.c
double penalty_burst_energy(const scr_world *world);            // contact_forces.c
void penalty_clear(scr_world *world);                           // contact_forces.c; no contact carries a force

// After a step that failed: bodies back to where they were before sort_in_space.
void undo_sort(scr_world *world);                               // spatial_sort.c

// Drop or permute bodies, and everything that refers to their colliders.
scr_status world_reorder(scr_world *world, const int32_t *from, int64_t kept, scr_error *error);

#endif
