// SPDX-License-Identifier: BSD-3-Clause
// When the phases of a run end.
#include "scene/parts/phases.h"

#include "core/maths/quat.h"
#include "dynamics/world/world_state.h"
#include "scene/parts/contact_load.h"
#include "scene/parts/list_table.h"

enum { STEPS_BETWEEN = 10 };  // looks at what takes a pass over all bodies

static const field_info fields[] = {
    FIELD(phases, began_at, FIELD_F64, "s"),      FIELD(phases, result, FIELD_I64, ""),
    SCALAR(phases, index, FIELD_I64, ""),         SCALAR(phases, held_since, FIELD_F64, "s"),
    SCALAR_WIDE(phases, from, FIELD_F64, 3, "m"), SCALAR(phases, ended_at, FIELD_F64, "s"),
};

scr_status phases_init(phases *p, const scene *s, scr_error *error)
{
    *p = (phases){0};
    p->table = (table){"phases", fields, sizeof fields / sizeof *fields, p, 0, 0, false};
    scr_status status = list_table_init(&p->table, s->phase_count, error);
    p->held_since = p->ended_at = INFINITY;
    for (int k = 1; status == SCR_OK && k < s->phase_count; ++k) p->began_at[k] = INFINITY;
    return status;
}

void phases_free(phases *p) { table_free(&p->table); }

phase_now phases_now(const phases *p)
{
    return p->table.count > 0 ? (phase_now){(int)p->index, p->began_at[p->index]} : (phase_now){0, 0.0};
}

// Root of the mean square by mass, m/s.
static double mean_speed(const scr_world *world)
{
    scr_body_view b = scr_world_bodies(world);
    double mass = 0.0;
    for (int64_t i = 0; i < b.count; ++i)
        if (b.kind[i] == SCR_DYNAMIC) mass += 1.0 / b.inv_mass[i];
    return mass > 0.0 ? sqrt(2.0 * scr_world_energy(world).kinetic / mass) : 0.0;
}

static double contact_force(const scripted_bodies *bodies, const sleeping *asleep, const scr_world *world, int body)
{
    double load[LOAD_SIZE] = {0.0};
    add_contact_load(load, bodies, asleep, world, body);
    return vec3_norm(vec3(load[0], load[1], load[2]));
}

// Grains are in the first group, and touch all.
static bool can_touch(const scene *s, int body, uint64_t other_id)
{
    const scr_body_def *own = &s->bodies[body].def;
    if (other_id == (uint64_t)body + 1) return false;
    if (other_id > (uint64_t)s->body_count) return (own->collides_with & 1) != 0;
    const scr_body_def *other = &s->bodies[other_id - 1].def;
    return (own->collides_with & other->group) != 0 && (other->collides_with & own->group) != 0;
}

// m: how far the underside of a body is above the highest shape in its footprint that it could touch.
static double clearance(const scene *s, const phase_clearance *asked, const scripted_bodies *bodies,
                        const scr_world *world)
{
    scr_body_view view = scr_world_bodies(world);
    scr_vec3 at = scripted_frame(bodies, world, asked->body).position;
    double top = -INFINITY;
    for (int64_t k = 0; k < scr_world_shape_count(world); ++k) {
        int64_t b;
        placed_shape shape = world_placed_shape(world, k, &b);
        if (!can_touch(s, asked->body, view.id[b])) continue;
        scr_aabb box = placed_aabb(&shape);
        bool below = box.high.x > at.x - asked->half[0] && box.low.x < at.x + asked->half[0] &&
                     box.high.y > at.y - asked->half[1] && box.low.y < at.y + asked->half[1];
        if (below && isfinite(box.high.z)) top = fmax(top, box.high.z);
    }
    return at.z - asked->depth - top;
}

static double travelled(const phases *p, const scripted_bodies *bodies, const scr_world *world, int body)
{
    scr_vec3 from = vec3(p->from[0], p->from[1], p->from[2]);
    return vec3_norm(vec3_sub(scripted_frame(bodies, world, body).position, from));
}

// Pa: of a periodic cell; none if memory is lacking.
static double mean_stress(const scr_world *world)
{
    scr_stress s;
    if (scr_world_stress(world, &s, NULL) != SCR_OK) return 0.0;
    return (s.contact[0][0] + s.contact[1][1] + s.contact[2][2]) / 3.0;
}

static bool asks_for_rest(const scene_phase *phase) { return phase->speed < INFINITY; }

static bool is_reached(const phases *p, const scene *s, const scene_phase *phase, const scripted_bodies *bodies,
                       const sleeping *asleep, const scr_world *world)
{
    double half_step = 0.5 * scr_world_time_step(world);
    if (scr_world_time(world) - p->began_at[p->index] < phase->duration - half_step) return false;
    if (phase->travel.body >= 0 && travelled(p, bodies, world, phase->travel.body) < phase->travel.distance)
        return false;
    if (phase->force.body >= 0 && contact_force(bodies, asleep, world, phase->force.body) < phase->force.at_least)
        return false;
    if (phase->clearance.body >= 0 && clearance(s, &phase->clearance, bodies, world) > phase->clearance.distance)
        return false;
    if (phase->stress > 0.0 && mean_stress(world) < phase->stress) return false;
    return !(asks_for_rest(phase) && mean_speed(world) > phase->speed);
}

static void begin(phases *p, const scene *s, const scripted_bodies *bodies, const scr_world *world)
{
    const scene_phase *phase = &s->phases[p->index];
    p->began_at[p->index] = scr_world_time(world);
    p->held_since = INFINITY;
    if (phase->travel.body < 0) return;
    scr_vec3 from = scripted_frame(bodies, world, phase->travel.body).position;
    p->from[0] = from.x, p->from[1] = from.y, p->from[2] = from.z;
}

void phases_look(phases *p, const scene *s, const scripted_bodies *bodies, const sleeping *asleep,
                 const scr_world *world)
{
    if (p->table.count == 0 || p->ended_at < INFINITY) return;
    const scene_phase *phase = &s->phases[p->index];
    bool takes_a_pass = asks_for_rest(phase) || phase->clearance.body >= 0 || phase->stress > 0.0;
    if (takes_a_pass && scr_world_step_count(world) % STEPS_BETWEEN != 0) return;
    double now = scr_world_time(world), half_step = 0.5 * scr_world_time_step(world);
    if (!phase->has_end || !is_reached(p, s, phase, bodies, asleep, world)) p->held_since = INFINITY;
    else p->held_since = fmin(p->held_since, now);
    if (now - p->held_since > phase->hold - half_step) p->result[p->index] = PHASE_REACHED;
    else if (now - p->began_at[p->index] > phase->at_most - half_step) p->result[p->index] = PHASE_TIMED_OUT;
    if (p->result[p->index] == PHASE_OPEN) return;
    if (p->index + 1 < s->phase_count) {
        ++p->index;
        begin(p, s, bodies, world);
    } else {
        p->ended_at = now;
    }
}
