// SPDX-License-Identifier: BSD-3-Clause
// Rests of grains.
#include "view/report/report_rests.h"

#include <string.h>

static bool same_place(const float a[3], const float b[3]) { return a[0] == b[0] && a[1] == b[1] && a[2] == b[2]; }

static bool goes_on(const report_rest *rest, const rest_watch *watch)
{
    return rest->last == watch->frame - 1 && same_place(rest->position, watch->position);
}

static scr_status note_rest(rest_watch *watch, report_rests *rests, scr_error *error)
{
    if (watch->rest >= 0 && goes_on(&rests->rest[watch->rest], watch)) {
        rests->rest[watch->rest].last = watch->frame;
        return SCR_OK;
    }
    scr_status status = scr_grow(&rests->rest, &rests->capacity, rests->count + 1, sizeof *rests->rest,
                                 "grains at rest of a report", error);
    if (status != SCR_OK) return status;
    report_rest *rest = &rests->rest[rests->count];
    *rest = (report_rest){.before = watch->rest, .first = watch->frame, .last = watch->frame};
    memcpy(rest->position, watch->position, sizeof rest->position);
    watch->rest = rests->count++;
    ++watch->rests;
    return SCR_OK;
}

// Whether the grain rests in the frame in which it was last seen is known once the next one was read.
static scr_status judge(rest_watch *watch, report_rests *rests, bool as_after, scr_error *error)
{
    if (watch->frame < 0) return SCR_OK;
    if (watch->can_rest && watch->as_before && as_after && watch->frame < REST_FRAMES_MOST)
        return note_rest(watch, rests, error);
    ++watch->listed;
    return SCR_OK;
}

scr_status rest_watch_see(rest_watch *watch, report_rests *rests, int32_t frame, const float position[3], bool can_rest,
                          scr_error *error)
{
    bool was_there = watch->frame >= 0 && watch->frame == frame - 1;
    bool as_before = !was_there || same_place(watch->position, position);
    scr_status status = judge(watch, rests, as_before, error);
    watch->frame = frame;
    watch->can_rest = can_rest;
    watch->as_before = as_before;
    memcpy(watch->position, position, sizeof watch->position);
    return status;
}

scr_status rest_watch_end(rest_watch *watch, report_rests *rests, scr_error *error)
{
    scr_status status = judge(watch, rests, true, error);
    watch->frame = -1;
    return status;
}

bool rest_watch_rests(const rest_watch *watch, const report_rests *rests, int64_t frame)
{
    for (int64_t r = watch->rest; r >= 0 && rests->rest[r].last >= frame; r = rests->rest[r].before)
        if (rests->rest[r].first <= frame) return true;
    return false;
}
