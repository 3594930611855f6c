// SPDX-License-Identifier: BSD-3-Clause
// checkpoint.h5: everything a run needs to go on as if it had never stopped.
//
//   /state/TABLE/FIELD   the tables that decide the future (core/arrays/table.h), one dataset a field, with its unit
//   /run/FIELD           what the run knows about itself: how far its other files go, counters and times
//   attributes of /      format, version of the format, scree's version, state_hash, run_hash
//
// A file is written under a temporary name and renamed, so there is always a whole one. It is sealed
// (io/file/sealed_file.h): HDF5 never sees a damaged one. Reading checks the seal, the format, the names, types and
// sizes of all fields, and the hashes: what is loaded is what was saved, or there is a sentence.
#ifndef IO_RUN_CHECKPOINT_H
#define IO_RUN_CHECKPOINT_H

#include "core/arrays/table.h"

// run is a table of scalars. *state_hash receives the fingerprint of the state.
scr_status checkpoint_write(const char *path, table *const *state, int state_count, const table *run, int threads,
                            uint64_t *state_hash, scr_error *error);

// Fill all tables. After a failure they are in no usable state.
scr_status checkpoint_read(const char *path, table *const *state, int state_count, table *run, int threads,
                           scr_error *error);

// What is in a checkpoint, without its state.
enum { CHECKPOINT_TABLE_MAX = 64 };
typedef struct checkpoint_contents {
    uint64_t state_hash;
    char version[32];  // of the scree that wrote it
    int table_count;
    struct {
        char name[48];
        int64_t count;  // entries
        int64_t bytes;
    } table[CHECKPOINT_TABLE_MAX];
} checkpoint_contents;
scr_status checkpoint_list(const char *path, table *run, checkpoint_contents *contents, scr_error *error);

#endif
