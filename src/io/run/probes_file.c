// SPDX-License-Identifier: BSD-3-Clause
// probes.csv: one row of numbers every so often.
//
// A row goes out in one write, and how many bytes are whole rows is kept: a write that failed half way is cut off.
#include "io/run/probes_file.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/text/memory_stream.h"
#include "core/text/plain_locale.h"
#include "io/file/open_file.h"
#include "io/json/json_write.h"

enum { VALUE_WIDTH = 32 };  // characters that a number and its comma never exceed

struct probes_file {
    char path[PATH_LENGTH_MAX];
    int file;
    int column_count;
    double *value;
    char *row;
    size_t row_size;
    int64_t bytes;
};

static scr_status fail_file(const probes_file *p, const char *what, scr_error *error)
{
    return scr_fail(error, SCR_IO, "%s: cannot %s: %s", p->path, what, strerror(errno));
}

static scr_status probes_file_new(const char *path, const simulation *sim, probes_file **result, scr_error *error)
{
    probes_file *p = scr_alloc(sizeof *p);
    if (p == NULL) return scr_fail_memory(error, sizeof *p, "probes");
    *p = (probes_file){.file = -1, .column_count = simulation_probe_column_count(sim)};
    snprintf(p->path, sizeof p->path, "%s", path);
    p->row_size = VALUE_WIDTH * ((size_t)p->column_count + 1);
    p->value = scr_alloc(((size_t)p->column_count + 1) * sizeof *p->value);
    p->row = scr_alloc(p->row_size);
    if (p->value == NULL || p->row == NULL) {
        scr_status status = scr_fail_memory(error, p->row_size, "a row of probes");
        probes_file_close(p);
        return status;
    }
    *result = p;
    return SCR_OK;
}

static scr_status write_text(probes_file *p, const char *text, size_t length, scr_error *error)
{
    size_t done = 0;
    while (done < length) {
        ssize_t written = write(p->file, text + done, length - done);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) {
            scr_status status = fail_file(p, "write", error);
            if (ftruncate(p->file, p->bytes) != 0) return status;  // nothing else can be done about the half row
            return status;
        }
        done += (size_t)written;
    }
    p->bytes += (int64_t)length;
    return SCR_OK;
}

// The first line; free() it, after a failure too.
static scr_status make_header(const probes_file *p, const simulation *sim, char **text, size_t *size, scr_error *error)
{
    FILE *out = memory_stream_open(text, size);
    if (out == NULL) return scr_fail_memory(error, 0, "the names of probes");
    fputs("time [s]", out);
    for (int c = 0; c < p->column_count; ++c) {
        const char *unit = simulation_probe_unit(sim, c);
        fprintf(out, ",%s", simulation_probe_column(sim, c));
        if (unit[0] != '\0') fprintf(out, " [%s]", unit);
    }
    fputc('\n', out);
    return fclose(out) == 0 ? SCR_OK : scr_fail_memory(error, *size, "the names of probes");
}

static scr_status write_header(probes_file *p, const simulation *sim, scr_error *error)
{
    char *text = NULL;
    size_t size = 0;
    scr_status status = make_header(p, sim, &text, &size, error);
    if (status == SCR_OK) status = write_text(p, text, size, error);
    free(text);
    return status;
}

// Before a file is cut: does it begin with the line that we wrote, and do whole rows end where they did?
static scr_status check_header(const probes_file *p, const simulation *sim, scr_error *error)
{
    char *text = NULL, *there = NULL, last = '\0';
    size_t size = 0;
    scr_status status = make_header(p, sim, &text, &size, error);
    if (status == SCR_OK && (there = malloc(size)) == NULL)
        status = scr_fail_memory(error, size, "the names of probes");
    if (status == SCR_OK && (pread(p->file, there, size, 0) != (ssize_t)size || memcmp(there, text, size) != 0 ||
                             pread(p->file, &last, 1, (off_t)p->bytes - 1) != 1 || last != '\n'))
        status = scr_fail(error, SCR_IO, "%s is not the file that the run wrote", p->path);
    free(there);
    free(text);
    return status;
}

scr_status probes_file_create(const char *path, const simulation *sim, probes_file **result, scr_error *error)
{
    probes_file *p;
    scr_status status = probes_file_new(path, sim, &p, error);
    if (status != SCR_OK) return status;
    p->file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_APPEND | O_CLOEXEC, 0666);
    status = p->file < 0 ? fail_file(p, "write", error) : write_header(p, sim, error);
    if (status == SCR_OK) *result = p;
    else probes_file_close(p);
    return status;
}

scr_status probes_file_continue(const char *path, const simulation *sim, int64_t bytes, probes_file **result,
                                scr_error *error)
{
    int64_t there = file_size(path);
    if (there < bytes)
        return scr_fail(error, SCR_IO, "%s: only %lld bytes are there, but %lld were written", path,
                        (long long)(there < 0 ? 0 : there), (long long)bytes);
    probes_file *p;
    scr_status status = probes_file_new(path, sim, &p, error);
    if (status != SCR_OK) return status;
    p->file = open(path, O_RDWR | O_APPEND | O_CLOEXEC);
    p->bytes = bytes;
    status = p->file < 0 ? fail_file(p, "continue", error) : check_header(p, sim, error);
    if (status == SCR_OK && ftruncate(p->file, bytes) != 0) status = fail_file(p, "continue", error);
    if (status == SCR_OK) *result = p;
    else probes_file_close(p);
    return status;
}

// Numbers in the shortest form that reads back to the same bits; time is a number of steps and looks like one.
static size_t print_row(probes_file *p, double time)
{
    size_t length = (size_t)snprintf(p->row, p->row_size, "%.12g", time);
    for (int c = 0; c < p->column_count; ++c) {
        p->row[length++] = ',';
        if (isfinite(p->value[c]))
            length += (size_t)snprintf(p->row + length, VALUE_WIDTH - 1, "%s", json_number_text(p->value[c]).text);
        else length += (size_t)snprintf(p->row + length, VALUE_WIDTH - 1, "%g", p->value[c]);
    }
    p->row[length++] = '\n';
    return length;
}

scr_status probes_file_append(probes_file *p, simulation *sim, scr_error *error)
{
    plain_locale locale;
    scr_status status = plain_locale_enter(&locale, error);
    if (status != SCR_OK) return status;
    simulation_probe_row(sim, p->value);
    size_t length = print_row(p, scr_world_time(simulation_world(sim)));
    plain_locale_leave(&locale);
    return write_text(p, p->row, length, error);
}

bool probes_file_is_in_place(const probes_file *p) { return is_open_as(p->file, p->path); }
int64_t probes_file_bytes(const probes_file *p) { return p->bytes; }

scr_status probes_file_sync(probes_file *p, scr_error *error)
{
    return fsync(p->file) == 0 ? SCR_OK : fail_file(p, "bring to the disk", error);
}

void probes_file_close(probes_file *p)
{
    if (p == NULL) return;
    if (p->file >= 0) close(p->file);
    scr_free(p->value);
    scr_free(p->row);
    scr_free(p);
}
