// SPDX-License-Identifier: BSD-3-Clause
// Copying the state of a world into another, as a checkpoint does.
#ifndef TESTS_DYNAMICS_COPIED_WORLD_H
#define TESTS_DYNAMICS_COPIED_WORLD_H

#include <string.h>

#include "dynamics/world/world_state.h"
#include "physics.h"

static inline void copy_state(scr_world *from, scr_world *to)
{
    table *source[WORLD_TABLE_MAX], *target[WORLD_TABLE_MAX];
    int count = world_tables(from, source);
    assert_int_equal(world_tables(to, target), count);
    for (int k = 0; k < count; ++k) {
        assert_string_equal(source[k]->name, target[k]->name);
        assert_ok(table_reserve(target[k], source[k]->count, &error));
        target[k]->count = source[k]->count;
        for (int f = 0; f < source[k]->field_count; ++f) {
            const field_info *field = &source[k]->field[f];
            size_t bytes = field_size(field) * (size_t)(field->scalar ? 1 : source[k]->count);
            if (bytes > 0) memcpy(table_data(target[k], field), table_data(source[k], field), bytes);
        }
    }
}

static inline scr_world *resumed(scr_world *world, const scr_world_def *def)
{
    scr_world *other = make_world(def);
    copy_state(world, other);
    assert_ok(world_after_load(other, &error));
    return other;
}

#endif
