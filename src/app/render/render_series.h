// SPDX-License-Identifier: BSD-3-Clause
// Pictures of many frames of a run: drawn one after the other into a directory, by one process or several, kept if they
// are there already, and made a movie if that was asked for.
//
// Beside the pictures lies view.json, the view with all that was found out about the run: camera, range, ground. A
// process that finds another one there than its own stops, lest two kinds of pictures mix.
#ifndef APP_RENDER_RENDER_SERIES_H
#define APP_RENDER_RENDER_SERIES_H

#include "app/render/work_share.h"
#include "app/source/frame_range.h"
#include "app/source/run_source.h"

typedef struct render_series {
    run_source *source;
    const render_options *options;
    int64_t follow;  // id of a body; 0: none
    frame_range range;
    work_share share;
    bool force;             // draw what is there already, too
    const char *view_file;  // that the view was read from; NULL: none
    const char *directory;  // of the pictures
    const char *movie;      // NULL: none
    int frames_per_second;
} render_series;

// Draws, and says what it did. The exit code of the command.
int render_series_run(const render_series *series);

#endif
