// SPDX-License-Identifier: BSD-3-Clause
// The deepest ball below a point of a surface.
//
// Under a surface point x with the inward normal m the centre c = x + D m has a depth d(c) <= D. D - d(c) grows with D:
// the deepest centre with D - d(c) <= slack is found from above. Let q be the surface point nearest to c, w = q - x;
// the D for which q would be just at the distance D - slack,
//     D = (|w|^2 - slack^2) / (2 (w . m - slack)),
// is never less than the one looked for (the shrinking ball of Ma, Bae and Choi, with slack). This holds for any q
// nearer than D - slack, so those of one triangle are gone through before the whole surface is asked again, and then
// only for what is nearer than the q that is known.
//
// A slack of 0 gives the ball that touches the surface in two places. With a little, the many flat edges of a
// tessellated round face do not count as edges; with a whole error it goes as deep as is of any use.
#ifndef FITTING_SINKING_H
#define FITTING_SINKING_H

#include "fitting/surface_depth.h"

// A search for the deepest centre below x.
typedef struct sinking {
    const shape_surface *surface;
    scr_vec3 x, inward;
    double slack;         // m
    double along;         // m, D: none is deeper
    surface_place limit;  // that says so; of no triangle: none does yet
} sinking;

static inline scr_vec3 sinking_centre(const sinking *s) { return vec3_add_scaled(s->x, s->along, s->inward); }
// A place that may let no centre be as deep as is thought so far.
void sinking_limit(sinking *s, const surface_place *place);
// The depth of the deepest centre, which is then at `along`.
double sink(sinking *s);

#endif
