// SPDX-License-Identifier: BSD-3-Clause
// A run directory as a report shows it.
#ifndef VIEW_REPORT_REPORT_RUN_H
#define VIEW_REPORT_REPORT_RUN_H

#include "scene/model/scene.h"
#include "view/report/report_frames.h"
#include "view/report/report_probes.h"

typedef struct report_run {
    const char *directory;
    json_t *summary, *text;  // summary and scene, as in the files
    scene *model;            // the scene as this version understands it; NULL if it does not
    bool *hidden;            // for each of its bodies: not in pictures
    json_t *camera;          // of the scene; NULL or null: none (view/report/report_camera.h)
    report_probes probes;
    trajectory *trajectory;  // NULL if there is none, or no frame in it
    report_instances instances;
    bool *surface_fits;  // for each surface: it is shown
    report_shown shown;
} report_run;

// Reads what says how large things are, and fits them into the budget (bytes of the page).
scr_status report_run_open(report_run *run, const char *directory, int64_t budget, scr_error *error);
// Everything of this run to the page, frame by frame.
scr_status report_run_write(report_run *run, int number, report_page *page, scr_error *error);
void report_run_close(report_run *run);

#endif
