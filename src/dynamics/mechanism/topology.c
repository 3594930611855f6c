// SPDX-License-Identifier: BSD-3-Clause
// Which bodies hang together, and what holds them.
//
// Bodies that can be moved belong together if a joint, a spring or a coupling connects them; one that cannot be moved
// connects nobody. Mechanisms, their bodies and their elements are numbered in the order of the tables of joints,
// springs and couplings: the same state gives the same mechanisms, whatever happened before.
#include <string.h>

#include "core/arrays/colouring.h"
#include "core/arrays/disjoint.h"
#include "core/base/threads.h"
#include "dynamics/mechanism/mechanism_stages.h"
#include "dynamics/mechanism/topology.h"
#include "dynamics/world/world.h"

// Note a body of a joint; its entry, or -1 if it cannot be moved.
static int32_t join_body(building *b, scr_body body)
{
    int64_t slot = body_slot(&b->world->bodies, body);
    if (slot < 0 || b->world->bodies.inv_mass[slot] == 0.0) return -1;
    if (b->joined_of[slot] < 0) {
        int32_t entry = (int32_t)b->joined_count++;
        b->joined_of[slot] = entry;
        b->slot[entry] = (int32_t)slot;
        b->parent[entry] = entry;
    }
    return b->joined_of[slot];
}

static int32_t unite(building *b, int32_t i, int32_t j)
{
    if (i < 0 || j < 0) return i < 0 ? j : i;
    disjoint_join(b->parent, i, j);
    return disjoint_root(b->parent, i);
}

static int32_t unite_bodies(building *b, scr_body one, scr_body other)
{
    int32_t i = join_body(b, one);
    return unite(b, i, join_body(b, other));
}

static int32_t unite_joint(building *b, scr_joint joint)
{
    const joints *j = &b->all->joints;
    int64_t i = joint_slot(j, joint);
    return i >= 0 && joint_holds(j, i) ? unite_bodies(b, j->a[i], j->b[i]) : -1;
}

// The body that stands for a member's mechanism, or -1 if it holds nothing: its joint is broken, or nobody can be
// moved.
static int32_t unite_member(building *b, member_kind kind, int64_t i)
{
    const springs *s = &b->all->springs;
    const couplings *c = &b->all->couplings;
    if (kind == MEMBER_JOINT)
        return joint_holds(&b->all->joints, i) ? unite_bodies(b, b->all->joints.a[i], b->all->joints.b[i]) : -1;
    if (kind == MEMBER_SPRING) {
        if (s->generation[i] % 2 == 0) return -1;
        return s->joint[i].index1 != 0 ? unite_joint(b, s->joint[i]) : unite_bodies(b, s->a[i], s->b[i]);
    }
    if (c->generation[i] % 2 == 0) return -1;
    int32_t all = -1;
    for (int k = 0; k < c->count[i]; ++k) {
        int64_t slot = joint_slot(&b->all->joints, c->joint[COUPLED_MAX * i + k]);
        if (slot < 0 || !joint_holds(&b->all->joints, slot)) return -1;
        all = unite(b, all, unite_joint(b, c->joint[COUPLED_MAX * i + k]));
    }
    return all;
}

// What a joint, or the spring on it, carried before it broke is gone.
static void clear_broken(mechanisms *all)
{
    joints *j = &all->joints;
    springs *s = &all->springs;
    for (int64_t i = 0; i < j->table.count; ++i) {
        if (!j->is_broken[i]) continue;
        for (int axis = 0; axis < 3; ++axis) j->force[3 * i + axis] = j->torque[3 * i + axis] = 0.0;
        j->motor_force[i] = j->motor_power[i] = j->load[i] = 0.0;
    }
    for (int64_t i = 0; i < s->table.count; ++i) {
        int64_t joint = joint_slot(j, s->joint[i]);
        if (joint >= 0 && j->is_broken[joint]) s->force[i] = 0.0;
    }
}

static void collect_members(building *b)
{
    const int64_t counts[] = {b->all->joints.table.count, b->all->springs.table.count, b->all->couplings.table.count};
    for (int kind = MEMBER_JOINT; kind <= MEMBER_COUPLING; ++kind) {
        for (int64_t i = 0; i < counts[kind]; ++i) {
            int32_t body = unite_member(b, (member_kind)kind, i);
            if (body >= 0) b->member[b->member_count++] = (member){(member_kind)kind, body, i};
        }
    }
}

// Number the mechanisms by their first bodies, the bodies in each, and sort the members by mechanism. Returns how many.
static int64_t number_mechanisms(building *b, int64_t *first_member)
{
    int64_t count = 0;
    for (int32_t i = 0; i < b->joined_count; ++i) {
        int32_t root = disjoint_root(b->parent, i);
        b->mechanism[i] = root == i ? (int32_t)count++ : b->mechanism[root];  // a root comes before all others
    }
    memset(first_member, 0, (size_t)(count + 1) * sizeof *first_member);
    for (int64_t k = 0; k < b->member_count; ++k) {
        b->member[k].mechanism = b->mechanism[b->member[k].mechanism];
        ++first_member[b->member[k].mechanism + 1];
    }
    for (int64_t p = 0; p < count; ++p) first_member[p + 1] += first_member[p];
    for (int64_t k = 0; k < b->member_count; ++k) b->sorted[first_member[b->member[k].mechanism]++] = b->member[k];
    for (int64_t p = count; p > 0; --p) first_member[p] = first_member[p - 1];
    first_member[0] = 0;
    return count;
}

static scr_status rebuild(scr_world *world, scr_error *error)
{
    mechanisms *all = &world->mechanisms;
    int64_t n = world->bodies.table.count, j = all->joints.table.count, s = all->springs.table.count,
            c = all->couplings.table.count;
    int64_t ends = 2 * (j + s), members = j + s + c;
    size_t bytes = scr_arena_bytes(sizeof(int32_t), n) + 4 * scr_arena_bytes(sizeof(int32_t), ends) +
                   2 * scr_arena_bytes(sizeof(member), members) + 2 * scr_arena_bytes(sizeof(int64_t), ends + 1);
    all->count = 0;
    scr_status status = scr_arena_reserve(&world->scratch, bytes, "mechanisms", error);
    if (status != SCR_OK) return status;
    scr_arena arena = world->scratch;
    building b = {
        .world = world,
        .all = all,
        .joined_of = scr_arena_array(&arena, sizeof(int32_t), n),
        .slot = scr_arena_array(&arena, sizeof(int32_t), ends),
        .parent = scr_arena_array(&arena, sizeof(int32_t), ends),
        .mechanism = scr_arena_array(&arena, sizeof(int32_t), ends),
        .number = scr_arena_array(&arena, sizeof(int32_t), ends),
        .member = scr_arena_array(&arena, sizeof(member), members),
        .sorted = scr_arena_array(&arena, sizeof(member), members),
    };
    int64_t *first_member = scr_arena_array(&arena, sizeof *first_member, ends + 1);
    int64_t *source = scr_arena_array(&arena, sizeof *source, ends + 1);
    for (int64_t i = 0; i < n; ++i) b.joined_of[i] = -1;
    clear_broken(all);
    collect_members(&b);
    int64_t count = number_mechanisms(&b, first_member);
    status = make_mechanisms(&b, first_member, count, source, error);
    if (status == SCR_OK) status = order_mechanisms(all, world->def.instruction_set, error);
    if (status != SCR_OK) {
        all->count = 0;
        return status;
    }
    for (int64_t i = 0; i < all->mechanism_of_count; ++i) all->mechanism_of[i] = NO_MECHANISM;
    all->is_changed = false;
    return SCR_OK;
}

// Bodies change places when they are sorted, and others come and go.
static scr_status find_bodies(scr_world *world, scr_error *error)
{
    mechanisms *all = &world->mechanisms;
    int64_t n = world->bodies.table.count;
    if (all->count == 0) {  // nobody is joined: a bed needs no list that says so
        all->mechanism_of_count = 0;
        return SCR_OK;
    }
    const scr_column columns[] = {{&all->mechanism_of, sizeof *all->mechanism_of},
                                  {&all->number_of, sizeof *all->number_of}};
    scr_status status = scr_grow_together(columns, 2, &all->mechanism_of_capacity, n, "mechanisms", error);
    if (status != SCR_OK) return status;
    while (all->mechanism_of_count < n) all->mechanism_of[all->mechanism_of_count++] = NO_MECHANISM;
    for (int64_t p = 0; p < all->count; ++p)
        for (int32_t k = 0; k < all->mechanism[p].body_count; ++k)
            all->mechanism_of[all->mechanism[p].slot[k]] = NO_MECHANISM;
    for (int64_t p = 0; p < all->count; ++p) {
        mechanism *m = &all->mechanism[p];
        for (int32_t k = 0; k < m->total_body_count; ++k) m->slot[k] = (int32_t)body_slot(&world->bodies, m->body[k]);
        for (int32_t k = 0; k < m->body_count; ++k) {
            all->mechanism_of[m->slot[k]] = (int32_t)p;
            all->number_of[m->slot[k]] = k;
        }
    }
    return SCR_OK;
}

scr_status find_mechanisms(scr_world *world, scr_error *error)
{
    mechanisms *all = &world->mechanisms;
    if (all->is_changed) {
        scr_status status = rebuild(world, error);
        if (status != SCR_OK) return status;
        for (int64_t p = 0; p < all->count; ++p)
            for (int32_t k = 0; k < all->mechanism[p].total_body_count; ++k) all->mechanism[p].slot[k] = 0;
        for (int64_t p = 0; p < all->count; ++p) all->mechanism[p].ended = NULL;
    }
    return find_bodies(world, error);
}
