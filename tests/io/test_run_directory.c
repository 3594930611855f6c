// SPDX-License-Identifier: BSD-3-Clause
// Run directories from inside: every allocation of a run is made to fail once, and others come and go at the worst
// moment.
#include <errno.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "check.h"
#include "core/file/safe_file.h"
#include "io/run/run_directory.h"
#include "io/scene/scene_reader.h"
#include "io/scratch_directory.h"
#include "io/trajectory/trajectory.h"

static const char SCENE[] =
    "{\"title\": \"a few grains\", \"time\": {\"end\": 0.02},"
    " \"bodies\": [{\"name\": \"floor\", \"kind\": \"fixed\", \"shapes\": [{\"plane\": {}}]},"
    "              {\"position\": [0, 0, 1], \"shapes\": [{\"box\": {\"size\": [0.2, 0.1, 0.1]}}]}],"
    " \"fills\": [{\"region\": {\"box\": {\"low\": [0, 0, 0], \"high\": [0.1, 0.1, 0.1]}}, \"radius\": 0.01}],"
    " \"probes\": [{\"name\": \"floor\", \"kind\": \"body_force\", \"body\": \"floor\"}],"
    " \"output\": {\"frame_interval\": 0.003, \"probe_interval\": 0.001}}";

static scene *read_scene(void)
{
    scene *s = NULL;
    scr_error error = {0};
    scr_status status = scene_read_text(SCENE, strlen(SCENE), "test.json", NULL, 0, &s, NULL, &error);
    if (status != SCR_OK) print_error("%s\n", error.message);
    assert_int_equal(status, SCR_OK);
    return s;
}

static scr_status advance(run_directory *run, simulation *sim, int64_t until, scr_error *error)
{
    scr_status status = SCR_OK;
    while (status == SCR_OK && scr_world_step_count(simulation_world(sim)) < until) {
        status = simulation_step(sim, error);
        if (status == SCR_OK) status = run_directory_step(run, sim, error);
    }
    return status;
}

// The first half of a run, saved. The n-th allocation after the simulation was built fails; negative: none.
static scr_status first_half(const char *path, const scene *s, int64_t n, scr_error *error)
{
    simulation *sim = NULL;
    run_directory *run = NULL;
    scr_status status = simulation_create(s, true, 1, &sim, error);
    scr_fail_allocation_in(n);
    if (status == SCR_OK) status = run_directory_create(path, SCENE, sim, 1, true, &run, error);
    if (status == SCR_OK) status = advance(run, sim, 10, error);
    if (status == SCR_OK) status = run_directory_save(run, sim, SCR_RUN_INTERRUPTED, NULL, NULL, error);
    scr_fail_allocation_in(-1);
    run_directory_close(run, NULL);
    simulation_destroy(sim);
    return status;
}

// The rest of it; *hash is that of the end.
static scr_status second_half(const char *path, const scene *s, int64_t n, uint64_t *hash, scr_error *error)
{
    simulation *sim = NULL;
    run_directory *run = NULL;
    scr_run_record record;
    scr_run_summary summary;
    scr_fail_allocation_in(n);
    scr_status status = run_directory_open(path, &run, &record, error);
    if (status == SCR_OK) status = simulation_create(s, false, 1, &sim, error);
    if (status == SCR_OK) status = run_directory_continue(run, sim, 1, false, error);
    if (status == SCR_OK) status = advance(run, sim, 20, error);
    if (status == SCR_OK) status = run_directory_save(run, sim, SCR_RUN_DONE, NULL, &summary, error);
    if (status == SCR_OK) *hash = summary.state_hash;
    scr_fail_allocation_in(-1);
    run_directory_close(run, NULL);
    simulation_destroy(sim);
    return status;
}

static void without_memory_a_run_can_still_be_resumed(void **state)
{
    scene *s = read_scene();
    scr_error error = {0};
    uint64_t expected = 0, hash = 0;
    assert_int_equal(first_half(*state, s, -1, &error), SCR_OK);
    assert_int_equal(second_half(*state, s, -1, &expected, &error), SCR_OK);

    int64_t n = 0;
    for (; first_half(*state, s, n, &error) != SCR_OK; ++n) {
        assert_int_equal(error.status, SCR_NO_MEMORY);
        assert_non_null(strstr(error.message, "out of memory"));
        if (!run_directory_holds_run(*state)) continue;  // it had not begun
        assert_int_equal(second_half(*state, s, -1, &hash, &error), SCR_OK);
        assert_true(hash == expected);
    }
    assert_true(n > 10);
    for (n = 0; second_half(*state, s, n, &hash, &error) != SCR_OK; ++n) {
        assert_int_equal(error.status, SCR_NO_MEMORY);
        assert_int_equal(first_half(*state, s, -1, &error), SCR_OK);
    }
    assert_true(n > 10);
    assert_true(hash == expected);
    scene_destroy(s);
}

// As first_half left it, opened and stopped again before a step: *summary is then told from what was saved.
static scr_status stop_at_once(const char *path, const scene *s, scr_run_summary *summary, scr_error *error)
{
    simulation *sim = NULL;
    run_directory *run = NULL;
    scr_run_record record;
    scr_status status = run_directory_open(path, &run, &record, error);
    if (status == SCR_OK) status = simulation_create(s, false, 1, &sim, error);
    if (status == SCR_OK) status = run_directory_continue(run, sim, 1, false, error);
    if (status == SCR_OK) status = run_directory_save(run, sim, SCR_RUN_INTERRUPTED, NULL, summary, error);
    if (status == SCR_OK) status = run_directory_close(run, error);
    simulation_destroy(sim);
    return status;
}

static int64_t contacts_of_last_frame(const char *path, int64_t *frames)
{
    trajectory *t = NULL;
    assert_int_equal(trajectory_open(path, &t, NULL), SCR_OK);
    *frames = trajectory_frame_count(t);
    int64_t carried = trajectory_frame_size(t, *frames - 1).contacts;
    trajectory_close(t, NULL);
    return carried;
}

// What contacts know is not in the state: a run that stops before it has done a step again loses none of it.
static void a_state_that_was_only_loaded_is_told_as_it_was(void **state)
{
    scene *s = read_scene();
    s->output.contacts = true;
    scr_error error = {0};
    scr_run_summary first, second;
    int64_t frames_before, frames_after;
    assert_int_equal(first_half(*state, s, -1, &error), SCR_OK);
    int64_t before = contacts_of_last_frame(*state, &frames_before);
    assert_true(before > 0);
    assert_int_equal(stop_at_once(*state, s, &first, &error), SCR_OK);
    assert_int_equal(stop_at_once(*state, s, &second, &error), SCR_OK);
    assert_true(first.energy.elastic > 0.0);
    assert_true(first.energy.elastic == second.energy.elastic);
    assert_int_equal(first.record.touching_count, second.record.touching_count);
    assert_int_equal(contacts_of_last_frame(*state, &frames_after), before);
    assert_int_equal(frames_after, frames_before);
    scene_destroy(s);
}

// Two runs may be started at the same time: who comes second and did not ask to replace one does not.
static void a_run_is_replaced_only_on_demand(void **state)
{
    scene *s = read_scene();
    scr_error error = {0};
    simulation *sim = NULL;
    run_directory *run = NULL;
    assert_int_equal(first_half(*state, s, -1, &error), SCR_OK);
    assert_int_equal(simulation_create(s, true, 1, &sim, &error), SCR_OK);
    assert_int_equal(run_directory_create(*state, SCENE, sim, 1, false, &run, &error), SCR_BAD_INPUT);
    assert_non_null(strstr(error.message, "holds a run already"));
    assert_true(run_directory_holds_run(*state));
    assert_int_equal(run_directory_create(*state, SCENE, sim, 1, true, &run, &error), SCR_OK);
    run_directory_close(run, NULL);
    simulation_destroy(sim);
    scene_destroy(s);
}

// ---- two at a time: what another process does in between ------------------------------------------------------------

static const char *contested;  // where mkdir and flock meet the other one; NULL: nowhere
static int others_lock = -1;
static bool other_leaves;

// The other one makes the directory first and begins in it.
int mkdir(const char *path, mode_t mode)
{
    int made = (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
    if (contested == NULL || other_leaves || strcmp(path, contested) != 0 || others_lock >= 0) return made;
    others_lock = open(path, O_RDONLY | O_DIRECTORY);
    assert_int_equal(syscall(SYS_flock, others_lock, LOCK_EX | LOCK_NB), 0);
    errno = EEXIST;
    return -1;
}

// The other one could not begin and takes the directory away, just before it is locked.
int flock(int file, int operation)
{
    if (contested != NULL && other_leaves) {
        assert_int_equal(rmdir(contested), 0);
        contested = NULL;
    }
    return (int)syscall(SYS_flock, file, operation);
}

static scr_status begin_beside_another(const char *path, bool leaves)
{
    scene *s = read_scene();
    scr_error error = {0};
    simulation *sim = NULL;
    run_directory *run = NULL;
    assert_int_equal(simulation_create(s, true, 1, &sim, &error), SCR_OK);
    assert_int_equal(rmdir(path), 0);
    contested = path, other_leaves = leaves;
    scr_status status = run_directory_create(path, SCENE, sim, 1, false, &run, &error);
    contested = NULL;
    run_directory_close(run, NULL);
    simulation_destroy(sim);
    scene_destroy(s);
    return status;
}

static void who_comes_second_leaves_the_first_ones_directory(void **state)
{
    assert_int_equal(begin_beside_another(*state, false), SCR_BAD_INPUT);
    assert_true(path_is_directory(*state));
    close(others_lock);
}

static void a_directory_that_is_taken_away_is_made_again(void **state)
{
    assert_int_equal(begin_beside_another(*state, true), SCR_OK);
    assert_true(run_directory_holds_run(*state));
}

int main(void)
{
    // Hundreds of short runs: in memory, where there is any, bringing files to the disk costs nothing.
    if (access("/dev/shm", W_OK) == 0) setenv("TMPDIR", "/dev/shm", 0);
    const struct CMUnitTest tests[] = {scratch_test(without_memory_a_run_can_still_be_resumed),
                                       scratch_test(a_state_that_was_only_loaded_is_told_as_it_was),
                                       scratch_test(a_run_is_replaced_only_on_demand),
                                       scratch_test(who_comes_second_leaves_the_first_ones_directory),
                                       scratch_test(a_directory_that_is_taken_away_is_made_again)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
