// SPDX-License-Identifier: BSD-3-Clause
// Parts from CAD: STEP and IGES files, meshed by Gmsh where that is there.
#ifndef APP_SPHERES_CAD_FILE_H
#define APP_SPHERES_CAD_FILE_H

#include "geometry/mesh_file/mesh_file.h"

bool cad_file_has_ending(const char *path);  // .step, .stp, .iges or .igs
const char *cad_library(void);               // "Gmsh 4.8.4"; NULL: not built in
// The surface of all solids in it, in m whatever unit the file has, times scale. size: of triangles, m before scaling;
// infinite: as Gmsh chooses, finer where the surface is curved.
scr_status cad_file_read(const char *path, double scale, double size, triangle_soup *out, scr_error *error);

#endif
