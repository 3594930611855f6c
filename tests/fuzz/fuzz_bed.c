// SPDX-License-Identifier: BSD-3-Clause
// A sound bed with any numbers in it changed, as a damaged or foreign file might hold them: it is refused with a
// sentence, or all that can be done to a bed can be done to it without harm.
//
// Input: a byte that says which kind of bed (bit 0: penalty; bit 1: no frames), then records of 12 bytes: which column,
// three bytes of where in it, and eight bytes to put there.
#include "fuzz/fuzz.h"
#include "scene/bed/bed_change.h"
#include "scene/bed/bed_measure.h"
#include "scene/bed/bed_world.h"

enum { RECORD = 12, GRAINS = 4 };

static void fill(table *t, int64_t count)
{
    promise(table_reserve(t, count, NULL) == SCR_OK);
    t->count = count;
    for (int f = 0; f < t->field_count; ++f)
        if (!t->field[f].scalar) memset(table_data(t, &t->field[f]), 0, field_size(&t->field[f]) * (size_t)count);
}

static void make_grains(bed *b, bool has_frames)
{
    fill(&b->materials, 1);
    strcpy(b->name[0], "sand");
    b->density[0] = 2500.0;
    b->young[0] = 1e7;
    fill(&b->grains, GRAINS);
    fill(&b->shapes, GRAINS);
    if (has_frames) fill(&b->frames, GRAINS);
    for (int i = 0; i < GRAINS; ++i) {
        b->position[i] = vec3(0.2 * i + 0.1, 0.5, 0.5);
        b->rotation[i] = QUAT_IDENTITY;
        b->mass[i] = 10.0;
        b->inertia[i] = vec3(0.04, 0.04, 0.04);
        b->grain[i] = i;
        b->radius[i] = 0.1;
        if (!has_frames) continue;
        b->shape_rotation[i] = QUAT_IDENTITY;
        b->kind[i] = i == 1 ? SCR_BOX : SCR_SPHERE;
        b->half[i] = vec3(0.1, 0.1, 0.1);
    }
}

static void make_contacts(bed *b)
{
    fill(&b->contacts, GRAINS);
    if (b->law == SCR_PENALTY) fill(&b->penalty_history, GRAINS);
    else fill(&b->cone_history, GRAINS), fill(&b->angular_history, GRAINS);
    for (int i = 0; i < GRAINS; ++i) b->a[i] = i, b->b[i] = (i + 1) % GRAINS;
}

static void change(bed *b, const uint8_t *record)
{
    table *tables[BED_TABLE_COUNT];
    bed_tables(b, tables);
    const table *t = tables[record[0] % BED_TABLE_COUNT];
    const field_info *field = &t->field[record[1] % t->field_count];
    size_t bytes = field_size(field) * (field->scalar ? 1 : (size_t)t->count);
    if (bytes == 0) return;
    size_t at = (size_t)(record[2] | record[3] << 8) % bytes, room = bytes - at;
    memcpy((char *)table_data(t, field) + at, record + 4, room < 8 ? room : 8);
}

static void place(const bed *b)
{
    scr_world_def def = scr_default_world_def();
    scr_material_def sand = scr_default_material_def();
    scr_material material[1];
    scr_world *world;
    def.thread_count = 1;
    def.contact.law = (scr_contact_law)b->law;
    sand.young = 1e7;
    promise(scr_world_create(&def, &world, NULL) == SCR_OK);
    promise(scr_world_add_material(world, &sand, material, NULL) == SCR_OK);
    scr_error error = {0};
    promise(bed_place(b, vec3(0.0, 0.0, 0.0), material, world, &error) == SCR_OK || error.message[0] != '\0');
    scr_world_destroy(world);
}

static void use(bed *b)
{
    bed_figures figures;
    const int count[3] = {b->cell_length[0] > 0.0 ? 3 : 1, 1, b->cell_length[2] > 0.0 ? 2 : 1};
    promise(bed_measure(b, &figures, NULL) == SCR_OK);
    place(b);
    promise(bed_mirror(b, 1, NULL) == SCR_OK);
    bed_repeat(b, count, NULL);
    promise(bed_cut(b, vec3(0.0, 0.0, 0.0), vec3(0.5, 2.0, 2.0), NULL) == SCR_OK);
    bed_scale(b, 2.0);
    bed_shift(b, vec3(1.0, 2.0, 3.0));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bed b;
    scr_error error = {0};
    if (size == 0) return 0;
    bed_init(&b);
    b.law = data[0] & 1 ? SCR_PENALTY : SCR_COMPLIANT;
    b.time_step = 1e-3;
    b.cell_length[0] = 0.8;
    make_grains(&b, !(data[0] & 2));
    make_contacts(&b);
    promise(bed_check(&b, "fuzz.h5", NULL) == SCR_OK);
    for (size_t at = 1; at + RECORD <= size; at += RECORD) change(&b, data + at);
    if (bed_check(&b, "fuzz.h5", &error) == SCR_OK) use(&b);
    else promise(strncmp(error.message, "fuzz.h5 is damaged: ", 20) == 0);
    bed_free(&b);
    return 0;
}
