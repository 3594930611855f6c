// SPDX-License-Identifier: BSD-3-Clause
// Bodies: made from a definition, held by a handle, read in bulk through a view.
#ifndef SCREE_BODY_H
#define SCREE_BODY_H

#include "scree/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

/// One body: two words, passed by value. All zero is null. A handle to a removed body is stale and every call says so.
typedef struct scr_body {
    uint32_t index1, generation;
} scr_body;

/// What moves a body.
typedef enum scr_body_kind {
    SCR_DYNAMIC,    ///< moved by forces and contacts
    SCR_FIXED,      ///< never moves
    SCR_KINEMATIC,  ///< moves as prescribed, whatever pushes against it
} scr_body_kind;

/// Everything about one body. Start from scr_default_body_def().
typedef struct scr_body_def {
    scr_body_kind kind;       ///< default SCR_DYNAMIC
    scr_vec3 position;        ///< m, of the body's frame
    scr_quat rotation;        ///< of the body's frame; default identity
    scr_vec3 velocity;        ///< m/s, of the centre of mass
    scr_vec3 spin;            ///< rad/s, world axes
    const scr_shape *shapes;  ///< copied
    int shape_count;          ///< may be 0 where the inertia is given, and of bodies that do not move by themselves
    double mass;              ///< kg; 0 (default): from the shapes' volumes and densities
    /// kg m^2, about the centre of mass, along the axes of the frame; 0 (default): from the shapes.
    scr_vec3 inertia;
    ///< Given together with mass; centre then says where the centre of mass is
    scr_vec3 products;       ///< kg m^2, likewise: off the diagonal of the inertia, xy, xz, yz
    scr_vec3 centre;         ///< m, in the frame; of use only where inertia is given
    uint32_t group;          ///< bits: the groups this body is in; default 1
    uint32_t collides_with;  ///< bits: the groups it touches; default all. Two bodies touch if each accepts the other
    scr_vec3 surface_velocity;  ///< m/s, in the axes of the frame, relative to the body: its surface conveys, as a belt
                                ///< does over its frame. What of it is tangential to a contact counts; default 0
    void *user_data;            ///< whatever the caller wants to find again; see scr_body_user_data
} scr_body_def;

/// Where a body is and how it moves. Position is that of the centre of mass, rotation that of the principal axes;
/// for a body of one shape both are the shape's own.
typedef struct scr_body_state {
    scr_vec3 position;  ///< m
    scr_quat rotation;
    scr_vec3 velocity;  ///< m/s
    scr_vec3 spin;      ///< rad/s, world axes
} scr_body_state;

/// All bodies as they are now. Valid until the next call that changes the world; entry i is the same body in every
/// array. Bodies are re-sorted in space from time to time: follow one by its handle.
typedef struct scr_body_view {
    int64_t count;
    const double *x, *y, *z;     ///< m
    const double *vx, *vy, *vz;  ///< m/s
    const double *qw, *qx, *qy, *qz;
    const double *wx, *wy, *wz;  ///< rad/s, body axes
    const double *inv_mass;      ///< 1/kg, 0 unless dynamic
    const uint8_t *kind;         ///< scr_body_kind
    const uint64_t *id;          ///< 1, 2, 3, ... in the order of creation; never used again
    const scr_body *handle;
} scr_body_view;

/// A dynamic body at the origin, at rest, in group 1, that touches everything; it has no shapes yet.
SCR_API scr_body_def scr_default_body_def(void);
/// Add a body. SCR_BAD_INPUT names what is wrong with the definition; *body is null then.
SCR_API scr_status scr_world_add_body(scr_world *world, const scr_body_def *def, scr_body *body, scr_error *error);
/// Add count dynamic spheres at once; velocity may be NULL (at rest), bodies may be NULL. All or none are added.
SCR_API scr_status scr_world_add_spheres(scr_world *world, int64_t count, const scr_vec3 *position,
                                         const double *radius, const scr_vec3 *velocity, scr_material material,
                                         scr_body *bodies, scr_error *error);
/// Remove bodies, with their joints and springs. All or, if a handle is stale or named twice, none are removed.
SCR_API scr_status scr_world_remove_bodies(scr_world *world, int64_t count, const scr_body *bodies, scr_error *error);

/// Whether the handle is that of a body in this world.
SCR_API bool scr_body_is_alive(const scr_world *world, scr_body body);
/// Where a body is and how it moves, at the end of the last step.
SCR_API scr_status scr_body_get_state(const scr_world *world, scr_body body, scr_body_state *state, scr_error *error);
/// Put a body somewhere and let it move so. This is how a kinematic body is driven: it goes on with the velocity and
/// the spin that were set last. A dynamic body may be set too; its contacts then begin anew where it does not touch as
/// before.
SCR_API scr_status scr_body_set_state(scr_world *world, scr_body body, const scr_body_state *state, scr_error *error);
/// Let a body's surface move relative to it, in m/s along the axes of its state (for fixed and kinematic bodies, those
/// of its frame), from the next step on; 0 ends it. Part of the state: saved and hashed.
SCR_API scr_status scr_body_set_surface_velocity(scr_world *world, scr_body body, scr_vec3 velocity, scr_error *error);
/// The surface velocity of a body in m/s, as it was set; 0 for stale handles.
SCR_API scr_vec3 scr_body_surface_velocity(const scr_world *world, scr_body body);
/// Keep a pointer with a body for as long as the body lives, however bodies are sorted. It means nothing to the world:
/// it is neither hashed nor saved, and NULL after a load.
SCR_API scr_status scr_body_set_user_data(scr_world *world, scr_body body, void *data, scr_error *error);
/// The pointer kept with a body; NULL if there is none, or the handle is stale.
SCR_API void *scr_body_user_data(const scr_world *world, scr_body body);
/// Mass in kg; 0 for fixed and kinematic bodies and for stale handles.
SCR_API double scr_body_mass(const scr_world *world, scr_body body);
/// Push in the next step, and in that one only: force in N and torque in N m about the centre of mass, world axes.
/// Several pushes add up. A step that fails keeps them. Bodies that are not dynamic are not moved by it.
SCR_API scr_status scr_body_apply_force(scr_world *world, scr_body body, scr_vec3 force, scr_vec3 torque,
                                        scr_error *error);
/// What all contacts together did to the body in the last step: mean force in N, mean torque in N m about its centre of
/// mass.
SCR_API scr_status scr_body_contact_force(const scr_world *world, scr_body body, scr_vec3 *force, scr_vec3 *torque,
                                          scr_error *error);
/// All bodies at once. Valid until the next call that changes the world.
SCR_API scr_body_view scr_world_bodies(const scr_world *world);

/// One shape as it stands in the world now, for pictures and files.
typedef struct scr_placed_shape {
    scr_shape_kind kind;
    scr_vec3 position;  ///< m
    scr_quat rotation;
    double radius;  ///< m; as in scr_shape
    scr_vec3 half;  ///< m
    scr_surface surface;
    int64_t body;       ///< entry in the body view
    uint32_t material;  ///< index, from 0, in the order in which materials were added
} scr_placed_shape;
/// How many shapes all bodies have together.
SCR_API int64_t scr_world_shape_count(const scr_world *world);
/// Shape 0, 1, ... of the world, where it stands now; those of a body follow one another. All zero if the index is out
/// of range.
SCR_API scr_placed_shape scr_world_shape(const scr_world *world, int64_t index);

#ifdef __cplusplus
}
#endif

#endif
