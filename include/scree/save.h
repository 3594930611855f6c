// SPDX-License-Identifier: BSD-3-Clause
// Worlds saved to and loaded from a file or memory.
//
// What is saved is the definition and everything that decides the future: a world that was loaded and stepped is, bit
// by bit, the one that was saved and stepped, and has the same hash. Handles are valid in it as they were. Not saved
// are functions (of motors, and the force function), user data and forces for the next step: set them again. The
// contacts of the last step are found again by the next one.
//
// The format is self-describing, with version and checksum, for machines of the same byte order. Files of another
// format, or that are cut off or damaged, are refused with a sentence.
#ifndef SCREE_SAVE_H
#define SCREE_SAVE_H

#include "scree/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Save a world to a file. It replaces one of that name as a whole: readers see the old one or the new, even after a
/// crash. SCR_IO says why it could not be written.
SCR_API scr_status scr_world_save(const scr_world *world, const char *path, scr_error *error);
/// Make a world of a file. It belongs to the caller: scr_world_destroy. SCR_IO or SCR_BAD_INPUT say what is wrong with
/// the file; *world is NULL then.
SCR_API scr_status scr_world_load(const char *path, scr_world **world, scr_error *error);

/// Save a world to memory of `*size` bytes, which belong to the caller: scr_memory_free.
SCR_API scr_status scr_world_save_to_memory(const scr_world *world, void **data, size_t *size, scr_error *error);
/// Make a world of what scr_world_save_to_memory or a file gave. The bytes are not needed any more afterwards.
SCR_API scr_status scr_world_load_from_memory(const void *data, size_t size, scr_world **world, scr_error *error);
/// Give back what scr_world_save_to_memory made. NULL is fine.
SCR_API void scr_memory_free(void *data);

#ifdef __cplusplus
}
#endif

#endif
