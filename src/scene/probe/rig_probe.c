// SPDX-License-Identifier: BSD-3-Clause
// What a test rig measures.
#include "scene/probe/rig_probe.h"

#include "rig/heap.h"
#include "scene/parts/contact_load.h"
#include "scene/parts/list_table.h"
#include "scene/probe/body_mass.h"

static const field_info fields[] = {
    FIELD(rig_probe, steps, FIELD_F64, ""),
    FIELD_WIDE(rig_probe, sum, FIELD_F64, RIG_COLUMNS_MAX, ""),
    SCALAR_WIDE(rig_probe, zero, FIELD_F64, 3, "m"),
    SCALAR(rig_probe, phase, FIELD_I64, ""),
    SCALAR(rig_probe, row_steps, FIELD_F64, ""),
    SCALAR_WIDE(rig_probe, row_sum, FIELD_F64, RIG_COLUMNS_MAX, ""),
    SCALAR_WIDE(rig_probe, now, FIELD_F64, RIG_COLUMNS_MAX, ""),
    SCALAR_WIDE(rig_probe, hold, FIELD_F64, 3, "N"),
};

scr_status rig_probe_init(rig_probe *p, const scene *s, scr_error *error)
{
    *p = (rig_probe){0};
    p->table = (table){"rig", fields, sizeof fields / sizeof *fields, p, 0, 0, false};
    return list_table_init(&p->table, s->rig.present ? RIG_BINS : 0, error);
}

void rig_probe_free(rig_probe *p) { table_free(&p->table); }

// ---- Reading the world ----

static void load_on(const rig_view *from, int body, double load[LOAD_SIZE])
{
    for (int c = 0; c < LOAD_SIZE; ++c) load[c] = 0.0;
    add_contact_load(load, from->bodies, from->asleep, from->world, body);
}

static scr_vec3 place_of(const rig_view *from, int body)
{
    return scripted_frame(from->bodies, from->world, body).position;
}

static bool is_grain_of(const rig_view *from, const scr_body_view *b, int64_t i)
{
    bool is_moved = b->kind[i] == SCR_DYNAMIC || sleeping_has(from->asleep, b, i);
    return is_moved && b->id[i] != (uint64_t)from->rig->tool + 1;
}

// N: of all that lies above the plane z = 0 and is no part of the rig.
static double weight_above(const rig_view *from)
{
    scr_body_view b = scr_world_bodies(from->world);
    double mass = 0.0;
    for (int64_t i = 0; i < b.count; ++i)
        if (b.z[i] > 0.0 && is_grain_of(from, &b, i)) mass += body_mass(from->world, &b, i);
    return -mass * scr_world_gravity(from->world).z;
}

static void read_shear(const rig_view *from, const double zero[3], double now[RIG_COLUMNS_MAX])
{
    const scene_rig *rig = from->rig;
    double box[LOAD_SIZE], lid[LOAD_SIZE], area = rig->def.area;
    load_on(from, rig->driven, box);
    load_on(from, rig->tool, lid);
    now[SHEAR_DISPLACEMENT] = place_of(from, rig->driven).x - zero[0];
    now[SHEAR_STRESS] = -(box[0] + lid[0]) / area;
    now[SHEAR_NORMAL] = (box[2] + lid[2] + weight_above(from)) / area;
    now[SHEAR_LID] = lid[2] / area;
    now[SHEAR_DILATION] = place_of(from, rig->tool).z - zero[1];
}

static void read_plate(const rig_view *from, const double zero[3], double now[RIG_COLUMNS_MAX])
{
    double plate[LOAD_SIZE];
    load_on(from, from->rig->tool, plate);
    now[PLATE_SINKAGE] = zero[1] - place_of(from, from->rig->tool).z;
    now[PLATE_PRESSURE] = plate[2] / from->rig->def.area;
    now[PLATE_FORCE] = plate[2];
}

static void read_wheel(const rig_view *from, const double zero[3], double now[RIG_COLUMNS_MAX])
{
    const scene_rig *rig = from->rig;
    scr_body_state state = {0};
    double wheel[LOAD_SIZE];
    load_on(from, rig->tool, wheel);
    scr_body_get_state(from->world, from->bodies->handle[rig->tool], &state, NULL);
    scr_vec3 at = place_of(from, rig->tool);
    now[WHEEL_DISTANCE] = at.x - zero[0];
    now[WHEEL_SLIP] = slip_of(state.spin.y * rig->def.radius, state.velocity.x);
    now[WHEEL_DRAWBAR] = wheel[0];
    now[WHEEL_TORQUE] = -wheel[4];
    now[WHEEL_SINKAGE] = zero[1] - at.z;
    now[WHEEL_LOAD] = wheel[2];
    now[WHEEL_SPEED] = state.velocity.x;
    now[WHEEL_SPIN] = state.spin.y;
    now[WHEEL_POWER] = now[WHEEL_TORQUE] * now[WHEEL_SPIN];
}

// m: the sides of a cell.
static scr_vec3 cell_sides(const rig_view *from)
{
    double side[3];
    if (from->rig->is_periodic) return scr_world_cell(from->world);
    for (int a = 0; a < 3; ++a) {
        const int *wall = from->rig->wall[a];
        side[a] = vec3_along(vec3_sub(place_of(from, wall[1]), place_of(from, wall[0])), a);
    }
    return vec3(side[0], side[1], side[2]);
}

static double volume_of(scr_vec3 side) { return side.x * side.y * side.z; }

// Pa: on the moving walls, or the mean over a periodic cell; 0 if memory is lacking.
static void cell_stress(const rig_view *from, scr_vec3 side, double stress[3])
{
    scr_stress mean = {0};
    if (from->rig->is_periodic) scr_world_stress(from->world, &mean, NULL);
    for (int a = 0; a < 3; ++a) {
        double wall[LOAD_SIZE];
        stress[a] = mean.contact[a][a] + mean.kinetic[a][a];
        if (from->rig->is_periodic) continue;
        load_on(from, from->rig->wall[a][1], wall);
        stress[a] = wall[a] * vec3_along(side, a) / volume_of(side);
    }
}

static void read_cell(const rig_view *from, const double zero[3], double now[RIG_COLUMNS_MAX])
{
    scr_vec3 side = cell_sides(from), first = vec3(zero[0], zero[1], zero[2]);
    double volume = volume_of(side), stress[3];
    cell_stress(from, side, stress);
    now[CELL_AXIAL_STRAIN] = 1.0 - side.z / first.z;
    now[CELL_VOLUMETRIC_STRAIN] = 1.0 - volume / volume_of(first);
    now[CELL_AXIAL] = stress[2];
    now[CELL_LATERAL] = 0.5 * (stress[0] + stress[1]);
    now[CELL_LATERAL_X] = stress[0];
    now[CELL_LATERAL_Y] = stress[1];
}

// Its spin is that of the step, so that the displacement is the sum of what was turned.
static void read_ring(const rig_view *from, const double zero[3], bool counts, double now[RIG_COLUMNS_MAX])
{
    const scene_rig *rig = from->rig;
    scr_body_state state = {0};
    double ring[LOAD_SIZE], radius = rig->def.radius, area = rig->def.area;
    load_on(from, rig->tool, ring);
    scr_body_get_state(from->world, from->bodies->handle[rig->tool], &state, NULL);
    if (counts) now[RING_DISPLACEMENT] += scr_world_time_step(from->world) * state.spin.z * radius;
    now[RING_SHEAR] = -ring[5] / (area * radius);
    now[RING_NORMAL] = ring[2] / area;
    now[RING_TORQUE] = -ring[5];
    now[RING_SINKAGE] = zero[1] - place_of(from, rig->tool).z;
}

// The tube's axis is that of the heap.
static void read_heap(const rig_view *from, const double zero[3], double now[RIG_COLUMNS_MAX])
{
    scr_body_view b = scr_world_bodies(from->world);
    scr_vec3 tube = place_of(from, from->rig->tool);
    heap_moments m = {0};
    for (int64_t i = 0; i < b.count; ++i)
        if (is_grain_of(from, &b, i))
            heap_add(&m, body_mass(from->world, &b, i), b.z[i], vec3_norm(vec3(b.x[i] - tube.x, b.y[i] - tube.y, 0.0)));
    heap_cone cone = heap_cone_of(&m);
    now[REPOSE_LIFT] = tube.z - zero[1];
    now[REPOSE_ANGLE] = cone.angle;
    now[REPOSE_HEIGHT] = cone.height;
    now[REPOSE_FOOT] = cone.foot;
}

// ---- Sums ----

static void add_to_bin(rig_probe *p, const rig_view *from, int columns)
{
    const rig_def *def = &from->rig->def;
    double h = scr_world_time_step(from->world), since = scr_world_time(from->world) - 0.5 * h - from->phase.began;
    int bin = (int)(RIG_BINS * since / def->duration);
    if (bin < 0 || bin >= RIG_BINS) return;
    p->steps[bin] += 1.0;
    for (int c = 0; c < columns; ++c) p->sum[RIG_COLUMNS_MAX * bin + c] += p->now[c];
    int load_column = rig_load_column(def->kind);
    if (load_column < 0) return;
    double load = p->now[load_column] * (def->area > 0.0 ? def->area : 1.0);
    p->hold[0] += 1.0, p->hold[1] += load, p->hold[2] += load * load;
}

// Where displacements are counted from: where the parts are as long as the phase in question has not begun.
static void set_zero(rig_probe *p, const rig_view *from)
{
    const scene_rig *rig = from->rig;
    if (rig->def.kind == RIG_TRIAXIAL) {
        scr_vec3 side = cell_sides(from);
        if (p->phase < rig->zero_phase[0]) p->zero[0] = side.x, p->zero[1] = side.y, p->zero[2] = side.z;
        return;
    }
    if (p->phase < rig->zero_phase[0]) p->zero[0] = place_of(from, rig->driven).x;
    if (p->phase < rig->zero_phase[1]) p->zero[1] = place_of(from, rig->tool).z;
}

void rig_probe_record(rig_probe *p, const rig_view *from)
{
    const scene_rig *rig = from->rig;
    if (p->table.count == 0) return;
    p->phase = from->phase.index;
    set_zero(p, from);
    switch (rig->def.kind) {
    case RIG_DIRECT_SHEAR: read_shear(from, p->zero, p->now); break;
    case RIG_SINGLE_WHEEL: read_wheel(from, p->zero, p->now); break;
    case RIG_PRESSURE_SINKAGE:
    case RIG_CONE: read_plate(from, p->zero, p->now); break;
    case RIG_TRIAXIAL: read_cell(from, p->zero, p->now); break;
    case RIG_BEVAMETER_RING: read_ring(from, p->zero, p->phase >= rig->zero_phase[0], p->now); break;
    case RIG_REPOSE: read_heap(from, p->zero, p->now); break;
    case RIG_KIND_COUNT: break;
    }
    int columns = rig_column_count(rig->def.kind);
    for (int c = 0; c < columns; ++c) p->row_sum[c] += p->now[c];
    p->row_steps += 1.0;
    if (p->phase == rig->measure) add_to_bin(p, from, columns);
}

void rig_probe_row(const rig_probe *p, rig_kind kind, double *values)
{
    const rig_column *column = rig_columns(kind);
    *values++ = (double)p->phase;
    for (int c = 0; c < rig_column_count(kind); ++c)
        values[c] = column[c].is_mean && p->row_steps > 0.0 ? p->row_sum[c] / p->row_steps : p->now[c];
}

void rig_probe_begin_row(rig_probe *p)
{
    p->row_steps = 0.0;
    for (int c = 0; c < RIG_COLUMNS_MAX; ++c) p->row_sum[c] = 0.0;
}

// ---- Figures ----

rig_curve rig_probe_curve(const rig_probe *p) { return (rig_curve){p->steps, p->sum}; }

scr_rig_report rig_probe_report(const rig_probe *p, const scene_rig *rig)
{
    rig_curve curve = rig_probe_curve(p);
    rig_hold hold = {p->hold[0], p->hold[1], p->hold[2]};
    scr_rig_report report = {.kind = RIG_NAMES[rig->def.kind]};
    report.figure_count = rig_figures(&rig->def, &curve, &hold, report.figure);
    return report;
}
