// SPDX-License-Identifier: BSD-3-Clause
// A bed (scene/bed/bed.h) in an HDF5 file.
//
//   /about/FIELD                        law, time_step, step_count, cell_low, cell_length
//   /materials/FIELD, /grains/FIELD, /shapes/FIELD, /frames/FIELD, /shape_materials/FIELD
//   /contacts/FIELD, /complementarity/FIELD, /penalty/FIELD, /angular_impulses/FIELD
//   attributes of /                     comment, format, format_version, scree_version, hash
//
// One dataset a field, with its unit; SI throughout. The file is sealed (io/file/sealed_file.h) and whole or not there.
// Reading checks the seal, the format, names, types and sizes of all fields, the hash, and that all numbers can be.
#ifndef IO_BED_BED_FILE_H
#define IO_BED_BED_FILE_H

#include "scene/bed/bed.h"

scr_status bed_file_write(const char *path, const bed *b, scr_error *error);
// Into a bed that has been init.
scr_status bed_file_read(const char *path, bed *b, scr_error *error);
bool bed_file_holds_one(const char *path);  // of a sealed file that is whole: says that it is a bed

#endif
