// SPDX-License-Identifier: BSD-3-Clause
// A world as bytes: its definition and its state tables, to a file or to memory and back.
#include "core/file/safe_file.h"
#include "core/file/table_bytes.h"
#include "dynamics/world/world.h"
#include "dynamics/world/world_state.h"
#include "scree/save.h"

#include <stdlib.h>

static const bytes_kind SAVED_WORLD = {"a saved world", "SCRWORLD", 5};

// scr_world_def in numbers of known size.
typedef struct saved_def {
    table table;
    double gravity[3], period_low[3], period_high[3], time_step, max_speed;
    double shear_rate;
    int32_t shear_flow, shear_gradient;
    double tolerance, omega, lambda;
    double damping, stiffness, compliance, envelope, recovery_speed;
    int32_t thread_count, max_iterations, max_per_pair;
    uint32_t instruction_set, solver, precision, law, friction, normal, rolling, adhesion, reduction;
    uint8_t warm_start, follow_rotations, is_stretched;
} saved_def;

static const field_info def_fields[] = {
    SCALAR_WIDE(saved_def, gravity, FIELD_F64, 3, "m/s2"),
    SCALAR_WIDE(saved_def, period_low, FIELD_F64, 3, "m"),
    SCALAR_WIDE(saved_def, period_high, FIELD_F64, 3, "m"),
    SCALAR(saved_def, shear_rate, FIELD_F64, "1/s"),
    SCALAR(saved_def, shear_flow, FIELD_I32, ""),
    SCALAR(saved_def, shear_gradient, FIELD_I32, ""),
    SCALAR(saved_def, time_step, FIELD_F64, "s"),
    SCALAR(saved_def, max_speed, FIELD_F64, "m/s"),
    SCALAR(saved_def, tolerance, FIELD_F64, ""),
    SCALAR(saved_def, omega, FIELD_F64, ""),
    SCALAR(saved_def, lambda, FIELD_F64, ""),
    SCALAR(saved_def, damping, FIELD_F64, "s"),
    SCALAR(saved_def, stiffness, FIELD_F64, "N/m"),
    SCALAR(saved_def, compliance, FIELD_F64, ""),
    SCALAR(saved_def, envelope, FIELD_F64, ""),
    SCALAR(saved_def, recovery_speed, FIELD_F64, "m/s"),
    SCALAR(saved_def, thread_count, FIELD_I32, ""),
    SCALAR(saved_def, max_iterations, FIELD_I32, ""),
    SCALAR(saved_def, max_per_pair, FIELD_I32, ""),
    SCALAR(saved_def, instruction_set, FIELD_U32, ""),
    SCALAR(saved_def, solver, FIELD_U32, ""),
    SCALAR(saved_def, precision, FIELD_U32, ""),
    SCALAR(saved_def, law, FIELD_U32, ""),
    SCALAR(saved_def, friction, FIELD_U32, ""),
    SCALAR(saved_def, normal, FIELD_U32, ""),
    SCALAR(saved_def, rolling, FIELD_U32, ""),
    SCALAR(saved_def, adhesion, FIELD_U32, ""),
    SCALAR(saved_def, reduction, FIELD_U32, ""),
    SCALAR(saved_def, warm_start, FIELD_U8, ""),
    SCALAR(saved_def, follow_rotations, FIELD_U8, ""),
    SCALAR(saved_def, is_stretched, FIELD_U8, ""),
};

static void saved_def_init(saved_def *s, const scr_world_def *def)
{
    const scr_contact_def *c = &def->contact;
    *s = (saved_def){
        .table = {"definition", def_fields, sizeof def_fields / sizeof *def_fields, s, 0, 0, false},
        .gravity = {def->gravity.x, def->gravity.y, def->gravity.z},
        .period_low = {def->period.low.x, def->period.low.y, def->period.low.z},
        .period_high = {def->period.high.x, def->period.high.y, def->period.high.z},
        .shear_rate = def->period.shear.rate,
        .shear_flow = def->period.shear.flow,
        .shear_gradient = def->period.shear.gradient,
        .is_stretched = def->period.is_stretched,
        .time_step = def->time_step,
        .max_speed = def->max_speed,
        .tolerance = def->solver.tolerance,
        .omega = def->solver.omega,
        .lambda = def->solver.lambda,
        .damping = c->damping,
        .stiffness = c->stiffness,
        .compliance = c->compliance,
        .envelope = c->envelope,
        .recovery_speed = c->recovery_speed,
        .thread_count = def->thread_count,
        .max_iterations = def->solver.max_iterations,
        .max_per_pair = c->max_per_pair,
        .instruction_set = (uint32_t)def->instruction_set,
        .solver = (uint32_t)def->solver.kind,
        .precision = (uint32_t)def->solver.precision,
        .law = (uint32_t)c->law,
        .friction = (uint32_t)c->friction,
        .normal = (uint32_t)c->normal,
        .rolling = (uint32_t)c->rolling,
        .adhesion = (uint32_t)c->adhesion,
        .reduction = (uint32_t)c->reduction,
        .warm_start = def->solver.warm_start,
        .follow_rotations = def->follow_rotations,
    };
}

// What cannot be is found when a world is made of it.
static scr_world_def read_def(const saved_def *s)
{
    return (scr_world_def){
        .gravity = {s->gravity[0], s->gravity[1], s->gravity[2]},
        .time_step = s->time_step,
        .thread_count = s->thread_count,
        .instruction_set = (scr_instruction_set)s->instruction_set,
        .solver = {.kind = (scr_solver_kind)s->solver,
                   .max_iterations = s->max_iterations,
                   .tolerance = s->tolerance,
                   .warm_start = s->warm_start != 0,
                   .precision = (scr_precision)s->precision,
                   .omega = s->omega,
                   .lambda = s->lambda},
        .contact = {.law = (scr_contact_law)s->law,
                    .friction = (scr_friction_law)s->friction,
                    .damping = s->damping,
                    .normal = (scr_normal_law)s->normal,
                    .stiffness = s->stiffness,
                    .rolling = (scr_rolling_law)s->rolling,
                    .adhesion = (scr_adhesion_law)s->adhesion,
                    .compliance = s->compliance,
                    .envelope = s->envelope,
                    .recovery_speed = s->recovery_speed,
                    .max_per_pair = s->max_per_pair,
                    .reduction = (scr_reduction)s->reduction},
        .max_speed = s->max_speed,
        .follow_rotations = s->follow_rotations != 0,
        .period = {.low = {s->period_low[0], s->period_low[1], s->period_low[2]},
                   .high = {s->period_high[0], s->period_high[1], s->period_high[2]},
                   .shear = {s->shear_flow, s->shear_gradient, s->shear_rate},
                   .is_stretched = s->is_stretched != 0},
    };
}

enum { SAVED_TABLE_MAX = WORLD_TABLE_MAX + 1 };

static int list_tables(scr_world *world, saved_def *def, table *tables[SAVED_TABLE_MAX])
{
    tables[0] = &def->table;
    return 1 + world_tables(world, tables + 1);
}

scr_status scr_world_save_to_memory(const scr_world *world, void **data, size_t *size, scr_error *error)
{
    saved_def def;
    table *tables[SAVED_TABLE_MAX];
    saved_def_init(&def, &world->def);
    int count = list_tables(world->self, &def, tables);
    *size = tables_byte_count((const table *const *)tables, count);
    *data = scr_alloc(*size);
    if (*data == NULL) return scr_fail_memory(error, *size, "the saved world");
    tables_to_bytes(SAVED_WORLD, (const table *const *)tables, count, *data);
    return SCR_OK;
}

void scr_memory_free(void *data) { scr_free(data); }

scr_status scr_world_save(const scr_world *world, const char *path, scr_error *error)
{
    void *data;
    size_t size;
    scr_status status = scr_world_save_to_memory(world, &data, &size, error);
    if (status == SCR_OK) status = file_replace(path, data, size, error);
    scr_memory_free(data);
    return status;
}

// The definition comes first: it says which tables a world of its kind has.
static scr_status load(const void *data, size_t size, const char *name, scr_world **world, scr_error *error)
{
    saved_def def;
    table *tables[SAVED_TABLE_MAX];
    scr_error why;
    scr_world_def start = scr_default_world_def();
    saved_def_init(&def, &start);
    tables[0] = &def.table;
    scr_status status = tables_from_bytes(SAVED_WORLD, data, size, name, FIRST_TABLES, tables, 1, error);
    if (status != SCR_OK) return status;
    start = read_def(&def);
    if (scr_world_create(&start, world, &why) != SCR_OK)
        return scr_fail(error, why.status, "%s: %s", name, why.message);
    status =
        tables_from_bytes(SAVED_WORLD, data, size, name, ALL_TABLES, tables, list_tables(*world, &def, tables), error);
    if (status == SCR_OK && world_after_load(*world, &why) != SCR_OK)
        status = scr_fail(error, why.status == SCR_NO_MEMORY ? SCR_NO_MEMORY : SCR_IO, "%s: %s", name, why.message);
    if (status == SCR_OK) return SCR_OK;
    scr_world_destroy(*world);
    *world = NULL;
    return status;
}

scr_status scr_world_load_from_memory(const void *data, size_t size, scr_world **world, scr_error *error)
{
    *world = NULL;
    return load(data, size, "the saved world", world, error);
}

scr_status scr_world_load(const char *path, scr_world **world, scr_error *error)
{
    char *data;
    size_t size;
    *world = NULL;
    scr_status status = file_read(path, &data, &size, error);
    if (status == SCR_OK) status = load(data, size, path, world, error);
    free(data);
    return status;
}
