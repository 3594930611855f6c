// SPDX-License-Identifier: BSD-3-Clause
// Simulations that go on from another one, as from a checkpoint.
#ifndef TESTS_SCENE_RESUMED_H
#define TESTS_SCENE_RESUMED_H

#include <string.h>

#include "check.h"
#include "scene/run/simulation.h"

// What a checkpoint does: every table of one simulation into the same table of another.
static inline void copy_tables(simulation *from, simulation *to)
{
    table *source[SIMULATION_TABLE_MAX], *target[SIMULATION_TABLE_MAX];
    int count = simulation_tables(from, source);
    assert_int_equal(simulation_tables(to, target), count);
    for (int k = 0; k < count; ++k) {
        assert_string_equal(source[k]->name, target[k]->name);
        assert_int_equal(table_reserve(target[k], source[k]->count, NULL), SCR_OK);
        target[k]->count = source[k]->count;
        for (int f = 0; f < source[k]->field_count; ++f) {
            const field_info *field = &source[k]->field[f];
            size_t bytes = field_size(field) * (field->scalar ? 1 : (size_t)source[k]->count);
            if (bytes > 0) memcpy(table_data(target[k], field), table_data(source[k], field), bytes);
        }
    }
}

// A simulation that goes on from a copy of the tables of another.
static inline simulation *resumed(const scene *s, simulation *from, int threads)
{
    simulation *sim = NULL;
    scr_error error;
    if (simulation_create(s, false, threads, &sim, &error) != SCR_OK) fail_msg("%s", error.message);
    copy_tables(from, sim);
    if (simulation_after_load(sim, &error) != SCR_OK) fail_msg("%s", error.message);
    return sim;
}

#endif
