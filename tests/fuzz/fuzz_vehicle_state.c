// SPDX-License-Identifier: BSD-3-Clause
// Any bytes at all as the state of a vehicle: the reader either fails with a sentence that names the file, or gives
// parts that can be put somewhere.
#include "core/maths/vec3.h"
#include "fuzz/fuzz.h"
#include "io/machine/vehicle_state.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char name[] = "fuzz.json";
    static const pose drawn = {{1.0, -2.0, 0.5}, {0.8, 0.0, 0.0, 0.6}};
    char *text = text_of(data, size);
    vehicle_state state;
    scr_error error = {0};
    scr_status status = vehicle_state_read_text(text, size, name, &state, &error);
    if (status == SCR_OK) {
        promise(state.count > 0 && vehicle_state_bring_home(&state, drawn));
        for (int64_t k = 0; k < state.count; ++k) {
            scr_body_state at = part_state_in_world(&state.part[k], drawn);
            promise(vec3_is_finite(at.position) && vec3_is_finite(at.velocity) && vec3_is_finite(at.spin));
        }
    } else {
        promise(strncmp(error.message, name, strlen(name)) == 0 || status == SCR_NO_MEMORY);
    }
    vehicle_state_free(&state);
    free(text);
    return 0;
}
