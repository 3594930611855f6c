// SPDX-License-Identifier: BSD-3-Clause
// Any bytes at all as a vehicle file: the reader either fails with a sentence that names the file, or gives figures of
// which a track can be wrapped, or refused.
#include <math.h>

#include "fuzz/fuzz.h"
#include "io/vehicle/vehicle_file.h"

enum { SHOES_MOST = 200 };  // wrapping more takes its time

static void wrap_track(const tracked_vehicle *v)
{
    track_wrap wrap;
    scr_error error = {0};
    scr_status status = tracked_wrap(v, &wrap, &error);
    promise(status == SCR_OK || error.message[0] != '\0');
    for (int k = 0; status == SCR_OK && k < track_link_count(&v->shoe); ++k)
        promise(isfinite(wrap.pin[k].x) && isfinite(wrap.pin[k].z));
    track_wrap_free(&wrap);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char name[] = "fuzz.json";
    char *text = text_of(data, size);
    vehicle_file file;
    scr_error error = {0};
    scr_status status = vehicle_file_read_text(text, size, name, &file, &error);
    if (status == SCR_OK) {
        promise(vehicle_mass(&file.tracked) > 0.0 && file.tracked.side_count > 0 && file.tracked.road_wheel_count > 0);
        if (file.tracked.shoe.count <= SHOES_MOST) wrap_track(&file.tracked);
    } else {
        promise(strncmp(error.message, name, strlen(name)) == 0 || status == SCR_NO_MEMORY);
    }
    vehicle_file_free(&file);
    free(text);
    return 0;
}
