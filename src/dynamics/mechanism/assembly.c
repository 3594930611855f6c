// SPDX-License-Identifier: BSD-3-Clause
// scr_world_assemble: what is refused, what is reported, and the way back if a joint cannot be closed.
//
// Nothing of the state changes before all mechanisms fit, but the joints' motions, which are put back after a failure.
#include <inttypes.h>
#include <string.h>

#include "core/base/threads.h"
#include "core/text/human.h"
#include "dynamics/mechanism/assembly.h"
#include "dynamics/mechanism/mechanism_stages.h"
#include "dynamics/world/world.h"

static const double GAP_SHARE_MAX = 0.2;    // of the mechanism's extent: what is farther open is no error of assembly
static const double TILT_MAX = 0.5;         // rad, likewise
static const double CLOSED_ENOUGH = 1e-6;   // of the mechanism's size, and rad: redundant joints may contradict others
static const double SPEED_LEFT_MAX = 1e-5;  // of the mismatch that there was

typedef struct assembly {
    scr_world *world;
    assembly_work work;
    scr_assembly report;
} assembly;

static scr_vec3 lowest(scr_vec3 a, scr_vec3 b) { return vec3(fmin(a.x, b.x), fmin(a.y, b.y), fmin(a.z, b.z)); }
static scr_vec3 highest(scr_vec3 a, scr_vec3 b) { return vec3(fmax(a.x, b.x), fmax(a.y, b.y), fmax(a.z, b.z)); }

// The extent of a mechanism's bodies and of the places of joints on them, m.
static double extent_of(const mechanism *m, const pose *at)
{
    scr_vec3 low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
    for (int64_t g = 0; g < m->geometry_count; ++g) {
        const joint_end *ends[2] = {&m->geometry[g].a, &m->geometry[g].b};
        for (int side = 0; side < 2; ++side) {
            int32_t body = ends[side]->body;
            scr_vec3 point = joint_frame_now(ends[side], at).position;
            scr_vec3 centre = body >= 0 && body < m->body_count ? at[body].position : point;
            low = lowest(low, lowest(point, centre));
            high = highest(high, highest(point, centre));
        }
    }
    return vec3_norm(vec3_sub(high, low));
}

static scr_joint joint_handle(const joints *j, int64_t i) { return (scr_joint){(uint32_t)(i + 1), j->generation[i]}; }

static void blame_joint(assembly *a, int64_t i) { a->report.worst = joint_handle(&a->world->mechanisms.joints, i); }

// The largest gaps of all joints, and the joint that is farthest open for the size of its mechanism.
typedef struct open_joints {
    double gap, tilt, share;
    scr_joint worst;
} open_joints;

static void note_gaps(const scr_world *world, const mechanism *m, const pose *at, open_joints *open)
{
    for (int64_t k = 0; k < m->element_count; ++k) {
        const element *e = &m->element[k];
        if (e->kind != ELEMENT_JOINT) continue;
        element_error error = element_error_at(world, m, e, at);
        double share = error_size(error, m->size) / m->size;
        open->gap = fmax(open->gap, error.gap);
        open->tilt = fmax(open->tilt, error.tilt);
        if (share <= open->share) continue;
        open->share = share;
        open->worst = joint_handle(&world->mechanisms.joints, e->source);
    }
}

static scr_status check_first_gaps(assembly *a, const mechanism *m, scr_error *error)
{
    double most = GAP_SHARE_MAX * extent_of(m, m->start.at);
    for (int64_t k = 0; k < m->element_count; ++k) {
        const element *e = &m->element[k];
        if (e->kind != ELEMENT_JOINT) continue;
        element_error open = element_error_at(a->world, m, e, m->start.at);
        if (open.gap <= most && open.tilt <= TILT_MAX) continue;
        blame_joint(a, e->source);
        if (open.gap > most)
            return scr_fail(error, SCR_BAD_INPUT,
                            "joint %" PRId64 " is open by %s, which is too far to be closed: "
                            "its places on the two bodies do not match",
                            e->source + 1, human_length(open.gap).text);
        return scr_fail(error, SCR_BAD_INPUT,
                        "joint %" PRId64 " is turned by %.3g rad from where it belongs, which is too "
                        "far to be closed: its axes on the two bodies do not match",
                        e->source + 1, open.tilt);
    }
    return SCR_OK;
}

static scr_status check_drives(assembly *a, const mechanism *m, scr_error *error)
{
    const joints *j = &a->world->mechanisms.joints;
    double t = scr_world_time(a->world);
    for (int64_t k = 0; k < m->element_count; ++k) {
        int64_t i = m->element[k].source;
        if (m->element[k].kind != ELEMENT_MOTOR || isfinite(joint_drive_at(j, i, t))) continue;
        blame_joint(a, i);
        return scr_fail(error, SCR_BAD_INPUT, "the motor of joint %" PRId64 " has no number at t = %g s", i + 1, t);
    }
    return SCR_OK;
}

// The one that lacks most, if that is too much; NULL if all are closed.
static const element *worst_element(const scr_world *world, const mechanism *m, element_choice *holds)
{
    double worst_size = CLOSED_ENOUGH * m->size;
    const element *worst = NULL;
    for (int64_t k = 0; k < m->element_count; ++k) {
        const element *e = &m->element[k];
        if (!holds(&world->mechanisms.joints, e)) continue;
        double size = error_size(element_error_at(world, m, e, m->end.at), m->size);
        if (size <= worst_size) continue;
        worst_size = size;
        worst = e;
    }
    return worst;
}

static scr_status close_joints(assembly *a, mechanism *m, scr_error *error)
{
    find_closed_poses(a->world, m, holds_bodies, a->work);
    const element *e = worst_element(a->world, m, holds_bodies);
    if (e == NULL) return SCR_OK;
    int64_t number = e->source + 1;
    element_error left = element_error_at(a->world, m, e, m->end.at);
    if (e->kind == ELEMENT_COUPLING)
        return scr_fail(error, SCR_BAD_INPUT, "coupling %" PRId64 " cannot be met: its sum is off by %.4g", number,
                        left.gap);
    blame_joint(a, e->source);
    return scr_fail(error, SCR_BAD_INPUT, "joint %" PRId64 " cannot be closed: %s and %.3g rad are left", number,
                    human_length(left.gap).text, left.tilt);
}

// The motor that has farthest to go, or NULL.
static const element *farthest_motor(const scr_world *world, const mechanism *m)
{
    double most = -1.0;
    const element *farthest = NULL;
    for (int64_t k = 0; k < m->element_count; ++k) {
        const element *e = &m->element[k];
        if (e->kind != ELEMENT_MOTOR || !holds_position(&world->mechanisms.joints, e)) continue;
        double size = error_size(element_error_at(world, m, e, m->end.at), m->size);
        if (size <= most) continue;
        most = size;
        farthest = e;
    }
    return farthest;
}

// With the joints closed: to where motors are driven now.
static scr_status reach_drives(assembly *a, mechanism *m, scr_error *error)
{
    const element *motor = farthest_motor(a->world, m);
    if (motor == NULL) return SCR_OK;
    memcpy(m->start.at, m->end.at, (size_t)m->total_body_count * sizeof *m->start.at);
    find_closed_poses(a->world, m, holds_position, a->work);
    if (worst_element(a->world, m, holds_position) == NULL) return SCR_OK;
    double t = scr_world_time(a->world), asked = joint_drive_at(&a->world->mechanisms.joints, motor->source, t);
    blame_joint(a, motor->source);
    return scr_fail(error, SCR_BAD_INPUT,
                    "the motor of joint %" PRId64 " cannot reach %.4g %s, where it is driven at "
                    "t = %g s: joints would have to open",
                    motor->source + 1, asked, motor->axis == SCR_ABOUT ? "rad" : "m", t);
}

static scr_status fit_velocities(assembly *a, mechanism *m, scr_error *error)
{
    int64_t worst = 0;
    double left = find_fitting_velocities(a->world, m, a->work, &worst);
    if (left <= SPEED_LEFT_MAX) return SCR_OK;
    const element *e = &m->element[worst];
    bool is_coupling = e->kind == ELEMENT_COUPLING;
    if (!is_coupling) blame_joint(a, e->source);
    return scr_fail(error, SCR_BAD_INPUT,
                    "%s %" PRId64 " cannot move as it should: motors and moving bodies ask for speeds "
                    "that contradict each other",
                    is_coupling ? "coupling" : "joint", e->source + 1);
}

static void count_rows(assembly *a, const mechanism *m)
{
    joints *j = &a->world->mechanisms.joints;
    int64_t rows = 0, redundant = 0;
    for (int64_t k = 0; k < m->element_count; ++k) {
        const element *e = &m->element[k];
        const row_block *block = &m->start.block[k];
        if (!holds_speed(j, e)) continue;
        int own = 0;
        for (int row = 0; row < block->row_count; ++row) own += a->work.is_redundant[block->first_row + row];
        rows += block->row_count;
        redundant += own;
        if (e->kind != ELEMENT_COUPLING) j->redundant_rows[e->source] = (uint8_t)(j->redundant_rows[e->source] + own);
    }
    a->report.row_count += rows;
    a->report.redundant_count += redundant;
    a->report.degrees_of_freedom += 6 * (int64_t)m->body_count - rows + redundant;
}

// Bodies that only springs connect are no mechanism.
static bool has_joints(const mechanism *m)
{
    for (int64_t k = 0; k < m->element_count; ++k)
        if (m->element[k].kind != ELEMENT_SPRING) return true;
    return false;
}

static scr_status assemble_mechanism(assembly *a, mechanism *m, scr_error *error)
{
    if (!has_joints(m)) return SCR_OK;
    open_joints before = {.gap = a->report.gap_before, .tilt = a->report.tilt_before};
    m->is_redundant = m->is_tense = false;  // what an earlier assembly, or a step, has found
    read_mechanism_bodies(a->world, m, m->start.at);
    note_gaps(a->world, m, m->start.at, &before);
    ++a->report.mechanism_count;
    a->report.body_count += m->body_count;
    a->report.gap_before = before.gap;
    a->report.tilt_before = before.tilt;
    scr_status status = check_first_gaps(a, m, error);
    if (status == SCR_OK) status = check_drives(a, m, error);
    if (status == SCR_OK) status = close_joints(a, m, error);
    if (status == SCR_OK) status = reach_drives(a, m, error);
    if (status == SCR_OK) status = fit_velocities(a, m, error);
    if (status == SCR_OK) count_rows(a, m);
    return status;
}

static void write_bodies(scr_world *world, const mechanism *m, scr_assembly *report)
{
    bodies *b = &world->bodies;
    for (int32_t k = 0; k < m->body_count; ++k) {
        int32_t i = m->slot[k];
        pose at = m->end.at[k];
        const double *v = m->velocity + 6 * k;
        report->farthest_move = fmax(report->farthest_move, vec3_norm(vec3_sub(at.position, body_position(b, i))));
        body_put(b, i, at, vec3(v[0], v[1], v[2]), quat_unrotate(at.rotation, vec3(v[3], v[4], v[5])));
    }
}

// What the joints' table had before, to go back to.
typedef struct motions_before {
    double *along, *about;
    uint8_t *redundant_rows;
    int64_t count;
} motions_before;

static void copy_motions(motions_before to, const joints *j)
{
    memcpy(to.along, j->along, (size_t)to.count * sizeof *to.along);
    memcpy(to.about, j->about, (size_t)to.count * sizeof *to.about);
    memcpy(to.redundant_rows, j->redundant_rows, (size_t)to.count);
}

static void restore_motions(joints *j, motions_before from)
{
    memcpy(j->along, from.along, (size_t)from.count * sizeof *from.along);
    memcpy(j->about, from.about, (size_t)from.count * sizeof *from.about);
    memcpy(j->redundant_rows, from.redundant_rows, (size_t)from.count);
}

static scr_status take_memory(assembly *a, motions_before *before, scr_error *error)
{
    const mechanisms *all = &a->world->mechanisms;
    int64_t rows = 0, count = all->joints.table.count;
    for (int64_t p = 0; p < all->count; ++p) rows = max_i64(rows, all->mechanism[p].row_count);
    size_t bytes = 2 * scr_arena_bytes(sizeof(double), rows) + scr_arena_bytes(1, rows) +
                   2 * scr_arena_bytes(sizeof(double), count) + scr_arena_bytes(1, count);
    scr_status status = scr_arena_reserve(&a->world->scratch, bytes, "assembly", error);
    if (status != SCR_OK) return status;
    scr_arena arena = a->world->scratch;
    a->work.rest = scr_arena_array(&arena, sizeof(double), rows);
    a->work.mobility = scr_arena_array(&arena, sizeof(double), rows);
    a->work.is_redundant = scr_arena_array(&arena, 1, rows);
    before->count = count;
    before->along = scr_arena_array(&arena, sizeof *before->along, count);
    before->about = scr_arena_array(&arena, sizeof *before->about, count);
    before->redundant_rows = scr_arena_array(&arena, 1, count);
    return SCR_OK;
}

static void finish(assembly *a)
{
    const mechanisms *all = &a->world->mechanisms;
    open_joints left = {0};
    for (int64_t i = 0; i < all->joints.table.count; ++i) a->report.joint_count += joint_holds(&all->joints, i);
    for (int64_t p = 0; p < all->count; ++p) {
        const mechanism *m = &all->mechanism[p];
        if (!has_joints(m)) continue;
        note_gaps(a->world, m, m->end.at, &left);
        write_bodies(a->world, m, &a->report);
    }
    a->report.gap = left.gap;
    a->report.tilt = left.tilt;
    a->report.worst = left.worst;
}

static scr_status assemble(assembly *a, scr_error *error)
{
    mechanisms *all = &a->world->mechanisms;
    motions_before before;
    scr_status status = find_mechanisms(a->world, error);
    if (status == SCR_OK) status = take_memory(a, &before, error);
    if (status != SCR_OK) return status;
    copy_motions(before, &all->joints);
    memset(all->joints.redundant_rows, 0, (size_t)before.count);
    for (int64_t p = 0; p < all->count && status == SCR_OK; ++p)
        status = assemble_mechanism(a, &all->mechanism[p], error);
    if (status == SCR_OK) finish(a);
    else restore_motions(&all->joints, before);
    all->is_changed = true;  // rows and factors are those of the assembly
    return status;
}

scr_status scr_world_assemble(scr_world *world, scr_assembly *report, scr_error *error)
{
    assembly a = {.world = world};
    scr_status status = world->mechanisms.joints.table.count > 0 ? assemble(&a, error) : SCR_OK;
    world->shape_tree_is_behind = true;
    if (report != NULL) *report = a.report;
    return status;
}
