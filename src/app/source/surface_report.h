// SPDX-License-Identifier: BSD-3-Clause
// What a surface is, for scree check and scree info.
#ifndef APP_SOURCE_SURFACE_REPORT_H
#define APP_SOURCE_SURFACE_REPORT_H

#include "geometry/surface/surface.h"

// "mesh: 8 points, 12 triangles, closed, 0.125 m^3"; no end of line.
void print_surface_line(const shape_surface *s);
// The same as a table, with the box and the centre of mass, in the frame the points were given in.
void print_surface_table(const shape_surface *s);

#endif
