// SPDX-License-Identifier: BSD-3-Clause
// What a run's frames hold, as its scene wants them.
#ifndef IO_RUN_RUN_FRAMES_H
#define IO_RUN_RUN_FRAMES_H

#include "io/trajectory/frame.h"
#include "scene/run/simulation.h"

scr_status run_frame_capture(simulation *sim, frame *f, scr_error *error);
// How large frames will be about, given the first.
frame_size run_frame_usual_size(simulation *sim, const frame *first);

#endif
