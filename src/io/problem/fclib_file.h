// SPDX-License-Identifier: BSD-3-Clause
// FCLIB's layout of an HDF5 file.
//
//   /fclib_global/spacedim, M/, H/   matrices: m, n, nz (-1: compressed columns), nzmax, p, i, x
//   /fclib_global/vectors/           f, w, mu
//   /fclib_global/info/              title, description, math_info
//   /guesses/1, /solution            v, u, r
#ifndef IO_PROBLEM_FCLIB_FILE_H
#define IO_PROBLEM_FCLIB_FILE_H

#include <hdf5.h>

#include "io/problem/fclib.h"

// Negative on failure, as HDF5 does it.
herr_t fcl_write_problem(hid_t file, const fcl_problem *p, const char *title);
herr_t fcl_write_solution(hid_t file, const char *group, const fcl_problem *p, const fcl_solution *solution);
herr_t fcl_write_guess(hid_t file, const fcl_problem *p, const fcl_solution *guess);

bool fcl_is_global(hid_t file);
bool fcl_is_local(hid_t file);
// Matrices by columns, by rows and as triplets are read; after a failure *p is empty.
scr_status fcl_read_problem(hid_t file, const char *path, fcl_problem *p, scr_error *error);

#endif
