// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/joints/joints.h"

#include <string.h>

static const field_info joint_fields[] = {
    FIELD(joints, generation, FIELD_U32, ""),
    FIELD(joints, kind, FIELD_U8, ""),
    FIELD_WIDE(joints, a, FIELD_U32, 2, ""),
    FIELD_WIDE(joints, b, FIELD_U32, 2, ""),
    FIELD_WIDE(joints, frame_a, FIELD_F64, POSE_WIDTH, "m"),
    FIELD_WIDE(joints, frame_b, FIELD_F64, POSE_WIDTH, "m"),
    FIELD(joints, collide, FIELD_U8, ""),
    FIELD(joints, length, FIELD_F64, "m"),
    FIELD(joints, lower, FIELD_F64, "m or rad"),
    FIELD(joints, upper, FIELD_F64, "m or rad"),
    FIELD(joints, restitution, FIELD_F64, ""),
    FIELD(joints, friction, FIELD_F64, ""),
    FIELD(joints, friction_radius, FIELD_F64, "m"),
    FIELD(joints, friction_force, FIELD_F64, "N or N m"),
    FIELD(joints, break_force, FIELD_F64, "N"),
    FIELD(joints, break_torque, FIELD_F64, "N m"),
    FIELD_WIDE(joints, stiffness, FIELD_F64, 6, "N/m or N m/rad"),
    FIELD_WIDE(joints, damping, FIELD_F64, 6, "N s/m or N m s/rad"),
    FIELD(joints, motor, FIELD_U8, ""),
    FIELD(joints, motor_axis, FIELD_U8, ""),
    FIELD(joints, motor_constant, FIELD_F64, ""),
    FIELD(joints, max_force, FIELD_F64, "N or N m"),
    FIELD(joints, along, FIELD_F64, "m"),
    FIELD(joints, about, FIELD_F64, "rad"),
    FIELD_WIDE(joints, force, FIELD_F64, 3, "N"),
    FIELD_WIDE(joints, torque, FIELD_F64, 3, "N m"),
    FIELD(joints, motor_force, FIELD_F64, "N or N m"),
    FIELD(joints, motor_power, FIELD_F64, "W"),
    FIELD(joints, load, FIELD_F64, "N"),
    FIELD(joints, is_pressed, FIELD_U8, ""),
    FIELD(joints, is_broken, FIELD_U8, ""),
    FIELD(joints, redundant_rows, FIELD_U8, ""),
};
static const field_info spring_fields[] = {
    FIELD(springs, generation, FIELD_U32, ""),
    FIELD_WIDE(springs, joint, FIELD_U32, 2, ""),
    FIELD(springs, axis, FIELD_U8, ""),
    FIELD_WIDE(springs, a, FIELD_U32, 2, ""),
    FIELD_WIDE(springs, b, FIELD_U32, 2, ""),
    FIELD_WIDE(springs, point_a, FIELD_F64, 3, "m"),
    FIELD_WIDE(springs, point_b, FIELD_F64, 3, "m"),
    FIELD(springs, rest, FIELD_F64, "m or rad"),
    FIELD(springs, stiffness, FIELD_F64, "N/m or N m/rad"),
    FIELD(springs, damping, FIELD_F64, "N s/m or N m s/rad"),
    FIELD(springs, preload, FIELD_F64, "N or N m"),
    FIELD(springs, lower, FIELD_F64, "m or rad"),
    FIELD(springs, upper, FIELD_F64, "m or rad"),
    FIELD(springs, stop_stiffness, FIELD_F64, "N/m or N m/rad"),
    FIELD(springs, stop_damping, FIELD_F64, "N s/m or N m s/rad"),
    FIELD(springs, first_pair, FIELD_I64, ""),
    FIELD(springs, pair_count, FIELD_I32, ""),
    FIELD(springs, force, FIELD_F64, "N or N m"),
};
static const field_info pair_fields[] = {
    FIELD_WIDE(springs, pairs, FIELD_F64, 2, "m or rad, N or N m"),
};
static const field_info coupling_fields[] = {
    FIELD(couplings, generation, FIELD_U32, ""),    FIELD(couplings, count, FIELD_I32, ""),
    FIELD_WIDE(couplings, joint, FIELD_U32, 6, ""), FIELD_WIDE(couplings, axis, FIELD_U8, 3, ""),
    FIELD_WIDE(couplings, ratio, FIELD_F64, 3, ""), FIELD(couplings, target, FIELD_F64, ""),
    FIELD(couplings, force, FIELD_F64, "N or N m"),
};

_Static_assert(sizeof(scr_joint) == 2 * sizeof(uint32_t), "a handle is saved as two 32-bit numbers");

void joints_init(joints *j)
{
    *j = (joints){0};
    j->table = (table){"joints", joint_fields, sizeof joint_fields / sizeof *joint_fields, j, 0, 0, false};
}

void springs_init(springs *s)
{
    *s = (springs){0};
    s->table = (table){"springs", spring_fields, sizeof spring_fields / sizeof *spring_fields, s, 0, 0, false};
    s->pair_table = (table){"spring_pairs", pair_fields, sizeof pair_fields / sizeof *pair_fields, s, 0, 0, false};
}

void couplings_init(couplings *c)
{
    *c = (couplings){0};
    c->table = (table){"couplings", coupling_fields, sizeof coupling_fields / sizeof *coupling_fields, c, 0, 0, false};
}

void joints_free(joints *j)
{
    table_free(&j->table);
    scr_free(j->drive);
}

void springs_free(springs *s)
{
    table_free(&s->table);
    table_free(&s->pair_table);
}

void couplings_free(couplings *c) { table_free(&c->table); }

// ---- entries and their handles ----

static int64_t entry_of(const table *t, const uint32_t *generation, uint32_t index1, uint32_t wanted)
{
    if (index1 == 0 || index1 > t->count || wanted % 2 == 0) return -1;
    return generation[index1 - 1] == wanted ? (int64_t)index1 - 1 : -1;
}

int64_t joint_slot(const joints *j, scr_joint joint)
{
    return entry_of(&j->table, j->generation, joint.index1, joint.generation);
}
int64_t spring_slot(const springs *s, scr_spring spring)
{
    return entry_of(&s->table, s->generation, spring.index1, spring.generation);
}
int64_t coupling_slot(const couplings *c, scr_coupling coupling)
{
    return entry_of(&c->table, c->generation, coupling.index1, coupling.generation);
}

static scr_status refuse(const char *what, uint32_t index1, uint32_t generation, scr_error *error)
{
    if (index1 == 0) return scr_fail(error, SCR_BAD_INPUT, "the %s handle is null", what);
    return scr_fail(error, SCR_BAD_INPUT, "the %s handle %u.%u is stale: its %s was removed", what, index1, generation,
                    what);
}

scr_status joint_slot_checked(const joints *j, scr_joint joint, int64_t *entry, scr_error *error)
{
    *entry = joint_slot(j, joint);
    return *entry >= 0 ? SCR_OK : refuse("joint", joint.index1, joint.generation, error);
}

scr_status spring_slot_checked(const springs *s, scr_spring spring, int64_t *entry, scr_error *error)
{
    *entry = spring_slot(s, spring);
    return *entry >= 0 ? SCR_OK : refuse("spring", spring.index1, spring.generation, error);
}

scr_status coupling_slot_checked(const couplings *c, scr_coupling coupling, int64_t *entry, scr_error *error)
{
    *entry = coupling_slot(c, coupling);
    return *entry >= 0 ? SCR_OK : refuse("coupling", coupling.index1, coupling.generation, error);
}

// All numbers of an entry become zero, but its generation.
static void clear_entry(table *t, uint32_t *generation, int64_t i)
{
    uint32_t kept = generation[i];
    for (int f = 0; f < t->field_count; ++f) {
        size_t size = field_size(&t->field[f]);
        if (!t->field[f].scalar) memset((char *)table_data(t, &t->field[f]) + (size_t)i * size, 0, size);
    }
    generation[i] = kept;
}

static scr_status take_entry(table *t, uint32_t **generation, int64_t *free_count, int64_t *entry, scr_error *error)
{
    int64_t i = 0;
    if (*free_count > 0) {
        while ((*generation)[i] % 2 == 1) ++i;
        --*free_count;
    } else {
        scr_status status = table_reserve(t, t->count + 1, error);
        if (status != SCR_OK) return status;
        i = t->count++;
        (*generation)[i] = 0;
    }
    clear_entry(t, *generation, i);
    ++(*generation)[i];
    *entry = i;
    return SCR_OK;
}

static void drop_entry(table *t, uint32_t *generation, int64_t *free_count, int64_t i)
{
    clear_entry(t, generation, i);
    ++generation[i];
    ++*free_count;
}

static int64_t count_free(const table *t, const uint32_t *generation)
{
    int64_t count = 0;
    for (int64_t i = 0; i < t->count; ++i) count += generation[i] % 2 == 0;
    return count;
}

scr_status joints_take(joints *j, int64_t *entry, scr_error *error)
{
    scr_status status = scr_grow(&j->drive, &j->drive_capacity, j->table.count + 1, sizeof *j->drive, "motors", error);
    if (status == SCR_OK) status = take_entry(&j->table, &j->generation, &j->free_count, entry, error);
    if (status == SCR_OK) j->drive[*entry] = (scr_function){0};
    return status;
}

scr_status springs_take(springs *s, int64_t pair_count, int64_t *entry, scr_error *error)
{
    int64_t first = s->pair_table.count;
    scr_status status = table_reserve(&s->pair_table, first + pair_count, error);
    if (status == SCR_OK) status = take_entry(&s->table, &s->generation, &s->free_count, entry, error);
    if (status != SCR_OK) return status;
    s->first_pair[*entry] = pair_count > 0 ? first : 0;
    s->pair_count[*entry] = (int32_t)pair_count;
    s->pair_table.count += pair_count;
    return SCR_OK;
}

scr_status couplings_take(couplings *c, int64_t *entry, scr_error *error)
{
    return take_entry(&c->table, &c->generation, &c->free_count, entry, error);
}

void joints_drop(joints *j, int64_t i)
{
    drop_entry(&j->table, j->generation, &j->free_count, i);
    j->drive[i] = (scr_function){0};
}

// The pairs of later springs move up.
void springs_drop(springs *s, int64_t i)
{
    int64_t first = s->first_pair[i], count = s->pair_count[i], last = first + count;
    drop_entry(&s->table, s->generation, &s->free_count, i);
    if (count == 0) return;
    memmove(s->pairs + 2 * first, s->pairs + 2 * last, (size_t)(s->pair_table.count - last) * 2 * sizeof *s->pairs);
    s->pair_table.count -= count;
    for (int64_t k = 0; k < s->table.count; ++k)
        if (s->first_pair[k] >= last) s->first_pair[k] -= count;
}

void couplings_drop(couplings *c, int64_t i) { drop_entry(&c->table, c->generation, &c->free_count, i); }

scr_status joints_after_load(joints *j, springs *s, couplings *c, scr_error *error)
{
    scr_status status = scr_grow(&j->drive, &j->drive_capacity, j->table.count, sizeof *j->drive, "motors", error);
    if (status != SCR_OK) return status;
    for (int64_t i = 0; i < j->table.count; ++i) j->drive[i] = (scr_function){0};
    j->free_count = count_free(&j->table, j->generation);
    s->free_count = count_free(&s->table, s->generation);
    c->free_count = count_free(&c->table, c->generation);
    return SCR_OK;
}

// ---- what is in an entry ----

double joint_drive_at(const joints *j, int64_t i, double t)
{
    const scr_function *f = &j->drive[i];
    return f->at != NULL ? f->at(f->context, t) : j->motor_constant[i];
}

joint_geometry joint_geometry_of(const joints *j, int64_t i, int32_t body_a, int32_t body_b)
{
    return (joint_geometry){
        .kind = (scr_joint_kind)j->kind[i],
        .a = {j->a[i].index1 == 0 ? NO_BODY : body_a, pose_load(j->frame_a + POSE_WIDTH * i)},
        .b = {j->b[i].index1 == 0 ? NO_BODY : body_b, pose_load(j->frame_b + POSE_WIDTH * i)},
        .length = j->length[i],
    };
}
