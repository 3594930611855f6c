// SPDX-License-Identifier: BSD-3-Clause
// The world from inside: its state, and what the stages of a step hand to each other.
#ifndef DYNAMICS_WORLD_WORLD_H
#define DYNAMICS_WORLD_WORLD_H

#include <pthread.h>
#include <stdatomic.h>

#include "collision/contacts/contact_cache.h"
#include "collision/query/shape_tree.h"
#include "dynamics/bodies/bodies.h"
#include "dynamics/bodies/materials.h"
#include "dynamics/cone/solve/solve.h"
#include "dynamics/joints/mechanism.h"
#include "dynamics/penalty/bed/grain_world.h"
#include "dynamics/penalty/law/penalty.h"
#include "dynamics/world/plain_memory.h"
#include "geometry/surface/surfaces.h"
#include "scree/scree.h"

// Of all dynamic bodies.
typedef struct velocity_sums {
    scr_vec3 v;  // m/s
    double v2;
    int64_t count;
} velocity_sums;

static inline void velocity_sums_add(velocity_sums *to, const velocity_sums *more)
{
    to->v = vec3_add(to->v, more->v);
    to->v2 += more->v2;
    to->count += more->count;
}

// Kinetic energy before and after the contacts' work.
typedef struct flight_sums {
    double mass;                      // kg
    double old_kinetic, new_kinetic;  // J, without turning; the old one may have fallen on for the whole step
    double new_speed2;                // (m/s)^2: the fastest
} flight_sums;

// What the velocities with contacts are together.
enum { NOBODY = -1 };
typedef struct motion_sums {
    flight_sums flight;
    double wall_speed;  // m/s: how fast walls push
    bool walls_rotate;
    int64_t offender;  // the first; NOBODY: none
} motion_sums;

// Velocities of a step in the making: first without contacts, then with them.
typedef struct new_motion {
    body_motion *body;  // (body count)  written by forces.c, solve_world.c
    int64_t capacity;
    // What forces.c has seen on the way, if it has: of all dynamic bodies without contacts, and that none is too fast.
    bool is_summed, is_physical;
    velocity_sums sums;
    velocity_sums *block;  // scratch of it (SUM_BLOCK)
    int64_t block_capacity;
    motion_sums end;  // of the velocities with contacts: integrate.c
} new_motion;
static inline twist new_twist(const new_motion *m, int64_t i) { return motion_twist(&m->body[i]); }

typedef struct applied_force {
    scr_body body;
    scr_vec3 force, torque;  // N, N m, world axes
} applied_force;

// What the collision stages need to know of each collider's motion.
typedef struct collider_motion {
    float *closing;  // m: how much of a gap it closes in this step, at most
    float *reach;    // m: how far it looks for contacts in this step
    float *travel;   // m: how far it moves in it
    // m: how far contacts send it off the way it would go without them, from an earlier pass in this step
    float *deflection;
    // 1 if its contacts ask for more than can be: it bounces into another, or is squeezed between two
    uint8_t *is_squeezed;
    int patience;          // how many times the usual number of sweeps the solver may take
    bool has_deflections;  // or all deflections are 0 and all have room
    float fastest;         // m: the longest travel of all
    // m/s: what most bodies have in common, as grains that fall together. Travel and reach are told relative to it, and
    // lists know how far it has carried everybody: the fall itself wears out none.
    scr_vec3 drift;
    scr_vec3 drifted;     // m: how far so far
    double smallest;      // m: the least radius of all
    double widest;        // m: the largest R* of any contact, if adhesion asks for it
    uint8_t *is_moved;    // 1 if its body is dynamic
    uint8_t *is_dynamic;  // the same by body
    int64_t capacity, dynamic_capacity;
} collider_motion;

static inline double known_deflection(const collider_motion *m, int64_t k)
{
    return m->has_deflections ? (double)m->deflection[k] : 0.0;
}

// Shown the contact problem of every step, when its contacts are known and before they are solved.
typedef struct problem_watch {
    scr_status (*see)(void *context, const scr_world *world, scr_error *error);  // NULL: nobody watches
    void *context;
} problem_watch;

// The contacts of the last step, as they are shown to whoever asks. calls/contact_calls.c
typedef struct shown_contacts {
    int64_t count, capacity;
    scr_body *a, *b;
    scr_vec3 *point, *normal;  // m
    double *gap;               // m
    scr_vec3 *force, *torque;  // N, N m
    atomic_bool is_behind;     // it was not made since the contacts were found
} shown_contacts;

// Rows of a few contacts, which the sweeps' bundles and Newton's method both ask for: they are made once.
typedef struct kept_rows {
    contact_row *row;  // (contact count)
    int64_t capacity;
    bool is_open;  // between prepare and the end of solve, where contacts are few
} kept_rows;

struct scr_world {
    // State: everything that decides the future is in one of these tables.
    table scalars;  // step_count, gravity
    int64_t step_count;
    double gravity[3];                       // m/s^2
    table shear;                             // where space is sheared, else there is none:
    double shear_offset, shear_velocity;     // m, m/s: of the next cell, as in periodic_cell
    table stretch;                           // where space is stretched, else there is none:
    double cell_length[3], cell_stretch[3];  // m, m/s: of the cell, as in periodic_cell
    double cell_energy;                      // J: of the last step, as in force_error.h
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
    scr_force_function *force_function;  // the user's; NULL: none
    void *force_context;
    scr_vec3 *own_force;  // N, N m (2 a body): what it is given to fill in
    int64_t own_force_capacity;
    applied_force *applied;
    int64_t applied_count, applied_capacity;
    problem problem;
    penalty penalty;
    grain_world grains;
    problem_watch watch;
    solver_memory solver_memory;
    plain_memory plain;
    kept_rows kept_rows;
    double *hover;  // m/s (contact count): c of hover.c, where
    int64_t hover_capacity;
    bool has_hover;    // some c is not 0
    int hover_passes;  // how often c was lowered in this step
    scr_arena scratch, sort_scratch;
    // What the last step did
    scr_step_report report;
    scr_stage_seconds seconds;
    bool was_sorted;  // in this step
    // What is brought up to date only when it is read. Readers on several threads exclude each other by the lock; self
    // lets those who hold a const world write that much of it (world_bring_up).
    struct scr_world *self;
    pthread_mutex_t lock;
    shown_contacts shown_contacts;
    shape_tree shape_tree;             // for questions: calls/query_calls.c
    atomic_bool shape_tree_is_behind;  // a shape was moved, added or removed since it was made
    int64_t states_set;                // how often a body that is not kinematic was put somewhere
    bool has_contacts;                 // the contacts are those of the last step: no body was added or removed since
};

double world_recovery_speed(const scr_world *world);  // m/s
// Where the cells of a sheared or stretched space are, so many seconds from now.
void world_place_cells(scr_world *world, double later);
// The contacts of the last step acted so long ago (s): when it began, or at the midpoint. Where the cells were then.
double world_since_contacts(const scr_world *world);
periodic_cell world_cells_of_contacts(const scr_world *world);
// Do what makes something readable, once, however many threads ask for it: unless *is_behind is false, which it is
// after a success.
scr_status world_bring_up(const scr_world *world, atomic_bool *is_behind,
                          scr_status (*work)(scr_world *world, scr_error *error), scr_error *error);
static inline bool world_is_penalty(const scr_world *world) { return world->def.contact.law == SCR_PENALTY; }
// Where bodies are, and how they turn, when contacts act: at the start of a step, under the penalty law at the
// midpoint.
body_poses world_poses(const scr_world *world);
scr_vec3 world_spin(const scr_world *world, int64_t body);  // rad/s, world axes
// The change of a body's spin under a torque: I^-1 torque, world axes.
scr_vec3 body_spin_change(const scr_world *world, int64_t body, scr_vec3 torque);

// m/s: what conveying surfaces add to the relative velocity u_b - u_a at contact i (surface_velocity.h).
static inline bool world_conveys(const scr_world *world) { return world->bodies.surface_velocity.table.count > 0; }
scr_vec3 contact_surface_velocity(const scr_world *world, int64_t i);

// The bed of grains (grain_world.h). Bodies and colliders outside it, which the general stages move, come first.
static inline int64_t general_bodies(const scr_world *world)
{
    return world->grains.is_loaded ? world->grains.body_count : world->bodies.table.count;
}
static inline int64_t general_colliders(const scr_world *world)
{
    return world->grains.is_loaded ? world->grains.collider_count : world->colliders.table.count;
}

#endif
