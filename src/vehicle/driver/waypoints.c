// SPDX-License-Identifier: BSD-3-Clause
// A path of straight pieces over the ground.
#include "vehicle/driver/waypoints.h"

#include <math.h>

static double distance(ground_point a, ground_point b)
{
    return sqrt((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y));
}

static ground_point between(ground_point a, ground_point b, double share)
{
    return (ground_point){a.x + share * (b.x - a.x), a.y + share * (b.y - a.y)};
}

double waypoints_length(const waypoints *path)
{
    double length = 0.0;
    for (int k = 1; k < path->count; ++k) length += distance(path->point[k - 1], path->point[k]);
    return length;
}

ground_point waypoints_at(const waypoints *path, double along)
{
    for (int k = 1;; ++k) {
        ground_point a = path->point[k - 1], b = path->point[k];
        double piece = distance(a, b);
        if (along <= piece || k == path->count - 1) return between(a, b, along / piece);
        along -= piece;
    }
}

double waypoints_nearest(const waypoints *path, double from, double to, ground_point p)
{
    double best = from, least = distance(waypoints_at(path, from), p), begin = 0.0;
    for (int k = 1; k < path->count; ++k) {
        ground_point a = path->point[k - 1], b = path->point[k];
        double piece = distance(a, b);
        double foot = begin + ((p.x - a.x) * (b.x - a.x) + (p.y - a.y) * (b.y - a.y)) / piece;
        double low = fmax(begin, from), high = fmin(begin + piece, to);
        begin += piece;
        if (!(low <= high)) continue;
        foot = fmin(fmax(foot, low), high);
        double off = distance(waypoints_at(path, foot), p);
        if (off < least) best = foot, least = off;
    }
    return best;
}
