// SPDX-License-Identifier: BSD-3-Clause
// Where the camera of a view is at some instant of a run.
#include "view/stage/camera_track.h"

#include "core/maths/trig.h"
#include "core/maths/vec3.h"

static const double PI = 3.14159265358979323846;

static scr_vec3 mixed(scr_vec3 a, scr_vec3 b, double share_of_b)
{
    return vec3_add(a, vec3_scale(share_of_b, vec3_sub(b, a)));
}

// Slope at key i, m/s: that of its neighbours, level at the ends.
static scr_vec3 slope(const camera_key *p, int count, int i, scr_vec3 (*of)(const camera_key *))
{
    if (i == 0 || i == count - 1) return vec3(0.0, 0.0, 0.0);
    return vec3_scale(1.0 / (p[i + 1].time - p[i - 1].time), vec3_sub(of(&p[i + 1]), of(&p[i - 1])));
}

static scr_vec3 eye_of(const camera_key *p) { return p->eye; }
static scr_vec3 target_of(const camera_key *p) { return p->target; }

// Hermite's cubic between keys i and i + 1, at share s of the way.
static scr_vec3 between(const camera_key *p, int count, int i, double s, scr_vec3 (*of)(const camera_key *))
{
    double h = p[i + 1].time - p[i].time, weight = s * s * (3.0 - 2.0 * s);
    scr_vec3 straight = mixed(of(&p[i]), of(&p[i + 1]), weight);
    scr_vec3 leaving = vec3_scale(h * s * (1.0 - s) * (1.0 - s), slope(p, count, i, of));
    scr_vec3 coming = vec3_scale(h * s * s * (s - 1.0), slope(p, count, i + 1, of));
    return vec3_add(straight, vec3_add(leaving, coming));
}

static camera_key on_path(const scene_view *view, double time)
{
    const camera_key *p = view->path;
    int last = view->path_count - 1, i = 0;
    if (time <= p[0].time) return p[0];
    if (time >= p[last].time) return p[last];
    while (time >= p[i + 1].time) ++i;
    double share = (time - p[i].time) / (p[i + 1].time - p[i].time);
    return (camera_key){time, between(p, last + 1, i, share, eye_of), between(p, last + 1, i, share, target_of)};
}

camera_key camera_track_at(const scene_view *view, const track_instant *now)
{
    if (view->path_count > 0) return on_path(view, now->time);
    camera_key key = {now->time, vec3_add(view->eye, now->body_shift), vec3_add(view->target, now->body_shift)};
    if (view->orbit == 0.0) return key;
    double sine, cosine;
    scr_sincos(view->orbit * now->share * PI / 180.0, &sine, &cosine);
    scr_vec3 arm = vec3_sub(key.eye, key.target);
    key.eye = vec3_add(key.target, vec3(cosine * arm.x - sine * arm.y, sine * arm.x + cosine * arm.y, arm.z));
    return key;
}
