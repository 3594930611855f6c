// SPDX-License-Identifier: BSD-3-Clause
// Whole tables cut, joined and repeated, column by column.
#include <string.h>

#include "scene/bed/bed.h"

void table_keep(table *t, const int32_t *from, int64_t count)
{
    for (int f = 0; f < t->field_count; ++f) {
        if (t->field[f].scalar) continue;
        size_t size = field_size(&t->field[f]);
        char *data = table_data(t, &t->field[f]);
        for (int64_t i = 0; i < count; ++i)
            if (from[i] != i) memcpy(data + (size_t)i * size, data + (size_t)from[i] * size, size);
    }
    t->count = count;
}

scr_status table_append(table *to, const table *from, scr_error *error)
{
    if (from->count == 0) return SCR_OK;
    scr_status status = table_reserve(to, to->count + from->count, error);
    if (status != SCR_OK) return status;
    for (int f = 0; f < to->field_count; ++f) {
        if (to->field[f].scalar) continue;
        size_t size = field_size(&to->field[f]);
        memcpy((char *)table_data(to, &to->field[f]) + (size_t)to->count * size, table_data(from, &from->field[f]),
               (size_t)from->count * size);
    }
    to->count += from->count;
    return SCR_OK;
}

scr_status table_repeat(table *t, int64_t copies, scr_error *error)
{
    if (t->count == 0) return SCR_OK;
    scr_status status = table_reserve(t, t->count * copies, error);
    if (status != SCR_OK) return status;
    for (int f = 0; f < t->field_count; ++f) {
        if (t->field[f].scalar) continue;
        size_t bytes = field_size(&t->field[f]) * (size_t)t->count;
        char *data = table_data(t, &t->field[f]);
        for (int64_t k = 1; k < copies; ++k) memcpy(data + (size_t)k * bytes, data, bytes);
    }
    t->count *= copies;
    return SCR_OK;
}
