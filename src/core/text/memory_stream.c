// SPDX-License-Identifier: BSD-3-Clause
// A stream over a block that doubles.
#define _GNU_SOURCE
#include "core/text/memory_stream.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

enum { FIRST_CAPACITY = 1 << 10 };  // bytes

typedef struct memory_stream {
    char **text;
    size_t *size;
    size_t capacity;
    bool lost_some;
} memory_stream;

static bool reserve(memory_stream *m, size_t more)
{
    size_t capacity = m->capacity;
    while (capacity - *m->size <= more) capacity *= 2;  // one byte is for the end
    if (capacity == m->capacity) return true;
    char *grown = realloc(*m->text, capacity);
    if (grown == NULL) return false;
    *m->text = grown;
    m->capacity = capacity;
    return true;
}

static ssize_t append(void *cookie, const char *data, size_t size)
{
    memory_stream *m = cookie;
    if (m->lost_some || !reserve(m, size)) {
        m->lost_some = true;  // and what comes later would stand in its place
        return 0;             // how a stream learns of an error
    }
    memcpy(*m->text + *m->size, data, size);
    *m->size += size;
    (*m->text)[*m->size] = '\0';
    return (ssize_t)size;
}

static int end(void *cookie)
{
    memory_stream *m = cookie;
    int result = m->lost_some ? -1 : 0;
    free(m);
    return result;
}

FILE *memory_stream_open(char **text, size_t *size)
{
    memory_stream *m = malloc(sizeof *m);
    *text = malloc(FIRST_CAPACITY);
    *size = 0;
    if (m != NULL && *text != NULL) {
        *m = (memory_stream){.text = text, .size = size, .capacity = FIRST_CAPACITY};
        **text = '\0';
        FILE *stream = fopencookie(m, "w", (cookie_io_functions_t){.write = append, .close = end});
        if (stream != NULL) return stream;
    }
    free(m);
    free(*text);
    *text = NULL;
    return NULL;
}
