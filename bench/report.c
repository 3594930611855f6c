// SPDX-License-Identifier: BSD-3-Clause
#include "report.h"

#include <omp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "core/base/memory.h"
#include "core/base/stopwatch.h"

bool bench_wants_json(int argc, char **argv)
{
    for (int k = 1; k < argc; ++k)
        if (strcmp(argv[k], "--json") == 0) return true;
    return false;
}

bool bench_wants(int argc, char **argv, const char *name)
{
    bool any = false;
    for (int k = 1; k < argc; ++k) {
        if (strcmp(argv[k], "--json") == 0) continue;
        if (strstr(name, argv[k]) != NULL) return true;
        any = true;
    }
    return !any;
}

void bench_print(const bench_figure *f, bool json)
{
    if (json)
        printf("{\"name\": \"%s\", \"value\": %.6g, \"unit\": \"%s\", \"threads\": %d, \"against\": \"%s\", \"ratio\": "
               "%.4g}\n",
               f->name, f->value, f->unit, f->threads, f->against, f->ratio);
    else
        printf("  %-44s %10.4g %-22s %d thread%s  %8.3g x %s\n", f->name, f->value, f->unit, f->threads,
               f->threads == 1 ? " " : "s", f->ratio, f->against);
    fflush(stdout);
}

void bench_say(bool json, const char *format, ...)
{
    if (json) return;
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    fflush(stdout);
}

double bench_bandwidth(int threads)
{
    enum { LENGTH = 1 << 26, REPEATS = 5 };  // 512 MiB an array: larger than any cache
    double *a = scr_alloc(LENGTH * sizeof *a), *b = scr_alloc(LENGTH * sizeof *b), *c = scr_alloc(LENGTH * sizeof *c);
    double best = 1e30;
    for (int k = 0; a && b && c && k < REPEATS + 1; ++k) {
        double start = scr_now();
#pragma omp parallel for num_threads(threads) schedule(static)
        for (int64_t i = 0; i < LENGTH; ++i) {
            if (k == 0) b[i] = c[i] = 1.0;
            a[i] = b[i] + 3.0 * c[i];
        }
        double seconds = scr_now() - start;
        if (k > 0 && seconds < best) best = seconds;
    }
    scr_free(a), scr_free(b), scr_free(c);
    return 3.0 * LENGTH * sizeof(double) / best;
}

double bench_peak_memory(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return 1024.0 * (double)usage.ru_maxrss;
}
