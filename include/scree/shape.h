// Shapes: the geometry a body carries. A body may carry any number of them.
#ifndef SCREE_SHAPE_H
#define SCREE_SHAPE_H

#include "scree/material.h"

typedef enum scr_shape_kind {
    SCR_SPHERE,
    SCR_BOX,
    SCR_PLANE,  ///< everything below z = 0 of the shape's own frame; fixed and kinematic bodies only
} scr_shape_kind;

/// One shape in the frame of its body. Make one with scr_sphere(), scr_box() or scr_plane(), then move it if need be.
typedef struct scr_shape {
    scr_shape_kind kind;
    scr_material material;
    scr_vec3 position;  ///< m, in the body's frame
    scr_quat rotation;  ///< in the body's frame
    double radius;      ///< m; spheres
    scr_vec3 half;      ///< m, half the edges; boxes
} scr_shape;

SCR_API scr_shape scr_sphere(double radius, scr_material material);
SCR_API scr_shape scr_box(scr_vec3 half_edges, scr_material material);
SCR_API scr_shape scr_plane(scr_material material);

#endif
