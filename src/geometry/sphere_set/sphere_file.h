// SPDX-License-Identifier: BSD-3-Clause
// Sphere sets as text. Lines that begin with # are notes.
//
//   scree-spheres 1
//   volume V                     m^3, of the solid
//   inertia XX YY ZZ XY XZ YZ    m^2, about the centre of mass, for a mass of one
//   centre X Y Z                 m, of mass, in the frame of the file that the surface came from
//   spheres N
//   X Y Z R                      m, from the centre of mass; N such lines
#ifndef GEOMETRY_SPHERE_SET_SPHERE_FILE_H
#define GEOMETRY_SPHERE_SET_SPHERE_FILE_H

#include "geometry/sphere_set/sphere_set.h"

// Lengths are multiplied by scale. Errors name file and line; on failure *out is empty.
scr_status sphere_file_read(const char *path, double scale, sphere_set *out, scr_error *error);
// The same from memory; text[size] is NUL. name stands in messages.
scr_status sphere_file_read_text(const char *text, size_t size, const char *name, double scale, sphere_set *out,
                                 scr_error *error);
// note: what stands behind the first #, may have several lines.
scr_status sphere_file_write(const char *path, const sphere_set *set, const char *note, scr_error *error);
bool sphere_file_has_ending(const char *path);  // .spheres

#endif
