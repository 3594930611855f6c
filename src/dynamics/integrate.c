// The end of a step: see that the new velocities are physical, then move.
//
//   x' = x + h v',   q' = exp(h w'/2) q     with the new velocities: semi-implicit Euler
// Nothing of the state has changed before the check: a step that fails leaves the last good state.
#include <inttypes.h>
#include <stdio.h>

#include "core/threads.h"
#include "core/trig.h"
#include "dynamics/world.h"

static const double RUNAWAY_FACTOR = 100.0;  // contacts may multiply the free motion's energy by no more

static double speed2(const new_motion *m, int64_t i) { return m->vx[i] * m->vx[i] + m->vy[i] * m->vy[i] + m->vz[i] * m->vz[i]; }

// The first body whose motion is not a number or too fast, or -1.
static int64_t first_offender(const scr_world *world)
{
    const new_motion *m = &world->motion;
    double limit2 = world->def.max_speed * world->def.max_speed;
    int64_t first = INT64_MAX;
#pragma omp parallel for num_threads(world->threads) schedule(static) reduction(min : first)
    for (int64_t i = 0; i < world->bodies.table.count; ++i) {
        double spin2 = m->wx[i] * m->wx[i] + m->wy[i] * m->wy[i] + m->wz[i] * m->wz[i];
        if (!(speed2(m, i) <= limit2) || !isfinite(spin2)) first = min_i64(first, i);
    }
    return first == INT64_MAX ? -1 : first;
}

static int64_t fastest_body(const scr_world *world)
{
    int64_t fastest = 0;
    for (int64_t i = 1; i < world->bodies.table.count; ++i)
        if (speed2(&world->motion, i) > speed2(&world->motion, fastest)) fastest = i;
    return fastest;
}

// What contacts may add: they release what the recovery of overlaps and moving walls put in.
static double energy_limit(const scr_world *world)
{
    const bodies *b = &world->bodies;
    double wall = world_recovery_speed(world), mass = 0.0, kinetic = 0.0, h = world->def.time_step;
    scr_vec3 dv = vec3_scale(h, scr_world_gravity(world));
    for (int64_t i = 0; i < b->table.count; ++i) {
        double v = vec3_norm(body_velocity(b, i)) + vec3_norm(dv);
        if (b->inv_mass[i] > 0.0) {
            mass += 1.0 / b->inv_mass[i];
            kinetic += 0.5 * v * v / b->inv_mass[i];
        } else {
            wall = fmax(wall, v);
        }
    }
    return RUNAWAY_FACTOR * (kinetic + mass * wall * wall);
}

static double new_kinetic_energy(const scr_world *world)
{
    double kinetic = 0.0;
    for (int64_t i = 0; i < world->bodies.table.count; ++i)
        if (world->bodies.inv_mass[i] > 0.0) kinetic += 0.5 * speed2(&world->motion, i) / world->bodies.inv_mass[i];
    return kinetic;
}

static double max_speed(const scr_world *world)
{
    double largest = 0.0;
#pragma omp parallel for num_threads(world->threads) schedule(static) reduction(max : largest)
    for (int64_t i = 0; i < world->bodies.table.count; ++i) largest = fmax(largest, speed2(&world->motion, i));
    return sqrt(largest);
}

static scr_status diverged(const scr_world *world, int64_t i, const char *how, scr_error *error)
{
    const bodies *b = &world->bodies;
    return scr_fail(error, SCR_DIVERGED, "step %" PRId64 ", t = %g s: body %" PRIu64 " at (%.4g, %.4g, %.4g) m %s", world->step_count + 1,
                    (double)(world->step_count + 1) * world->def.time_step, b->id[i], b->x[i], b->y[i], b->z[i], how);
}

scr_status check_motion(scr_world *world, scr_error *error)
{
    int64_t offender = first_offender(world);
    char how[120];
    if (offender >= 0) {
        double speed = sqrt(speed2(&world->motion, offender));
        if (isfinite(speed) && speed > world->def.max_speed)
            snprintf(how, sizeof how, "moves at %.4g m/s; the limit is %g m/s", speed, world->def.max_speed);
        else
            snprintf(how, sizeof how, "has a velocity that is not a number");
        return diverged(world, offender, how, error);
    }
    world->report.max_speed = max_speed(world);
    double kinetic = new_kinetic_energy(world), limit = energy_limit(world);
    if (kinetic <= limit) return SCR_OK;
    snprintf(how, sizeof how, "leads a run-away: the kinetic energy jumps to %.3g J", kinetic);
    return diverged(world, fastest_body(world), how, error);
}

static scr_quat turned(scr_quat q, scr_vec3 w, double h)
{
    double angle = 0.5 * h * vec3_norm(w), sine, cosine;
    if (angle == 0.0) return q;
    scr_sincos(angle, &sine, &cosine);
    scr_vec3 axis = vec3_scale(sine / vec3_norm(w), w);
    return quat_unit(quat_mul((scr_quat){cosine, axis.x, axis.y, axis.z}, q));
}

scr_status integrate(scr_world *world, scr_error *error)
{
    // The cache may have to grow, so it comes first: after it nothing can fail.
    scr_status status = contact_cache_remember(&world->cache, &world->contacts, world->colliders.table.count, world->threads, error);
    if (status != SCR_OK) return status;
    bodies *b = &world->bodies;
    const new_motion *m = &world->motion;
    double h = world->def.time_step;
#pragma omp parallel for num_threads(world->threads) schedule(static)
    for (int64_t i = 0; i < b->table.count; ++i) {
        if (b->kind[i] == SCR_FIXED) continue;
        scr_vec3 w = vec3(m->wx[i], m->wy[i], m->wz[i]);
        scr_quat q = turned(body_rotation(b, i), w, h);
        scr_vec3 spin = quat_unrotate(q, w);
        b->x[i] += h * m->vx[i], b->y[i] += h * m->vy[i], b->z[i] += h * m->vz[i];
        b->vx[i] = m->vx[i], b->vy[i] = m->vy[i], b->vz[i] = m->vz[i];
        b->qw[i] = q.w, b->qx[i] = q.x, b->qy[i] = q.y, b->qz[i] = q.z;
        b->wx[i] = spin.x, b->wy[i] = spin.y, b->wz[i] = spin.z;
    }
    return SCR_OK;
}
