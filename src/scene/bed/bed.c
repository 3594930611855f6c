// SPDX-License-Identifier: BSD-3-Clause
// A bed: its tables, what holds of them, and its contacts as a whole.
#include "scene/bed/bed.h"

#include <math.h>
#include <string.h>

#include "core/base/printable.h"

static const field_info about_fields[] = {
    SCALAR(bed, law, FIELD_U32, ""),
    SCALAR(bed, time_step, FIELD_F64, "s"),
    SCALAR(bed, step_count, FIELD_I64, ""),
    SCALAR_WIDE(bed, cell_low, FIELD_F64, 3, "m"),
    SCALAR_WIDE(bed, cell_length, FIELD_F64, 3, "m"),
};
static const field_info material_fields[] = {
    FIELD_WIDE(bed, name, FIELD_U8, BED_NAME_LENGTH, ""),
    FIELD(bed, density, FIELD_F64, "kg/m3"),
    FIELD(bed, young, FIELD_F64, "Pa"),
    FIELD(bed, poisson, FIELD_F64, ""),
    FIELD(bed, friction, FIELD_F64, ""),
    FIELD(bed, restitution, FIELD_F64, ""),
    FIELD(bed, rolling_friction, FIELD_F64, ""),
    FIELD(bed, spinning_friction, FIELD_F64, ""),
    FIELD(bed, cohesion, FIELD_F64, "Pa"),
    FIELD(bed, surface_energy, FIELD_F64, "J/m2"),
};
static const field_info grain_fields[] = {
    FIELD_WIDE(bed, position, FIELD_F64, 3, "m"),
    FIELD_WIDE(bed, rotation, FIELD_F64, 4, ""),
    FIELD_WIDE(bed, velocity, FIELD_F64, 3, "m/s"),
    FIELD_WIDE(bed, spin, FIELD_F64, 3, "rad/s"),
    FIELD(bed, mass, FIELD_F64, "kg"),
    FIELD_WIDE(bed, inertia, FIELD_F64, 3, "kg m2"),
    FIELD(bed, material, FIELD_U16, ""),
};
static const field_info shape_fields[] = {
    FIELD(bed, grain, FIELD_I32, ""),
    FIELD(bed, kind, FIELD_U8, ""),
    FIELD(bed, radius, FIELD_F64, "m"),
};
static const field_info frame_fields[] = {
    {"position", FIELD_F64, "m", 3, offsetof(bed, shape_position), false},
    {"rotation", FIELD_F64, "", 4, offsetof(bed, shape_rotation), false},
    FIELD_WIDE(bed, half, FIELD_F64, 3, "m"),
};
static const field_info contact_fields[] = {
    FIELD(bed, a, FIELD_I32, ""),
    FIELD(bed, b, FIELD_I32, ""),
    FIELD(bed, feature, FIELD_U32, ""),
    FIELD_WIDE(bed, impulse, FIELD_F32, 3, "N s"),
};
static const field_info cone_fields[] = {
    FIELD_WIDE(bed, previous, FIELD_F32, 3, "N s"),
    FIELD(bed, allowance, FIELD_F32, "m"),
};
static const field_info penalty_fields[] = {
    FIELD_WIDE(bed, spring, FIELD_F64, 3, "m"),
    FIELD_WIDE(bed, roll, FIELD_F64, 3, "rad"),
    FIELD(bed, in_touch, FIELD_U8, ""),
};
static const field_info angular_fields[] = {FIELD_WIDE(bed, angular_impulse, FIELD_F32, 3, "N m s")};
static const field_info shape_material_fields[] = {
    {"material", FIELD_U16, "", 1, offsetof(bed, shape_material), false},
};
static const field_info shape_hull_fields[] = {
    {"hull", FIELD_I32, "", 1, offsetof(bed, shape_hull), false},
};

#define TABLE_OF(name, fields, owner, optional)                                                                        \
    (table) { name, fields, sizeof fields / sizeof fields[0], owner, 0, 0, optional }

void bed_init(bed *b)
{
    *b = (bed){0};
    b->about = TABLE_OF("about", about_fields, b, false);
    b->materials = TABLE_OF("materials", material_fields, b, false);
    b->grains = TABLE_OF("grains", grain_fields, b, false);
    b->shapes = TABLE_OF("shapes", shape_fields, b, false);
    b->frames = TABLE_OF("frames", frame_fields, b, true);
    b->contacts = TABLE_OF("contacts", contact_fields, b, false);
    b->cone_history = TABLE_OF("complementarity", cone_fields, b, true);
    b->penalty_history = TABLE_OF("penalty", penalty_fields, b, true);
    b->angular_history = TABLE_OF("angular_impulses", angular_fields, b, true);
    b->shape_materials = TABLE_OF("shape_materials", shape_material_fields, b, true);
    b->shape_hulls = TABLE_OF("shape_hulls", shape_hull_fields, b, true);
    surfaces_init(&b->hulls);
    b->hulls.table.name = "hulls", b->hulls.table.is_optional = true;
    b->hulls.vertices.table.name = "hull_corners", b->hulls.vertices.table.is_optional = true;
    b->hulls.triangles.table.name = "hull_triangles", b->hulls.triangles.table.is_optional = true;
}

void bed_tables(bed *b, table *tables[BED_TABLE_COUNT])
{
    table *all[BED_TABLE_COUNT] = {&b->about,
                                   &b->materials,
                                   &b->grains,
                                   &b->shapes,
                                   &b->frames,
                                   &b->contacts,
                                   &b->cone_history,
                                   &b->penalty_history,
                                   &b->angular_history,
                                   &b->shape_materials,
                                   &b->shape_hulls,
                                   &b->hulls.table,
                                   &b->hulls.vertices.table,
                                   &b->hulls.triangles.table};
    memcpy(tables, all, sizeof all);
}

void bed_free(bed *b)
{
    enum { OWN_TABLES = BED_TABLE_COUNT - 3 };  // the others are those of hulls
    table *tables[BED_TABLE_COUNT];
    bed_tables(b, tables);
    for (int k = 0; k < OWN_TABLES; ++k) table_free(tables[k]);
    surfaces_free(&b->hulls);
}

uint64_t bed_hash(const bed *b)
{
    bed view = *b;  // the same arrays, listed to be read
    table *tables[BED_TABLE_COUNT];
    bed_tables(&view, tables);
    // Files of before know nothing of materials of shapes, and later ones nothing of hulls.
    enum { WITHOUT_HULLS = BED_TABLE_COUNT - 4 };
    int count = b->shape_hulls.count > 0 ? BED_TABLE_COUNT : WITHOUT_HULLS - (b->shape_materials.count == 0);
    return tables_hash((const table *const *)tables, count, 1);
}

scr_material_def bed_material(const bed *b, int64_t m)
{
    return (scr_material_def){.density = b->density[m],
                              .young = b->young[m],
                              .poisson = b->poisson[m],
                              .friction = b->friction[m],
                              .restitution = b->restitution[m],
                              .rolling_friction = b->rolling_friction[m],
                              .spinning_friction = b->spinning_friction[m],
                              .cohesion = b->cohesion[m],
                              .surface_energy = b->surface_energy[m]};
}

periodic_cell bed_cell(const bed *b)
{
    periodic_cell cell = {0};
    for (int axis = 0; axis < 3; ++axis) {
        if (!(b->cell_length[axis] > 0.0)) continue;
        cell.any = true;
        cell.low[axis] = b->cell_low[axis];
        cell.length[axis] = b->cell_length[axis];
        cell.inverse[axis] = 1.0 / b->cell_length[axis];
    }
    return cell;
}

cell_steps bed_contact_crossing(const bed *b, const periodic_cell *cell, int64_t contact)
{
    scr_vec3 d = vec3_sub(b->position[b->grain[b->b[contact]]], b->position[b->grain[b->a[contact]]]);
    return (cell_steps){{(int32_t)rint(cell->inverse[0] * d.x), (int32_t)rint(cell->inverse[1] * d.y),
                         (int32_t)rint(cell->inverse[2] * d.z)}};
}

// ---- contacts ------------------------------------------------------------------------------------------------------

void bed_keep_contacts(bed *b, const int32_t *from, int64_t count)
{
    table *tables[] = {&b->contacts, &b->cone_history, &b->penalty_history, &b->angular_history};
    for (int k = 0; k < 4; ++k)
        if (tables[k]->count > 0) table_keep(tables[k], from, count);
}

scr_status bed_open_seam(bed *b, int axis, scr_error *error)
{
    int32_t *from;
    int64_t kept = 0;
    periodic_cell cell = bed_cell(b);
    if (cell.length[axis] == 0.0) return SCR_OK;
    scr_status status = scr_make_zeros(&from, b->contacts.count, sizeof *from, "contacts of a bed", error);
    if (status != SCR_OK) return status;
    for (int64_t k = 0; k < b->contacts.count; ++k)
        if (bed_contact_crossing(b, &cell, k).along[axis] == 0) from[kept++] = (int32_t)k;
    bed_keep_contacts(b, from, kept);
    scr_free(from);
    b->cell_low[axis] = b->cell_length[axis] = 0.0;
    return SCR_OK;
}

void bed_scale_impulses(bed *b, double impulses, double angular_impulses)
{
    for (int64_t k = 0; k < 3 * b->contacts.count; ++k) b->impulse[k] = (float)(impulses * (double)b->impulse[k]);
    for (int64_t k = 0; k < 3 * b->cone_history.count; ++k) b->previous[k] = (float)(impulses * (double)b->previous[k]);
    for (int64_t k = 0; k < 3 * b->angular_history.count; ++k)
        b->angular_impulse[k] = (float)(angular_impulses * (double)b->angular_impulse[k]);
}

// ---- what must hold ------------------------------------------------------------------------------------------------

// Numbers whose products and quotients are some, too.
static const double LEAST = 1e-100, MOST = 1e100;

static bool is_extent(double x) { return x >= LEAST && x <= MOST; }
static bool is_bounded(double x) { return fabs(x) <= MOST; }
static bool is_bounded3(scr_vec3 v) { return is_bounded(v.x) && is_bounded(v.y) && is_bounded(v.z); }
static bool is_extent3(scr_vec3 v) { return is_extent(v.x) && is_extent(v.y) && is_extent(v.z); }
static bool is_rotation(scr_quat q) { return fabs(quat_norm2(q) - 1.0) < 1e-6; }

static bool about_is_valid(const bed *b)
{
    if (b->law > SCR_PENALTY || !is_extent(b->time_step) || b->step_count < 0) return false;
    for (int axis = 0; axis < 3; ++axis)
        if (!is_bounded(b->cell_low[axis]) || !(b->cell_length[axis] == 0.0 || is_extent(b->cell_length[axis])))
            return false;
    return true;
}

static bool materials_are_named(const bed *b)
{
    for (int64_t m = 0; m < b->materials.count; ++m) {
        char shown[BED_NAME_LENGTH];
        if (b->name[m][0] == '\0' || memchr(b->name[m], '\0', BED_NAME_LENGTH) == NULL) return false;
        memcpy(shown, b->name[m], BED_NAME_LENGTH);
        make_printable(shown);
        if (strcmp(shown, b->name[m]) != 0 || !is_extent(b->density[m])) return false;
    }
    return true;
}

// Where the bed repeats itself, in the cell, or just outside it by what moving it has rounded.
static bool is_in_cell(const bed *b, scr_vec3 x)
{
    const double at[3] = {x.x, x.y, x.z};
    for (int axis = 0; axis < 3; ++axis) {
        double length = b->cell_length[axis], from_low = at[axis] - b->cell_low[axis];
        if (length > 0.0 && !(from_low >= -length && from_low <= 2.0 * length)) return false;
    }
    return is_bounded3(x);
}

static bool grains_are_valid(const bed *b)
{
    for (int64_t i = 0; i < b->grains.count; ++i)
        if (!is_in_cell(b, b->position[i]) || !is_rotation(b->rotation[i]) || !is_bounded3(b->velocity[i]) ||
            !is_bounded3(b->spin[i]) || !is_extent(b->mass[i]) || !is_extent3(b->inertia[i]) ||
            b->material[i] >= b->materials.count)
            return false;
    return true;
}

static bool frame_is_valid(const bed *b, int64_t k)
{
    bool is_sphere = b->kind[k] == SCR_SPHERE, is_box = b->kind[k] == SCR_BOX || b->kind[k] == SCR_ELLIPSOID;
    if (!is_bounded3(b->shape_position[k]) || !is_rotation(b->shape_rotation[k])) return false;
    if (b->kind[k] == SCR_HULL) return true;
    return is_sphere ? is_extent(b->radius[k])
           : is_box  ? is_extent3(b->half[k])
                     : is_extent(b->radius[k]) && is_extent(b->half[k].z);
}

// Those that are hulls have one, and only they.
static bool hulls_are_valid(const bed *b)
{
    const surfaces *h = &b->hulls;
    if (b->shape_hulls.count == 0) {
        for (int64_t k = 0; k < b->shapes.count; ++k)
            if (b->kind[k] == SCR_HULL) return false;
        return h->table.count == 0;
    }
    if (b->shape_hulls.count != b->shapes.count || !bed_has_frames(b) || !surfaces_are_valid(h)) return false;
    for (int64_t i = 0; i < h->table.count; ++i)
        if (h->kind[i] != SCR_HULL) return false;
    for (int64_t k = 0; k < b->shapes.count; ++k) {
        int32_t i = b->shape_hull[k];
        if (b->kind[k] == SCR_HULL ? i < 0 || i >= h->table.count : i != NO_HULL) return false;
    }
    return true;
}

static bool shapes_are_valid(const bed *b)
{
    bool has_frames = bed_has_frames(b);
    int32_t last = -1;
    if (b->shape_materials.count > 0 && b->shape_materials.count != b->shapes.count) return false;
    for (int64_t k = 0; k < b->shape_materials.count; ++k)
        if (b->shape_material[k] >= b->materials.count) return false;
    if (has_frames && b->frames.count != b->shapes.count) return false;
    if (!has_frames && b->shapes.count != b->grains.count) return false;
    for (int64_t k = 0; k < b->shapes.count; ++k) {
        bool follows = b->grain[k] == last + 1 || (has_frames && b->grain[k] == last && last >= 0);
        if (!follows || b->grain[k] >= b->grains.count || b->kind[k] > SCR_HULL) return false;
        if (has_frames ? !frame_is_valid(b, k) : b->kind[k] != SCR_SPHERE || !is_extent(b->radius[k])) return false;
        last = b->grain[k];
    }
    return last + 1 == b->grains.count;
}

static bool are_finite(const float *v, int64_t count)
{
    for (int64_t k = 0; k < count; ++k)
        if (!isfinite(v[k])) return false;
    return true;
}

static bool history_is_valid(const bed *b)
{
    const table *history[] = {&b->cone_history, &b->penalty_history, &b->angular_history};
    for (int k = 0; k < 3; ++k)
        if (history[k]->count != 0 && history[k]->count != b->contacts.count) return false;
    for (int64_t k = 0; k < b->cone_history.count; ++k)
        if (!(b->allowance[k] >= 0.0f) || !isfinite(b->allowance[k])) return false;
    for (int64_t k = 0; k < 3 * b->penalty_history.count; ++k)
        if (!isfinite(b->spring[k]) || !isfinite(b->roll[k])) return false;
    for (int64_t k = 0; k < b->penalty_history.count; ++k)
        if (b->in_touch[k] > 1) return false;
    return are_finite(b->impulse, 3 * b->contacts.count) && are_finite(b->previous, 3 * b->cone_history.count) &&
           are_finite(b->angular_impulse, 3 * b->angular_history.count);
}

static bool contacts_are_valid(const bed *b)
{
    for (int64_t k = 0; k < b->contacts.count; ++k) {
        int32_t i = b->a[k], j = b->b[k];
        if (i < 0 || i >= b->shapes.count || j < 0 || j >= b->shapes.count || b->grain[i] == b->grain[j]) return false;
    }
    return history_is_valid(b);
}

scr_status bed_check(const bed *b, const char *path, scr_error *error)
{
    const char *damaged = !about_is_valid(b)        ? "law, step and cell"
                          : !materials_are_named(b) ? "materials"
                          : !grains_are_valid(b)    ? "grains"
                          : !shapes_are_valid(b)    ? "shapes"
                          : !hulls_are_valid(b)     ? "hulls"
                          : !contacts_are_valid(b)  ? "contacts"
                                                    : NULL;
    if (damaged == NULL) return SCR_OK;
    return scr_fail(error, SCR_IO, "%s is damaged: its %s cannot be", path, damaged);
}
