// SPDX-License-Identifier: BSD-3-Clause
// A simulation: the world and what a scene puts around it, step by step.
#include "scene/run/simulation.h"

#include "core/base/threads.h"
#include "dynamics/world/world_state.h"
#include "scene/active/active_box.h"
#include "scene/model/messages.h"
#include "scene/parts/chain_drives.h"
#include "scene/parts/drivers.h"
#include "scene/parts/linkage.h"
#include "scene/parts/list_table.h"
#include "scene/parts/loads.h"
#include "scene/parts/phases.h"
#include "scene/populate/emission_estimate.h"
#include "scene/populate/populate.h"
#include "scene/populate/populate_grounds.h"
#include "scene/populate/populate_surfaces.h"
#include "scene/populate/shear_start.h"
#include "scene/probe/probes.h"
#include "scene/run/cell_servo.h"
#include "scene/run/rest_watch.h"
#include "scene/sleep/sleeping.h"

struct simulation {
    const scene *scene;
    scr_world *world;
    int threads;
    scripted_bodies bodies;
    linkage linkage;
    chain_drives chain_drives;
    drivers drivers;
    cell_servo servo;
    phases phases;
    emitters emitters;
    exits exits;
    sleeping asleep;
    active_box box;
    probes probes;
    rest_watch rest;
    selection chosen;  // scratch with room for all bodies
};

// Joints close with the velocities that moving bodies will have in the first step.
static scr_status populate_joints(simulation *sim, scr_error *error)
{
    const scene *s = sim->scene;
    scr_status status = SCR_OK;
    step_span first = {0.0, scr_world_time_step(sim->world), phases_now(&sim->phases)};
    if (s->joint_count > 0) status = scripted_begin_step(&sim->bodies, s, sim->world, &first, error);
    if (status == SCR_OK) status = linkage_populate(&sim->linkage, s, &sim->bodies, sim->world, error);
    if (status == SCR_OK) status = chain_drives_look(&sim->chain_drives, s, &sim->linkage, sim->world, error);
    if (status == SCR_OK) status = scripted_put_at_start(&sim->bodies, s, sim->world, error);
    if (status == SCR_OK) status = linkage_assemble(&sim->linkage, s, sim->world, error);
    if (status == SCR_OK)
        status = chain_drives_populate(&sim->chain_drives, s, &sim->bodies, &sim->linkage, sim->world, error);
    return status;
}

// The bodies of the scene at t = 0, and a look at whether they can be so.
static scr_status populate(simulation *sim, scr_error *error)
{
    const scene *s = sim->scene;
    grain_origin *origins = NULL;
    height_grid *grounds = NULL;
    int64_t capacity = 0;
    scr_status status = scr_grow(&origins, &capacity, (int64_t)grain_origin_count(s), sizeof *origins, "fills", error);
    if (status == SCR_OK) status = populate_grounds(s, &grounds, error);
    if (status == SCR_OK) status = populate_surfaces(s, grounds, sim->world, error);
    if (status == SCR_OK) status = scripted_populate(&sim->bodies, s, sim->world, error);
    if (status == SCR_OK) status = populate_joints(sim, error);
    if (status == SCR_OK) status = populate_grains(s, grounds, sim->world, origins, error);
    if (status == SCR_OK) status = start_in_flow(s, sim->world, error);
    if (status == SCR_OK) status = check_overlaps(sim->world, s, origins, grain_origin_count(s), sim->threads, error);
    if (status == SCR_OK)
        status = active_box_begin(&sim->box, sim->world, sim->bodies.handle, origins, grain_origin_count(s), error);
    scr_free(origins);
    grounds_free(s, grounds);
    return status;
}

static scr_status reserve_scratch(simulation *sim, scr_error *error)
{
    // Not by asking for the bodies: a bed of grains would have to bring all of them up to date in every step.
    return selection_reserve(&sim->chosen, scr_world_report(sim->world).body_count, error);
}

static scr_status build(simulation *sim, bool with_bodies, int world_threads, scr_error *error)
{
    const scene *s = sim->scene;
    scr_world_def def = s->world;
    def.thread_count = world_threads;
    exits_init(&sim->exits);
    rest_watch_init(&sim->rest);
    sleeping_init(&sim->asleep, s);
    cell_servo_init(&sim->servo);
    scr_status status = check_emitters_limit(s, error);
    if (status == SCR_OK) status = check_shear(s, error);
    if (status == SCR_OK) status = check_servo(s, error);
    if (status == SCR_OK) status = scr_world_create(&def, &sim->world, error);
    if (status == SCR_OK) status = populate_materials(s, sim->world, error);
    if (status == SCR_OK) status = scripted_init(&sim->bodies, s, error);
    if (status == SCR_OK) status = linkage_init(&sim->linkage, s, error);
    if (status == SCR_OK) status = chain_drives_init(&sim->chain_drives, s, error);
    if (status == SCR_OK) status = drivers_init(&sim->drivers, s, error);
    if (status == SCR_OK) status = phases_init(&sim->phases, s, error);
    if (status == SCR_OK) status = emitters_init(&sim->emitters, s, error);
    if (status == SCR_OK) status = active_box_init(&sim->box, s, &sim->asleep, error);
    if (status == SCR_OK) status = probes_init(&sim->probes, s, error);
    if (status == SCR_OK && with_bodies) status = populate(sim, error);
    if (status == SCR_OK) status = reserve_scratch(sim, error);
    return status;
}

scr_status simulation_create(const scene *s, bool with_bodies, int threads, simulation **sim, scr_error *error)
{
    simulation *fresh = scr_alloc(sizeof *fresh);
    if (fresh == NULL) return scr_fail_memory(error, sizeof *fresh, "a simulation");
    *fresh = (simulation){.scene = s, .threads = threads > 0 ? threads : scr_core_count()};
    scr_status status = build(fresh, with_bodies, threads, error);
    if (status != SCR_OK) {
        simulation_destroy(fresh);
        return status;
    }
    *sim = fresh;
    return SCR_OK;
}

void simulation_destroy(simulation *sim)
{
    if (sim == NULL) return;
    scr_world_destroy(sim->world);
    scripted_free(&sim->bodies);
    linkage_free(&sim->linkage);
    chain_drives_free(&sim->chain_drives);
    drivers_free(&sim->drivers);
    phases_free(&sim->phases);
    emitters_free(&sim->emitters);
    exits_free(&sim->exits);
    sleeping_free(&sim->asleep);
    active_box_free(&sim->box);
    probes_free(&sim->probes);
    selection_free(&sim->chosen);
    scr_free(sim);
}

// Bodies in the world and parked, by the books of all who add and remove any.
static int64_t expected_bodies(const simulation *sim)
{
    int64_t count = sim->box.begun_with - sim->exits.sunk - sim->exits.left - sim->bodies.removed;
    for (int k = 0; k < sim->scene->emitter_count; ++k) count += sim->emitters.emitted[k];
    return count;
}

// Under the penalty law grains come and go in rounds, so far apart as the steps of the other law are: its own are
// short, and a bed of grains is made anew whenever one is added or removed.
enum { ROUND_STEPS_MAX = 128 };
static const double ROUND_TIME = 1e-3;  // s

static bool is_round(const simulation *sim)
{
    if (sim->scene->world.contact.law != SCR_PENALTY) return true;
    double steps = rint(ROUND_TIME / scr_world_time_step(sim->world));
    return scr_world_step_count(sim->world) % (int64_t)fmin(fmax(steps, 1.0), ROUND_STEPS_MAX) == 0;
}

static scr_status exchange_grains(simulation *sim, scr_error *error)
{
    const scene *s = sim->scene;
    if (!is_round(sim)) return SCR_OK;
    scr_status status = exits_run(&sim->exits, s, sim->world, &sim->chosen, sim->threads, error);
    return status == SCR_OK ? emitters_run(&sim->emitters, s, sim->world, sim->threads, error) : status;
}

// What comes and goes at the world's present time. Doing it again at the same time changes nothing more.
static scr_status arrange(simulation *sim, scr_error *error)
{
    const scene *s = sim->scene;
    scr_status status = scripted_remove_due(&sim->bodies, s, sim->world, scr_world_time(sim->world), error);
    if (status == SCR_OK)
        status = chain_drives_run(&sim->chain_drives, s, &sim->bodies, &sim->linkage, sim->world, error);
    if (status == SCR_OK) status = reserve_scratch(sim, error);
    if (status == SCR_OK) status = exchange_grains(sim, error);
    if (status == SCR_OK) status = active_box_run(&sim->box, sim->world, sim->bodies.handle, error);
    if (status == SCR_OK) status = active_box_check(&sim->box, sim->world, expected_bodies(sim), error);
    if (status == SCR_OK) status = reserve_scratch(sim, error);
    return status;
}

static probed what_probes_see(simulation *sim, phase_now phase)
{
    return (probed){sim->scene, sim->world,   &sim->bodies, &sim->linkage, &sim->emitters, &sim->exits,
                    &sim->box,  &sim->asleep, &sim->chosen, sim->threads,  phase};
}

// The world's step, with gravity and shear rate as they are at its end, moving bodies on their way and loads as they
// are at its midpoint.
static scr_status advance(simulation *sim, const step_span *step, scr_error *error)
{
    double t1 = step->t1;
    scr_vec3 before = scr_world_gravity(sim->world), gravity = time_vector_in(&sim->scene->gravity, t1, step->phase);
    double sheared_before = scr_world_shear_rate(sim->world), rate = shear_rate_at(sim->scene, t1, step->phase);
    if (!vec3_is_finite(gravity)) return scr_fail(error, SCR_DIVERGED, "gravity gives no number at t = %g s", t1);
    if (!isfinite(rate)) return scr_fail(error, SCR_DIVERGED, "the shear rate gives no number at t = %g s", t1);
    scr_status status = linkage_check_drives(&sim->linkage, sim->scene, sim->world, step, error);
    if (status == SCR_OK) status = linkage_set_drives(&sim->linkage, sim->scene, sim->world, step, error);
    if (status == SCR_OK) status = loads_apply(sim->scene, &sim->bodies, sim->world, step, error);
    if (status != SCR_OK) return status;
    status = drivers_begin_step(&sim->drivers, sim->scene, &sim->bodies, &sim->linkage, sim->world, step, error);
    if (status == SCR_OK) status = scripted_begin_step(&sim->bodies, sim->scene, sim->world, step, error);
    if (status != SCR_OK) {
        drivers_undo_step(&sim->drivers, sim->scene, &sim->linkage, sim->world);
        world_forget_forces(sim->world);
        return status;
    }
    scr_world_set_gravity(sim->world, gravity, NULL);
    scr_world_set_shear_rate(sim->world, rate, NULL);  // nothing where space is not sheared
    scr_error reason;
    status = sleeping_begin_step(&sim->asleep, sim->world, sim->bodies.handle, &reason);
    if (status == SCR_OK) status = scr_world_step(sim->world, &reason);
    if (status == SCR_OK) {
        scripted_end_step(&sim->bodies, sim->scene, sim->world, step);
        drivers_end_step(&sim->drivers);
    } else {
        scr_world_set_gravity(sim->world, before, NULL);
        scr_world_set_shear_rate(sim->world, sheared_before, NULL);
        scripted_undo_step(&sim->bodies, sim->scene, sim->world);
        drivers_undo_step(&sim->drivers, sim->scene, &sim->linkage, sim->world);
        world_forget_forces(sim->world);
        status = linkage_fail(&sim->linkage, sim->scene, status, &reason, error);
    }
    return status;
}

scr_status simulation_step(simulation *sim, scr_error *error)
{
    double h = scr_world_time_step(sim->world);
    int64_t steps = scr_world_step_count(sim->world);
    scr_status status = arrange(sim, error);
    step_span step = {(double)steps * h, (double)(steps + 1) * h, phases_now(&sim->phases)};
    if (status == SCR_OK) status = advance(sim, &step, error);
    if (status != SCR_OK) return status;
    active_box_end_step(&sim->box, sim->world);
    linkage_note_broken(&sim->linkage, sim->scene, sim->world);
    probed from = what_probes_see(sim, step.phase);
    probes_record(&sim->probes, &from);
    phases_look(&sim->phases, sim->scene, &sim->bodies, &sim->asleep, sim->world);
    rest_watch_look(&sim->rest, sim->scene, sim->world);
    status = cell_servo_run(&sim->servo, sim->scene, sim->world, phases_now(&sim->phases), error);
    if (status != SCR_OK) return status;
    return sleeping_end_step(&sim->asleep, sim->world, error);
}

scr_world *simulation_world(simulation *sim) { return sim->world; }
const scene *simulation_scene(const simulation *sim) { return sim->scene; }
int simulation_threads(const simulation *sim) { return sim->threads; }

bool simulation_is_done(const simulation *sim)
{
    return scr_world_time(sim->world) > simulation_end_time(sim) - 0.5 * scr_world_time_step(sim->world);
}

double simulation_end_time(const simulation *sim)
{
    return fmin(fmin(sim->scene->end_time, rest_watch_end(&sim->rest)), sim->phases.ended_at);
}

const struct phases *simulation_phases(const simulation *sim) { return &sim->phases; }
void simulation_forget_rest(simulation *sim) { rest_watch_forget(&sim->rest); }
const rest_watch *simulation_rest(const simulation *sim) { return &sim->rest; }

// Grains that the active box has fixed are neither awake nor asleep.
static scr_sleep_counts count_sleeping(const simulation *sim)
{
    const sleeping *s = &sim->asleep;
    if (s->def == NULL) return (scr_sleep_counts){0};
    int64_t asleep = sleeping_count(s), others = sim->box.fixed;
    for (int k = 0; k < sim->scene->body_count; ++k) others += scr_body_is_alive(sim->world, sim->bodies.handle[k]);
    return (scr_sleep_counts){.is_present = true,
                              .awake = scr_world_report(sim->world).body_count - others - asleep,
                              .asleep = asleep,
                              .fallen = s->fallen,
                              .woken_cells = s->woken_cells,
                              .frozen_energy = s->frozen_energy,
                              .potential = sleeping_potential(s, scr_world_gravity(sim->world))};
}

const struct sleeping *simulation_sleeping(const simulation *sim)
{
    return sim->asleep.def != NULL ? &sim->asleep : NULL;
}

scr_scene_counts simulation_count(const simulation *sim)
{
    scr_scene_counts counts = {.sunk = sim->exits.sunk,
                               .sunk_mass = sim->exits.sunk_mass,
                               .left = sim->exits.left,
                               .left_mass = sim->exits.left_mass,
                               .broken = sim->linkage.broken,
                               .active = simulation_active(sim),
                               .sleep = count_sleeping(sim)};
    for (int k = 0; k < sim->scene->emitter_count; ++k) {
        counts.emitted += sim->emitters.emitted[k];
        counts.emitted_mass += sim->emitters.mass[k];
    }
    return counts;
}

scr_active_counts simulation_active(const simulation *sim)
{
    return active_box_count(&sim->box, sim->world, sim->bodies.handle);
}

const active_box *simulation_box(const simulation *sim) { return sim->box.def != NULL ? &sim->box : NULL; }

scr_status simulation_use_directory(simulation *sim, const char *directory, scr_error *error)
{
    return sim->box.def != NULL ? grain_store_use_directory(&sim->box.store, directory, error) : SCR_OK;
}

scr_status simulation_release_grains(simulation *sim, scr_error *error)
{
    scr_status status = sleeping_wake_all(&sim->asleep, sim->world, error);
    return status == SCR_OK ? active_box_release(&sim->box, sim->world, error) : status;
}

linkage_state simulation_joints(const simulation *sim) { return linkage_look(&sim->linkage, sim->scene, sim->world); }
scr_assembly simulation_assembly(const simulation *sim) { return sim->linkage.assembly; }

scr_joint_state simulation_joint(const simulation *sim, int joint)
{
    scr_joint_state state = {0};
    scr_joint_get_state(sim->world, sim->linkage.joint[joint], &state, NULL);
    return state;
}

double simulation_broken_at(const simulation *sim, int joint) { return sim->linkage.broken_at[joint]; }

scr_body simulation_body_handle(const simulation *sim, int body) { return sim->bodies.handle[body]; }
scr_frame simulation_body_frame(const simulation *sim, int body)
{
    return scripted_frame(&sim->bodies, sim->world, body);
}
scr_joint simulation_joint_handle(const simulation *sim, int joint) { return sim->linkage.joint[joint]; }
scr_spring simulation_spring_handle(const simulation *sim, int spring) { return sim->linkage.spring[spring]; }

int simulation_probe_column_count(const simulation *sim) { return (int)sim->probes.column_count; }
const char *simulation_probe_column(const simulation *sim, int column) { return sim->probes.column[column].name; }
const char *simulation_probe_unit(const simulation *sim, int column) { return sim->probes.column[column].unit; }

void simulation_probe_row(simulation *sim, double *values)
{
    probed from = what_probes_see(sim, phases_now(&sim->phases));
    probes_row(&sim->probes, &from, values);
}

void simulation_read_probes(simulation *sim, double *values)
{
    probed from = what_probes_see(sim, phases_now(&sim->phases));
    probes_read(&sim->probes, &from, values);
}

int simulation_vehicle_count(const simulation *sim) { return (int)sim->probes.vehicles.table.count; }
scr_mobility simulation_mobility(const simulation *sim, int vehicle)
{
    return vehicle_mobility(&sim->probes.vehicles, sim->scene, vehicle, scr_world_time_step(sim->world));
}

const scene_probe *simulation_vehicle(const simulation *sim, int vehicle)
{
    return probe_of_vehicle(sim->scene, vehicle);
}
track_faults simulation_track_faults(const simulation *sim, int vehicle, int track)
{
    return vehicle_track_faults(&sim->probes.vehicles.faults, vehicle, track);
}

const rig_probe *simulation_rig(const simulation *sim) { return sim->scene->rig.present ? &sim->probes.rig : NULL; }

int simulation_tables(simulation *sim, table *tables[SIMULATION_TABLE_MAX])
{
    int count = world_tables(sim->world, tables);
    tables[count++] = &sim->bodies.table;
    tables[count++] = &sim->linkage.joint_table;
    tables[count++] = &sim->linkage.spring_table;
    tables[count++] = &sim->linkage.coupling_table;
    tables[count++] = &sim->emitters.table;
    tables[count++] = &sim->exits.table;
    tables[count++] = &sim->probes.table;
    if (sim->scene->rest.energy > 0.0) tables[count++] = &sim->rest.table;
    if (sim->scene->packing.fraction > 0.0) tables[count++] = &sim->rest.packing_table;
    if (sim->phases.table.count > 0) tables[count++] = &sim->phases.table;
    if (sim->scene->servo.present) tables[count++] = &sim->servo.table;
    if (sim->chain_drives.table.count > 0) tables[count++] = &sim->chain_drives.table;
    if (sim->drivers.table.count > 0) tables[count++] = &sim->drivers.table;
    if (sim->probes.rig.table.count > 0) tables[count++] = &sim->probes.rig.table;
    if (sim->probes.vehicles.table.count > 0) {
        tables[count++] = &sim->probes.vehicles.table;
        tables[count++] = &sim->probes.vehicles.faults.table;
    }
    if (sim->probes.anchors.table.count > 0) tables[count++] = &sim->probes.anchors.table;
    count += active_box_tables(&sim->box, tables + count);
    return count + sleeping_tables(&sim->asleep, tables + count);
}

uint64_t simulation_hash(simulation *sim)
{
    table *tables[SIMULATION_TABLE_MAX];
    int count = simulation_tables(sim, tables);
    return tables_hash((const table *const *)tables, count, sim->threads);
}

scr_status simulation_after_load(simulation *sim, scr_error *error)
{
    const scene *s = sim->scene;
    scr_status status = list_table_check(&sim->bodies.table, s->body_count, error);
    if (status == SCR_OK) status = list_table_check(&sim->phases.table, s->phase_count, error);
    if (status == SCR_OK) status = list_table_check(&sim->emitters.table, s->emitter_count, error);
    if (status == SCR_OK) status = list_table_check(&sim->probes.table, s->probe_count, error);
    if (status == SCR_OK) status = vehicle_probes_after_load(&sim->probes.vehicles, s, error);
    if (status == SCR_OK) status = world_after_load(sim->world, error);
    if (status == SCR_OK) status = active_box_after_load(&sim->box, error);
    if (status == SCR_OK) status = sleeping_after_load(&sim->asleep, sim->world, error);
    if (status == SCR_OK) status = linkage_after_load(&sim->linkage, s, sim->world, error);
    if (status == SCR_OK) status = chain_drives_after_load(&sim->chain_drives, s, error);
    if (status == SCR_OK) status = drivers_after_load(&sim->drivers, s, &sim->linkage, sim->world, error);
    if (status == SCR_OK) status = reserve_scratch(sim, error);
    return status;
}
