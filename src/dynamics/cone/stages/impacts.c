// SPDX-License-Identifier: BSD-3-Clause
// Impacts, before the contact problem of a step: contacts with restitution that would close in it.
//
// Blows follow one upon another. A pass takes the contacts that close with the velocities of now, all at once
// (blows.h). Whoever is struck may now close a contact in turn: those make the next pass, until none closes (Smith et
// al. 2012, "Reflections on simultaneous impact"). So a cradle hands its speed on from ball to ball, and the corners of
// a box strike the floor together. What is left after PASSES_MAX meets the contact problem, which knows no restitution.
//
// Joints answer each blow at once: a mechanism moves as a whole.
#include <string.h>

#include "core/arrays/colouring.h"
#include "core/base/threads.h"
#include "dynamics/cone/stages/blows.h"
#include "dynamics/cone/stages/cone_stages.h"
#include "dynamics/mechanism/mechanism_stages.h"

enum { PASSES_MAX = 32, FEW = 256 };
// In all passes of a step, besides FEW: in a dense crowd blows would go to and fro for ever
enum { BLOWS_PER_CONTACT = 2 };

// 1 for contacts that close now. struck (bodies), unless NULL: only contacts of these can be others than before.
// is_first: nothing has been struck yet.
static int64_t mark_closing(const scr_world *world, const uint8_t *struck, bool is_first, uint8_t *closes)
{
    const contacts *set = &world->contacts;
    const int32_t *body = world->colliders.body;
    int64_t count = 0;
#pragma omp parallel for num_threads(world->threads) schedule(static) reduction(+ : count)
    for (int64_t i = 0; i < set->count; ++i) {
        bool may = struck == NULL || struck[body[set->a[i]]] || struck[body[set->b[i]]];
        closes[i] = may && contact_strikes(world, i, is_first);
        count += closes[i];
    }
    return count;
}

static scr_status reserve(scr_world *world, int64_t blows, scr_error *error)
{
    int64_t body_count = world->bodies.table.count;
    size_t bytes = scr_arena_bytes(1, world->contacts.count) + scr_arena_bytes(1, body_count) +
                   scr_arena_bytes(sizeof(int32_t), body_count) + scr_arena_bytes(sizeof(int64_t), blows) +
                   blows_bytes(world, blows);
    return scr_arena_reserve(&world->scratch, bytes, "impacts", error);
}

static void gather(const scr_world *world, const uint8_t *closes, int64_t *contact)
{
    for (int64_t i = 0; i < world->contacts.count; ++i)
        if (closes[i]) *contact++ = i;
}

static void mark_struck(const scr_world *world, const int64_t *contact, int64_t count, uint8_t *struck)
{
    const contacts *set = &world->contacts;
    const int32_t *body = world->colliders.body;
    memset(struck, 0, (size_t)world->bodies.table.count);
    for (int64_t k = 0; k < count; ++k) struck[body[set->a[contact[k]]]] = struck[body[set->b[contact[k]]]] = 1;
}

scr_status take_impacts(scr_world *world, scr_error *error)
{
    contacts *set = &world->contacts;
    int64_t body_count = world->bodies.table.count, capacity = FEW;
    set->has_blows = world->materials.max_restitution > 0.0 && set->count > 0;
    if (!set->has_blows) return SCR_OK;
    scr_status status = contacts_grow_blows(set, error);
    if (status == SCR_OK) status = reserve(world, capacity, error);
    if (status != SCR_OK) return status;
    memset(set->blow, 0, (size_t)set->count * 3 * sizeof *set->blow);
    bool is_first = true;
    int64_t blows = 0, most = BLOWS_PER_CONTACT * set->count + FEW;
    for (int pass = 0; pass < PASSES_MAX && blows < most; ++pass) {
        scr_arena arena = world->scratch;
        uint8_t *closes = scr_arena_array(&arena, 1, set->count), *struck = scr_arena_array(&arena, 1, body_count);
        int32_t *number = scr_arena_array(&arena, sizeof *number, body_count);
        int64_t count = mark_closing(world, is_first ? NULL : struck, blows == 0, closes);
        if (count == 0) return SCR_OK;
        if (count > capacity) {
            // The arena may move: what was marked is marked again.
            capacity = 2 * count;
            status = reserve(world, capacity, error);
            if (status != SCR_OK) return status;
            is_first = true;
            continue;
        }
        for (int64_t k = 0; is_first && k < body_count; ++k) number[k] = NO_BODY;
        int64_t *contact = scr_arena_array(&arena, sizeof *contact, count);
        gather(world, closes, contact);
        take_blows(world, contact, count, number, blows == 0, arena);
        take_blows_into_joints(world);
        blows += count;
        mark_struck(world, contact, count, struck);
        is_first = false;
    }
    return SCR_OK;
}
