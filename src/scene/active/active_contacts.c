// SPDX-License-Identifier: BSD-3-Clause
#include "scene/active/active_contacts.h"

#include "scene/active/active_pass.h"
#include "scene/sleep/sleeping.h"

static bool keeps_contacts(const active_box *box) { return box->scene->world.contact.law == SCR_PENALTY; }

static scr_status reserve_staying(active_box *box, int64_t count, scr_error *error)
{
    return scr_grow(&box->staying, &box->staying_capacity, count, sizeof *box->staying, "contacts of fixed grains",
                    error);
}

scr_status active_contacts_keep(active_box *box, scr_world *world, scr_error *error)
{
    if (!keeps_contacts(box)) return SCR_OK;
    body_numbers asleep = sleeper_numbers(&box->asleep->grains);
    return world_keep_still_contacts(world, &(still_choice){.but = &asleep}, &box->still, error);
}

scr_status active_contacts_recall(active_box *box, scr_world *world, scr_error *error)
{
    if (!keeps_contacts(box)) return SCR_OK;
    body_numbers asleep = sleeper_numbers(&box->asleep->grains);
    return world_recall_still_contacts(world, &(still_choice){.but = &asleep}, &box->still, error);
}

// The cell of a collider's grain. NO_CELL: it is of a body that the scene lists, or gone.
static int32_t cell_of_collider(const active_box *box, const scr_world *world, uint64_t id)
{
    const scr_body_view b = scr_world_bodies(world);
    int64_t slot = world_slot_of_collider(world, &box->still, id);
    if (slot < 0 || is_listed(box, b.id[slot])) return NO_CELL;
    return (int32_t)cell_of(&box->cells, b.x[slot], b.y[slot]);
}

static bool is_parked(const active_box *box, int32_t cell) { return cell != NO_CELL && box->next[cell] == CELL_PARKED; }

scr_status active_contacts_park(active_box *box, const scr_world *world, scr_error *error)
{
    int64_t n = box->still.pairs.count, staying = 0;
    if (!keeps_contacts(box) || n == 0) return SCR_OK;
    scr_status status = world_number_colliders(world, &box->still, error);
    if (status == SCR_OK) status = parked_contacts_reserve(&box->contacts, n, error);
    if (status == SCR_OK) status = reserve_staying(box, n, error);
    if (status != SCR_OK) return status;
    for (int64_t k = 0; k < n; ++k) {
        still_contact c = still_contact_at(&box->still, k);
        int32_t a = cell_of_collider(box, world, c.collider_a), b = cell_of_collider(box, world, c.collider_b);
        if (is_parked(box, a)) parked_contacts_put(&box->contacts, &box->cells.contacts[a], &c, b);
        else if (is_parked(box, b)) parked_contacts_put(&box->contacts, &box->cells.contacts[b], &c, a);
        else box->staying[staying++] = (int32_t)k;
    }
    still_contacts_keep_only(&box->still, box->staying, staying);
    return SCR_OK;
}

static bool comes_back(const active_box *box, int64_t change)
{
    return box->cells.contacts[box->changes.cell[change]] != NO_CONTACT && box->changes.state[change] != CELL_PARKED;
}

scr_status active_contacts_reserve(active_box *box, scr_error *error)
{
    int64_t coming = 0;
    if (!keeps_contacts(box)) return SCR_OK;
    for (int64_t k = 0; k < box->changes.count; ++k)
        if (comes_back(box, k))
            coming += parked_contacts_length(&box->contacts, box->cells.contacts[box->changes.cell[k]]);
    scr_status status = still_contacts_reserve(&box->still, coming, error);
    return status == SCR_OK ? parked_contacts_reserve(&box->contacts, coming, error) : status;
}

static bool is_in_world(const active_box *box, const scr_world *world, uint64_t collider)
{
    return world_slot_of_collider(world, &box->still, collider) >= 0;
}

// To the world if both grains are there, else to the other's cell.
static void unpark(active_box *box, const scr_world *world, int32_t cell)
{
    for (int32_t k = box->cells.contacts[cell]; k != NO_CONTACT; k = box->contacts.next[k]) {
        still_contact c = parked_contact_at(&box->contacts, k);
        int32_t other = box->contacts.other[k];
        if (is_in_world(box, world, c.collider_a) && is_in_world(box, world, c.collider_b))
            still_contacts_add(&box->still, &c);
        else if (other != NO_CELL) parked_contacts_put(&box->contacts, &box->cells.contacts[other], &c, cell);
    }
    parked_contacts_drop(&box->contacts, &box->cells.contacts[cell]);
}

scr_status active_contacts_unpark(active_box *box, const scr_world *world, scr_error *error)
{
    if (!keeps_contacts(box) || box->contacts.count == 0) return SCR_OK;
    scr_status status = world_number_colliders(world, &box->still, error);
    if (status != SCR_OK) return status;
    for (int64_t k = 0; k < box->changes.count; ++k)
        if (comes_back(box, k)) unpark(box, world, (int32_t)box->changes.cell[k]);
    return SCR_OK;
}
