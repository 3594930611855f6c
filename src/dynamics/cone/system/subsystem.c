// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/cone/system/subsystem.h"

#include <string.h>

#include "core/arrays/colouring.h"

static int32_t number_in(const subsystem *s, int32_t body) { return body == NO_BODY ? NO_BODY : s->number_of[body]; }

static contact_ends sub_ends(const void *owner, int64_t contact)
{
    const subsystem *s = owner;
    contact_ends ends = s->whole->ends(s->whole->owner, s->contact[contact]);
    return (contact_ends){number_in(s, ends.a), number_in(s, ends.b), ends.centre_line};
}

static twist outside_of(const subsystem *s, int32_t body) { return body == NO_BODY ? (twist){0} : s->outside[body]; }

static contact_row sub_row(const void *owner, int64_t contact)
{
    const subsystem *s = owner;
    contact_row row = s->whole->row(s->whole->owner, s->contact[contact]);
    row.a = number_in(s, row.a);
    row.b = number_in(s, row.b);
    if (s->outside == NULL) return row;
    twist a = outside_of(s, row.a), b = outside_of(s, row.b);
    row.r = vec3_add(row.r, vec3_sub(point_velocity(b, row.lever_b), point_velocity(a, row.lever_a)));
    row.r_q = vec3_add_scaled(row.r_q, row.arm, vec3_sub(b.w, a.w));
    return row;
}

static system_body sub_body(const void *owner, int64_t body)
{
    const subsystem *s = owner;
    return s->whole->body(s->whole->owner, s->body[body]);
}

static void add_body(subsystem *s, int32_t body)
{
    if (body == NO_BODY || s->number_of[body] != NO_BODY) return;
    s->number_of[body] = (int32_t)s->system.body_count;
    s->body[s->system.body_count++] = body;
}

static bool is_touched(const subsystem *s, const joint_mechanism *one)
{
    for (int32_t i = 0; i < one->equations.body_count; ++i)
        if (s->number_of[one->body[i]] != NO_BODY) return true;
    return false;
}

// The mechanisms that are touched, and all their bodies.
static void add_joints(subsystem *s, scr_arena *arena)
{
    const joint_system *joints = s->whole->joints;
    s->joints = (joint_system){0};
    if (joints == NULL) return;
    joint_mechanism *one = scr_arena_array(arena, sizeof *one, joints->mechanism_count);
    for (int64_t k = 0; k < joints->mechanism_count; ++k) {
        const joint_mechanism *own = &joints->mechanism[k];
        if (!is_touched(s, own)) continue;
        int32_t *body = scr_arena_array(arena, sizeof *body, own->equations.body_count);
        for (int32_t i = 0; i < own->equations.body_count; ++i) {
            add_body(s, own->body[i]);
            body[i] = s->number_of[own->body[i]];
        }
        one[s->joints.mechanism_count++] = (joint_mechanism){own->equations, own->kkt, body};
    }
    s->joints.mechanism = one;
    if (s->joints.mechanism_count > 0) s->system.joints = &s->joints;
}

static int64_t joined_count(const joint_system *joints)
{
    int64_t count = 0;
    for (int64_t k = 0; joints != NULL && k < joints->mechanism_count; ++k)
        count += joints->mechanism[k].equations.body_count;
    return count;
}

static scr_status reserve(subsystem *s, int64_t count, scr_error *error)
{
    const joint_system *joints = s->whole->joints;
    int64_t joined = joined_count(joints), mechanism_count = joints != NULL ? joints->mechanism_count : 0;
    size_t bytes = scr_arena_bytes(sizeof *s->body, 2 * count + joined) +
                   scr_arena_bytes(sizeof(joint_mechanism), mechanism_count) +
                   scr_arena_bytes(sizeof(int32_t), joined) + (size_t)mechanism_count * scr_arena_bytes(1, 1) +
                   2 * scr_arena_bytes(3 * sizeof(float), count) + 2 * scr_arena_bytes(3 * sizeof(double), count);
    scr_status status = scr_arena_reserve(&s->memory, bytes, "an island", error);
    int64_t known = s->number_capacity;
    if (status == SCR_OK)
        status = scr_grow(&s->number_of, &s->number_capacity, s->whole->body_count, sizeof *s->number_of, "an island",
                          error);
    for (int64_t k = known; k < s->number_capacity; ++k) s->number_of[k] = NO_BODY;
    return status;
}

scr_status subsystem_open(subsystem *s, const contact_system *whole, const int64_t *contact, int64_t count,
                          scr_error *error)
{
    for (int64_t k = 0; k < s->system.body_count; ++k) s->number_of[s->body[k]] = NO_BODY;  // of the one before
    s->system.body_count = 0;
    s->whole = whole;
    s->contact = contact;
    s->outside = NULL;
    scr_status status = reserve(s, count, error);
    if (status != SCR_OK) return status;
    scr_arena arena = s->memory;
    s->body = scr_arena_array(&arena, sizeof *s->body, 2 * count + joined_count(whole->joints));
    s->system = (contact_system){.owner = s,
                                 .contact_count = count,
                                 .threads = 1,
                                 .coheres = whole->coheres,
                                 .ends = sub_ends,
                                 .row = sub_row,
                                 .body = sub_body};
    for (int64_t k = 0; k < count; ++k) {
        contact_ends ends = whole->ends(whole->owner, contact[k]);
        add_body(s, ends.a);
        add_body(s, ends.b);
        s->system.general_count += !ends.centre_line;
    }
    add_joints(s, &arena);
    s->system.impulse = scr_arena_array(&arena, 3 * sizeof(float), count);
    s->system.precise = scr_arena_array(&arena, 3 * sizeof(double), whole->angular_impulse != NULL ? 2 * count : count);
    if (whole->angular_impulse != NULL) s->system.angular_impulse = scr_arena_array(&arena, 3 * sizeof(float), count);
    for (int64_t k = 0; k < count; ++k) {
        memcpy(s->system.impulse + 3 * k, whole->impulse + 3 * contact[k], 3 * sizeof(float));
        if (whole->angular_impulse != NULL)
            memcpy(s->system.angular_impulse + 3 * k, whole->angular_impulse + 3 * contact[k], 3 * sizeof(float));
    }
    return SCR_OK;
}

void subsystem_answer(const subsystem *s)
{
    const contact_system *own = &s->system, *whole = s->whole;
    for (int64_t k = 0; k < own->contact_count; ++k) {
        int64_t i = s->contact[k];
        memcpy(whole->impulse + 3 * i, own->impulse + 3 * k, 3 * sizeof(float));
        if (whole->precise != NULL) memcpy(whole->precise + 3 * i, own->precise + 3 * k, 3 * sizeof(double));
        if (whole->angular_impulse == NULL) continue;
        memcpy(whole->angular_impulse + 3 * i, own->angular_impulse + 3 * k, 3 * sizeof(float));
        if (whole->precise != NULL)
            memcpy(whole->precise + 3 * (whole->contact_count + i), own->precise + 3 * (own->contact_count + k),
                   3 * sizeof(double));
    }
}

void subsystem_free(subsystem *s)
{
    scr_arena_free(&s->memory);
    scr_free(s->number_of);
    *s = (subsystem){0};
}
