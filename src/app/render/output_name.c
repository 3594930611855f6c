// SPDX-License-Identifier: BSD-3-Clause
// What the end of a name asks for.
#include "app/render/output_name.h"

#include <string.h>
#include <strings.h>

static bool has_extension(const char *path, const char *extension)
{
    const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
    return dot != NULL && (slash == NULL || dot > slash) && strcasecmp(dot + 1, extension) == 0;
}

bool output_name_is_webm(const char *path) { return has_extension(path, "webm"); }
bool output_name_is_movie(const char *path) { return output_name_is_webm(path) || has_extension(path, "mp4"); }

// A directory may have any name, but nobody means one by x.gif.
static bool is_file_of_pictures(const char *path)
{
    static const char *const extensions[] = {"png", "gif", "jpg", "jpeg", "bmp", "tif",  "tiff", "webp", "svg",
                                             "pdf", "avi", "mov", "mkv",  "mpg", "mpeg", "m4v",  "ogv"};
    for (size_t k = 0; k < sizeof extensions / sizeof extensions[0]; ++k)
        if (has_extension(path, extensions[k])) return true;
    return false;
}

scr_status output_name_check(const char *path, bool many, scr_error *error)
{
    if (output_name_is_movie(path)) return SCR_OK;
    if (many && is_file_of_pictures(path))
        return scr_fail(error, SCR_BAD_INPUT,
                        "%s: many pictures go to a directory, or into a movie whose name ends in .mp4 or .webm", path);
    if (many || has_extension(path, "png")) return SCR_OK;
    return scr_fail(
        error, SCR_BAD_INPUT,
        "%s: the name of a picture ends in .png, that of a movie in .mp4 or .webm; other formats are not written",
        path);
}
