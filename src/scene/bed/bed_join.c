// SPDX-License-Identifier: BSD-3-Clause
// Beds repeated and merged.
#include <string.h>

#include "core/text/human.h"
#include "scene/bed/bed_change.h"

// ---- repeat --------------------------------------------------------------------------------------------------------

static scr_status check_repeat(const bed *b, const int count[3], int64_t copies, scr_error *error)
{
    for (int axis = 0; axis < 3; ++axis) {
        if (count[axis] < 1)
            return scr_fail(error, SCR_BAD_INPUT, "a bed is repeated once at least, not %d times along %c", count[axis],
                            "xyz"[axis]);
        if (count[axis] > 1 && !(b->cell_length[axis] > 0.0))
            return scr_fail(error, SCR_BAD_INPUT,
                            "the bed cannot be repeated along %c: it was not made where space repeats itself along %c "
                            "(periodic)",
                            "xyz"[axis], "xyz"[axis]);
    }
    int64_t most = b->contacts.count > b->shapes.count ? b->contacts.count : b->shapes.count;
    if (copies > INT32_MAX / (most + 1))
        return scr_fail(error, SCR_BAD_INPUT, "%s copies of a bed of %s are too many", human_count(copies).text,
                        human_things(b->grains.count, "grain", "grains").text);
    return SCR_OK;
}

static int wrapped(int i, int count) { return (i % count + count) % count; }

// Copies of contact k: in each copy of the tile a touches that copy of b which is nearest, across the outer seam again
// one of the far side.
static void spread_contacts(bed *b, const periodic_cell *cell, const int count[3], int64_t tile_contacts,
                            int64_t tile_shapes)
{
    const int copies = count[0] * count[1] * count[2];
    for (int64_t k = 0; k < tile_contacts; ++k) {
        cell_steps crossing = bed_contact_crossing(b, cell, k);
        int32_t first_a = b->a[k], first_b = b->b[k];
        for (int t = 0; t < copies; ++t) {
            int x = t % count[0], y = t / count[0] % count[1], z = t / (count[0] * count[1]);
            x = wrapped(x - crossing.along[0], count[0]);
            y = wrapped(y - crossing.along[1], count[1]);
            z = wrapped(z - crossing.along[2], count[2]);
            int64_t i = t * tile_contacts + k;
            b->a[i] = (int32_t)(first_a + t * tile_shapes);
            b->b[i] = (int32_t)(first_b + (x + count[0] * (y + (int64_t)count[1] * z)) * tile_shapes);
        }
    }
}

scr_status bed_repeat(bed *b, const int count[3], scr_error *error)
{
    enum { TABLES = 9 };
    table *tables[TABLES] = {&b->grains,          &b->shapes,          &b->frames,
                             &b->contacts,        &b->cone_history,    &b->penalty_history,
                             &b->angular_history, &b->shape_materials, &b->shape_hulls};
    const int64_t grains = b->grains.count, shapes = b->shapes.count, contacts = b->contacts.count;
    const int64_t copies = (int64_t)count[0] * count[1] * count[2];
    const periodic_cell cell = bed_cell(b);
    scr_status status = check_repeat(b, count, copies, error);
    for (int k = 0; k < TABLES && status == SCR_OK; ++k) status = table_repeat(tables[k], copies, error);
    if (status != SCR_OK) return status;
    spread_contacts(b, &cell, count, contacts, shapes);  // while all copies stand in the first one's place
    for (int64_t t = 0; t < copies; ++t) {
        scr_vec3 by = vec3((double)(t % count[0]) * cell.length[0], (double)(t / count[0] % count[1]) * cell.length[1],
                           (double)(t / ((int64_t)count[0] * count[1])) * cell.length[2]);
        for (int64_t i = 0; i < grains; ++i) b->position[t * grains + i] = vec3_add(b->position[t * grains + i], by);
        for (int64_t k = 0; k < shapes; ++k) b->grain[t * shapes + k] += (int32_t)(t * grains);
    }
    for (int axis = 0; axis < 3; ++axis) b->cell_length[axis] *= count[axis];
    return SCR_OK;
}

// ---- merge ---------------------------------------------------------------------------------------------------------

static int64_t find_material(const bed *b, const char *name)
{
    for (int64_t m = 0; m < b->materials.count; ++m)
        if (strcmp(b->name[m], name) == 0) return m;
    return -1;
}

static bool are_alike(const bed *b, int64_t m, const bed *other, int64_t n)
{
    scr_material_def here = bed_material(b, m), there = bed_material(other, n);
    return memcmp(&here, &there, sizeof here) == 0;
}

// The other's materials in b; from: scratch; number[m]: what material m of the other is in b.
static scr_status merge_materials(bed *b, const bed *other, int32_t *from, int32_t *number, scr_error *error)
{
    int64_t there = b->materials.count, kept = there;
    for (int64_t m = 0; m < there; ++m) from[m] = (int32_t)m;
    for (int64_t m = 0; m < other->materials.count; ++m) {
        int64_t known = find_material(b, other->name[m]);
        if (known >= 0 && !are_alike(b, known, other, m))
            return scr_fail(error, SCR_BAD_INPUT, "the beds have both a material '%s', with other values",
                            b->name[known]);
        number[m] = (int32_t)(known >= 0 ? known : kept);
        if (known < 0) from[kept++] = (int32_t)(there + m);
    }
    if (kept > UINT16_MAX) return scr_fail(error, SCR_BAD_INPUT, "the beds have too many materials");
    scr_status status = table_append(&b->materials, &other->materials, error);
    if (status == SCR_OK) table_keep(&b->materials, from, kept);
    return status;
}

static bool have_one_cell(const bed *b, const bed *other)
{
    return memcmp(b->cell_low, other->cell_low, sizeof b->cell_low) == 0 &&
           memcmp(b->cell_length, other->cell_length, sizeof b->cell_length) == 0;
}

// Where one of the two has frames, both need them.
static scr_status give_frames(bed *b, scr_error *error)
{
    if (bed_has_frames(b)) return SCR_OK;
    scr_status status = table_reserve(&b->frames, b->shapes.count, error);
    if (status != SCR_OK) return status;
    b->frames.count = b->shapes.count;
    for (int64_t k = 0; k < b->frames.count; ++k) {
        b->shape_position[k] = b->half[k] = vec3(0.0, 0.0, 0.0);
        b->shape_rotation[k] = QUAT_IDENTITY;
    }
    return SCR_OK;
}

// The same with materials of shapes.
static scr_status give_shape_materials(bed *b, scr_error *error)
{
    if (b->shape_materials.count > 0) return SCR_OK;
    scr_status status = table_reserve(&b->shape_materials, b->shapes.count, error);
    for (int64_t k = 0; k < b->shapes.count && status == SCR_OK; ++k) b->shape_material[k] = b->material[b->grain[k]];
    if (status == SCR_OK) b->shape_materials.count = b->shapes.count;
    return status;
}

// The same with hulls.
static scr_status give_shape_hulls(bed *b, scr_error *error)
{
    if (b->shape_hulls.count > 0) return SCR_OK;
    scr_status status = table_reserve(&b->shape_hulls, b->shapes.count, error);
    for (int64_t k = 0; k < b->shapes.count && status == SCR_OK; ++k) b->shape_hull[k] = NO_HULL;
    if (status == SCR_OK) b->shape_hulls.count = b->shapes.count;
    return status;
}

// The same with angular impulses.
static scr_status give_angular_impulses(bed *b, scr_error *error)
{
    if (b->angular_history.count > 0) return SCR_OK;
    scr_status status = table_reserve(&b->angular_history, b->contacts.count, error);
    if (status != SCR_OK) return status;
    b->angular_history.count = b->contacts.count;
    for (int64_t k = 0; k < 3 * b->contacts.count; ++k) b->angular_impulse[k] = 0.0f;
    return SCR_OK;
}

static scr_status match(bed *b, bed *other, scr_error *error)
{
    scr_status status = SCR_OK;
    if ((b->law == SCR_PENALTY) != (other->law == SCR_PENALTY))
        return scr_fail(error, SCR_BAD_INPUT, "one of the beds was made under the penalty law, the other was not");
    for (int axis = 0; axis < 3 && !have_one_cell(b, other) && status == SCR_OK; ++axis) {
        status = bed_open_seam(b, axis, error);
        if (status == SCR_OK) status = bed_open_seam(other, axis, error);
    }
    if (status == SCR_OK && bed_has_frames(b)) status = give_frames(other, error);
    if (status == SCR_OK && bed_has_frames(other)) status = give_frames(b, error);
    if (status == SCR_OK && b->shape_materials.count > 0) status = give_shape_materials(other, error);
    if (status == SCR_OK && other->shape_materials.count > 0) status = give_shape_materials(b, error);
    if (status == SCR_OK && b->shape_hulls.count > 0) status = give_shape_hulls(other, error);
    if (status == SCR_OK && other->shape_hulls.count > 0) status = give_shape_hulls(b, error);
    if (status == SCR_OK && b->angular_history.count > 0) status = give_angular_impulses(other, error);
    if (status == SCR_OK && other->angular_history.count > 0) status = give_angular_impulses(b, error);
    double steps = b->time_step / other->time_step;
    bed_scale_impulses(other, steps, steps);
    return status;
}

static scr_status append(bed *b, const bed *other, const int32_t *number, scr_error *error)
{
    const int64_t grains = b->grains.count, shapes = b->shapes.count, contacts = b->contacts.count;
    enum { TABLES = 9 };
    table *to[TABLES] = {&b->grains,          &b->shapes,          &b->frames,
                         &b->contacts,        &b->cone_history,    &b->penalty_history,
                         &b->angular_history, &b->shape_materials, &b->shape_hulls};
    const table *from[TABLES] = {&other->grains,          &other->shapes,          &other->frames,
                                 &other->contacts,        &other->cone_history,    &other->penalty_history,
                                 &other->angular_history, &other->shape_materials, &other->shape_hulls};
    const int64_t hulls = b->hulls.table.count;
    scr_status status = SCR_OK;
    if (shapes + other->shapes.count > INT32_MAX || contacts + other->contacts.count > INT32_MAX)
        return scr_fail(error, SCR_BAD_INPUT, "the beds are too large together");
    for (int k = 0; k < TABLES && status == SCR_OK; ++k) status = table_append(to[k], from[k], error);
    for (int64_t i = 0; i < other->hulls.table.count && status == SCR_OK; ++i)
        status = surfaces_add_copy(&b->hulls, &other->hulls, i, error);
    if (status != SCR_OK) return status;
    for (int64_t k = shapes; k < b->shape_hulls.count; ++k)
        if (b->shape_hull[k] != NO_HULL) b->shape_hull[k] += (int32_t)hulls;
    for (int64_t i = grains; i < b->grains.count; ++i) b->material[i] = (uint16_t)number[b->material[i]];
    for (int64_t k = shapes; k < b->shape_materials.count; ++k)
        b->shape_material[k] = (uint16_t)number[b->shape_material[k]];
    for (int64_t k = shapes; k < b->shapes.count; ++k) b->grain[k] += (int32_t)grains;
    for (int64_t k = contacts; k < b->contacts.count; ++k) b->a[k] += (int32_t)shapes, b->b[k] += (int32_t)shapes;
    return SCR_OK;
}

scr_status bed_merge(bed *b, bed *other, scr_error *error)
{
    int32_t *from = NULL, *number = NULL;
    int64_t most = b->materials.count + other->materials.count;
    scr_status status = match(b, other, error);
    if (status == SCR_OK) status = scr_make_zeros(&from, most, sizeof *from, "merging beds", error);
    if (status == SCR_OK) status = scr_make_zeros(&number, most, sizeof *number, "merging beds", error);
    if (status == SCR_OK) status = merge_materials(b, other, from, number, error);
    if (status == SCR_OK) status = append(b, other, number, error);
    scr_free(from);
    scr_free(number);
    return status;
}
