// SPDX-License-Identifier: BSD-3-Clause
// A session: one process's share of a run.
#include "app/run/session.h"

#include <math.h>
#include <stdio.h>

#include "app/command/command.h"
#include "app/run/progress.h"
#include "app/run/summary_table.h"
#include "app/source/step_advice.h"
#include "core/text/human.h"

typedef struct session {
    scr_scene *scene;
    progress progress;
    int64_t steps;   // that the whole run will have
    int64_t broken;  // joints that were said to be
} session;

// A joint that breaks is news.
static void tell_broken(session *s)
{
    int64_t broken = scr_scene_count(s->scene).broken;
    if (broken == s->broken) return;
    s->broken = broken;
    if (s->progress.quiet) return;
    double now = scr_world_time(scr_scene_world(s->scene));
    progress_clear(&s->progress);
    for (int i = 0; i < scr_scene_joint_count(s->scene); ++i) {
        if (scr_scene_joint_broken_at(s->scene, i) == now)
            fprintf(stderr, "scree: %s broke at t = %g s\n", scr_scene_joint_label(s->scene, i).text, now);
    }
}

// Until done, or interrupted (SCR_INTERRUPTED), or something fails.
static scr_status advance(session *s, scr_error *error)
{
    while (!scr_scene_is_done(s->scene)) {
        scr_status status = scr_scene_step(s->scene, error);
        if (status != SCR_OK) return status;
        tell_broken(s);
        progress_show(&s->progress, scr_scene_run_record(s->scene), scr_world_bodies(scr_scene_world(s->scene)).count,
                      s->steps);
    }
    return SCR_OK;
}

static void tell_figures(const session *s, const scr_run_summary *summary)
{
    const char *directory = scr_scene_run_directory(s->scene);
    if (s->progress.quiet) return;
    printf("%s\n", summary->title[0] != '\0' ? summary->title : directory);
    print_summary(stdout, summary, s->scene);
    print_written(stdout, directory, summary);
    fflush(stdout);
}

static int end_well(session *s, scr_run_status status)
{
    scr_run_summary summary;
    scr_error error;
    const char *path = scr_scene_run_directory(s->scene);
    scr_status result = scr_scene_end_run(s->scene, status, NULL, &summary, &error);
    progress_clear(&s->progress);
    if (result != SCR_OK) {
        complain_at_work(&error);
        fprintf(stderr, "scree: the end could not be saved whole; `scree resume %s` goes on from t = %g s\n", path,
                scr_scene_saved_time(s->scene));
        return EXIT_FAILED;
    }
    tell_figures(s, &summary);
    if (status == SCR_RUN_INTERRUPTED) {
        if (!s->progress.quiet) fprintf(stderr, "scree: interrupted; `scree resume %s` continues\n", path);
        return EXIT_INTERRUPTED;
    }
    return EXIT_DONE;
}

// The state before the step that failed is still there: keep it, so that somebody can look at it.
static int end_badly(session *s, const scr_error *failure)
{
    scr_run_summary summary;
    scr_error error;
    progress_clear(&s->progress);
    complain_at_work(failure);
    scr_status result = scr_scene_end_run(s->scene, SCR_RUN_FAILED, failure->message, &summary, &error);
    const char *path = scr_scene_run_directory(s->scene);
    double saved = scr_scene_saved_time(s->scene);
    if (result == SCR_OK) {
        tell_figures(s, &summary);
        fprintf(stderr, "scree: the state at t = %g s is saved in %s\n", saved, path);
        return EXIT_FAILED;
    }
    if (failure->status != SCR_IO) fprintf(stderr, "scree: %s\n", error.message);
    fprintf(stderr,
            "scree: the run stopped at t = %g s; `scree resume %s` goes on from the last checkpoint, t = %g s\n",
            scr_world_time(scr_scene_world(s->scene)), path, saved);
    return EXIT_FAILED;
}

static void warn_of_long_steps(scr_scene *scene)
{
    const scr_world *world = scr_scene_world(scene);
    scr_step_advice advice = scr_world_advised_step(world);
    if (scr_scene_contact_law(scene) != SCR_PENALTY || advice.limit == SCR_LIMIT_NONE) return;
    step_words words = words_on_step(&advice, scr_world_time_step(world), scr_scene_material(scene, advice.material));
    if (words.is_too_long)
        fprintf(stderr, "scree: warning: the steps are too long for the penalty law: advised are %s\n", words.text);
}

int session_run(scr_scene *scene, bool quiet)
{
    const scr_run_record *record = scr_scene_run_record(scene);
    double h = scr_world_time_step(scr_scene_world(scene));
    session s = {.scene = scene,
                 .progress = progress_begin(quiet, record->step),
                 .steps = (int64_t)ceil(record->end_time / h - 0.5),
                 .broken = scr_scene_count(scene).broken};
    if (!quiet) warn_of_long_steps(scene);
    scr_error error = {0};
    scr_status status = advance(&s, &error);
    bool is_stopped = status == SCR_OK || status == SCR_INTERRUPTED;
    if (!is_stopped || scr_scene_check_run(scene, &error) != SCR_OK) return end_badly(&s, &error);
    return end_well(&s, status == SCR_OK ? SCR_RUN_DONE : SCR_RUN_INTERRUPTED);
}
