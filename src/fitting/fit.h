// SPDX-License-Identifier: BSD-3-Clause
// Spheres that stand for the surface of a part, by two methods.
//
// Paper   one sphere through the corners of each triangle, its centre sunk below the triangle so that f = depth /
//         radius. Triangles beside a sharp edge are cut in four and fitted with f = 0. It was published, as spherical
//         decomposition, with simulations of tracked vehicles on granular terrain.
// Cover   as few spheres as a greedy search finds so that no point of the surface is farther than `error` from the set
//         and no point of the set is farther than `error` outside the part.
#ifndef FITTING_FIT_H
#define FITTING_FIT_H

#include "fitting/part.h"
#include "geometry/sphere_set/sphere_set.h"

typedef struct paper_fit {
    double f;            // 0 <= f < 1
    double sharp_angle;  // rad; neighbours whose normals differ by more stand at a sharp edge
    double size;         // m; triangles with a longer edge are cut first. Infinite: taken as they are
} paper_fit;

typedef struct cover_fit {
    double error;  // m
    int threads;
} cover_fit;

// The set is empty before, and after a failure. Its solid is the part's. Neither depends on the number of threads.
scr_status fit_paper(const part *p, const paper_fit *how, sphere_set *out, scr_error *error);
scr_status fit_cover(const part *p, const cover_fit *how, sphere_set *out, scr_error *error);

#endif
