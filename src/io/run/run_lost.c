// SPDX-License-Identifier: BSD-3-Clause
// A run directory under which somebody takes files away, or which is moved or removed itself.
#include <string.h>
#include <unistd.h>

#include "io/file/open_file.h"
#include "io/run/run_directory_parts.h"

scr_status run_directory_fail_homeless(const run_directory *run, scr_error *error)
{
    return scr_fail(error, SCR_IO, "another directory has taken the place of %s: nothing is saved there", run->path);
}

// The files that grow are closed as they are; what they hold is in the record.
static void let_go(run_directory *run)
{
    trajectory_abandon(run->trajectory);
    probes_file_close(run->probes);
    run->trajectory = NULL;
    run->probes = NULL;
}

// The directory is gone: the state can still be saved where it was.
static scr_status settle_again(run_directory *run, scr_error *error)
{
    close(run->lock);
    run->lock = -1;
    scr_status status = directory_create(run->path, error);
    if (status == SCR_OK) status = run_directory_lock(run, error);
    if (status != SCR_OK) return status;
    return scr_fail(error, SCR_IO,
                    "%s was removed while the run went on: its rows and frames are lost, the state is not (`scree "
                    "resume --force` goes on)",
                    run->path);
}

static scr_status find_directory(run_directory *run, scr_error *error)
{
    char moved[PATH_LENGTH_MAX];
    let_go(run);
    if (open_directory_path(run->lock, moved)) {
        scr_status status = scr_fail(error, SCR_IO, "%s was moved to %s while the run went on", run->path, moved);
        memcpy(run->path, moved, strlen(moved) + 1);
        return status;
    }
    if (!path_exists(run->path)) return settle_again(run, error);
    run->is_homeless = true;
    return run_directory_fail_homeless(run, error);
}

scr_status run_directory_look(run_directory *run, scr_error *error)
{
    if (run->is_homeless) return run_directory_fail_homeless(run, error);
    if (!is_open_as(run->lock, run->path)) return find_directory(run, error);
    bool lost_probes = run->probes != NULL && !probes_file_is_in_place(run->probes);
    bool lost_frames = run->trajectory != NULL && !trajectory_is_in_place(run->trajectory);
    if (!lost_probes && !lost_frames) return SCR_OK;
    let_go(run);
    return scr_fail(error, SCR_IO, "%s/%s was removed or replaced while the run went on", run->path,
                    RUN_FILE_NAMES[lost_probes ? RUN_PROBES : RUN_TRAJECTORY]);
}
