// SPDX-License-Identifier: BSD-3-Clause
// HDF5 files that are written once, with a seal: a checksum of the whole file, which is looked at before HDF5 sees the
// file. HDF5 follows what is in a damaged file, and may free what is not its own. Metadata have checksums of their own,
// but not everything that decides where it reads.
//
// The seal lies in the user block, SEAL_BYTES that HDF5 leaves to others at the front of a file:
//     bytes 0-15    "scree seal 1" and a line feed, filled with 0
//           16-23   bytes in the file, the user block included; little-endian, as what follows
//           24-31   XXH64 of all bytes behind the user block
//           32-39   XXH64 of bytes 0-31
#ifndef IO_FILE_SEALED_FILE_H
#define IO_FILE_SEALED_FILE_H

#include <hdf5.h>

#include "core/base/status.h"

enum { SEAL_BYTES = 512 };  // the least that HDF5 allows

// Write the next version of path (core/file/temporary_file.h).
scr_status sealed_create(const char *path, hid_t *file, scr_error *error);
// Closes, seals and brings it to its place; or, after an earlier failure (`status`), removes it. Returns the first
// failure.
scr_status sealed_finish(const char *path, hid_t file, scr_status status, scr_error *error);

// Whether there is a seal; SCR_IO if there is one and the file is not as it was when sealed, or cannot be read.
scr_status sealed_check(const char *path, bool *is_sealed, scr_error *error);
// Seal a closed file with a user block, as it is.
scr_status sealed_seal(const char *path, scr_error *error);

#endif
