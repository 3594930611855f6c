// SPDX-License-Identifier: BSD-3-Clause
// Jansson's requests for memory go through here, on their way to whoever served them before.
#include "io/json/json_memory.h"

#include <jansson.h>
#include <stddef.h>

static json_malloc_t served_before;
static bool ran_out;

static void *note_and_serve(size_t size)
{
    void *memory = served_before(size);
    if (memory == NULL) ran_out = true;
    return memory;
}

void json_memory_watch(void)
{
    json_malloc_t serving;
    json_free_t freeing;
    json_get_alloc_funcs(&serving, &freeing);
    if (serving != note_and_serve) {
        served_before = serving;
        json_set_alloc_funcs(note_and_serve, freeing);
    }
    ran_out = false;
}

bool json_memory_ran_out(void) { return ran_out; }
