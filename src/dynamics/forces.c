// Velocities without contacts: v + h f/m.
//
// Spin of a body that is not a grain: the gyroscopic term makes the explicit form unstable, so it is taken at the end
// of the step,  I (w' - w) + h w' x I w' = h T  in body axes, by one Newton step from w (exact to second order in h).
#include "dynamics/world.h"

static scr_status grow_motion(new_motion *m, int64_t n, scr_error *error)
{
    double **arrays[] = {&m->vx, &m->vy, &m->vz, &m->wx, &m->wy, &m->wz};
    int64_t capacity = m->capacity;
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k) {
        capacity = m->capacity;
        scr_status status = scr_grow(arrays[k], &capacity, n, sizeof(double), "velocities", error);
        if (status != SCR_OK) return status;
    }
    m->capacity = capacity;
    return SCR_OK;
}

// Solve J d = -f for the 3 x 3 matrix with the given columns, by Cramer's rule.
static scr_vec3 solve3(scr_vec3 c0, scr_vec3 c1, scr_vec3 c2, scr_vec3 right)
{
    scr_vec3 c12 = vec3_cross(c1, c2);
    double inverse = 1.0 / vec3_dot(c0, c12);
    return vec3(inverse * vec3_dot(right, c12), inverse * vec3_dot(right, vec3_cross(c2, c0)),
                inverse * vec3_dot(right, vec3_cross(c0, c1)));
}

// One Newton step for h w x I w, body axes; inertia is principal.
static scr_vec3 gyroscopic_step(scr_vec3 w, scr_vec3 inertia, double h)
{
    scr_vec3 iw = vec3_mul(inertia, w), f = vec3_scale(h, vec3_cross(w, iw));
    // d/dw (I w + h w x I w) e_k = I e_k + h (e_k x I w + w x I e_k)
    const scr_vec3 axis[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    scr_vec3 column[3];
    for (int k = 0; k < 3; ++k) {
        scr_vec3 ie = vec3_mul(inertia, axis[k]);
        column[k] = vec3_add_scaled(ie, h, vec3_add(vec3_cross(axis[k], iw), vec3_cross(w, ie)));
    }
    return vec3_sub(w, solve3(column[0], column[1], column[2], f));
}

static scr_vec3 free_spin(const scr_world *world, int64_t i)
{
    const bodies *b = &world->bodies;
    scr_vec3 w = vec3(b->wx[i], b->wy[i], b->wz[i]);
    if (b->inv_mass[i] > 0.0 && !body_is_grain(b, &world->colliders, i))
        w = gyroscopic_step(w, vec3(1.0 / b->inv_ix[i], 1.0 / b->inv_iy[i], 1.0 / b->inv_iz[i]), world->def.time_step);
    return quat_rotate(body_rotation(b, i), w);
}

static void add_applied_forces(scr_world *world)
{
    const bodies *b = &world->bodies;
    new_motion *m = &world->motion;
    double h = world->def.time_step;
    for (int64_t k = 0; k < world->applied_count; ++k) {
        const applied_force *f = &world->applied[k];
        int64_t i = body_slot(b, f->body);
        if (i < 0 || b->inv_mass[i] == 0.0) continue;
        scr_quat q = body_rotation(b, i);
        scr_vec3 t = quat_unrotate(q, f->torque);
        t = quat_rotate(q, vec3(b->inv_ix[i] * t.x, b->inv_iy[i] * t.y, b->inv_iz[i] * t.z));
        m->vx[i] += h * b->inv_mass[i] * f->force.x;
        m->vy[i] += h * b->inv_mass[i] * f->force.y;
        m->vz[i] += h * b->inv_mass[i] * f->force.z;
        m->wx[i] += h * t.x;
        m->wy[i] += h * t.y;
        m->wz[i] += h * t.z;
    }
}

scr_status apply_forces(scr_world *world, scr_error *error)
{
    const bodies *b = &world->bodies;
    new_motion *m = &world->motion;
    int64_t n = b->table.count;
    scr_status status = grow_motion(m, n, error);
    if (status != SCR_OK) return status;
    scr_vec3 dv = vec3_scale(world->def.time_step, scr_world_gravity(world));
#pragma omp parallel for num_threads(world->threads) schedule(static)
    for (int64_t i = 0; i < n; ++i) {
        scr_vec3 v = body_velocity(b, i), w = free_spin(world, i);
        if (b->inv_mass[i] > 0.0) v = vec3_add(v, dv);
        m->vx[i] = v.x, m->vy[i] = v.y, m->vz[i] = v.z;
        m->wx[i] = w.x, m->wy[i] = w.y, m->wz[i] = w.z;
    }
    add_applied_forces(world);
    return SCR_OK;
}
