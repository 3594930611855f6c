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

static void add_end(const scr_world *world, mechanism *m, int32_t body, scr_vec3 point, scr_vec3 force)
{
    if (body == NO_BODY || body >= m->body_count) return;
    const bodies *b = &world->bodies;
    int32_t i = m->slot[body];
    scr_vec3 l = vec3_sub(point, m->start.at[body].at);
    double h = world->def.time_step, *k = m->tension + 9 * (int64_t)body;
    double most = fmax(b->inv_ix[i], fmax(b->inv_iy[i], b->inv_iz[i]));
    if (!m->is_tense) {
        if (0.25 * h * h * vec3_norm(l) * vec3_norm(force) * most < FELT) return;
        m->is_tense = true;
    }
    const double lever[3] = {l.x, l.y, l.z}, f[3] = {force.x, force.y, force.z}, along = vec3_dot(l, force);
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) k[3 * r + c] += (r == c ? along : 0.0) - 0.5 * (lever[r] * f[c] + f[r] * lever[c]);
}

static void add_joints(const scr_world *world, mechanism *m)
{
    const joints *j = &world->mechanisms.joints;
    for (int64_t e = 0; e < m->element_count; ++e) {
        if (m->element[e].kind != ELEMENT_JOINT) continue;
        const joint_geometry *g = &m->geometry[m->element[e].geometry[0]];
        const double *f = j->force + 3 * m->element[e].source;
        scr_vec3 force = vec3(f[0], f[1], f[2]), point = joint_frame_now(&g->b, m->start.at).at;
        add_end(world, m, g->b.body, point, force);
        add_end(world, m, g->a.body, point, vec3_neg(force));
    }
}

const body_inertia *stiffened_inertia(const mechanisms *all, int64_t slot)
{
    if (!body_is_joined(all, slot)) return NULL;
    const mechanism *m = &all->part[all->part_of[slot]];
    return m->start.is_tense ? &m->start.inertia[all->number_of[slot]] : NULL;
}

void find_tensions(const scr_world *world, mechanism *m)
{
    m->is_tense = false;
    memset(m->tension, 0, 9 * (size_t)m->body_count * sizeof *m->tension);
    add_joints(world, m);
    if (!m->is_tense) return;
    memset(m->tension, 0, 9 * (size_t)m->body_count * sizeof *m->tension);  // now those before the first that is felt count too
    add_joints(world, m);
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
