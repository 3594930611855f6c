// SPDX-License-Identifier: BSD-3-Clause
// Runs as child processes.
#include "study/runs/run_pool.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/base/interruption.h"
#include "core/base/stopwatch.h"
#include "io/run/run_directory.h"
#include "study/runs/run_log.h"

enum { POLL_NANOSECONDS = 3000000, CODE_INTERRUPTED = 130, CODE_NO_PROGRAM = 127 };
static const double LOOK_SECONDS = 0.5;  // between looks at how far runs are

// ---- what is there -------------------------------------------------------------------------------------------------

static bool is_of(const study_run *run, const char *directory)
{
    return run_fingerprint(directory) == run->of->fingerprint;
}

void study_runs_look(const study_directory *d, study_run *runs, int64_t count)
{
    char path[PATH_LENGTH_MAX];
    for (int64_t k = 0; k < count; ++k) {
        bool is_done = study_run_path(d, runs[k].number, "", path, NULL) == SCR_OK && is_of(&runs[k], path) &&
                       summary_says_done(path);
        runs[k].state = is_done ? STUDY_DONE : STUDY_WAITING;
        runs[k].share = is_done ? 1.0 : 0.0;
    }
}

pool_count study_runs_count(const study_run *runs, int64_t count)
{
    pool_count c = {0};
    for (int64_t k = 0; k < count; ++k) {
        c.done += runs[k].state == STUDY_DONE;
        c.failed += runs[k].state == STUDY_FAILED;
        c.at_work += runs[k].state == STUDY_AT_WORK;
        c.waiting += runs[k].state == STUDY_WAITING || runs[k].state == STUDY_STOPPED;
        c.share += runs[k].state == STUDY_FAILED ? 1.0 : runs[k].share;
    }
    if (count > 0) c.share /= (double)count;
    return c;
}

// ---- one child -----------------------------------------------------------------------------------------------------

// Between fork and exec, where little is allowed.
static void become(const char *command, char **arguments, int log, pid_t parent)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(CODE_INTERRUPTED);  // it died before it could be watched
    dup2(log, STDOUT_FILENO);
    dup2(log, STDERR_FILENO);
    execv(command, arguments);
    _exit(CODE_NO_PROGRAM);
}

// Threads of a child at most: a small world takes fewer, as it would not after -j.
static void share_threads(int threads)
{
    char text[16];
    snprintf(text, sizeof text, "%d", threads);
    setenv("OMP_NUM_THREADS", text, 1);
}

// scree run --force -o DIR --set PATH=VALUE ... SCENE, or scree resume DIR
static scr_status spawn(const run_pool *pool, study_run *run, const char *directory, int log, scr_error *error)
{
    const study_case *c = run->of;
    char **words = calloc((size_t)(2 * c->change_count + 10), sizeof *words);
    if (words == NULL) return scr_fail_memory(error, (size_t)c->change_count, "a command");
    bool is_begun = is_of(run, directory) && run_directory_expect_run(directory, NULL) == SCR_OK;
    int n = 0;
    words[n++] = "scree";
    words[n++] = is_begun ? "resume" : "run";
    if (!is_begun) {
        words[n++] = "--force";
        words[n++] = "-o";
        words[n++] = (char *)directory;
    }
    for (int k = 0; k < c->change_count && !is_begun; ++k) {
        words[n++] = "--set";
        words[n++] = c->text[k];
    }
    words[n++] = "--";
    words[n++] = is_begun ? (char *)directory : (char *)pool->scene;
    pid_t parent = getpid();
    share_threads(pool->threads);
    fflush(NULL);
    run->process = fork();
    if (run->process == 0) become(pool->command, words, log, parent);
    free(words);
    return run->process > 0 ? SCR_OK : scr_fail(error, SCR_NO_MEMORY, "a run cannot be started: %s", strerror(errno));
}

static scr_status start(const run_pool *pool, const study_directory *d, study_run *run, scr_error *error)
{
    char directory[PATH_LENGTH_MAX], log_path[PATH_LENGTH_MAX];
    scr_status status = study_run_path(d, run->number, "", directory, error);
    if (status == SCR_OK) status = study_run_path(d, run->number, ".log", log_path, error);
    if (status != SCR_OK) return status;
    int log = open(log_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (log < 0) return scr_fail(error, SCR_IO, "%s: cannot write: %s", log_path, strerror(errno));
    status = spawn(pool, run, directory, log, error);
    close(log);
    if (status == SCR_OK) run->state = STUDY_AT_WORK;
    return status;
}

static void fail_run(const study_directory *d, study_run *run, const char *otherwise)
{
    char path[PATH_LENGTH_MAX];
    run->state = STUDY_FAILED;
    if (study_run_path(d, run->number, ".log", path, NULL) != SCR_OK ||
        !run_log_reason(path, run->reason, sizeof run->reason))
        snprintf(run->reason, sizeof run->reason, "%s", otherwise);
}

// What became of a child that has ended.
static void judge(const study_directory *d, study_run *run, int result, bool is_stopping)
{
    char path[PATH_LENGTH_MAX], words[64];
    run->process = 0;
    bool is_found = study_run_path(d, run->number, "", path, NULL) == SCR_OK;
    if (WIFSIGNALED(result)) {
        run->state = STUDY_FAILED;
        snprintf(run->reason, sizeof run->reason, "it was killed by signal %d", WTERMSIG(result));
    } else if (WEXITSTATUS(result) == CODE_INTERRUPTED && is_stopping) {
        run->state = STUDY_STOPPED;
    } else if (WEXITSTATUS(result) != 0) {
        snprintf(words, sizeof words, "it ended with code %d", WEXITSTATUS(result));
        fail_run(d, run, words);
    } else if (!is_found || !is_of(run, path) || !summary_says_done(path)) {
        run->state = STUDY_FAILED;
        snprintf(run->reason, sizeof run->reason, "the scene was changed while the study ran");
    } else {
        run->state = STUDY_DONE;
        run->share = 1.0;
    }
}

// ---- all of them ---------------------------------------------------------------------------------------------------

typedef struct work {
    const run_pool *pool;
    const study_directory *d;
    study_run *runs;
    int64_t count;
    double next_look;  // scr_now()
    bool is_stopping;
    scr_status status;  // of what stops all
    scr_error *error;
} work;

static void stop_all(work *w)
{
    if (w->is_stopping) return;
    w->is_stopping = true;
    for (int64_t k = 0; k < w->count; ++k) {
        if (w->runs[k].state == STUDY_AT_WORK) kill(w->runs[k].process, SIGTERM);
    }
}

// True if one ended.
static bool collect_ended(work *w)
{
    bool any = false;
    for (int64_t k = 0; k < w->count; ++k) {
        int result = 0;
        if (w->runs[k].state != STUDY_AT_WORK || waitpid(w->runs[k].process, &result, WNOHANG) != w->runs[k].process)
            continue;
        judge(w->d, &w->runs[k], result, w->is_stopping);
        if (w->runs[k].state == STUDY_DONE && w->pool->on_done != NULL && w->status == SCR_OK)
            w->status = w->pool->on_done(w->pool->context, &w->runs[k], w->error);
        any = true;
    }
    return any;
}

static void start_waiting(work *w, int64_t at_work)
{
    for (int64_t k = 0; k < w->count && at_work < w->pool->jobs && w->status == SCR_OK; ++k) {
        if (w->runs[k].state != STUDY_WAITING) continue;
        w->status = start(w->pool, w->d, &w->runs[k], w->error);
        ++at_work;
    }
}

static void look_at_logs(work *w)
{
    char path[PATH_LENGTH_MAX];
    for (int64_t k = 0; k < w->count; ++k) {
        if (w->runs[k].state == STUDY_AT_WORK && study_run_path(w->d, w->runs[k].number, ".log", path, NULL) == SCR_OK)
            w->runs[k].share = run_log_share(path, w->runs[k].share);
    }
}

static void show(work *w, bool is_news)
{
    double now = scr_now();
    if (w->pool->progress == NULL || (!is_news && now < w->next_look)) return;
    w->next_look = now + LOOK_SECONDS;
    look_at_logs(w);
    pool_count count = study_runs_count(w->runs, w->count);
    w->pool->progress(w->pool->context, &count);
}

scr_status run_pool_work(const run_pool *pool, const study_directory *d, study_run *runs, int64_t count,
                         scr_error *error)
{
    work w = {.pool = pool, .d = d, .runs = runs, .count = count, .error = error};
    const struct timespec pause = {.tv_nsec = POLL_NANOSECONDS};
    for (;;) {
        bool is_news = collect_ended(&w);
        if (interruption_is_requested() || w.status != SCR_OK) stop_all(&w);
        pool_count now = study_runs_count(runs, count);
        if (!w.is_stopping) start_waiting(&w, now.at_work);
        show(&w, is_news);
        now = study_runs_count(runs, count);
        if (now.at_work == 0 && (w.is_stopping || now.waiting == 0)) break;
        nanosleep(&pause, NULL);
    }
    if (w.status != SCR_OK) return w.status;
    return w.is_stopping ? interruption_fail(error) : SCR_OK;
}
