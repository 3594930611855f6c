// How far a run is.
#include "app/progress.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "app/human.h"
#include "core/stopwatch.h"

static const double REDRAW_SECONDS = 0.2, LINE_SECONDS = 10.0;  // on a terminal; elsewhere
static const double PACE_SECONDS = 10.0;  // the pace is an average over about so long: runs slow down as beds fill
enum { BAR_WIDTH = 24, LINE_MAX_LENGTH = 512 };

static bool shows_blocks(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (int k = 0; k < 3; ++k) {
        const char *value = getenv(names[k]);
        if (value != NULL && value[0] != '\0') return strstr(value, "UTF-8") != NULL || strstr(value, "utf8") != NULL;
    }
    return false;
}

progress progress_begin(bool quiet, int64_t step)
{
    double now = scr_now();
    bool terminal = isatty(STDERR_FILENO) != 0;
    return (progress){.quiet = quiet,
                      .terminal = terminal,
                      .blocks = terminal && shows_blocks(),
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

// The part of the bar that is done: whole blocks, one block in eighths, then room.
static int print_bar(char *text, size_t size, double share, bool blocks)
{
    static const char *const eighth[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    int eighths = (int)(share * 8 * BAR_WIDTH), full = eighths / 8, length = 0;
    length += snprintf(text + length, size - (size_t)length, blocks ? "▕" : "[");
    for (int k = 0; k < full; ++k) length += snprintf(text + length, size - (size_t)length, blocks ? "█" : "#");
    int drawn = full;
    if (blocks && eighths % 8 != 0) {
        length += snprintf(text + length, size - (size_t)length, "%s", eighth[eighths % 8]);
        ++drawn;
    }
    length += snprintf(text + length, size - (size_t)length, "%*s%s", BAR_WIDTH - drawn, "", blocks ? "▏" : "]");
    return length;
}

static int terminal_columns(void)
{
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

// Cut a line to so many characters on the screen: bytes that continue a character take no column.
static void cut_to_columns(char *text, int columns)
{
    int used = 0;
    for (char *c = text; *c != '\0'; ++c) {
        if (((unsigned char)*c & 0xc0) != 0x80 && used++ == columns) {
            *c = '\0';
            return;
        }
    }
}

static void print_state(char *text, size_t size, const progress *p, const run_record *r, int64_t body_count, int64_t steps)
{
    double left = p->pace * (double)(steps - r->step);
    double step_time = r->step > 0 ? r->time / (double)r->step : 0.0;
    double speed = p->pace > 0.0 ? step_time / p->pace : 0.0;
    snprintf(text, size,
             "%3.0f%%  %s left  t = %.4g of %.4g s  %s bodies  %s contacts  %lld iterations  change %.1e  %.2g x real time",
             steps > 0 ? 100.0 * (double)r->step / (double)steps : 100.0, human_duration(left).text, r->time, r->end_time,
             human_count(body_count).text, human_count(r->contact_count).text, (long long)r->iterations, r->change, speed);
}

void progress_show(progress *p, const run_record *record, int64_t body_count, int64_t steps)
{
    if (p->quiet) return;
    double now = scr_now();
    if (now < p->next) return;
    p->next = now + (p->terminal ? REDRAW_SECONDS : LINE_SECONDS);
    measure_pace(p, record->step, now);
    char line[LINE_MAX_LENGTH];
    int length = 0;
    if (p->terminal) {
        double share = steps > 0 ? (double)record->step / (double)steps : 1.0;
        length = print_bar(line, sizeof line, fmin(fmax(share, 0.0), 1.0), p->blocks);
    }
    print_state(line + length, sizeof line - (size_t)length, p, record, body_count, steps);
    if (p->terminal) {
        cut_to_columns(line, terminal_columns() - 1);
        fprintf(stderr, "\r%s\033[K", line);
        p->drawn = true;
    } else {
        fprintf(stderr, "%s\n", line);
    }
    fflush(stderr);
}

void progress_clear(progress *p)
{
    if (!p->drawn) return;
    fputs("\r\033[K", stderr);
    fflush(stderr);
    p->drawn = false;
}
