// SPDX-License-Identifier: BSD-3-Clause
// A helical anchor in figures: a shaft with a round tip and a helix of thin boxes, and the mass properties of all that
// together.
//
// The anchor's frame has its origin at the end of the tip and z along the axis, into the ground; the shaft stands along
// -z. With R the helix' radius, p its pitch, n its turns and N its boxes, box k is about the radial line
//   a_k = 2 pi n ((k + 1/2) / N - 1),   z_k = -height + p a_k / (2 pi)
// (a left-handed one has -a_k in the place of the angle), so that a rotation by a > 0 about z with an advance of
// p a / (2 pi) takes a right-handed helix along itself. A box is flat: it is inclined as the helix is midway between
// shaft and rim. Its outer corners lie on the rim, its inner ones on the shaft, and beside each other boxes join at the
// rim.
#ifndef VEHICLE_ANCHOR_HELICAL_ANCHOR_H
#define VEHICLE_ANCHOR_HELICAL_ANCHOR_H

#include <stdbool.h>

#include "core/maths/pose.h"

enum { HELIX_BOXES_MAX = 512, HELIX_TURNS_MAX = 50 };

typedef struct anchor_helix {
    double radius;     // m, of the rim
    double pitch;      // m a turn
    double turns;      // may be a fraction
    double thickness;  // m, of the boxes
    double height;     // m: of its lower end above the end of the tip
    int boxes;         // 0: there is no helix
    bool is_left_handed;
} anchor_helix;

typedef struct helical_anchor {
    double shaft_radius, shaft_length;  // m; the shaft begins at the centre of the tip
    double tip_radius;                  // m, of a sphere
    anchor_helix helix;
} helical_anchor;

// A box of the helix in the anchor's frame: x points outward, y along the helix, z across it.
typedef struct anchor_box {
    pose at;        // of its centre
    scr_vec3 size;  // m
} anchor_box;
anchor_box anchor_helix_box(const helical_anchor *anchor, int k);

// Of the union of tip, shaft and boxes, where material counts once, at a density of 1 kg/m^3.
typedef struct anchor_mass {
    double volume;      // m^3
    scr_vec3 centre;    // m, in the anchor's frame
    scr_vec3 inertia;   // m^5: xx, yy, zz about the centre
    scr_vec3 products;  // m^5: xy, xz, yz, off the diagonal of that matrix
} anchor_mass;
anchor_mass anchor_union_mass(const helical_anchor *anchor);

#endif
