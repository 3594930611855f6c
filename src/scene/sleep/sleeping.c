// SPDX-License-Identifier: BSD-3-Clause
// The life of sleeping: made, run in every step, saved and loaded.
#include "scene/sleep/sleeping.h"

#include <math.h>

#include "core/maths/vec3.h"
#include "scene/sleep/sleeping_pass.h"

enum {
    LOOKS_PER_AFTER = 128,  // at bodies and loads, where steps are so short
    PASSES_PER_AFTER = 4,
};

static const field_info about_fields[] = {
    SCALAR(sleeping, chosen, FIELD_I64, ""),
    SCALAR(sleeping, known_id, FIELD_I64, ""),
    SCALAR(sleeping, listed, FIELD_I64, ""),
    SCALAR(sleeping, fallen, FIELD_I64, ""),
    SCALAR(sleeping, woken_cells, FIELD_I64, ""),
    SCALAR(sleeping, frozen_energy, FIELD_F64, "J"),
    SCALAR_WIDE(sleeping, moment, FIELD_F64, 3, "kg m"),
    SCALAR_WIDE(sleeping, gravity, FIELD_F64, 3, "m/s^2"),
    SCALAR(sleeping, cell_edge, FIELD_F64, "m"),
};

void sleeping_init(sleeping *s, const scene *of)
{
    *s = (sleeping){.scene = of, .def = of->sleeping.present ? &of->sleeping : NULL};
    sleep_cells_init(&s->cells);
    sleepers_init(&s->grains);
    static const still_names names = {{"still_pairs", "still_contacts", "still_contact_twists"}};
    still_contacts_init(&s->contacts, of->world.contact.law, &names);
    s->about = (table){"sleeping", about_fields, sizeof about_fields / sizeof *about_fields, s, 0, 0, false};
    if (s->def == NULL) return;
    s->after = (int64_t)fmax(1.0, ceil(s->def->after / of->world.time_step));
    s->look_interval = s->after > LOOKS_PER_AFTER ? s->after / LOOKS_PER_AFTER : 1;
    int64_t looks = s->after / (PASSES_PER_AFTER * s->look_interval);
    s->pass_interval = s->look_interval * (looks > 1 ? looks : 1);
}

void sleeping_free(sleeping *s)
{
    sleep_cells_free(&s->cells);
    sleepers_free(&s->grains);
    still_contacts_free(&s->contacts);
    void *arrays[] = {s->slot, s->is_quiet, s->loads.item, s->sum, s->stamp};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k) scr_free(arrays[k]);
}

scr_status sleeping_begin_step(sleeping *s, scr_world *world, const scr_body *handle, scr_error *error)
{
    if (s->def == NULL) return SCR_OK;
    scr_status status = sleeping_fix_chosen(s, world, error);
    disturb_by_events(s, world, handle);
    disturb_by_prescribed_motion(s, world, handle);
    if (scr_world_step_count(world) % s->look_interval == 0) disturb_by_fast_bodies(s, world);
    if (status == SCR_OK && s->must_refresh) status = sleeping_refresh(s, world, error);
    if (status == SCR_OK && s->must_wake) status = sleeping_wake_due(s, world, error);
    return status;
}

scr_status sleeping_end_step(sleeping *s, const scr_world *world, scr_error *error)
{
    if (s->def == NULL) return SCR_OK;
    int64_t step = scr_world_step_count(world);
    scr_status status = SCR_OK;
    if (step % s->look_interval == 0) status = disturb_by_loads(s, world, error);
    if (status == SCR_OK && step % s->pass_interval == 0) status = sleeping_choose(s, world, error);
    return status;
}

void sleeping_add_load(const sleeping *s, int body, double load[6])
{
    if (body >= s->grains.listed_count) return;
    for (int c = 0; c < 6; ++c) load[c] += s->grains.on_listed[6 * (int64_t)body + c];
}

double sleeping_potential(const sleeping *s, scr_vec3 gravity)
{
    return -vec3_dot(gravity, vec3(s->moment[0], s->moment[1], s->moment[2]));
}

int64_t sleeping_count(const sleeping *s) { return s->grains.table.count - s->chosen; }

// ---- state --------------------------------------------------------------------------------------------------------

int sleeping_tables(sleeping *s, table *tables[SLEEPING_TABLE_COUNT])
{
    if (s->def == NULL) return 0;
    tables[0] = &s->about;
    tables[1] = &s->cells.table;
    tables[2] = &s->grains.table;
    tables[3] = &s->grains.forces;
    still_contacts_tables(&s->contacts, tables + 2 + SLEEPER_TABLE_COUNT);
    return SLEEPING_TABLE_COUNT;
}

static bool ids_are_valid(const sleeping *s, const scr_world *world)
{
    uint64_t next = world_next_body_id(world);
    for (int64_t e = 0; e < s->grains.table.count; ++e)
        if (s->grains.id[e] >= next) return false;
    for (int64_t k = 0; k < s->grains.forces.count; ++k)
        if (s->grains.other[k] == 0) return false;
    return true;
}

scr_status sleeping_after_load(sleeping *s, const scr_world *world, scr_error *error)
{
    if (s->def == NULL) return SCR_OK;
    bool fits = sleep_cells_are_valid(&s->cells) && sleepers_are_valid(&s->grains) && ids_are_valid(s, world) &&
                still_contacts_are_valid(&s->contacts) && s->chosen >= 0 && s->chosen <= s->grains.table.count &&
                (s->grains.table.count == 0 || s->cells.table.count > 0) && s->cell_edge >= 0.0;
    if (!fits)
        return scr_fail(error, SCR_BAD_INPUT, "the saved state does not fit together: its sleeping grains are damaged");
    s->must_wake = true;
    return sleepers_derive(&s->grains, &s->cells, world, s->scene->body_count, error);
}
