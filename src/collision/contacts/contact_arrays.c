// SPDX-License-Identifier: BSD-3-Clause
// The memory of the contacts of a step: it grows with the most there were, and is kept.
#include "collision/contacts/contacts.h"

void contacts_free(contacts *set)
{
    contact_staging *staging = &set->staging;
    for (int64_t t = 0; t < staging->stage_count; ++t) {
        scr_free(staging->stage[t].item);
        scr_free(staging->stage[t].surface_points.point);
    }
    void *arrays[] = {set->start,
                      set->a,
                      set->b,
                      set->kept,
                      set->impulse,
                      set->previous,
                      set->allowance,
                      set->spring_share,
                      set->geometry,
                      staging->stage,
                      staging->chunk,
                      set->history.spring,
                      set->history.roll,
                      set->history.in_touch,
                      set->angular_impulse,
                      set->last_angular_impulse,
                      set->blow,
                      set->sphere_radius};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i) scr_free(arrays[i]);
    scr_arena_free(&staging->own_memory);
}

// The arrays share one capacity, so each grows from the same old one.
scr_status contacts_grow(contacts *set, int64_t count, scr_error *error)
{
    if (count <= set->capacity) return SCR_OK;
    struct {
        void *array;
        size_t size;
    } arrays[] = {
        {&set->a, sizeof *set->a},
        {&set->b, sizeof *set->b},
        {&set->kept, sizeof *set->kept},
        {&set->impulse, 3 * sizeof *set->impulse},
        {&set->previous, 3 * sizeof *set->previous},
        {&set->allowance, sizeof *set->allowance},
        {&set->spring_share, sizeof *set->spring_share},
    };
    int64_t capacity = set->capacity;
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k) {
        capacity = set->capacity;
        scr_status status = scr_grow_anew(arrays[k].array, &capacity, count, arrays[k].size, "contacts", error);
        if (status != SCR_OK) {
            set->capacity = 0;  // an array is gone: next time all are made anew
            return status;
        }
    }
    set->capacity = capacity;
    return SCR_OK;
}

scr_status contacts_grow_history(contacts *set, scr_error *error)
{
    contact_history *h = &set->history;
    const scr_column columns[] = {
        {&h->spring, 3 * sizeof *h->spring}, {&h->roll, 3 * sizeof *h->roll}, {&h->in_touch, sizeof *h->in_touch}};
    return scr_grow_together(columns, sizeof columns / sizeof *columns, &h->capacity, set->count, "contact history",
                             error);
}

scr_status contacts_grow_angular_impulses(contacts *set, scr_error *error)
{
    const scr_column columns[] = {{&set->angular_impulse, 3 * sizeof *set->angular_impulse},
                                  {&set->last_angular_impulse, 3 * sizeof *set->last_angular_impulse}};
    return scr_grow_together(columns, sizeof columns / sizeof *columns, &set->angular_impulse_capacity, set->count,
                             "contacts", error);
}

scr_status contacts_grow_blows(contacts *set, scr_error *error)
{
    return scr_grow_anew(&set->blow, &set->blow_capacity, set->count, 3 * sizeof *set->blow, "contacts", error);
}
