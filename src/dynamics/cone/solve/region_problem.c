// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/cone/solve/region_problem.h"

#include "core/arrays/colouring.h"

static scr_status find_lanes(region_problem *part, const problem *p, const contact_system *system, scr_error *error)
{
    if (part->knows_lanes) return SCR_OK;
    scr_status status = scr_grow_anew(&part->lane_of, &part->lane_capacity, system->contact_count,
                                      sizeof *part->lane_of, "sweeps", error);
    if (status != SCR_OK) return status;
    problem_lanes(p, system->contact_count, system->threads, part->lane_of);
    part->knows_lanes = true;
    return SCR_OK;
}

// sign: of the impulse on this side
static void push_side(region_problem *part, const problem *p, int32_t record, const grain_bundle *c,
                      const rolling_grain *m, int lane, float sign)
{
    int32_t number = record < p->body_count ? part->sub.number_of[p->touched.body_of[record]] : NO_BODY;
    if (number == NO_BODY) return;
    const wide_record *body = &p->record[record];
    wide_record *to = &part->outside[number];
    bool is_a = sign < 0.0f;
    float arm = is_a ? c->arm_a[lane] : c->arm_b[lane], reach = 0.0f;
    if (m != NULL) reach = is_a ? m->reach_a[lane] : m->reach_b[lane];
    for (int axis = 0; axis < 3; ++axis) {
        int next = (axis + 1) % 3, last = (axis + 2) % 3;
        float moment = c->n[next][lane] * c->g[last][lane] - c->n[last][lane] * c->g[next][lane];
        float turn = arm * moment + (m != NULL ? reach * m->q[axis][lane] : 0.0f);
        to->v[axis] += sign * body->v_factor * c->g[axis][lane];
        to->s[axis] += sign * body->s_factor * turn;
    }
}

static void push_lane(region_problem *part, const problem *p, int32_t at)
{
    int lane = at % LANES;
    const grain_bundle *c = &p->grain[at / LANES];
    const rolling_grain *m = p->rolls ? &p->rolling_grain[at / LANES] : NULL;
    push_side(part, p, c->a[lane], c, m, lane, -1.0f);
    push_side(part, p, c->b[lane], c, m, lane, 1.0f);
}

static bool is_moved(const wide_record *r)
{
    return r->v[0] != 0.0f || r->v[1] != 0.0f || r->v[2] != 0.0f || r->s[0] != 0.0f || r->s[1] != 0.0f ||
           r->s[2] != 0.0f;
}

// What the border does to bodies inside: by lanes where it has them, the rest by rows.
static scr_status push_border(region_problem *part, const problem *p, scr_error *error)
{
    system_region *region = &part->region;
    const contact_system *own = &part->sub.system;
    scr_status status = scr_grow_anew(&part->outside, &part->outside_capacity, own->body_count, sizeof *part->outside,
                                      "a region", error);
    if (status != SCR_OK) return status;
    bool has_rows = false;
    for (int64_t k = 0; k < own->body_count; ++k) part->outside[k] = (wide_record){0};
    for (int64_t k = 0; k < region->border_count; ++k) {
        int32_t at = part->lane_of[region->border[k]];
        if (at >= 0) push_lane(part, p, at);
        else region_push(region, &part->sub, region->border[k]), has_rows = true;
    }
    for (int64_t k = 0; k < own->body_count; ++k) {
        wide_record *record = &part->outside[k];
        twist *outside = &region->outside[k];
        if (!has_rows && !is_moved(record)) continue;
        double length = own->body(own->owner, k).length;
        const double v[3] = {outside->v.x, outside->v.y, outside->v.z},
                     w[3] = {outside->w.x, outside->w.y, outside->w.z};
        for (int axis = 0; axis < 3; ++axis) {
            record->v[axis] += (float)v[axis];
            record->s[axis] += (float)(w[axis] * length);
        }
        outside->v = vec3((double)record->v[0], (double)record->v[1], (double)record->v[2]);
        outside->w = vec3((double)record->s[0] / length, (double)record->s[1] / length, (double)record->s[2] / length);
    }
    return SCR_OK;
}

scr_status region_problem_open(region_problem *part, const problem *p, const contact_system *whole, scr_error *error)
{
    subsystem *sub = &part->sub;
    scr_status status = find_lanes(part, p, whole, error);
    if (status == SCR_OK) status = region_enter(&part->region, sub, whole, error);
    if (status == SCR_OK) status = push_border(part, p, error);
    if (status != SCR_OK) return status;
    sub->system.threads = whole->threads;
    const packed_part packed = {p, part->lane_of, part->region.contact, sub->number_of, part->outside};
    return problem_build_part(&part->problem, &sub->system, &packed, error);
}

void region_problem_free(region_problem *part)
{
    region_free(&part->region);
    subsystem_free(&part->sub);
    problem_free(&part->problem);
    scr_free(part->lane_of);
    scr_free(part->outside);
    *part = (region_problem){0};
}
