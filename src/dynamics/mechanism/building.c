// SPDX-License-Identifier: BSD-3-Clause
// What mechanisms are made of: their bodies, the geometry of their joints, their elements with room for all that a step
// needs.
//
// All arrays of all mechanisms lie in one arena. How much each needs is counted first.
#include <string.h>

#include "dynamics/mechanism/topology.h"
#include "dynamics/world/world.h"

// Elements of a joint, in this order.
static int joint_elements(const joints *j, int64_t i, element_kind kinds[4])
{
    int count = 0;
    scr_joint_kind kind = (scr_joint_kind)j->kind[i];
    bool is_actuator = kind == SCR_JOINT_DISTANCE && joint_has_motor(j, i);
    if (kind == SCR_JOINT_BUSHING) kinds[count++] = ELEMENT_BUSHING;
    if (joint_row_count(kind) > 0 && !is_actuator) kinds[count++] = ELEMENT_JOINT;
    if (joint_has_motor(j, i)) kinds[count++] = ELEMENT_MOTOR;
    if (isfinite(j->lower[i]) || isfinite(j->upper[i])) kinds[count++] = ELEMENT_LIMIT;
    if (j->friction[i] > 0.0 || j->friction_force[i] > 0.0) kinds[count++] = ELEMENT_FRICTION;
    return count;
}

static int element_rows(element_kind kind, scr_joint_kind joint)
{
    return kind == ELEMENT_JOINT ? joint_row_count(joint) : kind == ELEMENT_BUSHING ? 6 : 1;
}

// The number of a joint's geometry in its mechanism: joints are listed there in the order of their table.
static int64_t geometry_of(const int64_t *source, int64_t joint_count, int64_t joint)
{
    int64_t low = 0, high = joint_count - 1;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (source[middle] < joint) low = middle + 1;
        else high = middle;
    }
    return low;
}

// How much a mechanism needs.
static void count_mechanism(const building *b, mechanism *m, const member *first, const member *last)
{
    const joints *j = &b->all->joints;
    for (const member *k = first; k < last; ++k) {
        element_kind kinds[4];
        if (k->kind == MEMBER_JOINT) {
            int count = joint_elements(j, k->source, kinds);
            for (int e = 0; e < count; ++e) m->row_count += element_rows(kinds[e], (scr_joint_kind)j->kind[k->source]);
            m->element_count += count;
            m->jacobian_count += 2 * count;
            m->total_body_count += 2;  // at most so many that cannot be moved
            ++m->geometry_count;
        } else {
            bool is_line = k->kind == MEMBER_SPRING && b->all->springs.joint[k->source].index1 == 0;
            ++m->element_count;
            ++m->row_count;
            m->jacobian_count += k->kind == MEMBER_COUPLING ? 2 * b->all->couplings.count[k->source] : 2;
            m->geometry_count += is_line;
            m->total_body_count += is_line ? 2 : 0;
        }
    }
}

// Take all arrays of a mechanism from the arena, or only say how many bytes they need.
static size_t lay_out_arrays(mechanism *m, scr_arena *arena)
{
    const struct {
        void *array;
        size_t size;
        int64_t count;
    } list[] = {
        {&m->body, sizeof *m->body, m->total_body_count},
        {&m->slot, sizeof *m->slot, m->total_body_count},
        {&m->geometry, sizeof *m->geometry, m->geometry_count},
        {&m->seen, sizeof *m->seen, m->geometry_count},
        {&m->element, sizeof *m->element, m->element_count},
        {&m->four, sizeof *m->four, m->element_count},
        {&m->other, sizeof *m->other, m->element_count},
        {&m->start.block, sizeof *m->start.block, m->element_count},
        {&m->start.jacobian, sizeof *m->start.jacobian, m->jacobian_count},
        {&m->start.inertia, sizeof *m->start.inertia, m->body_count},
        {&m->start.at, sizeof *m->start.at, m->total_body_count},
        {&m->end.block, sizeof *m->end.block, m->element_count},
        {&m->end.jacobian, sizeof *m->end.jacobian, m->jacobian_count},
        {&m->end.inertia, sizeof *m->end.inertia, m->body_count},
        {&m->end.at, sizeof *m->end.at, m->total_body_count},
        {&m->velocity, 6 * sizeof(double), m->total_body_count},
        {&m->inverse_inertia, 3 * sizeof(double), m->body_count},
        {&m->force_impulse, 6 * sizeof(double), m->body_count},
        {&m->tension, 9 * sizeof(double), m->body_count},
        {&m->impulse, sizeof(double), m->row_count},
        {&m->late, sizeof(double), m->row_count},
        {&m->old_velocity, 6 * sizeof(double), m->total_body_count},
        {&m->old_impulse, sizeof(double), m->row_count},
        {&m->body_work, 6 * sizeof(double), m->body_count},
        {&m->row_work, sizeof(double), m->row_count},
    };
    size_t bytes = 0;
    for (size_t k = 0; k < sizeof list / sizeof *list; ++k) {
        bytes += scr_arena_bytes(list[k].size, list[k].count);
        if (arena != NULL) *(void **)list[k].array = scr_arena_array(arena, list[k].size, list[k].count);
    }
    return bytes;
}

// The number in the mechanism of a body, added there if it cannot be moved and is met for the first time.
static int32_t body_number(const building *b, mechanism *m, scr_body body)
{
    if (body.index1 == 0) return NO_BODY;
    int64_t slot = body_slot(&b->world->bodies, body);
    if (b->joined_of[slot] >= 0) return b->number[b->joined_of[slot]];
    for (int32_t k = m->body_count; k < m->total_body_count; ++k)
        if (m->body[k].index1 == body.index1) return k;
    m->body[m->total_body_count] = body;
    return m->total_body_count++;
}

static joint_end end_at(const building *b, mechanism *m, scr_body body, pose frame)
{
    joint_end end = {body_number(b, m, body), frame};
    if (end.body != NO_BODY && end.body < m->body_count) m->size = fmax(m->size, vec3_norm(frame.position));
    return end;
}

static void add_element(const building *b, mechanism *m, element e, scr_joint_kind joint)
{
    row_block *block = &m->start.block[m->element_count];
    *block = (row_block){.row_count = element_rows(e.kind, joint),
                         .jacobian_count = 2,
                         .first_jacobian = m->jacobian_count,
                         .first_row = m->row_count};
    joint_jacobian *jacobian = &m->start.jacobian[block->first_jacobian];
    if (e.kind == ELEMENT_JOINT) block->turning_count = (uint8_t)(block->row_count - joint_pushing_rows(joint));
    int joined = e.kind == ELEMENT_COUPLING ? b->all->couplings.count[e.source] : 1;
    block->jacobian_count = 0;
    for (int g = 0; g < joined; ++g) {
        const joint_geometry *geometry = &m->geometry[e.geometry[g]];
        const int32_t ends[2] = {geometry->a.body, geometry->b.body};
        for (int side = 0; side < 2; ++side) {
            int k = 0;
            while (k < block->jacobian_count && jacobian[k].body != ends[side]) ++k;  // couplings may meet a body twice
            if (k == block->jacobian_count) jacobian[block->jacobian_count++].body = ends[side];
        }
    }
    e.bound = INFINITY;
    e.is_held = true;
    m->element[m->element_count++] = e;
    m->jacobian_count += block->jacobian_count;
    m->row_count += block->row_count;
    if (e.kind == ELEMENT_MOTOR)
        m->is_plain = m->is_plain && joint_drive(&b->all->joints, e.source) != SCR_DRIVE_FORCE &&
                      !isfinite(b->all->joints.max_force[e.source]);
    else m->is_plain = m->is_plain && (e.kind == ELEMENT_JOINT || e.kind == ELEMENT_COUPLING);
}

static void add_joint(const building *b, mechanism *m, int64_t i)
{
    const joints *j = &b->all->joints;
    scr_joint_kind kind = (scr_joint_kind)j->kind[i];
    m->geometry[m->geometry_count] = (joint_geometry){
        .kind = kind,
        .a = end_at(b, m, j->a[i], pose_load(j->frame_a + POSE_WIDTH * i)),
        .b = end_at(b, m, j->b[i], pose_load(j->frame_b + POSE_WIDTH * i)),
        .length = j->length[i],
    };
    element_kind kinds[4];
    int count = joint_elements(j, i, kinds);
    m->is_redundant = m->is_redundant || j->redundant_rows[i] > 0;
    for (int k = 0; k < count; ++k) {
        scr_axis axis = kinds[k] == ELEMENT_MOTOR ? (scr_axis)j->motor_axis[i] : joint_usual_axis(kind, SCR_AXIS_USUAL);
        add_element(b, m, (element){.kind = kinds[k], .source = i, .axis = axis, .geometry = {m->geometry_count}},
                    kind);
    }
    ++m->geometry_count;
}

static void add_spring(const building *b, mechanism *m, int64_t i, const int64_t *source, int64_t joint_count)
{
    const springs *s = &b->all->springs;
    element e = {.kind = ELEMENT_SPRING, .source = i, .axis = (scr_axis)s->axis[i]};
    if (s->joint[i].index1 != 0) {
        e.geometry[0] = geometry_of(source, joint_count, joint_slot(&b->all->joints, s->joint[i]));
    } else {
        const double *pa = s->point_a + 3 * i, *pb = s->point_b + 3 * i;
        m->geometry[m->geometry_count] = (joint_geometry){
            .kind = SCR_JOINT_DISTANCE,
            .a = end_at(b, m, s->a[i], (pose){vec3(pa[0], pa[1], pa[2]), QUAT_IDENTITY}),
            .b = end_at(b, m, s->b[i], (pose){vec3(pb[0], pb[1], pb[2]), QUAT_IDENTITY}),
        };
        e.axis = SCR_ALONG;
        e.geometry[0] = m->geometry_count++;
    }
    add_element(b, m, e, SCR_JOINT_DISTANCE);
}

static void add_coupling(const building *b, mechanism *m, int64_t i, const int64_t *source, int64_t joint_count)
{
    const couplings *c = &b->all->couplings;
    element e = {.kind = ELEMENT_COUPLING, .source = i};
    for (int k = 0; k < c->count[i]; ++k)
        e.geometry[k] = geometry_of(source, joint_count, joint_slot(&b->all->joints, c->joint[COUPLED_MAX * i + k]));
    add_element(b, m, e, SCR_JOINT_DISTANCE);
}

static held_axes held_by(const mechanism *m, int64_t k)
{
    const element *e = &m->element[k];
    return e->kind == ELEMENT_JOINT ? joint_held_axes(m->geometry[e->geometry[0]].kind) : (held_axes){0, 0};
}

static void add_four(mechanism *m, held_four *four, int count)
{
    if (count == 0) return;
    for (int l = count; l < HELD_LANES; ++l) four->element[l] = four->element[count - 1];
    m->four[m->four_count++] = *four;
}

static void gather_fours(mechanism *m)
{
    m->four_count = m->other_count = 0;
    for (int64_t k = 0; k < m->element_count; ++k)
        if (!holds_axes(held_by(m, k))) m->other[m->other_count++] = (int32_t)k;
    for (int kind = 0; kind < JOINT_KINDS; ++kind) {
        held_four four;
        int count = 0;
        for (int64_t k = 0; k < m->element_count; ++k) {
            if (!holds_axes(held_by(m, k)) || (int)m->geometry[m->element[k].geometry[0]].kind != kind) continue;
            four.element[count++] = (int32_t)k;
            if (count < HELD_LANES) continue;
            add_four(m, &four, count);
            count = 0;
        }
        add_four(m, &four, count);
    }
}

// source: scratch, the joints of the mechanism's first geometries
static void fill_mechanism(const building *b, mechanism *m, const member *first, const member *last, int64_t *source)
{
    m->element_count = m->geometry_count = m->row_count = m->jacobian_count = 0;
    m->total_body_count = m->body_count;
    m->is_plain = true;
    for (const member *k = first; k < last; ++k) {
        if (k->kind == MEMBER_JOINT) {
            source[m->geometry_count] = k->source;
            add_joint(b, m, k->source);
        }
    }
    int64_t joint_count = m->geometry_count;
    for (const member *k = first; k < last; ++k) {
        if (k->kind == MEMBER_SPRING) add_spring(b, m, k->source, source, joint_count);
        if (k->kind == MEMBER_COUPLING) add_coupling(b, m, k->source, source, joint_count);
    }
    if (m->size == 0.0) m->size = 1.0;
    gather_fours(m);
    memcpy(m->end.block, m->start.block, (size_t)m->element_count * sizeof *m->end.block);
    memcpy(m->end.jacobian, m->start.jacobian, (size_t)m->jacobian_count * sizeof *m->end.jacobian);
}

scr_status make_mechanisms(building *b, const int64_t *first_member, int64_t count, int64_t *source, scr_error *error)
{
    mechanisms *all = b->all;
    scr_status status =
        scr_grow_anew(&all->mechanism, &all->capacity, count, sizeof *all->mechanism, "mechanisms", error);
    if (status != SCR_OK) return status;
    if (count > 0) memset(all->mechanism, 0, (size_t)count * sizeof *all->mechanism);
    for (int64_t i = 0; i < b->joined_count; ++i) b->number[i] = all->mechanism[b->mechanism[i]].body_count++;
    size_t bytes = 0;
    for (int64_t p = 0; p < count; ++p) {
        all->mechanism[p].total_body_count = all->mechanism[p].body_count;
        count_mechanism(b, &all->mechanism[p], b->sorted + first_member[p], b->sorted + first_member[p + 1]);
        bytes += lay_out_arrays(&all->mechanism[p], NULL);
    }
    status = scr_arena_reserve(&all->memory, bytes, "mechanisms", error);
    if (status != SCR_OK) return status;
    scr_arena arena = all->memory;
    for (int64_t p = 0; p < count; ++p) lay_out_arrays(&all->mechanism[p], &arena);
    for (int64_t i = 0; i < b->joined_count; ++i) {
        mechanism *m = &all->mechanism[b->mechanism[i]];
        m->body[b->number[i]] = b->world->bodies.handle[b->slot[i]];
    }
    for (int64_t p = 0; p < count; ++p)
        fill_mechanism(b, &all->mechanism[p], b->sorted + first_member[p], b->sorted + first_member[p + 1], source);
    all->count = count;
    return SCR_OK;
}

scr_status order_mechanisms(mechanisms *all, scr_instruction_set set, scr_error *error)
{
    scr_status status = scr_grow(&all->kkt, &all->kkt_capacity, 2 * all->count, sizeof *all->kkt, "mechanisms", error);
    while (status == SCR_OK && all->kkt_count < 2 * all->count) {
        status = kkt_create(&all->kkt[all->kkt_count], error);
        if (status == SCR_OK) kkt_use(all->kkt[all->kkt_count], set);
        if (status == SCR_OK) ++all->kkt_count;
    }
    int64_t work = 0;
    for (int64_t p = 0; p < all->count && status == SCR_OK; ++p) {
        mechanism *m = &all->mechanism[p];
        kkt_equations e = equations_of(m, &m->start);
        m->held = KERNEL_TO_AVX512_FOR(set == SCR_BEST, held_kernels);
        m->drift = KERNEL_TO_AVX512_FOR(set == SCR_BEST, drift_four);
        m->start.kkt = all->kkt[2 * p];
        m->end.kkt = all->kkt[2 * p + 1];
        status = kkt_order(m->start.kkt, &e, error);
        if (status == SCR_OK) status = kkt_order(m->end.kkt, &e, error);
        if (status == SCR_OK) work += kkt_work_count(m->start.kkt);
    }
    if (status == SCR_OK)
        status =
            scr_grow_anew(&all->kkt_work, &all->kkt_work_capacity, work, sizeof *all->kkt_work, "mechanisms", error);
    work = 0;
    for (int64_t p = 0; p < all->count && status == SCR_OK; ++p) {
        all->mechanism[p].kkt_work = all->kkt_work + work;
        work += kkt_work_count(all->mechanism[p].start.kkt);
    }
    return status;
}
