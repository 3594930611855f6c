// SPDX-License-Identifier: BSD-3-Clause
// Where a file or directory that is open has gone.
#include "io/file/open_file.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

bool is_open_as(int file, const char *path)
{
    struct stat here, there;
    if (fstat(file, &here) != 0) return false;
    // A disk that does not answer just now has lost nothing.
    if (stat(path, &there) != 0) return errno != ENOENT && errno != ENOTDIR;
    return here.st_dev == there.st_dev && here.st_ino == there.st_ino;
}

bool open_directory_path(int directory, char path[PATH_LENGTH_MAX])
{
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", directory);
    ssize_t length = readlink(link, path, PATH_LENGTH_MAX - 1);
    if (length < 0) return false;
    path[length] = '\0';
    return is_open_as(directory, path);  // of what was removed the system still knows a name
}
