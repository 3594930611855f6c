// SPDX-License-Identifier: BSD-3-Clause
// A long text file, whole or not there.
#include "io/file/text_output.h"

#include <errno.h>
#include <string.h>

#include "core/file/temporary_file.h"

scr_status text_output_open(const char *path, FILE **out, scr_error *error) { return file_open(path, out, error); }

scr_status text_output_close(const char *path, FILE *out, scr_status status, scr_error *error)
{
    errno = 0;
    bool complete = !ferror(out);
    if (fclose(out) != 0) complete = false;
    if (status == SCR_OK && !complete)
        status = scr_fail(error, SCR_IO, "%s: cannot write: %s", path,
                          errno != 0 ? strerror(errno) : "the disk may be full");
    if (status == SCR_OK) return file_commit(path, error);
    file_abandon(path);
    return status;
}
