// SPDX-License-Identifier: BSD-3-Clause
// Shoes round the wheels.
#include "vehicle/track/track_wrap.h"

#include <math.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/status.h"

enum { BISECTIONS = 60 };

static scr_status path_at_travel(const track_layout *layout, double travel, track_path *path, scr_error *error)
{
    track_circle circles[TRACK_WHEELS_MAX];
    memcpy(circles, layout->circles, (size_t)layout->circle_count * sizeof *circles);
    circles[layout->idler].centre.x += travel * layout->slide.x;
    circles[layout->idler].centre.z += travel * layout->slide.z;
    return track_path_make(circles, layout->circle_count, path, error);
}

// Go round link by link; pins may be NULL. The path that the links cover, m.
static double go_round(const track_layout *layout, const track_path *path, track_point *pins)
{
    double along = 0.0;
    for (int k = 0; k < layout->link_count; ++k) {
        if (pins != NULL) pins[k] = track_path_at(path, along);
        along = track_path_step(path, along, layout->links[k % layout->links_of_pattern]);
    }
    return along;
}

// By how much the links are longer than the path, m.
static scr_status slack_at(const track_layout *layout, double travel, double *slack, scr_error *error)
{
    track_path path;
    scr_status status = path_at_travel(layout, travel, &path, error);
    if (status == SCR_OK) *slack = go_round(layout, &path, NULL) - path.length;
    return status;
}

static scr_status find_travel(const track_layout *layout, double *travel, scr_error *error)
{
    double loose = layout->travel_min, tight = layout->travel_max, at_min, at_max;
    scr_status status = slack_at(layout, loose, &at_min, error);
    if (status == SCR_OK) status = slack_at(layout, tight, &at_max, error);
    if (status != SCR_OK) return status;
    if (at_min < 0.0)
        return scr_fail(error, SCR_BAD_INPUT,
                        "the track is %.3g m too short to close round its wheels: more shoes, or "
                        "an idler that goes further in",
                        -at_min);
    if (at_max > 0.0)
        return scr_fail(error, SCR_BAD_INPUT,
                        "the track is %.3g m too long to be taut round its wheels: fewer shoes, "
                        "or an idler that goes further out",
                        at_max);
    for (int k = 0; k < BISECTIONS && status == SCR_OK; ++k) {
        double middle = 0.5 * (loose + tight), slack = 0.0;
        status = slack_at(layout, middle, &slack, error);
        *(slack > 0.0 ? &loose : &tight) = middle;
    }
    *travel = 0.5 * (loose + tight);
    return status;
}

scr_status track_wrap_make(const track_layout *layout, track_wrap *wrap, scr_error *error)
{
    *wrap = (track_wrap){0};
    scr_status status = find_travel(layout, &wrap->travel, error);
    if (status == SCR_OK) status = path_at_travel(layout, wrap->travel, &wrap->path, error);
    if (status != SCR_OK) return status;
    size_t bytes = (size_t)layout->link_count * sizeof *wrap->pin;
    wrap->pin = scr_alloc(bytes);
    if (wrap->pin == NULL) return scr_fail_memory(error, bytes, "the pins of a track");
    go_round(layout, &wrap->path, wrap->pin);
    return SCR_OK;
}

void track_wrap_free(track_wrap *wrap) { scr_free(wrap->pin); }
