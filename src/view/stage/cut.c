// SPDX-License-Identifier: BSD-3-Clause
// Cut-away planes.
#include "view/stage/cut.h"

cut cut_for(const bool has[3], const double at[3], vec3f eye)
{
    cut c = {0};
    for (int axis = 0; axis < 3; ++axis) {
        if (!has[axis]) continue;
        c.axis[c.count] = axis;
        c.at[c.count] = (float)at[axis];
        c.kept[c.count++] = eye[axis] > (float)at[axis] ? -1.0f : 1.0f;
    }
    return c;
}

bool cut_piece(const cut *c, vec3f origin, vec3f direction, float *near, float *far, int *plane)
{
    *plane = -1;
    for (int k = 0; k < c->count; ++k) {
        int axis = c->axis[k];
        float depth = c->kept[k] * (origin[axis] - c->at[k]), rate = c->kept[k] * direction[axis];
        if (rate == 0.0f) {
            if (depth < 0.0f) return false;
            continue;
        }
        float distance = -depth / rate;
        if (rate < 0.0f) {
            *far = lesser(*far, distance);
        } else if (distance > *near) {
            *near = distance;
            *plane = k;
        }
    }
    return *near < *far;
}

vec3f cut_normal(const cut *c, int plane)
{
    vec3f normal = vec3f_all(0.0f);
    normal[c->axis[plane]] = -c->kept[plane];
    return normal;
}
