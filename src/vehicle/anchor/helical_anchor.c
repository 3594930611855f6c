// SPDX-License-Identifier: BSD-3-Clause
// The boxes of a helix.
#include "vehicle/anchor/helical_anchor.h"

#include "core/maths/trig.h"

static const double TWO_PI = 0x1.921fb54442d18p2;

static scr_quat rotation_about(scr_vec3 axis, double angle)
{
    double sine, cosine;
    scr_sincos(0.5 * angle, &sine, &cosine);
    return (scr_quat){cosine, sine * axis.x, sine * axis.y, sine * axis.z};
}

anchor_box anchor_helix_box(const helical_anchor *anchor, int k)
{
    const anchor_helix *helix = &anchor->helix;
    double step = TWO_PI * helix->turns / helix->boxes, hand = helix->is_left_handed ? -1.0 : 1.0;
    double angle = step * (k + 0.5) - TWO_PI * helix->turns, sine, cosine;
    double slope = scr_atan2(helix->pitch, TWO_PI * 0.5 * (helix->radius + anchor->shaft_radius));
    scr_sincos(0.5 * step, &sine, &cosine);
    double half_width = helix->radius * sine, outer = helix->radius * cosine;
    double inner = sqrt(fmax(0.0, anchor->shaft_radius * anchor->shaft_radius - half_width * half_width));
    double slope_sine, slope_cosine, middle = 0.5 * (inner + outer);
    scr_sincos(slope, &slope_sine, &slope_cosine);
    scr_sincos(hand * angle, &sine, &cosine);
    return (anchor_box){
        .at = {vec3(middle * cosine, middle * sine, helix->pitch * angle / TWO_PI - helix->height),
               quat_mul(rotation_about(vec3(0, 0, 1), hand * angle), rotation_about(vec3(1, 0, 0), hand * slope))},
        .size = vec3(outer - inner, 2.0 * half_width / slope_cosine, helix->thickness),
    };
}
