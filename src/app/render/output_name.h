// SPDX-License-Identifier: BSD-3-Clause
// What `scree render -o NAME` asks for, by the end of the name: a picture (.png), a movie (.mp4, .webm), or, of many
// pictures, a directory.
#ifndef APP_RENDER_OUTPUT_NAME_H
#define APP_RENDER_OUTPUT_NAME_H

#include "core/base/status.h"

bool output_name_is_webm(const char *path);
bool output_name_is_movie(const char *path);
// Asked before any work: nothing is written in another format than its name says. many: pictures of several frames.
scr_status output_name_check(const char *path, bool many, scr_error *error);

#endif
