// Bodies: made from a definition, held by a handle, read in bulk through a view.
#ifndef SCREE_BODY_H
#define SCREE_BODY_H

#include "scree/shape.h"

/// One body: two words, passed by value. All zero is null. A handle to a removed body is stale and every call says so.
typedef struct scr_body { uint32_t index1, generation; } scr_body;

typedef enum scr_body_kind {
    SCR_DYNAMIC,    ///< moved by forces and contacts
    SCR_FIXED,      ///< never moves
    SCR_KINEMATIC,  ///< moves as told, whatever pushes against it
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
    scr_vec3 inertia;         ///< kg m^2, about the centre of mass, along the axes of the frame; 0 (default): from the shapes.
                              ///< Given together with mass; centre then says where the centre of mass is
    scr_vec3 products;        ///< kg m^2, likewise: off the diagonal of the inertia, xy, xz, yz
    scr_vec3 centre;          ///< m, in the frame; of use only where inertia is given
    uint32_t group;           ///< bits: the groups this body is in; default 1
    uint32_t collides_with;   ///< bits: the groups it touches; default all. Two bodies touch if each accepts the other
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
    const double *x, *y, *z;           ///< m
    const double *vx, *vy, *vz;        ///< m/s
    const double *qw, *qx, *qy, *qz;
    const double *wx, *wy, *wz;        ///< rad/s, body axes
    const double *inv_mass;            ///< 1/kg, 0 unless dynamic
    const uint8_t *kind;               ///< scr_body_kind
    const uint64_t *id;                ///< 1, 2, 3, ... in the order of creation; never used again
    const scr_body *handle;
} scr_body_view;

SCR_API scr_body_def scr_default_body_def(void);
SCR_API scr_status scr_world_add_body(scr_world *world, const scr_body_def *def, scr_body *body, scr_error *error);
/// Add count dynamic spheres at once; velocity may be NULL (at rest), bodies may be NULL. All or none are added.
SCR_API scr_status scr_world_add_spheres(scr_world *world, int64_t count, const scr_vec3 *position, const double *radius,
                                         const scr_vec3 *velocity, scr_material material, scr_body *bodies,
                                         scr_error *error);
SCR_API scr_status scr_world_remove_bodies(scr_world *world, int64_t count, const scr_body *bodies, scr_error *error);

SCR_API bool scr_body_is_alive(const scr_world *world, scr_body body);
SCR_API scr_status scr_body_get_state(const scr_world *world, scr_body body, scr_body_state *state, scr_error *error);
SCR_API scr_status scr_body_set_state(scr_world *world, scr_body body, const scr_body_state *state, scr_error *error);
SCR_API double scr_body_mass(const scr_world *world, scr_body body);  ///< kg; 0 for fixed, kinematic or stale ones
/// Push for the next step only: force in N and torque in N m about the centre of mass, world axes.
SCR_API scr_status scr_body_apply_force(scr_world *world, scr_body body, scr_vec3 force, scr_vec3 torque, scr_error *error);
/// What all contacts together did to the body in the last step: mean force in N, mean torque in N m about its centre of mass.
SCR_API scr_status scr_body_contact_force(const scr_world *world, scr_body body, scr_vec3 *force, scr_vec3 *torque,
                                          scr_error *error);
SCR_API scr_body_view scr_world_bodies(const scr_world *world);

/// One shape as it stands in the world now, for pictures and files.
typedef struct scr_placed_shape {
    scr_shape_kind kind;
    scr_vec3 position;  ///< m
    scr_quat rotation;
    double radius;      ///< m; as in scr_shape
    scr_vec3 half;      ///< m
    scr_surface surface;
    int64_t body;       ///< entry in the body view
    uint32_t material;  ///< index, from 0, in the order in which materials were added
} scr_placed_shape;
SCR_API int64_t scr_world_shape_count(const scr_world *world);
SCR_API scr_placed_shape scr_world_shape(const scr_world *world, int64_t index);

#endif
