// A frame: all shapes of a world at one moment, in single precision, for files and pictures. It says nothing that a
// checkpoint would need.
#ifndef IO_FRAME_H
#define IO_FRAME_H

#include "core/memory.h"
#include "scree/scree.h"

typedef struct frame_spheres {
    int64_t count, capacity;
    float *position;  // m, 3 a sphere
    float *velocity;  // m/s, 3 a sphere
    float *radius;    // m
    uint32_t *id;     // of the body
    uint8_t *material;
} frame_spheres;

typedef struct frame_box {
    float position[3];  // m
    float rotation[4];  // w, x, y, z
    float half[3];      // m
    float velocity[3];  // m/s
    uint32_t id;
    uint8_t material;
    uint8_t kind;  // scr_body_kind
} frame_box;

typedef struct frame_plane {
    float position[3];
    float rotation[4];
    uint32_t id;
    uint8_t material;
} frame_plane;

typedef struct frame {
    double time;  // s
    frame_spheres spheres;
    frame_box *boxes;
    int64_t box_count, box_capacity;
    frame_plane *planes;
    int64_t plane_count, plane_capacity;
} frame;

scr_status frame_capture(const scr_world *world, frame *f, scr_error *error);  // buffers only grow
// Room for at least so many of each; what is there is kept.
scr_status frame_reserve(frame *f, int64_t spheres, int64_t boxes, int64_t planes, scr_error *error);
void frame_free(frame *f);

#endif
