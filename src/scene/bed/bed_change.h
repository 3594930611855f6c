// SPDX-License-Identifier: BSD-3-Clause
// Beds cut, moved, mirrored, scaled, repeated and merged. Contacts follow with their history as far as it has a meaning
// afterwards. After a failure a bed is of no use but to be freed.
#ifndef SCENE_BED_BED_CHANGE_H
#define SCENE_BED_BED_CHANGE_H

#include "scene/bed/bed.h"

// Keep the grains whose centres are in low <= x < high. An axis along which the bed repeats goes on to do so if the
// box holds all of its cell.
scr_status bed_cut(bed *b, scr_vec3 low, scr_vec3 high, scr_error *error);
void bed_shift(bed *b, scr_vec3 by);
// At the plane x, y or z = 0 (axis 0, 1 or 2), with all motion. Contacts of other shapes than spheres begin anew.
scr_status bed_mirror(bed *b, int axis, scr_error *error);
// All lengths about the origin. Grains keep their density; motion is scaled as under the same gravity (velocities by
// the square root), impulses as the weights.
void bed_scale(bed *b, double factor);
// So many copies along each axis, for more than one of which the bed must repeat itself; copies touch across the seams
// as the tile touched itself, with that history. The result repeats itself with the length of all copies.
scr_status bed_repeat(bed *b, const int count[3], scr_error *error);
// The other's grains after those of b. Materials of one name must be alike. The cell stays if both have the same.
// Contacts between the two begin when they are stepped.
scr_status bed_merge(bed *b, bed *other, scr_error *error);

#endif
