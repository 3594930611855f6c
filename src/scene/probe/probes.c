// SPDX-License-Identifier: BSD-3-Clause
// Probes.
#include "scene/probe/probes.h"

#include <stdio.h>
#include <string.h>

#include "core/maths/vec3.h"
#include "dynamics/world/world_state.h"
#include "scene/bed/packing_box.h"
#include "scene/parts/contact_load.h"
#include "scene/parts/list_table.h"
#include "scene/probe/body_mass.h"
#include "scene/probe/joint_probes.h"
#include "scene/probe/vehicle_probes.h"
#include "scene/sleep/sleeping.h"

static const field_info probe_fields[] = {
    FIELD(probes, mass, FIELD_F64, "kg"),
    FIELD(probes, row_mass, FIELD_F64, "kg"),
    FIELD_WIDE(probes, load, FIELD_F64, LOAD_SIZE, "N, N m"),
    SCALAR(probes, row_step, FIELD_I64, ""),
};

// The columns of each kind, in the order in which its value function writes them.
enum { COLUMNS_MAX = VEHICLE_PROBE_WIDTH };
_Static_assert((int)COLUMNS_MAX > RIG_COLUMNS_MAX, "and the phase");
_Static_assert((int)LOAD_SIZE >= JOINT_PROBE_WIDTH && (int)COLUMNS_MAX >= JOINT_PROBE_WIDTH, "joint probes have room");
static const column_kind columns_of[][COLUMNS_MAX] = {
    [PROBE_ENERGY] = {{"kinetic", "J"}, {"potential", "J"}, {"elastic", "J"}},
    [PROBE_REGION_MASS] = {{"mass", "kg"}},
    [PROBE_MASS_FLOW] = {{"mass", "kg"}, {"rate", "kg/s"}},
    [PROBE_CONTACT_COUNT] = {{"contacts", ""}},
    [PROBE_BODY_FORCE] = {{"fx", "N"}, {"fy", "N"}, {"fz", "N"}, {"tx", "N m"}, {"ty", "N m"}, {"tz", "N m"}},
    [PROBE_BODY_STATE] = {{"x", "m"},
                          {"y", "m"},
                          {"z", "m"},
                          {"vx", "m/s"},
                          {"vy", "m/s"},
                          {"vz", "m/s"},
                          {"qw", ""},
                          {"qx", ""},
                          {"qy", ""},
                          {"qz", ""},
                          {"wx", "rad/s"},
                          {"wy", "rad/s"},
                          {"wz", "rad/s"}},
    [PROBE_BODY_COUNT] = {{"bodies", ""}, {"emitted", ""}, {"removed", ""}},
    [PROBE_PACKING] = {{"fraction", ""}},
    [PROBE_STRESS] =
        {{"xx", "Pa"}, {"yy", "Pa"}, {"zz", "Pa"}, {"xy", "Pa"}, {"yz", "Pa"}, {"zx", "Pa"}, {"pressure", "Pa"}},
    [PROBE_ACTIVE_BOX] = {{"live", ""}, {"fixed", ""}, {"parked", ""}},
    [PROBE_RIG] = {{"phase", ""}},  // and those of the rig
    [PROBE_SLEEPING] = {{"asleep", ""}, {"fallen", ""}, {"woken_cells", ""}},
};

static void add_column(probes *p, const scene_probe *probe, const char *name, const char *unit)
{
    probe_column *column = &p->column[p->column_count++];
    snprintf(column->name, sizeof column->name, "%s.%s", probe->name, name);
    column->unit = unit;
}

// Besides the phase.
static void add_rig_columns(probes *p, const scene *s, const scene_probe *probe)
{
    const rig_column *columns = rig_columns(s->rig.def.kind);
    for (int c = 0; c < rig_column_count(s->rig.def.kind); ++c) add_column(p, probe, columns[c].name, columns[c].unit);
}

static const column_kind *columns_of_probe(const scene *s, const scene_probe *probe)
{
    if (probe->kind == PROBE_TRACKED_VEHICLE) return vehicle_probe_columns(probe->vehicle);
    if (probe->kind == PROBE_ANCHOR) return anchor_probe_columns();
    return is_joint_probe(probe->kind) ? joint_probe_columns(s, probe) : columns_of[probe->kind];
}

static int column_count_of(const column_kind *columns)
{
    int count = 0;
    while (count < COLUMNS_MAX && columns[count].name != NULL) ++count;
    return count;
}

scr_status probes_init(probes *p, const scene *s, scr_error *error)
{
    *p = (probes){0};
    p->table = (table){"probes", probe_fields, sizeof probe_fields / sizeof *probe_fields, p, 0, 0, false};
    scr_status status = list_table_init(&p->table, s->probe_count, error);
    if (status == SCR_OK) status = vehicle_probes_init(&p->vehicles, s, error);
    if (status == SCR_OK) status = anchor_probes_init(&p->anchors, s, error);
    if (status == SCR_OK) status = rig_probe_init(&p->rig, s, error);
    if (status != SCR_OK) return status;
    int64_t most = (int64_t)COLUMNS_MAX * s->probe_count;
    status = scr_grow(&p->column, &p->column_capacity, most, sizeof *p->column, "probes", error);
    if (status != SCR_OK) return status;
    for (int k = 0; k < s->probe_count; ++k) {
        const scene_probe *probe = &s->probes[k];
        const column_kind *columns = columns_of_probe(s, probe);
        for (int c = 0; c < column_count_of(columns); ++c) add_column(p, probe, columns[c].name, columns[c].unit);
        if (probe->kind == PROBE_RIG) add_rig_columns(p, s, probe);
    }
    return SCR_OK;
}

void probes_free(probes *p)
{
    table_free(&p->table);
    vehicle_probes_free(&p->vehicles);
    anchor_probes_free(&p->anchors);
    rig_probe_free(&p->rig);
    scr_free(p->column);
}

// Bodies that crossed a plane in the last step.
typedef struct plane_crossing {
    scr_body_view bodies;
    const periodic_cell *period;
    scr_vec3 point, normal;
    double extent;  // m
    double h;       // s
} plane_crossing;

// +1 if body i crossed along the normal, -1 if against it, 0 if it did not. A body on the plane counts as beyond it.
static int crossing_of(const plane_crossing *c, int64_t i)
{
    const scr_body_view *b = &c->bodies;
    // Where space repeats itself, so does the plane: of the body the image counts that is nearest to the point.
    scr_vec3 now = period_offset(c->period, vec3_sub(vec3(b->x[i], b->y[i], b->z[i]), c->point)),
             v = vec3_sub(vec3(b->vx[i], b->vy[i], b->vz[i]),
                          period_image_velocity(c->period, vec3_sub(vec3(b->x[i], b->y[i], b->z[i]), c->point)));
    double after = vec3_dot(now, c->normal), before = after - c->h * vec3_dot(v, c->normal);
    if ((before >= 0.0) == (after >= 0.0)) return 0;
    if (isfinite(c->extent)) {
        double since = c->h * after / (after - before);  // s from the crossing to now
        scr_vec3 where = vec3_add_scaled(now, -since, v);
        if (vec3_norm(where) > c->extent) return 0;
    }
    return after >= 0.0 ? 1 : -1;
}

static int64_t find_crossing(const void *context, int64_t first, int64_t last, int32_t *hits)
{
    const plane_crossing *c = context;
    int64_t count = 0;
    for (int64_t i = first; i < last; ++i) {
        if (c->bodies.kind[i] == SCR_DYNAMIC && crossing_of(c, i) != 0) hits[count++] = (int32_t)i;
    }
    return count;
}

static double mass_crossing(const probed *from, const scene_probe *probe)
{
    plane_crossing c = {
        scr_world_bodies(from->world),   world_period(from->world), probe->point, probe->normal, probe->extent,
        scr_world_time_step(from->world)};
    selection_make(from->chosen, c.bodies.count, find_crossing, &c, from->threads);
    double mass = 0.0;
    for (int64_t k = 0; k < from->chosen->count; ++k) {
        int64_t i = from->chosen->index[k];
        mass += crossing_of(&c, i) * body_mass(from->world, &c.bodies, i);
    }
    return mass;
}

static void add_stress(double load[LOAD_SIZE], const probed *from, stress_part part)
{
    static const int axes[LOAD_SIZE][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {2, 0}};
    scr_stress stress;
    if (scr_world_stress(from->world, &stress, NULL) != SCR_OK) return;
    for (int c = 0; c < LOAD_SIZE; ++c) {
        int i = axes[c][0], j = axes[c][1];
        if (part != STRESS_KINETIC) load[c] += 0.5 * (stress.contact[i][j] + stress.contact[j][i]);
        if (part != STRESS_CONTACT) load[c] += stress.kinetic[i][j];
    }
}

static linkage_view view_of(const probed *from)
{
    return (linkage_view){from->scene, from->world, from->bodies, from->linkage, from->phase};
}

void probes_record(probes *p, const probed *from)
{
    linkage_view joints = view_of(from);
    for (int k = 0; k < from->scene->probe_count; ++k) {
        const scene_probe *probe = &from->scene->probes[k];
        if (probe->kind == PROBE_MASS_FLOW) p->mass[k] += mass_crossing(from, probe);
        if (probe->kind == PROBE_BODY_FORCE)
            add_contact_load(&p->load[LOAD_SIZE * k], from->bodies, from->asleep, from->world, probe->body);
        if (probe->kind == PROBE_STRESS) add_stress(&p->load[LOAD_SIZE * k], from, probe->part);
        if (is_joint_probe(probe->kind)) joint_probe_record(probe, &joints, &p->load[LOAD_SIZE * k]);
    }
    vehicle_probes_record(&p->vehicles, &joints);
    anchor_probes_record(&p->anchors, &joints, from->asleep);
    rig_view rig = {&from->scene->rig, from->world, from->bodies, from->asleep, from->phase};
    rig_probe_record(&p->rig, &rig);
}

// Bodies in a region.
typedef struct region_search {
    scr_body_view bodies;
    const periodic_cell *period;
    const region *region;
    const sleeping *asleep;
} region_search;

static int64_t find_inside(const void *context, int64_t first, int64_t last, int32_t *hits)
{
    const region_search *r = context;
    const scr_body_view *b = &r->bodies;
    int64_t count = 0;
    for (int64_t i = first; i < last; ++i) {
        if (b->kind[i] != SCR_DYNAMIC && !sleeping_has(r->asleep, b, i)) continue;
        if (region_contains_image(r->region, r->period, vec3(b->x[i], b->y[i], b->z[i]))) hits[count++] = (int32_t)i;
    }
    return count;
}

static double mass_inside(const probed *from, const region *where)
{
    region_search r = {scr_world_bodies(from->world), world_period(from->world), where, from->asleep};
    selection_make(from->chosen, r.bodies.count, find_inside, &r, from->threads);
    double mass = 0.0;
    for (int64_t k = 0; k < from->chosen->count; ++k) mass += body_mass(from->world, &r.bodies, from->chosen->index[k]);
    return mass;
}

static double packing_inside(const probed *from, const region *box)
{
    return packing_of_world(from->world, box->low, box->high, (uint64_t)from->scene->body_count);
}

static void write_energy(const probed *from, double *values)
{
    scr_energy energy = scr_world_energy(from->world);
    values[0] = energy.kinetic;
    scr_vec3 gravity = scr_world_gravity(from->world);
    values[1] = energy.potential + active_box_potential(from->box, gravity) + sleeping_potential(from->asleep, gravity);
    values[2] = energy.elastic;
}

static void write_state(const probed *from, int body, double *values)
{
    scr_body_state state;
    if (scr_body_get_state(from->world, from->bodies->handle[body], &state, NULL) != SCR_OK) {
        // it is gone: it is nowhere
        for (int c = 0; c < column_count_of(columns_of[PROBE_BODY_STATE]); ++c) values[c] = NAN;
        return;
    }
    scr_quat q = scripted_frame(from->bodies, from->world, body).rotation;
    const double now[] = {state.position.x,
                          state.position.y,
                          state.position.z,
                          state.velocity.x,
                          state.velocity.y,
                          state.velocity.z,
                          q.w,
                          q.x,
                          q.y,
                          q.z,
                          state.spin.x,
                          state.spin.y,
                          state.spin.z};
    memcpy(values, now, sizeof now);
}

static void write_body_count(const probed *from, double *values)
{
    int64_t emitted = 0;
    for (int k = 0; k < from->scene->emitter_count; ++k) emitted += from->emitters->emitted[k];
    values[0] = (double)(scr_world_bodies(from->world).count + from->box->store.count);
    values[1] = (double)emitted;
    values[2] = (double)(from->exits->sunk + from->exits->left + from->bodies->removed);
}

static void write_active_box(const probed *from, double *values)
{
    scr_active_counts counts = active_box_count(from->box, from->world, from->bodies->handle);
    values[0] = (double)counts.live;
    values[1] = (double)counts.fixed;
    values[2] = (double)counts.parked;
}

static void write_sleeping(const probed *from, double *values)
{
    values[0] = (double)sleeping_count(from->asleep);
    values[1] = (double)from->asleep->fallen;
    values[2] = (double)from->asleep->woken_cells;
}

static void write_flow(const probes *p, int k, double elapsed, double *values)
{
    values[0] = p->mass[k];
    values[1] = elapsed > 0.0 ? (p->mass[k] - p->row_mass[k]) / elapsed : 0.0;
}

static void write_mean_load(const probes *p, int k, int64_t steps, double *values)
{
    const double *load = &p->load[LOAD_SIZE * k];
    for (int c = 0; c < LOAD_SIZE; ++c) values[c] = steps > 0 ? load[c] / (double)steps : 0.0;
}

static void write_mean_stress(const probes *p, int k, int64_t steps, double *values)
{
    write_mean_load(p, k, steps, values);
    values[LOAD_SIZE] = (values[0] + values[1] + values[2]) / 3.0;
}

void probes_read(const probes *p, const probed *from, double *values)
{
    int64_t steps = scr_world_step_count(from->world) - p->row_step;
    linkage_view joints = view_of(from);
    int vehicle = 0, anchor = 0;
    double elapsed = (double)steps * scr_world_time_step(from->world);
    for (int k = 0; k < from->scene->probe_count; ++k) {
        const scene_probe *probe = &from->scene->probes[k];
        switch (probe->kind) {
        case PROBE_ENERGY: write_energy(from, values); break;
        case PROBE_REGION_MASS: values[0] = mass_inside(from, &probe->region); break;
        case PROBE_MASS_FLOW: write_flow(p, k, elapsed, values); break;
        case PROBE_CONTACT_COUNT: values[0] = (double)scr_world_report(from->world).touching_count; break;
        case PROBE_BODY_FORCE: write_mean_load(p, k, steps, values); break;
        case PROBE_PACKING: values[0] = packing_inside(from, &probe->region); break;
        case PROBE_STRESS: write_mean_stress(p, k, steps, values); break;
        case PROBE_BODY_STATE: write_state(from, probe->body, values); break;
        case PROBE_BODY_COUNT: write_body_count(from, values); break;
        case PROBE_ACTIVE_BOX: write_active_box(from, values); break;
        case PROBE_SLEEPING: write_sleeping(from, values); break;
        case PROBE_JOINT_FORCE:
        case PROBE_JOINT_MOTION:
        case PROBE_MOTOR:
        case PROBE_SPRING:
        case PROBE_COUPLING: joint_probe_row(probe, &joints, steps, &p->load[LOAD_SIZE * k], values); break;
        case PROBE_RIG: rig_probe_row(&p->rig, from->scene->rig.def.kind, values); break;
        case PROBE_TRACKED_VEHICLE: vehicle_probe_row(&p->vehicles, probe, &joints, vehicle++, values); break;
        case PROBE_ANCHOR: anchor_probe_row(&p->anchors, probe, &joints, anchor++, steps, values); break;
        }
        values += column_count_of(columns_of_probe(from->scene, probe));
        if (probe->kind == PROBE_RIG) values += rig_column_count(from->scene->rig.def.kind);
    }
}

void probes_row(probes *p, const probed *from, double *values)
{
    probes_read(p, from, values);
    for (int k = 0; k < from->scene->probe_count; ++k) {
        p->row_mass[k] = p->mass[k];
        for (int c = 0; c < LOAD_SIZE; ++c) p->load[LOAD_SIZE * k + c] = 0.0;
    }
    p->row_step = scr_world_step_count(from->world);
    vehicle_probes_begin_row(&p->vehicles);
    anchor_probes_begin_row(&p->anchors);
    rig_probe_begin_row(&p->rig);
}
