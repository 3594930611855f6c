// A long text file, whole or not there.
#include "io/text_output.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "io/safe_file.h"

scr_status text_output_open(const char *path, FILE **out, scr_error *error)
{
    char temporary[PATH_LENGTH_MAX];
    scr_status status = path_temporary(temporary, path, error);
    if (status != SCR_OK) return status;
    *out = fopen(temporary, "wb");
    return *out != NULL ? SCR_OK : scr_fail(error, SCR_IO, "%s: cannot write: %s", path, strerror(errno));
}

scr_status text_output_close(const char *path, FILE *out, scr_status status, scr_error *error)
{
    char temporary[PATH_LENGTH_MAX];
    errno = 0;
    bool complete = !ferror(out);
    if (fclose(out) != 0) complete = false;
    if (status == SCR_OK && !complete)
        status = scr_fail(error, SCR_IO, "%s: cannot write: %s", path, errno != 0 ? strerror(errno) : "the disk may be full");
    if (status == SCR_OK) return file_commit(path, error);
    if (path_temporary(temporary, path, NULL) == SCR_OK) unlink(temporary);
    return status;
}
