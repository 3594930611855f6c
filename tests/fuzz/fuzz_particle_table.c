// SPDX-License-Identifier: BSD-3-Clause
// Any text at all: the reader of particle tables either fails with a sentence or gives grains that a world can take.
#include <math.h>

#include "fuzz/fuzz.h"
#include "scene/populate/particle_table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = text_of(data, size);
    particle_table t = {0};
    scr_error error = {0};
    scr_status status = particle_table_read_text(text, size, "fuzz.csv", &t, &error);
    if (status == SCR_OK) {
        promise(t.count > 0);
        for (int64_t i = 0; i < t.count; ++i) {
            promise(isfinite(t.position[i].x) && isfinite(t.position[i].y) && isfinite(t.position[i].z));
            promise(isfinite(t.radius[i]) && t.radius[i] > 0.0);
            if (t.velocity == NULL) continue;
            promise(isfinite(t.velocity[i].x) && isfinite(t.velocity[i].y) && isfinite(t.velocity[i].z));
        }
    } else {
        promise(strncmp(error.message, "fuzz.csv:", 9) == 0 || status == SCR_NO_MEMORY);
    }
    particle_table_free(&t);
    free(text);
    return 0;
}
