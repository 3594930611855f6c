// SPDX-License-Identifier: BSD-3-Clause
// VTK's files of unstructured grids (.vtu), and the list of them that gives a series its times (.pvd).
//
// A frame becomes up to four files: spheres as points with a radius; ellipsoids, capsules, cylinders and cones, if the
// frame has any, as glyphs, which are points with half axes and a rotation; solids as cells (io/export/part_mesh.h);
// and contacts, if the frame has any, as lines between bodies. Where round shapes are tessellated they are solids, and
// there are no glyphs.
#ifndef IO_EXPORT_VTU_FILE_H
#define IO_EXPORT_VTU_FILE_H

#include "io/export/part_mesh.h"

typedef struct vtu_series vtu_series;

// segments: of the circles of tessellated shapes; 0: glyphs.
scr_status vtu_series_begin(const char *directory, int segments, vtu_series **series, scr_error *error);
scr_status vtu_series_add(vtu_series *series, int64_t number, const frame *f, scr_error *error);
scr_status vtu_series_end(vtu_series *series, scr_status status, scr_error *error);  // writes run.pvd if all went well

#endif
