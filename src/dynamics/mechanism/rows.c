// The rows of a mechanism's elements: where they point, what they ask for, which of them hold.
//
// In the first stage of a step (mechanism.h) Newton's method brings to zero, for every row, in units of velocity,
//     rigid          phi(x') / h
//     driven to q    (q(x') - q) / h
//     driven by u    (q(x') - q(x)) / h - u        friction that sticks: u = 0
//     at a limit     (q(x') - limit) / h
//     spring         C (l - L(s'))                 L(s') = -(A f(s') + B f(s) + G (s' - s))
// with A = h, B = 0, G = c where a = 1 and A = B = h/4, G = c/2 where a = 1/2, and C = 1 / (h (A k + G)) its compliance.
#include <math.h>
#include <string.h>

#include "core/colouring.h"
#include "dynamics/mechanism/mechanism_parts.h"
#include "dynamics/world.h"

static const double LEAST_SOFTNESS = 1e-30;     // kg: of springs that neither push nor damp
static const double REST_SPEED = 1e-9;          // m/s, rad/s: slower is at rest, for friction
static const double BOUNCE_SPEED = 0.01;        // m/s, rad/s: slower impacts at a limit do not bounce
static const double LIMIT_SLACK = 1e-9;         // m, rad
enum { FLIPS_MAX = 3 };                         // of a row in a step: then it stays as it is

// Of a body whose moments of inertia are all the same its axes do not matter.
static body_inertia inertia_now(double inverse_mass, scr_vec3 inverse, scr_quat turn)
{
    scr_vec3 moments = vec3(1.0 / inverse.x, 1.0 / inverse.y, 1.0 / inverse.z);
    bool is_round = inverse.x == inverse.y && inverse.y == inverse.z;
    mat3 axes = mat3_from_quat(is_round ? QUAT_IDENTITY : turn);
    return (body_inertia){1.0 / inverse_mass, mat3_turned_diagonal(&axes, moments), mat3_turned_diagonal(&axes, inverse)};
}

static void set_inertia(const scr_world *world, const mechanism *m, row_set *set)
{
    const bodies *b = &world->bodies;
    for (int32_t k = 0; k < m->body_count; ++k) {
        int32_t i = m->slot[k];
        set->inertia[k] = inertia_now(b->inv_mass[i], vec3(b->inv_ix[i], b->inv_iy[i], b->inv_iz[i]), set->at[k].turn);
        if (m->is_tense) add_tension(world, m, k, &set->inertia[k]);
    }
    set->is_tense = m->is_tense;
}

// ratio_1 q_1 + ratio_2 q_2 + ...: a body that several joints share has one arm.
static void place_coupling(const scr_world *world, const mechanism *m, const element *e, const pose *at, const row_block *block, joint_arm *arm)
{
    const couplings *c = &world->mechanisms.couplings;
    for (int k = 0; k < block->arm_count; ++k) memset(arm[k].row, 0, sizeof arm[k].row);
    for (int g = 0; g < c->count[e->source]; ++g) {
        joint_arm own[2];
        int64_t entry = COUPLED_MAX * e->source + g;
        joint_motion_row(&m->geometry[e->geometry[g]], (scr_axis)c->axis[entry], at, own);
        for (int side = 0; side < 2; ++side) {
            int k = 0;
            while (arm[k].body != own[side].body) ++k;
            for (int axis = 0; axis < 6; ++axis) arm[k].row[0][axis] += c->ratio[entry] * own[side].row[0][axis];
        }
    }
}

void place_rows(const scr_world *world, mechanism *m, row_set *set)
{
    set_inertia(world, m, set);
    for (int64_t k = 0; k < m->element_count; ++k) {
        const element *e = &m->element[k];
        const joint_geometry *geometry = &m->geometry[e->geometry[0]];
        joint_arm *arm = &set->arm[set->block[k].first_arm];
        double unused[BLOCK_ROWS];
        switch (e->kind) {
        case ELEMENT_JOINT: joint_rows(geometry, set->at, unused, arm); break;
        case ELEMENT_BUSHING: bushing_rows(geometry, set->at, unused, arm); break;
        case ELEMENT_COUPLING: place_coupling(world, m, e, set->at, &set->block[k], arm); break;
        default: joint_motion_row(geometry, e->axis, set->at, arm); break;
        }
    }
}

// Where a joint's motion was last: from there full turns are counted.
static double known_motion(const joints *j, int64_t i, scr_axis axis) { return axis == SCR_ABOUT ? j->about[i] : j->along[i]; }

static double coupled_at(const scr_world *world, const mechanism *m, const element *e, const pose *at)
{
    const couplings *c = &world->mechanisms.couplings;
    const joints *j = &world->mechanisms.joints;
    double sum = 0.0;
    for (int g = 0; g < c->count[e->source]; ++g) {
        int64_t entry = COUPLED_MAX * e->source + g;
        scr_axis axis = (scr_axis)c->axis[entry];
        double near = known_motion(j, joint_slot(j, c->joint[entry]), axis);
        sum += c->ratio[entry] * joint_motion(&m->geometry[e->geometry[g]], axis, at, near);
    }
    return sum;
}

// The joint that an element's row belongs to, or -1 for springs between two points.
static int64_t joint_of(const mechanisms *all, const element *e)
{
    return e->kind == ELEMENT_SPRING ? joint_slot(&all->joints, all->springs.joint[e->source]) : e->source;
}

double element_motion(const scr_world *world, const mechanism *m, const element *e, const pose *at)
{
    if (e->kind == ELEMENT_COUPLING) return coupled_at(world, m, e, at);
    int64_t joint = joint_of(&world->mechanisms, e);
    double near = joint < 0 ? 0.0 : known_motion(&world->mechanisms.joints, joint, e->axis);
    return joint_motion(&m->geometry[e->geometry[0]], e->axis, at, near);
}

double row_rate(const row_set *set, int64_t block, int row, const double *velocity)
{
    const row_block *rows = &set->block[block];
    double rate = 0.0;
    for (int k = 0; k < rows->arm_count; ++k) {
        const joint_arm *arm = &set->arm[rows->first_arm + k];
        if (arm->body == NO_BODY) continue;
        for (int axis = 0; axis < 6; ++axis) rate += arm->row[row][axis] * velocity[6 * arm->body + axis];
    }
    return rate;
}

static void begin_motor(const scr_world *world, element *e)
{
    const joints *j = &world->mechanisms.joints;
    double h = world->def.time_step, t = scr_world_time(world);
    scr_drive drive = joint_drive(j, e->source);
    e->bound = j->max_force[e->source];
    e->is_held = drive != SCR_DRIVE_FORCE;
    if (drive == SCR_DRIVE_POSITION) {
        e->target = joint_drive_at(j, e->source, t + h);
        e->target_rate = (joint_drive_at(j, e->source, t + 1.5 * h) - joint_drive_at(j, e->source, t + 0.5 * h)) / h;
    } else {
        e->target = joint_drive_at(j, e->source, t + 0.5 * h);
        e->target_rate = joint_drive_at(j, e->source, t + h);
        if (drive == SCR_DRIVE_FORCE) e->force[0] = fmin(fmax(e->target, -e->bound), e->bound);
    }
}

static double friction_bound(const joints *j, const element *e, double load)
{
    double arm = e->axis == SCR_ABOUT ? j->friction_radius[e->source] : 1.0;
    return j->friction_force[e->source] + j->friction[e->source] * arm * load;
}

static bool has_no_load_yet(const joints *j, const element *e) { return j->friction[e->source] > 0.0 && j->load[e->source] == 0.0; }

static void begin_friction(const scr_world *world, element *e)
{
    const joints *j = &world->mechanisms.joints;
    bool is_known = !has_no_load_yet(j, e);
    e->bound = is_known ? friction_bound(j, e, j->load[e->source]) : INFINITY;
    e->target = e->target_rate = 0.0;
    e->is_held = fabs(e->rate) <= REST_SPEED;
    e->force[0] = !is_known ? 0.0 : e->rate > 0.0 ? -e->bound : e->bound;
}

static void begin_limit(const scr_world *world, element *e)
{
    const joints *j = &world->mechanisms.joints;
    uint8_t pressed = j->is_pressed[e->source];
    e->side = pressed & 1 ? -1 : pressed & 2 ? 1 : 0;
    e->is_held = e->side != 0;
    e->target = e->side < 0 ? j->lower[e->source] : j->upper[e->source];
    e->force[0] = 0.0;
}

static void begin_spring(const scr_world *world, element *e)
{
    const springs *s = &world->mechanisms.springs;
    double slope;
    e->force[0] = spring_force(s, e->source, e->motion[0], &slope);
    e->stiffness[0] = fmax(slope, 0.0);
    e->damping[0] = spring_damping(s, e->source, e->motion[0]);
}

static void begin_bushing(const scr_world *world, const mechanism *m, element *e)
{
    const joints *j = &world->mechanisms.joints;
    joint_arm unused[2];
    bushing_rows(&m->geometry[e->geometry[0]], m->start.at, e->motion, unused);
    for (int k = 0; k < BLOCK_ROWS; ++k) {
        e->stiffness[k] = j->stiffness[BLOCK_ROWS * e->source + k];
        e->damping[k] = j->damping[BLOCK_ROWS * e->source + k];
        e->force[k] = e->stiffness[k] * e->motion[k];
    }
}

void begin_elements(const scr_world *world, mechanism *m)
{
    for (int64_t k = 0; k < m->element_count; ++k) {
        element *e = &m->element[k];
        e->flips = 0;
        e->bound = INFINITY;
        e->is_held = true;
        if (e->kind == ELEMENT_JOINT) continue;
        if (e->kind == ELEMENT_BUSHING) {
            begin_bushing(world, m, e);
            continue;
        }
        e->motion[0] = element_motion(world, m, e, m->start.at);
        e->rate = row_rate(&m->start, k, 0, m->velocity);
        switch (e->kind) {
        case ELEMENT_MOTOR: begin_motor(world, e); break;
        case ELEMENT_FRICTION: begin_friction(world, e); break;
        case ELEMENT_LIMIT: begin_limit(world, e); break;
        case ELEMENT_SPRING: begin_spring(world, e); break;
        default: e->target = world->mechanisms.couplings.target[e->source]; break;
        }
    }
}

// How a spring's impulse of the first stage follows from its stretch at the end.
typedef struct spring_rule { double end, start, damper; } spring_rule;  // A, B, G / c
static spring_rule rule_of(double share, double h) { return share == 1.0 ? (spring_rule){h, 0.0, 1.0} : (spring_rule){0.25 * h, 0.25 * h, 0.5}; }

static double softness(const element *e, int row, double share, double h)
{
    spring_rule rule = rule_of(share, h);
    return 1.0 / (h * (rule.end * e->stiffness[row] + rule.damper * e->damping[row]) + LEAST_SOFTNESS);
}

void set_compliances(const scr_world *world, mechanism *m)
{
    for (int64_t k = 0; k < m->element_count; ++k) {
        const element *e = &m->element[k];
        row_block *block = &m->start.block[k];
        bool is_soft = e->kind == ELEMENT_SPRING || e->kind == ELEMENT_BUSHING;
        block->open = e->is_held ? 0 : 1;
        for (int row = 0; row < block->row_count; ++row)
            block->compliance[row] = is_soft ? softness(e, row, m->share, world->def.time_step) : 0.0;
    }
}

static double spring_impulse(const element *e, int row, double share, double h, double motion, double force)
{
    spring_rule rule = rule_of(share, h);
    return -(rule.end * force + rule.start * e->force[row] + rule.damper * e->damping[row] * (motion - e->motion[row]));
}

static void bushing_residuals(const mechanism *m, const element *e, const row_block *block, double h, double *rest)
{
    double motion[BLOCK_ROWS];
    joint_arm unused[2];
    bushing_rows(&m->geometry[e->geometry[0]], m->end.at, motion, unused);
    for (int row = 0; row < BLOCK_ROWS; ++row) {
        double law = spring_impulse(e, row, m->share, h, motion[row], e->stiffness[row] * motion[row]);
        rest[row] = block->compliance[row] * (m->impulse[block->first_row + row] - law);
    }
}

// Of a row that may be open too: how it misses what it is held to.
static double one_residual(const scr_world *world, const element *e, double motion)
{
    double h = world->def.time_step;
    bool by_speed = e->kind == ELEMENT_FRICTION ||
                    (e->kind == ELEMENT_MOTOR && joint_drive(&world->mechanisms.joints, e->source) == SCR_DRIVE_SPEED);
    return by_speed ? (motion - e->motion[0]) / h - e->target : (motion - e->target) / h;
}

void row_residuals(const scr_world *world, const mechanism *m, double *rest)
{
    double h = world->def.time_step;
    for (int64_t k = 0; k < m->element_count; ++k) {
        const element *e = &m->element[k];
        const row_block *block = &m->start.block[k];
        double *own = rest + block->first_row;
        if (e->kind == ELEMENT_JOINT) {
            joint_rows(&m->geometry[e->geometry[0]], m->end.at, own, NULL);
            for (int row = 0; row < block->row_count; ++row) own[row] = fabs(own[row]) > m->rounding ? own[row] / h : 0.0;
        } else if (e->kind == ELEMENT_BUSHING) {
            bushing_residuals(m, e, block, h, own);
        } else if (block->open) {
            own[0] = 0.0;
        } else {
            double motion = element_motion(world, m, e, m->end.at), slope;
            if (e->kind == ELEMENT_SPRING) {
                double force = spring_force(&world->mechanisms.springs, e->source, motion, &slope);
                own[0] = block->compliance[0] * (m->impulse[block->first_row] - spring_impulse(e, 0, m->share, h, motion, force));
            } else {
                own[0] = one_residual(world, e, motion);
            }
        }
    }
}

// The load of a joint's friction is that of the last step. Where there was none, at the start or after a jump, it is that
// of this step, so far without friction.
bool find_first_loads(const scr_world *world, mechanism *m, double *push)
{
    const joints *j = &world->mechanisms.joints;
    bool some = false;
    for (int64_t r = 0; r < m->row_count; ++r) push[r] = 0.0;
    for (int64_t k = 0; k < m->element_count; ++k) {
        element *e = &m->element[k];
        if (e->kind != ELEMENT_FRICTION || !has_no_load_yet(j, e)) continue;
        int64_t rigid = k;
        while (m->element[rigid].kind != ELEMENT_JOINT) --rigid;  // a joint's own rows come before its friction
        e->bound = friction_bound(j, e, pressing_load(m, rigid, m->share * world->def.time_step));
        e->force[0] = e->rate > 0.0 ? -e->bound : e->bound;
        if (e->is_held) continue;
        double *impulse = &m->impulse[m->start.block[k].first_row], given = open_impulse(e, m->share, world->def.time_step);
        push[m->start.block[k].first_row] = given - *impulse;
        *impulse = given;
        some = true;
    }
    return some;
}

double open_impulse(const element *e, double share, double duration) { return share * duration * e->force[0]; }

// A limit that is passed holds; one that would have to pull lets go.
static bool reconsider_limit(const scr_world *world, element *e, double motion, double impulse)
{
    const joints *j = &world->mechanisms.joints;
    if (e->is_held) {
        if (!(e->side < 0 ? impulse < 0.0 : impulse > 0.0)) return false;
        e->side = 0;
        e->is_held = false;
        return true;
    }
    double lower = j->lower[e->source], upper = j->upper[e->source];
    if (motion < lower - LIMIT_SLACK)
        e->side = -1, e->target = lower;
    else if (motion > upper + LIMIT_SLACK)
        e->side = 1, e->target = upper;
    else
        return false;
    e->is_held = true;
    return true;
}

static bool is_bounded(const scr_world *world, const element *e)
{
    if (e->kind == ELEMENT_FRICTION) return true;
    return e->kind == ELEMENT_MOTOR && isfinite(e->bound) && joint_drive(&world->mechanisms.joints, e->source) != SCR_DRIVE_FORCE;
}

// A motor or friction that would need more than it has gives all it has.
static bool is_overloaded(const scr_world *world, const mechanism *m, element *e, double impulse)
{
    if (!e->is_held || fabs(impulse) <= m->share * world->def.time_step * e->bound) return false;
    e->force[0] = impulse > 0.0 ? e->bound : -e->bound;
    e->is_held = false;
    return true;
}

// One that has pushed too far holds again.
static bool is_overtaken(const scr_world *world, const mechanism *m, element *e)
{
    if (e->is_held || !(one_residual(world, e, element_motion(world, m, e, m->end.at)) * e->force[0] > 0.0)) return false;
    e->is_held = true;
    return true;
}

// Element k has changed: in *impulse stands what it gives when it is open, and the change of it in push.
static void change_held(const scr_world *world, mechanism *m, int64_t k, double *impulse, double *push)
{
    element *e = &m->element[k];
    row_block *block = &m->start.block[k];
    ++e->flips;
    block->open = e->is_held ? 0 : 1;
    if (e->is_held) return;
    double given = open_impulse(e, m->share, world->def.time_step);
    push[block->first_row] = given - impulse[block->first_row];
    impulse[block->first_row] = given;
}

bool release_overloaded(const scr_world *world, mechanism *m, double *before, double *push)
{
    bool some = false;
    for (int64_t r = 0; r < m->row_count; ++r) push[r] = 0.0;
    for (int64_t k = 0; k < m->element_count; ++k) {
        element *e = &m->element[k];
        if (!is_bounded(world, e) || !is_overloaded(world, m, e, m->impulse[m->start.block[k].first_row])) continue;
        change_held(world, m, k, before, push);
        some = true;
    }
    return some;
}

bool reconsider_held(const scr_world *world, mechanism *m, double *push)
{
    bool some = false;
    for (int64_t r = 0; r < m->row_count; ++r) push[r] = 0.0;
    for (int64_t k = 0; k < m->element_count; ++k) {
        element *e = &m->element[k];
        double impulse = m->impulse[m->start.block[k].first_row];
        if (e->flips >= FLIPS_MAX) continue;
        bool changes = false;
        if (e->kind == ELEMENT_LIMIT) changes = reconsider_limit(world, e, element_motion(world, m, e, m->end.at), impulse);
        if (is_bounded(world, e)) changes = is_overloaded(world, m, e, impulse) || is_overtaken(world, m, e);
        if (!changes) continue;
        change_held(world, m, k, m->impulse, push);
        some = true;
    }
    return some;
}

void add_row_push(const mechanism *m, const row_set *set, const double *row, double *momentum)
{
    for (int64_t k = 0; k < m->element_count; ++k) {
        const row_block *block = &set->block[k];
        for (int a = 0; a < block->arm_count; ++a) {
            const joint_arm *arm = &set->arm[block->first_arm + a];
            if (arm->body == NO_BODY || arm->body >= m->body_count) continue;
            for (int r = 0; r < block->row_count; ++r)
                for (int axis = 0; axis < 6; ++axis) momentum[6 * arm->body + axis] += arm->row[r][axis] * row[block->first_row + r];
        }
    }
}

double limit_bounce(const scr_world *world, const element *e)
{
    double closing = e->side < 0 ? -e->rate : e->rate;
    if (closing <= BOUNCE_SPEED) return 0.0;
    double away = world->mechanisms.joints.restitution[e->source] * closing;
    return e->side < 0 ? away : -away;
}
