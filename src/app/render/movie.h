// SPDX-License-Identifier: BSD-3-Clause
// Movies, by the program ffmpeg.
#ifndef APP_RENDER_MOVIE_H
#define APP_RENDER_MOVIE_H

#include "core/base/status.h"

// Asked before the work is done: is ffmpeg there?
scr_status movie_check(const char *path, scr_error *error);

// Pictures, one after the other, made a movie; `path` never holds half of one.
typedef struct movie_pictures {
    int64_t count;
    void (*path_of)(const void *context, int64_t k, char *path, size_t size);
    const void *context;
} movie_pictures;
scr_status movie_write(const char *path, const movie_pictures *pictures, int frames_per_second, scr_error *error);

#endif
