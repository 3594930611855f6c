// SPDX-License-Identifier: BSD-3-Clause
// Which grains are simulated: the moving active box, around which bodies, how large, in which cells; and sleeping.
#include <math.h>

#include "io/scene/scene_sections.h"

static const double SHELL_SHARE = 0.25;    // of "ahead": the thickness of the shell unless it is given
static const double CELLS_IN_SHELL = 2.0;  // at least, and unless the cell is given
static const double FREEZE_SPEED = 0.05;   // m/s
static const double STORE_MEGABYTES = 512.0;
static const double MEGABYTE = 1048576.0;
static const double SLEEPING_SPEED = 1e-3;  // m/s
static const double SLEEPING_AFTER = 0.1;   // s
static const double SLEEPING_FORCE = 0.05;  // share of what a grain carries

// One name, or a list of them.
static void read_around(scene_reading *reading, json_cursor *at, scene_active_box *box)
{
    json_cursor around = cursor_member(at, "around");
    if (!cursor_is_ok(at)) return;
    if (around.value == NULL) {
        cursor_fail_missing(at, "around", "the name of a body, or a list of names");
        return;
    }
    bool is_list = json_is_array(around.value);
    if (is_list) around = cursor_list(at, "around");
    size_t count = is_list ? around.count : 1;
    if (cursor_is_ok(at) && count == 0) cursor_fail(&around, "\"around\" must name a body at least");
    box->around = cursor_new_array(at, count, sizeof *box->around, "bodies of the active box");
    for (size_t k = 0; k < count && cursor_is_ok(at); ++k) {
        json_cursor name = is_list ? cursor_entry(&around, k) : around;
        box->around[k] = find_name(&name, &reading->bodies, cursor_value_text(&name));
        box->around_count = (int)k + 1;
    }
}

static void check_sizes(json_cursor *at, const scene_active_box *box)
{
    if (!cursor_is_ok(at) || box->shell >= CELLS_IN_SHELL * box->cell) return;
    json_cursor cell = cursor_member(at, cursor_has(at, "cell") ? "cell" : "shell");
    cursor_fail(&cell, "the shell, %g m thick, must be at least two cells thick, which are %g m long", box->shell,
                box->cell);
}

static bool space_repeats(const scene *s)
{
    const scr_period *p = &s->world.period;
    return p->low.x < p->high.x || p->low.y < p->high.y || p->low.z < p->high.z;
}

void read_active_box(scene_reading *reading, json_cursor *root)
{
    static const char *const faces[] = {[FACE_FLAT] = "flat", [FACE_SLOPED] = "sloped", [FACE_ROUNDED] = "rounded"};
    scene_active_box *box = &reading->scene->active_box;
    if (!cursor_has(root, "active_box")) return;
    json_cursor at = cursor_object(root, "active_box");
    box->present = true;
    box->location = cursor_location(&at);
    read_around(reading, &at, box);
    box->ahead = cursor_needed_number(&at, "ahead", RANGE_LENGTH);
    box->behind = cursor_number(&at, "behind", box->ahead, RANGE_LENGTH);
    box->side = cursor_number(&at, "side", box->ahead, RANGE_LENGTH);
    box->face = (box_face)cursor_choice(&at, "face", faces, 3, FACE_ROUNDED);
    box->shell = cursor_number(&at, "shell", SHELL_SHARE * box->ahead, RANGE_LENGTH);
    box->cell = cursor_number(&at, "cell", box->shell / CELLS_IN_SHELL, RANGE_LENGTH);
    box->freeze_speed = cursor_number(&at, "freeze_speed", FREEZE_SPEED, RANGE_NOT_NEGATIVE);
    box->store_bytes = MEGABYTE * cursor_number(&at, "store_memory", STORE_MEGABYTES, RANGE_NOT_NEGATIVE);
    cursor_close(&at);
    check_sizes(&at, box);
    if (cursor_is_ok(&at) && space_repeats(reading->scene))
        cursor_fail(&at, "an active box and \"periodic\" space exclude each other");
}

void read_sleeping(scene_reading *reading, json_cursor *root)
{
    scene_sleeping *s = &reading->scene->sleeping;
    if (!cursor_has(root, "sleeping")) return;
    json_cursor at = cursor_object(root, "sleeping");
    s->present = true;
    s->speed = cursor_number(&at, "speed", SLEEPING_SPEED, RANGE_POSITIVE);
    s->after = cursor_number(&at, "after", SLEEPING_AFTER, RANGE_POSITIVE);
    s->force = cursor_number(&at, "force", SLEEPING_FORCE, RANGE_POSITIVE);
    if (cursor_has(&at, "cell")) s->cell = cursor_needed_number(&at, "cell", RANGE_LENGTH);
    cursor_close(&at);
    if (cursor_is_ok(&at) && space_repeats(reading->scene))
        cursor_fail(&at, "\"sleeping\" and \"periodic\" space exclude each other");
}
