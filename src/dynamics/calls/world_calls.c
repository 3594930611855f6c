// SPDX-License-Identifier: BSD-3-Clause
// The life of a world: made from a definition, given materials and bodies, asked about them.
#include "dynamics/world/world.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/threads.h"
#include "dynamics/calls/shown_contacts.h"
#include "dynamics/cone/solve/solve.h"
#include "dynamics/mechanism/mechanism_stages.h"
#include "dynamics/penalty/stages/penalty_stages.h"
#include "dynamics/world/world_state.h"

static const field_info scalar_fields[] = {
    SCALAR(scr_world, step_count, FIELD_I64, ""),
    SCALAR_WIDE(scr_world, gravity, FIELD_F64, 3, "m/s2"),
};

static const field_info shear_fields[] = {
    SCALAR(scr_world, shear_offset, FIELD_F64, "m"),
    SCALAR(scr_world, shear_velocity, FIELD_F64, "m/s"),
};

static const field_info stretch_fields[] = {
    SCALAR_WIDE(scr_world, cell_length, FIELD_F64, 3, "m"),
    SCALAR_WIDE(scr_world, cell_stretch, FIELD_F64, 3, "m/s"),
    SCALAR(scr_world, cell_energy, FIELD_F64, "J"),
};

// Pa; of a material that gives none, under the complementarity law: concrete, sandstone
static const double DEFAULT_YOUNG = 2e10;

const char *const CONTACT_LAW_NAMES[CONTACT_LAW_COUNT] = {
    [SCR_COMPLIANT] = "compliant", [SCR_RIGID] = "rigid", [SCR_PENALTY] = "penalty"};
const char *scr_contact_law_name(scr_contact_law law) { return CONTACT_LAW_NAMES[law]; }

scr_world_def scr_default_world_def(void)
{
    return (scr_world_def){
        .gravity = {0.0, 0.0, -9.81},
        .time_step = 1e-3,
        .instruction_set = SCR_BEST,
        .solver = {.kind = SCR_SOLVER_AUTO, .max_iterations = 5000, .tolerance = 1e-3, .warm_start = true},
        .contact = {.damping = SCR_DAMPING_OF_RESTITUTION,
                    .envelope = 0.02,
                    .max_per_pair = 8,
                    .reduction = SCR_REDUCE_SPREAD},
        .max_speed = 1000.0,
    };
}

static scr_status check_contact_law(const scr_contact_def *contact, scr_error *error)
{
    if (contact->law > SCR_PENALTY)
        return scr_fail(error, SCR_BAD_INPUT, "there is no contact law %d", (int)contact->law);
    if (contact->normal > SCR_HOOKE)
        return scr_fail(error, SCR_BAD_INPUT, "there is no normal law %d", (int)contact->normal);
    if (contact->rolling > SCR_ROLLING_CONSTANT)
        return scr_fail(error, SCR_BAD_INPUT, "there is no rolling law %d", (int)contact->rolling);
    if (contact->adhesion > SCR_JKR)
        return scr_fail(error, SCR_BAD_INPUT, "there is no adhesion law %d", (int)contact->adhesion);
    if (!(contact->stiffness >= 0.0) || !isfinite(contact->stiffness))
        return scr_fail(error, SCR_BAD_INPUT, "stiffness must not be negative, but is %g", contact->stiffness);
    if (contact->law == SCR_PENALTY && contact->adhesion == SCR_JKR && contact->normal == SCR_HOOKE)
        return scr_fail(error, SCR_BAD_INPUT, "adhesion jkr goes with Hertz' normal law; with Hooke's, set dmt");
    return SCR_OK;
}

static scr_status check_period(const scr_period *period, scr_error *error)
{
    const double low[3] = {period->low.x, period->low.y, period->low.z},
                 high[3] = {period->high.x, period->high.y, period->high.z};
    for (int axis = 0; axis < 3; ++axis)
        if (!isfinite(low[axis]) || !isfinite(high[axis]) || !(high[axis] >= low[axis]))
            return scr_fail(error, SCR_BAD_INPUT,
                            "along %c space must repeat from a lower to a higher place, not from %g to %g m",
                            "xyz"[axis], low[axis], high[axis]);
    const scr_shear *shear = &period->shear;
    if (period->is_stretched && shear->flow != shear->gradient)
        return scr_fail(error, SCR_BAD_INPUT, "space cannot be sheared and stretched at once");
    if (shear->flow == shear->gradient && shear->rate == 0.0) return SCR_OK;
    for (int k = 0; k < 2; ++k) {
        int axis = k == 0 ? shear->flow : shear->gradient;
        if (axis < 0 || axis > 2 || shear->flow == shear->gradient || !(high[axis] > low[axis]))
            return scr_fail(error, SCR_BAD_INPUT, "space is sheared along one axis that repeats, across another one");
    }
    if (!isfinite(shear->rate)) return scr_fail(error, SCR_BAD_INPUT, "the shear rate is not a number");
    return SCR_OK;
}

static scr_status check_world_def(const scr_world_def *def, scr_error *error)
{
    if (!vec3_is_finite(def->gravity)) return scr_fail(error, SCR_BAD_INPUT, "gravity is not a number");
    if (!(def->time_step > 0.0) || !isfinite(def->time_step))
        return scr_fail(error, SCR_BAD_INPUT, "time_step must be positive, not %g", def->time_step);
    if (def->thread_count < 0 || def->thread_count > 1024)
        return scr_fail(error, SCR_BAD_INPUT, "thread_count must lie between 0 and 1024, but is %d", def->thread_count);
    if (def->instruction_set > SCR_PLAIN)
        return scr_fail(error, SCR_BAD_INPUT, "there is no instruction set %d", (int)def->instruction_set);
    if (def->solver.kind > SCR_SOLVER_AUTO)
        return scr_fail(error, SCR_BAD_INPUT, "there is no solver %d", (int)def->solver.kind);
    if (def->solver.max_iterations < 1)
        return scr_fail(error, SCR_BAD_INPUT, "max_iterations must be at least 1, not %d", def->solver.max_iterations);
    if (!(def->solver.tolerance >= 0.0) || !isfinite(def->solver.tolerance))
        return scr_fail(error, SCR_BAD_INPUT, "tolerance must not be negative, but is %g", def->solver.tolerance);
    if (def->solver.precision > SCR_PRECISION_MIXED)
        return scr_fail(error, SCR_BAD_INPUT, "there is no precision %d", (int)def->solver.precision);
    if (!(def->solver.omega >= 0.0 && def->solver.omega < 2.0))
        return scr_fail(error, SCR_BAD_INPUT, "omega must lie between 0 and 2, but is %g", def->solver.omega);
    if (!(def->solver.lambda >= 0.0 && def->solver.lambda <= 1.0))
        return scr_fail(error, SCR_BAD_INPUT, "lambda must lie between 0 and 1, but is %g", def->solver.lambda);
    if (def->contact.friction > SCR_FRICTION_COULOMB)
        return scr_fail(error, SCR_BAD_INPUT, "there is no friction law %d", (int)def->contact.friction);
    if (!solver_knows(def->solver.kind, def->contact.friction))
        return scr_fail(error, SCR_BAD_INPUT,
                        "Coulomb friction is solved by ags and gs only: choose one of them, or convex friction");
    scr_status status = check_contact_law(&def->contact, error);
    if (status != SCR_OK) return status;
    if (!(def->contact.compliance >= 0.0 && def->contact.compliance <= 1.0))
        return scr_fail(error, SCR_BAD_INPUT, "compliance must lie between 0 and 1, but is %g; for none set rigid",
                        def->contact.compliance);
    if (def->contact.damping != SCR_DAMPING_OF_RESTITUTION &&
        (!(def->contact.damping >= 0.0) || !isfinite(def->contact.damping)))
        return scr_fail(error, SCR_BAD_INPUT, "damping must not be negative, but is %g", def->contact.damping);
    if (!(def->contact.envelope >= 0.0 && def->contact.envelope <= 1.0))
        return scr_fail(error, SCR_BAD_INPUT, "envelope must lie between 0 and 1, but is %g", def->contact.envelope);
    if (!(def->contact.recovery_speed >= 0.0))
        return scr_fail(error, SCR_BAD_INPUT, "recovery_speed must not be negative, but is %g",
                        def->contact.recovery_speed);
    if (def->contact.max_per_pair < 0)
        return scr_fail(error, SCR_BAD_INPUT, "max_per_pair must not be negative, but is %d",
                        def->contact.max_per_pair);
    if (def->contact.reduction > SCR_REDUCE_RANDOM)
        return scr_fail(error, SCR_BAD_INPUT, "there is no reduction %d", (int)def->contact.reduction);
    if (!(def->max_speed > 0.0))
        return scr_fail(error, SCR_BAD_INPUT, "max_speed must be positive, not %g", def->max_speed);
    return check_period(&def->period, error);
}

static periodic_cell period_of(const scr_period *def)
{
    const double low[3] = {def->low.x, def->low.y, def->low.z}, high[3] = {def->high.x, def->high.y, def->high.z};
    periodic_cell p = {0};
    for (int axis = 0; axis < 3; ++axis) {
        if (low[axis] == high[axis]) continue;
        p.any = true;
        p.low[axis] = low[axis];
        p.length[axis] = high[axis] - low[axis];
        p.inverse[axis] = 1.0 / p.length[axis];
    }
    p.is_sheared = def->shear.flow != def->shear.gradient;
    p.flow = def->shear.flow;
    p.gradient = def->shear.gradient;
    p.is_stretched = p.any && def->is_stretched;
    return p;
}

scr_status scr_world_create(const scr_world_def *def, scr_world **world, scr_error *error)
{
    *world = NULL;
    scr_status status = check_world_def(def, error);
    if (status != SCR_OK) return status;
    scr_world *w = scr_alloc(sizeof *w);
    if (w == NULL) return scr_fail_memory(error, sizeof *w, "the world");
    *w = (scr_world){.def = *def, .self = w, .shape_tree_is_behind = true};
    pthread_mutex_init(&w->lock, NULL);
    w->scalars = (table){"world", scalar_fields, sizeof scalar_fields / sizeof *scalar_fields, w, 0, 0, false};
    w->threads = w->max_threads = def->thread_count > 0 ? def->thread_count : scr_core_count();
    w->kernels = sweep_kernels_for(def->instruction_set);
    scr_world_set_gravity(w, def->gravity, NULL);  // it was checked
    materials_init(&w->materials, def->contact.law == SCR_PENALTY ? 0.0 : DEFAULT_YOUNG);
    surfaces_init(&w->surfaces);
    bodies_init(&w->bodies);
    colliders_init(&w->colliders);
    w->colliders.surfaces = &w->surfaces;
    w->colliders.period = period_of(&def->period);
    w->shear = (table){"shear", shear_fields, sizeof shear_fields / sizeof *shear_fields, w, 0, 0, false};
    if (w->colliders.period.is_sheared) scr_world_set_shear_rate(w, def->period.shear.rate, NULL);  // it was checked
    w->stretch = (table){"stretch", stretch_fields, sizeof stretch_fields / sizeof *stretch_fields, w, 0, 0, false};
    memcpy(w->cell_length, w->colliders.period.length, sizeof w->cell_length);
    mechanisms_init(&w->mechanisms);
    penalty_init(&w->penalty, def->instruction_set);
    // Lists are made before the contact problem, and lie where that will be.
    w->neighbours.grid.memory = &w->problem.bundle_memory;
    w->neighbours.pairs.memory = &w->problem.record_memory;
    w->contacts.staging.memory = &w->problem.bundle_memory;
    w->neighbours.plain = w->grains.bed.rows.plain = def->instruction_set == SCR_PLAIN;
    w->grains.least_grains = BED_GRAINS;
    if (def->contact.law == SCR_PENALTY) contact_cache_init_with_history(&w->cache);
    else contact_cache_init(&w->cache);
    *world = w;
    return SCR_OK;
}

void scr_world_destroy(scr_world *world)
{
    if (world == NULL) return;
    materials_free(&world->materials);
    surfaces_free(&world->surfaces);
    bodies_free(&world->bodies);
    colliders_free(&world->colliders);
    contact_cache_free(&world->cache);
    mechanisms_free(&world->mechanisms);
    neighbours_free(&world->neighbours);
    contacts_free(&world->contacts);
    problem_free(&world->problem);
    solver_memory_free(&world->solver_memory);
    penalty_free(&world->penalty);
    grain_world_free(&world->grains);
    scr_arena_free(&world->scratch);
    scr_arena_free(&world->sort_scratch);
    const collider_motion *c = &world->collider_motion;
    void *arrays[] = {
        c->closing,
        c->reach,
        c->travel,
        c->deflection,
        c->is_squeezed,
        c->is_moved,
        c->is_dynamic,
        world->motion.body,
        world->motion.block,
        world->contact_is_new,
        world->applied,
        world->own_force,
        world->hover,
        world->plain.inertia,
        world->plain.is_plain,
        world->plain.curve,
        world->kept_rows.row,
    };
    shown_contacts_free(&world->shown_contacts);
    shape_tree_free(&world->shape_tree);
    pthread_mutex_destroy(&world->lock);
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i) scr_free(arrays[i]);
    scr_free(world);
}

int world_tables(scr_world *world, table *tables[WORLD_TABLE_MAX])
{
    world_show_state(world);
    mechanisms *m = &world->mechanisms;
    table *all[] = {&world->scalars,
                    &world->materials.table,
                    &world->materials.pair_table,
                    &world->surfaces.table,
                    &world->surfaces.vertices.table,
                    &world->surfaces.triangles.table,
                    &world->bodies.table,
                    &world->bodies.record_table,
                    &world->colliders.table,
                    &world->colliders.places.table,
                    &world->cache.table,
                    &world->cache.angular_impulses,
                    &m->joints.table,
                    &m->springs.table,
                    &m->springs.pair_table,
                    &m->couplings.table,
                    &world->bodies.surface_velocity.table,
                    &world->surfaces.spheres.table};
    int count = sizeof all / sizeof *all;
    memcpy(tables, all, sizeof all);
    if (world->colliders.period.is_sheared) tables[count++] = &world->shear;
    if (world->colliders.period.is_stretched) tables[count++] = &world->stretch;  // never both
    return count;
}

// Which part of a loaded state cannot be, or NULL.
static const char *misfit(const scr_world *world)
{
    const colliders *c = &world->colliders;
    if (world->step_count < 0 || world->step_count == INT64_MAX || !vec3_is_finite(scr_world_gravity(world)))
        return "step count or gravity";
    if (!isfinite(world->shear_offset) || !isfinite(world->shear_velocity)) return "sheared cells";
    if (!(world->cell_energy >= 0.0)) return "stretched cells";
    for (int axis = 0; axis < 3; ++axis)
        if (!isfinite(world->cell_stretch[axis]) || !isfinite(world->cell_length[axis]) ||
            (world->cell_length[axis] > 0.0) != (world->colliders.period.length[axis] > 0.0))
            return "stretched cells";
    if (!materials_are_valid(&world->materials)) return "materials";
    for (int64_t k = 0; k < c->table.count; ++k)
        if (c->material[k] >= world->materials.table.count) return "materials";
    if (!surfaces_are_valid(&world->surfaces)) return "surfaces";
    if (!bodies_are_valid(&world->bodies, c)) return "bodies and shapes";
    const mechanisms *m = &world->mechanisms;
    if (!joints_are_valid(&m->joints, &m->springs, &m->couplings, &world->bodies))
        return "joints, springs and couplings";
    return contact_cache_is_valid(&world->cache, c->table.count) ? NULL : "contacts";
}

// A state saved under another law may hold bodies that this one would not have taken.
static scr_status check_stiffnesses(const scr_world *world, scr_error *error)
{
    const colliders *c = &world->colliders;
    scr_status status = SCR_OK;
    for (int64_t k = 0; k < c->table.count && status == SCR_OK; ++k)
        if (world->bodies.inv_mass[c->body[k]] > 0.0) status = check_stiffness(world, c->material[k], error);
    return status;
}

scr_status world_after_load(scr_world *world, scr_error *error)
{
    const char *damaged = misfit(world);
    if (damaged != NULL)
        return scr_fail(error, SCR_BAD_INPUT, "the saved state does not fit together: its %s are damaged", damaged);
    forget_bed(world);
    world_place_cells(world, 0.0);
    world->shape_tree_is_behind = true;
    neighbours_invalidate(&world->neighbours);
    world->has_contacts = false;
    world->applied_count = 0;
    bodies_forget_user_data(&world->bodies);
    mechanisms *m = &world->mechanisms;
    scr_status status = joints_after_load(&m->joints, &m->springs, &m->couplings, error);
    if (status != SCR_OK) return status;
    find_joined_bodies(world);
    joints_changed(world);
    status = check_stiffnesses(world, error);
    if (status == SCR_OK) status = materials_derive(&world->materials, error);
    if (status == SCR_OK) status = surfaces_index(&world->surfaces, error);
    return status == SCR_OK ? contact_cache_index(&world->cache, world->colliders.table.count, error) : status;
}

uint64_t scr_world_hash(const scr_world *world)
{
    table *tables[WORLD_TABLE_MAX];
    int count = world_tables(world->self, tables);  // listing them changes nothing
    return tables_hash((const table *const *)tables, count, world->threads);
}

scr_status scr_world_add_material(scr_world *world, const scr_material_def *def, scr_material *material,
                                  scr_error *error)
{
    give_grains_back(world);  // the new one may ask for more than a bed does
    scr_status status = materials_add(&world->materials, def, error);
    *material = (scr_material){status == SCR_OK ? (uint32_t)world->materials.table.count : 0u};
    return status;
}

scr_status scr_world_set_material(scr_world *world, scr_material material, const scr_material_def *def,
                                  scr_error *error)
{
    int64_t index = (int64_t)material.index1 - 1;
    if (index < 0 || index >= world->materials.table.count)
        return scr_fail(error, SCR_BAD_INPUT, "there is no such material");
    give_grains_back(world);
    scr_material_def before = materials_def(&world->materials, index);
    scr_status status = materials_set(&world->materials, index, def, error);
    if (status != SCR_OK) return status;
    status = check_stiffnesses(world, error);
    if (status != SCR_OK) materials_set(&world->materials, index, &before, NULL);  // it was good before
    return status;
}

scr_material_def scr_world_material(const scr_world *world, scr_material material)
{
    int64_t index = (int64_t)material.index1 - 1;
    bool is_there = index >= 0 && index < world->materials.table.count;
    return is_there ? materials_def(&world->materials, index) : (scr_material_def){0};
}

scr_status scr_world_pair_materials(scr_world *world, scr_material a, scr_material b, const scr_material_pair_def *def,
                                    scr_error *error)
{
    give_grains_back(world);
    return materials_set_pair(&world->materials, (int64_t)a.index1 - 1, (int64_t)b.index1 - 1, def, error);
}

scr_status scr_world_set_gravity(scr_world *world, scr_vec3 g, scr_error *error)
{
    if (!vec3_is_finite(g)) return scr_fail(error, SCR_BAD_INPUT, "gravity is not a number");
    world->gravity[0] = g.x, world->gravity[1] = g.y, world->gravity[2] = g.z;
    return SCR_OK;
}

scr_status scr_world_set_shear_rate(scr_world *world, double rate, scr_error *error)
{
    const periodic_cell *p = &world->colliders.period;
    if (!p->is_sheared) return scr_fail(error, SCR_BAD_INPUT, "space is not sheared: its definition says no axes");
    if (!isfinite(rate)) return scr_fail(error, SCR_BAD_INPUT, "the shear rate is not a number");
    double before = world->shear_velocity;
    world->shear_velocity = rate * p->length[p->gradient];
    world_place_cells(world, 0.0);
    if (world->shear_velocity != before) show_bed_the_cells(world);
    return SCR_OK;
}

double scr_world_shear_rate(const scr_world *world)
{
    const periodic_cell *p = &world->colliders.period;
    return p->is_sheared ? p->inverse[p->gradient] * world->shear_velocity : 0.0;
}

double scr_world_shear_offset(const scr_world *world) { return world->shear_offset; }

void scr_world_set_force_function(scr_world *world, scr_force_function *function, void *context)
{
    world->force_function = function;
    world->force_context = context;
}

scr_stage_seconds scr_world_stage_seconds(const scr_world *world) { return world->seconds; }

scr_step_report scr_world_report(const scr_world *world)
{
    scr_step_report report = world->report;
    report.step = world->step_count;
    report.time = scr_world_time(world);
    report.body_count = world->bodies.table.count;
    return report;
}
