// SPDX-License-Identifier: BSD-3-Clause
// LAMMPS on the same bed, where it is installed (package lammps, and openmpi-bin for more than one process).
#ifndef BENCH_LAMMPS_H
#define BENCH_LAMMPS_H

#include "scree/scree.h"

// Seconds a step of gran/hertz/history, the faster of its two styles with history, in a box of lx x ly with five walls;
// 0 if it is not there or fails. Its files go to a directory of their own under /tmp, which is removed.
double lammps_step_seconds(const scr_vec3 *position, int64_t count, double lx, double ly, int processes, int warm_steps,
                           int steps);

#endif
