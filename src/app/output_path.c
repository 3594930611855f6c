// Where a verb writes what it makes.
#include "app/output_path.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "io/safe_file.h"

scr_status check_output_path(const char *path, scr_error *error)
{
    char parent[PATH_LENGTH_MAX];
    if (snprintf(parent, sizeof parent, "%s", path) >= (int)sizeof parent)
        return scr_fail(error, SCR_IO, "the name %.80s... is too long for a file", path);
    char *slash = strrchr(parent, '/');
    if (slash == NULL) strcpy(parent, ".");
    else slash[slash == parent] = '\0';  // "/a.png" lies in "/"
    if (!path_is_directory(parent))
        return scr_fail(error, SCR_IO, "%s cannot be written: there is no directory %s", path, parent);
    if (access(parent, W_OK) != 0)
        return scr_fail(error, SCR_IO, "%s cannot be written: you may not write to the directory %s", path, parent);
    // A device must not be replaced by a file.
    if (path_exists(path) && file_size(path) < 0)
        return scr_fail(error, SCR_IO, "%s is there already and is no file: give -o the name of a file", path);
    return SCR_OK;
}
