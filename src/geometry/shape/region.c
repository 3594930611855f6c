// SPDX-License-Identifier: BSD-3-Clause
// Regions: boxes along the axes, and cylinders along any axis.
//
// A point p of a cylinder has the height s = (p - base) . axis and the distance d = |p - base - s axis| from the axis;
// it is inside when 0 <= s <= height and d <= radius. A point at the share u of the disc's area lies at d = R sqrt(u).
#include "geometry/shape/region.h"

#include "core/maths/trig.h"

static const double PI = 0x1.921fb54442d18p1;

static bool box_contains(const region *r, scr_vec3 p, double margin)
{
    return p.x >= r->low.x + margin && p.x <= r->high.x - margin && p.y >= r->low.y + margin &&
           p.y <= r->high.y - margin && p.z >= r->low.z + margin && p.z <= r->high.z - margin;
}

static bool cylinder_contains(const region *r, scr_vec3 p, double margin)
{
    scr_vec3 from_base = vec3_sub(p, r->base);
    double s = vec3_dot(from_base, r->axis), reach = r->radius - margin;
    if (!(s >= margin && s <= r->height - margin && reach >= 0.0)) return false;
    scr_vec3 from_axis = vec3_add_scaled(from_base, -s, r->axis);
    return vec3_dot(from_axis, from_axis) <= reach * reach;
}

bool region_contains(const region *r, scr_vec3 p, double margin)
{
    return r->kind == REGION_BOX ? box_contains(r, p, margin) : cylinder_contains(r, p, margin);
}

// How far a disc of unit radius reaches along an axis of the world, given the component of the disc's normal along it.
static double disc_reach(double normal) { return sqrt(fmax(0.0, 1.0 - normal * normal)); }

scr_aabb region_bounds(const region *r)
{
    if (r->kind == REGION_BOX) return (scr_aabb){r->low, r->high};
    scr_vec3 middle = vec3_add_scaled(r->base, 0.5 * r->height, r->axis);
    scr_vec3 disc = vec3(disc_reach(r->axis.x), disc_reach(r->axis.y), disc_reach(r->axis.z));
    scr_vec3 half = vec3_add(vec3_scale(0.5 * r->height, vec3_abs(r->axis)), vec3_scale(r->radius, disc));
    return (scr_aabb){vec3_sub(middle, half), vec3_add(middle, half)};
}

bool region_contains_image(const region *r, const periodic_cell *period, scr_vec3 p)
{
    if (!period->any) return region_contains(r, p, 0.0);
    scr_aabb box = region_bounds(r);
    scr_vec3 centre = vec3_scale(0.5, vec3_add(box.low, box.high));
    return region_contains(r, period_wrapped(period, p), 0.0) ||
           region_contains(r, period_nearest(period, centre, p), 0.0);
}

double region_volume(const region *r)
{
    if (r->kind == REGION_CYLINDER) return PI * r->radius * r->radius * r->height;
    scr_vec3 edge = vec3_sub(r->high, r->low);
    return edge.x * edge.y * edge.z;
}

// From low + margin to high - margin, or midway between low and high if that is empty.
static double between(double low, double high, double margin, double u)
{
    double free_length = high - low - 2.0 * margin;
    return free_length > 0.0 ? low + margin + u * free_length : 0.5 * (low + high);
}

static scr_vec3 cylinder_point(const region *r, double margin, const double u[3])
{
    // Two unit vectors across the axis; the first is square to the world's axis that is least along the cylinder's.
    scr_vec3 a = vec3_abs(r->axis);
    scr_vec3 least = a.x <= a.y && a.x <= a.z ? vec3(1, 0, 0) : a.y <= a.z ? vec3(0, 1, 0) : vec3(0, 0, 1);
    scr_vec3 across = vec3_unit(vec3_cross(r->axis, least)), along = vec3_cross(r->axis, across);

    double sine, cosine, d = fmax(0.0, r->radius - margin) * sqrt(u[0]), s = between(0.0, r->height, margin, u[2]);
    scr_sincos(2.0 * PI * u[1], &sine, &cosine);
    scr_vec3 p = vec3_add_scaled(r->base, s, r->axis);
    return vec3_add_scaled(vec3_add_scaled(p, d * cosine, across), d * sine, along);
}

scr_vec3 region_point(const region *r, double margin, const double u[3])
{
    if (r->kind == REGION_CYLINDER) return cylinder_point(r, margin, u);
    return vec3(between(r->low.x, r->high.x, margin, u[0]), between(r->low.y, r->high.y, margin, u[1]),
                between(r->low.z, r->high.z, margin, u[2]));
}
