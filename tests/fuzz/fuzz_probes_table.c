// SPDX-License-Identifier: BSD-3-Clause
// Any text at all: the reader of probes.csv either fails with a sentence or gives full columns under names, and times
// that never go back.
#include <math.h>

#include "fuzz/fuzz.h"
#include "io/run/probes_table.h"

static void check_table(const probes_table *t, size_t size)
{
    const double *time = t->column[0].value;
    promise(t->column_count > 0 && strcmp(t->column[0].name, "time") == 0);
    promise(2 * (size_t)(t->row_count * t->column_count) <= size);  // no more numbers than the text has room for
    volatile double sum = 0.0;                                      // every number is read
    for (int64_t c = 0; c < t->column_count; ++c) {
        promise(t->column[c].name[0] != '\0' && t->column[c].unit != NULL);
        for (int64_t k = 0; k < t->row_count; ++k) sum = sum + t->column[c].value[k];
    }
    for (int64_t k = 0; k < t->row_count; ++k) promise(isfinite(time[k]) && (k == 0 || time[k] >= time[k - 1]));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = text_of(data, size);
    probes_table t = {0};
    scr_error error = {0};
    scr_status status = probes_table_read_text(text, size, "fuzz.csv", &t, &error);
    if (status == SCR_OK) check_table(&t, size);
    else promise(strncmp(error.message, "fuzz.csv:", 9) == 0 || status == SCR_NO_MEMORY);
    probes_table_free(&t);
    free(text);
    return 0;
}
