// SPDX-License-Identifier: BSD-3-Clause
// A frame: all shapes of a world at one moment, in single precision, for files and pictures. It says nothing that a
// checkpoint would need.
#ifndef IO_TRAJECTORY_FRAME_H
#define IO_TRAJECTORY_FRAME_H

#include "core/base/memory.h"
#include "core/maths/period.h"
#include "core/maths/pose.h"
#include "scree/scree.h"

typedef struct frame_spheres {
    int64_t count, capacity;
    float *position;  // m, 3 a sphere
    float *velocity;  // m/s, 3 a sphere
    float *radius;    // m
    uint32_t *id;     // of the body
    uint8_t *material;
} frame_spheres;

// A shape of any kind but a sphere. A trajectory does not say how planes move: theirs are fixed.
typedef struct frame_shape {
    float position[3];  // m
    float rotation[4];  // w, x, y, z
    // m; boxes: half edges; ellipsoids: semi-axes; capsules, cylinders, cones: radius, radius, half the axis; else 0
    float half[3];
    float velocity[3];          // m/s
    float angular_velocity[3];  // rad/s, world axes
    int32_t surface;            // hulls, meshes, heightfields, sphere sets: entry in the surfaces; else -1
    uint32_t id;
    uint8_t material;
    uint8_t kind;      // scr_body_kind
    uint8_t shape;     // scr_shape_kind
    int32_t image[3];  // cells by which it was moved, see frame_wrap
} frame_shape;

static inline pose frame_shape_pose(const frame_shape *s)
{
    return (pose){{s->position[0], s->position[1], s->position[2]},
                  {s->rotation[0], s->rotation[1], s->rotation[2], s->rotation[3]}};
}

// A contact that carries a force. Its ends are the centres of the two bodies; of one that contacts cannot move, the
// point of contact instead.
typedef struct frame_contact {
    float ends[6];       // m: of a, of b
    float force[3];      // N, on b, mean over the last step
    uint32_t bodies[2];  // ids of a and b
} frame_contact;

// Rotation and angular velocity of a sphere: row i belongs to sphere i.
typedef struct frame_rotation {
    float rotation[4];          // w, x, y, z
    float angular_velocity[3];  // rad/s, world axes
} frame_rotation;

// By how many cells a sphere was moved (frame_wrap): position + image * length is where it has come to. Row i belongs
// to sphere i.
typedef struct frame_image {
    int32_t along[3];
} frame_image;

// The points and triangles of all hulls, meshes and heightfields, and the spheres of all sphere sets, in the frames of
// their shapes. They stay what they are during a run, so frames do not carry them: they point to them.
typedef struct frame_surface {
    int64_t first_vertex, vertex_count, first_triangle, triangle_count;
} frame_surface;
typedef struct frame_sphere_set {
    int64_t first, count;  // of its spheres; none: the surface is no sphere set
} frame_sphere_set;
typedef struct frame_surfaces {
    frame_surface *item;
    int64_t count, capacity;
    float *vertex;  // m, 3 each
    int64_t vertex_count, vertex_capacity;
    int32_t *triangle;  // 3 each: vertices, counted from the surface's first
    int64_t triangle_count, triangle_capacity;
    frame_sphere_set *set;  // (count), or NULL where no surface is one
    int64_t set_capacity;
    float *sphere;  // m, 4 each: centre, radius
    int64_t sphere_count, sphere_capacity;
} frame_surfaces;

// How many shapes of each sort.
typedef struct frame_size {
    int64_t spheres, boxes, planes, parts, contacts, rotations;
    int64_t parked;  // of the spheres those outside the world, in the store of an active box
} frame_size;

typedef struct frame {
    double time;  // s
    frame_spheres spheres;
    frame_shape *boxes, *planes, *parts;  // parts: all other shapes
    int64_t box_count, box_capacity, plane_count, plane_capacity, part_count, part_capacity;
    frame_contact *contacts;
    int64_t contact_count, contact_capacity;
    frame_rotation *rotations;
    int64_t rotation_count, rotation_capacity;  // as many as spheres, or none
    bool has_rotations;                         // of all spheres that there may be
    periodic_cell period;                       // of the space it shows
    frame_image *images;
    int64_t image_count, image_capacity;  // as many as spheres, or none
    int64_t *entry_of_handle;             // of a body in the world's view: scratch
    int64_t entry_capacity;
    const frame_surfaces *surfaces;  // what parts refer to; not owned; NULL if there are none
} frame;

// All shapes, no contacts and no rotations of spheres. Buffers only grow. f->surfaces is left as it is: capture them
// apart, when they change. A sphere set is one part.
scr_status frame_capture(const scr_world *world, frame *f, scr_error *error);
// The contacts of the last step as well.
scr_status frame_capture_contacts(const scr_world *world, frame *f, scr_error *error);
// The rotations of the spheres that were captured, too.
scr_status frame_capture_rotations(const scr_world *world, frame *f, scr_error *error);
// After all of these: frame_spread_sets, whatever the frame's own surfaces are.
scr_status frame_capture_set_spheres(const scr_world *world, frame *f, scr_error *error);
// Room for at least so many of each; what is there is kept.
scr_status frame_reserve(frame *f, frame_size size, scr_error *error);
void frame_free(frame *f);
// Where space repeats itself: move every shape, as a whole and with its centre, into the cell, and contacts with their
// first end. Else, nothing. Shapes remember by how much they were moved.
scr_status frame_wrap(frame *f, scr_error *error);
// Spheres instead of the parts that are sphere sets, behind all others; with rotations, if the frame has them.
scr_status frame_spread_sets(frame *f, scr_error *error);
// Take away the shapes of bodies: those with hidden[id - 1], of the first `count` ids. Contacts stay.
void frame_hide_bodies(frame *f, const bool *hidden, int64_t count);

// All surfaces of the world. What was captured before is replaced.
scr_status frame_surfaces_capture(const scr_world *world, frame_surfaces *s, scr_error *error);
void frame_surfaces_free(frame_surfaces *s);

#endif
