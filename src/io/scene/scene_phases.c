// SPDX-License-Identifier: BSD-3-Clause
// Phases of a run: their names first, which functions of time may use, and when they end once bodies have names.
#include <math.h>

#include "io/scene/scene_sections.h"

void read_phases(scene_reading *reading, json_cursor *root)
{
    scene *s = reading->scene;
    name_index names = {json_object(), "phase"};
    if (json_object_get(root->document->root, "phases") != NULL) {
        json_cursor list = cursor_list(root, "phases");
        s->phases = cursor_new_array(&list, list.count, sizeof *s->phases, "phases");
        for (size_t k = 0; k < list.count && cursor_is_ok(root); ++k) {
            json_cursor at = cursor_object_entry(&list, k);
            s->phases[k].location = cursor_location(&at);
            s->phase_count = (int)k + 1;
            read_name(&at, &names, (int)k, true, s->phases[k].name);
        }
    }
    json_decref(names.by_name);
}

// What `until` waits for of a body; false: it does not.
static bool open_condition(scene_reading *reading, json_cursor *until, const char *key, json_cursor *at, int *body)
{
    *body = -1;
    if (!cursor_has(until, key)) return false;
    *at = cursor_object(until, key);
    *body = read_name_of(at, "body", &reading->bodies);
    return true;
}

static phase_force read_force(scene_reading *reading, json_cursor *until)
{
    phase_force force = {0};
    json_cursor at;
    if (!open_condition(reading, until, "force", &at, &force.body)) return force;
    force.at_least = cursor_needed_number(&at, "at_least", RANGE_POSITIVE);
    cursor_close(&at);
    return force;
}

static phase_travel read_travel(scene_reading *reading, json_cursor *until)
{
    phase_travel travel = {0};
    json_cursor at;
    if (!open_condition(reading, until, "travel", &at, &travel.body)) return travel;
    travel.distance = cursor_needed_number(&at, "distance", RANGE_POSITIVE);
    cursor_close(&at);
    return travel;
}

static phase_clearance read_clearance(scene_reading *reading, json_cursor *until)
{
    phase_clearance clearance = {0};
    json_cursor at;
    if (!open_condition(reading, until, "clearance", &at, &clearance.body)) return clearance;
    clearance.distance = cursor_needed_number(&at, "distance", RANGE_NOT_NEGATIVE);
    clearance.depth = cursor_number(&at, "depth", 0.0, RANGE_COORDINATE);
    json_cursor size = cursor_member(&at, "footprint");
    if (size.value == NULL) cursor_fail_missing(&at, "footprint", "two numbers, its size along x and y");
    cursor_expect_list(&size, 2, "two numbers, its size along x and y");
    for (size_t k = 0; k < 2 && cursor_is_ok(until); ++k) {
        json_cursor entry = cursor_entry(&size, k);
        clearance.half[k] = 0.5 * cursor_value_number(&entry, RANGE_LENGTH);
    }
    cursor_close(&at);
    return clearance;
}

// Pa; 0: it does not wait for one.
static double read_stress(scene_reading *reading, json_cursor *until)
{
    const scr_period *p = &reading->scene->world.period;
    bool is_cell = p->high.x > p->low.x && p->high.y > p->low.y && p->high.z > p->low.z;
    double stress = cursor_number_or_null(until, "stress", 0.0, RANGE_POSITIVE);
    json_cursor at = cursor_member(until, "stress");
    if (cursor_is_ok(until) && stress > 0.0 && !is_cell)
        cursor_fail(&at, "only a cell has a stress: space must repeat along x, y and z (\"periodic\")");
    return stress;
}

static void read_until(scene_reading *reading, json_cursor *phase_at, scene_phase *phase)
{
    phase->force.body = phase->travel.body = phase->clearance.body = -1;
    phase->speed = INFINITY;
    if (!cursor_has(phase_at, "until")) {
        cursor_member(phase_at, "until");
        return;
    }
    json_cursor at = cursor_object(phase_at, "until");
    phase->speed = cursor_number_or_null(&at, "speed", INFINITY, RANGE_POSITIVE);
    phase->duration = cursor_number(&at, "time", 0.0, RANGE_NOT_NEGATIVE);
    phase->force = read_force(reading, &at);
    phase->travel = read_travel(reading, &at);
    phase->clearance = read_clearance(reading, &at);
    phase->stress = read_stress(reading, &at);
    phase->hold = cursor_number(&at, "for", 0.0, RANGE_NOT_NEGATIVE);
    cursor_close(&at);
    phase->has_end = phase->speed < INFINITY || phase->duration > 0.0 || phase->force.body >= 0 ||
                     phase->travel.body >= 0 || phase->clearance.body >= 0 || phase->stress > 0.0;
    if (cursor_is_ok(phase_at) && !phase->has_end)
        cursor_fail(&at, "\"until\" must have speed, time, force, travel, clearance or stress");
}

void read_phase_ends(scene_reading *reading, json_cursor *root)
{
    scene *s = reading->scene;
    if (s->phase_count == 0) return;
    json_cursor list = cursor_list(root, "phases");
    for (int k = 0; k < s->phase_count && cursor_is_ok(root); ++k) {
        json_cursor at = cursor_object_entry(&list, (size_t)k);
        cursor_member(&at, "name");
        read_until(reading, &at, &s->phases[k]);
        s->phases[k].at_most = cursor_number_or_null(&at, "at_most", INFINITY, RANGE_POSITIVE);
        cursor_close(&at);
    }
}
