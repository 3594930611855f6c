// Forces in joints that turn with nobody: the stiffness of a taut chain.
//
// A joint's impulse acts along J(x), as it is at the start of the step. Seen from a body that turns by t, a force F at the
// lever l makes the torque l x F + (t x l) x F: it resists turning with the stiffness
//     K = (l . F) 1 - (l F^T + F l^T) / 2
// A light link in a taut chain swings with w = sqrt(K / I), and steps with h w > 2 would let it run away, as Verlet's
// method does. So where h^2 K / 4 is not small against the inertia, its positive part is added to it:
// w' = w / sqrt(1 + (h w)^2 / 4), and h w' < 2 always. That is a change of order h^2, and at rest none at all.
#include <math.h>
#include <string.h>

#include "core/colouring.h"
#include "dynamics/mechanism/mechanism_parts.h"
#include "dynamics/world.h"

static const double FELT = 0.1;  // share of the least inertia above which a tension matters

static bool can_be_moved(const mechanism *m, int32_t body) { return body != NO_BODY && body < m->body_count; }
static scr_vec3 joint_force(const joints *j, int64_t i) { return vec3(j->force[3 * i], j->force[3 * i + 1], j->force[3 * i + 2]); }

// Whether a force at a point, in the worst direction, is felt by a body.
static bool end_feels(const scr_world *world, const mechanism *m, int32_t body, double lever, double force)
{
    if (!can_be_moved(m, body)) return false;
    const bodies *b = &world->bodies;
    int32_t i = m->slot[body];
    double h = world->def.time_step, most = fmax(b->inv_ix[i], fmax(b->inv_iy[i], b->inv_iz[i]));
    return 0.25 * h * h * lever * force * most >= FELT;
}

// Forces act at the origin of b's frame. For a the lever is at most that of b and the way between the two bodies: mostly
// that is enough to know.
static bool joint_is_felt(const scr_world *world, const mechanism *m, const joint_geometry *g, double force)
{
    double lever = vec3_norm(g->b.frame.at);
    if (end_feels(world, m, g->b.body, lever, force)) return true;
    if (!can_be_moved(m, g->a.body)) return false;
    scr_vec3 a = m->start.at[g->a.body].at, b = g->b.body == NO_BODY ? vec3(0.0, 0.0, 0.0) : m->start.at[g->b.body].at;
    return end_feels(world, m, g->a.body, lever + vec3_norm(vec3_sub(b, a)), force) &&
           end_feels(world, m, g->a.body, vec3_norm(vec3_sub(joint_frame_now(&g->b, m->start.at).at, a)), force);
}

static bool is_felt(const scr_world *world, const mechanism *m)
{
    const joints *j = &world->mechanisms.joints;
    for (int64_t e = 0; e < m->element_count; ++e) {
        if (m->element[e].kind != ELEMENT_JOINT) continue;
        double force = vec3_norm(joint_force(j, m->element[e].source));
        if (force > 0.0 && joint_is_felt(world, m, &m->geometry[m->element[e].geometry[0]], force)) return true;
    }
    return false;
}

static void add_end(mechanism *m, int32_t body, scr_vec3 point, scr_vec3 force)
{
    if (!can_be_moved(m, body)) return;
    scr_vec3 l = vec3_sub(point, m->start.at[body].at);
    double *k = m->tension + 9 * (int64_t)body;
    const double lever[3] = {l.x, l.y, l.z}, f[3] = {force.x, force.y, force.z}, along = vec3_dot(l, force);
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) k[3 * r + c] += (r == c ? along : 0.0) - 0.5 * (lever[r] * f[c] + f[r] * lever[c]);
}

static void add_joints(const joints *j, mechanism *m)
{
    for (int64_t e = 0; e < m->element_count; ++e) {
        if (m->element[e].kind != ELEMENT_JOINT) continue;
        const joint_geometry *g = &m->geometry[m->element[e].geometry[0]];
        scr_vec3 force = joint_force(j, m->element[e].source), point = joint_frame_now(&g->b, m->start.at).at;
        add_end(m, g->b.body, point, force);
        add_end(m, g->a.body, point, vec3_neg(force));
    }
}

void find_tensions(const scr_world *world, mechanism *m)
{
    m->is_tense = is_felt(world, m);
    if (!m->is_tense) return;
    memset(m->tension, 0, 9 * (size_t)m->body_count * sizeof *m->tension);
    add_joints(&world->mechanisms.joints, m);
}

void add_tension(const mechanism *m, int32_t body, double h, body_inertia *inertia)
{
    mat3 k;
    memcpy(k.m, m->tension + 9 * (int64_t)body, sizeof k.m);
    double size2 = 0.0;
    for (int i = 0; i < 9; ++i) size2 += k.m[i / 3][i % 3] * k.m[i / 3][i % 3];
    if (size2 == 0.0) return;
    scr_vec3 values;
    scr_quat axes;
    mat3_eigen_symmetric(&k, &values, &axes);
    double share = 0.25 * h * h;
    mat3 positive = mat3_rotated_diagonal(axes, vec3(share * fmax(values.x, 0.0), share * fmax(values.y, 0.0), share * fmax(values.z, 0.0)));
    for (int i = 0; i < 9; ++i) inertia->inertia.m[i / 3][i % 3] += positive.m[i / 3][i % 3];
    inertia->inv_inertia = mat3_inverse_symmetric(&inertia->inertia);
}
