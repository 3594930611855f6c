// VTK's files of unstructured grids (.vtu), and the list of them that gives a series its times (.pvd).
//
// A frame becomes up to three files: spheres as points with a radius, solids as cells (io/export/part_mesh.h), and contacts, if the
// frame has any, as lines between bodies.
#ifndef IO_EXPORT_VTU_FILE_H
#define IO_EXPORT_VTU_FILE_H

#include "io/export/part_mesh.h"

typedef struct vtu_series vtu_series;

scr_status vtu_series_begin(const char *directory, vtu_series **series, scr_error *error);
scr_status vtu_series_add(vtu_series *series, int64_t number, const frame *f, scr_error *error);
scr_status vtu_series_end(vtu_series *series, scr_status status, scr_error *error);  // writes run.pvd if all went well

#endif
