// SPDX-License-Identifier: BSD-3-Clause
// A view written as a file that scene_read_view_file() reads.
#ifndef IO_EXPORT_VIEW_FILE_H
#define IO_EXPORT_VIEW_FILE_H

#include "scene/model/scene.h"

// comment: what else is worth knowing, in a line. free() the text.
scr_status view_text(const scene_view *view, const char *comment, char **text, scr_error *error);

#endif
