// SPDX-License-Identifier: BSD-3-Clause
// The chains of a scene.
#include "scene/parts/chain_drives.h"

#include <math.h>

#include "core/maths/quat.h"
#include "core/maths/trig.h"
#include "core/maths/vec3.h"
#include "scene/model/messages.h"
#include "scene/parts/list_table.h"

static const double TWO_PI = 6.28318530717958647692;
// Of the spacing of seats: a pin holds so long; may be so far from its seat when it takes over; and at the start, when
// there is no reason yet why it should be off at all.
static const double HOLDS_FOR = 0.6, NEAR = 0.25, NEAR_AT_START = 0.05;

static const field_info fields[] = {
    FIELD_WIDE(chain_drives, seat, FIELD_U32, 2, ""),
    FIELD(chain_drives, turn, FIELD_I64, ""),
    FIELD(chain_drives, phase, FIELD_F64, "rad"),
    FIELD(chain_drives, begun, FIELD_F64, "rad"),
};

scr_status chain_drives_init(chain_drives *c, const scene *s, scr_error *error)
{
    *c = (chain_drives){0};
    c->table = (table){"chain_drives", fields, sizeof fields / sizeof *fields, c, 0, 0, false};
    return list_table_init(&c->table, s->chain_drive_count, error);
}

void chain_drives_free(chain_drives *c) { table_free(&c->table); }

static double spacing_of(const scene_chain_drive *chain) { return TWO_PI / chain->teeth; }

static int pin_at(const scene_chain_drive *chain, int64_t turn)
{
    int64_t k = turn % chain->pin_count;
    return chain->pin[k < 0 ? k + chain->pin_count : k];
}

// rad, -pi to pi: of a point about the sprocket's axis, in the frame on the sprocket.
static double angle_on(const scr_frame *sprocket, scr_vec3 point)
{
    scr_vec3 seen = quat_unrotate(sprocket->rotation, vec3_sub(point, sprocket->position));
    return scr_atan2(seen.y, seen.x);
}

static double between_half_turns(double angle) { return angle - TWO_PI * round(angle / TWO_PI); }

// Is a pin where its seat is?
static bool is_seated(const scene_chain_drive *chain, const scr_joint_state *sprocket, const scr_joint_state *pin,
                      double seat_angle, double near)
{
    double off = between_half_turns(angle_on(&sprocket->frame_b, pin->frame_b.position) - seat_angle);
    return fabs(off) <= near * spacing_of(chain);
}

static scr_status hold(const scene *s, int64_t i, const scripted_bodies *bodies, const scr_joint_state *sprocket,
                       const scr_joint_state *pin, int pin_joint, double seat_angle, scr_world *world, scr_joint *seat,
                       scr_error *error)
{
    const scene_chain_drive *chain = &s->chain_drives[i];
    double sine, cosine;
    scr_sincos(seat_angle, &sine, &cosine);
    scr_vec3 across = quat_rotate(sprocket->frame_b.rotation, vec3(-sine, cosine, 0.0));
    scr_joint_def def =
        scr_joint_at(SCR_JOINT_POINT_ON_PLANE, bodies->handle[s->joints[chain->sprocket].end[1].body],
                     bodies->handle[s->joints[pin_joint].end[1].body], sprocket->frame_b.position, across);
    def.frame_b.position = pin->frame_b.position;
    def.collide = true;
    scr_error reason;
    scr_status status = scr_world_add_joint(world, &def, seat, &reason);
    if (status == SCR_OK) return SCR_OK;
    return scene_fail(error, status, s, chain->location, "%s: %s", label_of("chain drive", chain->name, i).text,
                      reason.message);
}

// The pin of this turn takes over from whichever was held.
static scr_status take_over(chain_drives *c, const scene *s, int64_t i, const scripted_bodies *bodies, const linkage *l,
                            const scr_joint_state *sprocket, int64_t turn, scr_world *world, scr_error *error)
{
    const scene_chain_drive *chain = &s->chain_drives[i];
    int pin_joint = pin_at(chain, turn);
    double seat_angle = c->phase[i] - (double)turn * spacing_of(chain);
    scr_joint seat = {0, 0};
    scr_joint_state pin;
    bool is_there = scr_joint_get_state(world, l->joint[pin_joint], &pin, NULL) == SCR_OK && !sprocket->is_broken &&
                    is_seated(chain, sprocket, &pin, seat_angle, NEAR);
    if (is_there) {
        scr_status status = hold(s, i, bodies, sprocket, &pin, pin_joint, seat_angle, world, &seat, error);
        if (status != SCR_OK) return status;
    }
    scr_world_remove_joint(world, c->seat[i], NULL);  // a stale one is gone with its body
    c->seat[i] = seat;
    c->turn[i] = turn;
    return SCR_OK;
}

// The pins on either side of the one that is held are seated, too, if the list goes round the ring the right way.
static scr_status check_order(const chain_drives *c, const scene *s, int64_t i, const linkage *l,
                              const scr_joint_state *sprocket, int64_t held, const scr_world *world, scr_error *error)
{
    const scene_chain_drive *chain = &s->chain_drives[i];
    for (int64_t turn = held - 1; turn <= held + 1; ++turn) {
        scr_joint_state pin;
        scr_status status = scr_joint_get_state(world, l->joint[pin_at(chain, turn)], &pin, error);
        if (status != SCR_OK) return status;
        if (is_seated(chain, sprocket, &pin, c->phase[i] - (double)turn * spacing_of(chain), NEAR_AT_START)) continue;
        return scene_fail(error, SCR_BAD_INPUT, s, chain->location,
                          "%s: %s is not a tooth from the pin that is held first; pins are listed as they come to the "
                          "sprocket, and the first, the second and the last of them are on it",
                          label_of("chain drive", chain->name, i).text, label_of_joint(s, pin_at(chain, turn)).text);
    }
    return SCR_OK;
}

scr_status chain_drives_look(chain_drives *c, const scene *s, const linkage *l, const scr_world *world,
                             scr_error *error)
{
    scr_status status = SCR_OK;
    for (int64_t i = 0; i < s->chain_drive_count && status == SCR_OK; ++i) {
        const scene_chain_drive *chain = &s->chain_drives[i];
        scr_joint_state sprocket, first;
        status = scr_joint_get_state(world, l->joint[chain->sprocket], &sprocket, error);
        if (status == SCR_OK) status = scr_joint_get_state(world, l->joint[chain->pin[0]], &first, error);
        if (status == SCR_OK) c->phase[i] = angle_on(&sprocket.frame_a, first.frame_b.position);
    }
    return status;
}

// The pin that is nearest to where the first one is drawn.
static scr_status find_first_turn(const chain_drives *c, const scene *s, int64_t i, const linkage *l,
                                  const scr_joint_state *sprocket, const scr_world *world, int64_t *turn,
                                  scr_error *error)
{
    const scene_chain_drive *chain = &s->chain_drives[i];
    scr_status status = SCR_OK;
    double nearest = INFINITY;
    *turn = 0;
    if (!s->bodies[s->joints[chain->sprocket].end[1].body].has_start) return SCR_OK;
    for (int k = 0; k < chain->pin_count && status == SCR_OK; ++k) {
        scr_joint_state pin;
        status = scr_joint_get_state(world, l->joint[chain->pin[k]], &pin, error);
        if (status != SCR_OK) break;
        double off = fabs(between_half_turns(angle_on(&sprocket->frame_a, pin.frame_b.position) - c->phase[i]));
        if (off < nearest) nearest = off, *turn = k;
    }
    return status;
}

scr_status chain_drives_populate(chain_drives *c, const scene *s, const scripted_bodies *bodies, const linkage *l,
                                 scr_world *world, scr_error *error)
{
    scr_status status = SCR_OK;
    for (int64_t i = 0; i < s->chain_drive_count && status == SCR_OK; ++i) {
        const scene_chain_drive *chain = &s->chain_drives[i];
        scr_joint_state sprocket, pin;
        int64_t turn;
        status = scr_joint_get_state(world, l->joint[chain->sprocket], &sprocket, error);
        if (status == SCR_OK) status = find_first_turn(c, s, i, l, &sprocket, world, &turn, error);
        if (status == SCR_OK) status = scr_joint_get_state(world, l->joint[pin_at(chain, turn)], &pin, error);
        if (status != SCR_OK) return status;
        double turned = (double)turn * spacing_of(chain);
        c->begun[i] = sprocket.about - turned;
        c->phase[i] = angle_on(&sprocket.frame_b, pin.frame_b.position) + turned;
        status = check_order(c, s, i, l, &sprocket, turn, world, error);
        if (status == SCR_OK) status = take_over(c, s, i, bodies, l, &sprocket, turn, world, error);
    }
    return status;
}

scr_status chain_drives_run(chain_drives *c, const scene *s, const scripted_bodies *bodies, const linkage *l,
                            scr_world *world, scr_error *error)
{
    scr_status status = SCR_OK;
    for (int64_t i = 0; i < s->chain_drive_count && status == SCR_OK; ++i) {
        const scene_chain_drive *chain = &s->chain_drives[i];
        scr_joint_state sprocket;
        if (scr_joint_get_state(world, l->joint[chain->sprocket], &sprocket, NULL) != SCR_OK) continue;  // it is gone
        double turned = (sprocket.about - c->begun[i]) / spacing_of(chain);
        if (fabs(turned - (double)c->turn[i]) > HOLDS_FOR)
            status = take_over(c, s, i, bodies, l, &sprocket, llround(turned), world, error);
    }
    return status;
}

scr_status chain_drives_after_load(const chain_drives *c, const scene *s, scr_error *error)
{
    return list_table_check(&c->table, s->chain_drive_count, error);
}
