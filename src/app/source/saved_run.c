// SPDX-License-Identifier: BSD-3-Clause
// A run as it stands in its last checkpoint, in memory.
#include "app/source/saved_run.h"

#include "core/base/threads.h"
#include "core/file/safe_file.h"
#include "io/run/checkpoint.h"
#include "io/run/run_directory.h"
#include "io/scene/scene_reader.h"

scr_status open_saved_run(const char *directory, int threads, built_scene *built, scr_error *error)
{
    char scene_path[PATH_LENGTH_MAX], state_path[PATH_LENGTH_MAX];
    table *state[SIMULATION_TABLE_MAX];
    scr_run_record record = {0};
    table about = run_record_table(&record);
    scr_status status = run_directory_expect_run(directory, error);
    if (status == SCR_OK) status = path_join(scene_path, directory, "scene.json", error);
    if (status == SCR_OK) status = path_join(state_path, directory, "checkpoint.h5", error);
    if (status == SCR_OK) status = scene_read_run_file(scene_path, &built->scene, error);
    if (status == SCR_OK) status = simulation_create(built->scene, false, threads, &built->simulation, error);
    if (status != SCR_OK) return status;
    int state_count = simulation_tables(built->simulation, state);
    status = checkpoint_read(state_path, state, state_count, &about, scr_core_count(), error);
    return status == SCR_OK ? simulation_after_load(built->simulation, error) : status;
}
