// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/cone/system/core.h"

// Bodies that joints hold, and those of contacts off the centre line: with them begins what is solved at once. False:
// some contact on that line holds a body that joints hold, too.
static bool find_machine(system_region *core, const contact_system *system)
{
    for (int64_t k = 0; system->joints != NULL && k < system->joints->mechanism_count; ++k) {
        const joint_mechanism *one = &system->joints->mechanism[k];
        for (int32_t i = 0; i < one->equations.body_count; ++i) region_put(core, one->body[i], LAYER_JOINED);
    }
    for (int64_t i = 0; i < system->contact_count; ++i) {
        contact_ends ends = core->ends[i];
        if (ends.centre_line) {
            if (region_layer(core, ends.a) == LAYER_JOINED || region_layer(core, ends.b) == LAYER_JOINED) return false;
            continue;
        }
        region_put(core, ends.a, 0);
        region_put(core, ends.b, 0);
    }
    return true;
}

scr_status core_find(system_region *core, const contact_system *system, region_reach reach, bool *is_apart,
                     scr_error *error)
{
    scr_status status = region_begin(core, system, error);
    if (status != SCR_OK) return status;
    *is_apart = find_machine(core, system);
    if (!*is_apart) return SCR_OK;
    region_grow(core, system, reach);
    return region_close(core, system, error);
}
