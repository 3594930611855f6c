// SPDX-License-Identifier: BSD-3-Clause
// Any bytes at all: the reader of heightmaps either fails with a sentence or gives grey values from 0 to 1.
#include <stdio.h>

#include "fuzz/fuzz.h"
#include "scene/terrain/raster.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    raster r = {0};
    scr_error error = {0};
    FILE *file = size > 0 ? fmemopen((void *)(uintptr_t)data, size, "rb") : NULL;
    if (file == NULL) return 0;
    scr_status status = raster_read_png(file, "fuzz.png", &r, &error);
    fclose(file);
    if (status == SCR_OK) {
        promise(r.width >= 2 && r.height >= 2 && r.is_grey);
        for (int64_t i = 0; i < r.width * r.height; ++i) promise(r.value[i] >= 0.0 && r.value[i] <= 1.0);
    } else {
        promise(strncmp(error.message, "fuzz.png ", 9) == 0 || status == SCR_NO_MEMORY);
    }
    raster_free(&r);
    return 0;
}
