// SPDX-License-Identifier: BSD-3-Clause
// Points of a unit cube, for studies that cannot afford a grid. Nothing but the seed decides them.
//
// Latin hypercube (McKay, Beckman, Conover 1979): each axis is cut into as many slices as there are points, and each
// slice of each axis holds one point. Sobol sequence (Sobol 1967; direction numbers of Joe and Kuo 2008): of any 2^k
// points that follow one another from a multiple of 2^k, each of 2^k slices of each axis holds one, and pairs of axes
// are filled evenly too; more points continue the sequence. It is shifted digit by digit (exclusive or) by the seed,
// which keeps these laws.
#ifndef STUDY_DESIGN_UNIT_POINTS_H
#define STUDY_DESIGN_UNIT_POINTS_H

#include <stdint.h>

enum { UNIT_AXES_MAX = 16 };

// u: (count, axes), each in [0, 1).
void latin_hypercube(uint64_t seed, int64_t count, int axes, double *u);
void sobol_points(uint64_t seed, int64_t count, int axes, double *u);

// The place of a point of a grid on each axis, which have so many values: the last axis runs fastest.
void grid_place(int64_t point, const int64_t *value_count, int axes, int64_t *place);

#endif
