// A session: one process's share of a run.
#include "app/run/session.h"

#include <math.h>
#include <stdio.h>

#include "app/command/command.h"
#include "core/text/human.h"
#include "app/run/progress.h"
#include "app/source/step_advice.h"
#include "app/run/summary_table.h"
#include "core/base/interruption.h"
#include "core/base/stopwatch.h"
#include "scene/model/place.h"

static const double LOOK_SECONDS = 0.1;  // of wall clock between looks at the files

typedef struct session {
    run_directory *run;
    simulation *sim;
    progress progress;
    int64_t steps;         // that the whole run will have
    double save_interval;  // s of wall clock between checkpoints
    double next_save;      // scr_now() of the next
    double next_look;      // scr_now() when to ask next whether the files are still there
    double saved_time;     // s, simulated, of the last checkpoint
    bool can_save;         // the files are in step with the state
    int64_t broken;        // joints that were said to be
} session;

// A joint that breaks is news.
static void tell_broken(session *s)
{
    const scene *of = simulation_scene(s->sim);
    int64_t broken = simulation_count(s->sim).broken;
    if (broken == s->broken) return;
    s->broken = broken;
    if (s->progress.quiet) return;
    double now = scr_world_time(simulation_world(s->sim));
    progress_clear(&s->progress);
    for (int i = 0; i < of->joint_count; ++i) {
        if (simulation_broken_at(s->sim, i) == now)
            fprintf(stderr, "scree: %s broke at t = %g s\n", label_of_joint(of, i).text, now);
    }
}

static scr_status save(session *s, run_status status, const char *reason, run_summary *summary, scr_error *error)
{
    scr_status result = run_directory_save(s->run, s->sim, status, reason, summary, error);
    if (result != SCR_OK) {
        s->can_save = false;
        return result;
    }
    s->saved_time = run_directory_record(s->run)->time;
    // From now, not from when it was due: however slow the disk, the run gets most of the time.
    s->next_save = scr_now() + s->save_interval;
    return SCR_OK;
}

// Somebody may have removed what the run writes to: better now than when it is done.
static scr_status look(session *s, scr_error *error)
{
    double now = scr_now();
    if (now < s->next_look) return SCR_OK;
    s->next_look = now + LOOK_SECONDS;
    return run_directory_look(s->run, error);
}

// Until done, or interrupted (SCR_INTERRUPTED), or something fails.
static scr_status advance(session *s, scr_error *error)
{
    while (!simulation_is_done(s->sim)) {
        if (interruption_is_requested()) return SCR_INTERRUPTED;
        scr_status status = look(s, error);
        if (status == SCR_OK) status = simulation_step(s->sim, error);
        if (status != SCR_OK) return status;
        // Should a row or a frame fail to be written, a checkpoint made now would leave it out for ever.
        s->can_save = false;
        status = run_directory_step(s->run, s->sim, error);
        if (status != SCR_OK) return status;
        s->can_save = true;
        tell_broken(s);
        progress_show(&s->progress, run_directory_record(s->run), scr_world_bodies(simulation_world(s->sim)).count,
                      s->steps);
        // At the end comes another, with a frame that goes with it.
        if (scr_now() >= s->next_save && !simulation_is_done(s->sim)) {
            status = save(s, RUN_RUNNING, NULL, NULL, error);
            if (status != SCR_OK) return status;
        }
    }
    return SCR_OK;
}

static void tell_figures(const session *s, const run_summary *summary)
{
    if (s->progress.quiet) return;
    printf("%s\n", summary->title[0] != '\0' ? summary->title : run_directory_path(s->run));
    print_summary(stdout, summary);
    print_written(stdout, run_directory_path(s->run), summary);
    fflush(stdout);
}

static int end_well(session *s, run_status status, scr_error *error)
{
    run_summary summary;
    const char *path = run_directory_path(s->run);
    scr_status result = save(s, status, NULL, &summary, error);
    progress_clear(&s->progress);
    if (result != SCR_OK) {
        complain_at_work(error);
        fprintf(stderr, "scree: the end could not be saved whole; `scree resume %s` goes on from t = %g s\n", path,
                s->saved_time);
        return EXIT_FAILED;
    }
    tell_figures(s, &summary);
    if (status == RUN_INTERRUPTED) {
        if (!s->progress.quiet) fprintf(stderr, "scree: interrupted; `scree resume %s` continues\n", path);
        return EXIT_INTERRUPTED;
    }
    return EXIT_DONE;
}

// The state before the step that failed is still there: keep it, so that somebody can look at it.
static int end_badly(session *s, const scr_error *failure)
{
    run_summary summary;
    scr_error error;
    const char *path = run_directory_path(s->run);
    progress_clear(&s->progress);
    complain_at_work(failure);
    if (s->can_save && save(s, RUN_FAILED, failure->message, &summary, &error) == SCR_OK) {
        tell_figures(s, &summary);
        fprintf(stderr, "scree: the state at t = %g s is saved in %s\n", s->saved_time, path);
        return EXIT_FAILED;
    }
    if (run_directory_summarise(s->run, s->sim, RUN_FAILED, failure->message, &summary, &error) != SCR_OK &&
        failure->status != SCR_IO)
        fprintf(stderr, "scree: %s\n", error.message);
    fprintf(stderr,
            "scree: the run stopped at t = %g s; `scree resume %s` goes on from the last checkpoint, t = %g s\n",
            scr_world_time(simulation_world(s->sim)), path, s->saved_time);
    return EXIT_FAILED;
}

static void warn_of_long_steps(simulation *sim)
{
    step_advice advice = advise_step(sim);
    if (advice.is_too_long)
        fprintf(stderr, "scree: warning: the steps are too long for the penalty law: advised are %s\n", advice.text);
}

int session_run(run_directory *run, simulation *sim, bool quiet)
{
    const run_record *record = run_directory_record(run);
    double h = scr_world_time_step(simulation_world(sim));
    session s = {.run = run,
                 .sim = sim,
                 .progress = progress_begin(quiet, record->step),
                 .steps = (int64_t)ceil(record->end_time / h - 0.5),
                 .save_interval = 60.0 * simulation_scene(sim)->output.checkpoint_minutes,
                 .saved_time = record->time,
                 .can_save = true,
                 .broken = simulation_count(sim).broken};
    s.next_save = scr_now() + s.save_interval;
    if (!quiet) warn_of_long_steps(sim);
    scr_error error = {0};
    scr_status status = advance(&s, &error);
    bool is_stopped = status == SCR_OK || status == SCR_INTERRUPTED;
    if (!is_stopped || run_directory_look(run, &error) != SCR_OK) return end_badly(&s, &error);
    return end_well(&s, status == SCR_OK ? RUN_DONE : RUN_INTERRUPTED, &error);
}
