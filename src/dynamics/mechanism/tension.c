// SPDX-License-Identifier: BSD-3-Clause
// Forces in joints that turn with nobody: the stiffness of a taut chain.
//
// A joint's impulse acts along J(x), as it is at the start of the step. Seen from a body that turns by t, a force F at
// the lever l makes the torque l x F + (t x l) x F: it resists turning with the stiffness
//     K = (l . F) 1 - (l F^T + F l^T) / 2
// A light link in a taut chain swings with w = sqrt(K / I), and steps with h w > 2 would let it run away, as Verlet's
// method does. So where h^2 K / 4 is more than half of the inertia, what is more is added to it, and h w < 2 always:
//     I' = I + (h^2 K / 4 - I / 2)^+
// No such step would resolve links that swing so fast, and at rest nothing changes. All others move as they are.
#include <math.h>
#include <string.h>

#include "core/arrays/colouring.h"
#include "dynamics/mechanism/mechanism_inside.h"
#include "dynamics/mechanism/mechanism_stages.h"
#include "dynamics/world/world.h"

static const double RESOLVED = 0.5;  // of the inertia: what h^2 K / 4 may be

static void add_end(mechanism *m, int32_t body, scr_vec3 point, scr_vec3 force)
{
    if (!can_be_moved(m, body)) return;
    scr_vec3 l = vec3_sub(point, m->start.at[body].position);
    const double lever[3] = {l.x, l.y, l.z}, f[3] = {force.x, force.y, force.z}, along = vec3_dot(l, force);
    double *k = m->tension + 9 * (int64_t)body;
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) k[3 * r + c] += (r == c ? along : 0.0) - 0.5 * (lever[r] * f[c] + f[r] * lever[c]);
}

// Whether a stiffness, N m, could matter to a body.
static bool is_felt(const scr_world *world, const mechanism *m, int32_t body, double stiffness)
{
    if (!can_be_moved(m, body)) return false;
    const bodies *b = &world->bodies;
    int32_t i = m->slot[body];
    double h = world->def.time_step, share = 0.25 * h * h * stiffness, enough = 0.5 * RESOLVED;
    return share * b->inv_ix[i] > enough || share * b->inv_iy[i] > enough || share * b->inv_iz[i] > enough;
}

// Whether a force could matter to one of the bodies of a joint.
static bool is_significant(const scr_world *world, const mechanism *m, const joint_geometry *g, scr_vec3 force)
{
    double stiffness = m->size * vec3_norm(force);
    return is_felt(world, m, g->a.body, stiffness) || is_felt(world, m, g->b.body, stiffness);
}

// The force of joint element e on b, N: that of the last step, or what its impulses of this step make so far.
typedef scr_vec3 force_of(const scr_world *world, const mechanism *m, int64_t e);

static scr_vec3 last_force(const scr_world *world, const mechanism *m, int64_t e)
{
    const double *f = world->mechanisms.joints.force + 3 * m->element[e].source;
    return vec3(f[0], f[1], f[2]);
}

static scr_vec3 present_force(const scr_world *world, const mechanism *m, int64_t e)
{
    return vec3_scale(1.0 / (m->share * world->def.time_step), joint_impulse(m, e));
}

static void add_forces(const scr_world *world, mechanism *m, force_of *force)
{
    memset(m->tension, 0, 9 * (size_t)m->body_count * sizeof *m->tension);
    for (int64_t e = 0; e < m->element_count; ++e) {
        if (m->element[e].kind != ELEMENT_JOINT) continue;
        const joint_geometry *g = &m->geometry[m->element[e].geometry[0]];
        scr_vec3 on_b = force(world, m, e), point = joint_frame_now(&g->b, m->start.at).position;
        add_end(m, g->b.body, point, on_b);
        add_end(m, g->a.body, point, vec3_neg(on_b));
    }
}

static void find_from(const scr_world *world, mechanism *m, force_of *force)
{
    m->is_tense = false;
    for (int64_t e = 0; e < m->element_count && !m->is_tense; ++e)
        if (m->element[e].kind == ELEMENT_JOINT)
            m->is_tense = is_significant(world, m, &m->geometry[m->element[e].geometry[0]], force(world, m, e));
    if (m->is_tense) add_forces(world, m, force);
}

const body_inertia *stiffened_inertia(const mechanisms *all, int64_t slot)
{
    if (!body_is_joined(all, slot)) return NULL;
    const mechanism *m = &all->mechanism[all->mechanism_of[slot]];
    return m->start.is_tense ? &m->start.inertia[all->number_of[slot]] : NULL;
}

void find_tensions(const scr_world *world, mechanism *m) { find_from(world, m, last_force); }

bool find_first_tensions(const scr_world *world, mechanism *m)
{
    for (int64_t e = 0; e < m->element_count; ++e)
        if (m->element[e].kind == ELEMENT_JOINT && vec3_norm(last_force(world, m, e)) > 0.0) return false;
    find_from(world, m, present_force);
    return m->is_tense;
}

// What turns alike about all axes still does: solvers of contacts rely on that for grains.
static void add_all_round(body_inertia *inertia, double own, double more)
{
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) inertia->inertia.m[i][k] = i == k ? own + more : 0.0;
        for (int k = 0; k < 3; ++k) inertia->inv_inertia.m[i][k] = i == k ? 1.0 / (own + more) : 0.0;
    }
}

// Whether all eigenvalues of a symmetric matrix are below 0: the pivots of its elimination are. Those of most bodies
// are, and this costs little beside finding the values.
static bool is_negative(const mat3 *a)
{
    double first = a->m[0][0];
    if (!(first < 0.0)) return false;
    double l1 = a->m[1][0] / first, l2 = a->m[2][0] / first, second = a->m[1][1] - l1 * a->m[1][0];
    if (!(second < 0.0)) return false;
    double below = a->m[2][1] - l2 * a->m[1][0];
    return a->m[2][2] - l2 * a->m[2][0] - below * below / second < 0.0;
}

void add_tension(const scr_world *world, const mechanism *m, int32_t body, body_inertia *inertia)
{
    const bodies *b = &world->bodies;
    const double *k = m->tension + 9 * (int64_t)body, h = world->def.time_step;
    int32_t slot = m->slot[body];
    mat3 excess;
    for (int i = 0; i < 9; ++i)
        excess.m[i / 3][i % 3] = 0.25 * h * h * k[i] - RESOLVED * inertia->inertia.m[i / 3][i % 3];
    if (is_negative(&excess)) return;
    scr_vec3 values;
    scr_quat axes;
    mat3_eigen_symmetric(&excess, &values, &axes);
    double most = fmax(values.x, fmax(values.y, values.z));
    if (!(most > 0.0)) return;
    if (b->inv_ix[slot] == b->inv_iy[slot] && b->inv_ix[slot] == b->inv_iz[slot]) {
        add_all_round(inertia, 1.0 / b->inv_ix[slot], most);
        return;
    }
    mat3 more = mat3_rotated_diagonal(axes, vec3(fmax(values.x, 0.0), fmax(values.y, 0.0), fmax(values.z, 0.0)));
    for (int i = 0; i < 9; ++i) inertia->inertia.m[i / 3][i % 3] += more.m[i / 3][i % 3];
    inertia->inv_inertia = mat3_inverse_symmetric(&inertia->inertia);
}
