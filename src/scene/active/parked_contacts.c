// SPDX-License-Identifier: BSD-3-Clause
#include "scene/active/parked_contacts.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static const field_info contact_fields[] = {
    FIELD(parked_contacts, collider_a, FIELD_U64, ""),      FIELD(parked_contacts, collider_b, FIELD_U64, ""),
    FIELD_WIDE(parked_contacts, spring, FIELD_F64, 3, "m"), FIELD_WIDE(parked_contacts, roll, FIELD_F64, 3, "rad"),
    FIELD(parked_contacts, feature, FIELD_U32, ""),         FIELD(parked_contacts, in_touch, FIELD_U8, ""),
    FIELD(parked_contacts, other, FIELD_I32, ""),           FIELD(parked_contacts, next, FIELD_I32, ""),
    SCALAR(parked_contacts, free_list, FIELD_I32, ""),      SCALAR(parked_contacts, count, FIELD_I64, ""),
};

void parked_contacts_init(parked_contacts *p)
{
    *p = (parked_contacts){.free_list = NO_CONTACT};
    p->table =
        (table){"parked_contacts", contact_fields, sizeof contact_fields / sizeof *contact_fields, p, 0, 0, true};
}

void parked_contacts_free(parked_contacts *p) { table_free(&p->table); }

scr_status parked_contacts_reserve(parked_contacts *p, int64_t more, scr_error *error)
{
    int64_t free = p->table.count - p->count;
    if (more <= free) return SCR_OK;
    if (p->count + more > INT32_MAX)
        return scr_fail(error, SCR_BAD_INPUT, "more contacts are parked than a store holds");
    return table_reserve(&p->table, p->count + more, error);
}

static void write_entry(parked_contacts *p, int32_t k, const still_contact *c, int32_t other, int32_t next)
{
    p->collider_a[k] = c->collider_a;
    p->collider_b[k] = c->collider_b;
    memcpy(p->spring + 3 * (int64_t)k, c->spring, sizeof c->spring);
    memcpy(p->roll + 3 * (int64_t)k, c->roll, sizeof c->roll);
    p->feature[k] = c->feature;
    p->in_touch[k] = c->in_touch;
    p->other[k] = other;
    p->next[k] = next;
}

void parked_contacts_put(parked_contacts *p, int32_t *list, const still_contact *c, int32_t other)
{
    int32_t k = p->free_list;
    if (k != NO_CONTACT) p->free_list = p->next[k];
    else k = (int32_t)p->table.count++;
    write_entry(p, k, c, other, *list);
    *list = k;
    ++p->count;
}

still_contact parked_contact_at(const parked_contacts *p, int32_t k)
{
    still_contact c = {.collider_a = p->collider_a[k],
                       .collider_b = p->collider_b[k],
                       .feature = p->feature[k],
                       .in_touch = p->in_touch[k]};
    memcpy(c.spring, p->spring + 3 * (int64_t)k, sizeof c.spring);
    memcpy(c.roll, p->roll + 3 * (int64_t)k, sizeof c.roll);
    return c;
}

void parked_contacts_drop(parked_contacts *p, int32_t *list)
{
    while (*list != NO_CONTACT) {
        int32_t k = *list;
        *list = p->next[k];
        write_entry(p, k, &(still_contact){0}, 0, p->free_list);
        p->free_list = k;
        --p->count;
    }
}

// ---- after a load -------------------------------------------------------------------------------------------------

int64_t parked_contacts_length(const parked_contacts *p, int32_t list)
{
    int64_t length = 0;
    for (int32_t k = list; k != NO_CONTACT; k = p->next[k])
        if (k < 0 || k >= p->table.count || ++length > p->table.count) return -1;
    return length;
}

bool parked_contacts_are_valid(const parked_contacts *p, int64_t cells)
{
    int64_t free = parked_contacts_length(p, p->free_list);
    if (p->table.count > INT32_MAX || free < 0 || p->count + free != p->table.count) return false;
    for (int64_t k = 0; k < p->table.count; ++k) {
        if (p->other[k] < NO_CELL || p->other[k] >= cells) return false;
        for (int axis = 0; axis < 3; ++axis)
            if (!isfinite(p->spring[3 * k + axis]) || !isfinite(p->roll[3 * k + axis])) return false;
    }
    return true;
}
