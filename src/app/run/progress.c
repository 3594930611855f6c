// SPDX-License-Identifier: BSD-3-Clause
// How far a run is.
#include "app/run/progress.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "app/command/bar.h"
#include "app/command/clock.h"
#include "core/text/human.h"

static const double REDRAW_SECONDS = 0.2, LINE_SECONDS = 10.0;  // on a terminal; elsewhere
static const double PACE_SECONDS = 10.0;  // the pace is an average over about so long: runs slow down as beds fill
enum {                                    // characters
    BAR_LEAST = 8,
    BAR_MOST = 30,
    WORDS_LENGTH = 132,  // of the text of a large run, with the ends of the bar
    FEW_WORDS_LENGTH = 84,
    LINE_MAX_LENGTH = 512,
};

progress progress_begin(bool quiet, int64_t step)
{
    double now = clock_now();
    bool terminal = isatty(STDERR_FILENO) != 0;
    return (progress){.quiet = quiet,
                      .terminal = terminal,
                      .blocks = terminal && bar_shows_blocks(),
                      .began = now,
                      .next = now + (terminal ? REDRAW_SECONDS : LINE_SECONDS),
                      .seen_at = now,
                      .seen_step = step};
}

static void measure_pace(progress *p, int64_t step, double now)
{
    if (step == p->seen_step) return;
    double elapsed = now - p->seen_at, pace = elapsed / (double)(step - p->seen_step);
    double weight = p->pace > 0.0 ? 1.0 - exp(-elapsed / PACE_SECONDS) : 1.0;
    p->pace += weight * (pace - p->pace);
    p->seen_at = now;
    p->seen_step = step;
}

// The penalty law solves nothing, and neither do bodies that never met.
static bool is_iterated(const scr_run_record *r) { return r->iteration_max > 0; }

// Some step so far did not reach the solver's tolerance.
static const char *unsolved_mark(const scr_run_record *r) { return r->unsolved_steps > 0 ? "!" : ""; }

// What a line says, in words, or in fewer of them where it must be short.
typedef struct run_state {
    double share;  // of the steps, 0 to 1
    double left;   // s of wall clock
    double speed;  // simulated over wall-clock time
    const scr_run_record *record;
    int64_t body_count;
} run_state;

static void print_words(char *text, size_t size, const run_state *s)
{
    const scr_run_record *r = s->record;
    int length = snprintf(text, size, "%3.0f%%  %s left  t = %.4g of %.4g s (%.2g x real time)  %s  %s",
                          100.0 * s->share, human_time_left(s->left).text, r->time, r->end_time, s->speed,
                          human_things(s->body_count, "body", "bodies").text,
                          human_things(r->contact_count, "contact", "contacts").text);
    if (is_iterated(r))
        snprintf(text + length, size - (size_t)length, "  %s  error %.0e%s",
                 human_things(r->iterations, "iteration", "iterations").text, r->force_error, unsolved_mark(r));
}

static void print_few_words(char *text, size_t size, const run_state *s)
{
    const scr_run_record *r = s->record;
    int length =
        snprintf(text, size, "%3.0f%% %s  t %.3g/%.3g s %.2gx  %s %s", 100.0 * s->share, human_clock(s->left).text,
                 r->time, r->end_time, s->speed, human_things(s->body_count, "body", "bodies").text,
                 human_things(r->contact_count, "contact", "contacts").text);
    if (is_iterated(r))
        snprintf(text + length, size - (size_t)length, " %lld it %.0e%s", (long long)r->iterations, r->force_error,
                 unsolved_mark(r));
}

// The line is laid out by the width of the terminal alone, so that it does not jump when a number grows.
static void draw_bar(const run_state *s, bool blocks)
{
    char text[LINE_MAX_LENGTH];
    int columns = bar_columns() - 1;
    bool wide = columns >= WORDS_LENGTH + BAR_LEAST;
    int width = columns - (wide ? WORDS_LENGTH : FEW_WORDS_LENGTH);
    width = width < BAR_LEAST ? BAR_LEAST : width > BAR_MOST ? BAR_MOST : width;
    if (wide) print_words(text, sizeof text, s);
    else print_few_words(text, sizeof text, s);
    bar_draw(s->share, width, text, blocks);
}

void progress_show(progress *p, const scr_run_record *record, int64_t body_count, int64_t steps)
{
    if (p->quiet) return;
    double now = clock_now();
    if (now < p->next) return;
    p->next = now + (p->terminal ? REDRAW_SECONDS : LINE_SECONDS);
    measure_pace(p, record->step, now);
    double step_time = record->step > 0 ? record->time / (double)record->step : 0.0;
    run_state state = {.share = steps > 0 ? fmin((double)record->step / (double)steps, 1.0) : 1.0,
                       .left = p->pace * (double)(steps - record->step),
                       .speed = p->pace > 0.0 ? step_time / p->pace : 0.0,
                       .record = record,
                       .body_count = body_count};
    if (p->terminal) {
        draw_bar(&state, p->blocks);
        p->drawn = true;
    } else {
        char text[LINE_MAX_LENGTH];
        print_words(text, sizeof text, &state);
        fprintf(stderr, "%s\n", text);
    }
    fflush(stderr);
}

void progress_clear(progress *p)
{
    if (!p->drawn) return;
    bar_clear();
    p->drawn = false;
}
