// SPDX-License-Identifier: BSD-3-Clause
// scree resume: a stopped or killed run goes on to the same bits as one that was not.
#include <stdio.h>

#include "app/command/command.h"
#include "app/command/crash.h"
#include "app/command/interrupt.h"
#include "app/command/options.h"
#include "app/run/session.h"
#include "core/text/human.h"

typedef struct resume_options {
    scr_resume_def run;
    bool quiet;
} resume_options;

static parse_result parse(int argc, char **argv, resume_options *o)
{
    const option options[] = {
        {"threads", 'j', OPTION_COUNT, &o->run.thread_count, "N",
         "threads to use; default: all cores, fewer in a small world. Results do not depend on it"},
        {"until", 0, OPTION_NUMBER, &o->run.end_time, "T",
         "stop at T seconds of simulated time; extends a finished run"},
        {"force", 0, OPTION_FLAG, &o->run.without_lost, NULL,
         "go on even if the run has lost its trajectory or probes: with new ones"},
        {"quiet", 'q', OPTION_FLAG, &o->quiet, NULL, "print errors only"},
    };
    const verb_usage usage = {
        .verb = "resume",
        .arguments = "DIR",
        .argument_count = 1,
        .about = "Goes on from the last checkpoint of a run directory. The result is the same, to the last bit,\n"
                 "as if the run had never stopped.",
        .example = "scree resume ball --until 3",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
    };
    return parse_arguments(&usage, argc, argv, &o->run.directory);
}

static int go_on(const resume_options *o, scr_scene *scene)
{
    const scr_run_record *r = scr_scene_run_record(scene);
    const char *title = scr_scene_title(scene);
    int threads = scr_scene_thread_count(scene);
    if (!o->quiet)
        fprintf(stderr, "%s: going on from t = %g s (step %s) to t = %g s, %d thread%s\n",
                title[0] != '\0' ? title : o->run.directory, r->time, human_count(r->step).text, r->end_time, threads,
                threads == 1 ? "" : "s");
    interrupt_asks_to_stop(o->quiet);
    crash_note_run(o->run.directory);
    return session_run(scene, o->quiet);
}

static void tell_nothing_to_do(const resume_options *o, double time)
{
    if (o->run.end_time > 0.0)
        printf("%s is at t = %g s: nothing to do until %g s.\n", o->run.directory, time, o->run.end_time);
    else printf("%s is finished: t = %g s. --until T would carry it on.\n", o->run.directory, time);
}

static int resume(const resume_options *o)
{
    scr_error error = {0};
    scr_scene *scene;
    scr_run_progress found;
    if (scr_scene_resume(&o->run, &scene, &found, &error) != SCR_OK) return complain(&error);
    if (scene == NULL) {
        if (!o->quiet) tell_nothing_to_do(o, found.time);
        return EXIT_DONE;
    }
    int code = go_on(o, scene);
    if (scr_scene_close(scene, &error) != SCR_OK && code == EXIT_DONE) code = complain_at_work(&error);
    return code;
}

int app_resume(int argc, char **argv)
{
    resume_options o = {0};
    parse_result parsed = parse(argc, argv, &o);
    return parsed == PARSE_OK ? resume(&o) : exit_code_of(parsed);
}
