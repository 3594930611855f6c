// SPDX-License-Identifier: BSD-3-Clause
// What disturbs the cells of sleeping grains.
#include <math.h>

#include "dynamics/world/world.h"
#include "dynamics/world/world_state.h"
#include "scene/sleep/sleeping_pass.h"

static void disturb(sleeping *s, const scr_aabb *box, int64_t step)
{
    if (s->cells.table.count > 0 && sleep_cells_disturb(&s->cells, box, step)) s->must_wake = true;
}

static void disturb_all(sleeping *s, int64_t step)
{
    sleep_cells_disturb_all(&s->cells, step);
    s->must_wake = true;
}

// ---- events -------------------------------------------------------------------------------------------------------

static bool gravity_changed(sleeping *s, scr_vec3 now)
{
    scr_vec3 was = vec3(s->gravity[0], s->gravity[1], s->gravity[2]);
    if (vec3_norm(vec3_sub(now, was)) <= s->def->force * vec3_norm(was)) return false;
    s->gravity[0] = now.x, s->gravity[1] = now.y, s->gravity[2] = now.z;
    return true;
}

static bool body_was_removed(sleeping *s, const scr_world *world, const scr_body *handle)
{
    int64_t there = 0, before = s->listed;
    for (int k = 0; k < s->scene->body_count; ++k) there += scr_body_is_alive(world, handle[k]);
    s->listed = there;
    return there < before;
}

static bool sink_opens(const sleeping *s, const scr_world *world)
{
    double half = 0.5 * scr_world_time_step(world), time = scr_world_time(world);
    for (int k = 0; k < s->scene->sink_count; ++k)
        if (fabs(time - s->scene->sinks[k].start) <= half) return true;
    return false;
}

static bool state_was_set(sleeping *s, const scr_world *world)
{
    int64_t before = s->states_set;
    s->states_set = world_states_set(world);
    return s->states_set != before;
}

void disturb_by_events(sleeping *s, const scr_world *world, const scr_body *handle)
{
    bool happened = gravity_changed(s, scr_world_gravity(world));
    happened = body_was_removed(s, world, handle) || happened;
    happened = state_was_set(s, world) || happened;
    if (happened || sink_opens(s, world)) disturb_all(s, scr_world_step_count(world));
}

// ---- motion -------------------------------------------------------------------------------------------------------

static scr_aabb grown(scr_aabb box, double by)
{
    scr_vec3 margin = vec3(by, by, by);
    return (scr_aabb){vec3_sub(box.low, margin), vec3_add(box.high, margin)};
}

// m/s: how fast a point of the collider may be
static double collider_speed(const bodies *b, int64_t body, scr_vec3 centre, double radius)
{
    double spin = vec3_norm(vec3(b->wx[body], b->wy[body], b->wz[body])), speed = vec3_norm(body_velocity(b, body));
    if (spin == 0.0) return speed;
    return speed + spin * (vec3_norm(vec3_sub(centre, body_position(b, body))) + radius);
}

// The places of those colliders of a body that are faster than some speed, and where they are until the next look.
static void disturb_by_body(sleeping *s, const scr_world *world, int64_t body, double faster_than)
{
    const bodies *b = &world->bodies;
    double ahead = (double)s->look_interval * scr_world_time_step(world);
    for (int32_t k = b->first_collider[body]; k < b->first_collider[body] + b->collider_count[body]; ++k) {
        int64_t of;
        placed_shape shape = world_placed_shape(world, k, &of);
        double speed = collider_speed(b, body, shape.pose.position, world->colliders.radius[k]);
        if (!(speed > faster_than)) continue;
        scr_aabb box = grown(placed_aabb(&shape), isfinite(speed) ? ahead * speed : 0.0);
        disturb(s, &box, scr_world_step_count(world));
    }
}

void disturb_by_prescribed_motion(sleeping *s, const scr_world *world, const scr_body *handle)
{
    for (int k = 0; k < s->scene->body_count; ++k) {
        int64_t i = body_slot(&world->bodies, handle[k]);
        if (i < 0) continue;
        if (world->bodies.kind[i] == SCR_KINEMATIC) disturb_by_body(s, world, i, 0.0);
        if (body_conveys(&world->bodies, i)) disturb_by_body(s, world, i, -1.0);
    }
}

static bool may_sleep(const sleeping *s, const scr_world *world, int64_t i)
{
    const bodies *b = &world->bodies;
    return b->id[i] > (uint64_t)s->scene->body_count && !b->is_joined[i] && body_is_grain(b, &world->colliders, i);
}

static void disturb_by_grain(sleeping *s, const scr_world *world, int64_t i)
{
    const bodies *b = &world->bodies;
    double speed = vec3_norm(body_velocity(b, i));
    if (!(speed > s->def->speed) && b->id[i] < (uint64_t)s->known_id) return;
    double reach =
        world->colliders.radius[b->first_collider[i]] + (double)s->look_interval * scr_world_time_step(world) * speed;
    scr_aabb box = grown((scr_aabb){body_position(b, i), body_position(b, i)}, reach);
    disturb(s, &box, scr_world_step_count(world));
}

void disturb_by_fast_bodies(sleeping *s, const scr_world *world)
{
    int64_t count = scr_world_bodies(world).count;  // brings them up to date
    for (int64_t i = 0; i < count; ++i) {
        if (world->bodies.kind[i] != SCR_DYNAMIC) continue;
        ++s->bodies_looked_at;
        if (may_sleep(s, world, i)) disturb_by_grain(s, world, i);
        else disturb_by_body(s, world, i, s->def->speed);
    }
    s->known_id = (int64_t)world_next_body_id(world);
}

// ---- loads --------------------------------------------------------------------------------------------------------

static scr_status reserve_sums(sleeping *s, scr_error *error)
{
    int64_t had = s->stamp_capacity, n = s->grains.table.count;
    scr_status status = scr_grow(&s->sum, &s->sum_capacity, 3 * n, sizeof *s->sum, "loads of sleeping grains", error);
    if (status == SCR_OK)
        status = scr_grow(&s->stamp, &s->stamp_capacity, n, sizeof *s->stamp, "loads of sleeping grains", error);
    for (int64_t e = had; status == SCR_OK && e < s->stamp_capacity; ++e) s->stamp[e] = -1;
    return status;
}

static void begin_sum(sleeping *s, int64_t e, int64_t step)
{
    if (s->stamp[e] == step) return;
    s->stamp[e] = step;
    s->sum[3 * e] = s->sum[3 * e + 1] = s->sum[3 * e + 2] = 0.0;
}

static void judge_load(sleeping *s, int64_t e, int64_t step)
{
    const double *now = s->sum + 3 * e, *then = s->grains.reference + 3 * e;
    double change = vec3_norm(vec3(now[0] - then[0], now[1] - then[1], now[2] - then[2]));
    if (change > s->def->force * s->grains.carried[e] && sleep_cell_disturb(&s->cells, s->grains.cell[e], step))
        s->must_wake = true;
}

scr_status disturb_by_loads(sleeping *s, const scr_world *world, scr_error *error)
{
    int64_t step = scr_world_step_count(world);
    body_numbers numbers = sleeper_numbers(&s->grains);
    if (s->grains.table.count == 0) return SCR_OK;
    scr_status status = reserve_sums(s, error);
    if (status == SCR_OK) status = world_find_still_loads(world, &numbers, &s->loads, error);
    if (status != SCR_OK) return status;
    s->contacts_looked_at += s->loads.count;
    for (int64_t k = 0; k < s->grains.bordering_count; ++k) begin_sum(s, s->grains.bordering[k], step);
    for (int64_t k = 0; k < s->loads.count; ++k) {
        const still_load *load = &s->loads.item[k];
        double *sum = s->sum + 3 * (int64_t)load->number;
        begin_sum(s, load->number, step);
        sum[0] += load->force.x, sum[1] += load->force.y, sum[2] += load->force.z;
    }
    for (int64_t k = 0; k < s->grains.bordering_count; ++k) judge_load(s, s->grains.bordering[k], step);
    for (int64_t k = 0; k < s->loads.count; ++k) judge_load(s, s->loads.item[k].number, step);
    return SCR_OK;
}
