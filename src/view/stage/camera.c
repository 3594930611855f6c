// SPDX-License-Identifier: BSD-3-Clause
// A pinhole camera, and where to put it.
#include "view/stage/camera.h"

#include <math.h>

#include "core/maths/trig.h"

static const double PI = 3.14159265358979323846;
static const float FRAME_MARGIN = 0.06f;  // of the picture's half edges, left free around the subject

static camera with_axes(const camera_request *request, vec3f back)
{
    double degrees = request->field_of_view > 0.0 ? request->field_of_view : CAMERA_FIELD_OF_VIEW, sine, cosine;
    scr_sincos(0.5 * degrees * PI / 180.0, &sine, &cosine);
    camera c = {.width = request->width, .height = request->height, .half_height = (float)(sine / cosine)};
    c.half_width = c.half_height * (float)request->width / (float)request->height;
    c.back = vec3f_unit(back);
    // z is up in the picture, except when looking straight along it: then y is.
    vec3f upwards = fabsf(c.back[2]) < 0.9999f ? vec3f_of(0.0f, 0.0f, 1.0f) : vec3f_of(0.0f, 1.0f, 0.0f);
    c.right = vec3f_unit(vec3f_cross(upwards, c.back));
    c.up = vec3f_cross(c.back, c.right);
    return c;
}

// Towards the viewer, for a subject of this shape. One looks at the broad side, from the right of its middle, the less
// so the flatter the subject is seen from above; low at a tower, from higher up at a bed.
static vec3f three_quarter_view(const extent *subject)
{
    vec3f edge = subject->high - subject->low;
    float broad = greater(edge[0], edge[1]), narrow = lesser(edge[0], edge[1]);
    float yaw = 33.0f - 15.0f * smooth_step(1.5f, 6.0f, broad / greater(narrow, 1e-3f * broad));       // degrees
    float rise = 30.0f - 14.0f * smooth_step(0.15f, 1.2f, edge[2] / greater(broad, 1e-3f * edge[2]));  // degrees
    double sine, cosine, sine_rise, cosine_rise;
    // The side along x is the front, unless the one along y is clearly broader: a heap that spreads must not make the
    // camera jump.
    float azimuth = edge[1] < 1.4f * edge[0] ? -90.0f + yaw : yaw;
    scr_sincos(azimuth * PI / 180.0, &sine, &cosine);
    scr_sincos(rise * PI / 180.0, &sine_rise, &cosine_rise);
    return vec3f_of((float)(cosine * cosine_rise), (float)(sine * cosine_rise), (float)sine_rise);
}

// One direction of the picture, horizontal or vertical. The subject shall lie between `low` and `high` there, as
// tangents seen from the eye. A corner at u across and w towards the viewer does, with the eye at c across and at the
// distance d, when low (d - w) <= u - c <= high (d - w). Over all corners that is
//   c + d high >= most = max(u + w high),   c + d low <= least = min(u + w low).
typedef struct fit {
    float low, high, most, least;
} fit;

static void include_corner(fit *f, float u, float w)
{
    f->most = greater(f->most, u + w * f->high);
    f->least = lesser(f->least, u + w * f->low);
}
static float fit_distance(const fit *f) { return (f->most - f->least) / (f->high - f->low); }
static float fit_middle(const fit *f, float d) { return 0.5f * (f->most - d * f->high + f->least - d * f->low); }

// The nearest eye, along the camera's axes, that sees the whole box in the free part of the picture, the left one.
static vec3f fitting_eye(const camera *c, const extent *subject, float free_width)
{
    vec3f centre = extent_centre(subject);
    float inner = 1.0f - FRAME_MARGIN, free_middle = (free_width - 1.0f) * c->half_width;
    fit across = {free_middle - inner * free_width * c->half_width, free_middle + inner * free_width * c->half_width,
                  -INFINITY, INFINITY};
    fit upwards = {-inner * c->half_height, inner * c->half_height, -INFINITY, INFINITY};
    for (int corner = 0; corner < 8; ++corner) {
        vec3f p =
            vec3f_of(corner & 1 ? subject->high[0] : subject->low[0], corner & 2 ? subject->high[1] : subject->low[1],
                     corner & 4 ? subject->high[2] : subject->low[2]) -
            centre;
        float w = vec3f_dot(p, c->back);
        include_corner(&across, vec3f_dot(p, c->right), w);
        include_corner(&upwards, vec3f_dot(p, c->up), w);
    }
    float distance = greater(fit_distance(&across), fit_distance(&upwards));
    return centre + fit_middle(&across, distance) * c->right + fit_middle(&upwards, distance) * c->up +
           distance * c->back;
}

static vec3f narrowed(scr_vec3 v) { return vec3f_of((float)v.x, (float)v.y, (float)v.z); }

camera camera_for(const camera_request *request, const extent *subject)
{
    vec3f target = request->has_target ? narrowed(request->target) : extent_centre(subject);
    if (request->has_eye) {
        camera c = with_axes(request, narrowed(request->eye) - target);
        c.eye = narrowed(request->eye);
        return c;
    }
    camera c = with_axes(request, three_quarter_view(subject));
    c.eye = fitting_eye(&c, subject, 1.0f - (float)request->clear_right);
    if (request->has_target) c.eye = target + vec3f_dot(c.eye - target, c.back) * c.back;
    return c;
}

vec3f camera_direction(const camera *c, float x, float y)
{
    float u = (2.0f * x / (float)c->width - 1.0f) * c->half_width;
    float v = (1.0f - 2.0f * y / (float)c->height) * c->half_height;
    return vec3f_unit(u * c->right + v * c->up - c->back);
}

bool camera_project(const camera *c, vec3f point, float *x, float *y)
{
    vec3f p = point - c->eye;
    float depth = -vec3f_dot(p, c->back);
    if (!(depth > 0.0f)) return false;
    *x = 0.5f * (float)c->width * (1.0f + vec3f_dot(p, c->right) / (depth * c->half_width));
    *y = 0.5f * (float)c->height * (1.0f - vec3f_dot(p, c->up) / (depth * c->half_height));
    return true;
}
