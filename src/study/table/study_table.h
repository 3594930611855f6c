// SPDX-License-Identifier: BSD-3-Clause
// What a sweep found: the figures of every run, and for each point their mean and scatter over the seeds.
//
// study.csv has a row for each point, runs.csv one for each run; both hold nothing but what the study and its scene
// decide, so that they are the same to the bit whenever they are made. What depends on the day is in times.csv.
#ifndef STUDY_TABLE_STUDY_TABLE_H
#define STUDY_TABLE_STUDY_TABLE_H

#include "study/plan/study_points.h"
#include "study/runs/run_pool.h"

// Over the seeds of a point.
typedef struct figure_statistics {
    int64_t count;  // runs that have the figure
    double mean;    // not a number without any
    double
        deviation;  // standard deviation of a run, sqrt(sum (x - mean)^2 / (count - 1)); not a number of less than two
} figure_statistics;

typedef struct run_times {
    double wall, step, memory, threads, resumes;  // s, s, bytes
} run_times;

// Case number c is point c / seed_count with seed c % seed_count. Two may be one run.
typedef struct study_table {
    const study_plan *plan;
    const study_points *points;
    const study_run *runs;
    const int64_t *run_of;  // (case)
    int64_t case_count, run_count;
    double *value;                  // (case, figure)
    figure_statistics *statistics;  // (point, figure)
    run_times *times;               // (run)
} study_table;

figure_statistics statistics_of(const double *value, int64_t count, int64_t stride);

// Read the figures of all runs that are done. Free it also after a failure.
scr_status study_table_make(const study_plan *plan, const study_points *points, const study_directory *d,
                            const study_run *runs, int64_t run_count, const int64_t *run_of, int64_t case_count,
                            study_table *t, scr_error *error);
void study_table_free(study_table *t);
// study.csv, runs.csv, times.csv
scr_status study_table_write(const study_table *t, const study_directory *d, scr_error *error);

#endif
