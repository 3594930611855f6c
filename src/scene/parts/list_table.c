// SPDX-License-Identifier: BSD-3-Clause
// State tables with one entry for each entry of a list in the scene.
#include "scene/parts/list_table.h"

#include <string.h>

scr_status list_table_init(table *t, int64_t count, scr_error *error)
{
    scr_status status = table_reserve(t, count, error);
    if (status != SCR_OK) return status;
    t->count = count;
    for (int f = 0; f < t->field_count; ++f) {
        const field_info *field = &t->field[f];
        size_t entries = field->scalar ? 1 : (size_t)count;
        if (entries > 0) memset(table_data(t, field), 0, entries * field_size(field));
    }
    return SCR_OK;
}

scr_status list_table_check(const table *t, int64_t count, scr_error *error)
{
    if (t->count == count) return SCR_OK;
    return scr_fail(error, SCR_BAD_INPUT,
                    "the saved state has %lld %s, the scene has %lld: they do not belong together", (long long)t->count,
                    t->name, (long long)count);
}
