// SPDX-License-Identifier: BSD-3-Clause
// Regions: boxes along the axes, cylinders along any axis, spheres, and the space under a ground.
//
// A point p of a cylinder has the height s = (p - base) . axis and the distance d = |p - base - s axis| from the axis;
// it is inside when 0 <= s <= height and d <= radius. A point at the share u of the disc's area lies at d = R sqrt(u),
// one at the share u of a ball's volume at R cbrt(u) from its centre.
#include "geometry/shape/region.h"

#include <assert.h>

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

static bool sphere_contains(const region *r, scr_vec3 p, double margin)
{
    scr_vec3 d = vec3_sub(p, r->centre);
    double reach = r->radius - margin;
    return reach >= 0.0 && vec3_dot(d, d) <= reach * reach;
}

void region_ball_range(const region *ground, double x, double y, double radius, double *low, double *high)
{
    *high = ball_below(ground->top, x, y, radius);
    *low = ground->bottom != NULL ? ball_above(ground->bottom, x, y, radius) - ground->drop : ground->floor + radius;
}

static bool ground_contains(const region *r, scr_vec3 p, double margin)
{
    if (!box_contains(r, p, margin)) return false;
    double low, high;
    region_ball_range(r, p.x, p.y, fmax(margin, 0.0), &low, &high);
    return p.z >= low + fmin(margin, 0.0) && p.z <= high - fmin(margin, 0.0);
}

bool region_contains(const region *r, scr_vec3 p, double margin)
{
    switch (r->kind) {
    case REGION_BOX: return box_contains(r, p, margin);
    case REGION_CYLINDER: return cylinder_contains(r, p, margin);
    case REGION_SPHERE: return sphere_contains(r, p, margin);
    case REGION_GROUND: return ground_contains(r, p, margin);
    case REGION_SURFACE: break;
    }
    return box_contains(r, vec3(p.x, p.y, 0.5 * (r->low.z + r->high.z)), margin);
}

// How far a disc of unit radius reaches along an axis of the world, given the component of the disc's normal along it.
static double disc_reach(double normal) { return sqrt(fmax(0.0, 1.0 - normal * normal)); }

scr_aabb region_bounds(const region *r)
{
    if (r->kind != REGION_CYLINDER && r->kind != REGION_SPHERE) return (scr_aabb){r->low, r->high};
    if (r->kind == REGION_SPHERE) {
        scr_vec3 reach = vec3(r->radius, r->radius, r->radius);
        return (scr_aabb){vec3_sub(r->centre, reach), vec3_add(r->centre, reach)};
    }
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

void region_set_bounds(region *ground)
{
    scr_aabb top = height_grid_bounds(ground->top);
    if (ground->bottom != NULL) ground->floor = height_grid_bounds(ground->bottom).low.z - ground->drop;
    ground->low = vec3(top.low.x, top.low.y, fmin(ground->floor, top.high.z));
    ground->high = top.high;
    if (ground->kind != REGION_SURFACE) return;
    double reach = vec3_norm(vec3_sub(top.high, top.low));  // more than any ball on it
    ground->low.z = top.low.z - reach;
    ground->high.z = top.high.z + reach;
}

scr_vec3 region_settle(const region *r, scr_vec3 p, double radius)
{
    if (r->kind == REGION_SURFACE) p.z = ball_above(r->top, p.x, p.y, radius) - 2.0 * r->drop * radius;
    return p;
}

double region_volume(const region *r)
{
    assert(r->kind < REGION_GROUND);
    if (r->kind == REGION_SPHERE) return 4.0 / 3.0 * PI * r->radius * r->radius * r->radius;
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

static scr_vec3 sphere_point(const region *r, double margin, const double u[3])
{
    double sine, cosine, z = 2.0 * u[1] - 1.0, across = sqrt(fmax(0.0, 1.0 - z * z));
    scr_sincos(2.0 * PI * u[2], &sine, &cosine);
    return vec3_add_scaled(r->centre, fmax(0.0, r->radius - margin) * scr_cbrt(u[0]),
                           vec3(across * cosine, across * sine, z));
}

scr_vec3 region_point(const region *r, double margin, const double u[3])
{
    assert(r->kind < REGION_GROUND);
    if (r->kind == REGION_SPHERE) return sphere_point(r, margin, u);
    if (r->kind == REGION_CYLINDER) return cylinder_point(r, margin, u);
    return vec3(between(r->low.x, r->high.x, margin, u[0]), between(r->low.y, r->high.y, margin, u[1]),
                between(r->low.z, r->high.z, margin, u[2]));
}
