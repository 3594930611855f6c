// SPDX-License-Identifier: BSD-3-Clause
// Contacts of grains of the bed with each other and with its walls, listed when somebody asks: where grains are now,
// with the forces that the law gives for the springs as they are. The step itself never writes them down.
#include "core/base/threads.h"
#include "dynamics/penalty/stages/penalty_stages.h"
#include "dynamics/world/world.h"

typedef struct listed_pair {
    const grain_spring *spring;
    int64_t other;        // body
    scr_vec3 n, point;    // normal; m
    double overlap;       // m
    double radius, mass;  // m, kg; R* and m*
    uint16_t material;    // of the other one
} listed_pair;

static void put3(real3 *v, int lane, scr_vec3 value)
{
    v->x[lane] = value.x, v->y[lane] = value.y, v->z[lane] = value.z;
}

// How two grains lie, as the passes see it: the contact's point divides their distance like the radii.
static bool grains_touch(const scr_world *world, const grain_spring *s, listed_pair *pair)
{
    const grain_bed *bed = &world->grains.bed;
    const grain_record *a = grain_motion(bed, s->a), *b = grain_motion(bed, s->b);
    scr_vec3 at = body_position(&world->bodies, s->a),
             way = period_offset(&world->colliders.period, vec3_sub(body_position(&world->bodies, s->b), at));
    double d = vec3_norm(way), both = a->radius + b->radius;
    if (!(d > 0.0 && (d < both || (bed->options.jkr && s->in_touch)))) return false;
    *pair = (listed_pair){s,
                          s->b,
                          vec3_scale(1.0 / d, way),
                          vec3_add_scaled(at, a->radius / both, way),
                          both - d,
                          a->radius * b->radius / both,
                          1.0 / (a->inv_mass + b->inv_mass),
                          bed->material[s->b]};
    return true;
}

static bool touches_wall(const scr_world *world, const grain_spring *s, listed_pair *pair)
{
    const grain_record *g = grain_motion(&world->grains.bed, s->a);
    const grain_wall *wall = &world->grains.bed.walls.wall[-1 - s->b];
    scr_vec3 up = vec3(wall->n[0], wall->n[1], wall->n[2]), at = body_position(&world->bodies, s->a);
    double overlap = g->radius - (vec3_dot(up, at) - wall->offset);
    if (!(overlap > 0.0 || (world->grains.bed.options.jkr && s->in_touch))) return false;
    *pair = (listed_pair){s,
                          world->colliders.body[wall->collider],
                          vec3_scale(-1.0, up),
                          vec3_add_scaled(at, 0.5 * overlap - g->radius, up),
                          overlap,
                          g->radius,
                          1.0 / g->inv_mass,
                          wall->material};
    return true;
}

static void fill_lane(const scr_world *world, const listed_pair *pair, contact_pack *pack, int lane)
{
    const grain_bed *bed = &world->grains.bed;
    const grain_spring *s = pair->spring;
    double least = s->b < 0 ? pair->radius : fmin(grain_motion(bed, s->a)->radius, grain_motion(bed, s->b)->radius);
    const material_pair *both = materials_pair(&world->materials, bed->material[s->a], pair->material);
    law_coefficients law = law_of_pair(both, &world->def.contact, pair->radius, pair->mass, least);
    law_lanes_set(&pack->law, lane, &law);
    pack->overlap[lane] = pair->overlap;
    put3(&pack->n, lane, pair->n);
    const int64_t side[2] = {s->a, pair->other};
    scr_vec3 v[2];
    for (int k = 0; k < 2; ++k)
        v[k] = contact_velocity(&world->colliders, pair->point, body_position(&world->bodies, side[k]),
                                body_twist(&world->bodies, side[k]));
    put3(&pack->u, lane, vec3_sub(v[1], v[0]));
    put3(&pack->w, lane, vec3_sub(body_spin(&world->bodies, pair->other), body_spin(&world->bodies, s->a)));
    put3(&pack->spring, lane, vec3(s->stretch[0], s->stretch[1], s->stretch[2]));
    put3(&pack->roll, lane, vec3(s->roll[0], s->roll[1], s->roll[2]));
    pack->in_touch[lane] = s->in_touch ? -1 : 0;
}

static void list_pack(scr_world *world, const listed_pair *pair, int count)
{
    grain_world *g = &world->grains;
    law_options options = g->bed.options;
    options.stretch_time = 0.0;
    contact_pack pack = {0};
    for (int lane = 0; lane < count; ++lane) fill_lane(world, &pair[lane], &pack, lane);
    world->penalty.law(&options, &pack);
    for (int lane = 0; lane < count; ++lane) {
        if (pack.in_touch[lane] == 0) continue;  // a neck that has torn since
        const scr_body *handle = world->bodies.handle;
        g->contacts.contact[g->contacts.count++] =
            (grain_contact){.a = handle[pair[lane].spring->a],
                            .b = handle[pair[lane].other],
                            .point = pair[lane].point,
                            .normal = pair[lane].n,
                            .gap = -pair[lane].overlap,
                            .force = vec3(pack.force.x[lane], pack.force.y[lane], pack.force.z[lane]),
                            .torque = vec3(pack.torque.x[lane], pack.torque.y[lane], pack.torque.z[lane])};
        g->contacts.elastic_energy += pack.energy[lane];
    }
}

static scr_status list_contacts(scr_world *world, scr_error *error)
{
    (void)error;  // its memory was taken in the step
    grain_world *g = &world->grains;
    listed_pair pair[REAL_LANES];
    int count = 0;
    g->contacts.count = 0;
    g->contacts.elastic_energy = 0.0;
    grain_bed_springs(&g->bed, true, world->threads);
    for (int64_t k = 0; k < g->bed.spring_count; ++k) {
        const grain_spring *s = &g->bed.spring[k];
        if (!(s->b < 0 ? touches_wall(world, s, &pair[count]) : grains_touch(world, s, &pair[count]))) continue;
        if (++count < REAL_LANES) continue;
        list_pack(world, pair, count);
        count = 0;
    }
    if (count > 0) list_pack(world, pair, count);
    return SCR_OK;
}

const grain_contacts *world_grain_contacts(const scr_world *world)
{
    static const grain_contacts none = {0};
    if (!world->grains.is_loaded || world->grains.bed.steps == 0 || world->grains.bed.changes.are_pending) return &none;
    world_show_bodies(world);
    world_bring_up(world, &world->self->grains.contacts_are_behind, list_contacts, NULL);
    return &world->grains.contacts;
}

void add_grain_contacts(const scr_world *world, scr_body body, scr_vec3 *force, scr_vec3 *torque)
{
    const grain_contacts *all = world_grain_contacts(world);
    scr_vec3 centre = body_position(&world->bodies, body_slot(&world->bodies, body));
    for (int64_t k = 0; k < all->count; ++k) {
        const grain_contact *c = &all->contact[k];
        bool is_a = c->a.index1 == body.index1, is_b = c->b.index1 == body.index1;
        if (!is_a && !is_b) continue;
        scr_vec3 f = vec3_scale(is_b ? 1.0 : -1.0, c->force);
        *force = vec3_add(*force, f);
        scr_vec3 lever = period_offset(&world->colliders.period, vec3_sub(c->point, centre));
        *torque = vec3_add(*torque, vec3_cross(lever, f));
        *torque = vec3_add_scaled(*torque, is_b ? 1.0 : -1.0, c->torque);
    }
}

void add_wall_sums(const scr_world *world, int64_t body, scr_vec3 *force, scr_vec3 *torque)
{
    const grain_bed *bed = &world->grains.bed;
    scr_vec3 centre = body_position(&world->bodies, body);
    for (int32_t w = 0; w < bed->walls.count && bed->steps > 0; ++w) {
        if (world->colliders.body[bed->walls.wall[w].collider] != body) continue;
        const wall_push *p = &bed->wall_sum[w];
        scr_vec3 f = vec3(p->force[0], p->force[1], p->force[2]),
                 moment = vec3(p->moment[0], p->moment[1], p->moment[2]);
        *force = vec3_add(*force, f);
        *torque = vec3_add(*torque, vec3_sub(moment, vec3_cross(centre, f)));
    }
}
