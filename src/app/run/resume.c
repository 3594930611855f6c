// scree resume: a stopped or killed run goes on to the same bits as one that was not.
#include <stdio.h>
#include <string.h>

#include "app/command/command.h"
#include "app/command/crash.h"
#include "app/command/human.h"
#include "app/command/interrupt.h"
#include "app/command/options.h"
#include "app/run/session.h"
#include "core/base/threads.h"
#include "core/file/safe_file.h"
#include "io/scene/scene_reader.h"

typedef struct resume_options {
    const char *directory;
    int threads;
    double until;  // s; 0: as before
    bool force, quiet;
} resume_options;

static parse_result parse(int argc, char **argv, resume_options *o)
{
    const option options[] = {
        {"threads", 'j', OPTION_COUNT, &o->threads, "N",
         "threads to use; default: all cores, fewer in a small world. Results do not depend on it"},
        {"until", 0, OPTION_NUMBER, &o->until, "T", "stop at T seconds of simulated time; extends a finished run"},
        {"force", 0, OPTION_FLAG, &o->force, NULL,
         "go on even if the run has lost its trajectory or probes: with new ones"},
        {"quiet", 'q', OPTION_FLAG, &o->quiet, NULL, "print errors only"},
    };
    const verb_usage usage = {
        .verb = "resume",
        .arguments = "DIR",
        .argument_count = 1,
        .about = "Goes on from the last checkpoint of a run directory. The result is the same, to the last bit,\n"
                 "as if the run had never stopped.",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
    };
    return parse_arguments(&usage, argc, argv, &o->directory);
}

static scr_status read_scene(const char *directory, scene **s, scr_error *error)
{
    char path[PATH_LENGTH_MAX];
    scr_status status = path_join(path, directory, "scene.json", error);
    return status == SCR_OK ? scene_read_run_file(path, s, error) : status;
}

// Does the run itself say that it is done? One killed after its last checkpoint has its summary still to write.
static bool says_done(const char *directory)
{
    char path[PATH_LENGTH_MAX];
    summary_brief brief;
    return path_join(path, directory, "summary.json", NULL) == SCR_OK &&
           summary_read_brief(path, &brief, NULL) == SCR_OK && strcmp(brief.status, "done") == 0;
}

// How far a run is, of what it was to do and of what is asked for.
typedef struct run_progress {
    bool beyond;    // the time asked for
    bool at_end;    // of what it was to do
    bool complete;  // and all about it is written
} run_progress;

static run_progress progress_of(const resume_options *o, const run_record *record, double time_step)
{
    double reached = record->time + 0.5 * time_step;
    bool at_end = reached > record->end_time;
    return (run_progress){.beyond = o->until > 0.0 && reached > o->until,
                          .at_end = at_end,
                          .complete = at_end && says_done(o->directory)};
}

// A new end is saved before anything else: a run that is killed on the way there is not one that was done before.
static scr_status keep_end(run_directory *run, simulation *sim, double end_before, scr_error *error)
{
    if (run_directory_record(run)->end_time == end_before) return SCR_OK;
    return run_directory_save(run, sim, RUN_RUNNING, NULL, NULL, error);
}

static int go_on(const resume_options *o, run_directory *run, scene *s)
{
    int threads = o->threads > 0 ? o->threads : scr_core_count();
    double end_before = run_directory_record(run)->end_time;
    scr_error error = {0};
    simulation *sim = NULL;
    scr_status status = simulation_create(s, false, o->threads, &sim, &error);
    if (status == SCR_OK) status = run_directory_continue(run, sim, threads, o->force, &error);
    int code;
    if (status == SCR_OK && keep_end(run, sim, end_before, &error) != SCR_OK) {
        code = complain_at_work(&error);
    } else if (status == SCR_OK) {
        const run_record *r = run_directory_record(run);
        if (!o->quiet)
            fprintf(stderr, "%s: going on from t = %g s (step %s) to t = %g s, %d thread%s\n",
                    s->title[0] != '\0' ? s->title : o->directory, r->time, human_count(r->step).text, r->end_time,
                    threads, threads == 1 ? "" : "s");
        interrupt_asks_to_stop(o->quiet);
        crash_note_run(o->directory);
        code = session_run(run, sim, o->quiet);
    } else {
        code = complain(&error);
    }
    simulation_destroy(sim);
    return code;
}

static int resume(const resume_options *o)
{
    int code;
    scr_error error = {0};
    run_record record;
    run_directory *run = NULL;
    scene *s = NULL;
    scr_status status = run_directory_open(o->directory, &run, &record, &error);
    if (status == SCR_OK) status = read_scene(o->directory, &s, &error);
    run_progress run_is = {0};
    if (status == SCR_OK) run_is = progress_of(o, &record, s->world.time_step);
    if (status != SCR_OK) {
        code = complain(&error);
    } else if (run_is.beyond && (run_is.complete || !run_is.at_end)) {
        if (!o->quiet) printf("%s is at t = %g s: nothing to do until %g s.\n", o->directory, record.time, o->until);
        code = EXIT_DONE;
    } else if (o->until == 0.0 && run_is.complete) {
        if (!o->quiet) printf("%s is finished: t = %g s. --until T would carry it on.\n", o->directory, record.time);
        code = EXIT_DONE;
    } else {
        s->end_time = o->until > 0.0 && !run_is.beyond ? o->until : record.end_time;
        code = go_on(o, run, s);
    }
    if (run_directory_close(run, &error) != SCR_OK && code == EXIT_DONE) code = complain_at_work(&error);
    scene_destroy(s);
    return code;
}

int app_resume(int argc, char **argv)
{
    resume_options o = {0};
    parse_result parsed = parse(argc, argv, &o);
    return parsed == PARSE_OK ? resume(&o) : exit_code_of(parsed);
}
