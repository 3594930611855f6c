// SPDX-License-Identifier: BSD-3-Clause
// Spheres in any order, brought into layers: a distribution sort on disk.
//
// Three passes over the stream: a sample of where spheres begin (centre minus radius, along the axis on which they are
// spread most), whose quantiles cut the layers; how many spheres each layer gets; and the sort itself. A layer's place
// in the file follows from the counts, so it is written piece by piece through a small buffer and read back in one go.
// The file has no name from the start: however the program ends, nothing is left of it.
#include "collision/detector/ball_detector.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/threads.h"

enum {
    SAMPLE = 1 << 14,        // spheres
    READ_BALLS = 1 << 16,    // of the stream, at a time
    BUFFER_BALLS = 1 << 12,  // of a layer, written at a time
    LAYERS_MAX = 4096,
};

typedef struct stored_ball {
    scr_ball ball;
    int64_t id;
} stored_ball;

typedef struct sorted_stream {
    const scr_ball_stream *stream;
    int axis;
    int64_t layer_count;
    double layer_floor[LAYERS_MAX];  // m, where its first sphere begins at the earliest; ascending
    int64_t layer_size[LAYERS_MAX], layer_first[LAYERS_MAX], written[LAYERS_MAX];  // spheres
    double sample[3][SAMPLE];                                                      // m, by axis
    int64_t sample_count;
    int file;
    scr_ball *chunk;      // (READ_BALLS)
    stored_ball *buffer;  // (layer_count, BUFFER_BALLS); reading back uses it as one
} sorted_stream;

static double start_of(const scr_ball *b, int axis) { return (axis == 0 ? b->x : axis == 1 ? b->y : b->z) - b->r; }

// Call visit for every chunk of the stream.
static scr_status for_chunks(sorted_stream *s,
                             scr_status (*visit)(sorted_stream *, int64_t first, int64_t count, scr_error *),
                             scr_error *error)
{
    scr_status status = SCR_OK;
    for (int64_t first = 0; first < s->stream->count && status == SCR_OK; first += READ_BALLS) {
        int64_t count = min_i64(READ_BALLS, s->stream->count - first);
        status = s->stream->read(s->stream->context, first, count, s->chunk, error);
        if (status == SCR_OK) status = visit(s, first, count, error);
    }
    return status;
}

static scr_status sample_starts(sorted_stream *s, int64_t first, int64_t count, scr_error *error)
{
    int64_t step = block_count_of(s->stream->count, SAMPLE);
    for (int64_t k = 0; k < count; ++k) {
        const scr_ball *b = &s->chunk[k];
        if (!isfinite(b->x) || !isfinite(b->y) || !isfinite(b->z) || !isfinite(b->r) || b->r < 0.0)
            return scr_fail(error, SCR_BAD_INPUT, "sphere %lld: x, y, z and r must be finite, and r not negative",
                            (long long)(first + k));
        if ((first + k) % step != 0) continue;
        for (int axis = 0; axis < 3; ++axis) s->sample[axis][s->sample_count] = start_of(b, axis);
        ++s->sample_count;
    }
    return SCR_OK;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The axis along which the middle half of the sample is spread most. All three samples are sorted.
static void choose_axis(sorted_stream *s)
{
    double widest = -1.0;
    for (int axis = 0; axis < 3; ++axis) {
        qsort(s->sample[axis], (size_t)s->sample_count, sizeof(double), by_value);
        double spread = s->sample[axis][3 * s->sample_count / 4] - s->sample[axis][s->sample_count / 4];
        if (spread > widest) widest = spread, s->axis = axis;
    }
}

// Layers of about `most` spheres.
static scr_status choose_layers(sorted_stream *s, int64_t most, scr_error *error)
{
    s->layer_count = block_count_of(s->stream->count, most);
    if (s->layer_count > LAYERS_MAX)
        return scr_fail(error, SCR_BAD_INPUT, "the budget is too small: the spheres would take more than %d layers",
                        LAYERS_MAX);
    for (int64_t k = 0; k < s->layer_count; ++k)
        s->layer_floor[k] = k == 0 ? -INFINITY : s->sample[s->axis][s->sample_count * k / s->layer_count];
    return SCR_OK;
}

// The last layer whose floor is not above where the sphere begins.
static int64_t layer_of(const sorted_stream *s, const scr_ball *b)
{
    double start = start_of(b, s->axis);
    int64_t low = 0, high = s->layer_count;
    while (high - low > 1) {
        int64_t middle = (low + high) / 2;
        if (s->layer_floor[middle] <= start) low = middle;
        else high = middle;
    }
    return low;
}

static scr_status count_layers(sorted_stream *s, int64_t first, int64_t count, scr_error *error)
{
    (void)first, (void)error;
    for (int64_t k = 0; k < count; ++k) ++s->layer_size[layer_of(s, &s->chunk[k])];
    return SCR_OK;
}

static void lay_out(sorted_stream *s)
{
    for (int64_t k = 1; k < s->layer_count; ++k) s->layer_first[k] = s->layer_first[k - 1] + s->layer_size[k - 1];
}

static scr_status write_out(const sorted_stream *s, const stored_ball *balls, int64_t at, int64_t count,
                            scr_error *error)
{
    const char *data = (const char *)balls;
    size_t left = (size_t)count * sizeof *balls;
    off_t to = (off_t)at * (off_t)sizeof *balls;
    while (left > 0) {
        ssize_t done = pwrite(s->file, data, left, to);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0)
            return scr_fail(error, SCR_IO, "the temporary file of %.3g GB could not be written: %s",
                            1e-9 * (double)s->stream->count * sizeof *balls, done < 0 ? strerror(errno) : "no room");
        data += done, left -= (size_t)done, to += done;
    }
    return SCR_OK;
}

// What of a layer waits in its buffer.
static int64_t pending(const sorted_stream *s, int64_t layer) { return s->written[layer] % BUFFER_BALLS; }

static scr_status flush(sorted_stream *s, int64_t layer, int64_t count, scr_error *error)
{
    int64_t at = s->layer_first[layer] + s->written[layer] - count;
    return count > 0 ? write_out(s, s->buffer + layer * BUFFER_BALLS, at, count, error) : SCR_OK;
}

static scr_status distribute(sorted_stream *s, int64_t first, int64_t count, scr_error *error)
{
    scr_status status = SCR_OK;
    for (int64_t k = 0; k < count && status == SCR_OK; ++k) {
        int64_t layer = layer_of(s, &s->chunk[k]);
        if (s->written[layer] >= s->layer_size[layer])
            return scr_fail(error, SCR_BAD_INPUT, "sphere %lld is not what it was when the stream was read before",
                            (long long)(first + k));
        s->buffer[layer * BUFFER_BALLS + pending(s, layer)] = (stored_ball){s->chunk[k], first + k};
        ++s->written[layer];
        if (pending(s, layer) == 0) status = flush(s, layer, BUFFER_BALLS, error);
    }
    return status;
}

static scr_status open_file(sorted_stream *s, const char *directory, scr_error *error)
{
    char path[4096];
    const char *given = directory != NULL ? directory : getenv("TMPDIR");
    const char *where = given != NULL ? given : "/tmp";
    if (snprintf(path, sizeof path, "%s/scree-spheres-XXXXXX", where) >= (int)sizeof path)
        return scr_fail(error, SCR_BAD_INPUT, "the name of the directory for temporary files is too long");
    s->file = mkstemp(path);
    if (s->file < 0)
        return scr_fail(error, SCR_IO, "%s: no temporary file can be made there: %s", where, strerror(errno));
    unlink(path);
    return SCR_OK;
}

static scr_status sort_to_file(sorted_stream *s, const char *directory, scr_error *error)
{
    s->buffer = scr_alloc(scr_array_bytes(s->layer_count * BUFFER_BALLS, sizeof *s->buffer));
    if (s->buffer == NULL)
        return scr_fail_memory(error, scr_array_bytes(s->layer_count * BUFFER_BALLS, sizeof *s->buffer),
                               "sorting spheres");
    scr_status status = open_file(s, directory, error);
    if (status == SCR_OK) status = for_chunks(s, distribute, error);
    for (int64_t layer = 0; layer < s->layer_count && status == SCR_OK; ++layer)
        status = flush(s, layer, pending(s, layer), error);
    return status;
}

static scr_status measure_stored(void *context, int64_t layer, int64_t *count, double *floor, scr_error *error)
{
    const sorted_stream *s = context;
    (void)error;
    *count = s->layer_size[layer];
    *floor = s->layer_floor[layer];
    return SCR_OK;
}

static scr_status read_stored(void *context, int64_t layer, scr_ball *balls, int64_t *ids, scr_error *error)
{
    const sorted_stream *s = context;
    int64_t capacity = s->layer_count * BUFFER_BALLS;
    for (int64_t done = 0; done < s->layer_size[layer];) {
        int64_t count = min_i64(capacity, s->layer_size[layer] - done);
        off_t from = (off_t)(s->layer_first[layer] + done) * (off_t)sizeof *s->buffer;
        ssize_t got = pread(s->file, s->buffer, (size_t)count * sizeof *s->buffer, from);
        if (got < 0 && errno == EINTR) continue;
        if (got < (ssize_t)sizeof *s->buffer)
            return scr_fail(error, SCR_IO, "the temporary file could not be read: %s",
                            got < 0 ? strerror(errno) : "too short");
        count = got / (ssize_t)sizeof *s->buffer;
        for (int64_t k = 0; k < count; ++k) balls[done + k] = s->buffer[k].ball, ids[done + k] = s->buffer[k].id;
        done += count;
    }
    return SCR_OK;
}

// All of the stream as one layer.
static scr_status measure_whole(void *context, int64_t layer, int64_t *count, double *floor, scr_error *error)
{
    (void)layer, (void)error;
    *count = ((const scr_ball_stream *)context)->count;
    *floor = -INFINITY;
    return SCR_OK;
}

static scr_status read_whole(void *context, int64_t layer, scr_ball *balls, int64_t *ids, scr_error *error)
{
    const scr_ball_stream *stream = context;
    (void)layer;
    for (int64_t k = 0; k < stream->count; ++k) ids[k] = k;
    return stream->count > 0 ? stream->read(stream->context, 0, stream->count, balls, error) : SCR_OK;
}

// Layers take a third of the budget: what reaches in from below and what is found must fit as well.
static int64_t balls_a_layer(const scr_detector *d, int64_t budget)
{
    const int64_t trial = 1 << 20, always = detector_bytes(d, 0);
    double each = (double)(detector_bytes(d, trial) - always) / (double)trial;
    return (int64_t)fmax(1.0, (double)(budget - always) / (3.0 * each));
}

scr_status scr_detect_stream(scr_detector *d, const scr_ball_stream *stream, int64_t budget, const char *directory,
                             const scr_contact_sink *sink, scr_error *error)
{
    if (stream->count < 0)
        return scr_fail(error, SCR_BAD_INPUT, "count must not be negative, but is %lld", (long long)stream->count);
    if (stream->count <= GRID_BALLS_MAX && detector_bytes(d, stream->count) <= budget) {
        scr_ball_layers whole = {(void *)stream, 0, 1, measure_whole, read_whole};
        return scr_detect_layers(d, &whole, budget, sink, error);
    }
    sorted_stream *s = scr_alloc(sizeof *s);
    scr_ball *chunk = scr_alloc(READ_BALLS * sizeof *chunk);
    scr_status status = SCR_OK;
    if (s != NULL) memset(s, 0, sizeof *s), s->file = -1;
    if (s == NULL || chunk == NULL) {
        status = scr_fail_memory(error, s == NULL ? sizeof *s : READ_BALLS * sizeof *chunk, "sorting spheres");
        goto done;
    }
    s->stream = stream, s->chunk = chunk;
    status = for_chunks(s, sample_starts, error);
    if (status != SCR_OK) goto done;
    choose_axis(s);
    status = choose_layers(s, balls_a_layer(d, budget), error);
    if (status == SCR_OK) status = for_chunks(s, count_layers, error);
    if (status != SCR_OK) goto done;
    lay_out(s);
    status = sort_to_file(s, directory, error);
    scr_ball_layers layers = {s, s->axis, s->layer_count, measure_stored, read_stored};
    if (status == SCR_OK) status = scr_detect_layers(d, &layers, budget, sink, error);
done:
    if (s != NULL) {
        if (s->file >= 0) close(s->file);
        scr_free(s->buffer);
    }
    scr_free(s);
    scr_free(chunk);
    return status;
}
