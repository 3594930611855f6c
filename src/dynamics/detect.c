// Detection as a stage of the step: who is near whom, and where they touch.
//
// Contacts are looked for along the way that bodies would go without contacts. A contact may send a body elsewhere: a grain
// at rest is struck, one bounces back. If that takes it farther than its own size, it could pass through others unseen;
// so detection and solution are then done again, with everybody looking as much further as contacts have been found to
// send it off: its kick, the distance of its new way's end from its free way.
// The penalty law asks for less: who overlaps where bodies are half way, or is so near that adhesion may still hold it.
#include "collision/reduction.h"
#include "core/threads.h"
#include "dynamics/world.h"

static const double NECK_ROOM = 1.01;  // times the widest gap over which adhesion holds: for rounding
enum { MORE_PATIENCE = 3 };  // times as many sweeps for the next look, if contacts did not hold

static scr_status grow_collider_motion(scr_world *world, scr_error *error)
{
    collider_motion *m = &world->collider_motion;
    int64_t n = world->colliders.table.count, capacity = m->capacity;
    scr_status status = scr_grow(&m->is_dynamic, &m->dynamic_capacity, world->bodies.table.count, 1, "collider motion", error);
    if (status == SCR_OK) status = scr_grow(&m->closing, &capacity, n, sizeof *m->closing, "collider motion", error);
    capacity = m->capacity;
    if (status == SCR_OK) status = scr_grow(&m->kick, &capacity, n, sizeof *m->kick, "collider motion", error);
    capacity = m->capacity;
    if (status == SCR_OK) status = scr_grow(&m->no_room, &capacity, n, sizeof *m->no_room, "collider motion", error);
    capacity = m->capacity;
    if (status == SCR_OK) status = scr_grow(&m->reach, &capacity, n, sizeof *m->reach, "collider motion", error);
    capacity = m->capacity;
    if (status == SCR_OK) status = scr_grow(&m->travel, &capacity, n, sizeof *m->travel, "collider motion", error);
    capacity = m->capacity;
    if (status == SCR_OK) status = scr_grow(&m->is_moved, &capacity, n, sizeof *m->is_moved, "collider motion", error);
    if (status == SCR_OK) m->capacity = capacity;
    return status;
}

// How fast the farthest point of a collider moves, at most. A plane has no farthest point: how fast a turning one comes
// is known only where a body is, so it looks everywhere.
static double surface_speed(const scr_world *world, int64_t k)
{
    const new_motion *m = &world->motion;
    const colliders *c = &world->colliders;
    int32_t body = c->body[k];
    double v = vec3_norm(vec3(m->vx[body], m->vy[body], m->vz[body])), w = vec3_norm(vec3(m->wx[body], m->wy[body], m->wz[body]));
    if (w == 0.0 || c->kind[k] == SCR_PLANE) return v;
    scr_vec3 arm = vec3(c->ball[k].x - world->bodies.x[body], c->ball[k].y - world->bodies.y[body],
                        c->ball[k].z - world->bodies.z[body]);
    return v + w * (vec3_norm(arm) + c->radius[k]);
}

static bool plane_turns(const scr_world *world, int64_t k)
{
    const new_motion *m = &world->motion;
    int32_t body = world->colliders.body[k];
    return world->colliders.kind[k] == SCR_PLANE && (m->wx[body] != 0.0 || m->wy[body] != 0.0 || m->wz[body] != 0.0);
}

// How far ahead contacts are looked for.
typedef struct look_ahead {
    double time;      // s
    double envelope;  // share of the smaller radius
} look_ahead;

// The R* of any contact of a collider is no larger than this. What is flat takes the other's, unless that is flat, too.
static double largest_radius(const scr_world *world, int64_t k)
{
    const colliders *c = &world->colliders;
    double r = contact_radius(c, k);
    if (isfinite(r)) return r;
    return world->bodies.inv_mass[c->body[k]] > 0.0 ? c->radius[k] : 0.0;
}

// The share of the smallest radius that covers the widest gap over which adhesion holds.
static double adhesive_share(const scr_world *world)
{
    const materials *m = &world->materials;
    const colliders *c = &world->colliders;
    double least = INFINITY, largest = 0.0, stickiest = 0.0;
    if (world->def.contact.adhesion != SCR_JKR || m->max_surface_energy == 0.0) return 0.0;
    for (int64_t k = 0; k < m->table.count * m->table.count; ++k)
        if (m->meeting[k].modulus > 0.0) stickiest = fmax(stickiest, m->meeting[k].surface_energy / m->meeting[k].modulus);
    for (int64_t k = 0; k < c->table.count; ++k) {
        least = fmin(least, c->radius[k]);
        largest = fmax(largest, largest_radius(world, k));
    }
    return largest > 0.0 ? NECK_ROOM * jkr_overlap_of(stickiest, largest) / 3.0 / least : 0.0;
}

static look_ahead look_ahead_of(const scr_world *world)
{
    if (world_is_penalty(world)) return (look_ahead){0.0, adhesive_share(world)};
    return (look_ahead){world->def.time_step, world->def.contact.envelope};
}

static void measure_collider(scr_world *world, int64_t k, look_ahead ahead)
{
    const colliders *c = &world->colliders;
    collider_motion *m = &world->collider_motion;
    double h = world->def.time_step, grow = ahead.time * (1.0 + world->materials.max_friction);
    m->is_moved[k] = world->bodies.inv_mass[c->body[k]] > 0.0;
    double speed = surface_speed(world, k);
    // The smaller of two radii sets the envelope of a pair, and one of the two is dynamic: its own covers it.
    double envelope = m->is_moved[k] ? ahead.envelope * c->radius[k] : 0.0;
    double kick = m->has_kicks ? (double)m->kick[k] : 0.0;
    m->closing[k] = ahead.time > 0.0 && plane_turns(world, k) ? INFINITY : (float)(1.0001 * (grow * speed + kick));
    m->reach[k] = (float)(1.0001 * envelope) + m->closing[k];
    m->travel[k] = (float)(h * speed);
}

void measure_motion(scr_world *world, const int32_t *which, int64_t count)
{
    collider_motion *m = &world->collider_motion;
    look_ahead ahead = look_ahead_of(world);
#pragma omp parallel num_threads(world->threads)
    {
        if (which == NULL) {
#pragma omp for schedule(static) nowait
            for (int64_t i = 0; i < world->bodies.table.count; ++i) m->is_dynamic[i] = world->bodies.inv_mass[i] > 0.0;
        }
#pragma omp for schedule(static)
        for (int64_t k = 0; k < count; ++k) measure_collider(world, which != NULL ? which[k] : k, ahead);
    }
}

void widen_margins(scr_world *world, int64_t first, double room)
{
    for (int64_t k = first; k < world->colliders.table.count; ++k)
        world->collider_motion.travel[k] = (float)(room / MARGIN_STEPS * world->colliders.radius[k]);
}

neighbour_motion world_neighbour_motion(const scr_world *world)
{
    const collider_motion *m = &world->collider_motion;
    return (neighbour_motion){.reach = m->reach, .travel = m->travel, .is_moved = m->is_moved};
}

scr_status find_pairs(scr_world *world, scr_error *error)
{
    scr_status status = grow_collider_motion(world, error);
    if (status != SCR_OK) return status;
    if (world->grains.is_loaded) return find_pairs_outside_bed(world, error);
    measure_motion(world, NULL, world->colliders.table.count);
    neighbour_motion motion = world_neighbour_motion(world);
    return neighbours_update(&world->neighbours, &world->colliders, &motion, world->threads, error);
}

static approach approach_of(const scr_world *world)
{
    const new_motion *m = &world->motion;
    body_poses at = world_poses(world);
    look_ahead ahead = look_ahead_of(world);
    return (approach){
        m->vx, m->vy, m->vz, m->wx, m->wy, m->wz, at.x, at.y, at.z, world->collider_motion.is_dynamic,
        world->collider_motion.closing, ahead.time, ahead.envelope, world->materials.max_friction,
        world->collider_motion.has_kicks ? world->collider_motion.kick : NULL,
    };
}

scr_status find_contacts(scr_world *world, scr_error *error)
{
    approach motion = approach_of(world);
    return contacts_find(&world->contacts, &world->colliders, &world->neighbours, &motion, world->threads, error);
}

scr_status reduce_contacts(scr_world *world, scr_error *error)
{
    const scr_contact_def *contact = &world->def.contact;
    reduction_rule rule = {contact->max_per_pair, contact->reduction, (uint64_t)world->step_count};
    approach motion = approach_of(world);
    return contacts_reduce(&world->contacts, &world->colliders, &world->cache, &motion, &rule, &world->scratch,
                           world->threads, error);
}

void forget_kicks(scr_world *world)
{
    world->collider_motion.has_kicks = false;
    world->collider_motion.patience = 1;
}

// What another body would have to go through: half the thickness of a shape.
static double half_thickness(const colliders *c, int64_t k)
{
    if (c->place[k] == NO_PLACE || c->kind[k] == SCR_SPHERE) return c->radius[k];
    const double *half = c->places.half + 3 * c->place[k];
    double least = fmin(half[0], fmin(half[1], half[2]));
    return least > 0.0 ? least : c->radius[k];
}

// How far the end of a way is from another way that begins at the same place.
static double distance_from_way(scr_vec3 end, scr_vec3 way)
{
    double length2 = vec3_dot(way, way), along = length2 > 0.0 ? vec3_dot(end, way) / length2 : 0.0;
    return vec3_norm(vec3_add_scaled(end, -fmin(fmax(along, 0.0), 1.0), way));
}

static double kick_of(const scr_world *world, int64_t k)
{
    const bodies *b = &world->bodies;
    const colliders *c = &world->colliders;
    const new_motion *m = &world->motion;
    int32_t i = c->body[k];
    double h = world->def.time_step;
    scr_vec3 way = vec3_scale(h, vec3(m->vx[i], m->vy[i], m->vz[i]));
    // A push by hand is taken for a kick: no harm but a second look.
    scr_vec3 free_way = vec3_scale(h, vec3_add_scaled(body_velocity(b, i), h, scr_world_gravity(world)));
    double kick = distance_from_way(way, free_way);
    if (collider_is_grain(c, k)) return kick;
    scr_vec3 spin = vec3_sub(vec3(m->wx[i], m->wy[i], m->wz[i]), body_spin(b, i));
    scr_vec3 arm = vec3_sub(vec3(c->ball[k].x, c->ball[k].y, c->ball[k].z), body_position(b, i));
    return kick + h * vec3_norm(spin) * (vec3_norm(arm) + c->radius[k]);
}

// Do the new velocities take two bodies through each other, although their contact is known?
static bool goes_through(const scr_world *world, int64_t i)
{
    const contacts *set = &world->contacts;
    const colliders *c = &world->colliders;
    const new_motion *m = &world->motion;
    scr_vec3 point = contact_point_of(set, c, i), v[2];
    const int32_t side[2] = {set->a[i], set->b[i]};
    for (int s = 0; s < 2; ++s) {
        int32_t body = c->body[side[s]];
        scr_vec3 arm = vec3_sub(point, body_position(&world->bodies, body));
        v[s] = vec3_add(vec3(m->vx[body], m->vy[body], m->vz[body]), vec3_cross(vec3(m->wx[body], m->wy[body], m->wz[body]), arm));
    }
    const double *n = set->normal + 3 * i;
    double closing = -vec3_dot(vec3_sub(v[1], v[0]), vec3(n[0], n[1], n[2]));
    double room = fmin(half_thickness(c, side[0]), half_thickness(c, side[1]));
    return closing > 0.0 && world->def.time_step * closing > fmax(set->gap[i], 0.0) + 0.5 * room;
}

// Contacts that do not hold: they ask for more than can be, so that whoever is in one of them bounces no more in this
// step; or the solver needs more time.
static bool some_go_through(scr_world *world)
{
    const contacts *set = &world->contacts;
    collider_motion *m = &world->collider_motion;
    bool some = false;
    for (int64_t i = 0; i < set->count; ++i) {
        if (!goes_through(world, i)) continue;
        m->no_room[set->a[i]] = m->no_room[set->b[i]] = 1;
        some = true;
    }
    if (some) m->patience *= MORE_PATIENCE;
    return some;
}

static double known_kick(const collider_motion *m, int64_t k) { return m->has_kicks ? (double)m->kick[k] : 0.0; }

static bool goes_unseen(const scr_world *world, int64_t k)
{
    const collider_motion *m = &world->collider_motion;
    const new_motion *v = &world->motion;
    const colliders *c = &world->colliders;
    int32_t i = c->body[k];
    double h = world->def.time_step, r = c->radius[k];
    double speed2 = v->vx[i] * v->vx[i] + v->vy[i] * v->vy[i] + v->vz[i] * v->vz[i];
    if (collider_is_grain(c, k) && h * h * speed2 <= r * r) return false;  // most grains do not even go that far
    return m->is_moved[k] && kick_of(world, k) > known_kick(m, k) + half_thickness(c, k);
}

static bool some_go_unseen(const scr_world *world)
{
    bool some = false;
#pragma omp parallel for num_threads(world->threads) schedule(static) reduction(|| : some)
    for (int64_t k = 0; k < world->colliders.table.count; ++k) some = some || goes_unseen(world, k);
    return some;
}

static void set_kicks(scr_world *world)
{
    collider_motion *m = &world->collider_motion;
    for (int64_t k = 0; k < world->colliders.table.count; ++k) {
        m->kick[k] = (float)(goes_unseen(world, k) ? kick_of(world, k) : known_kick(m, k));
        if (!m->has_kicks) m->no_room[k] = 0;
    }
    m->has_kicks = true;
}

bool must_look_further(scr_world *world)
{
    bool do_not_hold = world->collider_motion.has_kicks && some_go_through(world), unseen = some_go_unseen(world);
    if (unseen) set_kicks(world);
    return do_not_hold || unseen;
}
