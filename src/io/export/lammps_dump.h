// SPDX-License-Identifier: BSD-3-Clause
// Frames as a LAMMPS dump, which OVITO and others read.
//
// It has spheres and ellipsoids; all else is left out. An atom's id is that of its body; of a body's second, third, ...
// shape LAMMPS_NEXT_SHAPE more each, and its mol is that of the body. type is the material, from 1. Where space repeats
// itself (pp) the box is the cell, and ix, iy, iz say by how many cells an atom has come out of it.
#ifndef IO_EXPORT_LAMMPS_DUMP_H
#define IO_EXPORT_LAMMPS_DUMP_H

#include <stdio.h>

#include "io/trajectory/frame.h"

#define LAMMPS_NEXT_SHAPE 1000000000

// has_ellipsoids: the same for all frames of a file, so that they have the same columns.
scr_status lammps_dump_add(FILE *out, int64_t number, const frame *f, bool has_ellipsoids, scr_error *error);

#endif
