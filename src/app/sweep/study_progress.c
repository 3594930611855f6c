// SPDX-License-Identifier: BSD-3-Clause
// How far the runs of a study are.
#include "app/sweep/study_progress.h"

#include <stdio.h>
#include <unistd.h>

#include "app/command/bar.h"
#include "app/command/clock.h"
#include "core/text/human.h"

static const double REDRAW_SECONDS = 0.2, LINE_SECONDS = 10.0;
enum { BAR_WIDTH = 24, WORDS = 200 };

study_progress study_progress_begin(bool quiet, const pool_count *count)
{
    bool terminal = isatty(STDERR_FILENO) != 0;
    double now = clock_now();
    return (study_progress){.quiet = quiet,
                            .terminal = terminal,
                            .blocks = terminal && bar_shows_blocks(),
                            .began = now,
                            .next = now + (terminal ? 0.0 : LINE_SECONDS),
                            .share_began = count->share};
}

// At the pace so far, if all runs take as long.
static void print_words(const study_progress *p, const pool_count *c, char text[WORDS])
{
    double gained = c->share - p->share_began, elapsed = clock_now() - p->began;
    int64_t all = c->done + c->failed + c->at_work + c->waiting;
    int length = snprintf(text, WORDS, "%3.0f%%  ", 100.0 * c->share);
    if (gained > 0.0)
        length += snprintf(text + length, (size_t)(WORDS - length), "%s left  ",
                           human_time_left(elapsed * (1.0 - c->share) / gained).text);
    length += snprintf(text + length, (size_t)(WORDS - length), "%s of %s done", human_count(c->done).text,
                       human_things(all, "run", "runs").text);
    if (c->at_work > 0)
        length += snprintf(text + length, (size_t)(WORDS - length), ", %s running", human_count(c->at_work).text);
    if (c->failed > 0) snprintf(text + length, (size_t)(WORDS - length), ", %s failed", human_count(c->failed).text);
}

void study_progress_show(study_progress *p, const pool_count *count)
{
    char text[WORDS];
    double now = clock_now();
    if (p->quiet || now < p->next) return;
    p->next = now + (p->terminal ? REDRAW_SECONDS : LINE_SECONDS);
    print_words(p, count, text);
    if (p->terminal) {
        bar_draw(count->share, BAR_WIDTH, text, p->blocks);
        p->drawn = true;
    } else {
        fprintf(stderr, "%s\n", text);
        fflush(stderr);
    }
}

void study_progress_clear(study_progress *p)
{
    if (p->drawn) bar_clear();
    p->drawn = false;
}
