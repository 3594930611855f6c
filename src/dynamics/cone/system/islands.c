// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/cone/system/islands.h"

#include "core/arrays/colouring.h"
#include "core/arrays/disjoint.h"

static int32_t any_body(contact_ends ends) { return ends.a != NO_BODY ? ends.a : ends.b; }

static void connect_all(island_list *list, const contact_system *system)
{
    for (int32_t k = 0; k < system->body_count; ++k) list->root[k] = k;
    for (int64_t i = 0; i < system->contact_count; ++i) {
        contact_ends ends = list->ends[i];
        if (ends.a != NO_BODY && ends.b != NO_BODY) disjoint_join(list->root, ends.a, ends.b);
    }
    for (int64_t k = 0; system->joints != NULL && k < system->joints->mechanism_count; ++k) {
        const joint_mechanism *one = &system->joints->mechanism[k];
        for (int32_t i = 1; i < one->equations.body_count; ++i) disjoint_join(list->root, one->body[0], one->body[i]);
    }
}

// Every body's root is replaced by the number of its island, or NO_BODY where it has no contact.
static scr_status number_islands(island_list *list, const contact_system *system, scr_error *error)
{
    for (int32_t k = 0; k < system->body_count; ++k) list->root[k] = disjoint_root(list->root, k);
    for (int64_t i = 0; i < system->contact_count; ++i) {
        int32_t body = any_body(list->ends[i]), root = body == NO_BODY ? NO_BODY : list->root[body];
        if (root < 0 || list->root[root] < 0) continue;  // has its number
        scr_status status =
            scr_grow(&list->island, &list->capacity, list->count + 1, sizeof *list->island, "islands", error);
        if (status != SCR_OK) return status;
        list->island[list->count] = (island){0};
        list->root[root] = -2 - (int32_t)list->count++;  // roots carry their island's number, from -2 downwards
    }
    for (int32_t k = 0; k < system->body_count; ++k) {
        int32_t mark = list->root[k] < 0 ? list->root[k] : list->root[list->root[k]];
        if (list->root[k] >= 0 && mark < 0) list->root[k] = mark;
    }
    for (int32_t k = 0; k < system->body_count; ++k) list->root[k] = list->root[k] < 0 ? -2 - list->root[k] : NO_BODY;
    return SCR_OK;
}

static void sort_contacts(island_list *list, const contact_system *system)
{
    for (int64_t i = 0; i < system->contact_count; ++i) {
        contact_ends ends = list->ends[i];
        int32_t body = any_body(ends);
        if (body == NO_BODY) continue;
        island *of = &list->island[list->root[body]];
        ++of->last;
        of->has_others = of->has_others || !ends.centre_line;
    }
    int64_t next = 0;
    for (int64_t k = 0; k < list->count; ++k) {
        int64_t count = list->island[k].last;
        list->island[k].first = list->island[k].last = next;
        next += count;
    }
    for (int64_t i = 0; i < system->contact_count; ++i) {
        int32_t body = any_body(list->ends[i]);
        if (body != NO_BODY) list->contact[list->island[list->root[body]].last++] = i;
    }
}

static void count_bodies(island_list *list, const contact_system *system)
{
    for (int64_t k = 0; k < system->body_count; ++k)
        if (list->root[k] != NO_BODY) ++list->island[list->root[k]].bodies;
    for (int64_t k = 0; system->joints != NULL && k < system->joints->mechanism_count; ++k) {
        int32_t at = list->root[system->joints->mechanism[k].body[0]];
        if (at != NO_BODY) list->island[at].has_others = true;
    }
}

scr_status islands_find(island_list *list, const contact_system *system, scr_error *error)
{
    list->count = 0;
    scr_status status =
        scr_grow_anew(&list->root, &list->root_capacity, system->body_count, sizeof *list->root, "islands", error);
    if (status == SCR_OK)
        status = scr_grow_anew(&list->contact, &list->contact_capacity, system->contact_count, sizeof *list->contact,
                               "islands", error);
    if (status == SCR_OK)
        status = scr_grow_anew(&list->ends, &list->ends_capacity, system->contact_count, sizeof *list->ends, "islands",
                               error);
    if (status != SCR_OK) return status;
    contact_system_all_ends(system, list->ends);  // once: four passes read them
    connect_all(list, system);
    status = number_islands(list, system, error);
    if (status != SCR_OK) return status;
    sort_contacts(list, system);
    count_bodies(list, system);
    return SCR_OK;
}

void islands_free(island_list *list)
{
    scr_free(list->island);
    scr_free(list->contact);
    scr_free(list->root);
    scr_free(list->ends);
    *list = (island_list){0};
}
