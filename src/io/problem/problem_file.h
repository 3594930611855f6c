// SPDX-License-Identifier: BSD-3-Clause
// The contact problem of a step in a file, for `scree solve` and for other programs.
//
//   /fclib_global, /guesses, /solution   as FCLIB has them (io/problem/fclib_file.h): what other programs read
//                                        Not there if contacts resist rolling, which FCLIB's do not, or with joints
//   /scree/bodies, contacts, joined, joint_blocks, joint_arms, about
//                                        our own arrays (laboratory/saved_system.h): what scree reads, to the bit
//   attributes of /scree                 format_version, scree_version, hash
//
// A file of FCLIB without the group /scree is read as well, where its unknowns are rigid bodies.
#ifndef IO_PROBLEM_PROBLEM_FILE_H
#define IO_PROBLEM_PROBLEM_FILE_H

#include "laboratory/saved_system.h"

scr_status problem_file_write(const char *path, const saved_system *s, scr_error *error);
bool problem_file_holds_one(const char *path);  // a problem, of scree or of FCLIB, sound or not
// Into a system that has been init. What is read has passed saved_system_check.
scr_status problem_file_read(const char *path, saved_system *s, scr_error *error);

#endif
