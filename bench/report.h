// SPDX-License-Identifier: BSD-3-Clause
// What every benchmark prints: a table for people, or one JSON object a line with --json.
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include <stdbool.h>

typedef struct bench_figure {
    const char *name;  // "solver.gs.64000"
    double value;
    const char *unit;
    int threads;
    const char *against;  // what the ratio is to: "target 180e6", "memory bandwidth"
    double ratio;         // value over that
} bench_figure;

bool bench_wants_json(int argc, char **argv);
bool bench_wants(int argc, char **argv, const char *name);  // no name given, or one that is part of this
void bench_print(const bench_figure *figure, bool json);
void bench_say(bool json, const char *format, ...) __attribute__((format(printf, 2, 3)));  // for people only

double bench_bandwidth(int threads);  // B/s of a triad over arrays far larger than the caches
double bench_peak_memory(void);       // B this process has had in memory

#endif
