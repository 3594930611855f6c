// Which bodies joints and springs hold, and which two of them never touch.
//
// Pairs that never touch are those of joints that hold and do not let their bodies collide. They are listed by slot, in
// ascending order, whenever neighbours must be listed anew: bodies change places, and joints come and go, only then.
#include "core/radix_sort.h"
#include "dynamics/world.h"
#include "dynamics/world_state.h"

void joints_changed(scr_world *world)
{
    give_grains_back(world);  // one of them may be held now, or free
    neighbours_invalidate(&world->neighbours);
    world->mechanisms.is_changed = true;
}

void mark_joined(scr_world *world, scr_body body)
{
    int64_t i = body_slot(&world->bodies, body);
    if (i >= 0) world->bodies.is_joined[i] = 1;
}

void find_joined_bodies(scr_world *world)
{
    const joints *j = &world->mechanisms.joints;
    const springs *s = &world->mechanisms.springs;
    for (int64_t i = 0; i < world->bodies.table.count; ++i) world->bodies.is_joined[i] = 0;
    for (int64_t i = 0; i < j->table.count; ++i) mark_joined(world, j->a[i]), mark_joined(world, j->b[i]);
    for (int64_t i = 0; i < s->table.count; ++i) mark_joined(world, s->a[i]), mark_joined(world, s->b[i]);
}

static bool keeps_apart(const joints *j, int64_t i)
{
    return joint_holds(j, i) && !j->collide[i] && j->a[i].index1 != 0 && j->b[i].index1 != 0;
}

scr_status list_pairs_apart(scr_world *world, scr_error *error)
{
    const joints *j = &world->mechanisms.joints;
    const bodies *b = &world->bodies;
    neighbours *list = &world->neighbours;
    list->is_joined = has_mechanisms(&world->mechanisms) ? b->is_joined : NULL;  // it moves when it grows
    if (list->valid) return SCR_OK;
    int64_t n = j->table.count;
    list->apart_count = 0;
    if (n == 0) return SCR_OK;
    scr_status status = scr_grow(&list->apart, &list->apart_capacity, n, sizeof *list->apart, "joined bodies", error);
    if (status == SCR_OK)
        status = scr_arena_reserve(&world->scratch, scr_radix_sort_bytes(n) + scr_arena_bytes(sizeof(uint32_t), n),
                                   "joined bodies", error);
    if (status != SCR_OK) return status;
    scr_arena arena = world->scratch;
    uint32_t *number = scr_arena_array(&arena, sizeof *number, n);
    for (int64_t i = 0; i < n; ++i) {
        if (!keeps_apart(j, i)) continue;
        number[list->apart_count] = (uint32_t)i;
        list->apart[list->apart_count++] = body_pair_key(body_slot(b, j->a[i]), body_slot(b, j->b[i]));
    }
    scr_radix_sort(list->apart, number, list->apart_count, 64, arena, world->threads);
    return SCR_OK;
}

scr_status world_list_apart(scr_world *world, scr_error *error) { return list_pairs_apart(world, error); }

bool world_keeps_apart(const scr_world *world, int64_t a, int64_t b)
{
    const uint8_t *is_joined = world->bodies.is_joined;
    return is_joined[a] && is_joined[b] && neighbours_keep_apart(&world->neighbours, a, b);
}

// ---- removal ----

static bool is_gone(const bodies *b, scr_body body) { return body.index1 != 0 && body_slot(b, body) < 0; }

void remove_joint(scr_world *world, int64_t i)
{
    mechanisms *m = &world->mechanisms;
    for (int64_t k = 0; k < m->springs.table.count; ++k)
        if (joint_slot(&m->joints, m->springs.joint[k]) == i) springs_drop(&m->springs, k);
    for (int64_t k = 0; k < m->couplings.table.count; ++k) {
        bool is_coupled = false;
        for (int c = 0; c < m->couplings.count[k]; ++c)
            is_coupled = is_coupled || joint_slot(&m->joints, m->couplings.joint[3 * k + c]) == i;
        if (is_coupled) couplings_drop(&m->couplings, k);
    }
    joints_drop(&m->joints, i);
}

void remove_loose_joints(scr_world *world)
{
    mechanisms *m = &world->mechanisms;
    const bodies *b = &world->bodies;
    for (int64_t i = 0; i < m->joints.table.count; ++i)
        if (is_gone(b, m->joints.a[i]) || is_gone(b, m->joints.b[i])) remove_joint(world, i);
    for (int64_t i = 0; i < m->springs.table.count; ++i)
        if (is_gone(b, m->springs.a[i]) || is_gone(b, m->springs.b[i])) springs_drop(&m->springs, i);
    find_joined_bodies(world);
    joints_changed(world);
}
