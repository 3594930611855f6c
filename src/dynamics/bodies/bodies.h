// SPDX-License-Identifier: BSD-3-Clause
// Bodies: structure of arrays in spatial order, and the records through which handles find them.
#ifndef DYNAMICS_BODIES_BODIES_H
#define DYNAMICS_BODIES_BODIES_H

#include "collision/broad/colliders.h"
#include "dynamics/bodies/stored_grain.h"
#include "dynamics/bodies/surface_velocity.h"
#include "scree/body.h"

typedef struct bodies {
    table table;
    // State; written by integrate.c (dynamic, kinematic) and by the calls that add, remove and set bodies.
    double *x, *y, *z;                 // m, centre of mass
    double *vx, *vy, *vz;              // m/s
    double *qw, *qx, *qy, *qz;         // principal axes
    double *wx, *wy, *wz;              // rad/s, body axes
    double *inv_mass;                  // 1/kg, 0 unless dynamic
    double *inv_ix, *inv_iy, *inv_iz;  // 1/(kg m^2), principal, 0 unless dynamic
    uint8_t *kind;                     // scr_body_kind
    uint8_t *is_joined;  // 1 if a joint, broken or not, or a spring refers to it; written by joined_bodies.c
    uint64_t *id;        // 1, 2, 3, ... in the order of creation
    scr_body *handle;
    int32_t *first_collider;  // colliders of a body are contiguous
    int32_t *collider_count;
    uint64_t next_id;  // scalar
    // Records, by handle index
    table record_table;
    uint32_t *generation;  // odd while alive
    int32_t *slot;         // entry in the arrays above; of a free record: the next free one
    int32_t free_record;   // scalar; -1: none
    surface_velocities surface_velocity;
    // No state: neither saved nor hashed
    void **user_data;  // (user_data_capacity, by record) the user's own; grows when one is set
    int64_t user_data_capacity;
} bodies;

void bodies_init(bodies *b);
void bodies_free(bodies *b);

// The slot of a handle, or -1 if it is null or stale.
int64_t body_slot(const bodies *b, scr_body body);
scr_status body_slot_checked(const bodies *b, scr_body body, int64_t *slot, scr_error *error);

// Whether a definition says mass and inertia itself; that inertia, about the centre of mass in the axes of the frame.
static inline bool body_gives_inertia(const scr_body_def *def) { return vec3_norm(def->inertia) > 0.0; }
mat3 given_inertia(const scr_body_def *def);
// Of shapes together, whose materials have these densities.
mass_properties shapes_mass_properties(const scr_shape *shapes, int count, const surfaces *all,
                                       const double *material_density);
// Add a body whose def was checked; its shapes go to the end of the colliders.
scr_status bodies_add(bodies *b, colliders *c, const scr_body_def *def, const double *material_density, scr_body *body,
                      scr_error *error);
scr_status bodies_add_spheres(bodies *b, colliders *c, int64_t count, const scr_vec3 *position, const double *radius,
                              const scr_vec3 *velocity, uint16_t material, double density, scr_body *handles,
                              scr_error *error);

// All or none are added.
scr_status bodies_add_fixed_grains(bodies *b, colliders *c, int64_t count, const stored_grain *g, scr_error *error);
void body_fix_grain(bodies *b, int64_t i, const stored_grain *g);  // a grain comes to stand still as stored
void body_release_grain(bodies *b, const colliders *c, int64_t i, double density);  // and is dynamic again

// Mass (kg) and inertia (kg m^2) of a sphere.
typedef struct sphere_inertia {
    double mass, inertia;
} sphere_inertia;
sphere_inertia sphere_inertia_of(double radius, double density);

// Keep the bodies from[0 .. kept-1], in that order; the others' records become free. new_number (collider count)
// receives what became of each collider, -1 if it is gone.
scr_status bodies_reorder(bodies *b, colliders *c, const int32_t *from, int64_t kept, int32_t *new_number,
                          scr_arena *scratch, int threads, scr_error *error);
// What bodies_reorder does where all others stay where they are: bodies, each with one collider and no place, come from
// the end of the table to the holes that gone ones leave there. gone: all of them, ascending.
typedef struct body_moves {
    const int32_t *gone, *hole, *filler;  // bodies; hole k is filled by filler k
    int64_t gone_count, hole_count;
} body_moves;
void bodies_fill_holes(bodies *b, colliders *c, const body_moves *moves);
// Everything that the stages of a step take for granted of the two.
bool bodies_are_valid(const bodies *b, const colliders *c);

// The velocity of a body's surface relative to it, in its own axes (surface_velocity.h).
static inline scr_vec3 body_surface_velocity(const bodies *b, int64_t i)
{
    return surface_velocity_of(&b->surface_velocity, b->handle[i].index1 - 1);
}
static inline bool body_conveys(const bodies *b, int64_t i)
{
    return b->surface_velocity.table.count > 0 && vec3_norm(body_surface_velocity(b, i)) > 0.0;
}
// What the user keeps with a body; that of a body which is there.
scr_status body_set_user_data(bodies *b, scr_body body, void *data, scr_error *error);
void *body_user_data(const bodies *b, scr_body body);
void bodies_forget_user_data(bodies *b);

static inline scr_vec3 body_position(const bodies *b, int64_t i) { return vec3(b->x[i], b->y[i], b->z[i]); }
static inline scr_vec3 body_velocity(const bodies *b, int64_t i) { return vec3(b->vx[i], b->vy[i], b->vz[i]); }
static inline scr_quat body_rotation(const bodies *b, int64_t i)
{
    return (scr_quat){b->qw[i], b->qx[i], b->qy[i], b->qz[i]};
}
static inline pose body_pose(const bodies *b, int64_t i) { return (pose){body_position(b, i), body_rotation(b, i)}; }
static inline scr_vec3 body_spin(const bodies *b, int64_t i)  // world axes
{
    return quat_rotate(body_rotation(b, i), vec3(b->wx[i], b->wy[i], b->wz[i]));
}
static inline void body_put(bodies *b, int64_t i, pose at, scr_vec3 v, scr_vec3 spin)  // spin in body axes
{
    b->x[i] = at.position.x, b->y[i] = at.position.y, b->z[i] = at.position.z;
    b->qw[i] = at.rotation.w, b->qx[i] = at.rotation.x, b->qy[i] = at.rotation.y, b->qz[i] = at.rotation.z;
    b->vx[i] = v.x, b->vy[i] = v.y, b->vz[i] = v.z;
    b->wx[i] = spin.x, b->wy[i] = spin.y, b->wz[i] = spin.z;
}
static inline twist body_twist(const bodies *b, int64_t i) { return (twist){body_velocity(b, i), body_spin(b, i)}; }
static inline scr_vec3 body_point_velocity(const bodies *b, int64_t i, scr_vec3 point)
{
    return point_velocity(body_twist(b, i), vec3_sub(point, body_position(b, i)));
}
static inline double body_kinetic_energy(const bodies *b, int64_t i, scr_vec3 v)  // J at velocity v; 0 unless dynamic
{
    if (b->inv_mass[i] == 0.0) return 0.0;
    return 0.5 * (vec3_dot(v, v) / b->inv_mass[i] + b->wx[i] * b->wx[i] / b->inv_ix[i] +
                  b->wy[i] * b->wy[i] / b->inv_iy[i] + b->wz[i] * b->wz[i] / b->inv_iz[i]);
}
// One sphere at the centre: its inertia is the same about all axes and every contact force passes along its radius.
static inline bool body_is_grain(const bodies *b, const colliders *c, int64_t i)
{
    return b->collider_count[i] == 1 && c->place[b->first_collider[i]] == NO_PLACE;
}
// The length by which solvers scale a body's spin, m.
static inline double body_spin_length(const bodies *b, const colliders *c, int64_t i)
{
    return body_is_grain(b, c, i) ? c->radius[b->first_collider[i]] : 1.0;
}

#endif
