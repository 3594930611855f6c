// summary.json: the figures of a run, at each checkpoint and at its end.
#ifndef IO_RUN_SUMMARY_H
#define IO_RUN_SUMMARY_H

#include "io/run/run_warnings.h"

typedef enum run_status { RUN_RUNNING, RUN_DONE, RUN_INTERRUPTED, RUN_FAILED } run_status;

typedef struct run_summary {
    run_status status;
    const char *reason;  // why it failed; NULL otherwise
    const char *title;
    run_record record;
    scr_contact_law law;
    double time_step;  // s
    int threads;
    int64_t body_count;
    linkage_state joints;  // with the scene's that broke:
    const simulation *simulation;
    scr_energy energy;
    scr_vec3 momentum;          // kg m/s
    scr_vec3 angular_momentum;  // kg m^2/s about the origin
    simulation_counts counts;
    uint64_t state_hash;
    int64_t peak_memory;  // bytes, of this process
    run_warnings sentences;
} run_summary;

const char *run_status_name(run_status status);  // "running", "done", "interrupted", "failed"

run_summary summary_of(simulation *sim, const run_record *record, int threads, uint64_t state_hash);
scr_status summary_write(const char *path, const run_summary *summary, scr_error *error);

// How the run ended, or last stood, according to summary.json.
typedef struct summary_brief {
    char status[16];
    char reason[1024];  // "" if there is none
    run_warnings sentences;
} summary_brief;
scr_status summary_read_brief(const char *path, summary_brief *brief, scr_error *error);

#endif
