// SPDX-License-Identifier: BSD-3-Clause
// Any text at all: the reader of number tables either fails with a sentence or gives full rows of finite numbers.
#include <math.h>

#include "fuzz/fuzz.h"
#include "scene/formula/number_table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = text_of(data, size);
    number_table t = {0};
    scr_error error = {0};
    scr_status status = number_table_read_text(text, size, "fuzz.csv", &t, &error);
    if (status == SCR_OK) {
        promise(t.rows > 0 && t.columns > 0);
        for (int64_t i = 0; i < t.rows * t.columns; ++i) promise(isfinite(t.value[i]));
    } else {
        promise(strncmp(error.message, "fuzz.csv:", 9) == 0 || status == SCR_NO_MEMORY);
    }
    number_table_free(&t);
    free(text);
    return 0;
}
